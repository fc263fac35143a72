//! Mutual exclusion by one lock: as many structures as TVLA counts with the relational join, and as
//! many as one can count by hand.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use std::path::PathBuf;

use model::predicates::{Kleene, Structure};
use model::{Budget, Silent};

fn example() -> String {
    let path =
        PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../examples/tvm/mutex/mutex.tvm");
    std::fs::read_to_string(path).unwrap()
}

fn explored(text: &str) -> shape::Explored {
    let loaded = tvm::load("mutex.tvm", text, &[], &|_| None);
    assert!(loaded.diagnostics.is_empty(), "{:?}", loaded.diagnostics);
    let program = loaded.program.unwrap().predicates.unwrap();
    let explored = shape::explore(&program, &Budget::default(), &Silent).unwrap();
    assert_eq!(explored.stopped, None);
    explored
}

#[test]
fn mutual_exclusion_holds_for_any_number_of_threads() {
    let explored = explored(&example());
    assert_eq!(explored.structures.len(), 33);
    assert!(explored.messages[0].possible);
    assert_eq!(explored.messages[0].at, None);
}

#[test]
fn three_threads_have_the_same_structures_as_any_number() {
    let three = example()
        .replace("{ threads(main) }", "{ a(main), b(main), c(main) }")
        .replace("sm = { threads: 1/2 }", "")
        .replace("ready = { threads }", "ready = { a, b, c }");
    assert_eq!(explored(&three).structures.len(), 33);
}

#[test]
fn the_loop_back_has_more() {
    let looping = example().replace("(aLock) gl_4", "(aLock) gl_4\n gl_4 skip() gl_1");
    assert_eq!(explored(&looping).structures.len(), 41);
}

#[test]
fn without_the_lock_two_may_be_inside() {
    let open = example()
        .replace("gl_1 blockLockGlobal(aLock) gl_1", "")
        .replace("gl_1 succLockGlobal(aLock) gl_2", "gl_1 skip() gl_2")
        .replace("(aLock) gl_4", "(aLock) gl_4\n gl_4 skip() gl_1");
    let explored = explored(&open);
    assert!(explored.messages[0].at.is_some());
    assert_eq!(explored.structures.len(), 79);
    let some = |one: &Structure| one.values.iter().flatten().any(|v| *v == Kleene::Unknown);
    assert!(explored.structures.iter().any(some));
}
