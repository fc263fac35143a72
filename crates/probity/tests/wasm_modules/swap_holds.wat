;; expect: holds
;; policy: deny to public { permission function connect bad }
;; Parameters of a loop change places at once.
(module
  (import "env" "connect" (func $connect (param i32)))
  (memory 1)
  (data (i32.const 16) "bad\00good\00")
  (func (export "run") (param $n i32) (local $t i32)
    (i32.const 20) (i32.const 20)
    (loop $l (param i32 i32)
      (local.set $t)
      (call $connect (local.get $t))
      (local.get $t)
      (br_if $l (local.tee $n (i32.shr_u (local.get $n) (i32.const 1))))
      (drop) (drop))))
