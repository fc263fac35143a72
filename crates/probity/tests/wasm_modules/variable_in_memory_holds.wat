;; expect: holds
;; policy: deny to public { permission function connect }
;; A variable at a constant address, as compilers keep globals of C.
(module
  (import "env" "connect" (func $connect (param i32)))
  (memory 1)
  (func (export "flip") (i32.store (i32.const 1024) (i32.eqz (i32.load (i32.const 1024)))))
  (func (export "run")
    (if (i32.gt_u (i32.load (i32.const 1024)) (i32.const 1)) (then (call $connect (i32.const 0))))))
