;; expect: fails rule-1
;; policy: deny to public { permission function connect }
(module
  (import "env" "connect" (func $connect (param i32)))
  (func (export "run") (param $n i64)
    (if (i64.eq (i64.mul (local.get $n) (i64.const 3)) (i64.const 1))
      (then (call $connect (i32.const 0))))))
