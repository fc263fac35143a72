;; expect: holds
;; policy: deny to public { permission function connect }
;; A call with the wrong type traps.
(module
  (import "env" "connect" (func $connect (param i32)))
  (type $f (func))
  (table funcref (elem $takes))
  (func $takes (param i64) (call $connect (i32.const 20)))
  (func (export "run") (param $i i32) (call_indirect (type $f) (local.get $i))))
