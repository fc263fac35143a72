//! Bitstate hashing: a state is known if three bits that its hash picks are set (Holzmann: An
//! analysis of bitstate hashing, 1998; Dillinger and Manolios, 2004, for the hashes).
//!
//! States are lost where the bits have been set by others. How many is estimated from the number
//! of states and bits.

use std::sync::atomic::{AtomicU64, Ordering};

use super::pages::zeros;
use super::prefetch::prefetch;

/// Bits that a state sets.
const EACH: u32 = 3;

/// The bits.
pub(crate) struct Bits {
    words: Box<[AtomicU64]>,
}

impl Bits {
    /// So many bytes of bits, if there is memory for them.
    pub(crate) fn new(bytes: u64) -> Option<Bits> {
        let size = usize::try_from(bytes / 8).ok()?.max(64);
        let words = zeros(size)?;
        Some(Bits { words })
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.words.len() as u64 * 8
    }

    /// The words of a hash, and the bits there.
    #[inline]
    fn places(&self, hash: u64) -> [(usize, u64); EACH as usize] {
        let mut at = hash;
        // An odd step, so that the three differ.
        let step = hash.rotate_left(32).wrapping_mul(0xd6e8_feb8_6659_fd93) | 1;
        std::array::from_fn(|_| {
            let scaled = u128::from(at) * (self.words.len() as u128 * 64);
            at = at.wrapping_add(step);
            let bit = (scaled >> 64) as u64;
            let word = (bit / 64) as usize;
            (word, 1 << (bit % 64))
        })
    }

    pub(crate) fn prefetch(&self, hash: u64) {
        for (word, _) in self.places(hash) {
            prefetch(&self.words[word]);
        }
    }

    /// Whether all bits are set.
    #[inline]
    pub(crate) fn contains(&self, hash: u64) -> bool {
        self.places(hash)
            .iter()
            .all(|&(word, bit)| self.words[word].load(Ordering::Relaxed) & bit != 0)
    }

    /// Sets the bits; says whether one was not set.
    #[inline]
    pub(crate) fn add(&self, hash: u64) -> bool {
        let mut new = false;
        for (word, bit) in self.places(hash) {
            new |= self.words[word].fetch_or(bit, Ordering::Relaxed) & bit == 0;
        }
        new
    }

    /// How many other states have probably been taken for known when so many were added one after
    /// the other: the sum of the chances, at each, that three bits are all set.
    #[expect(clippy::cast_precision_loss, reason = "an estimate")]
    pub(crate) fn omitted(&self, states: u64) -> f64 {
        let bits = self.words.len() as f64 * 64.0;
        let each = f64::from(EACH);
        let filled = each * states as f64 / bits;
        let e = |n: f64| -(-n * filled).exp_m1();
        // The integral of (1 - exp(-u))^3.
        let sum = filled - 3.0 * e(1.0) + 1.5 * e(2.0) - e(3.0) / 3.0;
        (sum * bits / each).max(0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hash::hash;

    #[test]
    fn states_are_lost_about_as_often_as_estimated() {
        let bits = Bits::new(100_000).unwrap();
        let lost = (0..150_000u64).filter(|&n| !bits.add(hash(&[n]))).count();
        assert!((0..150_000u64).all(|n| bits.contains(hash(&[n]))));
        #[expect(clippy::cast_precision_loss, reason = "an estimate")]
        let lost = lost as f64;
        let estimate = bits.omitted(150_000);
        assert!((lost / estimate - 1.0).abs() < 0.2, "{lost} {estimate}");
    }
}
