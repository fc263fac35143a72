/* In a d_step the first executable option is taken; loops inside of it. */
byte x, y;
byte a[3];
active proctype A() {
	byte i;
	do
	:: d_step { if :: x > 0 -> x-- :: y > 0 -> y-- fi; i = 0; do :: i < 3 -> a[i] = i; i++ :: else -> break od }
	:: d_step { x == 0 -> if :: y == 1 -> x = 2 :: y == 1 -> x = 3 :: else -> y++ fi }
	:: x > 2 -> break
	od
}
active proctype B() { y = 1; x = 3; x++ }
