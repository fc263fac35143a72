//! One counterexample after the other, against all that there are: runs are gone through on the
//! interpreter, and each is found once, until there is none.

#![expect(
    clippy::unwrap_used,
    reason = "a test may stop at what it does not expect"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use model::interp::{Interp, Occurrence, ReplayedStep, State};
use model::{Action, Claim, MacroStep, Program, PropertyId, Silent, Trace, Verdict};
use verify::{Another, Apart, Options, another, check, confirm};

fn promela(text: &str) -> Program {
    let loaded = promela::load("m.pml", text, &promela::Options::default());
    let found = loaded.diagnostics;
    loaded.program.unwrap_or_else(|| panic!("{found:?}"))
}

fn smv(text: &str) -> Program {
    let loaded = smv::load("m.smv", text, &smv::Options::default());
    let found = loaded.diagnostics;
    loaded.program.unwrap_or_else(|| panic!("{found:?}"))
}

fn options() -> Options {
    Options {
        jobs: 1,
        ..Options::default()
    }
}

/// The first counterexample, and all others, each with its degree.
fn one_after_the_other(program: &Program, name: &str) -> Vec<(Trace, Option<Apart>)> {
    let found = program.properties.iter().position(|p| p.name == name);
    let property = PropertyId::new(found.unwrap());
    let only = Options {
        only: Some(vec![name.to_owned()]),
        ..options()
    };
    let first = check(program, &only, &Silent).remove(0);
    let Verdict::Fails { trace } = first.verdict else {
        panic!("{name}: {:?}", first.verdict);
    };
    let mut all = vec![(Arc::unwrap_or_clone(trace), None)];
    loop {
        let known: Vec<Trace> = all.iter().map(|(trace, _)| trace.clone()).collect();
        match another(program, property, &known, &options(), &Silent) {
            Another::Found(outcome, apart) => {
                let Verdict::Fails { trace } = outcome.verdict else {
                    panic!("what is found fails")
                };
                confirm(program, property, &trace).unwrap();
                assert!(!known.contains(&trace));
                all.push((Arc::unwrap_or_clone(trace), Some(apart)));
            }
            Another::None => return all,
            other => panic!("{name}: {other:?} after {} runs", all.len()),
        }
        assert!(all.len() < 60, "{name}: there are not so many");
    }
}

/// What a run does, but for processes going away.
fn told(steps: &[MacroStep]) -> String {
    let moves = steps.iter().flat_map(|step| &step.moves);
    let moves = moves.filter(|made| {
        let mut parts = made.parts.iter();
        parts.all(|part| matches!(part.action, Action::Step(_)))
    });
    moves
        .map(|made| format!("{:?} {:?};", made.parts, made.choices))
        .collect()
}

/// Whether a run violates a property in its last step.
fn violates(program: &Program, claim: &Claim, before: &State, step: &ReplayedStep) -> bool {
    let interp = Interp::new(program);
    match claim {
        Claim::Check(wanted) => step
            .occurrences
            .iter()
            .any(|o| matches!(o, Occurrence::Failed { check, .. } if check == wanted)),
        Claim::NoFault(faults) => step
            .occurrences
            .iter()
            .any(|o| matches!(o, Occurrence::Fault { fault, .. } if faults.contains(fault))),
        Claim::NoDeadlock => {
            let stored = interp.stored(&step.state);
            interp.moves(&stored).is_empty() && !interp.is_valid_end(&stored)
        }
        other => panic!("{other:?} {before:?}"),
    }
}

/// All runs to a first violation, by going through them.
fn all_runs(program: &Program, name: &str) -> BTreeSet<String> {
    let interp = Interp::new(program);
    let property = program.properties.iter().find(|p| p.name == name).unwrap();
    let mut found = BTreeSet::new();
    let mut waiting: Vec<(State, Vec<MacroStep>)> = interp
        .initial()
        .unwrap()
        .into_iter()
        .map(|(_, state)| (state, Vec::new()))
        .collect();
    while let Some((state, steps)) = waiting.pop() {
        assert!(steps.len() < 40, "runs end");
        let stored = interp.stored(&state);
        for moves in interp.expand(&stored).unwrap().successors {
            let (step, _) = interp.replay_step(0, &stored, &moves.step).unwrap();
            let mut steps = steps.clone();
            steps.push(moves.step);
            if violates(program, &property.claim, &stored, &step) {
                found.insert(told(&steps));
            } else {
                waiting.push((step.state, steps));
            }
        }
    }
    found
}

/// Models whose runs end.
const MODELS: &[&str] = &[
    // Two ways in, and two that decide.
    "byte n; active proctype P() { if :: n = 1 :: n = 2 fi; if :: n++ :: n = n + 2 fi; assert(n < 3) }",
    // Who comes second decides, in whatever order.
    "byte n; active [2] proctype P() { n++; assert(n < 2) }",
    // Values that are received, at a rendezvous and from a queue.
    "chan q = [0] of { byte }; chan r = [2] of { byte };
         active proctype S() { if :: q!1 :: q!2 fi; if :: r!3 :: r!4 fi }
         active proctype R() { byte a, b; q?a; r?b; assert(a + b != 5) }",
    // Indivisible sequences, and processes that are started.
    "byte n; proctype C(byte k) { atomic { n = n + k; if :: n = n + 1 :: skip fi; assert(n != 3) } }
         init { run C(1); run C(1) }",
    // Nobody can go on.
    "chan q = [0] of { bit }; active proctype S() { if :: q!0 :: q!1; q!0 fi }
         active proctype R() { if :: q?0 :: q?1 ; q?1 fi }",
    // Divisions by zero.
    "byte n, i; active proctype P() { if :: i = 1 :: i = 2 :: i = 3 fi; n = 1; n = n / (i - 1); n = 5 / (i - 2) }",
];

