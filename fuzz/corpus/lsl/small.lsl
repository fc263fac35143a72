//@ property low: always n < 3;
integer n;
default { touch_start(integer i) { if (n < 2) n = n + i; } }
