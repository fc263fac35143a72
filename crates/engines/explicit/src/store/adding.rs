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
pub(super) enum Adding {
    /// By one worker.
    Alone,
    /// By one at a time.
    InTurn,
    /// By all; each claims entries of the index.
    AtOnce,
}

impl Adding {
    /// For so many workers.
    pub(super) fn of(workers: usize, most_are_new: bool) -> Adding {
        match workers {
            ..=1 => Adding::Alone,
            2..=FEW if most_are_new => Adding::InTurn,
            _ => Adding::AtOnce,
        }
    }
}

/// The same, to be changed while nobody adds states.
pub(super) struct AtomicAdding(AtomicU8);

impl AtomicAdding {
    pub(super) fn new(adding: Adding) -> AtomicAdding {
        AtomicAdding(AtomicU8::new(adding as u8))
    }

    pub(super) fn set(&self, adding: Adding) {
        self.0.store(adding as u8, Ordering::Relaxed);
    }

    #[inline(always)]
    pub(super) fn get(&self) -> Adding {
        match self.0.load(Ordering::Relaxed) {
            0 => Adding::Alone,
            1 => Adding::InTurn,
            _ => Adding::AtOnce,
        }
    }
}
