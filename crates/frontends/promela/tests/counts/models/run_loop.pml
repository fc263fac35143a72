/* Any number of processes, by a loop. */
byte n;
proctype P(byte k) { byte l = k; n = n + l; l = 0 }
init { byte i; for (i : 1 .. 3) { run P(i) }; do :: n > 3 -> n--; run P(0) :: n <= 3 -> break od }
