//! Models of TVM from the command line: what is said, written and refused.

use probity::{InMemory, run};

const MUTEX: &str = include_str!("../../../examples/tvm/mutex/mutex.tvm");
const BROKEN: &str = include_str!("../../../examples/tvm/mutex/broken.tvm");
const TWO_LOCKS: &str = include_str!("../../../examples/tvm/two_locks/two_locks.tvm");

fn system() -> InMemory {
    InMemory::default()
        .with_file("mutex.tvm", MUTEX)
        .with_file("broken.tvm", BROKEN)
}

fn said(system: &InMemory, line: &str) -> (u8, String, String) {
    let line = format!("probity {line}");
    let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
    let status = run(&words, system);
    (status, system.out(), system.err())
}

#[test]
fn the_lock_is_proved_for_any_number_of_threads() {
    let (status, out, _) = said(&system(), "check mutex.tvm --require proved --verbose");
    assert_eq!(status, 0, "{out}");
    assert!(out.contains("holds      mutualExclusion  proved"), "{out}");
    assert!(
        out.contains("33 structures, from which no action leads"),
        "{out}"
    );
    assert!(out.contains("the model's rules"), "{out}");
}

#[test]
fn two_threads_that_look_first_are_shown() {
    let (status, out, _) = said(&system(), "check broken.tvm");
    assert_eq!(status, 1, "{out}");
    assert!(out.contains("1. threads#1"), "{out}");
    assert!(out.contains("2. threads#2"), "{out}");
    assert!(out.contains("  4. ") && !out.contains("  5. "), "{out}");
    assert!(
        out.contains("`mutualExclusion` reports \"two threads are inside\""),
        "{out}"
    );
}

#[test]
fn a_kept_run_is_replayed_on_its_own_model_only() {
    let kept = system();
    let (status, out, _) = said(&kept, "check broken.tvm --trace run.json");
    assert_eq!(status, 1, "{out}");
    let file = kept.file("run.json").expect("the run was kept");
    let (status, out, err) = said(
        &system().with_file("run.json", file.clone()),
        "simulate broken.tvm --replay run.json",
    );
    assert_eq!(status, 1, "{out}{err}");
    assert!(out.contains("=> mutualExclusion is violated"), "{out}");
    let other = BROKEN.replace("(aLock) gl_seen", "(aLock) gl_1");
    let changed = InMemory::default()
        .with_file("broken.tvm", other)
        .with_file("run.json", file);
    let (status, out, _) = said(&changed, "simulate broken.tvm --replay run.json");
    assert_eq!(status, 2, "{out}");
}

#[test]
fn what_has_no_form_is_refused() {
    for target in ["promela", "smv", "aiger", "dot", "mcrl2"] {
        let (status, _, err) = said(&system(), &format!("translate mutex.tvm --to {target}"));
        assert_eq!(status, 2, "{target}");
        assert!(err.contains("any number of threads"), "{err}");
    }
    for engine in ["explicit", "sat", "symbolic", "games"] {
        let (status, out, _) = said(&system(), &format!("check mutex.tvm --engine {engine}"));
        assert_eq!(status, 3, "{out}");
        assert!(out.contains("not known"), "{out}");
    }
    let (status, out, _) = said(&system(), "check mutex.tvm --unreached");
    assert_eq!(status, 0, "{out}");
    assert!(
        out.contains("Which statements are reached is not known"),
        "{out}"
    );
}

#[test]
fn limits_leave_the_answer_open() {
    let system = InMemory::default().with_file("two_locks.tvm", TWO_LOCKS);
    let (status, out, _) = said(&system, "check two_locks.tvm --timeout 1ms");
    assert_eq!(status, 3, "{out}");
    assert!(out.contains("the time limit was reached"), "{out}");
}

#[test]
fn a_random_run_goes_on_while_somebody_can() {
    for seed in 1..20 {
        let (status, out, _) = said(&system(), &format!("simulate mutex.tvm --seed {seed}"));
        assert_eq!(status, 0, "{out}");
        assert!(!out.contains("violated"), "{out}");
        // Two threads take the lock, work and give it back.
        let came = out.matches("unlockGlobal (gl_3 to gl_4)").count();
        assert_eq!(came, 2, "{out}");
    }
}
