;; expect: fails rule-1
;; policy: deny to public { permission function connect bad }
;; The loop goes over a table of addresses by arithmetic; the fourth is bad.
(module
  (import "env" "connect" (func $connect (param i32)))
  (memory 1)
  (data (i32.const 16) "one\00two\00ten\00bad\00")
  (func (export "run") (local $i i32)
    (loop $again
      (call $connect (i32.add (i32.const 16) (i32.shl (local.get $i) (i32.const 2))))
      (local.set $i (i32.add (local.get $i) (i32.const 1)))
      (br_if $again (i32.lt_u (local.get $i) (i32.const 4))))))
