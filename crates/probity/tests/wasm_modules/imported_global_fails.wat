;; expect: fails rule-1
;; policy: deny to public { permission function connect }
(module
  (import "env" "connect" (func $connect (param i32)))
  (import "env" "mode" (global $n i32))
  (func (export "run")
    (if (i32.eq (global.get $n) (i32.const 77)) (then (call $connect (i32.const 0))))))
