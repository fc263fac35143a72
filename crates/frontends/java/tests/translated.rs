//! A program and its translation to TVM have as many structures, and may report the same.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use std::collections::BTreeSet;

use model::predicates::PredicateProgram;
use model::{Budget, Silent};

const TEXTS: &[&str] = &[
    include_str!("programs/monitors.md"),
    include_str!("programs/waiting.md"),
    include_str!("programs/references.md"),
    include_str!("programs/threads.md"),
    include_str!("programs/lost.md"),
];

/// How many structures are found, and what some of them may report, and what may be reported at all.
fn found(program: &PredicateProgram) -> (usize, BTreeSet<&str>, BTreeSet<&str>) {
    let explored = shape::explore(program, &Budget::default(), &Silent).unwrap();
    assert_eq!(explored.stopped, None);
    let messages = program.messages.iter().zip(&explored.messages);
    let given = messages.filter(|(_, known)| known.at.is_some());
    let all = program.messages.iter().map(|message| message.text.as_str());
    (
        explored.structures.len(),
        given.map(|(message, _)| message.text.as_str()).collect(),
        all.collect(),
    )
}

#[test]
fn translations_find_the_same() {
    let (mut programs, mut reporting) = (0, 0);
    let programs_of = |text: &'static str| text.split("```java\n").skip(1);
    for part in TEXTS.iter().flat_map(|text| programs_of(text)) {
        let (text, _) = part.split_once("```").unwrap();
        let own = java::load("T.java", text).program.unwrap();
        let own = own.predicates.unwrap();
        let translated = java::translate("T.java", text).program.unwrap();
        let loaded = tvm::load("T.tvm", &translated, &[], &|_| None);
        assert!(
            loaded.diagnostics.is_empty(),
            "{:?}\n{translated}",
            loaded.diagnostics
        );
        let model = loaded.program.unwrap().predicates.unwrap();
        let (structures, given, all) = found(&own);
        let (of_model, given_by_model, all_of_model) = found(&model);
        assert_eq!((structures, &given), (of_model, &given_by_model), "{text}");
        // A message that no step gives has no place in the model.
        assert!(all.is_superset(&all_of_model), "{text}");
        programs += 1;
        reporting += usize::from(!given.is_empty());
    }
    assert!(
        programs >= 30 && reporting >= 15,
        "{reporting} of {programs}"
    );
}
