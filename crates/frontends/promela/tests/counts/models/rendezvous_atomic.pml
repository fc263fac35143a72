/* Control passes from a sender inside of an atomic block to a receiver inside of one, or not. */
chan c = [0] of { byte };
chan d = [0] of { byte, bit };
byte t;
active proctype S() {
	atomic { t = 1; c!1; t = 2; if :: d!3,1 :: d!4(0) fi };
	t = 3
}
active proctype R() {
	byte v; bit b;
	atomic { c?v; t = v + 10; t = t + 1 };
	atomic { d?v,eval(1); t = v }
}
active proctype O() { t = 30; t = 31 }
