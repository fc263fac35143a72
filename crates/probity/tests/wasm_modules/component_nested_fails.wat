;; expect: fails rule-1
;; policy: deny to public { permission function connect }
;; A component inside of a component is given the import under another name.
(component
  (import "connect" (func $c (param "port" u32)))
  (component $inner
    (import "c" (func $c (param "port" u32)))
    (core func $lowered (canon lower (func $c)))
    (core module $m
      (import "x" "y" (func $y (param i32)))
      (func (export "run") (call $y (i32.const 80))))
    (core instance $i (instantiate $m (with "x" (instance (export "y" (func $lowered))))))
    (func (export "run") (canon lift (core func $i "run"))))
  (instance $inst (instantiate $inner (with "c" (func $c))))
  (export "run" (func $inst "run")))
