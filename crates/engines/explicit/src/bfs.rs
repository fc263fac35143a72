//! Safety: one breadth-first search for everything that must not be reached.
//!
//! States are expanded in the order of their numbers, which is the order in which they were found,
//! so each counterexample has the fewest macro steps there are. Several scouts expand parts of a
//! level side by side and put aside what the table does not have yet; bringing that together in
//! order gives the same numbers, and the same answers, as one alone.

use std::time::Instant;

use model::interp::State;
use model::{Bad, Budget, ExprId, Program, Progress, Statistics, Trace, UnknownReason};

use crate::compile::Demand;
use crate::engine::Engine;
use crate::scout::{Found, Scout, Wanted};
use crate::table::{StateId, Table};
use crate::trace::{Goal, Recovery};
use crate::{Answer, Options};

/// Macro steps that a scout makes before finds are brought together.
const PHASE: u64 = 1 << 18;

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

/// What an exploration leaves behind.
struct Explored<'a> {
    engine: Engine<'a>,
    search: Search,
}

/// Explores the program breadth-first.
///
/// Programs with features that this engine does not have are answered with
/// [`UnknownReason::Unsupported`].
pub fn explore(
    job: &SafetyJob<'_>,
    options: &Options,
    budget: &Budget,
    progress: &dyn Progress,
) -> SafetyOutcome {
    let begin = Instant::now();
    let mut outcome = match run(job, options, budget, progress) {
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
    let Explored { engine, search } = run(&job, &Options::default(), budget, &model::Silent)?;
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
    options: &Options,
    budget: &Budget,
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
    let wanted = Wanted {
        bads: job.bads,
        states,
        first_watched,
        watched: job.watch.len(),
    };
    let mut search = Search {
        table: Table::new(engine.packing.words),
        parents: Vec::new(),
        found: vec![None; job.bads.len()],
        watched: vec![false; job.watch.len()],
        transitions: 0,
        sampled: engine.sampled,
        depth: 0,
        stop: None,
    };
    let mut scouts: Vec<Scout<'_>> = (0..options.jobs.max(1))
        .map(|_| Scout::new(&engine, &wanted, budget))
        .collect();
    for stored in &engine.initial {
        let inserted = search.table.insert(stored);
        if inserted.new {
            search.parents.push(inserted.id);
            scouts[0].look_at(stored, inserted.id);
        }
    }
    search.merge(&mut scouts);
    let mut next = 0;
    let mut level_end = search.table.len();
    let mut reported = 0;
    while next < search.table.len() && search.stop.is_none() && !search.is_done() {
        if next == level_end {
            search.depth += 1;
            level_end = search.table.len();
        }
        let size = search.phase(next, scouts.len()).min(level_end - next);
        search.expand(&mut scouts, next..next + size);
        next += size;
        if search.stop.is_none() {
            search.stop = budget.exhausted(search.memory());
        }
        if search.table.len() > u32::MAX - (1 << 24) {
            search.stop.get_or_insert(UnknownReason::Memory);
        }
        if next - reported >= 1 << 14 {
            reported = next;
            let statistics = search.statistics(&engine);
            progress.report(&statistics, u64::from(search.table.len() - next));
        }
    }
    drop(scouts);
    Ok(Explored { engine, search })
}

/// The search so far.
struct Search {
    table: Table,
    /// The state from which each was found; initial states are their own.
    parents: Vec<StateId>,
    found: Vec<Option<Found>>,
    watched: Vec<bool>,
    transitions: u64,
    sampled: bool,
    depth: u64,
    stop: Option<UnknownReason>,
}

impl Search {
    fn is_done(&self) -> bool {
        !self.found.is_empty() && self.found.iter().all(Option::is_some)
    }

    /// How many states to expand before the scouts' finds are brought together: enough to make
    /// it worth while, not so many that a counterexample waits.
    fn phase(&self, expanded: u32, scouts: usize) -> u32 {
        let branching = self.transitions / u64::from(expanded.max(1)) + 1;
        let each = (PHASE / branching).clamp(8, 8192) * scouts as u64;
        u32::try_from(each.min(1 << 20)).expect("a small number")
    }

    /// Expands the states with these numbers. The new ones get the same numbers however many
    /// scouts there are: each scout takes a part of the states, in order, and the parts are
    /// brought together in order.
    fn expand(&mut self, scouts: &mut [Scout<'_>], states: std::ops::Range<u32>) {
        for scout in scouts.iter_mut() {
            scout.begin(&self.found);
        }
        if scouts.len() == 1 || states.len() < 4 * scouts.len() {
            scouts[0].expand_directly(&mut self.table, &mut self.parents, states);
        } else {
            let table = &self.table;
            let share = states.len().div_ceil(scouts.len());
            std::thread::scope(|threads| {
                for (number, scout) in scouts.iter_mut().enumerate() {
                    let from = states.start + u32::try_from(number * share).expect("few states");
                    let to = from.saturating_add(u32::try_from(share).expect("few states"));
                    let part = from.min(states.end)..to.min(states.end);
                    threads.spawn(move || scout.expand_aside(table, part));
                }
            });
            for scout in scouts.iter_mut() {
                scout.bring(&mut self.table, &mut self.parents);
            }
        }
        self.merge(scouts);
    }

    fn merge(&mut self, scouts: &mut [Scout<'_>]) {
        for scout in scouts {
            for (found, theirs) in self.found.iter_mut().zip(&scout.found) {
                *found = found.or(*theirs);
            }
            for (seen, theirs) in self.watched.iter_mut().zip(&scout.watched) {
                *seen |= theirs;
            }
            self.transitions += std::mem::take(&mut scout.transitions);
            self.sampled |= scout.sampled();
            if self.stop.is_none() {
                self.stop = scout.stop.take();
            }
        }
    }

    fn memory(&self) -> u64 {
        self.table.bytes() + (self.parents.capacity() * size_of::<StateId>()) as u64
    }

    fn statistics(&self, engine: &Engine<'_>) -> Statistics {
        Statistics {
            states: self.table.len().into(),
            transitions: self.transitions,
            depth: self.depth,
            state_bytes: engine.packing.words as u64 * 8,
            memory: self.memory(),
            time: std::time::Duration::ZERO,
        }
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
            sampled: self.search.sampled,
            statistics: self.search.statistics(&self.engine),
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
