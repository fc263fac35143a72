;; expect: holds
;; policy: deny to public { permission function connect bad }
;; The index is always even.
(module
  (import "env" "connect" (func $connect (param i32)))
  (memory 1)
  (data (i32.const 16) "bad\00good\00")
  (type $f (func))
  (table funcref (elem $good $bad $good $bad))
  (func $good (call $connect (i32.const 20)))
  (func $bad (call $connect (i32.const 16)))
  (func (export "run") (param $i i32)
    (call_indirect (type $f) (i32.and (local.get $i) (i32.const 0xfffffffe)))))
