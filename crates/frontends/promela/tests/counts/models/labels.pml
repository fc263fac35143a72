/* Labels of all kinds; remote references from inside of the model. */
byte x;
active proctype A2() { do :: x == 8 -> break :: x == 7 -> wait: x = 8 od; skip }
active proctype A() {
	do
	:: x < 3 ->
progress:	x++;
accept_1:	skip
	:: x == 3 -> x = 7
	:: x == 8 -> break
	od;
end1:	A2[0]@wait -> x = 9
}
active proctype B() { byte loc; loc = 4; (A@end1) -> loc = 5; end: false }
active proctype C() { B:loc == 4; B[2]:loc == 5 -> skip }
