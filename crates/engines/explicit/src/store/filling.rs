//! An index that is filled by all workers, as they come to it.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

/// An index that is filled.
#[derive(Default)]
pub(super) struct Filling {
    /// First memory is found for its pages,
    pub(super) pages: Shares,
    /// then rows are entered:
    pub(super) entries: Shares,
    /// these.
    pub(super) parts: Vec<Range<u32>>,
}

impl Filling {
    /// Whether all is done.
    #[inline(always)]
    pub(super) fn is_done(&self) -> bool {
        self.entries.are_done()
    }
}

/// Work that threads share out among them.
#[derive(Default)]
pub(super) struct Shares {
    count: usize,
    /// How many shares somebody has taken,
    taken: AtomicUsize,
    /// and how many are done.
    done: AtomicUsize,
}

impl Shares {
    pub(super) fn new(count: usize) -> Shares {
        Shares {
            count,
            ..Shares::default()
        }
    }

    #[inline(always)]
    fn are_done(&self) -> bool {
        self.done.load(Ordering::Acquire) == self.count
    }

    /// Takes part, and waits until all is done.
    pub(super) fn work(&self, mut one: impl FnMut(usize)) {
        loop {
            let share = self.taken.fetch_add(1, Ordering::Relaxed);
            if share >= self.count {
                break;
            }
            one(share);
            self.done.fetch_add(1, Ordering::Release);
        }
        while !self.are_done() {
            std::thread::yield_now();
        }
    }
}
