//! A worker: expands states and notes what is new, what is bad and what holds.

use std::collections::VecDeque;
use std::ops::{ControlFlow, Range};
use std::sync::Arc;

use model::{Bad, Budget, Pulse, UnknownReason};

use crate::engine::Engine;
use crate::evidence::failure_classes::FailureClasses;
use crate::evidence::parent_bits::WorkerParentBits;
use crate::ir::state_width::{Any, Width, with_width};
use crate::reduction::level_proviso::{Known, LevelProviso};
use crate::reduction::trial::{Sample, ends_in_full};
use crate::search::block::Block;
use crate::search::frontier::{Shared, WorkerState};
use crate::search::targets::{Found, Targets, is_of};
use crate::store::{BATCH, Batch, Full, Inserted, StateId, Store, Worker};
use crate::successors::expander::{Driver, End, Expanded, Halt, Sink};
use crate::successors::transition_cache::{Ended, copy_words};
use crate::vm::machine::Violation;

/// Batches looked up, or states expanded, between two looks at the budget, at most.
const PULSE: u32 = 1 << 10;
/// Expansions between two looks at the budget.
const TELL: u64 = 256;

/// A worker.
pub(crate) struct SearchWorker<'e> {
    pub(crate) driver: Driver<'e>,
    notes: Notes<'e>,
    constraints: usize,
    pub(crate) inserter: Worker,
    pub(crate) parent_bits: WorkerParentBits,
    /// States of the present block.
    states: Vec<u64>,
    /// Ends of macro steps that are still to be looked up.
    pending: Pending,
    /// Expansions whose finds may be pending.
    recent: VecDeque<Run>,
    /// The states added since they were last asked for, if the store does not keep them.
    fresh: Vec<u64>,
    /// Which reduced expansions lead on.
    leads_on: LevelProviso,
    /// What it has not got around to.
    pub(crate) left: Vec<Block>,
    expanded: u64,
    told: WorkerState,
}

/// Expansions of states one after the other.
#[derive(Clone, Debug)]
struct Run {
    /// The number of the first one.
    first: u32,
    states: Range<u32>,
    /// The transitions made before.
    transitions: u64,
}

/// States that are still to be looked up, and the expansion in which each was found. While one
/// batch is filled, what a look at the other needs is on its way from memory.
#[derive(Default)]
struct Pending {
    filling: FoundBatch,
    waiting: FoundBatch,
    inserted: Vec<Inserted>,
}

/// A batch, and the expansion in which each of its states was found.
struct FoundBatch {
    batch: Batch,
    expansions: [u32; BATCH],
}

impl Default for FoundBatch {
    fn default() -> Self {
        FoundBatch {
            batch: Batch::default(),
            expansions: [0; BATCH],
        }
    }
}

impl FoundBatch {
    fn expansions(&self) -> &[u32] {
        &self.expansions[..self.batch.len()]
    }
}

/// What a worker has noted.
pub(crate) struct Notes<'e> {
    wanted: &'e Targets<'e>,
    budget: &'e Budget,
    pub(crate) current: StateId,
    expansion: u32,
    pub(crate) found: Vec<Option<Found>>,
    /// All failing places, if they are wanted.
    pub(crate) distinct: Option<FailureClasses>,
    missing: usize,
    pub(crate) watched: Vec<bool>,
    pub(crate) transitions: u64,
    /// Expansions that were reduced and stayed so,
    pub(crate) reduced: u64,
    /// and some of them made in full,
    pub(crate) sample: Sample,
    /// if more are to be.
    samples: bool,
    /// For what one expansion finds.
    looked_up: Pulse,
    /// For expansions.
    done: Pulse,
    pub(crate) stop: Option<UnknownReason>,
}

impl<'e> std::ops::Deref for SearchWorker<'e> {
    type Target = Notes<'e>;

    fn deref(&self) -> &Notes<'e> {
        &self.notes
    }
}

impl std::ops::DerefMut for SearchWorker<'_> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.notes
    }
}

/// A driver for workers.
pub(crate) fn explorer<'e>(engine: &'e Engine<'_>) -> Driver<'e> {
    let driver = engine.driver();
    driver
        .with_only_changes(engine.observed())
        .with_transition_cache()
}

