//! Safety, depth-first: for failures that lie deep, and for a proof that there are none.
//!
//! The search of SPIN (Holzmann, *The SPIN model checker*, 2003, chapter 8), with a stack of eight
//! bytes an entry: the number of a state in the store, and how many locations are left to try
//! there. A state is read back from the store when the search comes back to it. What differs: all
//! ends of the moves of one location are stored at once and wait on the stack, so that each move is
//! run once. A state that waits and is come to again waits on top; the entry below is passed over
//! later, so that the order is that of a search without waiting. The states on the way to the newest
//! are those of the entries that have been expanded; no parents are kept. All that can be reached is
//! stored, so a search that ends without a failure has found that there is none, as a breadth-first
//! one has.
//!
//! A [stubborn set](crate::reduction::partial_order) suffices where one of its moves leads to a
//! state that has not been expanded (Bošnački, Leue and Lluch Lafuente, *Partial-order reduction for
//! general state exploring algorithms*, STTT 11, 2009): that one is expanded later, so that from each
//! state one comes in finitely many steps to one that has been expanded in full.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use fastrand::Rng;
use model::{Budget, Progress, Statistics, Trace, UnknownReason};

use crate::engine::Engine;
use crate::evidence::result::along;
use crate::evidence::trace::{Goal, Recovery};
use crate::ir::capacity::Capacity;
use crate::ir::compile::View;
use crate::reduction::trial::is_worthless;
use crate::search::bfs::{SafetyJob, SafetyOutcome, prepared};
use crate::search::targets::{Found, Targets};
use crate::search::worker::{Notes, explorer};
use crate::store::{Full, Inserted, StateId, Store, Worker};
use crate::successors::expander::{Driver, End, Halt, Sink};
use crate::successors::local_expansion::{Next, Order};
use crate::vm::machine::Violation;
use crate::{Answer, Options};

/// Expansions between two looks at the budget.
const PULSE: u64 = 1 << 8;

/// Expansions between two reports of progress.
const REPORT: u64 = 1 << 14;

/// Of an entry: nothing has been tried.
const ALL: u32 = u32::MAX;

/// Explores the program depth-first; the moves of each state in an order that the seed chooses, if there
/// is one.
///
/// # Errors
/// If the program has features that this engine does not have, or an option asks for what this
/// search does not do.
pub(crate) fn explore(
    job: &SafetyJob<'_>,
    options: &Options,
    seed: Option<u64>,
    budget: &Budget,
    progress: &dyn Progress,
) -> Result<SafetyOutcome, UnknownReason> {
    if options.all {
        let what = "a depth-first search finds the first failure of each property (`--all-errors`)";
        return Err(UnknownReason::Option(what.to_owned()));
    }
    let mut room = Capacity::new(job.program);
    loop {
        let (engine, wanted) = prepared(room, job, (options, View::States), budget)?;
        let mut search = DepthFirst::new(&engine, &wanted, (options, seed), budget);
        search.run(progress);
        room = match engine.more_room() {
            None => return Ok(search.outcome(options)),
            Some(more) => more,
        };
        if let Some(reason) = budget.exhausted(0) {
            return Err(reason);
        }
    }
}

/// An entry of the stack.
#[derive(Clone, Copy, Debug)]
struct Entry {
    state: StateId,
    /// How many locations are left to try; [`ALL`] if the state has not been expanded.
    left: u32,
}

/// A run to something bad.
#[derive(Clone, Debug)]
struct Run {
    /// The states on the way, by their numbers; or themselves, where the store cannot give them
    /// back.
    states: Vec<StateId>,
    kept: Vec<u64>,
    /// How the macro step after them ends.
    last: Option<Goal>,
}

/// Whether a run may have a shorter like.
fn may_be_shorter(run: &Option<Run>) -> bool {
    run.as_ref()
        .is_some_and(|run| run.states.len() - 1 + usize::from(run.last.is_some()) > 0)
}

/// The search.
struct DepthFirst<'e, 'p> {
    engine: &'e Engine<'p>,
    budget: &'e Budget,
    driver: Driver<'e>,
    notes: Notes<'e>,
    store: Store,
    inserter: Worker,
    stack: Vec<Entry>,
    /// The states of the stack, if the store cannot give them back.
    kept: Vec<u64>,
    /// A bit for each state: whether it has been expanded.
    done: Vec<u64>,
    /// How many entries of the stack have been expanded, and the most that ever had.
    depth: u64,
    deepest: u64,
    expanded: u64,
    /// Expansions between which the budget is looked at are counted from here.
    told: u64,
    /// What has been found of each bad thing.
    found: Vec<Option<Run>>,
    reducing: bool,
    sampled: bool,
    /// Whether there is something else to be done than to search.
    stop: Option<UnknownReason>,
    /// The ends of the moves that are made.
    ends: Vec<u64>,
    inserted: Vec<Inserted>,
    began: Instant,
    /// Whether one bad thing is enough.
    first: bool,
    /// Chooses the order of moves, if it is chosen at random.
    at_random: Option<Rng>,
}

