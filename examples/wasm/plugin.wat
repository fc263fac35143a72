;; A plug-in counts the words of a file. The host calls `count`; the plug-in opens its
;; own file only, and closes what it has opened.
(module
  (import "host" "open" (func $open (param i32) (result i32)))
  (import "host" "read" (func $read (param i32) (result i32)))
  (import "host" "close" (func $close (param i32)))
  (memory 1)
  (data (i32.const 1024) "/srv/plugin/words.txt\00")
  (global $words (mut i32) (i32.const 0))

  (func $is_space (param $byte i32) (result i32)
    (i32.or (i32.eq (local.get $byte) (i32.const 32))
            (i32.eq (local.get $byte) (i32.const 10))))

  (func (export "count") (result i32)
    (local $file i32) (local $byte i32)
    (local.set $file (call $open (i32.const 1024)))
    (block $end
      (loop $next
        (br_if $end (i32.lt_s (local.tee $byte (call $read (local.get $file))) (i32.const 0)))
        (if (call $is_space (local.get $byte))
          (then (global.set $words (i32.add (global.get $words) (i32.const 1)))))
        (br $next)))
    (call $close (local.get $file))
    (global.get $words)))
