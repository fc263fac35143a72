/* Jumps out of, into and between atomic blocks; selections at their ends. */
byte x, y;
active proctype A() {
again:	atomic {
		x++;
		if
		:: x > 2 -> goto done
		:: x == 1 -> goto inside
		:: else -> y++
		fi
	};
	atomic {
		x = x + 0;
inside:		y++;
		do
		:: y > 2 -> break
		:: else -> y++
		od
	};
	goto again;
done:	x = 9
}
active proctype B() { y = 1; x = 1 }
