;; expect: holds
;; policy: deny to public codeOrigin remote { permission function connect }
;; net: location net: (here there)
;; net: current execution location: here
;; net: code origin: here
(module
  (import "env" "connect" (func $connect (param i32)))
  (func (export "run") (call $connect (i32.const 0))))