#[test]
fn each_run_is_found_once_and_then_there_is_none() {
    let (mut properties, mut endings) = (0, 0);
    for text in MODELS {
        let program = promela(text);
        for property in &program.properties {
            let expected = match property.claim {
                Claim::Check(_) | Claim::NoFault(_) | Claim::NoDeadlock => {
                    all_runs(&program, &property.name)
                }
                _ => continue,
            };
            if expected.is_empty() {
                continue;
            }
            let runs = one_after_the_other(&program, &property.name);
            let found: BTreeSet<String> =
                runs.iter().map(|(trace, _)| told(&trace.steps)).collect();
            assert_eq!(found.len(), runs.len(), "{text}: a run was found twice");
            assert_eq!(found, expected, "{text}: {}", property.name);
            properties += 1;
            let ends = |(_, apart): &&(Trace, Option<Apart>)| *apart == Some(Apart::Ending);
            endings += runs.iter().filter(ends).count();
        }
    }
    assert!(properties >= 6, "only {properties} properties fail");
    assert!(endings >= 4, "only {endings} runs end otherwise");
}

#[test]
fn a_run_for_ever_is_followed_by_one_that_repeats_something_else() {
    let program = promela(
        "byte n; active proctype P() { do :: n = 1; n = 0 :: n = 2; n = 0 :: n = 3; break od }
         ltl some { <> (n == 3) }",
    );
    let property = program.properties.iter().position(|p| p.name == "some");
    let property = PropertyId::new(property.unwrap());
    let only = Options {
        only: Some(vec!["some".to_owned()]),
        ..options()
    };
    let Verdict::Fails { trace } = check(&program, &only, &Silent).remove(0).verdict else {
        panic!("it may go round for ever");
    };
    let mut known = vec![Arc::unwrap_or_clone(trace)];
    let mut loops = BTreeMap::new();
    for _ in 0..3 {
        let Another::Found(outcome, apart) =
            another(&program, property, &known, &options(), &Silent)
        else {
            panic!("there are runs without end");
        };
        let Verdict::Fails { trace } = outcome.verdict else {
            panic!("what is found fails")
        };
        let start = trace.loop_start.unwrap();
        loops.insert(told(&trace.steps[start..]), apart);
        known.push(Arc::unwrap_or_clone(trace));
    }
    assert!(
        loops.values().any(|apart| *apart == Apart::Ending),
        "{loops:?}"
    );
    assert!(loops.len() >= 2, "{loops:?}");
}

#[test]
fn states_of_synchronous_models_tell_runs_apart() {
    // Two variables are chosen at first; three states violate it, one of them in two ways.
    let program = smv("MODULE main
         VAR a : 0..2; b : 0..1;
         ASSIGN init(a) := 0; next(a) := a < 2 ? a + 1 : a; next(b) := b;
         INVARSPEC a < 2;");
    let name = program.properties[0].name.clone();
    let runs = one_after_the_other(&program, &name);
    assert_eq!(runs.len(), 2, "one for each `b`: {runs:?}");
    assert_eq!(runs[1].1, Some(Apart::Ending));
    let program = smv("MODULE main
         VAR a : 0..3;
         ASSIGN init(a) := 0; next(a) := a = 0 ? {1, 2} : a < 3 ? 3 : a;
         INVARSPEC a < 3;");
    let name = program.properties[0].name.clone();
    let runs = one_after_the_other(&program, &name);
    assert_eq!(runs.len(), 2, "by way of 1 and of 2: {runs:?}");
    assert_eq!(runs[1].1, Some(Apart::Way));
}

#[test]
fn loops_of_synchronous_models_are_told_apart() {
    let program = smv("MODULE main
         VAR a : 0..3;
         ASSIGN init(a) := 0; next(a) := case a = 0 : {1, 2, 3}; TRUE : a; esac;
         LTLSPEC F (a = 3)");
    let name = program.properties[0].name.clone();
    let runs = one_after_the_other(&program, &name);
    assert_eq!(runs.len(), 2, "it stays at 1 or at 2: {runs:?}");
    assert_eq!(runs[1].1, Some(Apart::Ending));
}

#[test]
fn what_holds_otherwise_has_no_other_run() {
    let program = promela("byte n; active proctype P() { n = 1; assert(n == 0) }");
    assert_eq!(one_after_the_other(&program, "assertions").len(), 1);
    let program =
        smv("MODULE main VAR a : boolean; ASSIGN init(a) := FALSE; next(a) := TRUE; CTLSPEC AG !a");
    let name = program.properties[0].name.clone();
    assert_eq!(one_after_the_other(&program, &name).len(), 1);
}
