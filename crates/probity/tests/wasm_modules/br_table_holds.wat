;; expect: holds
;; policy: deny to public { permission function connect bad }
;; Number one goes to the default, as all beyond the table.
(module
  (import "env" "connect" (func $connect (param i32)))
  (memory 1)
  (data (i32.const 16) "bad\00good\00")
  (func (export "run") (param $n i32)
    (local $place i32)
    (block $default (block $one (block $zero
      (br_table $zero $default $one $default
        (select (local.get $n) (i32.const 9) (i32.lt_u (local.get $n) (i32.const 2)))))
      (call $connect (i32.const 20)) (return))
      (call $connect (i32.const 16)) (return))
    (call $connect (i32.const 20))))
