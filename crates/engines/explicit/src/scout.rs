//! A scout: expands states and notes what is new, what is bad and what holds.

use std::ops::{ControlFlow, Range};

use model::{Bad, Budget, UnknownReason};

use crate::engine::Engine;
use crate::expand::{Driver, End, Halt, Sink};
use crate::machine::Violation;
use crate::table::{Inserted, StateId, Table};

/// Macro steps between two looks at the budget.
const PULSE: u64 = 1 << 16;
/// States that are looked up together.
const BATCH: usize = 64;

/// Where something bad is.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Found {
    /// In this stored state.
    At(StateId),
    /// In a macro step from this state: an outcome,
    Outcome(StateId, usize),
    /// or something on the way.
    Violation(StateId, Violation),
}

/// What scouts look for.
pub(crate) struct Wanted<'a> {
    pub(crate) bads: &'a [Bad],
    /// For each `Bad::State`, its place and that of its outcome.
    pub(crate) states: Vec<(usize, usize)>,
    /// Where the watched outcomes begin, and how many there are.
    pub(crate) first_watched: usize,
    pub(crate) watched: usize,
}

/// A scout.
pub(crate) struct Scout<'e> {
    driver: Driver<'e>,
    notes: Notes<'e>,
    constraints: usize,
    /// States that the table does not have yet, and where they were found.
    aside: Table,
    aside_parents: Vec<StateId>,
    stored: Vec<u64>,
    /// Ends of macro steps that are still to be looked up.
    pending: Pending,
    inserted: Vec<Inserted>,
}

/// States that are still to be looked up, and from where each was found.
#[derive(Default)]
struct Pending {
    states: Vec<u64>,
    parents: Vec<StateId>,
}

/// What a scout has noted.
pub(crate) struct Notes<'e> {
    wanted: &'e Wanted<'e>,
    budget: &'e Budget,
    current: StateId,
    pub(crate) found: Vec<Option<Found>>,
    missing: usize,
    pub(crate) watched: Vec<bool>,
    pub(crate) transitions: u64,
    pulse: u64,
    pub(crate) stop: Option<UnknownReason>,
}

impl<'e> std::ops::Deref for Scout<'e> {
    type Target = Notes<'e>;

    fn deref(&self) -> &Notes<'e> {
        &self.notes
    }
}

impl std::ops::DerefMut for Scout<'_> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.notes
    }
}

impl<'e> Scout<'e> {
    pub(crate) fn new(engine: &'e Engine<'_>, wanted: &'e Wanted<'e>, budget: &'e Budget) -> Self {
        let words = engine.packing.words;
        Scout {
            driver: engine.driver().with_only_changes(),
            notes: Notes {
                wanted,
                budget,
                current: StateId(0),
                found: vec![None; wanted.bads.len()],
                missing: wanted.bads.len(),
                watched: vec![false; wanted.watched],
                transitions: 0,
                pulse: PULSE,
                stop: None,
            },
            constraints: engine.program.state_constraint.len(),
            aside: Table::new(words),
            aside_parents: Vec::new(),
            stored: vec![0; words],
            pending: Pending::default(),
            inserted: Vec::new(),
        }
    }

    /// Whether a sample stood for a wide choice.
    pub(crate) fn sampled(&self) -> bool {
        self.driver.machine.sampled
    }

    /// Begins a phase, in which some answers are known.
    pub(crate) fn begin(&mut self, found: &[Option<Found>]) {
        self.notes.found.clear();
        self.notes.found.extend_from_slice(found);
        self.notes.missing = found.iter().filter(|found| found.is_none()).count();
        let open = |&(bad, _): &(usize, usize)| found[bad].is_none();
        let curious = self.notes.wanted.states.iter().any(open)
            || self.notes.watched.iter().any(|seen| !seen);
        self.driver.set_curious(curious);
    }

    /// Looks at an initial state.
    pub(crate) fn look_at(&mut self, stored: &[u64], id: StateId) {
        self.driver.load(stored);
        match self.driver.evaluate() {
            Ok(outcomes) => {
                self.notes
                    .judge(&outcomes[self.constraints..], |_| Found::At(id));
            }
            Err(halt) => self.notes.halted(halt),
        }
    }

    /// Expands states; new ones go into the table at once.
    pub(crate) fn expand_directly(
        &mut self,
        table: &mut Table,
        parents: &mut Vec<StateId>,
        states: Range<u32>,
    ) {
        let inserted = &mut self.inserted;
        for number in states {
            let id = StateId(number);
            self.stored.copy_from_slice(table.state(id));
            self.notes.current = id;
            let mut sink = Visit {
                notes: &mut self.notes,
                pending: &mut self.pending,
                look_up: |pending: &mut Pending| pending.insert(table, parents, inserted),
            };
            let expanded = self.driver.expand(&self.stored, &mut sink);
            if !self.notes.expanded(id, expanded, &self.driver) {
                break;
            }
        }
        self.pending.insert(table, parents, inserted);
    }

