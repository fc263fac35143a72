/* The same table, where the last philosopher takes the fork on the right first: whoever holds its
   second fork can eat, so that somebody always does. */

#define N 4

bool fork[N];

active [N] proctype Philosopher() {
    byte first = _pid, second = (_pid + 1) % N;

    if
    :: _pid == N - 1 -> first = 0; second = _pid
    :: else
    fi;
    do
    :: atomic { !fork[first] -> fork[first] = true };
       atomic { !fork[second] -> fork[second] = true };
progress_eating:
       skip;
       fork[first] = false;
       fork[second] = false
    od
}
