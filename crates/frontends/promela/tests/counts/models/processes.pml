/* Numbers are used again; a process goes away when it is the youngest. */
byte done_;
proctype A(byte n) { done_++; n = _pid; n = _nr_pr }
proctype B() { byte k; k = run A(5); _nr_pr < 4 }
init {
	byte p;
	p = run A(1);
	run B();
	do
	:: done_ < 3 && _nr_pr <= 2 -> p = run A(p)
	:: done_ >= 2 -> break
	od
}
