;; expect: fails rule-1
;; policy: deny to public { permission function connect }
;; The remainder of the least number by -1 is zero, and no trap.
(module
  (import "env" "connect" (func $connect (param i32)))
  (func (export "run")
    (if (i32.eqz (i32.rem_s (i32.const 0x80000000) (i32.const -1)))
      (then (call $connect (i32.const 0))))))
