;; expect: holds
;; policy: deny to public { permission function connect }
(module
  (import "env" "connect" (func $connect (param i32)))
  (import "wasi_snapshot_preview1" "proc_exit" (func $exit (param i32)))
  (func (export "_start")
    (call $exit (i32.const 0))
    (call $connect (i32.const 0))))
