/* An event trace over a rendezvous. It stands last: if it stood first, SPIN's verifier would take
   process 0 for the trace, and lose the rendezvous it offers. */
chan q = [0] of { byte };
byte x;
active proctype P() { q!1; q!3; x = 1 }
active proctype Q() { byte y; q?y; q?y; x = 2 }
trace { q!1; q?1; q!2 }
