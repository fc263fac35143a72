;; A component that connects to one host by WASI's interface. The import reaches the module inside
;; by instances, and the name of the host by an address and a length.
(component
  (import "wasi:sockets/tcp@0.2.0" (instance $tcp
    (export "connect" (func (param "host" string) (param "port" u32) (result u32)))))
  (core module $data
    (memory (export "memory") 1)
    (data (i32.const 64) "updates.example.org"))
  (core instance $data (instantiate $data))
  (alias core export $data "memory" (core memory $memory))
  (core func $connect (canon lower (func $tcp "connect") (memory $memory)))
  (core module $client
    (import "tcp" "connect" (func $connect (param i32 i32 i32) (result i32)))
    (func (export "update") (param $secure i32) (result i32)
      (call $connect (i32.const 64) (i32.const 19)
        (select (i32.const 443) (i32.const 80) (local.get $secure)))))
  (core instance $client (instantiate $client
    (with "tcp" (instance (export "connect" (func $connect))))))
  (func (export "update") (param "secure" u32) (result u32)
    (canon lift (core func $client "update"))))
