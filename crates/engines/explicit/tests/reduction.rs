//! Partial-order reduction against the whole graph, on random programs.
//!
//! `PROBITY_RANDOM_PROGRAMS` sets how many, `PROBITY_RANDOM_SEED` the first.

#![expect(clippy::print_stdout, reason = "the spread is for people")]

#[path = "random/hub.rs"]
mod hub;
#[path = "random/loose.rs"]
mod loose;
#[path = "random/program.rs"]
#[expect(dead_code, reason = "only its random numbers are used here")]
mod program;
#[path = "random/shrink.rs"]
mod shrink;

use std::collections::BTreeMap;
use std::sync::atomic::Ordering;

use explicit::{
    Answer, Exchange, LivenessJob, Options, Reduce, SafetyJob, SafetyOutcome, Storage, Technique,
    Tuning, accepted_run, accepted_run_together, explore, explore_together,
};
use logic::Ltl;
use loose::{Loose, generate};
use model::interp::Interp;
use model::*;
use program::Random;

fn from_environment(name: &str, otherwise: u64) -> u64 {
    std::env::var(name)
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(otherwise)
}

const WHOLE: Options = Options::with_jobs(1);

/// With some techniques off, but not those that the reduction needs.
fn reduced(seed: u64) -> Options {
    Options {
        reduce: Reduce::Por,
        tuning: Tuning::drawn(seed)
            .with(Technique::LocalExpansion, 1)
            .with(Technique::AdaptivePacking, 10),
        ..WHOLE
    }
}

/// More states than this are too many.
const LIMIT: u64 = 4_000;

#[derive(Default)]
struct Spread {
    programs: usize,
    verdicts: usize,
    failing: usize,
    formulas: usize,
    formulas_failing: usize,
    /// States of whole and of reduced graphs, where nothing was found early.
    states: Vec<(u64, u64)>,
    /// The same of products.
    products: Vec<(u64, u64)>,
    /// The same of graphs that are shared out.
    shared: Vec<(u64, u64)>,
    constructs: BTreeMap<&'static str, usize>,
}

fn budget() -> Budget {
    Budget {
        micro_steps: 10_000,
        ..Budget::default()
    }
}

/// Stops what grows too large.
struct Stopper(Budget);

impl Progress for Stopper {
    fn report(&self, statistics: &Statistics, _: u64) {
        if statistics.states > LIMIT {
            self.0.stop.store(true, Ordering::Relaxed);
        }
    }
}

/// Whether both say that something fails; nothing if they say different things.
fn same(whole: &Answer, reduced: &Answer) -> Option<bool> {
    match (whole, reduced) {
        (Answer::Clear, Answer::Clear) => Some(false),
        (Answer::Violated(_), Answer::Violated(_)) => Some(true),
        _ => None,
    }
}

/// Answers of a search for one thing, whole and reduced; nothing if either has none.
fn reached(seed: u64, program: &Program, bad: &Bad) -> Option<(Answer, Answer)> {
    let job = SafetyJob {
        program,
        bads: std::slice::from_ref(bad),
        watch: &[],
        exchange: Exchange::default(),
    };
    let mut pair = [WHOLE, reduced(seed)].map(|options| {
        let stopper = Stopper(budget());
        explore(&job, &options, &stopper.0, &stopper)
            .answers
            .remove(0)
    });
    let none = || Answer::Unknown(UnknownReason::Memory);
    let [whole, reduced] = &mut pair;
    (!unknown(whole) && !unknown(reduced)).then(|| {
        (
            std::mem::replace(whole, none()),
            std::mem::replace(reduced, none()),
        )
    })
}

/// The same for runs.
fn run(seed: u64, program: &Program, formula: &Ltl<ExprId>) -> Option<(Answer, Answer)> {
    let automaton = logic::translate(formula).ok()?;
    let job = LivenessJob {
        program,
        automaton: &automaton,
        watch: &[],
    };
    let [whole, reduced] = [WHOLE, reduced(seed)].map(|options| {
        let stopper = Stopper(budget());
        accepted_run(&job, &options, &stopper.0, &stopper).answer
    });
    (!unknown(&whole) && !unknown(&reduced)).then_some((whole, reduced))
}

/// Fails with a program that is as small as can be.
fn lost(
    seed: u64,
    what: &str,
    loose: &Loose,
    answers: impl Fn(&Program) -> Option<(Answer, Answer)>,
) -> ! {
    let differs = |program: &Program| {
        answers(program).is_some_and(|(whole, reduced)| same(&whole, &reduced).is_none())
    };
    let small = shrink::shrink(&loose.program, differs);
    let atoms: Vec<_> = loose
        .atoms
        .iter()
        .map(|&id| (id, shrink::expr(&small, id)))
        .collect();
    panic!(
        "seed {seed}: {what}: {:?}\n{atoms:?}\n{}",
        answers(&small),
        shrink::show(&small)
    );
}

