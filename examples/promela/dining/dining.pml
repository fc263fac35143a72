/* Dijkstra's philosophers: each takes the fork on its left, then the one on its right. */

#define N 4

bool fork[N];

active [N] proctype Philosopher() {
    byte left = _pid, right = (_pid + 1) % N;

    do
    :: atomic { !fork[left] -> fork[left] = true };
       atomic { !fork[right] -> fork[right] = true };
progress_eating:
       skip;
       fork[left] = false;
       fork[right] = false
    od
}