impl<'e, 'p> DepthFirst<'e, 'p> {
    fn new(
        engine: &'e Engine<'p>,
        wanted: &'e Targets<'e>,
        (options, seed): (&Options, Option<u64>),
        budget: &'e Budget,
    ) -> Self {
        let (mut store, mut inserters) = Store::new(&engine.packing.shape(), options.storage, 1);
        if let Some(seed) = seed {
            store.lose_others(seed);
        }
        DepthFirst {
            engine,
            budget,
            driver: explorer(engine),
            notes: Notes::new(wanted, budget),
            inserter: inserters.remove(0),
            stack: Vec::new(),
            kept: Vec::new(),
            done: Vec::new(),
            depth: 0,
            deepest: 0,
            expanded: 0,
            told: 0,
            found: vec![None; wanted.bads.len()],
            reducing: engine.reduces(),
            sampled: engine.sampled || !store.is_exact(),
            stop: None,
            ends: Vec::new(),
            inserted: Vec::new(),
            began: Instant::now(),
            first: options.first,
            at_random: seed.map(Rng::with_seed),
            store,
        }
    }

    /// Whether all is known that is asked for.
    fn is_done(&self) -> bool {
        let mut found = self.found.iter().map(Option::is_some);
        !self.found.is_empty()
            && if self.first {
                found.any(|found| found)
            } else {
                found.all(|found| found)
            }
    }

    /// Searches to the end, or up to a limit.
    fn run(&mut self, progress: &dyn Progress) {
        if let Err(Full) = self.begin() {
            self.stop = Some(UnknownReason::Memory);
        }
        let words = self.engine.packing.words;
        let mut from = vec![0; words];
        // The entry whose state that is.
        let mut at = usize::MAX;
        while let Some(&Entry { state, left }) = self.stack.last() {
            if self.stop.is_some() || self.is_done() || self.engine.is_short_of_room() {
                break;
            }
            let place = self.stack.len() - 1;
            let is_passed_over = left == ALL && self.is_done_with(state);
            if left == 0 || is_passed_over {
                self.stack.pop();
                self.kept.truncate(self.kept.len().min(place * words));
                self.depth -= u64::from(left == 0);
                at = usize::MAX;
                continue;
            }
            if at != place {
                if self.store.is_exact() {
                    self.store.read(state, &mut from);
                } else {
                    from.copy_from_slice(&self.kept[place * words..][..words]);
                }
                at = place;
            }
            self.look(progress);
            if left == ALL {
                self.deepest = self.deepest.max(self.depth);
                self.depth += 1;
                self.expanded += 1;
                self.begin_with(state);
            }
            if self.expand(place, &from).is_err() {
                self.stop.get_or_insert(UnknownReason::Memory);
            }
        }
        if self.driver.machine.gave_up && !self.is_done() {
            // All is looked at but what branches lead to that were too long.
            self.stop.get_or_insert(UnknownReason::StepBudget);
        }
        self.sampled |= self.driver.machine.sampled;
    }

    /// Stores the initial states, and looks at them.
    fn begin(&mut self) -> Result<(), Full> {
        let engine = self.engine;
        for stored in &engine.initial {
            self.ends.clear();
            self.ends.extend_from_slice(stored);
            let before = self.stack.len();
            self.insert()?;
            let Some(&Entry { state, .. }) = self.stack.get(before) else {
                continue;
            };
            self.driver.load(stored);
            let constraints = engine.program.state_constraint.len();
            match self.driver.evaluate() {
                Ok(outcomes) => self
                    .notes
                    .judge(&outcomes[constraints..], |_| Found::At(state)),
                Err(halt) => self.notes.halted(halt),
            }
            self.note(Some(before));
        }
        let known = vec![None; self.found.len()];
        let collects_outcomes = self.notes.begin(&known);
        self.driver.set_collects_outcomes(collects_outcomes);
        Ok(())
    }

