//! Safety: one breadth-first search for everything that must not be reached.
//!
//! States are expanded in the order of their numbers, which is the order in which they were found,
//! so each counterexample has the fewest macro steps there are.

use std::ops::ControlFlow;
use std::time::Instant;

use model::interp::State;
use model::{Bad, Budget, ExprId, Program, Progress, Statistics, Trace, UnknownReason};

use crate::compile::Demand;
use crate::engine::Engine;
use crate::expand::{End, Halt, Sink};
use crate::machine::Violation;
use crate::table::{StateId, Table};
use crate::trace::{Goal, Recovery};
use crate::{Answer, Options};

/// Macro steps between two looks at the budget.
const PULSE: u64 = 1 << 16;

/// What is to be found out about safety.
#[derive(Clone, Copy, Debug)]
pub struct SafetyJob<'a> {
    /// The program.
    pub program: &'a Program,
    /// What must not be reached; each gets its own answer.
    pub bads: &'a [Bad],
    /// Expressions of which it is to be said whether they ever hold at the end of a macro step.
    pub watch: &'a [ExprId],
}

/// The answers.
#[derive(Clone, Debug)]
pub struct SafetyOutcome {
    /// One for each bad thing, in their order.
    pub answers: Vec<Answer>,
    /// For each watched expression, whether it was seen to hold.
    pub watched: Vec<bool>,
    /// Whether a sample stood for a wide choice: then [`Answer::Clear`] is about the sample only.
    pub sampled: bool,
    /// What was done.
    pub statistics: Statistics,
}

/// Where something bad is.
#[derive(Clone, Copy, Debug)]
enum Found {
    /// In this stored state.
    At(StateId),
    /// In a macro step from this state: an outcome,
    Outcome(StateId, usize),
    /// or something on the way.
    Violation(StateId, Violation),
}

/// The search so far.
struct Search<'a> {
    bads: &'a [Bad],
    table: Table,
    /// The state from which each was found; initial states are their own.
    parents: Vec<StateId>,
    current: StateId,
    found: Vec<Option<Found>>,
    missing: usize,
    /// For each `Bad::State` and each watched expression, the position of its outcome.
    states: Vec<(usize, usize)>,
    watched: Vec<bool>,
    first_watched: usize,
    transitions: u64,
    pulse: u64,
    budget: &'a Budget,
    stop: Option<UnknownReason>,
}

/// What an exploration leaves behind.
struct Explored<'a> {
    engine: Engine<'a>,
    search: Search<'a>,
    sampled: bool,
    depth: u64,
}

/// Explores the program breadth-first.
///
/// Programs with features that this engine does not have are answered with
/// [`UnknownReason::Unsupported`].
pub fn explore(
    job: &SafetyJob<'_>,
    _options: &Options,
    budget: &Budget,
    progress: &dyn Progress,
) -> SafetyOutcome {
    let begin = Instant::now();
    let mut outcome = match run(job, budget, progress) {
        Ok(explored) => explored.outcome(),
        Err(reason) => SafetyOutcome {
            answers: vec![Answer::Unknown(reason); job.bads.len()],
            watched: vec![false; job.watch.len()],
            sampled: false,
            statistics: Statistics::default(),
        },
    };
    outcome.statistics.time = begin.elapsed();
    outcome
}

/// All stable states that can be reached, in the terms of the model, for comparison with others.
///
/// # Errors
/// If the program has features that this engine does not have, or the budget is exhausted.
pub fn stable_states(program: &Program, budget: &Budget) -> Result<Vec<State>, UnknownReason> {
    let job = SafetyJob {
        program,
        bads: &[],
        watch: &[],
    };
    let Explored { engine, search, .. } = run(&job, budget, &model::Silent)?;
    match search.stop {
        Some(reason) => Err(reason),
        None => {
            let table = &search.table;
            Ok((0..table.len())
                .map(|id| engine.read(table.state(StateId(id))))
                .collect())
        }
    }
}

fn run<'a>(
    job: &SafetyJob<'a>,
    budget: &'a Budget,
    progress: &dyn Progress,
) -> Result<Explored<'a>, UnknownReason> {
    let mut demand = Demand::default();
    let mut states = Vec::new();
    for (index, bad) in job.bads.iter().enumerate() {
        if let Bad::State(expr) = bad {
            states.push((index, demand.outcomes.len()));
            demand.outcomes.push(*expr);
        }
    }
    let first_watched = demand.outcomes.len();
    demand.outcomes.extend_from_slice(job.watch);
    let engine = Engine::new(job.program, demand, budget)?;
    let mut search = Search {
        bads: job.bads,
        table: Table::new(engine.packing.words),
        parents: Vec::new(),
        current: StateId(0),
        found: vec![None; job.bads.len()],
        missing: job.bads.len(),
        states,
        watched: vec![false; job.watch.len()],
        first_watched,
        transitions: 0,
        pulse: PULSE,
        budget,
        stop: None,
    };
    let mut driver = engine.driver();
    let constraints = job.program.state_constraint.len();
    for stored in &engine.initial {
        let inserted = search.table.insert(stored);
        if !inserted.new {
            continue;
        }
        search.parents.push(inserted.id);
        driver.load(stored);
        match driver.evaluate() {
            Ok(outcomes) => search.judge(&outcomes[constraints..], |_| Found::At(inserted.id)),
            Err(halt) => search.halted(halt),
        }
    }
    let mut next = StateId(0);
    let mut depth = 0;
    let mut level_end = search.table.len();
    let mut stored = vec![0; engine.packing.words];
    while next.0 < search.table.len() && search.stop.is_none() && !search.is_done() {
        if next.0 == level_end {
            depth += 1;
            level_end = search.table.len();
        }
        search.current = next;
        stored.copy_from_slice(search.table.state(next));
        match driver.expand(&stored, &mut search) {
            Ok(expanded) => {
                if !expanded.moves && !driver.is_valid_end() {
                    search.deadlock(next);
                }
            }
            Err(halt) => search.halted(halt),
        }
        next.0 += 1;
        if next.0.is_multiple_of(1 << 10) {
            search.look_at_budget();
            if next.0.is_multiple_of(1 << 14) {
                let statistics = search.statistics(depth, &engine);
                progress.report(&statistics, u64::from(search.table.len() - next.0));
            }
        }
    }
    let sampled = driver.machine.sampled || engine.sampled;
    drop(driver);
    Ok(Explored {
        engine,
        search,
        sampled,
        depth,
    })
}

