//! States that were met lately.
//!
//! A table with one place for each hash, in which a state replaces whichever was there. A state in it has been
//! collected before, so it need not be collected again, in this level or in any that follows. Most of what is met
//! again is met again soon.

use crate::store::hash::hash;
use crate::store::prefetch;

/// How many places there are at first.
const FEW: usize = 1 << 10;

/// The table.
#[derive(Debug)]
pub(crate) struct Recent {
    words: usize,
    /// The states, one behind the other; where none was put yet, one that belongs elsewhere.
    states: Vec<u64>,
    mask: usize,
    /// How many places there may be, a power of two.
    most: usize,
    /// How many states were put since it was made larger.
    put: usize,
}

impl Recent {
    /// For states of so many words; it takes up to so many bytes.
    pub(crate) fn new(words: usize, bytes: u64) -> Self {
        let places = usize::try_from(bytes / (words as u64 * 8)).unwrap_or(usize::MAX);
        let most = (places / 2 + 1).next_power_of_two();
        let mut recent = Recent {
            words,
            states: Vec::new(),
            mask: 0,
            most,
            put: 0,
        };
        recent.make(FEW.min(most));
        recent
    }

    /// Makes an empty table.
    fn make(&mut self, places: usize) {
        self.states = vec![0; places * self.words];
        self.mask = places - 1;
        self.put = 0;
        // No state is zero everywhere and belongs elsewhere than zero does.
        let place = self.place(hash(&vec![0; self.words]));
        let mut other = vec![0; self.words];
        let elsewhere = (1..1000).find(|&word| {
            other[0] = word;
            self.place(hash(&other)) != place
        });
        if elsewhere.is_some() {
            self.states[place * self.words..][..self.words].copy_from_slice(&other);
        } else {
            // One place is of no use.
            self.states.clear();
        }
    }

    fn place(&self, hash: u64) -> usize {
        (hash >> 20) as usize & self.mask
    }

    /// Asks for what a look at a state with this hash needs.
    #[inline(always)]
    pub(crate) fn prefetch(&self, hash: u64) {
        if let Some(word) = self.states.get(self.place(hash) * self.words) {
            prefetch(word);
        }
    }

    /// Puts a state down; says whether it was there.
    #[inline(always)]
    pub(crate) fn meets(&mut self, state: &[u64], hash: u64) -> bool {
        let start = self.place(hash) * self.words;
        let Some(there) = self.states.get_mut(start..start + state.len()) else {
            return false;
        };
        if there == state {
            return true;
        }
        there.copy_from_slice(state);
        self.put += 1;
        if self.put > self.mask && self.mask + 1 < self.most {
            self.grow();
        }
        false
    }

    #[cold]
    fn grow(&mut self) {
        let before = std::mem::take(&mut self.states);
        let mask = self.mask;
        self.make((mask + 1) * 2);
        for (place, state) in before.chunks_exact(self.words).enumerate() {
            let hash = hash(state);
            // What belongs elsewhere was not met.
            if self.place(hash) & mask == place {
                let start = self.place(hash) * self.words;
                self.states[start..start + self.words].copy_from_slice(state);
            }
        }
    }

    /// Bytes in memory.
    pub(crate) fn bytes(&self) -> u64 {
        (self.states.capacity() * 8) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn only_what_was_put_is_met() {
        for words in [1, 2, 7] {
            for bytes in [0, 100, 5000, 1 << 20] {
                let mut recent = Recent::new(words, bytes);
                let mut known = HashSet::new();
                let mut random = fastrand::Rng::with_seed(bytes + 1);
                let mut met = 0;
                for _ in 0..20_000 {
                    let mut state = vec![0; words];
                    state[0] = random.u64(..3000);
                    let is_there = recent.meets(&state, hash(&state));
                    assert!(!is_there || known.contains(&state), "{state:?}");
                    met += u32::from(is_there);
                    known.insert(state);
                }
                assert!(recent.bytes() <= bytes.max(8 * words as u64) * 2);
                assert!(bytes < 1 << 20 || met > 10_000, "{met}");
            }
        }
    }
}
