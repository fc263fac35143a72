/* Inline definitions: text with parameters, labels and locals of their own. */
byte a, b;
inline wait(v, n) { skip; again: if :: v >= n :: else -> v++; goto again fi }
inline double(v) { byte t; t = v; v = v + t }
inline plus(p, q) { return p + q }
active proctype A() { wait(a, 2); wait(b, 1); double(a); a = plus(a, b) }
active proctype B() { double(b); wait(b, 3) }
