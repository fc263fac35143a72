//! States that are to be looked up together.

use crate::store::hash::hash;

/// States that are looked up together.
pub(crate) const BATCH: usize = 64;

/// States that are to be looked up together.
#[derive(Clone, Debug)]
pub(crate) struct Batch {
    /// How many there are; behind them is room for more.
    pub(super) count: usize,
    pub(super) states: Vec<u64>,
    pub(super) hashes: [u64; BATCH],
    /// Where in the index to go on looking for each, once somebody has looked; they count while
    /// the index is of this generation.
    pub(super) places: Vec<usize>,
    pub(super) generation: u64,
    /// Keys of compressed states, and their hashes, once they are known.
    pub(super) keys: Vec<u64>,
    pub(super) key_hashes: Vec<u64>,
}

impl Default for Batch {
    fn default() -> Self {
        Batch {
            count: 0,
            states: Vec::new(),
            hashes: [0; BATCH],
            places: Vec::new(),
            generation: 0,
            keys: Vec::new(),
            key_hashes: Vec::new(),
        }
    }
}

impl Batch {
    /// How many states there are in it.
    pub(crate) fn len(&self) -> usize {
        self.count
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// All its states, one behind the other.
    #[inline]
    pub(crate) fn states(&self) -> &[u64] {
        let words = self.states.len() / BATCH;
        &self.states[..self.count * words]
    }

    pub(super) fn hashes(&self) -> &[u64] {
        &self.hashes[..self.count]
    }

    /// Adds a state.
    #[inline(always)]
    pub(crate) fn push(&mut self, state: &[u64]) {
        self.push_written(state.len(), |to| to.copy_from_slice(state));
    }

    /// Adds a state of so many words that is written to its place.
    #[inline(always)]
    pub(crate) fn push_written(&mut self, words: usize, write: impl FnOnce(&mut [u64])) {
        let start = self.count * words;
        if start + words > self.states.len() {
            self.make_room(words);
        }
        let state = &mut self.states[start..start + words];
        write(state);
        self.hashes[self.count % BATCH] = hash(state);
        self.count += 1;
    }

    /// The hash of the state that was added last; zero if there is none.
    #[inline(always)]
    pub(crate) fn last_hash(&self) -> u64 {
        self.hashes[self.count.saturating_sub(1) % BATCH]
    }

    /// The hashes of its states.
    pub(crate) fn hashes_of_states(&self) -> &[u64] {
        &self.hashes[..self.count]
    }

    /// Makes room for as many states as there can be.
    #[cold]
    fn make_room(&mut self, words: usize) {
        assert!(self.count < BATCH, "a full batch is looked up");
        self.states.resize(BATCH * words, 0);
    }

    pub(crate) fn clear(&mut self) {
        self.count = 0;
        self.places.clear();
        self.keys.clear();
        self.key_hashes.clear();
    }
}
