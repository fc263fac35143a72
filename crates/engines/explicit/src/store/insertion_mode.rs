//! How workers add states to a store.
//!
//! Putting a row into the index takes a locked instruction if others may put one into the same
//! entry (Laarman, van de Pol, Weber: Boosting multi-core reachability performance with shared hash
//! tables, FMCAD 2010), and while it is carried out, nothing of what follows is begun. Adding
//! takes a small part of each worker's time, though. So where most states that are looked up are
//! new, a few workers lose less by doing it one at a time, batch by batch.

use std::sync::atomic::{AtomicU8, Ordering};

/// As many workers may take turns.
const FEW: usize = 4;

/// How it is done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum InsertionMode {
    /// By one worker.
    Alone,
    /// By one at a time.
    InTurn,
    /// By all; each claims entries of the index.
    AtOnce,
}

impl InsertionMode {
    /// For so many workers.
    pub(super) fn of(workers: usize, most_are_new: bool) -> InsertionMode {
        match workers {
            ..=1 => InsertionMode::Alone,
            2..=FEW if most_are_new => InsertionMode::InTurn,
            _ => InsertionMode::AtOnce,
        }
    }
}

/// The same, to be changed while nobody adds states.
pub(super) struct AtomicInsertionMode(AtomicU8);

impl AtomicInsertionMode {
    pub(super) fn new(adding: InsertionMode) -> AtomicInsertionMode {
        AtomicInsertionMode(AtomicU8::new(adding as u8))
    }

    pub(super) fn set(&self, adding: InsertionMode) {
        self.0.store(adding as u8, Ordering::Relaxed);
    }

    #[inline(always)]
    pub(super) fn get(&self) -> InsertionMode {
        match self.0.load(Ordering::Relaxed) {
            0 => InsertionMode::Alone,
            1 => InsertionMode::InTurn,
            _ => InsertionMode::AtOnce,
        }
    }
}
