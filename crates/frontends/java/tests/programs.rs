//! Whole programs, half of them wrong. What holds and what fails is known by how they are made; it is
//! found for any number of threads, audited, and each failure is a run that is replayed.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use std::collections::BTreeMap;
use std::path::Path;

use audit::check_structures;
use model::predicates::PredicateRun;
use model::{Budget, Claim, MessageId, Silent};

/// What is found of each property: whether it holds, fails, or is not known.
fn verdicts(text: &str) -> BTreeMap<String, &'static str> {
    let loaded = java::load("T.java", text);
    let errors: Vec<_> = loaded.diagnostics.iter().collect();
    let program = loaded.program.unwrap_or_else(|| panic!("{errors:?}"));
    let narrowed = |one: &model::Assumption| one.origin == model::Origin::Narrowed;
    let narrowed = program.assumptions.iter().any(narrowed);
    let predicates = program.predicates.as_ref().unwrap();
    let budget = Budget::default();
    let explored = shape::explore(predicates, &budget, &Silent).unwrap();
    assert_eq!(explored.stopped, None);
    let all = (0..predicates.messages.len()).map(MessageId::new);
    let silent = all.filter(|message| explored.messages[message.index()].at.is_none());
    let silent: Vec<MessageId> = silent.collect();
    check_structures(predicates, &explored.structures, &silent, &budget).unwrap();
    let of = |property: &model::Property| {
        let Claim::Silent(message) = property.claim else {
            return "unknown";
        };
        if silent.contains(&message) {
            return if narrowed { "unknown" } else { "holds" };
        }
        match shape::concretise(predicates, message, &budget) {
            Some(trace) => {
                PredicateRun::replay(predicates, &trace, message).unwrap();
                "fails"
            }
            None => "unknown",
        }
    };
    let all = program.properties.iter();
    all.map(|property| (property.name.clone(), of(property)))
        .collect()
}

fn text(path: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(folder.join(path)).unwrap()
}

/// Checks the programs of a text: each is a block of Java with a block of what does not hold. Says how
/// many there are, and of how many some property fails.
fn check(name: &str) -> (usize, usize) {
    let text = text(&format!("tests/programs/{name}.md"));
    let (mut programs, mut failing) = (0, 0);
    let mut wrong = Vec::new();
    for part in text.split("```java\n").skip(1) {
        let (program, rest) = part.split_once("```").unwrap();
        let (_, expected) = rest.split_once("```expect\n").unwrap();
        let (expected, _) = expected.split_once("```").unwrap();
        let others: BTreeMap<&str, &str> = expected
            .lines()
            .map(|line| line.split_once(' ').unwrap())
            .map(|(verdict, name)| (name, verdict))
            .collect();
        programs += 1;
        failing += usize::from(others.values().any(|verdict| *verdict == "fails"));
        let found = verdicts(program);
        let missing = others.keys().filter(|name| !found.contains_key(**name));
        wrong.extend(missing.map(|name| format!("{name} is no property of\n{program}")));
        for (name, verdict) in found {
            let expected = others.get(name.as_str()).copied().unwrap_or("holds");
            if verdict != expected {
                wrong.push(format!(
                    "{name}: {verdict}, and not {expected}, of\n{program}"
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    (programs, failing)
}

#[test]
fn programs_with_monitors() {
    assert_eq!(check("monitors"), (12, 7));
}

#[test]
fn programs_that_wait() {
    assert_eq!(check("waiting"), (9, 6));
}

#[test]
fn programs_with_references() {
    assert_eq!(check("references"), (7, 4));
}

#[test]
fn programs_with_threads() {
    assert_eq!(check("threads"), (11, 6));
}

#[test]
fn programs_that_lose_objects() {
    assert_eq!(check("lost"), (6, 3));
}

#[test]
fn it_is_not_asked_what_is_lost_where_the_library_keeps_objects() {
    let text = "@interface NeverLost { } @NeverLost class Node { Node next; }
        class Main {
            static Node top;
            public static void main(String[] args) {
                Object kept = new java.util.ArrayList();
                top = new Node();
                top = null;
            }
        }";
    assert!(!verdicts(text).contains_key("lost-Node"));
    let followed = text.replace("new java.util.ArrayList()", "null");
    assert_eq!(verdicts(&followed)["lost-Node"], "fails");
}

#[test]
fn the_examples() {
    for (name, failing) in [
        ("counter/Counter", None),
        ("counter/Broken", Some("race-Broken.count")),
        ("transfer/Transfer", None),
        ("transfer/Broken", Some("deadlock")),
        ("stack/Stack", None),
        ("stack/Broken", Some("lost-Node")),
    ] {
        for (property, verdict) in verdicts(&text(&format!("../../../examples/java/{name}.java"))) {
            let fails = failing == Some(property.as_str());
            assert_eq!(verdict == "fails", fails, "{property} of {name}");
            assert!(fails || verdict == "holds", "{property} of {name}");
        }
    }
}