impl<'e> SearchWorker<'e> {
    pub(crate) fn new(
        engine: &'e Engine<'_>,
        inserter: Worker,
        wanted: &'e Targets<'e>,
        budget: &'e Budget,
    ) -> Self {
        SearchWorker {
            driver: explorer(engine),
            notes: Notes::new(wanted, budget),
            constraints: engine.program.state_constraint.len(),
            inserter,
            parent_bits: WorkerParentBits::default(),
            states: Vec::new(),
            pending: Pending::default(),
            recent: VecDeque::new(),
            fresh: Vec::new(),
            leads_on: LevelProviso::default(),
            left: Vec::new(),
            expanded: 0,
            told: WorkerState::default(),
        }
    }

    /// Whether a sample stood for a wide choice.
    pub(crate) fn sampled(&self) -> bool {
        self.driver.machine.sampled
    }

    /// Whether some branch of a macro step was given up.
    pub(crate) fn gave_up(&self) -> bool {
        self.driver.machine.gave_up
    }

    /// Begins a level, in which some answers are known; with what is known of states, if a
    /// reduced expansion has to lead on; and whether some reduced expansions are made in full, too.
    pub(crate) fn begin(&mut self, found: &[Option<Found>], known: Option<Known>, samples: bool) {
        self.leads_on.begin(known);
        self.notes.samples = samples;
        let collects_outcomes = self.notes.begin(found);
        self.driver.set_collects_outcomes(collects_outcomes);
    }

    /// Adds an initial state, and looks at it.
    pub(crate) fn add_initial(&mut self, store: &Store, stored: &[u64]) {
        let inserted = &mut self.pending.inserted;
        inserted.clear();
        if store
            .insert_all(&mut self.inserter, stored, inserted)
            .is_err()
        {
            self.notes.stop = Some(UnknownReason::Memory);
            return;
        }
        let Inserted { id, new } = inserted[0];
        if !new {
            return;
        }
        self.parent_bits.found_initial();
        if !store.is_exact() {
            self.fresh.extend_from_slice(stored);
        }
        self.driver.load(stored);
        match self.driver.evaluate() {
            Ok(outcomes) => {
                self.notes
                    .judge(&outcomes[self.constraints..], |_| Found::At(id));
            }
            Err(halt) => self.notes.halted(halt),
        }
    }

    /// Works on a level until nothing of it is left or it is time to stop.
    pub(crate) fn work(&mut self, shared: &Shared<'_>) {
        self.driver.transition_cache.take_over();
        while let Some(block) = shared.take(self.inserter.number()) {
            let done = self.expand(shared, &block);
            self.expanded += u64::from(done);
            if done < block.len() {
                self.left.push(block.part(done..block.len()));
                shared.halt();
            }
            self.expand_again(shared);
            if self.expanded - self.told.expanded >= TELL {
                self.tell(shared);
            }
        }
        loop {
            if self.flush(shared.store).is_err() {
                self.notes.stop.get_or_insert(UnknownReason::Memory);
                break;
            }
            self.leads_on.all_looked_up();
            if !self.expand_again(shared) {
                break;
            }
        }
        if !self.pending.is_empty() {
            self.undo();
        }
        self.recent.clear();
        if let Some(reason) = self.notes.stop.take() {
            shared.stop(reason);
        }
    }

    /// How many states it has expanded.
    pub(crate) fn expanded(&self) -> u64 {
        self.expanded
    }

    /// Leaves nothing out any more.
    pub(crate) fn reduce_no_more(&mut self) {
        self.driver.chooser = None;
    }

    /// Tells the others how far it is.
    pub(crate) fn tell(&mut self, shared: &Shared<'_>) {
        let now = WorkerState {
            transitions: self.notes.transitions,
            expanded: self.expanded,
            bytes: self.parent_bits.bytes()
                + self.driver.transition_cache.bytes()
                + (self.fresh.capacity() * 8) as u64,
        };
        shared.tell(&mut self.told, now);
    }

    /// Expands the states of a block; says how many.
    fn expand(&mut self, shared: &Shared<'_>, block: &Block) -> u32 {
        let mut states = std::mem::take(&mut self.states);
        block.read(shared.store, shared.width, &mut states);
        let done = with_width!(shared.width, width => {
            self.expand_all(width, shared.store, &block.ids, &states, false, || shared.is_halted())
        });
        self.states = states;
        done
    }

