//! What is found is audited, and what is wrong is found: a set in which a structure is missing or
//! different is rejected, unless another one stands for it, and a model with a wrong update does not
//! hold.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use std::path::PathBuf;

use audit::check_structures;
use model::predicates::{Kleene, PredicateProgram, PredicateRun, Structure};
use model::{Budget, MessageId, Silent};

fn example() -> String {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(root.join("../../../examples/tvm/mutex/mutex.tvm")).unwrap()
}

fn program(text: &str) -> PredicateProgram {
    let loaded = tvm::load("mutex.tvm", text, &[], &|_| None);
    assert!(loaded.diagnostics.is_empty(), "{:?}", loaded.diagnostics);
    let program = loaded.program.unwrap().predicates.unwrap();
    (*program).clone()
}

fn accepted(program: &PredicateProgram, structures: &[Structure]) -> bool {
    let silent = [MessageId::new(0)];
    check_structures(program, structures, &silent, &Budget::default()).is_ok()
}

/// Whether another structure of the set stands for all that this one stands for.
fn spare(program: &PredicateProgram, structures: &[Structure], number: usize) -> bool {
    let others = structures.iter().enumerate();
    let mut others = others.filter(|(other, _)| *other != number);
    others.any(|(_, other)| other.stands_for(&structures[number], &program.predicates))
}

#[test]
fn a_missing_structure_is_missed() {
    let program = program(&example());
    let explored = shape::explore(&program, &Budget::default(), &Silent).unwrap();
    assert!(accepted(&program, &explored.structures));
    let mut missed = 0;
    for missing in 0..explored.structures.len() {
        let mut others = explored.structures.clone();
        others.remove(missing);
        let spare = spare(&program, &explored.structures, missing);
        assert_eq!(accepted(&program, &others), spare, "without {missing}");
        missed += usize::from(!spare);
    }
    assert!(missed > 10, "only {missed}");
}

#[test]
fn a_wrong_value_is_noticed() {
    let program = program(&example());
    let explored = shape::explore(&program, &Budget::default(), &Silent).unwrap();
    // The lock is said to be free where it is taken.
    let acquired = program.predicates.iter();
    let acquired = acquired
        .clone()
        .position(|one| one.name == "is_acquired")
        .unwrap();
    let mut changed = 0;
    for number in 0..explored.structures.len() {
        let mut others = explored.structures.clone();
        let values = &mut others[number].values[acquired];
        let value = values.iter_mut().find(|one| **one == Kleene::True);
        let Some(value) = value.filter(|_| !spare(&program, &explored.structures, number)) else {
            continue;
        };
        *value = Kleene::False;
        changed += 1;
        assert!(!accepted(&program, &others), "{number}");
    }
    assert!(changed > 5, "only {changed}");
}

/// What may go wrong in a model of a lock, and is told by a run with two threads.
const WRONG: &[(&str, &str)] = &[
    // The lock is not marked.
    (
        "is_acquired(l_1) = is_acquired(l_1) | l_1 == l",
        "is_acquired(l_1) = is_acquired(l_1)",
    ),
    // Others may take it.
    ("(!is_acquired(l) | held_by(l, tr))", "1"),
    // It is given back before the work is done.
    (
        "gl_2 skip() gl_3\n    gl_3 unlockGlobal(aLock) gl_4",
        "gl_2 unlockGlobal(aLock) gl_2\n gl_2 skip() gl_3",
    ),
    // Somebody who waits holds it.
    (
        "    {\n        blocked(t_1, l_1) = blocked(t_1, l_1) & (t_1 != tr | l_1 != l) | t_1 == tr & l_1 == l\n    }",
        "    {\n        held_by(l_1, t_1) = held_by(l_1, t_1) | t_1 == tr & l_1 == l\n    }",
    ),
];

#[test]
fn a_wrong_update_is_found() {
    for (right, wrong) in WRONG {
        let text = example().replace(right, wrong);
        assert_ne!(text, example(), "{right}");
        let program = program(&text);
        let explored = shape::explore(&program, &Budget::default(), &Silent).unwrap();
        assert!(explored.messages[0].at.is_some(), "{wrong}");
        assert!(!accepted(&program, &explored.structures), "{wrong}");
        let message = MessageId::new(0);
        let trace = shape::concretise(&program, message, &Budget::default()).expect(wrong);
        let run = PredicateRun::replay(&program, &trace, message).unwrap();
        assert_eq!(run.initial.size(), 3, "two threads and a lock: {wrong}");
    }
}
