//! A level of the breadth-first search, and how workers share it out.
//!
//! The states of a level lie in blocks; workers take the blocks one by one until none is left or
//! somebody says halt. What is found meanwhile is the next level. Each worker has a share of the
//! blocks, about those states that it has found itself, which are still at hand; with none left
//! there, it takes from the others.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError, RwLock};

use crossbeam_utils::CachePadded;
use model::{Budget, Program, Progress, Statistics, UnknownReason};

use crate::checkpoint::file::CheckpointFile;
use crate::checkpoint::resume::Saved;
use crate::evidence::parent_bits::WorkerParentBits;
use crate::search::block::{Block, count, divide};
use crate::search::crew::lock;
use crate::search::depth_probe::DepthProbe;
use crate::store::Store;

/// States expanded between two reports of progress.
const REPORT: u64 = 1 << 14;

/// What workers have in common.
pub(crate) struct Shared<'s> {
    pub(crate) store: &'s Store,
    pub(crate) program: &'s Program,
    /// Words of a state.
    pub(crate) width: usize,
    pub(crate) budget: &'s Budget,
    pub(crate) progress: &'s dyn Progress,
    blocks: RwLock<Vec<Block>>,
    /// For each worker its share of the blocks, from the next that is not taken.
    shares: Vec<CachePadded<Share>>,
    /// What a thread is to do before the next level.
    errand: Mutex<Option<DepthProbe<'s>>>,
    halted: CachePadded<AtomicBool>,
    paused: AtomicBool,
    file: Option<&'s dyn CheckpointFile>,
    over: AtomicBool,
    stop: Mutex<Option<UnknownReason>>,
    pub(crate) depth: AtomicU64,
    transitions: AtomicU64,
    expanded: AtomicU64,
    /// Bytes beside the store: of the workers,
    beside: AtomicU64,
    /// and of the level's states, if the store does not keep them.
    frontier: AtomicU64,
    /// States expanded when progress was last reported.
    reported: AtomicU64,
}

/// A share of the blocks.
#[derive(Debug, Default)]
struct Share {
    next: AtomicUsize,
    end: AtomicUsize,
}

impl Share {
    /// The blocks that nobody has taken.
    fn untaken(&self) -> Range<usize> {
        let end = self.end.load(Ordering::Relaxed);
        self.next.load(Ordering::Relaxed).min(end)..end
    }

    fn take(&self) -> Option<usize> {
        let next = self.next.fetch_add(1, Ordering::Relaxed);
        (next < self.end.load(Ordering::Relaxed)).then_some(next)
    }
}

/// What one worker has told the others about itself.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct WorkerState {
    pub(crate) transitions: u64,
    pub(crate) expanded: u64,
    pub(crate) bytes: u64,
}

impl<'s> Shared<'s> {
    pub(crate) fn new(
        store: &'s Store,
        program: &'s Program,
        (width, workers): (usize, usize),
        budget: &'s Budget,
        progress: &'s dyn Progress,
        file: Option<&'s dyn CheckpointFile>,
    ) -> Self {
        Shared {
            store,
            program,
            width,
            budget,
            progress,
            blocks: RwLock::default(),
            shares: (0..workers).map(|_| CachePadded::default()).collect(),
            errand: Mutex::new(None),
            halted: CachePadded::default(),
            paused: AtomicBool::new(false),
            file,
            over: AtomicBool::new(false),
            stop: Mutex::new(None),
            depth: AtomicU64::new(0),
            transitions: AtomicU64::new(0),
            expanded: AtomicU64::new(0),
            beside: AtomicU64::new(0),
            frontier: AtomicU64::new(0),
            reported: AtomicU64::new(0),
        }
    }

    /// Puts these blocks up.
    pub(crate) fn put_up(&self, blocks: Vec<Block>) {
        if !self.store.is_exact() {
            let bytes = count(&blocks) * self.width as u64 * 8;
            self.frontier.store(bytes, Ordering::Relaxed);
        }
        for (share, part) in self.shares.iter().zip(divide(&blocks, self.shares.len())) {
            share.next.store(part.start, Ordering::Relaxed);
            share.end.store(part.end, Ordering::Relaxed);
        }
        *self.blocks.write().unwrap_or_else(PoisonError::into_inner) = blocks;
        self.halted.store(false, Ordering::Relaxed);
    }

    /// The next block for this worker.
    pub(crate) fn take(&self, worker: usize) -> Option<Block> {
        if self.is_halted() {
            return None;
        }
        let (others, own) = self.shares.split_at(worker);
        let next = own.iter().chain(others).find_map(|share| share.take())?;
        let blocks = self.blocks.read().unwrap_or_else(PoisonError::into_inner);
        blocks.get(next).cloned()
    }

    /// The blocks that nobody has taken.
    pub(crate) fn untaken(&self) -> Vec<Block> {
        let blocks = self.blocks.read().unwrap_or_else(PoisonError::into_inner);
        let untaken = self.shares.iter().map(|share| &blocks[share.untaken()]);
        untaken.flatten().cloned().collect()
    }

    /// Whether everybody was asked to stop so that the search can be saved; it goes on now.
    pub(crate) fn end_pause(&self) -> bool {
        self.paused.swap(false, Ordering::Relaxed)
    }

