/* Labels that say something make a control state of a jump; others do not. */
byte x, y;
active proctype P() {
again:  do
        :: x < 3 -> x++; progress: goto again
        :: x == 3 -> x = 4; accept_here: break
        od;
        atomic { x = 5; end: goto last };
        x = 6;
last:   x = 7; named: goto done;
        x = 8;
done:   skip
}
active proctype Q() { do :: y = 1 - y :: x == 7 -> end_Q: break od }
