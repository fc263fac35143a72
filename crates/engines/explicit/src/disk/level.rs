//! Expanding the states of a level, by one thread or several that take block after block.

use std::io;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};

use model::{Budget, Progress, Pulse, Statistics, UnknownReason};

use crate::disk::candidates::Candidates;
use crate::disk::files::Room;
use crate::disk::sorted::Sorted;
use crate::engine::Engine;
use crate::evidence::trace::Goal;
use crate::ir::state_width::{Width, with_width};
use crate::search::targets::{Found, Targets};
use crate::search::worker::{Notes, explorer};
use crate::store::StateId;
use crate::successors::expander::{Driver, End, Expanded, Halt, Sink};
use crate::successors::transition_cache::{Ended, copy_words};
use crate::vm::machine::Violation;

/// Expansions between two looks at the budget, at most.
const PULSE: u32 = 1 << 10;
/// The same for what one of them finds.
const FOUND: u32 = 1 << 16;

/// Something bad: in this state, which is on this level, or in a macro step from there.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    pub(crate) level: usize,
    pub(crate) state: Vec<u64>,
    pub(crate) last: Option<Goal>,
}

impl Place {
    pub(crate) fn new(level: usize, state: &[u64], found: Found) -> Self {
        Place {
            level,
            state: state.to_vec(),
            last: match found {
                Found::At(_) => None,
                Found::Outcome(_, outcome) => Some(Goal::Outcome(outcome)),
                Found::Violation(_, violation) => Some(Goal::Violation(violation)),
            },
        }
    }
}

/// What threads have in common that expand a level.
pub(crate) struct Shared<'s> {
    pub(crate) level: Arc<Sorted>,
    pub(crate) number: usize,
    pub(crate) room: &'s Room<'s>,
    pub(crate) budget: &'s Budget,
    pub(crate) progress: &'s dyn Progress,
    /// What there was before this level.
    pub(crate) before: Statistics,
    /// Bytes in memory beside those of threads, and of each thread.
    pub(crate) beside: u64,
    pub(crate) kept: Vec<AtomicU64>,
    /// The next block that nobody has taken, and how many states have been expanded.
    next: AtomicUsize,
    expanded: AtomicU64,
    is_halted: AtomicBool,
}

impl<'s> Shared<'s> {
    pub(crate) fn new(
        (level, number): (&Arc<Sorted>, usize),
        (room, budget, progress): (&'s Room<'s>, &'s Budget, &'s dyn Progress),
        before: Statistics,
        (beside, threads): (u64, usize),
    ) -> Self {
        Shared {
            level: Arc::clone(level),
            number,
            room,
            budget,
            progress,
            before,
            beside,
            kept: (0..threads).map(|_| AtomicU64::new(0)).collect(),
            next: AtomicUsize::new(0),
            expanded: AtomicU64::new(0),
            is_halted: AtomicBool::new(false),
        }
    }

    fn halt(&self) {
        self.is_halted.store(true, Ordering::Relaxed);
    }

    /// The next block.
    fn take(&self) -> Option<usize> {
        let is_halted = self.is_halted.load(Ordering::Relaxed);
        let block = self.next.fetch_add(1, Ordering::Relaxed);
        (block < self.level.blocks() && !is_halted).then_some(block)
    }

    /// Bytes in memory.
    pub(crate) fn memory(&self) -> u64 {
        let kept = self.kept.iter().map(|kept| kept.load(Ordering::Relaxed));
        self.beside + kept.sum::<u64>()
    }
}

/// Expands states.
pub(crate) struct Expander<'e> {
    pub(crate) driver: Driver<'e>,
    pub(crate) notes: Notes<'e>,
    pub(crate) candidates: Candidates,
    /// Where something bad was found that nobody knew of.
    pub(crate) places: Vec<Option<Place>>,
    /// The states of a block, and its bytes.
    states: Vec<u64>,
    bytes: Vec<u8>,
    /// Whether some state had no room in those that are stored.
    pub(crate) has_overflowed: bool,
    pulse: Pulse,
    found: Pulse,
}

