;; expect: possible rule-1
;; policy: deny to public { permission function connect high }
(module
  (import "env" "connect" (func $connect (param i32)))
  (func (export "run") (call $connect (i32.const 0))))
