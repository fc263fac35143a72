//! Remembers the classes of states by the bits that tell them.
//!
//! What is asked for in a state depends on a few of its bits, and states looked at one after the
//! other mostly agree in them. A direct-mapped cache of what has been evaluated takes the place of
//! evaluating it again.

use crate::hash::hash;

/// Entries: two to this power.
const SIZE: u32 = 14;

/// The cache.
pub(crate) struct Seen {
    /// The words of a state with bits that tell, and these bits.
    masks: Vec<(usize, u64)>,
    /// The key of each entry, and its value plus one.
    keys: Vec<u64>,
    values: Vec<u32>,
    /// The key looked for last, and its place.
    key: Vec<u64>,
    place: usize,
}

impl Seen {
    /// An empty one, for states told by bits of their words.
    pub(crate) fn new(bits: &[u64]) -> Self {
        let masks = bits.iter().copied().enumerate();
        let masks: Vec<_> = masks.filter(|&(_, mask)| mask != 0).collect();
        let mut seen = Seen {
            keys: vec![0; masks.len() << SIZE],
            values: vec![0; 1 << SIZE],
            key: vec![0; masks.len()],
            place: 0,
            masks,
        };
        seen.find();
        seen
    }

    /// Finds the place of the key.
    fn find(&mut self) {
        let place = hash(&self.key) >> (64 - SIZE);
        self.place = usize::try_from(place).expect("a place in the cache");
    }

    /// The value for a state, if it is known.
    #[inline(always)]
    pub(crate) fn get(&mut self, stored: &[u64]) -> Option<u32> {
        let mut other = 0;
        for (key, (word, mask)) in self.key.iter_mut().zip(&self.masks) {
            let bits = stored[*word] & mask;
            other |= *key ^ bits;
            *key = bits;
        }
        if other != 0 {
            self.find();
        }
        let value = self.values[self.place].checked_sub(1)?;
        let known = &self.keys[self.place * self.key.len()..];
        let mut other = 0;
        for (a, b) in known.iter().zip(&self.key) {
            other |= a ^ b;
        }
        (other == 0).then_some(value)
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
        let mut seen = Seen::new(&[0xff, 0]);
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
