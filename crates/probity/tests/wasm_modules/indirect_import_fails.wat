;; expect: fails rule-1
;; policy: deny to public { permission function connect }
;; The import itself is in the table.
(module
  (import "env" "connect" (func $connect (param i32)))
  (type $f (func (param i32)))
  (table funcref (elem $connect))
  (func (export "run") (call_indirect (type $f) (i32.const 5) (i32.const 0))))
