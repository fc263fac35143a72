;; expect: fails rule-1
;; policy: deny to public { permission function open arg 1 except "/tmp/"* "/dev/null" }
(module
  (import "env" "open" (func $open (param i32) (result i32)))
  (memory 1)
  (data (i32.const 16) "/tmp/x\00/dev/null\00/etc/passwd\00")
  (func (export "run") (param $n i32)
    (drop (call $open (select (i32.const 16) (i32.const 33) (local.get $n))))))
