;; expect: possible rule-1
;; policy: deny to public { permission function connect bad }
;; A letter of the text is written: what is passed is not known.
(module
  (import "env" "connect" (func $connect (param i32)))
  (memory 1)
  (data (i32.const 16) "bed\00")
  (func (export "run")
    (i32.store8 (i32.const 17) (i32.const 97))
    (call $connect (i32.const 16))))
