;; expect: holds
;; policy: deny to public { permission function "other.connect" }
(module
  (import "env" "connect" (func $connect (param i32)))
  (func (export "run") (call $connect (i32.const 0))))
