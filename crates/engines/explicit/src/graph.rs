//! The graph of stable states, unfolded on demand: what liveness searches walk on.
//!
//! A transition carries a *label*: the letter that the property's automaton reads at its end, and
//! what fairness asks of it. Many macro steps between two states have one label and count as one
//! transition. Lists of transitions are kept as long as there is room for them.

use std::collections::HashMap;
use std::ops::ControlFlow;

use model::{Budget, FiniteRuns, UnknownReason};

use crate::engine::Engine;
use crate::expand::{Driver, End, Halt, Sink};
use crate::machine::Violation;
use crate::table::{Inserted, StateId, Table};

/// States that are looked up together.
const BATCH: usize = 64;

/// What is known of a macro step.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Label {
    /// Which of the outcomes hold at its end, the first in the lowest bit.
    pub(crate) letter: u64,
    /// The fairness sets of which a step is taken.
    pub(crate) taken: u64,
    /// The last state repeats: nothing is done.
    pub(crate) stutter: bool,
}

/// A transition: where it leads, and the number of its label.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Transition {
    pub(crate) to: StateId,
    pub(crate) label: u32,
}

/// The transitions of a state.
#[derive(Clone, Debug)]
pub(crate) enum List {
    Kept(std::ops::Range<usize>),
    Own(Vec<Transition>),
}

/// The graph.
pub(crate) struct Graph<'e> {
    driver: Driver<'e>,
    finite_runs: FiniteRuns,
    constraints: usize,
    pub(crate) states: Table,
    labels: Vec<Label>,
    label_numbers: HashMap<Label, u32>,
    kept: Vec<Transition>,
    most_kept: usize,
    lists: Vec<Option<std::ops::Range<usize>>>,
    enabled: Vec<u64>,
    letters: usize,
    /// For each watched outcome, behind the letters, whether it was seen to hold.
    pub(crate) watched: Vec<bool>,
    pub(crate) transitions: u64,
    budget: &'e Budget,
}

/// Collects the transitions of one state.
struct Collect<'g> {
    states: &'g mut Table,
    labels: &'g mut Vec<Label>,
    label_numbers: &'g mut HashMap<Label, u32>,
    last: Option<(Label, u32)>,
    /// Ends of macro steps whose states are not in the table yet, and their labels.
    pending: Vec<u64>,
    pending_labels: Vec<u32>,
    inserted: Vec<Inserted>,
    found: Vec<Transition>,
    letters: usize,
    watched: &'g mut [bool],
    transitions: &'g mut u64,
    budget: &'g Budget,
    memory: u64,
    stop: Option<UnknownReason>,
}

/// The letter that outcomes make.
pub(crate) fn letter(outcomes: &[i64]) -> u64 {
    outcomes.iter().enumerate().fold(0, |bits, (index, truth)| {
        bits | u64::from(*truth != 0) << index
    })
}

impl<'e> Graph<'e> {
    pub(crate) fn new(
        engine: &'e Engine<'_>,
        letters: usize,
        watched: usize,
        budget: &'e Budget,
    ) -> Self {
        let room = budget.memory.map_or(1 << 30, |limit| limit / 3);
        Graph {
            driver: if engine.asks_for_fairness() {
                engine.driver().with_enabledness()
            } else {
                engine.driver()
            },
            finite_runs: engine.program.finite_runs,
            constraints: engine.program.state_constraint.len(),
            states: Table::new(engine.packing.words),
            labels: Vec::new(),
            label_numbers: HashMap::new(),
            kept: Vec::new(),
            most_kept: usize::try_from(room).unwrap_or(usize::MAX) / size_of::<Transition>(),
            lists: Vec::new(),
            enabled: Vec::new(),
            letters,
            watched: vec![false; watched],
            transitions: 0,
            budget,
        }
    }

    pub(crate) fn sampled(&self) -> bool {
        self.driver.machine.sampled
    }

    pub(crate) fn bytes(&self) -> u64 {
        let kept = self.kept.capacity() * size_of::<Transition>();
        self.states.bytes()
            + (kept + self.lists.capacity() * 24 + self.enabled.capacity() * 8) as u64
    }

    pub(crate) fn label(&self, number: u32) -> Label {
        self.labels[number as usize]
    }

    /// Adds an initial state; gives its letter.
    pub(crate) fn add_initial(&mut self, stored: &[u64]) -> Result<(StateId, u64), UnknownReason> {
        let inserted = self.states.insert(stored);
        self.driver.load(stored);
        let constraints = self.constraints;
        let outcomes = match self.driver.evaluate() {
            Ok(outcomes) => &outcomes[constraints..],
            Err(Halt::Stop(reason)) => return Err(reason),
            Err(Halt::Enough) => unreachable!("nobody is told"),
        };
        for (seen, outcome) in self.watched.iter_mut().zip(&outcomes[self.letters..]) {
            *seen |= *outcome != 0;
        }
        Ok((inserted.id, letter(&outcomes[..self.letters])))
    }

