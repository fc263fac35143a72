//! The depth-first search: how deep it goes, and what it says where it is stopped.

use explicit::{
    Answer, Exchange, Options, Reduce, SafetyJob, SafetyOutcome, SearchOrder, Storage, explore,
};
use model::*;

use crate::build::*;

const DEEP: Options = Options {
    order: SearchOrder::DepthFirst,
    ..ONE
};

/// Some processes that go round in a hundred steps each, and one that counts to a number.
fn counting(most: i64, others: usize) -> (Program, ExprId) {
    let mut program = Program::new("counting", "none");
    for _ in 0..others {
        let n = range(&mut program, "n", 99);
        let mut process = Process::new("clock");
        let here = location(&mut process, Mode::Open);
        let (now, last) = (load(&mut program, n), number(&mut program, 99));
        let mut ticks = step(here, here);
        ticks.guard = Some(program.exprs.binary(Binary::Lt, now, last));
        ticks.body = vec![add(&mut program, n, 1)];
        process.add_step(ticks);
        let mut starts_again = step(here, here);
        starts_again.guard = Some(program.exprs.binary(Binary::Eq, now, last));
        starts_again.body = vec![add(&mut program, n, -99)];
        process.add_step(starts_again);
        start(&mut program, process, 1);
    }
    let deep = range(&mut program, "deep", most);
    let mut process = Process::new("counter");
    let here = location(&mut process, Mode::Open);
    process.locations[here.index()].end = true;
    let (now, last) = (load(&mut program, deep), number(&mut program, most.into()));
    let mut counts = step(here, here);
    counts.guard = Some(program.exprs.binary(Binary::Lt, now, last));
    counts.body = vec![add(&mut program, deep, 1)];
    process.add_step(counts);
    start(&mut program, process, 1);
    let there = program.exprs.binary(Binary::Eq, now, last);
    (program, there)
}

fn search(program: &Program, bads: &[Bad], options: &Options, budget: &Budget) -> SafetyOutcome {
    let job = SafetyJob {
        program,
        bads,
        watch: &[],
        exchange: Exchange::default(),
    };
    explore(&job, options, budget, &Silent)
}

#[test]
fn what_lies_deep_is_found_with_little_memory() {
    // Of 2 * 10^11 states.
    let (program, there) = counting(200_000, 3);
    let budget = Budget {
        memory: Some(16 << 20),
        ..Budget::default()
    };
    let outcome = search(&program, &[Bad::State(there)], &DEEP, &budget);
    let trace = violated(&program, &outcome.answers[0]);
    assert!(trace.steps.len() >= 200_000);
    assert_eq!(outcome.deep, [true]);
    assert!(outcome.statistics.states < 250_000);
    assert!(outcome.statistics.depth >= 199_999);
}

#[test]
fn each_search_of_a_swarm_goes_its_own_way() {
    // Whoever goes through the clocks first has a hundred million states before the counter moves.
    let (program, there) = counting(60, 4);
    let bads = [Bad::State(there)];
    let steps = |seed, count, jobs| {
        let options = Options {
            order: SearchOrder::Swarm { seed, count },
            jobs,
            ..ONE
        };
        let outcome = search(&program, &bads, &options, &Budget::default());
        assert!(outcome.sampled);
        violated(&program, &outcome.answers[0]).steps.len()
    };
    let alone: Vec<usize> = (1..=4).map(|seed| steps(seed, 1, 1)).collect();
    let again: Vec<usize> = (1..=4).map(|seed| steps(seed, 1, 1)).collect();
    assert_eq!(alone, again, "a seed stands for one search");
    let different: std::collections::BTreeSet<_> = alone.iter().collect();
    assert!(different.len() > 2, "{alone:?}");
    assert_eq!(
        steps(2, 2, 1),
        alone[1],
        "it ends with what the first finds"
    );
    assert!(alone.contains(&steps(1, 4, 2)));
}

#[test]
fn the_searches_of_a_swarm_share_time_and_find_no_proof() {
    let (mut program, _) = counting(300, 3);
    let never = flag(&mut program, "never");
    let never = load(&mut program, never);
    let options = Options {
        order: SearchOrder::Swarm { seed: 7, count: 4 },
        ..ONE
    };
    let begin = std::time::Instant::now();
    let time = std::time::Duration::from_millis(1200);
    let budget = Budget {
        deadline: Some(begin + time),
        ..Budget::default()
    };
    let outcome = search(&program, &[Bad::State(never)], &options, &budget);
    assert_eq!(outcome.answers, [Answer::Unknown(UnknownReason::Time)]);
    assert!(begin.elapsed() < 3 * time);
    // With few states each comes to its end, which is no proof.
    let (mut program, _) = counting(30, 1);
    let never = flag(&mut program, "never");
    let never = load(&mut program, never);
    let outcome = search(&program, &[Bad::State(never)], &options, &Budget::default());
    assert_eq!(outcome.answers, [Answer::Clear]);
    assert!(outcome.sampled);
    assert_eq!(outcome.statistics.states, 31 * 100);
}

