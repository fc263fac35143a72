;; expect: possible rule-1
;; policy: deny to public { permission function connect }
(module
  (import "env" "connect" (func $connect (param i32)))
  (type $f (func))
  (table $t 2 funcref)
  (elem (i32.const 0) func $nothing)
  (func $nothing)
  (elem declare func $bad)
  (func $bad (call $connect (i32.const 16)))
  (func (export "set") (table.set $t (i32.const 0) (ref.func $bad)))
  (func (export "run") (call_indirect $t (type $f) (i32.const 0))))
