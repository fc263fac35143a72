/* run in its many places. */
byte n;
proctype P(byte k) { n = n + k }
init {
	byte x;
	run P(1);
	x = run P(2);
	x = run P(3) + 10;
	run P(0) -> x = 99
}