    /// Expands states with these numbers, perhaps in full, up to where it is to stop; says how many.
    #[inline(always)]
    fn expand_all(
        &mut self,
        width: impl Width,
        store: &Store,
        ids: &Range<u32>,
        states: &[u64],
        fully: bool,
        is_halted: impl Fn() -> bool,
    ) -> u32 {
        let first = self.parent_bits.expand(ids.clone());
        self.recent.push_back(Run {
            first,
            states: ids.clone(),
            transitions: self.notes.transitions,
        });
        let doubtful = !fully && self.leads_on.applies();
        let mut sink = Visit {
            notes: &mut self.notes,
            pending: &mut self.pending,
            inserter: &mut self.inserter,
            parent_bits: &mut self.parent_bits,
            fresh: &mut self.fresh,
            recent: &mut self.recent,
            leads_on: &mut self.leads_on,
            store,
        };
        let driver = &mut self.driver;
        let mut done = 0;
        for stored in states.chunks_exact(width.get()) {
            let id = StateId(ids.start + done);
            let expansion = first + done;
            sink.notes.current = id;
            sink.notes.expansion = expansion;
            let before = sink.notes.transitions;
            if doubtful {
                let kept: &[u64] = if store.is_exact() { &[] } else { stored };
                sink.leads_on.doubt(expansion, id, kept);
            }
            let expanded = if fully {
                driver.expand_fully(stored, &mut sink)
            } else if doubtful {
                driver.expand(stored, &mut sink)
            } else {
                let number = driver.find(width, states, done as usize);
                driver.expand_found(width, number, stored, &mut sink)
            };
            let plain = matches!(&expanded, Ok(expanded) if expanded.moves && !expanded.reduced);
            if sink.notes.samples && matches!(&expanded, Ok(expanded) if expanded.reduced) {
                sink.notes.draw(driver, stored, before);
            }
            let nothing_to_note = plain && !doubtful;
            if !nothing_to_note && !sink.expanded(driver, expanded, doubtful, before) {
                break;
            }
            done += 1;
            if sink.notes.done.beat() {
                sink.notes.look();
            }
            if is_halted() || sink.notes.stop.is_some() {
                break;
            }
        }
        if let Some(run) = self.recent.back_mut() {
            run.states.end = ids.start + done;
        }
        done
    }

    /// Makes reduced expansions again that do not lead on; says whether there were any.
    fn expand_again(&mut self, shared: &Shared<'_>) -> bool {
        let mut some = false;
        while let Some(doubt) = self.leads_on.next_again() {
            some = true;
            let mut stored = doubt.stored;
            if !shared.is_halted() {
                if stored.is_empty() {
                    stored.resize(shared.width, 0);
                    shared.store.read(doubt.id, &mut stored);
                }
                // Its transitions will be counted again.
                self.notes.transitions -= doubt.transitions;
                self.notes.reduced -= 1;
                let ids = doubt.id.0..doubt.id.0 + 1;
                let width = Any(stored.len());
                if self.expand_all(width, shared.store, &ids, &stored, true, || false) == 1 {
                    continue;
                }
                shared.halt();
            }
            let mut block = Block::new(doubt.id.0..doubt.id.0 + 1);
            if !shared.store.is_exact() {
                block.states = Some((Arc::new(stored), 0));
            }
            self.left.push(block);
        }
        some
    }

    fn flush(&mut self, store: &Store) -> Result<(), Full> {
        let SearchWorker {
            pending,
            inserter,
            parent_bits,
            fresh,
            leads_on,
            ..
        } = self;
        pending.insert(store, inserter, parent_bits, fresh, leads_on)?;
        pending.insert(store, inserter, parent_bits, fresh, leads_on)
    }

    /// Takes back the expansions whose finds could not all be added: they are to be made again.
    fn undo(&mut self) {
        self.pending.clear();
        if let Some(run) = self.recent.front() {
            self.notes.transitions = run.transitions;
        }
        for id in self.recent.drain(..).flat_map(|run| run.states) {
            if !self.left.iter().any(|block| block.ids.contains(&id)) {
                self.left.push(Block::new(id..id + 1));
            }
        }
    }

    /// What it has added to the store since this was last asked for.
    pub(crate) fn take_fresh(&mut self) -> Vec<Block> {
        let fresh = self.inserter.take_fresh();
        self.parent_bits.add(&fresh);
        let states = Arc::new(std::mem::take(&mut self.fresh));
        let mut first = 0;
        fresh
            .into_iter()
            .map(|ids| {
                let block = Block {
                    states: (!states.is_empty()).then(|| (Arc::clone(&states), first)),
                    ids,
                };
                first += block.ids.len();
                block
            })
            .collect()
    }
}

impl Pending {
    fn is_empty(&self) -> bool {
        self.filling.batch.is_empty() && self.waiting.batch.is_empty()
    }

