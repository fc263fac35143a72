;; expect: fails rule-1
;; policy: deny to public { permission function connect }
;; Only after `unlock` three times does `run` call.
(module
  (import "env" "connect" (func $connect (param i32)))
  (global $n (mut i32) (i32.const 0))
  (func (export "unlock") (global.set $n (i32.add (global.get $n) (i32.const 1))))
  (func (export "run")
    (if (i32.eq (global.get $n) (i32.const 3)) (then (call $connect (i32.const 0))))))
