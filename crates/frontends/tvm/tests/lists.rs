//! The examples with lists: which messages may be given, and that the audit agrees.

#![expect(clippy::unwrap_used, reason = "a test may panic")]
#![expect(clippy::print_stderr, reason = "what was measured is said")]

use std::path::PathBuf;
use std::time::Instant;

use model::predicates::PredicateProgram;
use model::{Budget, MessageId, Silent};

fn loaded(name: &str) -> std::sync::Arc<PredicateProgram> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(root.join("../../../examples/tvm").join(name)).unwrap();
    let loaded = tvm::load("model.tvm", &text, &[], &|_| None);
    assert!(loaded.diagnostics.is_empty(), "{:?}", loaded.diagnostics);
    loaded.program.unwrap().predicates.unwrap()
}

/// Checks that these messages are given by runs and no others may be, and that the audit says so of the
/// others.
fn given_are(name: &str, expected: &[&str]) {
    let program = loaded(name);
    let explored = shape::explore(&program, &Budget::default(), &Silent).unwrap();
    assert_eq!(explored.stopped, None);
    let (given, silent): (Vec<MessageId>, Vec<MessageId>) = (0..program.messages.len())
        .map(MessageId::new)
        .partition(|message| explored.messages[message.index()].at.is_some());
    for &message in &given {
        let run = shape::concretise(&program, message, &Budget::default());
        assert!(run.is_some(), "{name}: no run gives {message:?}");
    }
    let text = |message: &MessageId| program.messages[message.index()].text.as_str();
    let given: Vec<&str> = given.iter().map(text).collect();
    assert_eq!(given, expected, "{name}");
    let began = Instant::now();
    let budget = Budget::default();
    let audited = audit::check_structures(&program, &explored.structures, &silent, &budget);
    assert_eq!(audited.map(drop), Ok(()), "{name}");
    eprintln!(
        "{name}: {} structures, {} steps, {:.3?}, audit {:.3?}",
        explored.structures.len(),
        explored.statistics.transitions,
        explored.statistics.time,
        began.elapsed()
    );
}

#[test]
fn reversal() {
    given_are("reversal/reversal.tvm", &[]);
    given_are("reversal/broken.tvm", &["a cell is lost"]);
}

#[test]
fn insertion() {
    given_are("insertion/insertion.tvm", &[]);
    let wrong = [
        "a cell is lost",
        "a cell has two predecessors",
        "the list goes round",
    ];
    given_are("insertion/broken.tvm", &wrong);
}

#[test]
fn producers() {
    given_are("producers/producers.tvm", &[]);
    let wrong = "a cell is lost";
    given_are("producers/broken.tvm", &[wrong]);
}

#[test]
fn two_lock_queue() {
    given_are("two_lock_queue/two_lock_queue.tvm", &[]);
    let wrong = [
        "a cell is appended to nothing",
        "the tail is not in the list",
        "a cell is lost",
    ];
    given_are("two_lock_queue/broken.tvm", &wrong);
}
