//! The index of a store: from hashes to row numbers, open addressing with linear probing.
//!
//! An entry is a row number plus one in as many bits as the numbers at this capacity need, and
//! above it as much of the hash as there is room for, so that a probe rarely looks at a row that
//! is not the one; zero is empty. The place comes from the upper bits of the hash by a
//! multiplication, so a capacity need not be a power of two: near a memory limit the index grows
//! in small steps. Entries are only ever set, by compare-and-exchange (Laarman, van de Pol, Weber:
//! Boosting multi-core reachability performance with shared hash tables, FMCAD 2010).

use std::ops::Range;
use std::sync::atomic::{AtomicU32, Ordering};

use super::pages::prefer_large;
use super::prefetch::prefetch;
use super::rows::Rows;

/// The index.
pub(crate) struct Index {
    entries: Box<[AtomicU32]>,
    /// Bits of a row number plus one.
    number_bits: u32,
}

/// The greatest share of entries in use: this of 20.
const FULL: u64 = 15;
/// Rows whose entries are asked for together when many are entered.
const TOGETHER: usize = 64;

/// How many rows an index of this capacity takes.
pub(crate) fn most_rows(capacity: u64) -> u64 {
    (capacity * FULL / 20).min(u64::from(u32::MAX) - 1)
}

/// The capacity that so many rows need.
pub(crate) fn capacity_for(rows: u64) -> u64 {
    rows * 20 / FULL + 2
}

/// What a look at an entry says.
pub(crate) enum Probe {
    /// Nothing is here.
    Empty,
    /// This row may be the one.
    Candidate(u32),
    /// Something else is here.
    Other,
}

impl Index {
    /// An empty index, if there is memory for it.
    pub(crate) fn new(capacity: u64) -> Option<Index> {
        let size = usize::try_from(capacity).ok()?;
        let mut entries = Vec::new();
        entries.try_reserve_exact(size).ok()?;
        prefer_large(entries.spare_capacity_mut());
        entries.resize_with(size, AtomicU32::default);
        Some(Index {
            entries: entries.into_boxed_slice(),
            number_bits: 64 - most_rows(capacity).leading_zeros(),
        })
    }

    pub(crate) fn capacity(&self) -> u64 {
        self.entries.len() as u64
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.capacity() * 4
    }

    /// Where probing begins.
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "less than the capacity")]
    pub(crate) fn place(&self, hash: u64) -> usize {
        ((u128::from(hash) * self.entries.len() as u128) >> 64) as usize
    }

    /// The next place.
    #[inline]
    pub(crate) fn after(&self, place: usize) -> usize {
        if place + 1 == self.entries.len() {
            0
        } else {
            place + 1
        }
    }

    /// Asks for an entry ahead of its use.
    #[inline]
    pub(crate) fn prefetch(&self, place: usize) {
        prefetch(&self.entries[place]);
    }

    #[inline]
    #[expect(
        clippy::cast_possible_truncation,
        reason = "the bits that there is room for"
    )]
    fn tag(&self, hash: u64) -> u32 {
        (hash << self.number_bits) as u32
    }

    /// Looks at an entry.
    #[inline]
    pub(crate) fn look(&self, place: usize, hash: u64) -> Probe {
        let entry = self.entries[place].load(Ordering::Acquire);
        if entry == 0 {
            return Probe::Empty;
        }
        let other = entry ^ self.tag(hash);
        if u64::from(other) >> self.number_bits == 0 {
            Probe::Candidate(other - 1)
        } else {
            Probe::Other
        }
    }

    /// Puts a row into an empty entry, unless somebody else has been faster.
    #[inline]
    pub(crate) fn claim(&self, place: usize, hash: u64, row: u32) -> bool {
        let entry = self.tag(hash) | (row + 1);
        self.entries[place]
            .compare_exchange(0, entry, Ordering::Release, Ordering::Relaxed)
            .is_ok()
    }

    /// The same while no other thread uses the index.
    #[inline]
    pub(crate) fn set(&self, place: usize, hash: u64, row: u32) {
        self.entries[place].store(self.tag(hash) | (row + 1), Ordering::Release);
    }

    /// Enters rows that are known to be new, together with other threads that do the same unless
    /// this one is alone.
    #[inline(always)]
    pub(crate) fn enter(&self, rows: Range<u32>, keys: &impl Rows, alone: bool) {
        let mut hashes = [0; TOGETHER];
        let mut room = vec![0; TOGETHER * keys.words()];
        let mut row = rows.start;
        while row < rows.end {
            let count = hashes.len().min((rows.end - row) as usize);
            let part = &mut hashes[..count];
            keys.hashes(row, &mut room[..count * keys.words()], part);
            for &hash in part.iter() {
                self.prefetch(self.place(hash));
            }
            for &hash in part.iter() {
                self.add(hash, row, alone);
                row += 1;
            }
        }
    }

    #[inline]
    fn add(&self, hash: u64, row: u32, alone: bool) {
        let mut place = self.place(hash);
        loop {
            if self.entries[place].load(Ordering::Relaxed) == 0 {
                if alone {
                    self.set(place, hash, row);
                    return;
                }
                if self.claim(place, hash, row) {
                    return;
                }
            }
            place = self.after(place);
        }
    }
}
