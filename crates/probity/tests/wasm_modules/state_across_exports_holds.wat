;; expect: holds
;; policy: deny to public { permission function connect }
;; Nobody gives the global another value than 0 and 1.
(module
  (import "env" "connect" (func $connect (param i32)))
  (global $n (mut i32) (i32.const 0))
  (func (export "flip") (global.set $n (i32.eqz (global.get $n))))
  (func (export "run")
    (if (i32.gt_u (global.get $n) (i32.const 1)) (then (call $connect (i32.const 0))))))
