//! A swarm: depth-first searches that each go through the states in another order and lose others.
//!
//! Where there are more states than can be stored, one search with [bits](crate::store::bitstate) sees a part
//! of them, and always the same part. Searches whose order of moves and whose hash are chosen at random see
//! parts of their own, are independent of each other, and can be made anywhere (Holzmann, Joshi and Groce:
//! *Swarm verification techniques*, IEEE Transactions on Software Engineering 37, 2011). What they find is a
//! failure; that they find none is no proof.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use model::{Budget, Progress, Statistics, UnknownReason};

use crate::search::bfs::{SafetyJob, SafetyOutcome};
use crate::search::depth_first;
use crate::{Answer, Options, Storage};

/// Makes the searches of these seeds, as many at once as there are threads, until all that is asked for has
/// been found. Those that are left share the time that is left.
///
/// # Errors
/// If no search can be made: the program has features that this engine does not have, or an option asks for
/// what these searches do not do.
pub(crate) fn explore(
    job: &SafetyJob<'_>,
    options: &Options,
    seeds: Range<u64>,
    budget: &Budget,
    progress: &dyn Progress,
) -> Result<SafetyOutcome, UnknownReason> {
    let count = usize::try_from(seeds.end.saturating_sub(seeds.start)).unwrap_or(usize::MAX);
    let threads = options.jobs.clamp(1, count.max(1));
    let halt = Arc::new(AtomicBool::new(false));
    let swarm = Swarm {
        job,
        options: Options {
            storage: Storage::Bitstate,
            ..*options
        },
        budget,
        threads,
        state: Mutex::new(State { seeds, whole: None }),
        shown: Shown {
            progress,
            outside: &budget.stop,
            halt: Arc::clone(&halt),
        },
        halt,
    };
    std::thread::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(|| swarm.work());
        }
        swarm.work();
    });
    let state = swarm.state.into_inner();
    let whole = state.unwrap_or_else(PoisonError::into_inner).whole;
    whole.unwrap_or(Err(UnknownReason::Interrupted))
}

/// Searches that are made side by side.
struct Swarm<'s> {
    job: &'s SafetyJob<'s>,
    options: Options,
    budget: &'s Budget,
    threads: usize,
    state: Mutex<State>,
    shown: Shown<'s>,
    halt: Arc<AtomicBool>,
}

struct State {
    /// The seeds of searches that have not begun.
    seeds: Range<u64>,
    /// What has been found so far.
    whole: Option<Result<SafetyOutcome, UnknownReason>>,
}

impl Swarm<'_> {
    /// Makes searches as long as there are any.
    fn work(&self) {
        while let Some((seed, left)) = self.next() {
            let budget = Budget {
                deadline: (self.budget.deadline).map(|end| self.share(end, left)),
                memory: (self.budget.memory).map(|memory| memory / self.threads as u64),
                stop: Arc::clone(&self.halt),
                ..self.budget.clone()
            };
            let order = Some(seed);
            let found = depth_first::explore(self.job, &self.options, order, &budget, &self.shown);
            self.add(found);
        }
    }

    /// The next seed, and how many there are with it.
    fn next(&self) -> Option<(u64, u64)> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if self.halt.load(Ordering::Relaxed)
            || self.budget.exhausted(0).is_some() && state.whole.is_some()
        {
            return None;
        }
        let left = state.seeds.end - state.seeds.start;
        Some((state.seeds.next()?, left))
    }

    /// When a search has to end if so many are to be made with it before this moment.
    fn share(&self, end: Instant, left: u64) -> Instant {
        let now = Instant::now();
        let rounds = u32::try_from(left.div_ceil(self.threads as u64)).unwrap_or(u32::MAX);
        now + end.saturating_duration_since(now) / rounds.max(1)
    }

    /// Adds what a search has found.
    fn add(&self, found: Result<SafetyOutcome, UnknownReason>) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let whole = match (state.whole.take(), found) {
            (Some(Ok(one)), Ok(other)) => Ok(both(one, other)),
            (Some(Ok(one)), Err(_)) | (None | Some(Err(_)), Ok(one)) => Ok(one),
            (None | Some(Err(_)), Err(reason)) => Err(reason),
        };
        if let Ok(whole) = &whole {
            let mut fails = (whole.answers.iter()).map(|it| matches!(it, Answer::Violated(_)));
            let is_done = match self.options.first {
                true => fails.any(|fails| fails),
                false => fails.all(|fails| fails),
            };
            if is_done && !whole.answers.is_empty() {
                self.halt.store(true, Ordering::Relaxed);
            }
        }
        state.whole = Some(whole);
    }
}

/// What two searches have found.
fn both(one: SafetyOutcome, other: SafetyOutcome) -> SafetyOutcome {
    let answers = one.answers.into_iter().zip(other.answers);
    let answers = answers.map(|answers| match answers {
        (Answer::Violated(run), _) | (_, Answer::Violated(run)) => Answer::Violated(run),
        // One that came to an end has seen all that it did not lose.
        (Answer::Clear, _) | (_, Answer::Clear) => Answer::Clear,
        (Answer::Unknown(reason), _) => Answer::Unknown(reason),
    });
    let either = |one: &[bool], other: &[bool]| -> Vec<bool> {
        one.iter().zip(other).map(|(a, b)| a | b).collect()
    };
    let (a, b) = (one.statistics, other.statistics);
    SafetyOutcome {
        answers: answers.collect(),
        watched: either(&one.watched, &other.watched),
        failures: Vec::new(),
        deep: either(&one.deep, &other.deep),
        cut: one.cut || other.cut,
        sampled: one.sampled || other.sampled,
        statistics: Statistics {
            // How many of them both have seen is not known.
            states: a.states.max(b.states),
            transitions: a.transitions + b.transitions,
            depth: a.depth.max(b.depth),
            memory: a.memory.max(b.memory),
            // What each has lost, the others may have seen.
            omitted: a.omitted.min(b.omitted),
            ..a
        },
    }
}

/// Shows how far one of them is, and ends all when the user asks for it.
struct Shown<'s> {
    progress: &'s dyn Progress,
    outside: &'s AtomicBool,
    halt: Arc<AtomicBool>,
}

impl Progress for Shown<'_> {
    fn report(&self, statistics: &Statistics, waiting: u64) {
        if self.outside.load(Ordering::Relaxed) {
            self.halt.store(true, Ordering::Relaxed);
        }
        self.progress.report(statistics, waiting);
    }
}
