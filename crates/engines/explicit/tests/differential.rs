//! The engine against the reference interpreter, and that against itself, on random small programs.
//!
//! `PROBITY_RANDOM_PROGRAMS` sets how many, `PROBITY_RANDOM_SEED` the first.

#![expect(clippy::print_stdout, reason = "the spread is for people")]

#[path = "random/hub.rs"]
mod hub;
#[path = "random/program.rs"]
mod program;
#[path = "random/shown.rs"]
mod shown;
#[path = "random/twin.rs"]
mod twin;

use std::collections::{BTreeMap, BTreeSet};

use explicit::{
    Answer, Exchange, LivenessJob, LivenessOutcome, Options, SafetyJob, Storage, Technique, Tuning,
    accepted_run, accepted_run_together, explore, stable_states,
};
use logic::{Buchi, BuchiState, Cube, Edge};
use model::interp::{Interp, State};
use model::*;
use program::{Generated, Random, generate};

fn from_environment(name: &str, otherwise: u64) -> u64 {
    std::env::var(name)
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(otherwise)
}

/// What one comparison adds to the spread.
#[derive(Default)]
struct Spread {
    programs: usize,
    skipped: usize,
    states: Vec<usize>,
    verdicts: usize,
    failing: usize,
    constructs: BTreeMap<&'static str, usize>,
    /// Searches that could be fitted, and those where that made states shorter.
    fitted: [usize; 2],
}

impl Spread {
    fn verdict(&mut self, fails: bool) {
        self.verdicts += 1;
        self.failing += usize::from(fails);
    }

    fn check(&mut self) {
        self.states.sort_unstable();
        let median = self.states[self.states.len() / 2];
        println!(
            "{} programs, {} skipped, {} verdicts, {} fail, states: median {median}, most {:?}",
            self.programs,
            self.skipped,
            self.verdicts,
            self.failing,
            self.states.last(),
        );
        println!("{:?}", self.constructs);
        let [fitted, shorter] = self.fitted;
        println!("{shorter} of {fitted} fitted searches have shorter states");
        assert!(shorter * 10 >= fitted, "too few states get shorter");
        assert!(self.failing * 10 >= self.verdicts * 3, "too few fail");
        assert!(self.failing * 10 <= self.verdicts * 8, "too few hold");
        assert!(median >= 200, "too few states");
        for (construct, count) in &self.constructs {
            assert!(count * 20 >= self.programs, "{construct} is rare");
        }
    }
}

/// Statistics of a short search with states packed by types, of many more states than the twin can
/// go through if there are that many.
fn try_out(program: &Program, budget: &Budget) -> Statistics {
    let job = SafetyJob {
        program,
        bads: &[],
        watch: &[],
        exchange: Exchange::default(),
    };
    let options = Options {
        jobs: 1,
        storage: explicit::Storage::Plain,
        ..Options::default()
    };
    let little = Budget {
        memory: Some(4 << 20),
        ..budget.clone()
    };
    explore(&job, &options, &little, &Silent).statistics
}

/// Runs the engine and the twin on a program; nothing if it is too large for the twin.
fn compare(seed: u64, spread: &mut Spread) {
    let mut random = Random(fastrand::Rng::with_seed(seed));
    let wild = random.chance(30);
    let generated = generate(&mut random, wild);
    let program = &generated.program;
    let interp = Interp::new(program).with_micro_steps(20_000);
    let budget = Budget {
        micro_steps: 100_000,
        ..Budget::default()
    };
    // Where instances come and go, macro steps can have very many ways, which the twin is slow at.
    let dynamic = generated.constructs.contains("made at run time");
    let little = Budget {
        micro_steps: if dynamic { 300 } else { 10_000 },
        ..budget.clone()
    };
    let tried = try_out(program, &little);
    if tried.states > 800 {
        spread.skipped += 1;
        return;
    }
    let found = match stable_states(program, &little) {
        Ok(found) => found,
        Err(UnknownReason::StepBudget) => {
            spread.skipped += 1;
            return;
        }
        Err(reason) => panic!("seed {seed}: {reason:?}"),
    };
    // The twin is slow: it gets nothing large, and only some of what is tiny.
    if found.len() > 800 || found.len() < 180 && random.chance(90) {
        spread.skipped += 1;
        return;
    }
    let Some(whole) = twin::explore(&interp, 900) else {
        panic!("seed {seed}: the interpreter finds more states or gives up");
    };
    let expected: BTreeSet<&State> = whole.states.iter().map(|(state, _)| state).collect();
    let set: BTreeSet<&State> = found.iter().collect();
    assert_eq!(
        found.len(),
        set.len(),
        "seed {seed}: a state is stored twice"
    );
    if set != expected {
        let missing = expected.difference(&set).next();
        let extra = set.difference(&expected).next();
        panic!(
            "seed {seed}: {} states, expected {}\nmissing {missing:?}\nextra {extra:?}",
            set.len(),
            expected.len()
        );
    }
    spread.programs += 1;
    spread.states.push(expected.len());
    for construct in &generated.constructs {
        *spread.constructs.entry(construct).or_default() += 1;
    }
    sleepers(seed, program, &interp, &whole);
    let by_types = tried.state_bytes;
    safety(
        (seed, by_types),
        &generated,
        &interp,
        &whole,
        &budget,
        spread,
    );
    for round in 0..4 {
        liveness(
            seed,
            round,
            &generated,
            &whole,
            &mut random,
            &budget,
            spread,
        );
    }
}

