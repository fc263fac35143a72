//! Unfolds the graph: what can be reached together with the automaton, by several threads, level
//! by level.
//!
//! A level is what has been found or woken in the one before. A state that states of the automaton
//! come to later is not expanded again: its list of successors is gone through. A state to which
//! the automaton comes only with letters that it cannot read is not expanded at all.

mod finds;
mod saved;
mod shared;
mod spread;
mod worker;

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use model::{Statistics, UnknownReason};

use crate::liveness::automaton_labels::Letters;
use crate::liveness::product_graph::Graph;
use crate::search::crew::{lock, together};
use crate::store::{StateId, Store};
use crate::successors::transition_cache::TransitionCache;
use crate::{Options, Storage, Technique, Tuning};
pub(crate) use shared::Setting;
use shared::{Common, Item};
use worker::ProductWorker;

/// States up to which one thread goes on alone, so that where the first probe begins, and with it
/// what it finds, is the same every time.
const ALONE: u32 = 1 << 15;
/// The most states that a thread takes at a time.
const MOST: u32 = 256;

/// The unfolding so far.
pub(crate) struct ProductExploration<'e> {
    common: Common<'e>,
    workers: Vec<Mutex<ProductWorker<'e>>>,
    frontier: Vec<Item>,
    tuning: Tuning,
    pub(crate) initial: Vec<(u32, u32)>,
    words: usize,
}

impl<'e> ProductExploration<'e> {
    pub(crate) fn new(setting: Setting<'e>, options: &Options) -> Self {
        let engine = setting.engine;
        let jobs = options.jobs.max(1);
        let storage = match options.storage {
            // States have to be read back.
            Storage::HashCompact | Storage::Bitstate => Storage::Plain,
            exact => exact,
        };
        let (store, inserters) = Store::new(&engine.packing.shape(), storage, jobs);
        if let Some(limit) = setting.budget.memory {
            store.set_limit(limit);
        }
        let width = setting.letters.width;
        let by_state = setting.observed.is_some();
        let constraints = engine.program.state_constraint.len();
        let workers = inserters
            .into_iter()
            .map(|inserter| {
                let mut driver = engine.driver().with_transition_cache();
                if by_state {
                    driver.set_collects_outcomes(false);
                }
                Mutex::new(ProductWorker::new(driver, constraints, inserter, &setting))
            })
            .collect();
        ProductExploration {
            common: Common {
                graph: Graph::new(store, width, by_state, setting.has_lists),
                letters: setting.letters,
                outcomes: setting.outcomes,
                goal: setting.goal,
                finite_runs: engine.program.finite_runs,
                budget: setting.budget,
                progress: setting.progress,
                rich: setting.rich,
                halted: AtomicBool::new(false),
                stop: Mutex::new(None),
                file: setting.file,
                paused: AtomicBool::new(false),
                states: AtomicU64::new(0),
                transitions: AtomicU64::new(0),
                looked: AtomicU64::new(0),
                reported: AtomicU64::new(0),
                depth: AtomicU64::new(0),
            },
            workers,
            frontier: Vec::new(),
            tuning: options.tuning,
            initial: Vec::new(),
            words: engine.packing.words,
        }
    }

    pub(crate) fn graph(&self) -> &Graph {
        &self.common.graph
    }

