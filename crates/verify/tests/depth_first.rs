//! `--engine dfs`: what it answers, how its runs are told, and what it leaves to others.

use model::interp::Interp;
use model::{Program, Silent, Strength, UnknownReason, Verdict};
use verify::{Engine, Outcome, confirm};

fn program(text: &str) -> Program {
    promela::load("model.pml", text, &promela::Options::default())
        .program
        .expect("it is a model")
}

fn check(program: &Program, property: &str, options: verify::Options) -> Outcome {
    let options = verify::Options {
        only: Some(vec![property.to_owned()]),
        ..options
    };
    verify::check(program, &options, &Silent).remove(0)
}

fn depth_first() -> verify::Options {
    verify::Options {
        engine: Some(Engine::Dfs),
        ..verify::Options::default()
    }
}

/// Counters that go on in turns of their own: one state in which all are at the end, behind the product
/// of what each can be.
const TOGETHER: &str = "short x[3];
    active [3] proctype counter() { end: do :: atomic { x[_pid] < 300 -> x[_pid]++ } od }
    ltl never_all { [] !(x[0] == 300 && x[1] == 300 && x[2] == 300) }
    ltl never_more { [] !(x[0] > 300) }
    ltl again { [] <> (x[0] == 0) }";

#[test]
fn a_formula_that_a_state_decides_is_told_with_a_run_for_ever() {
    let program = program(TOGETHER);
    // As the only engine, and in the portfolio, whose search of 27 million states looks into the depth.
    for options in [depth_first(), verify::Options::default()] {
        let outcome = check(&program, "never_all", options);
        let Verdict::Fails { trace } = &outcome.verdict else {
            panic!("{:?}", outcome.verdict);
        };
        assert_eq!(trace.loop_start, Some(900), "then nothing happens any more");
        assert_eq!(trace.steps.len(), 900);
        assert!(outcome.statistics.states < 1_000_000);
        assert!(confirm(&program, outcome.property, trace).is_ok());
    }
}

#[test]
fn a_run_goes_on_to_where_it_repeats() {
    let text =
        "byte at; byte x; active proctype goes() { do :: x < 200 -> x++ :: x == 200 -> break od;
                do :: at = (at + 1) % 5 od } ltl low { [] (x < 200) }";
    let program = program(text);
    let outcome = check(&program, "low", depth_first());
    let Verdict::Fails { trace } = &outcome.verdict else {
        panic!("{:?}", outcome.verdict);
    };
    assert_eq!(outcome.engine, Engine::Dfs);
    let start = trace.loop_start.expect("it goes on for ever");
    assert_eq!(trace.steps.len() - start, 5, "round once");
}

#[test]
fn what_holds_is_proved_and_what_is_not_asked_so_is_refused() {
    let small = TOGETHER.replace("300", "20");
    let program = program(&small);
    let outcome = check(&program, "never_more", depth_first());
    let Verdict::Holds { strength, .. } = outcome.verdict else {
        panic!("{:?}", outcome.verdict);
    };
    assert_eq!(strength, Strength::Proved);
    let outcome = check(&program, "again", depth_first());
    let Verdict::Unknown { reason, .. } = &outcome.verdict else {
        panic!("{:?}", outcome.verdict);
    };
    assert!(matches!(reason, UnknownReason::Unsupported(what) if what.contains("dfs")));
    let bitstate = verify::Options {
        storage: verify::Storage::Bitstate,
        ..depth_first()
    };
    let outcome = check(&program, "never_more", bitstate);
    let Verdict::Unknown { reason, .. } = &outcome.verdict else {
        panic!("{:?}", outcome.verdict);
    };
    assert_eq!(*reason, UnknownReason::Sampled);
    let all = verify::Options {
        all_errors: true,
        ..depth_first()
    };
    let outcome = check(&program, "deadlock", all);
    let Verdict::Unknown { reason, .. } = &outcome.verdict else {
        panic!("{:?}", outcome.verdict);
    };
    assert!(matches!(reason, UnknownReason::Option(what) if what.contains("--all-errors")));
}

#[test]
fn what_waits_beside_the_path_does_not_bar_it() {
    // The only way on from the first of two ends is by the second, which waits.
    let text = "short n; bit d = 1; byte hour[3];
        active [3] proctype clock() { do :: hour[_pid] = (hour[_pid] + 1) % 100 od }
        active proctype goes() { do
        :: atomic { d == 1 && n < 2000 -> n++; if :: d = 0 :: d = 1 fi }
        :: atomic { d == 0 -> d = 1 }
        :: atomic { n == 2000 -> assert(hour[0] + hour[1] + hour[2] == 300) } od }";
    let program = program(text);
    let outcome = check(&program, "assertions", depth_first());
    assert!(matches!(outcome.verdict, Verdict::Fails { .. }));
    let states = outcome.statistics.states;
    assert!(states < 10_000, "{states}: the clocks have gone round");
}

#[test]
fn a_failure_that_lies_near_is_told_by_the_shortest_run() {
    // Depth-first, the one that counts goes first.
    let text = "short x; active proctype fails() { x = 30000 }
                active proctype counts() { do :: x < 1000 -> x++ :: x >= 1000 -> break od; assert(false) }";
    let program = program(text);
    let outcome = check(&program, "assertions", depth_first());
    let Verdict::Fails { trace } = &outcome.verdict else {
        panic!("{:?}", outcome.verdict);
    };
    assert!(trace.steps.len() < 10, "{}", trace.steps.len());
    assert!(!outcome.may_be_shorter);
}

#[test]
fn of_a_very_long_run_the_ends_are_kept_and_all_is_replayed() {
    let text = "int n; byte hour[2];
        active [2] proctype clock() { do :: hour[_pid] = (hour[_pid] + 1) % 100 od }
        active proctype counter() { do :: atomic { n < 230000 -> n++ } :: atomic { n == 230000 -> assert(false) } od }";
    let program = program(text);
    let outcome = check(&program, "assertions", depth_first());
    let Verdict::Fails { trace } = &outcome.verdict else {
        panic!("{:?}", outcome.verdict);
    };
    let kept = outcome.replay.as_ref().expect("it has been replayed");
    let whole = Interp::new(&program).replay(trace).expect("it is a run");
    let gap = kept.gap.as_ref().expect("it is very long");
    let length = trace.steps.len();
    assert!(length > 230_000);
    assert_eq!((kept.length(), whole.length()), (length, length));
    assert_eq!(kept.steps.len() + gap.steps, length);
    let before = 0..=gap.after;
    for position in before.chain(gap.after + gap.steps..=length) {
        assert_eq!(kept.state(position), whole.state(position), "{position}");
    }
    assert_eq!(
        kept.steps.last().map(|step| &step.occurrences),
        whole.steps.last().map(|step| &step.occurrences),
    );
    // A run that goes wrong where nothing is kept is no run.
    let mut broken = trace.as_ref().clone();
    broken.steps.remove(length / 2);
    let at = &mut broken.steps[length / 2];
    at.moves.clear();
    assert!(confirm(&program, outcome.property, &broken).is_err());
}
