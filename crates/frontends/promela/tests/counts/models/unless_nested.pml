/* An outer escape goes before an inner one; escapes interrupt atomic blocks, not d_steps. */
byte x, y;
active proctype A() {
	{
		{ x = 1; x = 2; atomic { y = 1; y = 2 }; d_step { y = 3; y = 4 }; x = 3 }
		unless { x == 2 -> y = 10; y = 11 };
		x = 4
	} unless { y > 1 && x == 2 -> y = 20 };
	assert(x != 5)
}
active proctype B() { x = 2; y = 2 }
