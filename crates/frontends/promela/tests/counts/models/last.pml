/* Who moved last, who could move. */
byte x;
active proctype A() { x = 1; x == 2; x = 3 }
active proctype B() { x == 1 -> x = 2; skip; x == 3 }
never { do :: _last == 1 && x == 2 -> break :: else od; do :: enabled(0) && x < 9 :: else od }
