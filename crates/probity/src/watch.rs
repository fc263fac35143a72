//! The limits of the program as a whole: its time, its memory, the wish to stop.
//!
//! Work looks at its limits itself. What it cannot look at, the memory of the process, a thread looks at
//! for it. And if some work does not stop when it should, the same thread says what is known, in its
//! place, and ends the program: whatever phase hangs, nothing that was found out is lost.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use source::limits::{Limit, Limits};

use crate::system::System;

/// How often the memory is looked at; and how often when more than half of it is used.
const EVERY: Duration = Duration::from_millis(20);
const OFTEN: Duration = Duration::from_millis(2);
/// How long work may take to stop: this time, or one part in so many of what it was given.
const GRACE: Duration = Duration::from_millis(300);
const PART: u32 = 20;
/// The same where a search is written to a file before it stops.
const PATIENCE: Duration = Duration::from_secs(5);
/// What work may have is less than the process may have, by these bytes and one part in so many, but
/// not by more than the last: it takes a moment to stop, and the report needs memory too.
const MARGIN: u64 = 24 << 20;
const SHARE: u64 = 16;
const MOST_MARGIN: u64 = 256 << 20;
/// Bytes that are left to say what is known.
const LAST_WORDS: u64 = 8 << 20;
/// Bytes that are left to work however little memory is given: less than the program itself has is no
/// limit that could be kept.
const LEAST: u64 = 32 << 20;
/// The stack of the thread that says what is known.
const STACK: usize = 256 << 20;

/// Watches over some work.
pub(crate) struct Watch<'s> {
    system: &'s dyn System,
    /// Bytes that work may have, and those that the process may have before it is ended.
    memory: Option<u64>,
    most_memory: Option<u64>,
    /// Bytes that it has; zero where that is not known.
    resident: Arc<AtomicU64>,
    over: Arc<AtomicBool>,
    /// Searches that are being written to files just now.
    saving: AtomicU32,
    state: Mutex<State>,
    changed: Condvar,
}

struct State {
    /// The works that are under way, by number.
    works: BTreeMap<u64, Given>,
    numbers: u64,
    stopped: Option<Instant>,
    done: bool,
}

/// What a work may have, and what it is at.
#[derive(Default)]
struct Given {
    deadline: Option<Instant>,
    grace: Duration,
    is_patient: bool,
    phase: String,
}

/// A work among those that a [`Watch`] watches over side by side: each has its own time.
pub(crate) struct Work<'w> {
    watch: &'w Watch<'w>,
    number: u64,
}

/// What to do when work does not stop, which is at what the text says: says what is known, and gives the
/// exit status.
pub(crate) type LastWords<'a> = &'a (dyn Fn(Limit, &str) -> u8 + Sync);

impl<'s> Watch<'s> {
    /// A watch over a process that may have so many bytes of memory.
    pub(crate) fn new(memory: Option<u64>, system: &'s dyn System) -> Self {
        let resident = system.resident();
        let least = resident.unwrap_or(0) + LEAST;
        let less = |memory: u64| memory.saturating_sub((memory / SHARE + MARGIN).min(MOST_MARGIN));
        Watch {
            system,
            memory: memory.map(|memory| less(memory).max(least)),
            most_memory: memory.map(|memory| (memory - LAST_WORDS.min(memory)).max(least + MARGIN)),
            resident: Arc::new(AtomicU64::new(resident.unwrap_or(0))),
            over: Arc::default(),
            saving: AtomicU32::new(0),
            state: Mutex::new(State {
                works: BTreeMap::new(),
                numbers: 0,
                stopped: None,
                done: false,
            }),
            changed: Condvar::new(),
        }
    }

