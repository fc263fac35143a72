//! Rows of a few bytes, for keys whose two halves need few bits.

use std::sync::atomic::AtomicU8;

use super::Full;
use super::arena::{Arena, Cell};
use super::prefetch::prefetch;
use super::rows::Rows;
use crate::hash::hash;

/// Keys of one word; the bits of the lower half, then those of the upper.
pub(crate) struct Narrow {
    pub(crate) arena: Arena<AtomicU8>,
    low: u32,
}

impl Narrow {
    /// Rows of so many bytes, with so many bits for the lower halves of keys.
    pub(crate) fn new(bytes: usize, low: u32) -> Narrow {
        Narrow {
            arena: Arena::new(bytes),
            low,
        }
    }

    fn high(&self) -> u32 {
        u32::try_from(self.arena.width()).expect("a few bytes") * 8 - self.low
    }

    /// Whether halves of so many bits have room.
    pub(crate) fn has_room(&self, low: u32, high: u32) -> bool {
        low <= self.low && high <= self.high()
    }

    /// The same rows in another layout.
    pub(crate) fn moved(&self, mut to: Narrow) -> Result<Narrow, Full> {
        while to.arena.rows() < self.arena.rows() {
            if !to.arena.extend() {
                return Err(Full);
            }
        }
        for row in 0..self.arena.rows() {
            let Ok(row) = u32::try_from(row) else { break };
            to.write(row, &[self.get(row)]);
        }
        Ok(to)
    }

    #[inline]
    fn get(&self, row: u32) -> u64 {
        let cells = self.arena.row(row);
        let bits = cells
            .iter()
            .rev()
            .fold(0, |bits, cell| bits << 8 | cell.get());
        bits & ((1 << self.low) - 1) | (bits >> self.low) << 32
    }
}

impl Rows for Narrow {
    fn words(&self) -> usize {
        1
    }

    fn bytes(&self) -> u64 {
        self.arena.bytes()
    }

    #[inline]
    fn fits(&self, key: &[u64]) -> bool {
        let (low, high) = (key[0] & 0xffff_ffff, key[0] >> 32);
        low >> self.low == 0 && (self.high() >= 32 || high >> self.high() == 0)
    }

    #[inline]
    fn prefetch(&self, row: u32) {
        prefetch(&self.arena.row(row)[0]);
    }

    #[inline]
    fn same(&self, row: u32, key: &[u64]) -> bool {
        self.get(row) == key[0]
    }

    #[inline]
    fn write(&self, row: u32, key: &[u64]) {
        let (low, high) = (key[0] & 0xffff_ffff, key[0] >> 32);
        let mut bits = low | high << self.low;
        for cell in self.arena.row(row) {
            cell.put(bits & 0xff);
            bits >>= 8;
        }
    }

    #[inline]
    fn read(&self, row: u32, key: &mut [u64]) {
        key[0] = self.get(row);
    }

    fn hashes(&self, first: u32, hashes: &mut [u64]) {
        for (row, to) in (first..).zip(hashes) {
            *to = hash(&[self.get(row)]);
        }
    }
}
