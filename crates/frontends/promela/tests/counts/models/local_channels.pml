/* Processes that bring their own channels, started again and again. */
byte n;
proctype W(byte k) { chan c = [1] of { byte }; byte x; c!k; if :: c?x :: skip fi; n = x }
init { byte i; do :: i < 3 -> run W(i); i++; (_nr_pr == 1) :: else -> break od }
