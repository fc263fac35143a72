//! Entries for moves of which it is not known beforehand what they read: a decision tree of tables.
//!
//! A move that follows an index reads one element of an array, and which one depends on what it has
//! read before. What has been read is written down while it runs (Acar, Blelloch, Harper, *Selective
//! memoization*, POPL 2003). A table that does not know all of these bits has a branch to another that
//! knows them, too, so that a look-up reads what the moves have read, and little more.

use super::{Head, MANY, NOWHERE, Table, Touched, TransitionCache, mix_all, small};

/// Tables at most that the branches of one lead to.
const REFINEMENTS: usize = 1 << 10;

/// The masks of a table, in their order.
#[derive(Clone, Copy)]
enum Mask {
    /// The bits that decide or tell the location,
    Bits,
    /// those that decide,
    Read,
    /// and those that stay as they are.
    Keep,
}

impl TransitionCache {
    /// The table that an entry for a state belongs to, where indices have led to these bits: adds
    /// entries that lead there.
    pub(super) fn deciding_table(
        &mut self,
        root: usize,
        state: &[u64],
        touched: &[u64],
    ) -> Option<usize> {
        if self.tables[root].is_exact() {
            return Some(root);
        }
        let mut number = root;
        while !self.knows(number, touched) {
            let key = self.key(number, state);
            number = match self.place_of(number, &key) {
                Some(place) => self.target(place)?,
                None => {
                    let next = self.refinement(root, number, touched)?;
                    let place = self.place_for(number)?;
                    self.entries.push(Head::branch(number).0);
                    self.entries.push(next as u64);
                    self.entries.extend(&key);
                    // What stays as it is.
                    self.entries.extend(key.iter().map(|_| u64::MAX));
                    self.note(number, place);
                    next
                }
            };
        }
        Some(number)
    }

    /// Whether all these bits are among those that decide in a table.
    fn knows(&self, number: usize, bits: &[u64]) -> bool {
        let known = self.spread(number, Mask::Read, bits.len());
        bits.iter()
            .zip(known)
            .all(|(bits, known)| bits & !known == 0)
    }

    /// One of the masks of a table, over all words.
    fn spread(&self, number: usize, mask: Mask, words: usize) -> Vec<u64> {
        let Table { first, count, .. } = self.tables[number];
        let (first, count) = (first as usize, count as usize);
        let mut all = vec![0; words];
        let masks = &self.masks[3 * first + mask as usize * count..][..count];
        for (&word, mask) in self.words[first..][..count].iter().zip(masks) {
            if let Some(all) = all.get_mut(usize::from(word)) {
                *all = *mask;
            }
        }
        all
    }

    /// Where a table has an entry with a key.
    pub(super) fn place_of(&self, number: usize, key: &[u64]) -> Option<u32> {
        let table = &self.tables[number];
        if table.base == NOWHERE {
            return None;
        }
        let slots = &self.slots[table.base as usize..];
        let mut slot = mix_all(key) >> table.shift;
        while let place @ 1.. = slots[slot as usize] {
            if self.entries[place as usize + 2..].starts_with(key) {
                return Some(place);
            }
            slot = (slot + 1) & (u64::MAX >> table.shift);
        }
        None
    }

    /// What decides of a state in a table.
    fn key(&self, number: usize, state: &[u64]) -> Vec<u64> {
        let Table { first, count, .. } = self.tables[number];
        let (first, count) = (first as usize, count as usize);
        let words = &self.words[first..][..count];
        let read = &self.masks[3 * first + count..][..count];
        let both = words.iter().zip(read);
        both.map(|(word, read)| state[usize::from(*word)] & read)
            .collect()
    }

    /// A table in which these bits decide beside those of another, which it is led to from.
    fn refinement(&mut self, root: usize, from: usize, bits: &[u64]) -> Option<usize> {
        let words = bits.len();
        let union = |mask: Vec<u64>| -> Vec<u64> {
            mask.iter()
                .zip(bits)
                .map(|(one, other)| one | other)
                .collect()
        };
        let read = union(self.spread(from, Mask::Read, words));
        let refinements = &self.tables[root].refinements;
        let known = refinements
            .iter()
            .find(|table| self.spread(**table as usize, Mask::Read, words) == read);
        if let Some(&known) = known {
            return Some(known as usize);
        }
        if refinements.len() >= REFINEMENTS || self.tables[root].held >= MANY {
            return None;
        }
        let written = self.spread(from, Mask::Keep, words);
        let touched = Touched {
            bits: union(self.spread(from, Mask::Bits, words)),
            read,
            // Words that a table is not about are kept.
            written: written
                .iter()
                .zip(self.about(from, words))
                .map(|(keep, about)| !keep & about)
                .collect(),
            outcomes: false,
            wider: false,
            known: true,
            tracking: self.tables[from].tracking,
        };
        let number = self.add(&touched);
        if self.tables[number].given_up {
            return None;
        }
        self.tables[root].refinements.push(small(number));
        Some(number)
    }

    /// All bits of the words that a table is about.
    fn about(&self, number: usize, words: usize) -> Vec<u64> {
        let Table { first, count, .. } = self.tables[number];
        let mut all = vec![0; words];
        for &word in &self.words[first as usize..][..count as usize] {
            all[usize::from(word)] = u64::MAX;
        }
        all
    }
}
