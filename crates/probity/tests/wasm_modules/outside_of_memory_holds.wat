;; expect: holds
;; policy: deny to public { permission function connect }
(module
  (import "env" "connect" (func $connect (param i32)))
  (memory 1)
  (func (export "run")
    (drop (i32.load (i32.const 65533)))
    (call $connect (i32.const 0))))
