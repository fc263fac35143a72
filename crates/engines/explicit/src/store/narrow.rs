//! Rows of a few bytes, for keys whose two halves need few bits.

use std::sync::atomic::AtomicU8;

use super::arena::{Arena, Cell};
use super::rows::Rows;
use super::state_id::Full;
use crate::store::hash::hash;

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
            let mut key = [0];
            self.read(row, &mut key);
            to.write(row, &key);
        }
        Ok(to)
    }

    #[inline]
    fn get(&self, cells: &[AtomicU8]) -> u64 {
        let bits = cells
            .iter()
            .rev()
            .fold(0, |bits, cell| bits << 8 | cell.get());
        bits & ((1 << self.low) - 1) | (bits >> self.low) << 32
    }
}

impl Rows for Narrow {
    type Cell = AtomicU8;

    #[inline(always)]
    fn arena(&self) -> &Arena<AtomicU8> {
        &self.arena
    }

    #[inline(always)]
    fn cells(&self) -> usize {
        self.arena.width()
    }

    fn words(&self) -> usize {
        1
    }

    #[inline]
    fn fits(&self, key: &[u64]) -> bool {
        let (low, high) = (key[0] & 0xffff_ffff, key[0] >> 32);
        low >> self.low == 0 && (self.high() >= 32 || high >> self.high() == 0)
    }

    #[inline]
    fn holds(&self, cells: &[AtomicU8], key: &[u64]) -> bool {
        self.get(cells) == key[0]
    }

    #[inline]
    fn put(&self, cells: &[AtomicU8], key: &[u64]) {
        let (low, high) = (key[0] & 0xffff_ffff, key[0] >> 32);
        let mut bits = low | high << self.low;
        for cell in cells {
            cell.put(bits & 0xff);
            bits >>= 8;
        }
    }

    #[inline]
    fn take(&self, cells: &[AtomicU8], key: &mut [u64]) {
        key[0] = self.get(cells);
    }

    #[inline]
    fn digest(&self, key: &[u64]) -> u64 {
        hash(key)
    }
}
