/* Peterson's lock: needs no step that both looks and takes. */

bool wants[2];
byte turn;

active [2] proctype Worker() {
    byte me = _pid, other = 1 - _pid;
    do
    :: wants[me] = true;
       turn = other;
       !wants[other] || turn == me;
critical:
       skip;
       wants[me] = false
    od
}

/* Never both of them at once. */
ltl exclusive { [] !(Worker[0]@critical && Worker[1]@critical) }

/* Once I want it and it is my turn, the other does not get in before me. */
#define mine (wants[0] && turn == 0)
ltl no_overtaking {
    [] ((mine && !Worker[1]@critical) -> (!Worker[1]@critical W (Worker[0]@critical || !mine)))
}
