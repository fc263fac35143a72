//! Failures that lie deep in wide state graphs, and reductions that are of no use.

use explicit::{
    Answer, Exchange, LivenessJob, Options, Reduce, SafetyJob, Technique, accepted_run, explore,
};
use logic::{Buchi, BuchiState, Cube, Edge};
use model::*;

use crate::build::*;

/// How long the one process takes.
const LENGTH: i64 = 100;

/// Some processes that count round and round, and one that counts far; it ends there or begins
/// again.
fn wide(others: usize, again: bool) -> (Program, ExprId) {
    let mut program = Program::new("wide", "none");
    for _ in 0..others {
        let n = range(&mut program, "n", 9);
        round(&mut program, n, 10, true);
    }
    let deep = range(&mut program, "deep", LENGTH);
    round(&mut program, deep, i128::from(LENGTH) + 1, again);
    let (now, most) = (
        load(&mut program, deep),
        number(&mut program, LENGTH.into()),
    );
    let there = program.exprs.binary(Binary::Eq, now, most);
    (program, there)
}

/// A process that counts modulo a number, or up to it.
fn round(program: &mut Program, n: GlobalId, modulus: i128, again: bool) {
    let mut process = Process::new("counts");
    let here = location(&mut process, Mode::Open);
    let mut counts = step(here, here);
    let (now, one) = (load(program, n), number(program, 1));
    let more = program
        .exprs
        .add(Expr::Binary(Binary::Add, now, one), Type::Mathint);
    let modulus = number(program, modulus);
    let next = program
        .exprs
        .add(Expr::Binary(Binary::Rem, more, modulus), Type::Mathint);
    counts.body = vec![Stmt::Assign(Place::global(n), next)];
    if !again {
        let last = number(program, LENGTH.into());
        counts.guard = Some(program.exprs.binary(Binary::Lt, now, last));
    }
    process.add_step(counts);
    start(program, process, 1);
}

#[test]
fn a_deep_failure_in_a_wide_graph_is_found_depth_first() {
    let (program, there) = wide(5, false);
    let job = SafetyJob {
        program: &program,
        bads: &[Bad::State(there)],
        watch: &[],
        exchange: Exchange::default(),
    };
    let mut traces = Vec::new();
    for jobs in [1, 2, 4] {
        let options = Options { jobs, ..ONE };
        let outcome = explore(&job, &options, &Budget::default(), &Silent);
        let trace = violated(&program, &outcome.answers[0]);
        assert!(trace.steps.len() >= 100);
        assert_eq!(outcome.deep, [true]);
        assert!(outcome.statistics.states < 1_000_000, "of ten million");
        traces.push(trace);
    }
    let same = traces.iter().all(|trace| *trace == traces[0]);
    assert!(same, "it is the same however many look");
}

#[test]
fn a_deep_deadlock_is_told_from_an_end_beside_it() {
    for stuck_first in [true, false] {
        let mut program = Program::new("deadlock", "none");
        let over = flag(&mut program, "over");
        for _ in 0..5 {
            let n = range(&mut program, "n", 9);
            round(&mut program, n, 10, true);
        }
        let (now, no) = (load(&mut program, over), program.exprs.bool(false));
        let goes_on = program.exprs.binary(Binary::Eq, now, no);
        for process in &mut program.processes {
            process.locations[0].end = true;
            process.steps[0].guard = Some(goes_on);
        }
        let deep = range(&mut program, "deep", LENGTH);
        round(&mut program, deep, i128::from(LENGTH) + 1, false);
        let (now, most) = (
            load(&mut program, deep),
            number(&mut program, LENGTH.into()),
        );
        let there = program.exprs.binary(Binary::Eq, now, most);
        let ends = set(&mut program, over, true);
        let last = program.processes.last_mut().expect("it counts far");
        let here = last.entry;
        last.locations[0].end = true;
        for is_stuck in [stuck_first, !stuck_first] {
            let end = location(last, Mode::Open);
            last.locations[end.index()].end = !is_stuck;
            let mut goes = step(here, end);
            goes.guard = Some(there);
            goes.body = vec![ends.clone()];
            last.add_step(goes);
        }
        let job = SafetyJob {
            program: &program,
            bads: &[Bad::Deadlock],
            watch: &[],
            exchange: Exchange::default(),
        };
        let options = ONE;
        let outcome = explore(&job, &options, &Budget::default(), &Silent);
        assert!(violated(&program, &outcome.answers[0]).steps.len() > 100);
        assert_eq!(outcome.deep, [true]);
        assert!(outcome.statistics.states < 1_000_000, "of ten million");
    }
}

#[test]
fn a_shorter_run_stands_before_one_found_depth_first() {
    // The graph is too small for it to be worth the while.
    let (program, there) = wide(2, false);
    let job = SafetyJob {
        program: &program,
        bads: &[Bad::State(there)],
        watch: &[],
        exchange: Exchange::default(),
    };
    let options = ONE;
    let outcome = explore(&job, &options, &Budget::default(), &Silent);
    assert_eq!(violated(&program, &outcome.answers[0]).steps.len(), 100);
    assert_eq!(outcome.deep, [false]);
}