    pub(crate) fn letters(&self) -> &Letters<'e> {
        &self.common.letters
    }

    /// How many states there are (of the program).
    pub(crate) fn rows(&self) -> u32 {
        self.common.graph.store.end()
    }

    /// Whether nothing is left to unfold.
    pub(crate) fn is_whole(&self) -> bool {
        self.frontier.is_empty()
    }

    /// How many expansions there were, and how many were reduced.
    pub(crate) fn reduced(&self) -> (u64, u64) {
        let each = self.workers.iter().map(|each| lock(each).reduced());
        each.fold((0, 0), |sum, (all, reduced)| (sum.0 + all, sum.1 + reduced))
    }

    /// Whether a sample stood for a wide choice.
    pub(crate) fn sampled(&self) -> bool {
        let sampled = |worker| lock::<ProductWorker<'_>>(worker).driver.machine.sampled;
        self.workers.iter().any(sampled)
    }

    /// Whether some branch of a macro step was given up.
    pub(crate) fn gave_up(&self) -> bool {
        let gave_up = |worker| lock::<ProductWorker<'_>>(worker).driver.machine.gave_up;
        self.workers.iter().any(gave_up)
    }

    /// Adds to what was seen to hold.
    pub(crate) fn watched(&self, watched: &mut [bool]) {
        for worker in &self.workers {
            for (seen, theirs) in watched.iter_mut().zip(&lock(worker).watched) {
                *seen |= theirs;
            }
        }
    }

    pub(crate) fn statistics(&self) -> Statistics {
        for worker in &self.workers {
            lock(worker).tell_counts(&self.common);
        }
        self.common.statistics()
    }

    /// Bytes in use.
    pub(crate) fn memory(&self) -> u64 {
        self.common.memory()
    }

    /// Begins with these states and this state of the automaton.
    pub(crate) fn begin(
        &mut self,
        initial: &[Vec<u64>],
        automaton: u32,
    ) -> Result<(), UnknownReason> {
        let common = &self.common;
        let mut worker = lock(&self.workers[0]);
        for stored in initial {
            let row = worker.add_initial(common, stored, automaton)?;
            let mut set = vec![0; common.graph.width];
            common.graph.all(row, &mut set);
            let states = crate::liveness::automaton_labels::states(&set);
            self.initial
                .extend(states.map(|state| (row, u32::try_from(state).unwrap_or(u32::MAX))));
        }
        self.initial.sort_unstable();
        self.initial.dedup();
        drop(worker);
        self.gather();
        Ok(())
    }

    /// The newest states of the frontier, so many at most.
    fn newest(&mut self, most: usize) -> Vec<Item> {
        let mut taken = Vec::new();
        let mut room = most;
        while room > 0
            && let Some(item) = self.frontier.pop()
        {
            let (rest, newest) = item.split(room);
            room -= newest.len();
            taken.push(newest);
            self.frontier.extend(rest);
        }
        taken
    }

    /// Works on one level, or on so many states found last. Says where the automaton has come to
    /// its goal, if it has.
    pub(crate) fn level(&mut self, newest: Option<usize>) -> Result<Option<u32>, UnknownReason> {
        let level = match newest {
            None => std::mem::take(&mut self.frontier),
            Some(most) => self.newest(most),
        };
        let size: usize = level.iter().map(Item::len).sum();
        let from = self.tuning.number(Technique::ParallelLevels);
        let is_shared = from > 0 && size as u64 >= from && self.rows() >= ALONE;
        let jobs = if !is_shared { 1 } else { self.workers.len() };
        self.common.graph.set_alone(jobs == 1);
        self.common.graph.store.prepare_for(jobs);
        if jobs > 1 && self.tuning.has(Technique::SharedCache) {
            self.tell_news();
        }
        let share = u32::try_from(size / (jobs * 8)).unwrap_or(MOST);
        let most = if jobs == 1 {
            MOST
        } else {
            share.clamp(1, MOST)
        };
        let mut items = Vec::new();
        for item in level {
            item.cut(most, &mut items);
        }
        let next = AtomicUsize::new(0);
        let common = &self.common;
        let workers = &self.workers;
        together(jobs, |number| {
            let mut worker = lock(&workers[number]);
            worker.driver.transition_cache.take_over();
            while !common.is_halted()
                && let Some(item) = items.get(next.fetch_add(1, Ordering::Relaxed))
            {
                worker.work(common, item);
            }
            worker.finish(common);
        });
        let whole = !common.is_halted();
        self.gather();
        // If the level was broken off, the rest of it comes next.
        let untaken = next.into_inner().min(items.len());
        self.frontier.extend(items.drain(untaken..));
        for worker in &self.workers {
            self.frontier.append(&mut lock(worker).left);
        }
        let found = unfolders_found(&self.workers);
        let stop = self
            .common
            .stop
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone();
        match (found, stop) {
            (Some(found), _) => Ok(Some(found)),
            (None, Some(reason)) => Err(reason),
            (None, None) => {
                self.common.halted.store(false, Ordering::Relaxed);
                let depth = &self.common.depth;
                depth.fetch_add(u64::from(whole), Ordering::Relaxed);
                Ok(None)
            }
        }
    }

    /// Whether everybody was asked to stop so that the search can be saved; it goes on now.
    pub(crate) fn end_pause(&self) -> bool {
        self.common.paused.swap(false, Ordering::Relaxed)
    }

    /// Goes on from one state, always to its first successor, until a state comes again.
    pub(crate) fn walk(&mut self, from: u32) -> Result<(), UnknownReason> {
        let common = &self.common;
        common.halted.store(false, Ordering::Relaxed);
        let mut worker = lock(&self.workers[0]);
        let mut seen = std::collections::HashSet::new();
        let mut at = from;
        while seen.insert(at) {
            worker.visit(common, at, true);
            worker.finish(common);
            worker.found = None;
            if let Some(reason) = common.stopped() {
                return Err(reason);
            }
            common.halted.store(false, Ordering::Relaxed);
            let Some(next) = common.graph.next(&mut common.graph.transitions(at)) else {
                return Ok(());
            };
            at = next.to;
        }
        Ok(())
    }

    /// What each has learnt of moves, the others are told.
    fn tell_news(&self) {
        let mut workers: Vec<_> = self.workers.iter().map(lock).collect();
        let recalls = workers
            .iter_mut()
            .map(|each| &mut each.driver.transition_cache);
        TransitionCache::tell_each_other(&mut recalls.collect::<Vec<_>>());
    }

    /// Collects the next level.
    fn gather(&mut self) {
        for worker in &self.workers {
            let mut worker = lock(worker);
            let fresh = worker.inserter.take_fresh();
            self.frontier.extend(fresh.into_iter().map(Item::Fresh));
            let woken = std::mem::take(&mut worker.woken);
            if !woken.is_empty() {
                self.frontier.push(Item::Again(woken));
            }
        }
    }
}

fn unfolders_found(workers: &[Mutex<ProductWorker<'_>>]) -> Option<u32> {
    workers.iter().filter_map(|worker| lock(worker).found).min()
}

/// What is known of a stored state.
pub(crate) fn read(unfolding: &ProductExploration<'_>, row: u32) -> Vec<u64> {
    let mut stored = vec![0; unfolding.words];
    unfolding.common.graph.store.read(StateId(row), &mut stored);
    stored
}
