//! Clauses of one or two signals that hold in all reachable states, found before anything else.
//!
//! Random runs suggest what never fails: constants, and pairs of signals that never have two
//! certain values together (so equal signals, and one-hot rows, too). Of these the largest set that
//! is inductive as a whole is kept, by dropping whatever a step breaks until none does (Houdini:
//! Flanagan, Leino, 2001; on circuits, van Eijk: *Sequential equivalence checking based on structural
//! similarities*, 2000). One solver answers all questions: a candidate is assumed as long as it is
//! one, so that what was learnt with it serves the next question. From each counterexample random
//! runs go on, which break more. What is kept serves induction and IC3, and is proved again with
//! the certificate.

use std::time::{Duration, Instant};

use circuit::Lit;
use model::{Budget, UnknownReason};

use crate::cnf::{Encoder, Polarity};
use crate::system::{Signal, System};
use solver::{Clauses, Limits, Literal, MakeSolver, Outcome, Solver};

/// Random runs: how long, how many batches of 64.
const STEPS: usize = 96;
const BATCHES: usize = 3;
/// More signals than this are not paired.
const MOST_SIGNALS: usize = 1500;
/// More pairs than this are not looked at further.
const MOST_PAIRS: usize = 30_000;
/// How many steps the runs have that begin where a counterexample does.
const WALK: usize = 8;
/// Counterexamples until the attempt is given up.
const MOST_ROUNDS: usize = 600;
const CONFLICTS: u64 = 3000;
/// Conflicts for one fact, where those were too few for all together.
const CONFLICTS_OF_ONE: u64 = 100;
/// Facts that take longer are not simple.
const PATIENCE: Duration = Duration::from_secs(10);

/// A row of numbers that looks random (SplitMix64).
pub(crate) struct Random(pub(crate) fastrand::Rng);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0.u64(..)
    }
}

/// What signals have been seen to be: for each a row of words, a bit an observed state.
struct Observed {
    rows: Vec<Vec<u64>>,
}

impl Observed {
    fn push(&mut self, values: &[u64]) {
        for (row, &value) in self.rows.iter_mut().zip(values) {
            row.push(value);
        }
    }

    /// Whether one of the two has its value in each state; the second may be the first.
    fn never_fails(&self, a: (usize, bool), b: (usize, bool)) -> bool {
        let flip = |value: bool| if value { 0 } else { !0u64 };
        let (a_row, b_row) = (&self.rows[a.0], &self.rows[b.0]);
        let (a_flip, b_flip) = (flip(a.1), flip(b.1));
        let mut columns = a_row.iter().zip(b_row);
        columns.all(|(&x, &y)| !(x ^ a_flip) & !(y ^ b_flip) == 0)
    }
}

/// Finds facts and gives them to the system.
///
/// # Errors
/// If time is over. That no facts were found is no error.
pub(crate) fn find<M: MakeSolver>(
    system: &mut System,
    make: &M,
    limits: &Limits<'_>,
) -> Result<(), UnknownReason> {
    let patience = Instant::now() + PATIENCE;
    let deadline = limits.budget.deadline;
    let short = Budget {
        deadline: Some(deadline.map_or(patience, |deadline| deadline.min(patience))),
        ..limits.budget.clone()
    };
    let hurried = Limits {
        budget: &short,
        ..*limits
    };
    let Some(start) = some_initial_state(system, make, &hurried) else {
        return Ok(());
    };
    let mut observed = Observed {
        rows: vec![Vec::new(); system.signals.len()],
    };
    observe(system, &start, &mut observed);
    let candidates = suggest(system, &observed);
    if candidates.is_empty() {
        return Ok(());
    }
    if let Some(reason) = limits.exhausted(0) {
        return Err(reason);
    }
    let kept = inductive(system, make, &hurried, candidates);
    system.facts = kept
        .into_iter()
        .map(|fact| {
            let lits = |of: fn(&Signal) -> Lit| {
                let literals = fact.iter();
                literals
                    .map(|&(signal, value)| of(&system.signals[signal]).invert_if(!value))
                    .collect::<Vec<Lit>>()
            };
            (lits(|signal| signal.now), lits(|signal| signal.origin))
        })
        .collect();
    Ok(())
}