#[test]
fn a_long_cycle_in_a_wide_graph_is_found() {
    let (program, there) = wide(5, true);
    let edge = |label, target, accepting| Edge {
        label,
        target: BuchiState(target),
        accepting,
    };
    // Again and again.
    let automaton = Buchi {
        atoms: vec![there],
        initial: BuchiState(0),
        edges: vec![vec![
            edge(Cube::literal(0, true), 0, true),
            edge(Cube::literal(0, false), 0, false),
        ]],
    };
    let job = LivenessJob {
        program: &program,
        automaton: &automaton,
        watch: &[],
    };
    let outcome = accepted_run(&job, &ONE, &Budget::default(), &Silent);
    let trace = violated(&program, &outcome.answer);
    let start = trace.loop_start.expect("it goes on for ever");
    assert!(trace.steps.len() - start > 100);
    assert!(outcome.statistics.states < 500_000, "of ten million");
}

/// Everybody writes one variable: whatever is done first matters.
fn quarrel(processes: usize) -> Program {
    let mut program = Program::new("quarrel", "none");
    let x = range(&mut program, "x", 20_000);
    for _ in 0..processes {
        round(&mut program, x, 20_001, true);
    }
    program
}

#[test]
fn a_reduction_that_is_of_no_use_is_given_up_and_not_reported() {
    let program = quarrel(3);
    let reduced = Options {
        reduce: Reduce::Por,
        ..ONE
    };
    let job = SafetyJob {
        program: &program,
        bads: &[Bad::Deadlock],
        watch: &[],
        exchange: Exchange::default(),
    };
    let outcome = explore(&job, &reduced, &Budget::default(), &Silent);
    assert_eq!(outcome.answers, [Answer::Clear]);
    assert_eq!(outcome.statistics.states, 20_001);
    assert_eq!(outcome.statistics.reduction, "");
    let automaton = Buchi::universal();
    let job = LivenessJob {
        program: &program,
        automaton: &automaton,
        watch: &[],
    };
    let outcome = accepted_run(&job, &reduced, &Budget::default(), &Silent);
    assert_eq!(outcome.statistics.reduction, "");
    violated(&program, &outcome.answer);
}

#[test]
fn what_is_left_out_at_first_is_not_forgotten_when_the_reduction_is_given_up() {
    // Before the quarrel each does something of its own, once: a little can be left out.
    let mut program = quarrel(3);
    for process in 0..3 {
        let own = range(&mut program, "own", 2);
        let more = add(&mut program, own, 1);
        let process = &mut program.processes[process];
        let first = location(process, Mode::Open);
        let mut begins = step(first, process.entry);
        begins.body = vec![more];
        process.add_step(begins);
        process.entry = first;
    }
    let last = GlobalId::new(0);
    let (now, most) = (load(&mut program, last), number(&mut program, 20_000));
    let there = program.exprs.binary(Binary::Eq, now, most);
    let states = |reduce| {
        let job = SafetyJob {
            program: &program,
            bads: &[Bad::Deadlock, Bad::State(there)],
            watch: &[],
            exchange: Exchange::default(),
        };
        let options = Options { reduce, ..ONE };
        let outcome = explore(&job, &options, &Budget::default(), &Silent);
        assert_eq!(outcome.answers[0], Answer::Clear);
        violated(&program, &outcome.answers[1]);
        (outcome.statistics.states, outcome.statistics.reduction)
    };
    let (whole, reduced) = (states(Reduce::None), states(Reduce::Por));
    assert_eq!(whole.1, "");
    assert_eq!(reduced.1, "partial order");
    assert!(reduced.0 < whole.0);
}

#[test]
fn what_is_asked_for_is_looked_at_again_where_a_move_is_known() {
    // Each counter has been seen to go to three before all are there.
    let mut program = Program::new("counters", "none");
    let mut all = program.exprs.bool(true);
    for _ in 0..3 {
        let n = range(&mut program, "n", 9);
        round(&mut program, n, 10, true);
        let (now, three) = (load(&mut program, n), number(&mut program, 3));
        let there = program.exprs.binary(Binary::Eq, now, three);
        all = program.exprs.binary(Binary::And, all, there);
    }
    let job = SafetyJob {
        program: &program,
        bads: &[Bad::State(all)],
        watch: &[],
        exchange: Exchange::default(),
    };
    let options = Options {
        tuning: ONE.tuning.without(Technique::DepthProbe),
        ..ONE
    };
    let outcome = explore(&job, &options, &Budget::default(), &Silent);
    let trace = violated(&program, &outcome.answers[0]);
    assert_eq!(trace.steps.len(), 9);
}
