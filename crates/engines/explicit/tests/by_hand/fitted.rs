//! States in the bits that their values need: whatever comes later, nothing is lost.

use explicit::{
    Answer, Exchange, Options, Reduce, SafetyJob, SafetyOutcome, Storage, Technique, Tuning,
    explore,
};
use model::*;

use crate::build::*;

/// How often a value changes.
const LATE: i64 = 60;

/// A value that is doubled until it is large, one that goes below zero, and processes that count
/// meanwhile: each is as wide as its type. Then whether all have come to their ends, and what is
/// more than there is.
fn growing(others: usize) -> (Program, [Bad; 2]) {
    growing_until(LATE, others)
}

/// The same with a value that changes so often.
fn growing_until(late: i64, others: usize) -> (Program, [Bad; 2]) {
    let mut program = Program::new("growing", "none");
    let long = Type::Int {
        bits: 64,
        signed: true,
    };
    let time = range(&mut program, "time", late);
    let [power, below] = ["power", "below"].map(|name| {
        let mut variable = Variable::new(name, long.clone());
        variable.init = Some(ValueSet::One(program.exprs.int(1, long.clone())));
        program.add_global(variable)
    });
    let mut process = Process::new("grows");
    let here = location(&mut process, Mode::Open);
    let mut grows = step(here, here);
    let (now, last) = (load(&mut program, time), number(&mut program, late.into()));
    grows.guard = Some(program.exprs.binary(Binary::Lt, now, last));
    let value = load(&mut program, power);
    let twice = program
        .exprs
        .add(Expr::Binary(Binary::Add, value, value), long.clone());
    grows.body = vec![
        add(&mut program, time, 1),
        Stmt::Assign(Place::global(power), twice),
        add(&mut program, below, -1000),
    ];
    process.add_step(grows);
    start(&mut program, process, 1);
    for _ in 0..others {
        let n = program.add_global(Variable::new("n", long.clone()));
        let mut process = Process::new("counts");
        let here = location(&mut process, Mode::Open);
        let mut counts = step(here, here);
        let (now, most) = (load(&mut program, n), number(&mut program, 4));
        counts.guard = Some(program.exprs.binary(Binary::Lt, now, most));
        counts.body = vec![add(&mut program, n, 1)];
        process.add_step(counts);
        start(&mut program, process, 1);
    }
    let (now, last) = (load(&mut program, power), number(&mut program, 1 << late));
    let bads = [Binary::Eq, Binary::Lt].map(|than| {
        let order = program.exprs.binary(than, last, now);
        Bad::State(order)
    });
    (program, bads)
}

fn explored(program: &Program, bads: &[Bad], options: Options) -> SafetyOutcome {
    let job = SafetyJob {
        program,
        bads,
        watch: &[],
        exchange: Exchange::default(),
    };
    explore(&job, &options, &Budget::default(), &Silent)
}

/// What is found out does not depend on how states are packed.
fn found(outcome: &SafetyOutcome) -> (u64, u64, u64) {
    let statistics = &outcome.statistics;
    (statistics.states, statistics.transitions, statistics.depth)
}

#[test]
fn values_that_come_late_find_room() {
    let (program, bads) = growing(3);
    let by_types = explored(
        &program,
        &bads,
        Options {
            tuning: Tuning::usual().without(Technique::AdaptivePacking),
            ..ONE
        },
    );
    let all = 61 * 5u64.pow(3);
    assert_eq!(by_types.statistics.states, all);
    for storage in [Storage::Plain, Storage::Compressed] {
        for jobs in [1, 3] {
            for fit in [1, 100, 1000] {
                let options = Options {
                    tuning: Tuning::usual().with(Technique::AdaptivePacking, fit),
                    storage,
                    ..Options::with_jobs(jobs)
                };
                let outcome = explored(&program, &bads, options);
                let bytes = outcome.statistics.state_bytes;
                assert_eq!(found(&outcome), found(&by_types));
                assert!(bytes < by_types.statistics.state_bytes, "{bytes}");
                let trace = violated(&program, &outcome.answers[0]);
                assert_eq!(trace.steps.len(), 60);
                assert_eq!(outcome.answers[1], Answer::Clear);
            }
        }
    }
}

