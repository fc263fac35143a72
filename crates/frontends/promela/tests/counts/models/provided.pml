/* A `provided` clause gates every step, that of going away included. */
byte t = 0;
active proctype A() provided (t == 0) { t = 1; assert(t == 0); t = 2 }
active proctype B() provided (t == 1) { t = 0; t = 1; skip }
active proctype C() provided (_pid == t) { t = 0 }
