//! What the rows of a store hold: keys of one or more words, by which states are told apart.

use std::slice::ChunksExact;
use std::sync::atomic::AtomicU32;

use super::arena::{Arena, Cell};
use super::prefetch::prefetch;
use crate::ir::state_width::{Known, Width};
use crate::store::hash::hash;

/// Rows by number.
pub(crate) trait Rows: Sync {
    type Cell: Cell;

    fn arena(&self) -> &Arena<Self::Cell>;
    /// Cells of a row.
    fn cells(&self) -> usize;
    /// Words of a key.
    fn words(&self) -> usize;
    /// Whether a key has room in a row.
    #[inline(always)]
    fn fits(&self, _key: &[u64]) -> bool {
        true
    }
    /// Whether the cells of a row hold this key.
    fn holds(&self, cells: &[Self::Cell], key: &[u64]) -> bool;
    fn put(&self, cells: &[Self::Cell], key: &[u64]);
    fn take(&self, cells: &[Self::Cell], key: &mut [u64]);
    /// The hash of a key.
    fn digest(&self, key: &[u64]) -> u64;

    /// Asks for a row ahead of its use.
    #[inline(always)]
    fn prefetch(&self, row: u32) {
        let cells = self.arena().row(row, self.cells());
        prefetch(&cells[0]);
        // A row may straddle two cache lines.
        prefetch(&cells[cells.len() - 1]);
    }

    /// Whether a row holds this key.
    #[inline(always)]
    fn same(&self, row: u32, key: &[u64]) -> bool {
        self.holds(self.arena().row(row, self.cells()), key)
    }

    #[inline(always)]
    fn write(&self, row: u32, key: &[u64]) {
        self.put(self.arena().row(row, self.cells()), key);
    }

    #[inline(always)]
    fn read(&self, row: u32, key: &mut [u64]) {
        self.take(self.arena().row(row, self.cells()), key);
    }

    /// The cells of this row and of some that follow.
    #[inline(always)]
    fn from(&self, row: u32) -> ChunksExact<'_, Self::Cell> {
        self.arena()
            .rows_from(row, self.cells())
            .chunks_exact(self.cells())
    }

    /// The keys in rows that follow each other, which there is room for.
    #[inline(always)]
    fn read_all(&self, first: u32, keys: &mut [u64]) {
        let mut cells = self.from(first);
        for (row, key) in (first..).zip(keys.chunks_exact_mut(self.words())) {
            let next = match cells.next() {
                Some(next) => next,
                None => {
                    cells = self.from(row);
                    cells.next().expect("a row's cells")
                }
            };
            self.take(next, key);
        }
    }

    /// The hashes of the keys in rows that follow each other; there is room for the keys.
    #[inline(always)]
    fn hashes(&self, first: u32, keys: &mut [u64], hashes: &mut [u64]) {
        self.read_all(first, keys);
        for (key, hash) in keys.chunks_exact(self.words()).zip(hashes) {
            *hash = self.digest(key);
        }
    }
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

    /// Half words of a key.
    pub(crate) fn halves(&self) -> usize {
        self.arena.width()
    }

    /// Its rows; with the number of halves again, which the compiler may know.
    #[inline(always)]
    pub(crate) fn rows<H: Width>(&self, halves: H) -> Halves<'_, H, false> {
        Halves {
            arena: &self.arena,
            halves,
        }
    }

    /// Its rows where they hold hashes of states in place of the states, which are lost (Wolper and
    /// Leroy: Reliable hashing without collision detection, CAV 1993).
    #[inline(always)]
    pub(crate) fn hashes(&self) -> Halves<'_, Known<2>, true> {
        Halves {
            arena: &self.arena,
            halves: Known,
        }
    }
}

/// Keys of a number of half words; they may be hashes already.
#[derive(Clone, Copy)]
pub(crate) struct Halves<'r, H, const HASHED: bool> {
    arena: &'r Arena<AtomicU32>,
    halves: H,
}

impl<H: Width, const HASHED: bool> Rows for Halves<'_, H, HASHED> {
    type Cell = AtomicU32;

    #[inline(always)]
    fn arena(&self) -> &Arena<AtomicU32> {
        self.arena
    }

    #[inline(always)]
    fn cells(&self) -> usize {
        self.halves.get()
    }

    #[inline(always)]
    fn words(&self) -> usize {
        self.halves.get().div_ceil(2)
    }

    #[inline(always)]
    fn holds(&self, cells: &[AtomicU32], key: &[u64]) -> bool {
        let (pairs, rest) = cells.as_chunks();
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
    fn put(&self, cells: &[AtomicU32], key: &[u64]) {
        let (pairs, rest) = cells.as_chunks();
        for (word, [low, high]) in key.iter().zip(pairs) {
            low.put(*word);
            high.put(word >> 32);
        }
        if let ([low], Some(word)) = (rest, key.last()) {
            low.put(*word);
        }
    }

    #[inline(always)]
    fn take(&self, cells: &[AtomicU32], key: &mut [u64]) {
        let (pairs, rest) = cells.as_chunks();
        for (word, [low, high]) in key.iter_mut().zip(pairs) {
            *word = low.get() | high.get() << 32;
        }
        if let ([low], Some(word)) = (rest, key.last_mut()) {
            *word = low.get();
        }
    }

    #[inline(always)]
    fn digest(&self, key: &[u64]) -> u64 {
        if HASHED { key[0] } else { hash(key) }
    }
}
