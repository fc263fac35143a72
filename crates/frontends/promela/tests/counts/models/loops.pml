/* for over ranges, arrays and channels; select near and far; break and goto as guards. */
typedef M { byte a; byte b };
chan c = [3] of { M };
byte t[3] = { 4, 5, 6 };
byte sum;
active proctype A() {
	M m; byte i; short j;
	for (i in t) { sum = sum + t[i] }
	m.a = 1; c!m; m.b = 2; c!m;
	for (m in c) { sum = sum + m.a + m.b }
	select (i : 1 .. 3);
	select (j : 0 .. 40);
	do
	:: break
	:: i > 1 -> i--
	:: i == 1 -> goto out
	od;
	for (i : 0 .. 1) {
		byte w = i;
		byte z;
		z = z + w
	}
out:	sum = i
}
