;; expect: fails rule-1
;; policy: deny to public { permission function connect bad }
;; Values of blocks and of loops with parameters.
(module
  (import "env" "connect" (func $connect (param i32)))
  (memory 1)
  (data (i32.const 16) "bad\00good\00")
  (func (export "run") (param $n i32)
    (call $connect
      (block $b (result i32)
        (i32.const 0)
        (loop $l (param i32) (result i32)
          (i32.const 4)
          (i32.add)
          (br_if $l (i32.lt_u (local.tee $n (i32.add (local.get $n) (i32.const 1))) (i32.const 3)))
          (br_if $b (i32.const 20) (i32.eq (local.get $n) (i32.const 100)))
          (drop)
          (br $b (i32.const 16)))))))