/// That the interpreter remembers who sleeps makes no difference, whatever it is asked in turn.
fn sleepers(seed: u64, program: &Program, interp: &Interp<'_>, whole: &twin::Whole) {
    let remembers = Interp::new(program)
        .with_micro_steps(20_000)
        .with_sleepers_from(0);
    let count = whole.states.len();
    let in_order = whole.states.iter().map(|(state, _)| state);
    let ends = whole.edges.iter().flatten().map(|(_, end)| end).step_by(5);
    let far_apart = (0..count).map(|at| &whole.states[at * 101 % count].0);
    for state in in_order.chain(ends).chain(far_apart) {
        let moves = remembers.moves(state);
        assert_eq!(moves, interp.moves(state), "seed {seed}: {state:?}");
    }
    for (state, _) in whole.states.iter().step_by(16) {
        let [one, other] = [&remembers, interp].map(|interp| {
            let expansion = interp.expand(state).expect("it has been expanded before");
            let successors = expansion.successors.into_iter();
            successors.map(|s| (s.step, s.state)).collect::<Vec<_>>()
        });
        assert_eq!(one, other, "seed {seed}: {state:?}");
    }
}

fn safety(
    (seed, by_types): (u64, u64),
    generated: &Generated,
    interp: &Interp<'_>,
    whole: &twin::Whole,
    budget: &Budget,
    spread: &mut Spread,
) {
    let mut bads = vec![Bad::Deadlock, Bad::Divergence];
    let mut distances = vec![whole.deadlock, whole.divergence];
    for check in [CheckId(0), CheckId(1)] {
        bads.push(Bad::Check(check));
        distances.push(whole.checks.get(&check).copied());
    }
    let faults: Vec<FaultId> = (0..5).map(FaultId).collect();
    distances.push(whole.faults.values().min().copied());
    bads.push(Bad::Fault(faults));
    for &atom in &generated.atoms {
        bads.push(Bad::State(atom));
        distances.push(whole.nearest(interp, atom));
    }
    if !generated.program.state_constraint.is_empty() {
        // Whether something goes wrong on the way to a state that does not exist is moot.
        let kept = |bad: &Bad| matches!(bad, Bad::State(_) | Bad::Deadlock);
        distances = bads
            .iter()
            .zip(distances)
            .filter(|(b, _)| kept(b))
            .map(|(_, d)| d)
            .collect();
        bads.retain(kept);
    }
    let job = SafetyJob {
        program: &generated.program,
        bads: &bads,
        watch: &generated.atoms,
        exchange: Exchange::default(),
    };
    let fit = [1, 10, 100, 0][(seed / 8 % 4) as usize];
    let options = Options {
        storage: [
            Storage::Auto,
            Storage::Compressed,
            Storage::HashCompact,
            Storage::Bitstate,
        ][(seed / 2 % 4) as usize],
        tuning: Tuning::drawn(seed).with(Technique::AdaptivePacking, fit),
        ..Options::with_jobs(1 + (seed % 2) as usize)
    };
    let outcome = explore(&job, &options, budget, &Silent);
    let lossy = matches!(options.storage, Storage::HashCompact | Storage::Bitstate);
    assert_eq!(outcome.sampled, lossy);
    if !lossy && fit > 0 && outcome.statistics.states > fit {
        let is_shorter = outcome.statistics.state_bytes < by_types;
        spread.fitted[0] += 1;
        spread.fitted[1] += usize::from(is_shorter);
    }
    for ((bad, answer), distance) in bads.iter().zip(&outcome.answers).zip(&distances) {
        spread.verdict(distance.is_some());
        match (answer, distance) {
            (Answer::Clear, None) => {}
            (Answer::Violated(trace), Some(distance)) => {
                assert_eq!(
                    trace.steps.len(),
                    *distance,
                    "seed {seed}: {bad:?} in {trace:?}"
                );
                let replay = interp
                    .replay(trace)
                    .unwrap_or_else(|error| panic!("seed {seed}: {bad:?}: {error}: {trace:?}"));
                let shown = shown::shows(interp, &replay, bad);
                assert!(shown, "seed {seed}: {bad:?} is not shown by {trace:?}");
            }
            other => panic!("seed {seed}: {bad:?}: {other:?}"),
        }
    }
    if outcome.answers.contains(&Answer::Clear) {
        let seen: Vec<bool> = generated
            .atoms
            .iter()
            .map(|&a| whole.nearest(interp, a).is_some())
            .collect();
        assert_eq!(outcome.watched, seen, "seed {seed}");
    }
}

