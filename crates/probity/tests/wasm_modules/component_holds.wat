;; expect: holds
;; policy: deny to public { permission function "test:net/tcp#connect" bad }
;; The same with another text. A component is not entered while it calls out.
(component
  (import "test:net/tcp@1.0.0" (instance $tcp
    (export "connect" (func (param "host" string)))))
  (core module $libc (memory (export "memory") 1) (data (i32.const 16) "badgood"))
  (core instance $libc (instantiate $libc))
  (alias core export $libc "memory" (core memory $mem))
  (core func $connect (canon lower (func $tcp "connect") (memory $mem)))
  (core module $main
    (import "tcp" "connect" (func $connect (param i32 i32)))
    (global $busy (mut i32) (i32.const 0))
    (func (export "run")
      (if (global.get $busy) (then (call $connect (i32.const 16) (i32.const 3))))
      (global.set $busy (i32.const 1))
      (call $connect (i32.const 19) (i32.const 4))
      (global.set $busy (i32.const 0))))
  (core instance $main (instantiate $main
    (with "tcp" (instance (export "connect" (func $connect))))))
  (func (export "run") (canon lift (core func $main "run"))))
