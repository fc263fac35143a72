;; expect: holds
;; policy: deny to public { permission function connect bad }
(module
  (import "env" "connect" (func $connect (param i32)))
  (memory 1)
  (data (i32.const 16) "good\00")
  (func (export "run") (param $x f64) (result f64)
    (call $connect (i32.const 16))
    (f64.sqrt (f64.add (local.get $x) (f64.const 1)))))