fn safety(seed: u64, loose: &Loose, bads: &[Bad], spread: &mut Spread) -> Option<()> {
    let job = SafetyJob {
        program: &loose.program,
        bads,
        watch: &[],
        exchange: Exchange::default(),
    };
    let stopper = Stopper(budget());
    let whole: SafetyOutcome = explore(&job, &WHOLE, &stopper.0, &stopper);
    if whole.statistics.states > LIMIT || whole.answers.iter().any(unknown) {
        return None;
    }
    // Some storages do not keep the states, or do not tell their numbers.
    let storage = match seed % 8 {
        1 => Storage::Compressed,
        3 => Storage::HashCompact,
        5 => Storage::Bitstate,
        _ => Storage::Plain,
    };
    let options = Options {
        storage,
        ..reduced(seed)
    };
    let reduced = explore(&job, &options, &budget(), &Silent);
    let interp = Interp::new(&loose.program);
    for ((bad, whole), reduced) in bads.iter().zip(&whole.answers).zip(&reduced.answers) {
        let Some(fails) = same(whole, reduced) else {
            let what = match bad {
                Bad::State(id) => shrink::expr(&loose.program, *id),
                bad => format!("{bad:?}"),
            };
            lost(seed, &what, loose, |program| reached(seed, program, bad));
        };
        spread.verdicts += 1;
        spread.failing += usize::from(fails);
        if let Answer::Violated(trace) = reduced {
            interp
                .replay(trace)
                .unwrap_or_else(|error| panic!("seed {seed}: {bad:?}: {error}: {trace:?}"));
        }
    }
    let alone = shared_out(&job, &options, 1);
    let together = shared_out(&job, &options, 2 + (seed % 2) as usize);
    for ((bad, whole), (one, more)) in
        (bads.iter().zip(&whole.answers)).zip(alone.answers.iter().zip(&together.answers))
    {
        for answer in [one, more].into_iter().filter(|it| !unknown(it)) {
            let about = || format!("seed {seed}: {bad:?}: {answer:?}");
            assert!(same(whole, answer).is_some(), "{}", about());
            if let Answer::Violated(trace) = answer {
                assert!(interp.replay(trace).is_ok(), "{}", about());
            }
        }
    }
    if whole.answers.contains(&Answer::Clear) && !alone.answers.iter().any(unknown) {
        let states = alone.statistics.states;
        assert_eq!(states, together.statistics.states, "seed {seed}");
        spread.shared.push((whole.statistics.states, states));
    }
    if whole.answers.contains(&Answer::Clear) {
        let pair = (whole.statistics.states, reduced.statistics.states);
        assert!(pair.1 <= pair.0, "seed {seed}: more states");
        spread.states.push(pair);
    }
    Some(())
}

/// The same by so many processes, as one of them tells it; storages that lose states are none for them.
fn shared_out(job: &SafetyJob<'_>, options: &Options, count: usize) -> SafetyOutcome {
    let storage = match options.storage {
        Storage::HashCompact | Storage::Bitstate => Storage::Plain,
        exact => exact,
    };
    let options = Options {
        storage,
        ..*options
    };
    let search = |seat: &hub::Seat<'_>| explore_together(job, &options, &budget(), &Silent, seat);
    hub::together(count, &search).swap_remove(0)
}

fn unknown(answer: &Answer) -> bool {
    matches!(answer, Answer::Unknown(_))
}

/// A random formula without `X`.
fn formula(random: &mut Random, atoms: &[ExprId], depth: usize) -> Ltl<ExprId> {
    let atom = |random: &mut Random| {
        let atom = Ltl::atom(random.pick(atoms));
        if random.chance(40) {
            Ltl::not(atom)
        } else {
            atom
        }
    };
    if depth == 0 {
        return atom(random);
    }
    let a = formula(random, atoms, depth - 1);
    let b = formula(random, atoms, depth - 1);
    match random.below(8) {
        0 => Ltl::always(a),
        1 => Ltl::eventually(a),
        2 => Ltl::until(a, b),
        3 => Ltl::always(Ltl::eventually(a)),
        4 => Ltl::eventually(Ltl::always(a)),
        5 => Ltl::release(a, b),
        6 => Ltl::or(a, b),
        _ => Ltl::and(a, b),
    }
}

