//! Files that are worked on side by side.
//!
//! Threads are shared: as many files are checked at once as there are threads to be used, and what
//! engines have for one of them is its share. When fewer files are left than threads, those get more.
//! Memory is not divided: each file may use what the process may. Where that was not enough, because
//! others were at work, a file has its turn [alone](Lane::alone), so that what is found out about it
//! does not depend on what is checked beside it.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

/// The stack of a thread that works on a file, in bytes; what is never used takes no memory.
const STACK: usize = 256 << 20;

/// Does some work on each item, on so many at once; what came of it, in the order of the items.
pub(crate) fn each<T: Sync, R: Send>(
    items: &[T],
    at_once: usize,
    work: impl Fn(usize, &T) -> R + Sync,
) -> Vec<R> {
    if at_once <= 1 || items.len() <= 1 {
        return items
            .iter()
            .enumerate()
            .map(|(at, item)| work(at, item))
            .collect();
    }
    let next = AtomicUsize::new(0);
    let results: Mutex<Vec<(usize, R)>> = Mutex::new(Vec::new());
    let worker = || {
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(at) else { return };
            let result = work(at, item);
            let mut results = results.lock().unwrap_or_else(PoisonError::into_inner);
            results.push((at, result));
        }
    };
    std::thread::scope(|scope| {
        for number in 1..at_once.min(items.len()) {
            let thread = std::thread::Builder::new()
                .name(format!("file {number}"))
                .stack_size(STACK);
            // Where there is no room for another thread, those that there are do the work.
            let _ = thread.spawn_scoped(scope, worker);
        }
        worker();
    });
    let mut results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    results.sort_by_key(|(at, _)| *at);
    results.into_iter().map(|(_, result)| result).collect()
}

/// What files that are worked on side by side share.
pub(crate) struct Lanes {
    threads: usize,
    at_once: usize,
    /// Files that have not ended yet.
    left: AtomicUsize,
    /// Held for reading by each file that is worked on, and for writing by one that has to be alone.
    turn: RwLock<()>,
}

impl Lanes {
    /// For so many files, with so many threads for all; `alone`: one file at a time.
    pub(crate) fn new(files: usize, threads: usize, alone: bool) -> Lanes {
        Lanes {
            threads,
            at_once: if alone { 1 } else { threads.min(files).max(1) },
            left: AtomicUsize::new(files),
            turn: RwLock::new(()),
        }
    }

    /// How many files are worked on at once.
    pub(crate) fn at_once(&self) -> usize {
        self.at_once
    }

    /// A file begins to be worked on; waits while another one has to be alone.
    pub(crate) fn lane(&self) -> Lane<'_> {
        let turn = self.turn.read().unwrap_or_else(PoisonError::into_inner);
        let beside = self.at_once.min(self.left.load(Ordering::Relaxed)).max(1);
        Lane {
            lanes: self,
            turn: Some(turn),
            beside,
        }
    }
}

/// The place of a file that is worked on.
pub(crate) struct Lane<'l> {
    lanes: &'l Lanes,
    turn: Option<RwLockReadGuard<'l, ()>>,
    /// How many files may be worked on, this one among them.
    beside: usize,
}

impl<'l> Lane<'l> {
    /// The threads that it may use.
    pub(crate) fn threads(&self) -> usize {
        (self.lanes.threads / self.beside).max(1)
    }

    /// Whether others may be worked on at the same time.
    pub(crate) fn is_shared(&self) -> bool {
        self.beside > 1
    }

    /// Waits until it is the only one, and keeps it so: whoever holds what this gives has all threads.
    pub(crate) fn alone(&mut self) -> RwLockWriteGuard<'l, ()> {
        self.turn = None;
        self.beside = 1;
        let turn = self.lanes.turn.write();
        turn.unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Lane<'_> {
    fn drop(&mut self) {
        self.lanes.left.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_have_the_order_of_the_items() {
        let items: Vec<usize> = (0..100).collect();
        let busy = AtomicUsize::new(0);
        let most = AtomicUsize::new(0);
        let squares = each(&items, 4, |at, item| {
            most.fetch_max(busy.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
            std::thread::sleep(std::time::Duration::from_micros(
                ((at * 7) % 5) as u64 * 100,
            ));
            busy.fetch_sub(1, Ordering::SeqCst);
            item * item
        });
        let expected: Vec<usize> = items.iter().map(|item| item * item).collect();
        assert_eq!(squares, expected);
        assert!((2..=4).contains(&most.load(Ordering::SeqCst)));
    }

    #[test]
    fn who_needs_all_is_alone() {
        let lanes = Lanes::new(6, 4, false);
        let busy = AtomicUsize::new(0);
        let threads = each(&[(); 6], lanes.at_once(), |at, ()| {
            let mut lane = lanes.lane();
            busy.fetch_add(1, Ordering::SeqCst);
            std::thread::sleep(std::time::Duration::from_millis(5));
            busy.fetch_sub(1, Ordering::SeqCst);
            let before = lane.threads();
            if at % 2 == 0 {
                let _alone = lane.alone();
                assert_eq!(busy.load(Ordering::SeqCst), 0);
                assert_eq!((lane.threads(), lane.is_shared()), (4, false));
            }
            before
        });
        assert_eq!(threads[0], 1);
        assert!(threads.iter().all(|threads| (1..=4).contains(threads)));
        assert_eq!(Lanes::new(6, 4, true).at_once(), 1);
    }
}
