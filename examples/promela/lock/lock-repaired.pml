/* The same lock, looked at and taken in one step. */

bool taken;
byte inside;

active [2] proctype Worker() {
    do
    :: atomic { !taken -> taken = true };
       inside++;
       assert(inside == 1);
       inside--;
       taken = false
    od
}

/* Whoever holds the lock gives it back. */
ltl given_back { [] (taken -> <> !taken) }
