;; expect: possible rule-1
;; policy: deny to public { permission function connect bad }
;; How deep it goes is not bounded.
(module
  (import "env" "connect" (func $connect (param i32)))
  (memory 1)
  (data (i32.const 16) "bad\00good\00")
  (func $down (param $n i32)
    (call $connect (i32.const 20))
    (if (local.get $n) (then (call $down (i32.sub (local.get $n) (i32.const 1))))))
  (func (export "run") (param $n i32) (call $down (local.get $n))))
