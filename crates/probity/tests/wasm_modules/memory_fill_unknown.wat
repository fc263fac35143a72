;; expect: possible rule-1
;; policy: deny to public { permission function connect bad }
(module
  (import "env" "connect" (func $connect (param i32)))
  (memory 1)
  (data (i32.const 16) "good\00")
  (func (export "run") (param $n i32)
    (memory.fill (i32.const 0) (i32.const 98) (local.get $n))
    (call $connect (i32.const 16))))
