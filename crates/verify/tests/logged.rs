//! Logs that no run has: how far that goes.

use model::{Assumption, EventId, Origin, Program, PropertyId, Silent, UnknownReason, Value};
use source::Span;
use verify::{Explained, Logged, Options, explain};

/// A model that prints 1 and then 2.
fn program() -> Program {
    let text =
        "active proctype P() { byte n; do :: n < 2 -> n++; printf(\"%d\", n) :: else -> break od }";
    promela::load("model.pml", text, &promela::Options::default())
        .program
        .expect("it is a model")
}

fn assumed(program: &mut Program, origin: Origin, properties: Option<Vec<PropertyId>>) {
    program.assumptions.push(Assumption {
        text: "something".to_owned(),
        origin,
        properties,
        span: Span::NONE,
    });
}

/// What is known of a log of these numbers.
fn explained(program: &Program, numbers: &[i128]) -> Explained {
    let line =
        |number: &i128| -> Vec<Logged> { vec![(EventId::new(0), vec![Value::Int(*number)])] };
    let lines: Vec<_> = numbers.iter().map(line).collect();
    explain(program, &lines, false, &Options::default(), &Silent).expect("it has runs")
}

#[test]
fn no_run_has_a_log_as_far_as_all_runs_were_looked_at() {
    let mut program = program();
    assert!(matches!(explained(&program, &[1, 2]), Explained::Whole(_)));
    assert!(matches!(
        explained(&program, &[1, 1]),
        Explained::Broken(1, _, assumed) if assumed.is_empty()
    ));
    // A bound is told.
    assumed(&mut program, Origin::Bound, None);
    assert!(matches!(
        explained(&program, &[1, 1]),
        Explained::Broken(1, _, assumed) if assumed.len() == 1
    ));
    // Whatever is left out of the program, for whichever property, may have the log.
    assumed(&mut program, Origin::Narrowed, Some(Vec::new()));
    assert!(matches!(explained(&program, &[1, 2]), Explained::Whole(_)));
    assert!(matches!(
        explained(&program, &[1, 1]),
        Explained::Open(_, UnknownReason::LeftOut(_))
    ));
}
