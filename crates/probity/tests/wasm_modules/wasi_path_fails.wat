;; expect: fails rule-1
;; policy: deny to public { permission function path_open "/etc/"* }
(module
  (import "wasi_snapshot_preview1" "path_open"
    (func $open (param i32 i32 i32 i32 i32 i64 i64 i32 i32) (result i32)))
  (memory 1)
  (data (i32.const 16) "/tmp/x/etc/passwd")
  (func (export "_start")
    (drop (call $open (i32.const 3) (i32.const 0) (i32.const 22) (i32.const 11)
      (i32.const 0) (i64.const 0) (i64.const 0) (i32.const 0) (i32.const 64)))))
