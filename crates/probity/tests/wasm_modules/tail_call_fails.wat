;; expect: fails rule-1
;; policy: deny to public { permission function connect }
(module
  (import "env" "connect" (func $connect (param i32)))
  (func $f (param i32) (return_call $connect (local.get 0)))
  (func (export "run") (return_call $f (i32.const 3))))