    /// Goes on with what a saved search has done.
    pub(crate) fn go_on(&self, saved: &Saved) {
        let waiting = count(&saved.rest) + count(&saved.next);
        let states = u64::from(self.store.len());
        self.depth.store(saved.depth, Ordering::Relaxed);
        self.transitions.store(saved.transitions, Ordering::Relaxed);
        self.expanded
            .store(states.saturating_sub(waiting), Ordering::Relaxed);
        let bytes = saved.parent_bits.iter().map(WorkerParentBits::bytes).sum();
        self.beside.store(bytes, Ordering::Relaxed);
    }

    /// Asks everybody to stop after the state at hand.
    pub(crate) fn halt(&self) {
        self.halted.store(true, Ordering::Relaxed);
    }

    pub(crate) fn is_halted(&self) -> bool {
        self.halted.load(Ordering::Relaxed)
    }

    /// Has a thread do something before the next level.
    pub(crate) fn send(&self, errand: DepthProbe<'s>) {
        *self.errand() = Some(errand);
    }

    /// What a thread is to do before the next level, or has done.
    pub(crate) fn errand(&self) -> MutexGuard<'_, Option<DepthProbe<'s>>> {
        lock(&self.errand)
    }

    /// The threads may go home.
    pub(crate) fn end(&self) {
        self.over.store(true, Ordering::Relaxed);
    }

    pub(crate) fn is_over(&self) -> bool {
        self.over.load(Ordering::Relaxed)
    }

    /// Stops the search.
    pub(crate) fn stop(&self, reason: UnknownReason) {
        self.stop
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .get_or_insert(reason);
        self.halt();
    }

    /// Why the search has been stopped, if it has.
    pub(crate) fn stopped(&self) -> Option<UnknownReason> {
        self.stop
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// A worker says how far it is; looks at the budget.
    pub(crate) fn tell(&self, told: &mut WorkerState, now: WorkerState) {
        let add = |sum: &AtomicU64, before: u64, now: u64| {
            let more = now.wrapping_sub(before);
            sum.fetch_add(more, Ordering::Relaxed).wrapping_add(more)
        };
        add(&self.transitions, told.transitions, now.transitions);
        let expanded = add(&self.expanded, told.expanded, now.expanded);
        let beside = add(&self.beside, told.bytes, now.bytes);
        *told = now;
        if let Some(limit) = self.budget.memory {
            let beside =
                beside + self.frontier.load(Ordering::Relaxed) + self.program.rich.bytes() as u64;
            self.store.set_limit(limit.saturating_sub(beside));
        }
        if let Some(reason) = self.budget.exhausted(self.memory()) {
            self.stop(reason);
        }
        if self.file.is_some_and(CheckpointFile::is_due) {
            self.paused.store(true, Ordering::Relaxed);
            self.halt();
        }
        let reported = self.reported.load(Ordering::Relaxed);
        if expanded.wrapping_sub(reported) >= REPORT
            && self
                .reported
                .compare_exchange(reported, expanded, Ordering::Relaxed, Ordering::Relaxed)
                .is_ok()
        {
            let statistics = self.statistics();
            let waiting = statistics.states.saturating_sub(expanded);
            self.progress.report(&statistics, waiting);
        }
    }

    /// Bytes in use.
    pub(crate) fn memory(&self) -> u64 {
        let rich = self.program.rich.bytes() as u64;
        let beside = self.beside.load(Ordering::Relaxed) + self.frontier.load(Ordering::Relaxed);
        self.store.bytes() + beside + rich
    }

    pub(crate) fn statistics(&self) -> Statistics {
        Statistics {
            states: self.store.len().into(),
            transitions: self.transitions.load(Ordering::Relaxed),
            depth: self.depth.load(Ordering::Relaxed),
            state_bytes: self.store.state_bytes(),
            memory: self.memory(),
            disk: 0,
            storage: self.store.storage().name(),
            omitted: self.store.omitted(),
            reduction: "",
            time: std::time::Duration::ZERO,
            explorations: Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::block::{MOST, cut};

    #[test]
    fn parts_follow_each_other_and_are_about_equal() {
        let blocks = cut(vec![Block::new(0..10_000), Block::new(20_000..20_700)], 3);
        for parts in 1..6 {
            let mut next = 0;
            for part in divide(&blocks, parts) {
                assert_eq!(part.start, next);
                next = part.end;
                let states = count(&blocks[part]);
                let share = 10_700 / parts as u64;
                assert!(
                    states.abs_diff(share) <= u64::from(MOST),
                    "{states} of {share}"
                );
            }
            assert_eq!(next, blocks.len());
        }
        assert_eq!(divide(&[], 2).collect::<Vec<_>>(), [0..0, 0..0]);
    }

    #[test]
    fn cutting_loses_nothing() {
        let blocks = vec![
            Block::new(3..1000),
            Block::new(2000..2001),
            Block::new(5000..9000),
        ];
        for workers in 1..5 {
            let parts = cut(blocks.clone(), workers);
            assert_eq!(count(&parts), count(&blocks));
            assert!(parts.iter().all(|part| (1..=MOST).contains(&part.len())));
            let mut ids = parts.iter().flat_map(|part| part.ids.clone());
            assert!(
                blocks
                    .iter()
                    .flat_map(|block| block.ids.clone())
                    .all(|id| ids.next() == Some(id))
            );
        }
    }
}
