/* A lock that looks first and takes afterwards. Between the two somebody else may look. */

bool taken;
byte inside;

active [2] proctype Worker() {
    do
    :: !taken ->            /* it is free ... */
       taken = true;        /* ... so I take it */
       inside++;
       assert(inside == 1);
       inside--;
       taken = false
    od
}
