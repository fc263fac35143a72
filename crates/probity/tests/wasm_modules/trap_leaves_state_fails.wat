;; expect: fails rule-1
;; policy: deny to public { permission function connect }
;; After a trap the host may go on calling; the global stays as it was.
(module
  (import "env" "connect" (func $connect (param i32)))
  (global $n (mut i32) (i32.const 0))
  (func (export "work") (param $d i32)
    (global.set $n (i32.const 1))
    (drop (i32.div_u (i32.const 1) (local.get $d)))
    (global.set $n (i32.const 0)))
  (func (export "run")
    (if (global.get $n) (then (call $connect (i32.const 0))))))
