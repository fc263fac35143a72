//! The rules of a program follow from what its steps do: without them, no configuration is reached that
//! breaks one. So they discard nothing that may happen.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use std::collections::HashSet;

use model::predicates::{Concrete, PredicateProgram};

const TEXTS: &[&str] = &[
    include_str!("programs/monitors.md"),
    include_str!("programs/waiting.md"),
    include_str!("programs/references.md"),
    include_str!("programs/threads.md"),
];

/// So many configurations of each program are looked at, of so many individuals.
const MOST: usize = 400;
const LARGEST: usize = 9;

/// How many configurations are reached without the rules; each of them obeys all.
fn obedient(program: &PredicateProgram, what: &str) -> usize {
    let mut without = program.clone();
    // Whose turn it is, and who is woken, is chosen: there the rules say what may be chosen.
    let chosen = |text: &str| text.starts_with("`turn`") || text.starts_with("`woken`");
    without.constraints.retain(|rule| chosen(&rule.text));
    assert!(without.constraints.len() >= 2);
    let (free, ruled) = (Concrete::new(&without), Concrete::new(program));
    let one_each = vec![1; program.initial[0].size()];
    let initial = free
        .concretisations(&program.initial[0], &one_each)
        .unwrap();
    let mut known: HashSet<_> = initial.iter().map(|(_, state)| state.clone()).collect();
    let mut open: Vec<_> = initial.into_iter().map(|(_, state)| state).collect();
    let mut next = 0;
    while next < open.len() && open.len() < MOST {
        let state = open[next].clone();
        assert!(ruled.exists(&state), "{what}");
        for taken in free.successors(&state).unwrap() {
            if taken.state.size() <= LARGEST && known.insert(taken.state.clone()) {
                open.push(taken.state);
            }
        }
        next += 1;
    }
    for state in &open {
        assert!(ruled.exists(state), "{what}");
    }
    open.len()
}

#[test]
fn no_configuration_breaks_a_rule() {
    let mut all = Vec::new();
    for text in TEXTS {
        for part in text.split("```java\n").skip(1) {
            let (program, _) = part.split_once("```").unwrap();
            let loaded = java::load("T.java", program);
            let loaded = loaded.program.unwrap();
            let reached = obedient(loaded.predicates.as_ref().unwrap(), program);
            assert!(reached > 2, "{program}");
            all.push(reached);
        }
    }
    all.sort_unstable();
    let middle = all[all.len() / 2];
    assert!(
        middle > 50,
        "{} programs, {all:?} configurations",
        all.len()
    );
}
