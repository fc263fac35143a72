//! Statements that no run reaches, against plain exploration with the interpreter: with all passes
//! and with none, the same statements.

#![expect(
    clippy::unwrap_used,
    reason = "a test may stop at what it does not expect"
)]

use std::collections::{BTreeSet, HashSet};

use model::interp::{Interp, Occurrence};
use model::{AssumptionId, Cut, CutBy, Program, Silent, UnknownReason};
use source::{SourceMap, Span};
use verify::{Options, Reach, unreached};

fn load(text: &str) -> (Program, SourceMap) {
    let loaded = promela::load("m.pml", text, &promela::Options::default());
    let diagnostics = loaded.diagnostics;
    let program = loaded.program;
    (
        program.unwrap_or_else(|| panic!("{diagnostics:?}")),
        loaded.sources,
    )
}

/// The texts of the statements that some run executes, by going through all of them.
fn executed(program: &Program, sources: &SourceMap) -> BTreeSet<String> {
    let interp = Interp::new(program);
    let mut known = HashSet::new();
    let mut found = BTreeSet::new();
    let mut waiting: Vec<_> = interp.initial().unwrap().into_iter().map(|i| i.1).collect();
    while let Some(state) = waiting.pop() {
        let stored = interp.stored(&state);
        if !known.insert(stored.clone()) {
            continue;
        }
        assert!(known.len() < 20_000, "a small model");
        for successor in interp.expand(&stored).unwrap().successors {
            let (step, _) = interp.replay_step(0, &stored, &successor.step).unwrap();
            for occurrence in step.occurrences {
                if let Occurrence::Step { span, .. } = occurrence {
                    found.insert(sources.snippet(span).to_owned());
                }
            }
            waiting.push(successor.state);
        }
    }
    found
}

/// Models in which each statement has a text of its own, and some are not reached.
const MODELS: &[&str] = &[
    "byte n; active proctype P() { do :: n < 3 -> n++ :: 0 > n -> n = 0+1 :: else -> break od; n = 9 }
     proctype Q() { n = 0+2 }",
    "chan q = [0] of { byte, bool }; byte x;
     active proctype S() { do :: q!1,true :: q!2,false :: q!0+3,true od; x = 0+9 }
     active proctype R() { byte y; do :: q?1,_ -> y = 1 :: q?y,false -> atomic { y == 2; x = 7 } :: x == 0 + 100 -> x = 0+4 od }",
    "byte n; active proctype P() { { n = 1; n = 2; 0 < n && n > 250 -> n = 0+3 } unless { n == 2 -> n = 4 }; assert(n == 4); d_step { n = 5; if :: n == 5 -> n = 6 :: else -> n = 0+5 fi } }",
    "byte n; proctype C(byte me) { if :: me == 1 -> n = 1 :: me == 2 -> n = 2 :: me == 0 + 3 -> n = 0+3 fi }
     init { atomic { run C(1); run C(2) }; timeout -> n = 8; goto out; n = 0+8; out: n = 10 / (n - n); n = 0+10 }",
    "byte a; bool b; active proctype P() provided (!b) { a = 1; b = true; a = 0+2 }
     active proctype W() { a == 1 -> a = 3; if :: b && a == 0 + 2 -> a = 0+4 :: timeout -> a = 5 fi }",
];

#[test]
fn what_is_not_reached_is_what_no_run_executes() {
    for text in MODELS {
        let (program, sources) = load(text);
        let executed = executed(&program, &sources);
        for passes in [passes::Selection::all(), passes::Selection::none()] {
            let options = Options {
                passes,
                jobs: 2,
                ..Options::default()
            };
            let found = unreached(&program, &options, &Silent).unreached;
            let found: BTreeSet<String> = found
                .iter()
                .map(|it| sources.snippet(it.span).to_owned())
                .collect();
            assert!(!found.is_empty(), "{text}");
            assert_eq!(found.intersection(&executed).next(), None, "{text}");
            // Every statement is one or the other.
            for process in &program.processes {
                for step in process.steps.iter().filter(|step| !step.span.is_none()) {
                    let text = sources.snippet(step.span);
                    assert!(found.contains(text) || executed.contains(text), "{text}");
                }
            }
        }
    }
}

#[test]
fn statements_behind_what_is_never_left_are_found_without_a_step_of_their_own() {
    let (program, sources) = load("byte n; active proctype P() { do :: n = 1 - n od; n = 7 }");
    let found = unreached(&program, &Options::default(), &Silent).unreached;
    let texts: Vec<&str> = found.iter().map(|it| sources.snippet(it.span)).collect();
    assert_eq!(texts, ["n = 7"]);
}

#[test]
fn a_search_that_ends_early_says_nothing() {
    let (program, _) = load(
        "byte a, b, c; active proctype P() { do :: a++ :: b++ :: c++ :: a + b + c == 0 + 900 -> a = 0 od }",
    );
    let options = Options {
        memory: Some(100_000),
        ..Options::default()
    };
    let nothing = Reach {
        unreached: Vec::new(),
        open: Some(UnknownReason::Memory),
    };
    assert_eq!(unreached(&program, &options, &Silent), nothing);
}

#[test]
fn what_no_control_flow_leads_to_is_told_after_a_search_that_ends_early() {
    let (program, sources) = load(
        "byte a, b, c; active proctype P() { do :: a++ :: b++ :: c++ :: a + b + c == 0 + 900 -> a = 0 od; a = 7 }",
    );
    let options = Options {
        memory: Some(100_000),
        ..Options::default()
    };
    let Reach { unreached, open } = unreached(&program, &options, &Silent);
    let texts: Vec<&str> = unreached
        .iter()
        .map(|it| sources.snippet(it.span))
        .collect();
    assert_eq!((texts, open), (vec!["a = 7"], Some(UnknownReason::Memory)));
}

#[test]
fn where_the_program_has_only_a_part_nothing_is_said_of_what_the_rest_may_reach() {
    let text = "byte n; active proctype P() { n = 1; if :: n == 2 -> n = 3 :: else fi }";
    let ask = |text: &str, by| {
        let (mut program, _) = load(text);
        program.cut(Cut {
            text: "there is no more".to_owned(),
            by,
            properties: Some(Vec::new()),
            span: Span::NONE,
        });
        let found = unreached(&program, &Options::default(), &Silent);
        (found.unreached.len(), found.open)
    };
    assert_eq!(
        ask(text, CutBy::Stated),
        (2, None),
        "the guard, and what follows"
    );
    assert_eq!(
        ask(text, CutBy::Default),
        (0, Some(UnknownReason::LeftOut(vec![AssumptionId::new(0)])))
    );
    let all = "byte n; active proctype P() { n = 1; n = 2 }";
    assert_eq!(ask(all, CutBy::Default), (0, None), "all are reached");
}
