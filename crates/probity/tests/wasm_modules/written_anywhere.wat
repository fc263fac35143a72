;; expect: possible rule-1
;; policy: deny to public { permission function connect bad }
;; The argument decides what is written over.
(module
  (import "env" "connect" (func $connect (param i32)))
  (memory 1)
  (data (i32.const 16) "good\00")
  (func (export "run") (param $n i32)
    (i32.store (local.get $n) (i32.const 0))
    (call $connect (i32.const 16))))
