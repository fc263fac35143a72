//! Remembers the classes of states by the bits that tell them.
//!
//! What is asked for in a state depends on a few of its bits, and states looked at one after the
//! other mostly agree in them. A direct-mapped cache of what has been evaluated takes the place of
//! evaluating it again.

use crate::hash::hash;

/// Entries: two to this power.
const SIZE: u32 = 12;

/// The cache.
pub(crate) struct Seen {
    /// The bits that tell.
    mask: Vec<u64>,
    /// The key of each entry, and its value plus one.
    keys: Vec<u64>,
    values: Vec<u32>,
    /// The key looked for last, and its place.
    key: Vec<u64>,
    place: usize,
}

impl Seen {
    pub(crate) fn new(mask: Vec<u64>) -> Self {
        let key = vec![0; mask.len()];
        let place = hash(&key) >> (64 - SIZE);
        Seen {
            keys: vec![0; mask.len() << SIZE],
            values: vec![0; 1 << SIZE],
            key,
            mask,
            place: usize::try_from(place).expect("a place in the cache"),
        }
    }

    /// The value for a state, if it is known.
    #[inline(always)]
    pub(crate) fn get(&mut self, stored: &[u64]) -> Option<u32> {
        let words = stored.len();
        let (key, mask) = (&mut self.key[..words], &self.mask[..words]);
        let mut other = 0;
        for ((key, word), mask) in key.iter_mut().zip(stored).zip(mask) {
            let bits = word & mask;
            other |= *key ^ bits;
            *key = bits;
        }
        if other != 0 {
            let place = hash(key) >> (64 - SIZE);
            self.place = usize::try_from(place).expect("a place in the cache");
        }
        let known = &self.keys[self.place * words..][..words];
        let mut other = 0;
        for (a, b) in known.iter().zip(&*key) {
            other |= a ^ b;
        }
        if other == 0 {
            self.values[self.place].checked_sub(1)
        } else {
            None
        }
    }

    /// The value for the state that was looked for last.
    pub(crate) fn put(&mut self, value: u32) {
        let width = self.key.len();
        self.keys[self.place * width..][..width].copy_from_slice(&self.key);
        self.values[self.place] = value + 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_differs_elsewhere_only_is_known() {
        let mut seen = Seen::new(vec![0xff, 0]);
        let mut hits = 0;
        for n in 0..100_000u64 {
            let value = u32::try_from(n % 256).unwrap();
            let known = seen.get(&[n, n]);
            assert!(known.is_none_or(|known| known == value));
            hits += u32::from(known.is_some());
            if known.is_none() {
                seen.put(value);
                assert_eq!(seen.get(&[n, 7]), Some(value));
            }
        }
        assert!(hits > 80_000, "most keys have a place of their own: {hits}");
    }
}