/// The latches in states that random runs come through: for each a row of words, a bit a state.
pub(crate) fn observed_latches<M: MakeSolver>(
    system: &System,
    make: &M,
    limits: &Limits<'_>,
) -> Option<Vec<Vec<u64>>> {
    let start = some_initial_state(system, make, limits)?;
    let mut observed = Observed {
        rows: vec![Vec::new(); system.signals.len()],
    };
    observe(system, &start, &mut observed);
    observed.rows.truncate(system.circuit.latches.len());
    Some(observed.rows)
}

/// The latches of an initial state.
fn some_initial_state<M: MakeSolver>(
    system: &System,
    make: &M,
    limits: &Limits<'_>,
) -> Option<Vec<bool>> {
    let state = system.circuit.reset_state();
    if system.initial.is_empty() {
        return Some(state);
    }
    let mut solver = make.make();
    let mut encoder = Encoder::new();
    let aig = &system.circuit.aig;
    for &lit in &system.initial {
        let literal = encoder.literal(aig, lit, Polarity::TRUE, &mut solver);
        solver.add_clause(&[literal]);
    }
    let latches = system.circuit.latches.len();
    let mut literals = Vec::new();
    for signal in &system.signals[..latches] {
        let literal = encoder.literal(aig, signal.now, Polarity::BOTH, &mut solver);
        if let Some(value) = signal.reset {
            solver.add_clause(&[literal.negated_if(!value)]);
        }
        literals.push(literal);
    }
    match solver.solve(&[], None, &limits.conflicts(CONFLICTS)) {
        Outcome::Satisfiable => {
            let values = literals.into_iter();
            Some(values.map(|l| solver.value(l) == Some(true)).collect())
        }
        _ => None,
    }
}

/// Random runs. Inputs that make no step are not taken.
fn observe(system: &System, start: &[bool], observed: &mut Observed) {
    let mut random = Random(fastrand::Rng::with_seed(1));
    let circuit = &system.circuit;
    let spread: Vec<u64> = start.iter().map(|&bit| if bit { !0 } else { 0 }).collect();
    for batch in 0..BATCHES {
        let mut state = spread.clone();
        if system.initial.is_empty() {
            for (word, latch) in state.iter_mut().zip(&circuit.latches) {
                if latch.reset == circuit::Reset::Free {
                    *word = random.next();
                }
            }
        }
        for _ in 0..STEPS {
            let inputs: Vec<u64> = circuit
                .inputs
                .iter()
                .map(|_| match batch {
                    0 => random.next(),
                    1 => random.next() | random.next(),
                    _ => random.next() & random.next(),
                })
                .collect();
            let words = circuit.simulate(&state, &inputs);
            let values: Vec<u64> = system.signals.iter().map(|s| words.word(s.now)).collect();
            observed.push(&values);
            let steps = system
                .step
                .iter()
                .fold(!0, |all, &lit| all & words.word(lit));
            let next = words.next_state();
            for (word, next) in state.iter_mut().zip(next) {
                *word = *word & !steps | next & steps;
            }
        }
    }
}

/// A clause: signals, and the values of which one is right.
type Fact = Vec<(usize, bool)>;

