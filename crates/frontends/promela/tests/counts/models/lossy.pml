/* Full channels lose messages: spin -m. A rendezvous does not. */
chan c = [1] of { byte };
chan sorted = [1] of { byte, bit };
chan r = [0] of { byte };
byte sent;
bit got;

active proctype Sender() {
  do
  :: sent < 2 -> sent++; c!sent
  :: atomic { sorted!!2 - sent, 1; sorted!!sent, 0 }
  :: full(c) && sent == 2 -> break
  od;
  r!9
}

active proctype Receiver() {
  byte v;
  do
  :: c?v -> got = v & 1
  :: sorted?v, _ -> skip
  :: r?v -> break
  od;
  assert(nempty(sorted) || len(c) < 1 || got)
}

active proctype Other() {
  do
  :: d_step { c!7; c!8 -> skip }
  :: sent > 1 ->
    { c!5; skip } unless { got };
    break
  :: len(c) == 1 && !got -> c!6 -> assert(len(c) == 1)
  od
}