impl<'e> Expander<'e> {
    pub(crate) fn new(
        engine: &'e Engine<'_>,
        (wanted, budget): (&'e Targets<'e>, &'e Budget),
        candidates: Candidates,
        leaves_out: bool,
    ) -> Self {
        let driver = explorer(engine);
        Expander {
            driver: if leaves_out {
                driver
            } else {
                driver.without_reduction()
            },
            notes: Notes::new(wanted, budget),
            candidates,
            places: vec![None; wanted.bads.len()],
            states: Vec::new(),
            bytes: Vec::new(),
            has_overflowed: false,
            pulse: Pulse::new(PULSE),
            found: Pulse::new(FOUND),
        }
    }

    /// Begins a level, in which some places are known.
    pub(crate) fn begin(&mut self, known: &[Option<Place>]) {
        let found = known.iter().map(|place| {
            let place = place.as_ref();
            place.map(|_| Found::At(StateId(0)))
        });
        let found: Vec<Option<Found>> = found.collect();
        self.places.clone_from_slice(known);
        let collects_outcomes = self.notes.begin(&found);
        self.driver.set_collects_outcomes(collects_outcomes);
    }

    /// Expands blocks until none is left, or it is time to stop.
    pub(crate) fn work(&mut self, shared: &Shared<'_>, number: usize) {
        while let Some(block) = shared.take() {
            if let Err(error) = self.expand_block(shared, block, number) {
                let reason = shared.room.reason(&error);
                self.notes.stop.get_or_insert(reason);
            }
            if self.notes.stop.is_some() || self.has_overflowed || self.notes.go_on().is_break() {
                shared.halt();
            }
        }
    }

    fn expand_block(&mut self, shared: &Shared<'_>, block: usize, number: usize) -> io::Result<()> {
        let mut states = std::mem::take(&mut self.states);
        shared.level.read(block, &mut self.bytes, &mut states)?;
        let width = self.driver.packing.words;
        let done = with_width!(width, width => self.expand_all(width, &states, shared, number));
        for bad in 0..self.places.len() {
            if let Some(found) = self.notes.found[bad].filter(|_| self.places[bad].is_none()) {
                let (Found::At(id) | Found::Outcome(id, _) | Found::Violation(id, _)) = found;
                let state = &states[id.0 as usize * width..][..width];
                self.places[bad] = Some(Place::new(shared.number, state, found));
            }
        }
        self.states = states;
        let done = done?;
        let expanded = shared.expanded.fetch_add(done, Ordering::Relaxed) + done;
        let statistics = Statistics {
            transitions: shared.before.transitions + self.notes.transitions,
            memory: shared.memory(),
            ..shared.before.clone()
        };
        shared
            .progress
            .report(&statistics, shared.level.len().saturating_sub(expanded));
        Ok(())
    }

    /// Expands these states; says how many.
    #[inline(always)]
    fn expand_all(
        &mut self,
        width: impl Width,
        states: &[u64],
        shared: &Shared<'_>,
        number: usize,
    ) -> io::Result<u64> {
        let mut done = 0;
        for (place, stored) in states.chunks_exact(width.get()).enumerate() {
            let before = self.notes.transitions;
            self.notes.current = StateId(u32::try_from(place).expect("blocks are short"));
            let mut sink = Visit {
                notes: &mut self.notes,
                candidates: &mut self.candidates,
                found: &mut self.found,
            };
            let at = self.driver.find(width, states, place);
            let expanded = self.driver.expand_found(width, at, stored, &mut sink);
            let plain = matches!(&expanded, Ok(expanded) if expanded.moves && !expanded.reduced);
            if !plain && !self.note(expanded, before) {
                break;
            }
            done += 1;
            if self.candidates.is_full() {
                self.candidates.make_room(shared.room)?;
            }
            if self.pulse.beat() {
                self.look(shared, number);
            }
            if self.notes.stop.is_some() {
                break;
            }
        }
        Ok(done)
    }

    /// Notes how an expansion has ended in which something is to be noted; says whether to go on.
    #[inline(never)]
    fn note(&mut self, expanded: Result<Expanded, Halt>, before: u64) -> bool {
        let notes = &mut self.notes;
        match expanded {
            Ok(expanded) => {
                notes.reduced += u64::from(expanded.reduced);
                if !expanded.moves && !self.driver.is_valid_end() {
                    notes.deadlock(notes.current);
                }
                notes.go_on().is_continue()
            }
            Err(halt) => {
                self.has_overflowed |= halt == Halt::FieldOverflow;
                notes.broken_off(halt, before);
                false
            }
        }
    }

    /// Looks whether there is time and memory to go on.
    #[cold]
    fn look(&mut self, shared: &Shared<'_>, number: usize) {
        shared.kept[number].store(self.bytes(), Ordering::Relaxed);
        if let Some(reason) = shared.budget.exhausted(shared.memory()) {
            self.notes.stop.get_or_insert(reason);
        }
    }

    /// Bytes in memory.
    pub(crate) fn bytes(&self) -> u64 {
        let block = self.states.capacity() * 8 + self.bytes.capacity();
        self.candidates.bytes() + self.driver.transition_cache.bytes() + block as u64
    }
}

/// Collects what is found, and notes what is bad.
struct Visit<'v, 'e> {
    notes: &'v mut Notes<'e>,
    candidates: &'v mut Candidates,
    found: &'v mut Pulse,
}

impl Visit<'_, '_> {
    #[inline(always)]
    fn found(&mut self, words: usize, write: impl FnOnce(&mut [u64])) -> ControlFlow<()> {
        self.notes.transitions += 1;
        self.candidates.push_written(words, write);
        if self.found.beat() {
            self.notes.look();
            return self.notes.go_on();
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

/// Why a thread stopped, if it did.
pub(crate) fn stopped(expanders: &mut [Expander<'_>]) -> Option<UnknownReason> {
    expanders
        .iter_mut()
        .find_map(|expander| expander.notes.stop.take())
}
