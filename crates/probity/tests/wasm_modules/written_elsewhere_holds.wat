;; expect: holds
;; policy: deny to public { permission function connect bad }
;; What is written lies behind the text, wherever the argument points.
(module
  (import "env" "connect" (func $connect (param i32)))
  (memory 1)
  (data (i32.const 16) "good\00")
  (func (export "run") (param $n i32)
    (i32.store (i32.add (i32.const 64) (i32.and (local.get $n) (i32.const 0xff))) (local.get $n))
    (call $connect (i32.const 16))))
