;; expect: fails rule-1
;; policy: deny to public { permission function "test:net/tcp#connect" bad }
;; A module inside of a component calls an import through the canonical ABI.
(component
  (import "test:net/tcp@1.0.0" (instance $tcp
    (export "connect" (func (param "host" string)))))
  (core module $libc (memory (export "memory") 1) (data (i32.const 16) "badgood"))
  (core instance $libc (instantiate $libc))
  (alias core export $libc "memory" (core memory $mem))
  (core func $connect (canon lower (func $tcp "connect") (memory $mem)))
  (core module $main
    (import "tcp" "connect" (func $connect (param i32 i32)))
    (func (export "run") (call $connect (i32.const 16) (i32.const 3))))
  (core instance $main (instantiate $main
    (with "tcp" (instance (export "connect" (func $connect))))))
  (func (export "run") (canon lift (core func $main "run"))))
