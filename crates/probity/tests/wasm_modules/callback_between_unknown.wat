;; expect: possible rule-1
;; policy: deny to public { permission function connect }
;; Nothing is called between the two assignments; that calls of the host leave the global at 0 is
;; not followed.
(module
  (import "env" "connect" (func $connect (param i32)))
  (import "env" "log" (func $log))
  (global $busy (mut i32) (i32.const 0))
  (func (export "work")
    (global.set $busy (i32.const 1))
    (global.set $busy (i32.const 0))
    (call $log))
  (func (export "run")
    (if (global.get $busy) (then (call $connect (i32.const 0))))))
