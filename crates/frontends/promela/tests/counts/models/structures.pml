/* Structures with arrays and structures, in messages and as parameters. */
typedef P { byte x; bit f[2] };
typedef Q { P p[2]; short s };
chan c = [1] of { P, byte };
Q g;
typedef R { byte x; bit f }; proctype T(R p; byte n) { g.p[n] . x = p.x; g.s = -1 }
init {
	P a; Q b; R r;
	a.x = 3; a.f[1] = 1;
	c!a,7;
	b.p[1].x = 1;
	c?b.p[0],b.s;
	assert(b.p[0].x == 3 && b.p[0].f[1] && b.s == 7);
	r.x = 3; run T(r, 1);
	g.s == -1 -> assert(g.p[1].x == 3)
}