    /// Looks up the states that have waited, adds those that are new, and lets those wait that
    /// have been found since. What could not be added stays.
    fn insert(
        &mut self,
        store: &Store,
        inserter: &mut Worker,
        parent_bits: &mut WorkerParentBits,
        fresh: &mut Vec<u64>,
        leads_on: &mut LevelProviso,
    ) -> Result<(), Full> {
        self.inserted.clear();
        let (waiting, filling) = (&mut self.waiting.batch, &mut self.filling.batch);
        let result = store.exchange(inserter, waiting, filling, &mut self.inserted);
        let states = self.inserted.iter().zip(self.waiting.expansions());
        parent_bits.found(states.map(|(state, &expansion)| (expansion, state.new)));
        if leads_on.applies() {
            for (state, &expansion) in self.inserted.iter().zip(self.waiting.expansions()) {
                leads_on.looked_up(expansion, *state);
            }
        }
        if !store.is_exact() {
            let states = self.waiting.batch.states().chunks_exact(store.words());
            for (state, inserted) in states.zip(&self.inserted) {
                if inserted.new {
                    fresh.extend_from_slice(state);
                }
            }
        }
        result?;
        self.waiting.batch.clear();
        std::mem::swap(&mut self.filling, &mut self.waiting);
        Ok(())
    }

    fn clear(&mut self) {
        self.filling.batch.clear();
        self.waiting.batch.clear();
    }
}

impl<'e> Notes<'e> {
    /// Of nothing yet.
    pub(crate) fn new(wanted: &'e Targets<'e>, budget: &'e Budget) -> Self {
        Notes {
            wanted,
            budget,
            current: StateId(0),
            expansion: 0,
            found: vec![None; wanted.bads.len()],
            distinct: wanted.all.then(FailureClasses::default),
            missing: wanted.bads.len(),
            watched: vec![false; wanted.watched],
            transitions: 0,
            reduced: 0,
            sample: Sample::default(),
            samples: false,
            looked_up: Pulse::new(PULSE),
            done: Pulse::new(PULSE),
            stop: None,
        }
    }

    /// Makes a reduced expansion in full, too, if it belongs to the sample.
    #[cold]
    fn draw(&mut self, driver: &mut Driver<'_>, stored: &[u64], before: u64) {
        if Sample::draws(stored)
            && let Some(full) = ends_in_full(driver, stored)
        {
            self.sample.add(self.transitions - before, full);
        }
    }

    /// Begins a level, in which some answers are known; says whether outcomes are of interest.
    pub(crate) fn begin(&mut self, found: &[Option<Found>]) -> bool {
        self.found.clear();
        self.found.extend_from_slice(found);
        self.missing = found.iter().filter(|found| found.is_none()).count();
        let open = |&(bad, _): &(usize, usize)| found[bad].is_none();
        self.wanted.states.iter().any(open) || self.watched.iter().any(|seen| !seen)
    }

    /// Looks whether there is time to go on. Memory is looked at where all of it is known.
    pub(crate) fn look(&mut self) {
        if let Some(reason) = self.budget.exhausted(0) {
            self.stop.get_or_insert(reason);
        }
    }

    pub(crate) fn halted(&mut self, halt: Halt) {
        if let Halt::Stop(reason) = halt {
            self.stop.get_or_insert(reason);
        }
    }

    /// An expansion did not come to its end. The state is expanded again if the search goes on, so the
    /// transitions are those `before` it.
    pub(crate) fn broken_off(&mut self, halt: Halt, before: u64) {
        let overflow = halt == Halt::FieldOverflow;
        self.halted(halt);
        if overflow || self.stop.is_some() {
            self.transitions = before;
        }
    }

    /// Looks at what holds at the end of a macro step.
    pub(crate) fn judge(&mut self, outcomes: &[i64], found: impl Fn(usize) -> Found) {
        for &(bad, outcome) in &self.wanted.states {
            if outcomes[outcome] != 0 && self.found[bad].is_none() {
                self.found[bad] = Some(found(outcome));
                self.missing -= 1;
            }
        }
        let watched = &outcomes[self.wanted.first_watched..];
        for (seen, outcome) in self.watched.iter_mut().zip(watched) {
            *seen |= *outcome != 0;
        }
    }

    pub(crate) fn deadlock(&mut self, state: StateId) {
        for (bad, found) in self.wanted.bads.iter().zip(&mut self.found) {
            if *bad == Bad::Deadlock && found.is_none() {
                *found = Some(Found::At(state));
                self.missing -= 1;
            }
        }
    }

