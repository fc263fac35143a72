//! Remembers the classes of states by the bits that tell them.
//!
//! What is asked for in a state depends on a few of its bits, and states looked at one after the
//! other mostly agree in them. What has been evaluated for some bits is not evaluated again.

use hashbrown::HashTable;

use crate::store::hash::hash;

/// Words of keys that are kept at most; when there are so many, all is forgotten.
const MANY: usize = 1 << 18;

/// The values by the bits.
pub(crate) struct Seen {
    /// The words of a state with bits that tell, and these bits.
    masks: Vec<(usize, u64)>,
    /// The keys, one behind the other, their values, and where each is.
    keys: Vec<u64>,
    values: Vec<u32>,
    places: HashTable<u32>,
    /// The key looked for last, and its value, if it is known.
    key: Vec<u64>,
    value: Option<u32>,
}

impl Seen {
    /// Nothing yet, for states told by bits of their words.
    pub(crate) fn new(bits: &[u64]) -> Self {
        let masks = bits.iter().copied().enumerate();
        let masks: Vec<_> = masks.filter(|&(_, mask)| mask != 0).collect();
        Seen {
            keys: Vec::new(),
            values: Vec::new(),
            places: HashTable::new(),
            key: vec![0; masks.len()],
            value: None,
            masks,
        }
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
            self.value = self.find();
        }
        self.value
    }

    /// Looks for the key.
    fn find(&self) -> Option<u32> {
        // Word by word: keys are too short for a call.
        let same = |(a, b): (&u64, &u64)| a == b;
        let is_it = |&place: &u32| {
            let key = entry(&self.keys, self.key.len(), place);
            key.iter().zip(&self.key).all(same)
        };
        let place = self.places.find(hash(&self.key), is_it)?;
        Some(self.values[*place as usize])
    }

    /// The value for the state that was looked for last.
    pub(crate) fn put(&mut self, value: u32) {
        if self.keys.len() >= MANY {
            self.keys.clear();
            self.values.clear();
            self.places.clear();
        }
        let width = self.key.len();
        let place = u32::try_from(self.values.len()).expect("they are not that many");
        self.keys.extend_from_slice(&self.key);
        self.values.push(value);
        self.value = Some(value);
        let keys = &self.keys;
        self.places.insert_unique(hash(&self.key), place, |&place| {
            hash(entry(keys, width, place))
        });
    }
}

/// One of the keys that lie one behind the other.
#[inline(always)]
fn entry(keys: &[u64], width: usize, place: u32) -> &[u64] {
    &keys[place as usize * width..][..width]
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
        assert_eq!(hits, 100_000 - 256);
    }
}
