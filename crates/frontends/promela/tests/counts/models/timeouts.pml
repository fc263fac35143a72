/* timeout holds when nothing else can move, and inside of atomic blocks. */
byte x; chan c = [1] of { byte };
active proctype A() { do :: atomic { timeout -> x++; c!x } :: x == 3 -> break od }
active proctype B() { byte v; do :: c?v -> if :: v == 2 -> break :: v < 2 fi od; timeout || x == 9 -> x = 7 }
active proctype C() { x == 7 && timeout -> end: false }
