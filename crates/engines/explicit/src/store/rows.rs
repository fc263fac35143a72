//! What the rows of a store hold: keys of one or more words, by which states are told apart.

use std::sync::atomic::AtomicU32;

use super::arena::{Arena, Cell};
use super::prefetch::prefetch;
use crate::hash::hash;

/// Rows by number.
pub(crate) trait Rows: Sync {
    /// Words of a key.
    fn words(&self) -> usize;
    /// Bytes in use.
    fn bytes(&self) -> u64;
    /// Whether a key has room in a row.
    fn fits(&self, key: &[u64]) -> bool;
    /// Asks for a row ahead of its use.
    fn prefetch(&self, row: u32);
    /// Whether a row holds this key.
    fn same(&self, row: u32, key: &[u64]) -> bool;
    fn write(&self, row: u32, key: &[u64]);
    fn read(&self, row: u32, key: &mut [u64]);
    /// The hash of the key in a row.
    fn hash(&self, row: u32) -> u64;
}

/// Keys as they are, the last word only by half if that is enough.
pub(crate) struct Wide {
    pub(crate) arena: Arena<AtomicU32>,
}

impl Wide {
    /// For keys of so many half words.
    pub(crate) fn new(halves: usize) -> Wide {
        Wide {
            arena: Arena::new(halves),
        }
    }
}

impl Wide {
    /// The keys in rows, one behind the other.
    pub(crate) fn read_all(&self, rows: std::ops::Range<u32>, keys: &mut Vec<u64>) {
        let words = self.words();
        keys.clear();
        keys.resize(rows.len() * words, 0);
        for (row, key) in rows.zip(keys.chunks_exact_mut(words)) {
            self.read(row, key);
        }
    }
}

/// The half of a key that a cell holds.
#[inline]
fn half(key: &[u64], cell: usize) -> u64 {
    let word = key[cell / 2];
    if cell.is_multiple_of(2) {
        word & 0xffff_ffff
    } else {
        word >> 32
    }
}

impl Rows for Wide {
    fn words(&self) -> usize {
        self.arena.width().div_ceil(2)
    }

    fn bytes(&self) -> u64 {
        self.arena.bytes()
    }

    #[inline]
    fn fits(&self, _: &[u64]) -> bool {
        true
    }

    #[inline]
    fn prefetch(&self, row: u32) {
        let cells = self.arena.row(row);
        prefetch(&cells[0]);
        // A row may straddle two cache lines.
        prefetch(&cells[cells.len() - 1]);
    }

    #[inline]
    fn same(&self, row: u32, key: &[u64]) -> bool {
        let cells = self.arena.row(row);
        match (cells, key) {
            ([a, b], [key]) => a.get() | b.get() << 32 == *key,
            ([a, b, c], [first, second]) => {
                (a.get() | b.get() << 32 == *first) & (c.get() == *second)
            }
            _ => cells
                .iter()
                .enumerate()
                .all(|(place, cell)| cell.get() == half(key, place)),
        }
    }

    #[inline]
    fn write(&self, row: u32, key: &[u64]) {
        for (place, cell) in self.arena.row(row).iter().enumerate() {
            cell.put(half(key, place));
        }
    }

    #[inline]
    fn read(&self, row: u32, key: &mut [u64]) {
        for (word, cells) in key.iter_mut().zip(self.arena.row(row).chunks(2)) {
            *word = match cells {
                [low, high] => low.get() | high.get() << 32,
                [low] => low.get(),
                _ => unreachable!("chunks are not empty"),
            };
        }
    }

    #[inline]
    fn hash(&self, row: u32) -> u64 {
        let mut key = [0; 8];
        let words = self.words();
        if words <= key.len() {
            self.read(row, &mut key[..words]);
            return hash(&key[..words]);
        }
        let mut key = vec![0; words];
        self.read(row, &mut key);
        hash(&key)
    }
}

/// Hashes of states in place of the states, which are lost (Wolper and Leroy: Reliable hashing
/// without collision detection, CAV 1993).
pub(crate) struct Hashes {
    pub(crate) rows: Wide,
}

impl Hashes {
    pub(crate) fn new() -> Hashes {
        Hashes { rows: Wide::new(2) }
    }
}

impl Rows for Hashes {
    fn words(&self) -> usize {
        1
    }

    fn bytes(&self) -> u64 {
        self.rows.bytes()
    }

    #[inline]
    fn fits(&self, _: &[u64]) -> bool {
        true
    }

    #[inline]
    fn prefetch(&self, row: u32) {
        self.rows.prefetch(row);
    }

    #[inline]
    fn same(&self, row: u32, key: &[u64]) -> bool {
        self.rows.same(row, key)
    }

    #[inline]
    fn write(&self, row: u32, key: &[u64]) {
        self.rows.write(row, key);
    }

    #[inline]
    fn read(&self, row: u32, key: &mut [u64]) {
        self.rows.read(row, key);
    }

    #[inline]
    fn hash(&self, row: u32) -> u64 {
        let mut key = [0];
        self.rows.read(row, &mut key);
        key[0]
    }
}
