/* An event trace: every event on q has to fit. */
mtype = { a, b };
chan q = [2] of { mtype, byte };
trace { do :: q!a,_ ; q?a,1 od }
active proctype P() { byte x; q!a,1; q?a,x; q!b(2); q?b,x }
active proctype Q() { byte y; skip; skip }
