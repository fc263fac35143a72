/* A declaration behind the first statement is a transition, one before it is not. */
byte g = 2;
init {
	byte a = 1; int b = -3; unsigned u : 3 = 5; bit e = g == 2; short h = a + b;
	assert(h == -2 && e && u == 5);
	byte c; byte d = a + g; mtype m; chan q; byte r[2];
	{ byte f; f++; int i = f; assert(i == 1) };
	do
	:: g > 0 -> byte k; k++; assert(k == 1); g--
	:: else -> break
	od
}
