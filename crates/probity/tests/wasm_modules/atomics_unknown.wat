;; expect: possible rule-1
;; policy: deny to public { permission function connect bad }
(module
  (import "env" "connect" (func $connect (param i32)))
  (memory 1 1 shared)
  (func (export "run")
    (drop (i32.atomic.rmw.add (i32.const 64) (i32.const 1)))))