    /// Looks at what went wrong within a macro step.
    pub(crate) fn violation(&mut self, violation: Violation) -> ControlFlow<()> {
        if let Some(distinct) = &mut self.distinct {
            distinct.violation(violation, Found::Violation(self.current, violation));
        }
        for (bad, found) in self.wanted.bads.iter().zip(&mut self.found) {
            if is_of(bad, violation) && found.is_none() {
                *found = Some(Found::Violation(self.current, violation));
                self.missing -= 1;
            }
        }
        self.go_on()
    }

    pub(crate) fn go_on(&self) -> ControlFlow<()> {
        let done = self.missing == 0 && !self.found.is_empty() && self.distinct.is_none();
        if self.stop.is_some() || done {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }
}

/// Tells a worker what happens, and where states go.
struct Visit<'v, 'e> {
    notes: &'v mut Notes<'e>,
    /// What is not added yet.
    pending: &'v mut Pending,
    inserter: &'v mut Worker,
    parent_bits: &'v mut WorkerParentBits,
    fresh: &'v mut Vec<u64>,
    recent: &'v mut VecDeque<Run>,
    leads_on: &'v mut LevelProviso,
    store: &'v Store,
}

impl Visit<'_, '_> {
    /// Notes how an expansion has ended in which something is to be noted; says whether to go on.
    #[inline(never)]
    fn expanded(
        &mut self,
        driver: &Driver<'_>,
        expanded: Result<Expanded, Halt>,
        doubtful: bool,
        before: u64,
    ) -> bool {
        let notes = &mut *self.notes;
        let reduced = expanded.as_ref().is_ok_and(|expanded| expanded.reduced);
        notes.reduced += u64::from(reduced);
        if doubtful {
            let made = notes.transitions - before;
            self.leads_on.expanded(notes.expansion, reduced, made);
        }
        match expanded {
            Ok(expanded) => {
                let id = notes.current;
                if !expanded.moves && !driver.is_valid_end() {
                    if let Some(distinct) = &mut notes.distinct {
                        distinct.deadlock(driver.locations(), Found::At(id));
                    }
                    notes.deadlock(id);
                }
                notes.go_on().is_continue()
            }
            Err(halt) => {
                notes.broken_off(halt, before);
                false
            }
        }
    }

    /// A state of so many words has been found, for which there is a place to write it to.
    #[inline(always)]
    fn found(&mut self, words: usize, write: impl FnOnce(&mut [u64])) -> ControlFlow<()> {
        self.notes.transitions += 1;
        let filling = &mut self.pending.filling;
        filling.expansions[filling.batch.len() % BATCH] = self.notes.expansion;
        filling.batch.push_written(words, write);
        if filling.batch.len() >= BATCH {
            self.look_up()?;
        }
        ControlFlow::Continue(())
    }

    /// Makes room in the batch.
    #[inline(never)]
    fn look_up(&mut self) -> ControlFlow<()> {
        let inserted = self.pending.insert(
            self.store,
            self.inserter,
            self.parent_bits,
            self.fresh,
            self.leads_on,
        );
        if inserted.is_err() {
            self.notes.stop.get_or_insert(UnknownReason::Memory);
            return ControlFlow::Break(());
        }
        let first = self.pending.waiting.expansions().first().copied();
        let first = first.unwrap_or(self.notes.expansion);
        while self.recent.get(1).is_some_and(|next| next.first <= first) {
            self.recent.pop_front();
        }
        let notes = &mut *self.notes;
        if notes.looked_up.beat() {
            notes.look();
            return notes.go_on();
        }
        ControlFlow::Continue(())
    }
}

impl Sink for Visit<'_, '_> {
    #[inline(always)]
    fn remembered<W: Width>(
        &mut self,
        from: &[u64],
        ended: &Ended<'_, W>,
        _: &mut [u64],
    ) -> ControlFlow<()> {
        self.found(from.len(), |state| ended.write(from, state))
    }

    #[inline(always)]
    fn successor(&mut self, end: &End<'_>) -> ControlFlow<()> {
        self.found(end.stored.len(), |state| copy_words(state, end.stored))?;
        if end.outcomes.is_empty() {
            return ControlFlow::Continue(());
        }
        let notes = &mut *self.notes;
        let current = notes.current;
        notes.judge(end.outcomes, |outcome| Found::Outcome(current, outcome));
        notes.go_on()
    }

    fn violation(&mut self, violation: Violation, _log: u32) -> ControlFlow<()> {
        self.notes.violation(violation)
    }
}
