;; expect: possible rule-1
;; policy: deny to public { permission function connect bad }
;; The host may write the memory that is exported, before and between calls.
(module
  (import "env" "connect" (func $connect (param i32)))
  (memory (export "memory") 1)
  (data (i32.const 16) "good\00")
  (func (export "run") (call $connect (i32.const 16))))
