;; expect: holds
;; policy: deny to public { permission function connect }
;; A number with one bit set has as many zeros on both sides as it should.
(module
  (import "env" "connect" (func $connect (param i32)))
  (func (export "run") (param $n i32) (local $b i32)
    (local.set $b (i32.shl (i32.const 1) (local.get $n)))
    (if (i32.ne (i32.add (i32.clz (local.get $b)) (i32.ctz (local.get $b))) (i32.const 31))
      (then (call $connect (i32.const 0))))
    (if (i32.ne (i32.popcnt (local.get $b)) (i32.const 1))
      (then (call $connect (i32.const 0))))))
