;; expect: holds
;; policy: deny to public { permission function connect }
;; A division by zero traps: what follows it does not run.
(module
  (import "env" "connect" (func $connect (param i32)))
  (func (export "run") (param $n i32)
    (local $d i32)
    (local.set $d (i32.sub (local.get $n) (local.get $n)))
    (drop (i32.div_s (i32.const 6) (local.get $d)))
    (call $connect (i32.const 0))))
