/* Atomic blocks and d_steps inside of atomic blocks; blocked in the middle. */
byte x, y;
active proctype A() {
	atomic {
		x = 1;
		atomic { y = 1; (x == 2); y = 2 };
		d_step { x = 3; y = 3; x = 4 };
		{ x = 5; y = 5 };
		x = 6
	};
	y = 6
}
active proctype B() {
	atomic { x == 1 -> x = 2; y == 9 } unless { x == 6 };
	y = 7
}
