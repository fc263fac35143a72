//! What the threads of an exploration share, and what they are given.

use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use model::{Budget, FiniteRuns, Progress, Statistics, UnknownReason};

use crate::checkpoint::file::CheckpointFile;
use crate::engine::Engine;
use crate::liveness::automaton_labels::{Letter, Letters, letter};
use crate::liveness::product_graph::Graph;
use crate::search::crew::lock;

/// A part of a level.
#[derive(Clone, Debug)]
pub(super) enum Item {
    /// States found in the level before.
    Fresh(Range<u32>),
    /// States found earlier, to which more of the automaton's states have come.
    Again(Vec<u32>),
}

impl Item {
    pub(super) fn len(&self) -> usize {
        match self {
            Item::Fresh(rows) => rows.len(),
            Item::Again(rows) => rows.len(),
        }
    }

    /// The last so many states of it, and those before, if there are any.
    pub(super) fn split(self, most: usize) -> (Option<Item>, Item) {
        if self.len() <= most {
            return (None, self);
        }
        match self {
            Item::Fresh(rows) => {
                let most = u32::try_from(most).unwrap_or(u32::MAX);
                let at = rows.end.saturating_sub(most).max(rows.start);
                (Some(Item::Fresh(rows.start..at)), Item::Fresh(at..rows.end))
            }
            Item::Again(mut rows) => {
                let newest = rows.split_off(rows.len() - most);
                (Some(Item::Again(rows)), Item::Again(newest))
            }
        }
    }

    /// Cuts it so that no part is longer than this.
    pub(super) fn cut(self, most: u32, out: &mut Vec<Item>) {
        match self {
            Item::Fresh(rows) => {
                let mut start = rows.start;
                while start < rows.end {
                    let end = start.saturating_add(most).min(rows.end);
                    out.push(Item::Fresh(start..end));
                    start = end;
                }
            }
            Item::Again(rows) => {
                let parts = rows.chunks(most as usize);
                out.extend(parts.map(|part| Item::Again(part.to_vec())));
            }
        }
    }
}

/// What the threads have in common.
pub(super) struct Common<'e> {
    pub(super) graph: Graph,
    pub(super) letters: Letters<'e>,
    /// How many outcomes make a letter.
    pub(super) outcomes: usize,
    /// A state of the automaton that it is enough to come to.
    pub(super) goal: Option<u32>,
    pub(super) finite_runs: FiniteRuns,
    pub(super) budget: &'e Budget,
    pub(super) progress: &'e dyn Progress,
    /// Bytes of rich values.
    pub(super) rich: &'e (dyn Fn() -> u64 + Sync),
    pub(super) halted: AtomicBool,
    pub(super) stop: Mutex<Option<UnknownReason>>,
    /// Where the search is saved, and whether it is time to.
    pub(super) file: Option<&'e dyn CheckpointFile>,
    pub(super) paused: AtomicBool,
    pub(super) states: AtomicU64,
    pub(super) transitions: AtomicU64,
    pub(super) looked: AtomicU64,
    pub(super) reported: AtomicU64,
    pub(super) depth: AtomicU64,
}

/// Everything that goes into an unfolding.
pub(crate) struct Setting<'e> {
    pub(crate) engine: &'e Engine<'e>,
    pub(crate) letters: Letters<'e>,
    pub(crate) outcomes: usize,
    pub(crate) watched: usize,
    pub(crate) goal: Option<u32>,
    /// Whether transitions are kept.
    pub(crate) has_lists: bool,
    /// The bits of stored states that tell what is asked for, if they do.
    pub(crate) observed: Option<Vec<u64>>,
    pub(crate) budget: &'e Budget,
    pub(crate) progress: &'e dyn Progress,
    pub(crate) rich: &'e (dyn Fn() -> u64 + Sync),
    /// Where the search is saved.
    pub(crate) file: Option<&'e dyn CheckpointFile>,
}

impl Common<'_> {
    pub(super) fn is_halted(&self) -> bool {
        self.halted.load(Ordering::Relaxed)
    }

    pub(super) fn stop(&self, reason: UnknownReason) {
        lock(&self.stop).get_or_insert(reason);
        self.halted.store(true, Ordering::Relaxed);
    }

    pub(super) fn stopped(&self) -> Option<UnknownReason> {
        lock(&self.stop).clone()
    }

    pub(super) fn memory(&self) -> u64 {
        self.graph.store.bytes() + self.graph.beside() + (self.rich)()
    }

    pub(super) fn statistics(&self) -> Statistics {
        Statistics {
            states: self.states.load(Ordering::Relaxed),
            transitions: self.transitions.load(Ordering::Relaxed),
            depth: self.depth.load(Ordering::Relaxed),
            state_bytes: self.graph.store.state_bytes(),
            memory: self.memory(),
            disk: 0,
            storage: self.graph.store.storage().name(),
            omitted: 0.0,
            reduction: "",
            time: std::time::Duration::ZERO,
            explorations: Vec::new(),
        }
    }

    /// The letter that outcomes make.
    pub(super) fn letter(&self, outcomes: &[i64]) -> Letter {
        letter(&outcomes[..self.outcomes])
    }
}