    /// Expands states; new ones are put aside.
    pub(crate) fn expand_aside(&mut self, table: &Table, states: Range<u32>) {
        let (aside, parents) = (&mut self.aside, &mut self.aside_parents);
        for number in states {
            let id = StateId(number);
            self.notes.current = id;
            let mut sink = Visit {
                notes: &mut self.notes,
                pending: &mut self.pending,
                look_up: |pending: &mut Pending| pending.put_aside(table, aside, parents),
            };
            let expanded = self.driver.expand(table.state(id), &mut sink);
            if !self.notes.expanded(id, expanded, &self.driver) {
                break;
            }
        }
        self.pending.put_aside(table, aside, parents);
    }

    /// Brings what was put aside into the table.
    pub(crate) fn bring(&mut self, table: &mut Table, parents: &mut Vec<StateId>) {
        for (number, &parent) in (0..).zip(&self.aside_parents) {
            if table.insert(self.aside.state(StateId(number))).new {
                parents.push(parent);
            }
        }
        self.aside.clear();
        self.aside_parents.clear();
    }
}

impl Pending {
    /// Looks the states up in the table, and adds those that are new.
    fn insert(
        &mut self,
        table: &mut Table,
        parents: &mut Vec<StateId>,
        inserted: &mut Vec<Inserted>,
    ) {
        inserted.clear();
        table.insert_batch(&self.states, inserted);
        let found = inserted.iter().zip(&self.parents);
        parents.extend(
            found
                .filter(|(state, _)| state.new)
                .map(|(_, parent)| *parent),
        );
        self.clear();
    }

    /// Looks the states up, and puts aside those that are new.
    fn put_aside(&mut self, table: &Table, aside: &mut Table, parents: &mut Vec<StateId>) {
        table.each_missing(&self.states, |number, stored| {
            if aside.insert(stored).new {
                parents.push(self.parents[number]);
            }
        });
        self.clear();
    }

    fn clear(&mut self) {
        self.states.clear();
        self.parents.clear();
    }
}

impl Notes<'_> {
    /// Notes how an expansion has ended; says whether to go on.
    fn expanded(
        &mut self,
        id: StateId,
        expanded: Result<crate::expand::Expanded, Halt>,
        driver: &Driver<'_>,
    ) -> bool {
        match expanded {
            Ok(expanded) => {
                if !expanded.moves && !driver.is_valid_end() {
                    self.deadlock(id);
                }
                self.go_on().is_continue()
            }
            Err(halt) => {
                self.halted(halt);
                false
            }
        }
    }

    fn halted(&mut self, halt: Halt) {
        if let Halt::Stop(reason) = halt {
            self.stop.get_or_insert(reason);
        }
    }

    /// Looks at what holds at the end of a macro step.
    fn judge(&mut self, outcomes: &[i64], found: impl Fn(usize) -> Found) {
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

    fn deadlock(&mut self, state: StateId) {
        for (bad, found) in self.wanted.bads.iter().zip(&mut self.found) {
            if *bad == Bad::Deadlock && found.is_none() {
                *found = Some(Found::At(state));
                self.missing -= 1;
            }
        }
    }

    fn go_on(&self) -> ControlFlow<()> {
        let done = self.missing == 0 && !self.found.is_empty();
        if self.stop.is_some() || done {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }
}

/// Compares word by word: states are too short for a call.
#[inline]
fn same(a: &[u64], b: &[u64]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a == b)
}

/// Tells a scout what happens, and where states go.
struct Visit<'v, 'e, F> {
    notes: &'v mut Notes<'e>,
    /// What is not added yet.
    pending: &'v mut Pending,
    look_up: F,
}

impl<F: FnMut(&mut Pending)> Sink for Visit<'_, '_, F> {
    #[inline]
    fn successor(&mut self, end: &End<'_>) -> ControlFlow<()> {
        let notes = &mut *self.notes;
        notes.transitions += 1;
        // Often the state is one of the last two.
        let width = end.stored.len();
        let mut recent = self.pending.states.chunks_exact(width).rev().take(2);
        if !recent.any(|last| same(last, end.stored)) {
            self.pending.states.extend_from_slice(end.stored);
            self.pending.parents.push(notes.current);
            if self.pending.parents.len() >= BATCH {
                (self.look_up)(self.pending);
            }
        }
        if !end.outcomes.is_empty() {
            let current = notes.current;
            notes.judge(end.outcomes, |outcome| Found::Outcome(current, outcome));
            notes.go_on()?;
        }
        notes.pulse -= 1;
        if notes.pulse == 0 {
            notes.pulse = PULSE;
            // Memory is looked at where all of it is known.
            if let Some(reason) = notes.budget.exhausted(0) {
                notes.stop.get_or_insert(reason);
            }
            return notes.go_on();
        }
        ControlFlow::Continue(())
    }

    fn violation(&mut self, violation: Violation, _log: u32) -> ControlFlow<()> {
        let notes = &mut *self.notes;
        for (bad, found) in notes.wanted.bads.iter().zip(&mut notes.found) {
            let is_this = match (bad, violation) {
                (Bad::Check(wanted), Violation::Check(check)) => wanted.0 == check,
                (Bad::Fault(wanted), Violation::Fault(fault)) => wanted.contains(&fault),
                (Bad::Divergence, Violation::Divergence) => true,
                _ => false,
            };
            if is_this && found.is_none() {
                *found = Some(Found::Violation(notes.current, violation));
                notes.missing -= 1;
            }
        }
        notes.go_on()
    }
}
