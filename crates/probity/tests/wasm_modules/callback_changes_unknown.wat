;; expect: possible rule-1
;; policy: deny to public { permission function connect }
;; While `log` runs the host may call `set`; that it does is only possible here.
(module
  (import "env" "connect" (func $connect (param i32)))
  (import "env" "log" (func $log))
  (global $n (mut i32) (i32.const 0))
  (func (export "set") (global.set $n (i32.const 1)))
  (func (export "run")
    (global.set $n (i32.const 0))
    (call $log)
    (if (global.get $n) (then (call $connect (i32.const 0))))))
