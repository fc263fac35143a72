/* C's int, cut off to the width of what is assigned and sent. */
chan c = [1] of { byte, short, bit };
active proctype A() {
	byte b; short s; int i = 2147483647; bit t; unsigned u : 3; pid p;
	b = 300; s = 40000; t = 2; i = i + 1; u = 9; p = 257;
	assert(b == 44 && s == -25536 && t == 0 && u == 1 && p == 1 && i < 0);
	assert(-7 / 2 == -3 && -7 % 3 == -1 && -8 >> 1 == -4);
	assert(~5 == -6 && (5 ^ 3) == 6 && (6 & 3) == 2 && !3 == 0 && (b > 40 -> 1 : 2) == 1);
	c!300,40000,3;
	c?b,s,t;
	assert(b == 44 && s == -25536 && t == 1);
	b--; b = 0; b--; assert(b == 255)
}