    /// A work that is watched over from now on.
    pub(crate) fn work(&self) -> Work<'_> {
        let mut state = self.state();
        state.numbers += 1;
        let number = state.numbers;
        state.works.insert(number, Given::default());
        Work {
            watch: self,
            number,
        }
    }

    /// Bytes that work may have.
    pub(crate) fn memory(&self) -> Option<u64> {
        self.memory
    }

    /// Bytes that the process has, kept current; nothing where that is not known.
    pub(crate) fn resident(&self) -> Option<Arc<AtomicU64>> {
        let known = self.resident.load(Ordering::Relaxed) > 0;
        known.then(|| Arc::clone(&self.resident))
    }

    /// Something is written that is not to be cut short.
    pub(crate) fn while_saving<T>(&self, write: impl FnOnce() -> T) -> T {
        self.saving.fetch_add(1, Ordering::Relaxed);
        let written = write();
        self.saving.fetch_sub(1, Ordering::Relaxed);
        written
    }

    /// Does some work under this watch.
    pub(crate) fn over<T>(&self, last_words: LastWords<'_>, work: impl FnOnce() -> T) -> T {
        self.state().done = false;
        std::thread::scope(|scope| {
            let keeper = std::thread::Builder::new().stack_size(STACK);
            // Where there is no room for another thread, work has to keep to its limits itself.
            let _ = keeper.spawn_scoped(scope, || self.keep(last_words));
            let _done = Done(self);
            work()
        })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn keep(&self, last_words: LastWords<'_>) {
        let stop = self.system.stop();
        let mut state = self.state();
        while !state.done {
            if let Some(resident) = self.system.resident() {
                self.resident.store(resident, Ordering::Relaxed);
                if let Some(memory) = self.memory {
                    self.over.store(resident > memory, Ordering::Relaxed);
                }
            }
            if stop.load(Ordering::Relaxed) {
                state.stopped.get_or_insert_with(Instant::now);
            }
            if let Some((limit, phase)) = self.passed(&state)
                && let Some(leave) = self.system.leave()
            {
                drop(state);
                leave(last_words(limit, &phase));
                return;
            }
            let is_near = |memory| self.resident.load(Ordering::Relaxed) > memory / 2;
            let pause = if self.memory.is_some_and(is_near) {
                OFTEN
            } else {
                EVERY
            };
            (state, _) = self
                .changed
                .wait_timeout(state, pause)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// The limit that has been passed by more than can be borne, and what the work is at that did not
    /// stop.
    fn passed(&self, state: &State) -> Option<(Limit, String)> {
        let resident = self.resident.load(Ordering::Relaxed);
        let any = || state.works.values().next();
        let phase = |given: Option<&Given>| given.map_or(String::new(), |one| one.phase.clone());
        if self.most_memory.is_some_and(|most| resident > most) {
            return Some((Limit::Memory, phase(any())));
        }
        if self.saving.load(Ordering::Relaxed) > 0 {
            return None;
        }
        let is_late = |since: Instant, grace: Duration, given: Option<&Given>| {
            let least = match given.is_some_and(|given| given.is_patient) {
                true => PATIENCE,
                false => Duration::ZERO,
            };
            since.elapsed() > grace.max(least)
        };
        if state.stopped.is_some_and(|at| is_late(at, GRACE, any())) {
            return Some((Limit::Interrupted, phase(any())));
        }
        let late = |given: &&Given| {
            let deadline = given.deadline;
            deadline.is_some_and(|at| is_late(at, given.grace, Some(given)))
        };
        let late = state.works.values().find(late);
        late.map(|given| (Limit::Time, given.phase.clone()))
    }
}

impl Work<'_> {
    fn change(&self, change: impl FnOnce(&mut Given)) {
        let mut state = self.watch.state();
        change(state.works.entry(self.number).or_default());
    }

    /// What begins now may take so long. `is_patient`: a search that is stopped has to be written to a
    /// file.
    pub(crate) fn begin(&self, timeout: Option<Duration>, is_patient: bool) {
        self.change(|given| {
            given.deadline = timeout.and_then(|timeout| Instant::now().checked_add(timeout));
            given.grace = GRACE.max(timeout.unwrap_or_default() / PART);
            given.is_patient = is_patient;
        });
    }

    /// What the work is at now, for people.
    pub(crate) fn phase(&self, phase: impl Into<String>) {
        self.change(|given| given.phase = phase.into());
    }

    fn deadline(&self) -> Option<Instant> {
        let state = self.watch.state();
        state.works.get(&self.number)?.deadline
    }

    /// Limits for work that [checks](source::limits::check).
    pub(crate) fn limits(&self) -> Limits {
        Limits {
            deadline: self.deadline(),
            over: Arc::clone(&self.watch.over),
            stop: self.watch.system.stop(),
        }
    }

    /// How much time is left.
    pub(crate) fn left(&self) -> Option<Duration> {
        Some(self.deadline()?.saturating_duration_since(Instant::now()))
    }
}

impl Drop for Work<'_> {
    fn drop(&mut self) {
        self.watch.state().works.remove(&self.number);
    }
}

