//! What the rows of a store hold: keys of one or more words, by which states are told apart.

use std::ops::Range;
use std::sync::atomic::AtomicU32;

use super::arena::{Arena, Cell};
use super::prefetch::prefetch;
use crate::hash::hash;
use crate::width::{Width, with_width};

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
    /// The hashes of the keys in rows that follow each other.
    fn hashes(&self, first: u32, hashes: &mut [u64]);
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
    /// Appends the keys in rows, one behind the other.
    #[inline(always)]
    pub(crate) fn read_all(&self, rows: Range<u32>, width: impl Width, keys: &mut Vec<u64>) {
        let start = keys.len();
        keys.resize(start + rows.len() * width.get(), 0);
        let mut keys = keys[start..].chunks_exact_mut(width.get());
        let mut next = rows.start;
        while next < rows.end {
            let cells = self.arena.rows_from(next);
            for cells in cells.chunks_exact(self.arena.width()) {
                let Some(key) = keys.next() else { return };
                unpack(cells, key);
                next += 1;
            }
        }
    }
}

/// A key from the cells of its row.
#[inline(always)]
fn unpack(cells: &[AtomicU32], key: &mut [u64]) {
    let (pairs, rest) = cells.as_chunks();
    for (word, [low, high]) in key.iter_mut().zip(pairs) {
        *word = low.get() | high.get() << 32;
    }
    if let ([low], Some(word)) = (rest, key.last_mut()) {
        *word = low.get();
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

    #[inline(always)]
    fn same(&self, row: u32, key: &[u64]) -> bool {
        let (pairs, rest) = self.arena.row(row).as_chunks();
        let mut other = 0;
        for (word, [low, high]) in key.iter().zip(pairs) {
            other |= word ^ (low.get() | high.get() << 32);
        }
        if let ([low], Some(word)) = (rest, key.last()) {
            other |= word ^ low.get();
        }
        other == 0
    }

    #[inline(always)]
    fn write(&self, row: u32, key: &[u64]) {
        let (pairs, rest) = self.arena.row(row).as_chunks();
        for (word, [low, high]) in key.iter().zip(pairs) {
            low.put(*word);
            high.put(word >> 32);
        }
        if let ([low], Some(word)) = (rest, key.last()) {
            low.put(*word);
        }
    }

    #[inline(always)]
    fn read(&self, row: u32, key: &mut [u64]) {
        unpack(self.arena.row(row), key);
    }

    fn hashes(&self, first: u32, hashes: &mut [u64]) {
        with_width!(self.words(), width => {
            let mut key = vec![0; width.get()];
            let key = &mut key[..width.get()];
            for (row, to) in (first..).zip(hashes) {
                self.read(row, key);
                *to = hash(key);
            }
        });
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

    fn hashes(&self, first: u32, hashes: &mut [u64]) {
        for (row, to) in (first..).zip(hashes) {
            self.rows.read(row, std::slice::from_mut(to));
        }
    }
}