fn liveness(seed: u64, loose: &Loose, random: &mut Random, spread: &mut Spread) {
    let depth = 1 + random.below(2);
    let formula = formula(random, &loose.atoms, depth);
    let Ok(automaton) = logic::translate(&formula) else {
        return;
    };
    let job = LivenessJob {
        program: &loose.program,
        automaton: &automaton,
        watch: &[],
    };
    let stopper = Stopper(budget());
    let whole = accepted_run(&job, &WHOLE, &stopper.0, &stopper);
    if unknown(&whole.answer) {
        return;
    }
    let reduced = accepted_run(&job, &self::reduced(seed), &budget(), &Silent);
    let search = |seat: &hub::Seat<'_>| {
        let options = self::reduced(seed);
        accepted_run_together(&job, &options, &budget(), &Silent, seat)
    };
    for one in hub::together(2, &search) {
        let is_same = same(&whole.answer, &one.answer).is_some();
        assert!(is_same || unknown(&one.answer), "seed {seed}: {formula:?}");
    }
    let Some(fails) = same(&whole.answer, &reduced.answer) else {
        lost(seed, &format!("{formula:?}"), loose, |program| {
            run(seed, program, &formula)
        });
    };
    spread.formulas += 1;
    spread.formulas_failing += usize::from(fails);
    if let Answer::Violated(trace) = &reduced.answer {
        let interp = Interp::new(&loose.program);
        let replay = interp.replay(trace);
        assert!(replay.is_ok(), "seed {seed}: {formula:?}: {replay:?}");
    }
    if !fails {
        let pair = (whole.statistics.states, reduced.statistics.states);
        // A product that reads letters on arrival has other states than one that reads them later.
        let alike = self::reduced(seed).tuning.has(Technique::ObservedBits);
        assert!(
            pair.1 <= pair.0 || !alike,
            "seed {seed}: more states: {pair:?}"
        );
        spread.products.push(pair);
    }
}

fn compare(seed: u64, spread: &mut Spread) {
    let mut random = Random(fastrand::Rng::with_seed(seed));
    let loose = generate(&mut random);
    let checks = [Bad::Check(CheckId(0)), Bad::Check(CheckId(1))];
    let states: Vec<Bad> = loose.atoms.iter().map(|&atom| Bad::State(atom)).collect();
    let faults = Bad::Fault(vec![FaultId(0)]);
    // Alone, a query lets the most be left out.
    if safety(seed, &loose, &[Bad::Deadlock], spread).is_none() {
        return;
    }
    spread.programs += 1;
    for construct in &loose.constructs {
        *spread.constructs.entry(construct).or_default() += 1;
    }
    let mut all = checks.to_vec();
    all.extend([Bad::Deadlock, faults]);
    if seed.is_multiple_of(4) {
        // It is rare.
        all.push(Bad::Divergence);
    }
    safety(seed, &loose, &all, spread);
    for bad in &states {
        safety(seed, &loose, std::slice::from_ref(bad), spread);
    }
    for _ in 0..4 {
        liveness(seed, &loose, &mut random, spread);
    }
}

fn reduction(pairs: &[(u64, u64)]) -> (usize, f64) {
    let reduced = pairs.iter().filter(|(whole, less)| less < whole).count();
    let mean = pairs
        .iter()
        .map(|&(whole, less)| (whole.max(1) as f64 / less.max(1) as f64).ln())
        .sum::<f64>()
        / pairs.len().max(1) as f64;
    (100 * reduced / pairs.len().max(1), mean.exp())
}

#[test]
fn reduced_graphs_give_the_answers_of_whole_ones() {
    let first = from_environment("PROBITY_RANDOM_SEED", 1);
    let count = from_environment("PROBITY_RANDOM_PROGRAMS", 300);
    let mut spread = Spread::default();
    for seed in first..first + count {
        compare(seed, &mut spread);
    }
    let (states, products) = (reduction(&spread.states), reduction(&spread.products));
    let shared = reduction(&spread.shared);
    println!("shared out: {}% reduced, {:.2} times", shared.0, shared.1);
    println!(
        "{} programs; {} of {} verdicts fail, {} of {} formulas; {} graphs, {}% reduced, {:.2} times; {} products, {}% reduced, {:.2} times",
        spread.programs,
        spread.failing,
        spread.verdicts,
        spread.formulas_failing,
        spread.formulas,
        spread.states.len(),
        states.0,
        states.1,
        spread.products.len(),
        products.0,
        products.1,
    );
    println!("{:?}", spread.constructs);
    if count >= 100 {
        assert!(spread.failing * 10 >= spread.verdicts * 3, "too few fail");
        assert!(
            spread.formulas_failing * 10 >= spread.formulas * 3,
            "too few fail"
        );
        assert!(states.0 >= 50 && products.0 >= 15, "too few are reduced");
        assert!(
            shared.0 >= 25,
            "too few are reduced where they are shared out"
        );
        for (construct, count) in &spread.constructs {
            assert!(count * 20 >= spread.programs, "{construct} is rare");
        }
    }
}
