/* Channels as values: parameters, messages, arrays; made with the process. */
chan g[2] = [1] of { chan, byte };
proctype W(chan out; byte me) {
	chan mine = [1] of { byte };
	byte v;
	out!mine,me;
	mine?v;
	assert(v == me + 10)
}
init {
	chan back;
	byte who, k;
	atomic { run W(g[0], 1); run W(g[1], 2) };
	for (k : 0 .. 1) {
		if
		:: g[0]?back,who
		:: g[1]?back,who
		fi;
		back!who + 10
	}
}
