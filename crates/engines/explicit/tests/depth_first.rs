//! The depth-first search against the breadth-first one, on random programs.
//!
//! `PROBITY_RANDOM_PROGRAMS` sets how many, `PROBITY_RANDOM_SEED` the first.

#![expect(clippy::print_stdout, reason = "the spread is for people")]

#[path = "random/loose.rs"]
#[expect(dead_code, reason = "what programs are made of is not counted here")]
mod loose;
#[path = "random/program.rs"]
#[expect(dead_code, reason = "what programs are made of is not counted here")]
mod program;
#[path = "random/shown.rs"]
mod shown;

use explicit::{
    Answer, Exchange, Options, Reduce, SafetyJob, SafetyOutcome, SearchOrder, Storage, Technique,
    Tuning, explore,
};
use model::interp::Interp;
use model::*;
use program::Random;

/// More transitions than this are too many.
const LIMIT: u64 = 5_000;

fn from_environment(name: &str, otherwise: u64) -> u64 {
    std::env::var(name)
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(otherwise)
}

/// What comparisons have come across.
#[derive(Debug, Default)]
struct Spread {
    programs: usize,
    verdicts: usize,
    failing: usize,
    /// Runs that are longer than the shortest, and failures in the initial state or a step from it.
    longer: usize,
    near: usize,
    /// The same of runs that a swarm finds.
    swarming: usize,
    /// Whole graphs gone through in both orders; those that a reduction has made smaller.
    graphs: usize,
    reduced: usize,
    /// Searches in which some depth-first path was longer than any shortest one.
    deeper: usize,
}

fn budget() -> Budget {
    Budget {
        micro_steps: 1_000,
        ..Budget::default()
    }
}

/// Options of the depth-first search that a seed picks.
fn depth_first(seed: u64, reduce: Reduce) -> Options {
    Options {
        order: SearchOrder::DepthFirst,
        storage: match seed % 8 {
            1 => Storage::Compressed,
            3 => Storage::HashCompact,
            5 => Storage::Bitstate,
            7 => Storage::Plain,
            _ => Storage::Auto,
        },
        tuning: match reduce {
            Reduce::None => Tuning::drawn(seed),
            // The reduction needs it.
            Reduce::Por => Tuning::drawn(seed).with(Technique::LocalExpansion, 1),
        },
        reduce,
        ..Options::with_jobs(1)
    }
}

/// Both searches for these bad things; nothing if the graph is too large for a test.
fn compare(
    (seed, program): (u64, &Program),
    bads: &[Bad],
    watch: &[ExprId],
    reduce: Reduce,
    spread: &mut Spread,
) -> Option<()> {
    let job = SafetyJob {
        program,
        bads,
        watch,
        exchange: Exchange::default(),
    };
    // What is large is not gone through.
    let little = Budget {
        memory: Some(1 << 20),
        ..budget()
    };
    let options = depth_first(seed, reduce);
    let breadth = Options {
        tuning: options.tuning.without(Technique::DepthProbe),
        ..Options::with_jobs(1)
    };
    let wide = explore(&job, &breadth, &little, &Silent);
    let unknown = |answer: &Answer| matches!(answer, Answer::Unknown(_));
    if wide.statistics.transitions > LIMIT || wide.answers.iter().any(unknown) {
        return None;
    }
    let deep = explore(&job, &options, &budget(), &Silent);
    let lossy = matches!(options.storage, Storage::HashCompact | Storage::Bitstate);
    assert_eq!(deep.sampled, lossy || wide.sampled, "seed {seed}");
    let interp = Interp::new(program);
    for (number, bad) in bads.iter().enumerate() {
        spread.verdicts += 1;
        match (&wide.answers[number], &deep.answers[number]) {
            (Answer::Clear, Answer::Clear) => {}
            (Answer::Violated(shortest), Answer::Violated(trace)) => {
                spread.failing += 1;
                let (least, steps) = (shortest.steps.len(), trace.steps.len());
                assert!(steps >= least, "seed {seed}: {bad:?} in {trace:?}");
                spread.longer += usize::from(steps > least);
                spread.near += usize::from(steps <= 1);
                assert_eq!(deep.deep[number], steps > 0, "seed {seed}: {bad:?}");
                let replay = interp
                    .replay(trace)
                    .unwrap_or_else(|error| panic!("seed {seed}: {bad:?}: {error}: {trace:?}"));
                let shown = shown::shows(&interp, &replay, bad);
                assert!(shown, "seed {seed}: {bad:?} is not shown by {trace:?}");
            }
            other => panic!("seed {seed}, {reduce:?}: {bad:?}: {other:?}"),
        }
    }
    of_a_swarm(seed, &job, &wide, spread);
    if wide.answers.contains(&Answer::Clear) {
        let (all, some) = (wide.statistics.states, deep.statistics.states);
        match reduce {
            Reduce::None => {
                assert_eq!(some, all, "seed {seed}");
                assert_eq!(deep.watched, wide.watched, "seed {seed}");
                assert!(
                    deep.statistics.depth >= wide.statistics.depth,
                    "seed {seed}"
                );
            }
            Reduce::Por => assert!(some <= all, "seed {seed}"),
        }
        spread.graphs += 1;
        spread.reduced += usize::from(some < all);
        spread.deeper += usize::from(deep.statistics.depth > wide.statistics.depth);
    }
    Some(())
}

