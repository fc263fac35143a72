//! What a level leads to: collected in memory, and on disk what there is no room for.
//!
//! When there is no room left, what has been collected is sorted, and what is there twice is dropped. If there is
//! still little room, all is written as a run.

use std::io;
use std::sync::Arc;

use crate::disk::files::{Pile, Room};
use crate::disk::merge::{Runs, Source};
use crate::disk::recent::Recent;
use crate::disk::sorted::{Coding, Writer};
use crate::ir::state_width::{Width as _, with_width};
use crate::store::{BATCH, Batch};

/// How much a collection may keep.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sizes {
    /// States that are collected before they are written.
    pub(crate) states: usize,
    /// Bytes for states that were met lately.
    pub(crate) recent: u64,
}

/// States that are collected.
pub(crate) struct Candidates {
    coding: Arc<Coding>,
    sizes: Sizes,
    /// Those that are still to be looked up among the recent ones.
    batch: Batch,
    recent: Recent,
    /// One behind the other.
    states: Vec<u64>,
    /// What has been written.
    runs: Runs,
    pile: Option<Arc<Pile>>,
    /// How many runs have been written.
    #[cfg(test)]
    written: u64,
}

impl Candidates {
    pub(crate) fn new(coding: &Arc<Coding>, sizes: Sizes) -> Self {
        Candidates {
            sizes,
            batch: Batch::default(),
            recent: Recent::new(coding.words(), sizes.recent),
            states: Vec::new(),
            runs: Runs::of_any_size(),
            pile: None,
            #[cfg(test)]
            written: 0,
            coding: Arc::clone(coding),
        }
    }

    /// Adds a state of so many words that is written to its place.
    #[inline(always)]
    pub(crate) fn push_written(&mut self, words: usize, write: impl FnOnce(&mut [u64])) {
        self.batch.push_written(words, write);
        self.recent.prefetch(self.batch.last_hash());
        if self.batch.len() >= BATCH {
            self.sift();
        }
    }

    /// Keeps those of the batch that were not met lately.
    #[inline(never)]
    fn sift(&mut self) {
        self.grow();
        let (recent, states) = (&mut self.recent, &mut self.states);
        with_width!(self.coding.words(), width => {
            let batch = self.batch.states().chunks_exact(width.get());
            for (state, &hash) in batch.zip(self.batch.hashes_of_states()) {
                if !recent.meets(state, hash) {
                    states.extend_from_slice(state);
                }
            }
        });
        self.batch.clear();
    }

    /// Makes room for a batch, and not for much more than is to be collected.
    #[inline]
    fn grow(&mut self) {
        let needed = BATCH * self.coding.words();
        let there = self.states.capacity();
        if there - self.states.len() < needed {
            let most = self.sizes.states * self.coding.words() + needed;
            let wanted = (there * 2).min(most).max(self.states.len() + needed);
            self.states.reserve_exact(wanted - self.states.len());
        }
    }

    /// Whether it is time to [make room](Candidates::make_room).
    #[inline]
    pub(crate) fn is_full(&self) -> bool {
        self.states.len() >= self.sizes.states * self.coding.words()
    }

    /// Makes room for more.
    #[cold]
    pub(crate) fn make_room(&mut self, room: &Room<'_>) -> io::Result<()> {
        self.sort();
        if self.states.len() * 2 < self.sizes.states * self.coding.words() {
            return Ok(());
        }
        let pile = match &self.pile {
            Some(pile) => pile,
            None => self.pile.insert(room.pile()?),
        };
        let mut writer = Writer::new(&self.coding, pile);
        for state in self.states.chunks_exact(self.coding.words()) {
            writer.push(state)?;
        }
        self.states.clear();
        #[cfg(test)]
        {
            self.written += 1;
        }
        self.runs.add(Arc::new(writer.end()?), room)
    }

    /// Sorts what is in memory; each state is there once.
    fn sort(&mut self) {
        let words = self.coding.words();
        sort_states(&mut self.states, words);
        let length = distinct(&mut self.states, words);
        self.states.truncate(length);
    }

    /// All that has been collected, each source in order, where it stays until [cleared](Candidates::clear).
    pub(crate) fn sources(&mut self) -> io::Result<Vec<Source<'_>>> {
        self.sift();
        self.sort();
        let mut sources = self.runs.sources()?;
        if !self.states.is_empty() {
            sources.push(Source::of_memory(&self.states, self.coding.words()));
        }
        Ok(sources)
    }

    /// Begins anew. What was met lately stays known unless it is of no use any more.
    pub(crate) fn clear(&mut self) {
        self.batch.clear();
        self.states.clear();
        self.runs = Runs::of_any_size();
        self.pile = None;
    }

    /// How many runs have been written, all in all.
    #[cfg(test)]
    pub(crate) fn written(&self) -> u64 {
        self.written
    }

    /// Bytes in memory.
    pub(crate) fn bytes(&self) -> u64 {
        (self.states.capacity() * 8) as u64 + self.recent.bytes() + self.runs.bytes()
    }
}

/// Sorts states of so many words.
fn sort_states(states: &mut [u64], words: usize) {
    fn sort<const N: usize>(states: &mut [u64]) {
        states.as_chunks_mut::<N>().0.sort_unstable();
    }
    match words {
        1 => states.sort_unstable(),
        2 => sort::<2>(states),
        3 => sort::<3>(states),
        4 => sort::<4>(states),
        5 => sort::<5>(states),
        6 => sort::<6>(states),
        7 => sort::<7>(states),
        8 => sort::<8>(states),
        _ => sort_in_place(states, words),
    }
}

/// The same for any number of words, by heap sort: no more memory is needed than they take.
fn sort_in_place(states: &mut [u64], words: usize) {
    let count = states.len() / words;
    let mut end = count;
    let mut start = count / 2;
    while end > 1 {
        if start > 0 {
            start -= 1;
        } else {
            end -= 1;
            swap(states, words, 0, end);
        }
        let mut root = start;
        loop {
            let mut child = 2 * root + 1;
            if child >= end {
                break;
            }
            if child + 1 < end && is_before(states, words, child, child + 1) {
                child += 1;
            }
            if !is_before(states, words, root, child) {
                break;
            }
            swap(states, words, root, child);
            root = child;
        }
    }
}

fn is_before(states: &[u64], words: usize, one: usize, other: usize) -> bool {
    states[one * words..][..words] < states[other * words..][..words]
}

fn swap(states: &mut [u64], words: usize, one: usize, other: usize) {
    let (one, other) = (one.min(other), one.max(other));
    if one == other {
        return;
    }
    let (left, right) = states.split_at_mut(other * words);
    left[one * words..][..words].swap_with_slice(&mut right[..words]);
}

/// Moves sorted states together, so that each is there once; how many words they take.
fn distinct(states: &mut [u64], words: usize) -> usize {
    let mut end = words.min(states.len());
    for start in (words..states.len()).step_by(words) {
        if states[start..start + words] != states[end - words..end] {
            states.copy_within(start..start + words, end);
            end += words;
        }
    }
    end
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_of_all_widths_are_sorted_and_there_once() {
        let mut random = fastrand::Rng::with_seed(3);
        for words in 1..20 {
            for count in [0, 1, 2, 3, 10, 500] {
                let mut rows: Vec<Vec<u64>> = (0..count)
                    .map(|_| (0..words).map(|_| random.u64(..4)).collect())
                    .collect();
                let mut states = rows.concat();
                sort_states(&mut states, words);
                let length = distinct(&mut states, words);
                rows.sort();
                rows.dedup();
                assert_eq!(states[..length], rows.concat());
            }
        }
    }
}