fn suggest(system: &System, observed: &Observed) -> Vec<Fact> {
    let count = system.signals.len();
    let mut candidates: Vec<Fact> = Vec::new();
    let mut varying = Vec::new();
    for signal in 0..count {
        match [false, true].map(|value| observed.never_fails((signal, value), (signal, value))) {
            [true, _] => candidates.push(vec![(signal, false)]),
            [_, true] => candidates.push(vec![(signal, true)]),
            _ => varying.push(signal),
        }
    }
    if varying.len() > MOST_SIGNALS {
        return candidates;
    }
    // Of signals that look the same, each is tied to the first only.
    let mut pairs = Vec::new();
    let mut classes: std::collections::HashMap<Vec<u64>, usize> = std::collections::HashMap::new();
    let mut first_of_class = Vec::new();
    for &signal in &varying {
        let row = &observed.rows[signal];
        let turned = row.first().is_some_and(|word| word & 1 == 1);
        let key: Vec<u64> = row
            .iter()
            .map(|word| if turned { !word } else { *word })
            .collect();
        if let Some(&first) = classes.get(&key) {
            for value in [false, true] {
                let same = observed.never_fails((first, value), (signal, !value));
                pairs.push(vec![(first, value), (signal, value != same)]);
            }
        } else {
            classes.insert(key, signal);
            first_of_class.push(signal);
        }
    }
    for (position, &a) in first_of_class.iter().enumerate() {
        for &b in &first_of_class[position + 1..] {
            for (p, q) in [(false, false), (false, true), (true, false), (true, true)] {
                if observed.never_fails((a, p), (b, q)) {
                    pairs.push(vec![(a, p), (b, q)]);
                }
            }
        }
        if pairs.len() > MOST_PAIRS {
            return candidates;
        }
    }
    candidates.extend(pairs);
    candidates
}

/// The largest part of the candidates that holds initially and is kept by each step; nothing if
/// that is too much work.
fn inductive<M: MakeSolver>(
    system: &System,
    make: &M,
    limits: &Limits<'_>,
    facts: Vec<Fact>,
) -> Vec<Fact> {
    let limits = limits.conflicts(CONFLICTS);
    let mut rounds = 0;
    let initial = Question::new(system, make.make(), facts, When::Initially);
    let Some(facts) = initial.without_broken(&mut rounds, &limits) else {
        return Vec::new();
    };
    let step = Question::new(system, make.make(), facts, When::AfterStep);
    step.without_broken(&mut rounds, &limits)
        .unwrap_or_default()
}

/// Where facts are asked for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum When {
    /// In initial states.
    Initially,
    /// Behind a step from a state where all of them hold.
    AfterStep,
}

/// A fact, and what is assumed to ask for it.
struct Candidate {
    fact: Fact,
    /// It holds before the step.
    held: Literal,
    /// It does not hold.
    broken: Literal,
}

/// Which candidates hold?
struct Question<'s, S> {
    system: &'s System,
    when: When,
    solver: S,
    /// Where the step begins.
    latches: Vec<Literal>,
    inputs: Vec<Literal>,
    /// Per signal, where facts are asked for.
    signals: Vec<Literal>,
    candidates: Vec<Candidate>,
    random: Random,
}

impl<'s, S: Solver> Question<'s, S> {
    fn new(system: &'s System, mut solver: S, facts: Vec<Fact>, when: When) -> Self {
        let aig = &system.circuit.aig;
        let mut encoder = Encoder::complete(aig, &system.roots());
        let mut both = |lit: Lit, solver: &mut S| encoder.literal(aig, lit, Polarity::BOTH, solver);
        let mut row = |of: fn(&Signal) -> Lit, solver: &mut S| -> Vec<Literal> {
            let signals = system.signals.iter();
            signals.map(|signal| both(of(signal), solver)).collect()
        };
        let now = row(|signal| signal.now, &mut solver);
        let (signals, always) = match when {
            When::Initially => (now.clone(), [&system.initial[..], &system.state].concat()),
            When::AfterStep => (
                row(|signal| signal.next, &mut solver),
                [&system.state[..], &system.step].concat(),
            ),
        };
        for lit in always {
            let literal = both(lit, &mut solver);
            solver.add_clause(&[literal]);
        }
        if when == When::Initially {
            for (signal, literal) in system.signals.iter().zip(&now) {
                if let Some(value) = signal.reset {
                    solver.add_clause(&[literal.negated_if(!value)]);
                }
            }
        }
        let inputs = system.circuit.inputs.iter();
        let inputs = inputs.map(|input| both(input.lit, &mut solver)).collect();
        let candidates = facts.into_iter().map(|fact| {
            let says = |row: &[Literal]| -> Vec<Literal> {
                let literals = fact.iter();
                literals
                    .map(|&(s, value)| row[s].negated_if(!value))
                    .collect()
            };
            let held = solver.new_var().literal(true);
            if when == When::AfterStep {
                let mut clause = says(&now);
                clause.push(!held);
                solver.add_clause(&clause);
            }
            let broken = solver.new_var().literal(true);
            for literal in says(&signals) {
                solver.add_clause(&[!broken, !literal]);
            }
            Candidate { fact, held, broken }
        });
        let candidates = candidates.collect();
        Question {
            system,
            when,
            solver,
            latches: now[..system.circuit.latches.len()].to_vec(),
            inputs,
            signals,
            candidates,
            random: Random(fastrand::Rng::with_seed(2)),
        }
    }

