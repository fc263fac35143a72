;; expect: holds
;; policy: deny to public { permission function connect }
;; It imports the function, and never calls it.
(component
  (import "connect" (func $c (param "port" u32)))
  (core func $lowered (canon lower (func $c)))
  (core module $m
    (import "x" "y" (func $y (param i32)))
    (func (export "run") (param $n i32)
      (if (i32.and (i32.eqz (local.get $n)) (local.get $n)) (then (call $y (i32.const 80))))))
  (core instance $i (instantiate $m (with "x" (instance (export "y" (func $lowered))))))
  (func (export "run") (param "n" u32) (canon lift (core func $i "run"))))
