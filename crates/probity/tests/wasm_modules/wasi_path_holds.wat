;; expect: holds
;; policy: deny to public { permission function path_open except "/tmp/"* }
;; The number of the file is written behind the texts, and nothing else is.
(module
  (import "wasi_snapshot_preview1" "path_open"
    (func $open (param i32 i32 i32 i32 i32 i64 i64 i32 i32) (result i32)))
  (memory 1)
  (data (i32.const 16) "/tmp/x/etc/passwd")
  (func (export "_start") (local $n i32)
    (loop $again
      (drop (call $open (i32.const 3) (i32.const 0) (i32.const 16) (i32.const 6)
        (i32.const 0) (i64.const 0) (i64.const 0) (i32.const 0) (i32.const 64)))
      (br_if $again (i32.load (i32.const 64))))))
