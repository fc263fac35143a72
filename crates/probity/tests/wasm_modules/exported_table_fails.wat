;; expect: fails rule-1
;; policy: deny to public { permission function connect }
;; The host calls what is in an exported table.
(module
  (import "env" "connect" (func $connect (param i32)))
  (table (export "t") funcref (elem $bad))
  (func $bad (call $connect (i32.const 16))))