#[test]
fn reduced_searches_are_fitted_too() {
    let (program, bads) = growing(4);
    let searches = [0, 1, 20].map(|fit| {
        let options = Options {
            tuning: Tuning::usual().with(Technique::AdaptivePacking, fit),
            reduce: Reduce::Por,
            ..ONE
        };
        explored(&program, &bads, options)
    });
    let [by_types, fitted @ ..] = &searches;
    for outcome in fitted {
        assert_eq!(outcome.statistics.reduction, by_types.statistics.reduction);
        assert_eq!(found(outcome), found(by_types));
        assert!(outcome.statistics.state_bytes < by_types.statistics.state_bytes);
        violated(&program, &outcome.answers[0]);
        assert_eq!(outcome.answers[1], Answer::Clear);
    }
}

#[test]
fn all_failing_places_are_found_where_values_do_not_fit() {
    let (program, _) = growing(2);
    let bads = [Bad::Deadlock];
    for fit in [1, 0] {
        let options = Options {
            tuning: Tuning::usual().with(Technique::AdaptivePacking, fit),
            all: true,
            ..ONE
        };
        let outcome = explored(&program, &bads, options);
        assert_eq!(outcome.failures.len(), 1);
        assert_eq!(outcome.failures[0].1.steps.len(), 60 + 8);
        assert!(!outcome.cut);
    }
}

#[test]
fn what_lies_deep_is_found_though_it_does_not_fit() {
    // The values at the end are far from all that there is where the dive begins.
    let (program, bads) = growing(9);
    for jobs in [1, 2] {
        let options = Options {
            tuning: Tuning::usual().with(Technique::AdaptivePacking, 1),
            ..Options::with_jobs(jobs)
        };
        let outcome = explored(&program, &bads[..1], options);
        assert_eq!(outcome.deep, [true]);
        assert!(violated(&program, &outcome.answers[0]).steps.len() >= 60);
        let states = outcome.statistics.states;
        assert!(states < 5_000_000, "of a hundred million: {states}");
    }
}

#[test]
fn what_lies_deep_is_told_in_the_bits_that_it_has() {
    // Where the dive begins, all values have been there, but not together.
    let (program, _) = growing_until(8, 9);
    for jobs in [1, 2] {
        let options = Options {
            tuning: Tuning::usual().with(Technique::AdaptivePacking, 1),
            ..Options::with_jobs(jobs)
        };
        let outcome = explored(&program, &[Bad::Deadlock], options);
        assert_eq!(outcome.deep, [true]);
        let trace = violated(&program, &outcome.answers[0]);
        assert_eq!(trace.steps.len(), 8 + 9 * 4);
    }
}

#[test]
fn memory_for_fitting_is_limited() {
    let (program, bads) = growing(4);
    for memory in (100_000..1_600_000).step_by(100_000) {
        let job = SafetyJob {
            program: &program,
            bads: &bads,
            watch: &[],
            exchange: Exchange::default(),
        };
        let budget = Budget {
            memory: Some(memory),
            ..Budget::default()
        };
        let options = Options {
            tuning: Tuning::usual().with(Technique::AdaptivePacking, 1),
            ..ONE
        };
        let outcome = explore(&job, &options, &budget, &Silent);
        assert!(outcome.statistics.memory <= memory + 200_000);
        match &outcome.answers[1] {
            Answer::Clear => assert_eq!(outcome.statistics.states, 61 * 5u64.pow(4)),
            answer => assert_eq!(*answer, Answer::Unknown(UnknownReason::Memory)),
        }
    }
}