    /// Tries what is left of the entry at a place, up to the next possible move.
    fn expand(&mut self, place: usize, from: &[u64]) -> Result<(), Full> {
        let Entry { state, left } = self.stack[place];
        let first = left == ALL;
        let before = self.notes.transitions;
        self.notes.current = state;
        self.ends.clear();
        let mut sink = Ends {
            notes: &mut self.notes,
            ends: &mut self.ends,
        };
        let left = (!first).then_some(left as usize);
        let mut expand = |left| (self.driver).expand_next(from, left, Order::LastFirst, &mut sink);
        let mut next = expand(left);
        while self.at_random.is_some()
            && let Ok(Next::Left(more @ 1..)) = next
        {
            // All moves are made before an order is chosen.
            next = expand(Some(more));
            if matches!(next, Ok(Next::Nothing)) {
                next = Ok(Next::Left(0));
            }
        }
        let mut left = 0;
        let mut all = None;
        match next {
            Ok(Next::Nothing) => {
                if first && !self.driver.is_valid_end() {
                    self.notes.deadlock(state);
                }
            }
            Ok(Next::Left(more)) => left = more,
            Ok(Next::Stubborn { all: whole }) => all = Some(whole),
            Err(Halt::FieldOverflow) => {
                debug_assert!(false, "states are packed by types");
                self.stop = Some(UnknownReason::Defect);
            }
            Err(halt) => self.notes.halted(halt),
        }
        self.note(None);
        // The entry is expanded: what was found lies behind it.
        self.stack[place].left = 0;
        if let Some(random) = &mut self.at_random {
            shuffle(&mut self.ends, self.engine.packing.words, random);
        }
        let new = self.insert()?;
        if let Some(whole) = all {
            if new || !self.engine.must_lead_on() {
                self.notes.reduced += 1;
            } else {
                // Its transitions will be counted again.
                self.notes.transitions = before;
                left = whole;
            }
            self.weigh_reduction();
        }
        self.stack[place].left = u32::try_from(left).expect("few locations");
        Ok(())
    }

    /// Whether a state has been expanded.
    fn is_done_with(&self, state: StateId) -> bool {
        let word = self.done.get(state.0 as usize / 64);
        word.is_some_and(|word| word >> (state.0 % 64) & 1 != 0)
    }

    /// A state is expanded.
    fn begin_with(&mut self, state: StateId) {
        let word = state.0 as usize / 64;
        if word >= self.done.len() {
            self.done.resize(word + 1, 0);
        }
        self.done[word] |= 1 << (state.0 % 64);
    }

    /// Stores the ends of moves; those that have not been expanded wait on the stack, the first on
    /// top. Says whether there are any.
    fn insert(&mut self) -> Result<bool, Full> {
        let words = self.engine.packing.words;
        self.inserted.clear();
        let result = self
            .store
            .insert_all(&mut self.inserter, &self.ends, &mut self.inserted);
        let before = self.stack.len();
        // Of bits alone it is not known which state is meant.
        let numbered = self.store.is_numbered();
        for (number, inserted) in self.inserted.iter().enumerate().rev() {
            if inserted.new || numbered && !self.is_done_with(inserted.id) {
                self.stack.push(Entry {
                    state: inserted.id,
                    left: ALL,
                });
                if !self.store.is_exact() {
                    self.kept
                        .extend_from_slice(&self.ends[number * words..][..words]);
                }
            }
        }
        self.inserter.take_fresh();
        result?;
        Ok(self.stack.len() > before)
    }

    /// Keeps the runs to what has been found in the last expansion, or in the initial state at a
    /// place.
    fn note(&mut self, initial: Option<usize>) {
        let newly = |(found, run): (&Option<Found>, &Option<Run>)| found.is_some() && run.is_none();
        if self.notes.found.iter().zip(&self.found).any(newly) {
            self.keep_runs(initial);
        }
        if let Some(reason) = self.notes.stop.take() {
            self.stop.get_or_insert(reason);
        }
    }

    #[cold]
    fn keep_runs(&mut self, initial: Option<usize>) {
        let words = self.engine.packing.words;
        let is_exact = self.store.is_exact();
        let mut places: Vec<usize> = Vec::new();
        match initial {
            Some(place) => places.push(place),
            None => {
                let expanded = |place: &usize| self.stack[*place].left != ALL;
                let last = self.stack.len() - 1;
                places.extend((0..last).filter(expanded));
                places.push(last);
            }
        }
        for bad in 0..self.found.len() {
            let Some(found) = self.notes.found[bad].filter(|_| self.found[bad].is_none()) else {
                continue;
            };
            let numbers = places.iter().map(|&place| self.stack[place].state);
            let kept = places.iter().filter(|_| !is_exact);
            let kept = kept.flat_map(|&place| &self.kept[place * words..][..words]);
            self.found[bad] = Some(Run {
                states: numbers.collect(),
                kept: kept.copied().collect(),
                last: match found {
                    Found::At(_) => None,
                    Found::Outcome(_, outcome) => Some(Goal::Outcome(outcome)),
                    Found::Violation(_, violation) => Some(Goal::Violation(violation)),
                },
            });
        }
        let known = self.notes.found.clone();
        let collects_outcomes = self.notes.begin(&known);
        self.driver.set_collects_outcomes(collects_outcomes);
    }

