;; expect: possible rule-1
;; policy: deny to public { permission function open arg 1 "/etc/passwd" }
;; Whether the text ends where the length says is not known.
(module
  (import "env" "open" (func $open (param i32 i32) (result i32)))
  (memory 1)
  (data (i32.const 16) "/etc/passwd/tmp/x")
  (func (export "run") (drop (call $open (i32.const 16) (i32.const 11)))))
