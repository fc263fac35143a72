;; expect: fails rule-1
;; policy: deny to public { permission function connect }
(module
  (import "env" "connect" (func $connect (param i32)))
  (memory 1)
  (data (i32.const 1024) "\05")
  (func (export "count") (i32.store (i32.const 1024) (i32.add (i32.const 1) (i32.load (i32.const 1024)))))
  (func (export "run")
    (if (i32.eq (i32.load (i32.const 1024)) (i32.const 7)) (then (call $connect (i32.const 0))))))
