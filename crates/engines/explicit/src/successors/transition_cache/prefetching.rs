//! Prefetches slots and entries.
//!
//! Where much is remembered, a look-up waits for memory twice: for a slot, and for the entry that it
//! leads to. Whoever has many states to look up prefetches all slots first, then all entries.

use super::{NOWHERE, TransitionCache, View};
use crate::ir::state_width::Width;
use crate::store::prefetch::prefetch;

impl TransitionCache {
    /// The slot where a table is first looked into for a state, if it has slots.
    #[inline(always)]
    #[expect(
        clippy::cast_possible_truncation,
        reason = "entries have places in memory"
    )]
    pub(crate) fn first_slot<W: Width>(
        &self,
        view: View<'_, W>,
        table: usize,
        state: &[u64],
    ) -> Option<usize> {
        let table = self.tables.get(table).filter(|it| it.base != NOWHERE)?;
        Some(table.base as usize + (view.mix(state) >> (table.shift & 63)) as usize)
    }

    /// Prefetches a slot.
    #[inline(always)]
    pub(crate) fn prefetch_slot(&self, slot: usize) {
        if let Some(place) = self.slots.get(slot) {
            prefetch(place);
        }
    }

    /// Prefetches the entry that a slot leads to.
    #[inline(always)]
    pub(crate) fn prefetch_entry(&self, slot: usize) {
        let place = self.slots.get(slot).copied().unwrap_or(0);
        if let Some(entry) = self.entries.get(place as usize) {
            prefetch(entry);
        }
    }
}