/// A random automaton over the program's atoms.
fn automaton(random: &mut Random, atoms: &[ExprId]) -> Buchi<ExprId> {
    let states = 1 + random.below(3);
    let edges = (0..states)
        .map(|_| {
            (0..1 + random.below(3))
                .map(|_| {
                    let mut label = Cube::TRUE;
                    for atom in 0..atoms.len() {
                        if random.chance(20) {
                            label = label.and(Cube::literal(atom, random.chance(50)));
                        }
                    }
                    Edge {
                        label,
                        target: BuchiState(random.below(states) as u32),
                        accepting: random.chance(60),
                    }
                })
                .collect()
        })
        .collect();
    Buchi {
        atoms: atoms.to_vec(),
        initial: BuchiState(0),
        edges,
    }
}

fn liveness(
    seed: u64,
    round: usize,
    generated: &Generated,
    whole: &twin::Whole,
    random: &mut Random,
    budget: &Budget,
    spread: &mut Spread,
) {
    let mut program = generated.program.clone();
    let automaton = automaton(random, &generated.atoms);
    let mut fair = Vec::new();
    for _ in 0..random.below(3) {
        let (steps, taken) = random.pick(&generated.sets);
        let (a, b) = (random.pick(&generated.atoms), random.pick(&generated.atoms));
        let kind = match random.below(4) {
            0 => FairnessKind::Justice(a),
            1 => FairnessKind::Compassion(a, b),
            2 => FairnessKind::Weak(steps),
            _ => FairnessKind::Strong(steps),
        };
        program.fairness.push(Fairness {
            name: String::new(),
            kind: kind.clone(),
            assumption: None,
        });
        fair.push(twin::Fair { kind, taken });
    }
    let interp = Interp::new(&program).with_micro_steps(20_000);
    let expected = twin::accepts(&interp, whole, &automaton, &fair);
    let job = LivenessJob {
        program: &program,
        automaton: &automaton,
        watch: &[],
    };
    let options = Options {
        tuning: Tuning::drawn(4 * seed + round as u64),
        ..Options::default()
    };
    let outcome = accepted_run(&job, &options, budget, &Silent);
    spread.verdict(expected);
    let search =
        |seat: &hub::Seat<'_>| accepted_run_together(&job, &options, budget, &Silent, seat);
    let together = hub::together(1 + random.below(3), &search);
    if outcome.answer == Answer::Clear {
        for one in &together {
            let counts = |outcome: &LivenessOutcome| outcome.statistics.states;
            assert_eq!(counts(one), counts(&outcome), "seed {seed}/{round}");
        }
    }
    let all = together.iter().chain([&outcome]);
    all.for_each(|outcome| match (&outcome.answer, expected) {
        (Answer::Clear, false) => {}
        (Answer::Violated(trace), true) => {
            let replay = interp
                .replay(trace)
                .unwrap_or_else(|error| panic!("seed {seed}/{round}: {error}: {trace:?}"));
            shows_acceptance(&interp, &replay, trace, &automaton, &fair)
                .unwrap_or_else(|why| panic!("seed {seed}/{round}: {why}: {trace:?}"));
        }
        other => panic!(
            "seed {seed}/{round}: {other:?}, fairness {:?}",
            program.fairness
        ),
    });
}

