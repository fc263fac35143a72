/* Sorted sends, receives from anywhere, copies, polls, demanded values. */
mtype = { req, ack, nak };
chan q = [4] of { mtype, byte };
byte n;
active proctype P() { q!!ack,2; q!!req(1); q!!nak,3; q!!req,0 }
active proctype C() {
	byte v; mtype m;
	do
	:: q?<m,v> -> n = v; q?m,v
	:: q??[req,1] -> q??req,v; n = v
	:: q??ack,v -> v = 3; q??nak,eval(v); break
	:: full(q) -> q??<nak,v>
	od
}
