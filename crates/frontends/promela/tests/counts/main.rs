//! The program of a model has as many states and transitions as SPIN's verifier finds.
//!
//! `expected.tsv` holds what SPIN 6.5.2 prints for each model, its reductions off:
//!
//! ```text
//! spin -o1 -o2 -o3 -a X.pml
//! gcc -DNOREDUCE -DNOCLAIM -DSAFETY -o pan pan.c
//! ./pan -c0
//! ```
//!
//! Models whose names begin with `lossy` are given to `spin -m`, too: full channels lose messages.
//!
//! Errors are failed assertions, invalid end states and traces. SPIN counts the initial state as a
//! transition.

#![expect(
    clippy::unwrap_used,
    reason = "a test may stop at what it does not expect"
)]

use std::collections::{HashSet, VecDeque};

use model::Program;
use model::interp::Interp;
use promela::{Options, load};

#[derive(PartialEq, Eq, Debug)]
struct Counts {
    states: usize,
    transitions: usize,
    errors: usize,
}

fn program(name: &str) -> Program {
    let path = format!(
        "{}/tests/counts/models/{name}.pml",
        env!("CARGO_MANIFEST_DIR")
    );
    let text = std::fs::read_to_string(&path).unwrap();
    let options = Options {
        lossy: name.starts_with("lossy"),
        ..Options::default()
    };
    let loaded = load(name, &text, &options);
    let errors: Vec<_> = loaded.diagnostics.iter().filter(|d| d.is_error()).collect();
    assert!(errors.is_empty(), "{name}: {errors:?}");
    loaded.program.unwrap()
}

/// Counts as SPIN does, by plain exploration with the interpreter.
fn explore(program: &Program) -> Counts {
    let interp = Interp::new(program);
    let (_, first) = interp.initial().unwrap().remove(0);
    let mut counts = Counts {
        states: 1,
        transitions: 1,
        errors: 0,
    };
    let mut known = HashSet::from([interp.stored(&first)]);
    let mut waiting = VecDeque::from([first]);
    while let Some(state) = waiting.pop_front() {
        let expansion = interp.expand(&state).unwrap();
        counts.errors += expansion.violations.len();
        if expansion.successors.is_empty() && !interp.is_valid_end(&state) {
            counts.errors += 1;
        }
        for successor in expansion.successors {
            counts.transitions += 1;
            if known.insert(interp.stored(&successor.state)) {
                waiting.push_back(successor.state);
            }
        }
    }
    counts.states = known.len();
    counts
}

fn expected() -> Vec<(String, Counts)> {
    let table = include_str!("expected.tsv");
    let row = |line: &str| {
        let cells: Vec<&str> = line.split('\t').collect();
        let number = |at: usize| cells[at].parse().unwrap();
        let counts = Counts {
            states: number(1),
            transitions: number(2),
            errors: number(3),
        };
        (cells[0].to_owned(), counts)
    };
    table.lines().skip(1).map(row).collect()
}

#[test]
fn states_and_transitions_are_those_of_spin() {
    for (name, expected) in expected() {
        let found = explore(&program(&name));
        assert_eq!(found, expected, "{name}");
    }
}

#[test]
fn every_model_is_in_the_table() {
    let folder = format!("{}/tests/counts/models", env!("CARGO_MANIFEST_DIR"));
    let mut files: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    files.sort();
    let names: Vec<String> = expected()
        .into_iter()
        .map(|(name, _)| format!("{name}.pml"))
        .collect();
    assert_eq!(files, names);
}
