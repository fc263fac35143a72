;; expect: holds
;; policy: deny to public { permission function connect }
(module
  (import "env" "connect" (func $connect (param i32)))
  (global $n (export "n") i32 (i32.const 0))
  (func (export "run")
    (if (i32.eq (global.get $n) (i32.const 77)) (then (call $connect (i32.const 0))))))
