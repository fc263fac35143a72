//! Bitstate hashing: a state is known if three bits that its hash picks are set (Holzmann: An
//! analysis of bitstate hashing, 1998; Dillinger and Manolios, 2004, for the hashes).
//!
//! States are lost where the bits have been set by others. How many is estimated from the number
//! of states and bits.
//!
//! The bits that states set lie all over a table, so that all of its memory is soon in use. A small
//! search gets a small one; when that has as many states as keep the chance of a loss low, a larger one is
//! put on top, until there is no memory for more: a state is known if it is in any of them (Almeida et
//! al.: Scalable Bloom filters, 2007).

use std::sync::atomic::{AtomicU64, Ordering};

use super::hash::hash;
use super::pages::zeros;
use super::prefetch::prefetch;

/// Bits that a state sets.
const EACH: u32 = 3;

/// Bytes of the first table, and how many times as large each next one is.
const FIRST: u64 = 8 << 20;
const LARGER: u64 = 4;
/// Bits for each state in a table that is not the last.
const ROOMY: u64 = 256;

/// The tables.
#[derive(Default)]
pub(crate) struct Bits {
    layers: Vec<Layer>,
    /// Which bits hashes pick.
    seed: Option<u64>,
}

impl Bits {
    /// No tables, in which hashes will pick other bits than with another seed.
    pub(crate) fn seeded(seed: u64) -> Bits {
        Bits {
            seed: Some(hash(&[seed])),
            ..Bits::default()
        }
    }

    #[inline]
    fn picked(&self, state: u64) -> u64 {
        self.seed.map_or(state, |seed| hash(&[state ^ seed]))
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.layers.iter().map(Layer::bytes).sum()
    }

    /// How many states there may be before there should be another table.
    pub(crate) fn room(&self) -> u64 {
        let last = self.layers.last();
        last.map_or(0, |last| last.before.saturating_add(last.most))
    }

    /// Puts another table on top when there are so many states; all together have at most so many
    /// bytes. Says whether there is memory for one.
    pub(crate) fn grow(&mut self, states: u64, most: u64) -> bool {
        let left = most.saturating_sub(self.bytes());
        let wanted = match self.layers.last() {
            Some(last) => last.bytes().saturating_mul(LARGER),
            None => FIRST,
        };
        // What would be left behind it is too little for yet another one.
        let is_last = left < wanted.saturating_mul(2);
        let bytes = if is_last { left } else { wanted };
        if is_last && !self.layers.is_empty() && bytes < wanted / 2 {
            // No other one is worth the while: this one takes what comes.
            if let Some(last) = self.layers.last_mut() {
                last.most = u64::MAX;
            }
            return true;
        }
        let Some(mut layer) = Layer::new(bytes) else {
            return false;
        };
        layer.before = states;
        layer.most = if is_last { u64::MAX } else { bytes * 8 / ROOMY };
        self.layers.push(layer);
        true
    }

    pub(crate) fn prefetch(&self, hash: u64) {
        let hash = self.picked(hash);
        for layer in &self.layers {
            layer.prefetch(hash);
        }
    }

    /// Whether some table has it.
    #[inline]
    pub(crate) fn contains(&self, hash: u64) -> bool {
        let hash = self.picked(hash);
        self.layers.iter().any(|layer| layer.contains(hash))
    }

    /// Adds it to the last table, unless another has it; says whether it is new.
    #[inline]
    pub(crate) fn add(&self, hash: u64) -> bool {
        let hash = self.picked(hash);
        let Some((last, others)) = self.layers.split_last() else {
            return false;
        };
        !others.iter().any(|layer| layer.contains(hash)) && last.add(hash)
    }

    /// How many other states have probably been taken for known when so many were added.
    #[expect(clippy::cast_precision_loss, reason = "an estimate")]
    pub(crate) fn omitted(&self, states: u64) -> f64 {
        let ends = self.layers.iter().skip(1).map(|layer| layer.before);
        let mut chance = 0.0;
        let mut sum = 0.0;
        for (layer, end) in self.layers.iter().zip(ends.chain([states])) {
            let own = end.saturating_sub(layer.before);
            sum += layer.omitted(own) + chance * own as f64;
            chance += layer.chance(own);
        }
        sum
    }
}

