//! What work may use, and whose turn it is.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use source::limits::{Limit, Limits};

use crate::verdict::UnknownReason;

/// Limits.
#[derive(Clone, Debug)]
pub struct Budget {
    /// Stop at this moment.
    pub deadline: Option<Instant>,
    /// Bytes for what the work itself keeps: states, clauses, diagrams.
    pub memory: Option<u64>,
    /// Set from outside when the process as a whole has more memory than it may, and this work is
    /// to give its own back.
    pub over: Arc<AtomicBool>,
    /// The most bytes that the work itself has said that it keeps.
    pub used: Arc<AtomicU64>,
    /// Micro steps in one macro step before it is given up.
    pub micro_steps: u64,
    /// Set from outside to stop.
    pub stop: Arc<AtomicBool>,
    /// Where the work waits while it is the turn of others, if there are too few processor cores
    /// for all.
    pub gate: Option<Arc<Gate>>,
}

impl Default for Budget {
    fn default() -> Self {
        Budget {
            deadline: None,
            memory: None,
            over: Arc::default(),
            used: Arc::default(),
            micro_steps: 1_000_000,
            stop: Arc::default(),
            gate: None,
        }
    }
}

impl Budget {
    /// Why work should stop now, if it should; so many bytes are what it keeps. Waits while it is
    /// the turn of others.
    #[must_use]
    pub fn exhausted(&self, memory: u64) -> Option<UnknownReason> {
        if let Some(gate) = &self.gate {
            gate.pass(|| self.reached(memory).is_some());
        }
        if memory > 0 {
            self.used.fetch_max(memory, Ordering::Relaxed);
        }
        self.reached(memory)
    }

    fn reached(&self, memory: u64) -> Option<UnknownReason> {
        if self.stop.load(Ordering::Relaxed) {
            Some(UnknownReason::Interrupted)
        } else if self.over.load(Ordering::Relaxed)
            || self.memory.is_some_and(|limit| memory > limit)
        {
            Some(UnknownReason::Memory)
        } else if self.deadline.is_some_and(|at| Instant::now() >= at) {
            Some(UnknownReason::Time)
        } else {
            None
        }
    }

    /// Work begins anew: whatever was kept before has been given back.
    pub fn begin(&self) {
        self.used.store(0, Ordering::Relaxed);
        self.over.store(false, Ordering::Relaxed);
    }

    /// The same limits for work that only [checks](source::limits::check).
    #[must_use]
    pub fn limits(&self) -> Limits {
        Limits {
            deadline: self.deadline,
            over: Arc::clone(&self.over),
            stop: Arc::clone(&self.stop),
        }
    }

    /// Does some work that only checks.
    ///
    /// # Errors
    /// Why it stopped early.
    pub fn within<T>(&self, work: impl FnOnce() -> T) -> Result<T, UnknownReason> {
        source::limits::within(self.limits(), work).map_err(UnknownReason::from)
    }

    /// The same, but it stops after this time at the latest.
    #[must_use]
    pub fn at_most(&self, time: Duration) -> Budget {
        let end = Instant::now() + time;
        Budget {
            deadline: Some(self.deadline.map_or(end, |deadline| deadline.min(end))),
            ..self.clone()
        }
    }
}

impl From<Limit> for UnknownReason {
    fn from(limit: Limit) -> Self {
        match limit {
            Limit::Time => UnknownReason::Time,
            Limit::Memory => UnknownReason::Memory,
            Limit::Interrupted => UnknownReason::Interrupted,
        }
    }
}

/// Lets work go on or wait.
#[derive(Debug, Default)]
pub struct Gate {
    shut: AtomicBool,
    inner: Mutex<()>,
    opened: Condvar,
}

/// How often work that waits looks whether it should stop.
const PATIENCE: Duration = Duration::from_millis(10);

impl Gate {
    /// Makes who comes by wait.
    pub fn shut(&self) {
        self.shut.store(true, Ordering::Relaxed);
    }

    /// Lets all go on.
    pub fn open(&self) {
        if self.shut.swap(false, Ordering::Relaxed) {
            self.opened.notify_all();
        }
    }

    /// Waits while it is shut, unless it is time to stop.
    fn pass(&self, stops: impl Fn() -> bool) {
        if !self.shut.load(Ordering::Relaxed) {
            return;
        }
        let mut inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        while self.shut.load(Ordering::Relaxed) && !stops() {
            (inner, _) = self
                .opened
                .wait_timeout(inner, PATIENCE)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_waits_at_a_gate_goes_on_when_it_opens_or_when_it_is_to_stop() {
        let gate = Arc::new(Gate::default());
        let budget = Budget {
            gate: Some(Arc::clone(&gate)),
            ..Budget::default()
        };
        assert_eq!(budget.exhausted(0), None);
        gate.shut();
        std::thread::scope(|scope| {
            let waits = scope.spawn(|| budget.exhausted(0));
            std::thread::sleep(Duration::from_millis(30));
            assert!(!waits.is_finished());
            gate.open();
            assert_eq!(waits.join().expect("no panic"), None);
        });
        gate.shut();
        let soon = budget.at_most(Duration::from_millis(20));
        assert_eq!(soon.exhausted(0), Some(UnknownReason::Time));
        budget.stop.store(true, Ordering::Relaxed);
        assert_eq!(budget.exhausted(0), Some(UnknownReason::Interrupted));
    }

    #[test]
    fn what_the_process_has_too_much_of_and_what_work_keeps_both_count() {
        let budget = Budget {
            memory: Some(100),
            ..Budget::default()
        };
        assert_eq!(budget.exhausted(100), None);
        assert_eq!(budget.used.load(Ordering::Relaxed), 100);
        assert_eq!(budget.exhausted(101), Some(UnknownReason::Memory));
        budget.over.store(true, Ordering::Relaxed);
        assert_eq!(budget.exhausted(0), Some(UnknownReason::Memory));
        assert_eq!(budget.within(|| 1), Err(UnknownReason::Memory));
    }
}
