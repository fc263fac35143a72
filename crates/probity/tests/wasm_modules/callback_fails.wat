;; expect: fails rule-1
;; policy: deny to public { permission function connect }
;; The global is set only while the module calls out: a callback sees it.
(module
  (import "env" "connect" (func $connect (param i32)))
  (import "env" "log" (func $log))
  (global $busy (mut i32) (i32.const 0))
  (func (export "work")
    (global.set $busy (i32.const 1))
    (call $log)
    (global.set $busy (i32.const 0)))
  (func (export "run")
    (if (global.get $busy) (then (call $connect (i32.const 0))))))