impl Search<'_> {
    fn is_done(&self) -> bool {
        self.missing == 0 && !self.bads.is_empty()
    }

    fn halted(&mut self, halt: Halt) {
        if let Halt::Stop(reason) = halt {
            self.stop.get_or_insert(reason);
        }
    }

    fn look_at_budget(&mut self) {
        let memory = self.memory();
        if let Some(reason) = self.budget.exhausted(memory) {
            self.stop.get_or_insert(reason);
        }
        if self.table.len() > u32::MAX - (1 << 24) {
            self.stop.get_or_insert(UnknownReason::Memory);
        }
    }

    fn memory(&self) -> u64 {
        self.table.bytes() + (self.parents.capacity() * size_of::<StateId>()) as u64
    }

    fn statistics(&self, depth: u64, engine: &Engine<'_>) -> Statistics {
        Statistics {
            states: self.table.len().into(),
            transitions: self.transitions,
            depth,
            state_bytes: engine.packing.words as u64 * 8,
            memory: self.memory(),
            time: std::time::Duration::ZERO,
        }
    }

    /// Looks at what holds at the end of a macro step.
    fn judge(&mut self, outcomes: &[i64], found: impl Fn(usize) -> Found) {
        for &(bad, outcome) in &self.states {
            if outcomes[outcome] != 0 && self.found[bad].is_none() {
                self.found[bad] = Some(found(outcome));
                self.missing -= 1;
            }
        }
        for (seen, outcome) in self.watched.iter_mut().zip(&outcomes[self.first_watched..]) {
            *seen |= *outcome != 0;
        }
    }

    fn deadlock(&mut self, state: StateId) {
        for (bad, found) in self.bads.iter().zip(&mut self.found) {
            if *bad == Bad::Deadlock && found.is_none() {
                *found = Some(Found::At(state));
                self.missing -= 1;
            }
        }
    }

    fn go_on(&self) -> ControlFlow<()> {
        if self.stop.is_some() || self.is_done() {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }
}

impl Sink for Search<'_> {
    fn successor(&mut self, end: &End<'_>) -> ControlFlow<()> {
        self.transitions += 1;
        if self.table.insert(end.stored).new {
            self.parents.push(self.current);
        }
        if !end.outcomes.is_empty() {
            let current = self.current;
            self.judge(end.outcomes, |outcome| Found::Outcome(current, outcome));
            if self.is_done() {
                return ControlFlow::Break(());
            }
        }
        if self.transitions >= self.pulse {
            self.pulse = self.transitions + PULSE;
            self.look_at_budget();
            return self.go_on();
        }
        ControlFlow::Continue(())
    }

    fn violation(&mut self, violation: Violation, _log: u32) -> ControlFlow<()> {
        for (bad, found) in self.bads.iter().zip(&mut self.found) {
            let is_this = match (bad, violation) {
                (Bad::Check(wanted), Violation::Check(check)) => wanted.0 == check,
                (Bad::Fault(wanted), Violation::Fault(fault)) => wanted.contains(&fault),
                (Bad::Divergence, Violation::Divergence) => true,
                _ => false,
            };
            if is_this && found.is_none() {
                *found = Some(Found::Violation(self.current, violation));
                self.missing -= 1;
            }
        }
        self.go_on()
    }
}

impl Explored<'_> {
    fn outcome(self) -> SafetyOutcome {
        let mut recovery = None;
        let mut answers = Vec::new();
        for found in &self.search.found {
            answers.push(match (found, &self.search.stop) {
                (None, None) if self.search.is_done() => unreachable!("not all are found"),
                (None, None) => Answer::Clear,
                (None, Some(reason)) => Answer::Unknown(reason.clone()),
                (Some(found), _) => {
                    let trace = match &mut recovery {
                        Some(recovery) => self.trace(recovery, *found),
                        empty => Recovery::new(&self.engine)
                            .and_then(|made| self.trace(empty.insert(made), *found)),
                    };
                    match trace {
                        Ok(trace) => Answer::Violated(trace),
                        Err(reason) => Answer::Unknown(reason),
                    }
                }
            });
        }
        SafetyOutcome {
            answers,
            watched: self.search.watched.clone(),
            sampled: self.sampled,
            statistics: self.search.statistics(self.depth, &self.engine),
        }
    }

    /// The shortest run to something bad.
    fn trace(&self, recovery: &Recovery<'_, '_>, found: Found) -> Result<Trace, UnknownReason> {
        let (mut at, last) = match found {
            Found::At(state) => (state, None),
            Found::Outcome(state, outcome) => (state, Some(Goal::Outcome(outcome))),
            Found::Violation(state, violation) => (state, Some(Goal::Violation(violation))),
        };
        let mut goals: Vec<Goal> = last.into_iter().collect();
        let table = &self.search.table;
        loop {
            let parent = self.search.parents[at.index()];
            if parent == at {
                break;
            }
            goals.push(Goal::State(table.state(at).to_vec()));
            at = parent;
        }
        goals.reverse();
        recovery.run(table.state(at), &goals)
    }
}