/// Searches whose order is chosen at random, with tables so large that next to nothing is lost.
fn of_a_swarm(seed: u64, job: &SafetyJob<'_>, wide: &SafetyOutcome, spread: &mut Spread) {
    let options = Options {
        order: SearchOrder::Swarm { seed, count: 3 },
        ..Options::with_jobs(1 + (seed % 2) as usize)
    };
    let swarm = explore(job, &options, &budget(), &Silent);
    assert!(swarm.sampled, "seed {seed}: no proof");
    let interp = Interp::new(job.program);
    for ((bad, shortest), answer) in job.bads.iter().zip(&wide.answers).zip(&swarm.answers) {
        match (shortest, answer) {
            (Answer::Clear, Answer::Clear) => {}
            (Answer::Violated(shortest), Answer::Violated(trace)) => {
                let (least, steps) = (shortest.steps.len(), trace.steps.len());
                assert!(steps >= least, "seed {seed}: {bad:?} in {trace:?}");
                spread.swarming += usize::from(steps > least);
                let replay = interp
                    .replay(trace)
                    .unwrap_or_else(|error| panic!("seed {seed}: {bad:?}: {error}: {trace:?}"));
                let shown = shown::shows(&interp, &replay, bad);
                assert!(shown, "seed {seed}: {bad:?} is not shown by {trace:?}");
            }
            other => panic!("seed {seed}, a swarm: {bad:?}: {other:?}"),
        }
    }
}

/// A program with all that there is.
fn of_all_kinds(seed: u64, spread: &mut Spread) {
    let mut random = Random(fastrand::Rng::with_seed(seed));
    let wild = random.chance(30);
    let generated = program::generate(&mut random, wild);
    let mut bads = vec![Bad::Deadlock];
    bads.extend(generated.atoms.iter().map(|&atom| Bad::State(atom)));
    if generated.program.state_constraint.is_empty() {
        // Otherwise it is moot whether something goes wrong on the way to a state that does not
        // exist.
        bads.push(Bad::Divergence);
        bads.push(Bad::Fault((0..5).map(FaultId).collect()));
        bads.extend([CheckId(0), CheckId(1)].map(Bad::Check));
    }
    let subject = (seed, &generated.program);
    let whole = compare(subject, &bads, &generated.atoms, Reduce::None, spread);
    spread.programs += usize::from(whole.is_some());
}

/// A program of which much may be left out.
fn of_loose_processes(seed: u64, spread: &mut Spread) {
    let mut random = Random(fastrand::Rng::with_seed(seed));
    let loose = loose::generate(&mut random);
    let subject = (seed, &loose.program);
    if compare(subject, &[Bad::Deadlock], &[], Reduce::Por, spread).is_none() {
        return;
    }
    spread.programs += 1;
    let all = [
        Bad::Check(CheckId(0)),
        Bad::Check(CheckId(1)),
        Bad::Deadlock,
        Bad::Fault(vec![FaultId(0)]),
    ];
    compare(subject, &all, &[], Reduce::Por, spread);
    for &atom in &loose.atoms {
        compare(subject, &[Bad::State(atom)], &[], Reduce::Por, spread);
    }
}

#[test]
fn depth_first_gives_the_answers_of_breadth_first() {
    let first = from_environment("PROBITY_RANDOM_SEED", 1);
    let count = from_environment("PROBITY_RANDOM_PROGRAMS", 70);
    let mut spread = Spread::default();
    for seed in first..first + count {
        of_all_kinds(seed, &mut spread);
    }
    println!("{spread:?}");
    if count >= 70 {
        assert!(spread.programs * 2 >= count as usize, "too few programs");
        assert!(spread.failing * 10 >= spread.verdicts, "too few fail");
        assert!(spread.failing * 10 <= spread.verdicts * 9, "too few hold");
        assert!(spread.longer * 20 >= spread.failing, "too few long runs");
        assert!(
            spread.swarming * 20 >= spread.failing,
            "a swarm finds the shortest"
        );
        assert!(spread.near > 0, "nothing fails at once");
        assert!(spread.deeper * 4 >= spread.graphs, "too few deep searches");
    }
}

#[test]
fn depth_first_keeps_the_answers_where_states_are_left_out() {
    let first = from_environment("PROBITY_RANDOM_SEED", 1);
    let count = from_environment("PROBITY_RANDOM_PROGRAMS", 400);
    let mut spread = Spread::default();
    for seed in first..first + count {
        of_loose_processes(seed, &mut spread);
    }
    println!("{spread:?}");
    if count >= 70 {
        assert!(spread.programs * 2 >= count as usize, "too few programs");
        assert!(spread.failing * 10 >= spread.verdicts, "too few fail");
        assert!(spread.failing * 10 <= spread.verdicts * 9, "too few hold");
        assert!(spread.reduced * 4 >= spread.graphs, "too little left out");
        assert!(spread.longer * 10 >= spread.failing, "too few long runs");
        assert!(
            spread.swarming * 10 >= spread.failing,
            "a swarm finds the shortest"
        );
    }
}
