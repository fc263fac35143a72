//! Files that are no modules, or nearly none: an error with a code, and never a panic.

use fastrand::Rng;
use wasm::{Options, load};

const MODULE: &str = r#"(module
  (import "env" "connect" (func $connect (param i32)))
  (memory 1)
  (data (i32.const 16) "bad\00good\00")
  (type $f (func))
  (table funcref (elem $good $bad))
  (global $n (mut i32) (i32.const 3))
  (func $good (call $connect (i32.const 20)))
  (func $bad (call $connect (i32.const 16)))
  (func (export "run") (param $i i32) (local $j i64)
    (block $b (loop $l
      (br_table $b $l (local.get $i))))
    (i32.store offset=4 (local.get $i) (global.get $n))
    (call_indirect (type $f) (local.get $i))))"#;

const COMPONENT: &str = r#"(component
  (import "test:net/tcp@1.0.0" (instance $tcp
    (export "connect" (func (param "host" string)))))
  (core module $libc (memory (export "memory") 1) (data (i32.const 16) "badgood"))
  (core instance $libc (instantiate $libc))
  (alias core export $libc "memory" (core memory $mem))
  (core func $connect (canon lower (func $tcp "connect") (memory $mem)))
  (core module $main
    (import "tcp" "connect" (func $connect (param i32 i32)))
    (func (export "run") (call $connect (i32.const 16) (i32.const 3))))
  (core instance $main (instantiate $main
    (with "tcp" (instance (export "connect" (func $connect))))))
  (func (export "run") (canon lift (core func $main "run"))))"#;

/// Whether a file is accepted; if not, it has an error with a code.
fn is_accepted(bytes: &[u8]) -> bool {
    let policy = "deny to public { permission function connect arg 1 except good }";
    let options = Options {
        policies: vec![("t.policy".to_owned(), policy.to_owned())],
        ..Options::default()
    };
    let loaded = load("t.wasm", bytes, &options);
    if let Some(program) = &loaded.program {
        program
            .validate()
            .expect("the front end keeps its promises");
    } else {
        assert!(
            loaded
                .diagnostics
                .iter()
                .any(|d| d.code.starts_with("WSM01"))
        );
    }
    loaded.program.is_some()
}

#[test]
fn every_part_of_a_file_that_is_cut_off_is_refused() {
    for text in [MODULE, COMPONENT] {
        let whole = wat::parse_str(text).unwrap();
        assert!(is_accepted(&whole));
        // What ends with a section may be a module.
        let accepted = (0..whole.len()).filter(|&end| is_accepted(&whole[..end]));
        assert!(accepted.count() <= 24);
    }
}

#[test]
fn changed_files_do_no_harm() {
    let mut rng = Rng::with_seed(7);
    let mut accepted = 0;
    for text in [MODULE, COMPONENT] {
        let whole = wat::parse_str(text).unwrap();
        for _ in 0..1_500 {
            let mut bytes = whole.clone();
            for _ in 0..rng.usize(1..4) {
                let at = rng.usize(8..bytes.len());
                bytes[at] = rng.u8(..);
            }
            accepted += usize::from(is_accepted(&bytes));
        }
    }
    // Those that are accepted are lowered, too.
    assert!(accepted > 100, "{accepted}");
}

#[test]
fn what_is_no_module_is_refused() {
    for bytes in [&b""[..], b"\0asm", b"\x7fELF", &[0; 64], &[0xff; 64]] {
        assert!(!is_accepted(bytes), "{bytes:?}");
    }
}

/// Blocks, operands and calls that nest deep are followed as far as there is room.
#[test]
fn deep_modules_are_followed_as_far_as_there_is_room() {
    let blocks = format!(
        "(module (func (export \"run\") {}{}))",
        "block ".repeat(20_000),
        "end ".repeat(20_000)
    );
    let sums = format!(
        "(module (func (export \"run\") (param i32) (result i32) local.get 0 {}))",
        "local.get 0 i32.popcnt i32.rotl ".repeat(5_000)
    );
    let mut calls = "(module (import \"env\" \"connect\" (func $f0 (param i32)))".to_owned();
    for at in 1..40 {
        let below = at - 1;
        calls += &format!(
            "(func $f{at} (param i32) (call $f{below} (local.get 0)) (call $f{below} (local.get 0)))"
        );
    }
    calls += "(export \"run\" (func $f39)))";
    for text in [blocks, sums, calls] {
        assert!(is_accepted(&wat::parse_str(&text).unwrap()));
    }
}
