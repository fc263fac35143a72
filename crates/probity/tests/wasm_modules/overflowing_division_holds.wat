;; expect: holds
;; policy: deny to public { permission function connect }
(module
  (import "env" "connect" (func $connect (param i32)))
  (func (export "run")
    (drop (i32.div_s (i32.const 0x80000000) (i32.const -1)))
    (call $connect (i32.const 0))))
