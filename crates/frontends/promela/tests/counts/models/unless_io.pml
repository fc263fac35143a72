/* Escapes that communicate, and a loop under an escape. */
chan c = [0] of { byte };
chan d = [1] of { byte };
byte n;
active proctype A() {
	do
	:: { n < 2 -> n++; skip; d!n } unless { c?_ -> n = 0; break }
	:: n == 2 -> { d?n; n = 1 } unless { len(d) == 0 && timeout -> goto out }
	od;
out:	skip
}
active proctype B() { c!1; d?_ }
