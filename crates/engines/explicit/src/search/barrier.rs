//! A gate that opens when all threads stand before it.
//!
//! Levels of a breadth-first search are often done within a fraction of a millisecond, and a thread
//! that has gone to sleep takes a good part of that to wake up. So whoever comes early looks again
//! and again for a while before it sleeps.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};

use crate::search::crew::lock;

/// Looks before a thread sleeps: some tens of microseconds.
const LOOKS: u32 = 1 << 11;

/// The gate.
#[derive(Debug)]
pub(crate) struct Barrier {
    threads: usize,
    /// Threads that stand before it.
    here: AtomicUsize,
    /// How often it has opened.
    opened: AtomicUsize,
    asleep: Mutex<()>,
    opens: Condvar,
}

impl Barrier {
    /// A gate for so many threads, at least one.
    pub(crate) fn new(threads: usize) -> Self {
        Barrier {
            threads,
            here: AtomicUsize::new(0),
            opened: AtomicUsize::new(0),
            asleep: Mutex::new(()),
            opens: Condvar::new(),
        }
    }

    /// Waits until all threads do. What any of them has done before is seen by all behind it.
    pub(crate) fn wait(&self) {
        let opened = self.opened.load(Ordering::Acquire);
        if self.here.fetch_add(1, Ordering::AcqRel) + 1 == self.threads {
            self.here.store(0, Ordering::Relaxed);
            // Under the lock, lest somebody goes to sleep after looking.
            let asleep = lock(&self.asleep);
            self.opened.store(opened.wrapping_add(1), Ordering::Release);
            drop(asleep);
            self.opens.notify_all();
            return;
        }
        let is_open = || self.opened.load(Ordering::Acquire) != opened;
        for _ in 0..LOOKS {
            if is_open() {
                return;
            }
            std::hint::spin_loop();
        }
        let mut asleep = lock(&self.asleep);
        while !is_open() {
            asleep = self
                .opens
                .wait(asleep)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_is_a_round_ahead() {
        const THREADS: usize = 3;
        let gate = Barrier::new(THREADS);
        let rounds: Vec<AtomicUsize> = (0..THREADS).map(|_| AtomicUsize::new(0)).collect();
        std::thread::scope(|scope| {
            for me in 0..THREADS {
                let (gate, rounds) = (&gate, &rounds);
                scope.spawn(move || {
                    for round in 1..=2_000 {
                        if round % 500 == me * 100 {
                            // The others go to sleep.
                            std::thread::sleep(std::time::Duration::from_millis(2));
                        }
                        rounds[me].store(round, Ordering::Relaxed);
                        gate.wait();
                        for other in rounds {
                            assert_eq!(other.load(Ordering::Relaxed), round);
                        }
                        gate.wait();
                    }
                });
            }
        });
    }
}