/// The work has ended, however it did.
struct Done<'w, 's>(&'w Watch<'s>);

impl Drop for Done<'_, '_> {
    fn drop(&mut self) {
        self.0.state().done = true;
        self.0.changed.notify_all();
    }
}

/// Does work that has no verdicts to tell within limits; the exit status.
pub(crate) fn limited(
    what: &str,
    (timeout, memory): (Option<Duration>, Option<u64>),
    system: &dyn System,
    work: impl FnOnce() -> u8,
) -> u8 {
    let memory = memory.unwrap_or_else(|| usual_memory(system));
    let watch = Watch::new(Some(memory), system);
    let own = watch.work();
    own.begin(timeout, false);
    let said = |limit: Limit| {
        system.err(&format!("error: {what}: {}\n", in_words(limit)));
        3
    };
    watch.over(&|limit, _| said(limit), || {
        source::limits::within(own.limits(), work).unwrap_or_else(said)
    })
}

/// Bytes of memory that are used where nobody says how many may be: three quarters of what is free.
pub(crate) fn usual_memory(system: &dyn System) -> u64 {
    let free = system.free_memory().map(|free| free / 4 * 3);
    free.unwrap_or(4 << 30)
}

/// A limit, as it is told.
pub(crate) fn in_words(limit: Limit) -> &'static str {
    match limit {
        Limit::Time => "the time limit was reached",
        Limit::Memory => "the memory limit was reached",
        Limit::Interrupted => "it was interrupted",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::InMemory;

    #[test]
    fn work_that_has_no_answer_ends_with_a_message() {
        let system = InMemory::default();
        let for_ever = || {
            loop {
                source::limits::check();
            }
        };
        let limits = (Some(Duration::from_millis(30)), None);
        assert_eq!(limited("translate", limits, &system, for_ever), 3);
        assert_eq!(
            system.err(),
            "error: translate: the time limit was reached\n"
        );
        assert_eq!(limited("translate", (None, None), &system, || 0), 0);
        system.stop().store(true, Ordering::Relaxed);
        assert_eq!(limited("simulate", (None, None), &system, for_ever), 3);
        assert!(system.err().ends_with("simulate: it was interrupted\n"));
    }

    #[test]
    fn limits_are_passed_when_the_grace_is_over() {
        let system = InMemory::default();
        let watch = Watch::new(Some(1 << 30), &system);
        let (one, other) = (watch.work(), watch.work());
        let passed = || watch.passed(&watch.state()).map(|(limit, _)| limit);
        one.begin(None, false);
        other.begin(Some(Duration::ZERO), false);
        assert_eq!(passed(), None, "it may take a moment");
        other.change(|given| given.grace = Duration::ZERO);
        other.phase("thinking");
        std::thread::sleep(Duration::from_millis(1));
        let late = watch.passed(&watch.state());
        assert_eq!(late, Some((Limit::Time, "thinking".to_owned())));
        watch.while_saving(|| assert_eq!(passed(), None));
        drop(other);
        assert_eq!(passed(), None, "the other one has time");
        watch.resident.store(2 << 30, Ordering::Relaxed);
        assert_eq!(passed(), Some(Limit::Memory));
    }
}