    /// The transitions of a state, and the fairness sets of which a step is enabled there.
    pub(crate) fn transitions(&mut self, from: StateId) -> Result<(List, u64), UnknownReason> {
        if let Some(Some(range)) = self.lists.get(from.index()) {
            return Ok((List::Kept(range.clone()), self.enabled[from.index()]));
        }
        let stored = self.states.state(from);
        let memory = self.bytes();
        let mut collect = Collect {
            states: &mut self.states,
            labels: &mut self.labels,
            label_numbers: &mut self.label_numbers,
            last: None,
            pending: Vec::new(),
            pending_labels: Vec::new(),
            inserted: Vec::new(),
            found: Vec::new(),
            letters: self.letters,
            watched: &mut self.watched,
            transitions: &mut self.transitions,
            budget: self.budget,
            memory,
            stop: None,
        };
        let expanded = match self.driver.expand(&stored, &mut collect) {
            Ok(expanded) => expanded,
            Err(Halt::Stop(reason)) => return Err(reason),
            Err(Halt::Enough) => {
                return Err(collect.stop.unwrap_or(UnknownReason::Interrupted));
            }
        };
        if !expanded.moves {
            match self.finite_runs {
                FiniteRuns::Stutter => {
                    self.driver.load(&stored);
                    let letter = match self.driver.evaluate() {
                        Ok(outcomes) => {
                            let first = self.constraints;
                            letter(&outcomes[first..first + self.letters])
                        }
                        Err(Halt::Stop(reason)) => return Err(reason),
                        Err(Halt::Enough) => unreachable!("nobody is told"),
                    };
                    collect.add(
                        &stored,
                        Label {
                            letter,
                            taken: 0,
                            stutter: true,
                        },
                    );
                }
                FiniteRuns::InfiniteOnly => {}
                FiniteRuns::Maximal => {
                    let reason = "linear-time properties of runs that end";
                    return Err(UnknownReason::Unsupported(reason.to_owned()));
                }
            }
        }
        collect.flush();
        let mut found = collect.found;
        found.sort_unstable();
        found.dedup();
        if self.kept.len() + found.len() > self.most_kept {
            return Ok((List::Own(found), expanded.enabled));
        }
        let start = self.kept.len();
        self.kept.extend_from_slice(&found);
        let range = start..self.kept.len();
        if self.lists.len() <= from.index() {
            self.lists.resize(from.index() + 1, None);
            self.enabled.resize(from.index() + 1, 0);
        }
        self.lists[from.index()] = Some(range.clone());
        self.enabled[from.index()] = expanded.enabled;
        Ok((List::Kept(range), expanded.enabled))
    }

    /// A transition of a list.
    #[inline]
    pub(crate) fn get(&self, list: &List, index: usize) -> Option<Transition> {
        match list {
            List::Kept(range) => self.kept[range.clone()].get(index).copied(),
            List::Own(own) => own.get(index).copied(),
        }
    }
}

impl Collect<'_> {
    fn number(&mut self, label: Label) -> u32 {
        if let Some((last, number)) = self.last
            && last == label
        {
            return number;
        }
        let labels = &mut *self.labels;
        let number = *self.label_numbers.entry(label).or_insert_with(|| {
            labels.push(label);
            u32::try_from(labels.len() - 1).expect("fewer labels than transitions")
        });
        self.last = Some((label, number));
        number
    }

    fn add(&mut self, stored: &[u64], label: Label) {
        let number = self.number(label);
        // Often the transition is one of the last two.
        let width = stored.len();
        let recent = self
            .pending
            .chunks(width)
            .rev()
            .zip(self.pending_labels.iter().rev());
        for (words, &other) in recent.take(2) {
            if other == number && words.iter().zip(stored).all(|(a, b)| a == b) {
                return;
            }
        }
        self.pending.extend_from_slice(stored);
        self.pending_labels.push(number);
        if self.pending_labels.len() >= BATCH {
            self.flush();
        }
    }

    fn flush(&mut self) {
        self.inserted.clear();
        self.states.insert_batch(&self.pending, &mut self.inserted);
        let found = self.inserted.iter().zip(&self.pending_labels);
        self.found
            .extend(found.map(|(inserted, &label)| Transition {
                to: inserted.id,
                label,
            }));
        self.pending.clear();
        self.pending_labels.clear();
    }
}

impl Sink for Collect<'_> {
    fn successor(&mut self, end: &End<'_>) -> ControlFlow<()> {
        let (letters, watched) = end.outcomes.split_at(self.letters);
        let label = Label {
            letter: letter(letters),
            taken: end.taken,
            stutter: false,
        };
        for (seen, outcome) in self.watched.iter_mut().zip(watched) {
            *seen |= *outcome != 0;
        }
        self.add(end.stored, label);
        *self.transitions += 1;
        if self.transitions.is_multiple_of(1 << 16) {
            self.stop = self.budget.exhausted(self.memory);
            if self.stop.is_some() {
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    }

    fn violation(&mut self, _: Violation, _: u32) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}
