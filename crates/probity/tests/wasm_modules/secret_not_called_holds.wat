;; expect: holds
;; policy: deny to public { permission function connect high }
(module
  (import "env" "connect" (func $connect (param i32)))
  (func (export "run") (if (i32.const 0) (then (call $connect (i32.const 0))))))
