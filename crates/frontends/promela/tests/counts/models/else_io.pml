/* else beside channel operations: a rendezvous option never counts. */
chan c = [1] of { byte }; chan r = [0] of { byte };
active proctype A() { byte v; do :: c?v -> break :: else -> c!1 :: r!2 od; if :: r!3 :: else fi }
active proctype B() { byte v; if :: r?v :: else fi; d_step { if :: c?v :: else -> v = 9 fi; v++ } }