    /// Looks at the budget, now and then; tells how far it is.
    fn look(&mut self, progress: &dyn Progress) {
        if self.expanded - self.told < PULSE {
            return;
        }
        let reports = self.expanded / REPORT > self.told / REPORT;
        self.told = self.expanded;
        let beside = self.beside();
        if let Some(limit) = self.budget.memory {
            self.store.set_limit(limit.saturating_sub(beside));
        }
        if let Some(reason) = self.budget.exhausted(self.store.bytes() + beside) {
            self.stop.get_or_insert(reason);
        }
        if reports {
            let statistics = self.statistics();
            let waiting = statistics.states.saturating_sub(self.expanded);
            progress.report(&statistics, waiting);
        }
    }

    /// Leaves nothing out any more, if that is of no use.
    fn weigh_reduction(&mut self) {
        let tuning = self.engine.tuning();
        if self.reducing && is_worthless(tuning, self.expanded, self.notes.reduced) {
            self.reducing = false;
            self.driver.chooser = None;
        }
    }

    /// Bytes beside the store.
    fn beside(&self) -> u64 {
        let stack = self.stack.capacity() * size_of::<Entry>();
        let stack = stack + (self.kept.capacity() + self.done.capacity()) * 8;
        let runs = self.found.iter().flatten();
        let runs = runs.map(|run| run.states.len() * 4 + run.kept.len() * 8);
        (stack + runs.sum::<usize>() + self.engine.program.rich.bytes()) as u64
            + self.driver.transition_cache.bytes()
    }

    fn statistics(&self) -> Statistics {
        let has_reduced = self.notes.reduced > 0;
        Statistics {
            states: self.store.len().into(),
            transitions: self.notes.transitions,
            depth: self.deepest,
            state_bytes: self.store.state_bytes(),
            memory: self.store.bytes() + self.beside(),
            disk: 0,
            storage: self.store.storage().name(),
            omitted: self.store.omitted(),
            reduction: self.engine.reduction(has_reduced),
            time: self.began.elapsed(),
            explorations: Vec::new(),
        }
    }

    /// What is to be told.
    fn outcome(mut self, options: &Options) -> SafetyOutcome {
        let statistics = Statistics {
            time: Duration::ZERO,
            ..self.statistics()
        };
        let is_done = self.is_done();
        // What was only needed to go on.
        self.stack = Vec::new();
        let recovery = Recovery::new(self.engine);
        let answer = |run: &Option<Run>| match (run, &self.stop) {
            (Some(run), _) => match recovery.as_ref() {
                Ok(recovery) => self.told(recovery, run),
                Err(reason) => Answer::Unknown(reason.clone()),
            },
            (None, None) if is_done && options.first => {
                Answer::Unknown(UnknownReason::AnotherFailed)
            }
            (None, None) => Answer::Clear,
            (None, Some(reason)) => Answer::Unknown(reason.clone()),
        };
        SafetyOutcome {
            answers: self.found.iter().map(answer).collect(),
            watched: self.notes.watched.clone(),
            failures: Vec::new(),
            deep: self.found.iter().map(may_be_shorter).collect(),
            cut: false,
            sampled: self.sampled,
            statistics,
        }
    }

    fn told(&self, recovery: &Recovery<'_, '_>, run: &Run) -> Answer {
        let words = self.engine.packing.words;
        let state = |(number, &id): (usize, &StateId)| match run.kept.get(number * words..) {
            Some(kept) if !run.kept.is_empty() => kept[..words].to_vec(),
            _ => {
                let mut stored = vec![0; words];
                self.store.read(id, &mut stored);
                stored
            }
        };
        let states = run.states.iter().enumerate().map(state);
        let trace: Result<Trace, UnknownReason> = along(recovery, states, run.last.clone());
        match trace {
            Ok(trace) => Answer::Violated(trace),
            Err(reason) => Answer::Unknown(reason),
        }
    }
}

/// Puts states of so many words in another order.
fn shuffle(states: &mut [u64], words: usize, random: &mut Rng) {
    for last in (1..states.len() / words).rev() {
        let other = random.usize(..=last);
        for word in 0..words {
            states.swap(last * words + word, other * words + word);
        }
    }
}

/// Collects the ends of moves, and notes what is bad there or on the way.
struct Ends<'n, 'e> {
    notes: &'n mut Notes<'e>,
    ends: &'n mut Vec<u64>,
}

impl Sink for Ends<'_, '_> {
    fn successor(&mut self, end: &End<'_>) -> ControlFlow<()> {
        self.notes.transitions += 1;
        self.ends.extend_from_slice(end.stored);
        if end.outcomes.is_empty() {
            return ControlFlow::Continue(());
        }
        let current = self.notes.current;
        self.notes
            .judge(end.outcomes, |outcome| Found::Outcome(current, outcome));
        self.notes.go_on()
    }

    fn violation(&mut self, violation: Violation, _log: u32) -> ControlFlow<()> {
        self.notes.violation(violation)
    }
}
