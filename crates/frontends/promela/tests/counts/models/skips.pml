/* skip is a transition, goto is not; a second skip in an option is not there. */
byte x;
active proctype A() {
	do
	:: x == 0 -> skip; skip; skip; x = 1; true; 1
	:: x == 1 -> printf("a\n"); skip; skip; x = 2
	:: x == 2 -> { skip; skip }; goto next; x = 5
	:: x == 3 -> if :: true :: x == 3 -> skip fi; break
	od;
	goto end_here;
next:	x = 3; goto more;
more:	{ { { skip } } };
end_here:
	false
}
