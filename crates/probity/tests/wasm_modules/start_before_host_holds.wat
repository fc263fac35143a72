;; expect: holds
;; policy: deny to public { permission function connect bad }
;; The start function runs before the host can write anything.
(module
  (import "env" "connect" (func $connect (param i32)))
  (memory (export "memory") 1)
  (data (i32.const 16) "good\00")
  (func $first (call $connect (i32.const 16)))
  (start $first))
