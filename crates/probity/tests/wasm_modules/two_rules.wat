;; expect: fails rule-2
;; policy: deny to public { permission function connect bad }
;; policy: deny to public { permission function connect good }
(module
  (import "env" "connect" (func $connect (param i32)))
  (memory 1)
  (data (i32.const 16) "bad\00good\00")
  (func (export "run") (call $connect (i32.const 20))))
