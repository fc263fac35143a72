/* What was set for one process does not stay for the next of its number. */
byte x;
proctype A(byte p) { byte i; set_priority(_pid, p); x++ }
init { byte i; run A(3); _nr_pr == 1; run A(4); run A(2) }