/// A table of bits.
struct Layer {
    words: Box<[AtomicU64]>,
    /// The states that were there before it,
    before: u64,
    /// and how many it may have itself.
    most: u64,
}

impl Layer {
    /// So many bytes of bits, if there is memory for them.
    fn new(bytes: u64) -> Option<Layer> {
        let size = usize::try_from(bytes / 8).ok()?.max(64);
        let words = zeros(size)?;
        Some(Layer {
            words,
            before: 0,
            most: u64::MAX,
        })
    }

    fn bytes(&self) -> u64 {
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

    fn prefetch(&self, hash: u64) {
        for (word, _) in self.places(hash) {
            prefetch(&self.words[word]);
        }
    }

    /// Whether all bits are set.
    #[inline]
    fn contains(&self, hash: u64) -> bool {
        self.places(hash)
            .iter()
            .all(|&(word, bit)| self.words[word].load(Ordering::Relaxed) & bit != 0)
    }

    /// Sets the bits; says whether one was not set.
    #[inline]
    fn add(&self, hash: u64) -> bool {
        let mut new = false;
        for (word, bit) in self.places(hash) {
            new |= self.words[word].fetch_or(bit, Ordering::Relaxed) & bit == 0;
        }
        new
    }

    /// How many other states have probably been taken for known when so many were added one after
    /// the other: the sum of the chances, at each, that three bits are all set.
    #[expect(clippy::cast_precision_loss, reason = "an estimate")]
    fn omitted(&self, states: u64) -> f64 {
        let bits = self.words.len() as f64 * 64.0;
        let each = f64::from(EACH);
        let filled = each * states as f64 / bits;
        let e = |n: f64| -(-n * filled).exp_m1();
        // The integral of (1 - exp(-u))^3.
        let sum = filled - 3.0 * e(1.0) + 1.5 * e(2.0) - e(3.0) / 3.0;
        (sum * bits / each).max(0.0)
    }

    /// The chance that a state is taken for known when there are so many.
    #[expect(clippy::cast_precision_loss, reason = "an estimate")]
    fn chance(&self, states: u64) -> f64 {
        let bits = self.words.len() as f64 * 64.0;
        let filled = -(-f64::from(EACH) * states as f64 / bits).exp_m1();
        filled.powi(3)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::hash::hash;

    #[test]
    fn states_are_lost_about_as_often_as_estimated() {
        let bits = Layer::new(100_000).unwrap();
        let lost = (0..150_000u64).filter(|&n| !bits.add(hash(&[n]))).count();
        assert!((0..150_000u64).all(|n| bits.contains(hash(&[n]))));
        #[expect(clippy::cast_precision_loss, reason = "an estimate")]
        let lost = lost as f64;
        let estimate = bits.omitted(150_000);
        assert!((lost / estimate - 1.0).abs() < 0.2, "{lost} {estimate}");
    }

    #[test]
    fn a_small_search_has_a_small_table_and_a_large_one_all_there_is() {
        let most = 64 << 20;
        let mut bits = Bits::default();
        let mut states = 0;
        let mut lost = 0;
        for n in 0..2_000_000u64 {
            if states >= bits.room() {
                assert!(bits.grow(states, most));
            }
            match bits.add(hash(&[n])) {
                true => states += 1,
                false => lost += 1,
            }
            if n == 200_000 {
                assert!(bits.bytes() <= 8 << 20, "{}", bits.bytes());
            }
        }
        assert!((0..2_000_000u64).all(|n| bits.contains(hash(&[n]))));
        assert!(bits.bytes() <= most);
        assert!(bits.bytes() > most / 2, "{}", bits.bytes());
        let estimate = bits.omitted(states);
        assert!(f64::from(lost) < 3.0 * estimate + 5.0, "{lost} {estimate}");
        assert!(estimate < 100.0, "{estimate}");
    }
}
