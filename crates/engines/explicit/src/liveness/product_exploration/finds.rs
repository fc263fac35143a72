//! Successors on their way into the graph: collected state by state, looked up in batches.

use std::ops::ControlFlow;

use model::UnknownReason;

use super::shared::Common;
use crate::ir::state_width::Width;
use crate::liveness::automaton_labels::{Letter, letter};
use crate::store::{BATCH, Batch, Full, Inserted, Worker};
use crate::successors::expander::{End, Sink};
use crate::successors::transition_cache::Ended;
use crate::vm::machine::Violation;

/// Batches looked up between two looks at the budget inside one expansion.
const PULSE: u64 = 1 << 10;

/// Successors on their way into the graph.
#[derive(Default)]
pub(super) struct FoundBatch {
    /// Those not looked up yet. While one batch is filled, what a look at the other needs is on
    /// its way from memory.
    pub(super) filling: Batch,
    pub(super) waiting: Batch,
    /// What became of those looked up, up to here.
    pub(super) inserted: Vec<Inserted>,
    /// The classes of transitions, if they have any.
    pub(super) classes: Vec<u32>,
    /// What is known of the present state's transitions before it is fully expanded.
    pub(super) labels: Vec<(Letter, u64)>,
    /// Expanded states whose successors are among these.
    pub(super) expanded: Vec<Settled>,
    /// The automaton's states there.
    pub(super) sets: Vec<u8>,
    /// Batches looked up.
    pulse: u64,
    pub(super) stop: Option<UnknownReason>,
}

/// A state whose successors have been found.
pub(super) struct Settled {
    pub(super) row: u32,
    /// The end of its successors.
    pub(super) end: usize,
    pub(super) class: u32,
}

impl FoundBatch {
    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.inserted.len() + self.waiting.len() + self.filling.len()
    }

    /// Looks up those that have waited, and lets those wait that have been found since.
    pub(super) fn look_up(
        &mut self,
        common: &Common<'_>,
        inserter: &mut Worker,
    ) -> Result<(), Full> {
        let store = &common.graph.store;
        let (waiting, filling) = (&mut self.waiting, &mut self.filling);
        store.exchange(inserter, waiting, filling, &mut self.inserted)?;
        self.waiting.clear();
        std::mem::swap(&mut self.filling, &mut self.waiting);
        Ok(())
    }

    pub(super) fn clear(&mut self) {
        self.filling.clear();
        self.waiting.clear();
        self.inserted.clear();
        self.classes.clear();
        self.labels.clear();
        self.expanded.clear();
        self.sets.clear();
    }
}

/// Collects the successors of one state.
pub(super) struct Visit<'v, 'e> {
    pub(super) common: &'v Common<'e>,
    pub(super) finds: &'v mut FoundBatch,
    pub(super) inserter: &'v mut Worker,
    pub(super) watched: &'v mut [bool],
    /// How many of the pending ones are of this state.
    pub(super) recent: usize,
}

/// Compares word by word: states are too short for a call.
#[inline]
fn same(a: &[u64], b: &[u64]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a == b)
}

impl Visit<'_, '_> {
    /// Looks up those that have waited, if the batch is full.
    #[inline(always)]
    fn make_room(&mut self) -> ControlFlow<()> {
        if self.finds.filling.len() < BATCH {
            return ControlFlow::Continue(());
        }
        self.look_up()
    }

    #[inline(never)]
    fn look_up(&mut self) -> ControlFlow<()> {
        self.recent = 0;
        let finds = &mut *self.finds;
        if finds.look_up(self.common, self.inserter).is_err() {
            finds.stop = Some(UnknownReason::Memory);
            return ControlFlow::Break(());
        }
        finds.pulse += 1;
        if finds.pulse.is_multiple_of(PULSE) {
            finds.stop = self.common.budget.exhausted(0);
            if finds.stop.is_some() {
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    }

    /// A transition has been found that has a label.
    fn labelled(&mut self, end: &End<'_>) -> ControlFlow<()> {
        let finds = &mut *self.finds;
        let (letters, watched) = end.outcomes.split_at(self.common.outcomes);
        let label = (letter(letters), end.taken);
        for (seen, outcome) in self.watched.iter_mut().zip(watched) {
            *seen |= *outcome != 0;
        }
        // Often the transition is one of the last two.
        let width = end.stored.len();
        let known = finds
            .filling
            .states()
            .chunks_exact(width)
            .rev()
            .take(self.recent.min(2))
            .enumerate()
            .any(|(back, other)| {
                same(other, end.stored) && finds.labels[finds.labels.len() - 1 - back] == label
            });
        if known {
            return ControlFlow::Continue(());
        }
        finds.filling.push(end.stored);
        finds.labels.push(label);
        self.recent += 1;
        self.make_room()
    }
}

impl Sink for Visit<'_, '_> {
    #[inline(always)]
    fn remembered<W: Width>(
        &mut self,
        from: &[u64],
        ended: &Ended<'_, W>,
        to: &mut [u64],
    ) -> ControlFlow<()> {
        if !self.common.graph.by_state {
            return self.labelled(&End::remembered(from, ended, to));
        }
        self.finds
            .filling
            .push_written(from.len(), |state| ended.write(from, state));
        self.make_room()
    }

    #[inline(always)]
    fn successor(&mut self, end: &End<'_>) -> ControlFlow<()> {
        if !self.common.graph.by_state {
            return self.labelled(end);
        }
        self.finds.filling.push(end.stored);
        self.make_room()
    }

    fn violation(&mut self, _: Violation, _: u32) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}
