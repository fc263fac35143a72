;; expect: fails rule-1
;; policy: deny to public { permission function connect }
(module
  (import "env" "connect" (func $connect (param i32)))
  (memory 1)
  (func (export "run")
    (if (i32.eq (memory.grow (i32.const 1)) (i32.const 1))
      (then (drop (i32.load (i32.const 65533))) (call $connect (i32.const 0))))))
