;; expect: holds
;; policy: deny to public { permission function connect bad }
(module
  (import "env" "connect" (func $connect (param i32)))
  (memory 1)
  (data (i32.const 16) "bad\00good\00ugly")
  (func (export "run") (param $n i32)
    (call $connect (i32.add (i32.const 20) (i32.mul (i32.and (local.get $n) (i32.const 1)) (i32.const 5))))))
