;; expect: fails rule-1
;; policy: deny to public { permission function connect bad }
(module
  (import "env" "connect" (func $connect (param i32)))
  (memory 1)
  (data (i32.const 16) "bad\00good\00")
  (func (export "run") (param $n i32)
    (block $default (block $one (block $zero
      (br_table $zero $one $default (local.get $n)))
      (call $connect (i32.const 20)) (return))
      (call $connect (i32.const 16)) (return))))