#[test]
fn what_is_not_there_is_not_found_and_all_is_seen() {
    let (mut program, there) = counting(300, 1);
    let never = flag(&mut program, "never");
    let never = load(&mut program, never);
    for storage in [Storage::Auto, Storage::Compressed] {
        for reduce in [Reduce::None, Reduce::Por] {
            let options = Options {
                storage,
                reduce,
                ..DEEP
            };
            let bads = [Bad::State(never), Bad::State(there), Bad::Deadlock];
            let outcome = search(&program, &bads, &options, &Budget::default());
            assert_eq!(outcome.answers[0], Answer::Clear);
            violated(&program, &outcome.answers[1]);
            assert_eq!(outcome.answers[2], Answer::Clear);
            assert_eq!(outcome.deep, [false, true, false]);
            let states = outcome.statistics.states;
            match reduce {
                Reduce::None => assert_eq!(states, 301 * 100),
                Reduce::Por => assert!((301..=301 * 100).contains(&states), "{states}"),
            }
            assert!(!outcome.sampled);
        }
    }
    let options = Options {
        storage: Storage::Bitstate,
        ..DEEP
    };
    let outcome = search(&program, &[Bad::State(never)], &options, &Budget::default());
    assert!(outcome.sampled, "it proves nothing");
}

#[test]
fn limits_end_in_not_known_with_what_was_reached() {
    let (mut program, there) = counting(2_000_000, 3);
    let never = flag(&mut program, "never");
    let never = load(&mut program, never);
    let bads = [Bad::State(there), Bad::State(never)];
    let little = Budget {
        memory: Some(4 << 20),
        ..Budget::default()
    };
    let outcome = search(&program, &bads, &DEEP, &little);
    let unknown = |reason| vec![Answer::Unknown(reason); 2];
    assert_eq!(outcome.answers, unknown(UnknownReason::Memory));
    assert!(outcome.statistics.states > 10_000, "{outcome:?}");
    assert!(outcome.statistics.depth > 10_000);
    assert!(outcome.statistics.memory <= 5 << 20, "{outcome:?}");
    let short = Budget {
        deadline: Some(std::time::Instant::now()),
        ..Budget::default()
    };
    let outcome = search(&program, &bads, &DEEP, &short);
    assert_eq!(outcome.answers, unknown(UnknownReason::Time));
    assert!(outcome.statistics.states > 0);
    // What has been found before a limit stays found.
    let (mut program, there) = counting(5_000, 3);
    let never = flag(&mut program, "never");
    let never = load(&mut program, never);
    let bads = [Bad::State(there), Bad::State(never)];
    let outcome = search(&program, &bads, &DEEP, &little);
    violated(&program, &outcome.answers[0]);
    assert_eq!(outcome.answers[1], Answer::Unknown(UnknownReason::Memory));
}

#[test]
fn one_failure_is_enough_if_one_is_asked_for() {
    let (mut program, there) = counting(1_000, 2);
    let never = flag(&mut program, "never");
    let never = load(&mut program, never);
    let options = Options {
        first: true,
        ..DEEP
    };
    let bads = [Bad::State(never), Bad::State(there)];
    let outcome = search(&program, &bads, &options, &Budget::default());
    let skipped = Answer::Unknown(UnknownReason::AnotherFailed);
    assert_eq!(outcome.answers[0], skipped);
    violated(&program, &outcome.answers[1]);
    assert!(outcome.statistics.states < 10_000);
}

/// Breadth first, that is: what is found early does not wait for all states, if it need not.
#[test]
fn a_failure_that_is_found_early_need_not_wait_for_the_rest() {
    let (mut program, there) = counting(10, 2);
    let never = flag(&mut program, "never");
    let never = load(&mut program, never);
    let bads = [Bad::State(never), Bad::State(there)];
    let whole = search(&program, &bads, &ONE, &Budget::default());
    assert_eq!(whole.answers[0], Answer::Clear);
    assert_eq!(whole.statistics.states, 110_000);
    let apart = Options { apart: true, ..ONE };
    let outcome = search(&program, &bads, &apart, &Budget::default());
    let skipped = Answer::Unknown(UnknownReason::AnotherFailed);
    assert_eq!(outcome.answers[0], skipped);
    // It is the same run.
    assert_eq!(outcome.answers[1], whole.answers[1]);
    violated(&program, &outcome.answers[1]);
    assert!((10_000..30_000).contains(&outcome.statistics.states));
    // Where nothing is found, nothing is left out.
    let outcome = search(&program, &bads[..1], &apart, &Budget::default());
    assert_eq!(outcome.answers, [Answer::Clear]);
    assert_eq!(outcome.statistics.states, 110_000);
}

#[test]
fn what_it_does_not_do_it_says() {
    let (program, there) = counting(10, 1);
    let options = Options { all: true, ..DEEP };
    let outcome = search(&program, &[Bad::State(there)], &options, &Budget::default());
    assert!(matches!(
        &outcome.answers[0],
        Answer::Unknown(UnknownReason::Option(what)) if what.contains("--all-errors")
    ));
}
