//! The table of stored states.
//!
//! States lie one behind the other in one array of words, in the order in which they were found;
//! their position is their number. An open-addressed index with linear probing maps a state to
//! its number: an entry keeps half of the hash beside the number, so that a probe rarely looks at
//! a state that is not the one. Insertion takes batches: what they have in common with each other
//! is that none depends on another's answer, so that the memory accesses of a batch overlap, and
//! that a table shared by several threads can stand behind the same interface.

use crate::hash::hash;

/// The number of a stored state.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct StateId(pub(crate) u32);

impl StateId {
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// What became of a state: its number, and whether it is new.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Inserted {
    pub(crate) id: StateId,
    pub(crate) new: bool,
}

/// The states found so far.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    /// Words of a state.
    width: usize,
    words: Vec<u64>,
    /// The upper half of the hash above the number plus one; zero is empty.
    index: Vec<u64>,
    mask: usize,
    len: u32,
}

/// States whose places are looked up together.
const BATCH: usize = 16;
/// The index is filled up to this share.
const FULL: (usize, usize) = (5, 8);

impl Table {
    pub(crate) fn new(width: usize) -> Self {
        let size = 1 << 12;
        Table {
            width,
            words: Vec::new(),
            index: vec![0; size],
            mask: size - 1,
            len: 0,
        }
    }

    /// How many states there are.
    pub(crate) fn len(&self) -> u32 {
        self.len
    }

    /// Bytes in use.
    pub(crate) fn bytes(&self) -> u64 {
        ((self.words.capacity() + self.index.capacity()) * 8) as u64
    }

    pub(crate) fn state(&self, id: StateId) -> &[u64] {
        &self.words[id.index() * self.width..][..self.width]
    }

    /// Forgets all states.
    pub(crate) fn clear(&mut self) {
        self.words.clear();
        if self.len > 0 {
            self.index.fill(0);
        }
        self.len = 0;
    }

    /// Finds or adds one state.
    #[inline]
    pub(crate) fn insert(&mut self, state: &[u64]) -> Inserted {
        self.insert_hashed(state, hash(state))
    }

    /// Finds or adds states that lie one behind the other.
    pub(crate) fn insert_batch(&mut self, states: &[u64], out: &mut Vec<Inserted>) {
        for batch in states.chunks(self.width * BATCH) {
            let hashes = self.touch(batch);
            for (state, &hash) in batch.chunks(self.width).zip(&hashes) {
                out.push(self.insert_hashed(state, hash));
            }
        }
    }

    /// Goes through those of the states that are not there, each with its place among all.
    pub(crate) fn each_missing(&self, states: &[u64], mut each: impl FnMut(usize, &[u64])) {
        for (number, batch) in states.chunks(self.width * BATCH).enumerate() {
            let hashes = self.touch(batch);
            for (place, (state, &hash)) in batch.chunks(self.width).zip(&hashes).enumerate() {
                if self.find(state, hash).is_err() {
                    each(number * BATCH + place, state);
                }
            }
        }
    }

    /// The hashes of a batch. All first probes are under way before the first is needed.
    #[inline]
    fn touch(&self, batch: &[u64]) -> [u64; BATCH] {
        let mut hashes = [0u64; BATCH];
        let mut touched = 0;
        for (state, slot) in batch.chunks(self.width).zip(&mut hashes) {
            *slot = hash(state);
            touched |= self.index[place(*slot) & self.mask];
        }
        std::hint::black_box(touched);
        hashes
    }

    /// The number of a state, or the free place in the index where it would be.
    #[inline]
    fn find(&self, state: &[u64], hash: u64) -> Result<StateId, usize> {
        debug_assert_eq!(state.len(), self.width, "all states have the same width");
        let tag = hash & !u64::from(u32::MAX);
        let mut at = place(hash) & self.mask;
        loop {
            let entry = self.index[at];
            if entry == 0 {
                return Err(at);
            }
            if entry & !u64::from(u32::MAX) == tag {
                #[expect(clippy::cast_possible_truncation, reason = "the lower half")]
                let id = StateId(entry as u32 - 1);
                // Word by word: states are too short for a call.
                if self.state(id).iter().zip(state).all(|(a, b)| a == b) {
                    return Ok(id);
                }
            }
            at = (at + 1) & self.mask;
        }
    }

    #[inline]
    fn insert_hashed(&mut self, state: &[u64], hash: u64) -> Inserted {
        let at = match self.find(state, hash) {
            Ok(id) => return Inserted { id, new: false },
            Err(at) => at,
        };
        let id = StateId(self.len);
        self.words.extend_from_slice(state);
        self.len = self
            .len
            .checked_add(1)
            .expect("the search stops before 2^32 states");
        self.index[at] = (hash & !u64::from(u32::MAX)) | u64::from(self.len);
        if self.len as usize * FULL.1 > self.index.len() * FULL.0 {
            self.grow();
        }
        Inserted { id, new: true }
    }

    #[cold]
    fn grow(&mut self) {
        let size = self.index.len() * 2;
        self.mask = size - 1;
        self.index.clear();
        self.index.resize(size, 0);
        for number in 0..self.len {
            let hash = hash(self.state(StateId(number)));
            let mut at = place(hash) & self.mask;
            while self.index[at] != 0 {
                at = (at + 1) & self.mask;
            }
            self.index[at] = (hash & !u64::from(u32::MAX)) | u64::from(number + 1);
        }
    }
}

/// Where probing begins: the lower half, as the upper is the tag; mixed with it for tables beyond
/// 2^32 entries.
#[expect(
    clippy::cast_possible_truncation,
    reason = "the table is not that large"
)]
fn place(hash: u64) -> usize {
    hash as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    #[test]
    fn a_table_agrees_with_a_map_through_growth_and_in_batches() {
        let mut table = Table::new(2);
        let mut map: HashMap<[u64; 2], u32> = HashMap::new();
        let mut seed = 1u64;
        let mut states = Vec::new();
        for _ in 0..60_000 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            states.push([(seed >> 33) % 200, (seed >> 45) % 150]);
        }
        let flat: Vec<u64> = states.iter().flatten().copied().collect();
        let (single, batched) = flat.split_at(flat.len() / 4 * 2);
        let mut answers = Vec::new();
        for state in single.chunks(2) {
            answers.push(table.insert(state));
        }
        table.insert_batch(batched, &mut answers);
        assert_eq!(answers.len(), states.len());
        for (state, answer) in states.iter().zip(answers) {
            let next = u32::try_from(map.len()).unwrap();
            let known = map.contains_key(state);
            let id = *map.entry(*state).or_insert(next);
            assert_eq!((answer.id, answer.new), (StateId(id), !known));
        }
        assert_eq!(table.len() as usize, map.len());
        assert!(map.len() > 20_000, "the index has grown: {}", map.len());
        for (state, id) in map {
            assert_eq!(table.state(StateId(id)), state);
        }
    }
}
