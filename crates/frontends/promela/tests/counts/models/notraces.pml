/* An event trace that must not be completed. */
mtype = { a, b };
chan q = [2] of { mtype, byte };
notrace { q!a,_ ; do :: q?a,1 -> break :: q?b,_ od; q!b,2 }
active proctype P() { byte x; q!a,1; q?a,x; q!b(2); q?b,x }
active proctype Q() { byte y; skip; if :: skip :: q!b,7 fi }