    /// The facts without those that do not hold; nothing if that is too much work.
    fn without_broken(mut self, rounds: &mut usize, limits: &Limits<'_>) -> Option<Vec<Fact>> {
        while !self.candidates.is_empty() {
            *rounds += 1;
            if *rounds > MOST_ROUNDS || limits.expired() {
                return None;
            }
            let held: Vec<Literal> = self.candidates.iter().map(|c| c.held).collect();
            let broken: Vec<Literal> = self.candidates.iter().map(|c| c.broken).collect();
            match self.solver.solve(&held, Some(&broken), limits) {
                Outcome::Unsatisfiable => break,
                Outcome::Unknown if self.all_are_simple(limits) => break,
                Outcome::Unknown => {}
                Outcome::Satisfiable => self.drop_refuted(),
            }
        }
        Some(self.candidates.into_iter().map(|c| c.fact).collect())
    }

    /// Drops what the solver's assignment breaks, and what random runs break that begin as it does.
    /// Whatever states these come to satisfy all that is left.
    fn drop_refuted(&mut self) {
        let (solver, signals) = (&self.solver, &self.signals);
        let holds = |&(s, value): &(usize, bool)| {
            solver.value(signals[s].negated_if(!value)) != Some(false)
        };
        self.candidates.retain(|c| c.fact.iter().any(holds));
        if self.when == When::Initially {
            return;
        }
        let spread = |row: &[Literal]| -> Vec<u64> {
            let values = row.iter().map(|&literal| solver.value(literal));
            values
                .map(|value| if value == Some(true) { !0 } else { 0 })
                .collect()
        };
        let (mut state, chosen) = (spread(&self.latches), spread(&self.inputs));
        let (circuit, random) = (&self.system.circuit, &mut self.random);
        for turn in 0..WALK {
            // Some inputs are other ones at first, and all of them later.
            let inputs: Vec<u64> = match turn {
                0 => chosen
                    .iter()
                    .map(|word| word ^ (random.next() & random.next() & random.next()))
                    .collect(),
                _ => chosen.iter().map(|_| random.next()).collect(),
            };
            let words = circuit.simulate(&state, &inputs);
            let always = self.system.state.iter().chain(&self.system.step);
            let steps = always.fold(!0, |all, &lit| all & words.word(lit));
            self.candidates.retain(|c| {
                let holds = c.fact.iter().fold(0, |any, &(s, value)| {
                    let next = self.system.signals[s].next;
                    any | words.word(next.invert_if(!value))
                });
                steps & !holds == 0
            });
            for (word, next) in state.iter_mut().zip(words.next_state()) {
                *word = *word & !steps | next & steps;
            }
        }
    }

    /// Drops what does not hold, and what takes more than little work to show. Whether nothing was
    /// dropped: then all of them hold.
    fn all_are_simple(&mut self, limits: &Limits<'_>) -> bool {
        let limits = limits.conflicts(CONFLICTS_OF_ONE);
        let before = self.candidates.len();
        let mut position = 0;
        while let Some(candidate) = self.candidates.get(position) {
            let mut asked: Vec<Literal> = self.candidates.iter().map(|c| c.held).collect();
            asked.push(candidate.broken);
            match self.solver.solve(&asked, None, &limits) {
                Outcome::Unsatisfiable => position += 1,
                Outcome::Unknown => drop(self.candidates.remove(position)),
                Outcome::Satisfiable => self.drop_refuted(),
            }
        }
        self.candidates.len() == before
    }
}