/// Whether the automaton accepts the word of a lasso, and its loop is fair.
fn shows_acceptance(
    interp: &Interp<'_>,
    replay: &model::interp::Replay,
    trace: &Trace,
    automaton: &Buchi<ExprId>,
    fair: &[twin::Fair],
) -> Result<(), String> {
    let holds = |state: &State, expr: ExprId| interp.holds(state, expr) == Ok(true);
    let letter = |state: &State| {
        let atoms = automaton.atoms.iter().enumerate();
        atoms.fold(0u64, |bits, (index, &a)| {
            bits | u64::from(holds(state, a)) << index
        })
    };
    let start = trace.loop_start.ok_or("no loop")?;
    let stem: Vec<u64> = (0..=start).map(|n| letter(replay.state(n))).collect();
    let resting = interp.stored(replay.state(start));
    let ends: Vec<(State, State)> = if start == trace.steps.len() {
        vec![(resting.clone(), resting)]
    } else {
        (start..trace.steps.len())
            .map(|n| (interp.stored(replay.state(n)), replay.state(n + 1).clone()))
            .collect()
    };
    let stutters = start == trace.steps.len();
    for (number, f) in fair.iter().enumerate() {
        let enabled = |state: &State| match &f.kind {
            FairnessKind::Weak(steps) | FairnessKind::Strong(steps) => {
                interp.moves(state).iter().flatten().any(|part| {
                    let process = state.instance(part.instance).expect("it moves").process;
                    matches!(part.action, Action::Step(s) if steps.contains(&(process, s)))
                })
            }
            _ => false,
        };
        let taken = |end: &State| !stutters && holds(end, f.taken);
        let fine = match &f.kind {
            FairnessKind::Justice(e) => ends.iter().any(|(_, end)| holds(end, *e)),
            FairnessKind::Compassion(a, b) => {
                ends.iter().all(|(_, end)| !holds(end, *a))
                    || ends.iter().any(|(_, end)| holds(end, *b))
            }
            FairnessKind::Weak(_) => ends.iter().any(|(from, end)| taken(end) || !enabled(from)),
            FairnessKind::Strong(_) => {
                ends.iter().all(|(from, _)| !enabled(from))
                    || ends.iter().any(|(_, end)| taken(end))
            }
            FairnessKind::WeakInstances => unreachable!("not generated"),
        };
        if !fine {
            return Err(format!("constraint {number} is not fulfilled"));
        }
    }
    // Product of the automaton with the positions of the loop; a few rounds through it suffice.
    let word: Vec<u64> = ends.iter().map(|(_, end)| letter(end)).collect();
    let mut here: BTreeSet<usize> = BTreeSet::from([automaton.initial.index()]);
    for &letter in &stem {
        here = here
            .iter()
            .flat_map(|&place| &automaton.edges[place])
            .filter(|edge| edge.label.matches(letter))
            .map(|edge| edge.target.index())
            .collect();
    }
    let count = automaton.state_count();
    // round[a][b]: there is a way around from a to b, and whether one is accepting.
    let mut round = vec![vec![(false, false); count]; count];
    for (from, row) in round.iter_mut().enumerate() {
        let mut now = BTreeSet::from([(from, false)]);
        for &letter in &word {
            now = now
                .iter()
                .flat_map(|&(place, seen)| {
                    automaton.edges[place]
                        .iter()
                        .filter(|edge| edge.label.matches(letter))
                        .map(move |edge| (edge.target.index(), seen || edge.accepting))
                })
                .collect();
        }
        for (to, seen) in now {
            row[to] = (true, row[to].1 || seen);
        }
    }
    for _ in 0..=count {
        for a in 0..count {
            for b in 0..count {
                for c in 0..count {
                    if round[a][b].0 && round[b][c].0 {
                        let seen = round[a][c].1 || round[a][b].1 || round[b][c].1;
                        round[a][c] = (true, seen);
                    }
                }
            }
        }
    }
    let accepted = here
        .iter()
        .any(|&from| (0..count).any(|at| (at == from || round[from][at].0) && round[at][at].1));
    if accepted {
        Ok(())
    } else {
        Err("the automaton does not accept".to_owned())
    }
}

#[test]
fn the_engine_and_the_interpreter_agree_on_random_programs() {
    let first = from_environment("PROBITY_RANDOM_SEED", 1);
    let count = from_environment("PROBITY_RANDOM_PROGRAMS", 120);
    let mut spread = Spread::default();
    for seed in first..first + count {
        compare(seed, &mut spread);
    }
    if count >= 100 {
        spread.check();
    }
}
