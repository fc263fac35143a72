;; expect: holds
;; policy: deny to public { permission function connect bad }
;; The result is written behind the texts; no more bytes than the type has.
(component
  (type $pair (tuple u32 u32))
  (import "connect" (func $c (param "host" string) (result (tuple u32 u32))))
  (core module $libc (memory (export "memory") 1) (data (i32.const 64) "good"))
  (core instance $libc (instantiate $libc))
  (alias core export $libc "memory" (core memory $mem))
  (core func $lowered (canon lower (func $c) (memory $mem)))
  (core module $m
    (import "x" "y" (func $y (param i32 i32 i32)))
    (func (export "run")
      (call $y (i32.const 64) (i32.const 4) (i32.const 16))
      (call $y (i32.const 64) (i32.const 4) (i32.const 16))))
  (core instance $i (instantiate $m (with "x" (instance (export "y" (func $lowered))))))
  (func (export "run") (canon lift (core func $i "run"))))
