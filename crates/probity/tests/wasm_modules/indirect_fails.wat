;; expect: fails rule-1
;; policy: deny to public { permission function connect bad }
(module
  (import "env" "connect" (func $connect (param i32)))
  (memory 1)
  (data (i32.const 16) "bad\00good\00")
  (type $f (func))
  (table funcref (elem $good $bad))
  (func $good (call $connect (i32.const 20)))
  (func $bad (call $connect (i32.const 16)))
  (func (export "run") (param $i i32) (call_indirect (type $f) (local.get $i))))
