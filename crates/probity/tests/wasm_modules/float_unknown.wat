;; expect: possible rule-1
;; policy: deny to public { permission function connect }
(module
  (import "env" "connect" (func $connect (param i32)))
  (func (export "run") (param $x f64)
    (if (f64.gt (local.get $x) (f64.const 1)) (then (call $connect (i32.const 0))))))
