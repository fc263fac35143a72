//! Hashing of word slices: two words at a time are folded in by a multiplication to 128 bits whose
//! halves are combined, as in wyhash and its descendants. That is as fast as reading the words, and
//! both halves of the result are good.

use std::hash::Hasher;

const SEED: u64 = 0x9e37_79b9_7f4a_7c15;
/// For mixing: odd, with bits all over.
pub(crate) const FACTOR: u64 = 0xd6e8_feb8_6659_fd93;

#[inline(always)]
fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    #[expect(clippy::cast_possible_truncation, reason = "the two halves")]
    let (low, high) = (product as u64, (product >> 64) as u64);
    low ^ high
}

/// The hash of a slice of words.
#[inline(always)]
pub(crate) fn hash(words: &[u64]) -> u64 {
    let (pairs, rest) = words.as_chunks();
    let mut state = SEED;
    for [a, b] in pairs {
        state = fold(a ^ state, b ^ FACTOR ^ state.rotate_left(32));
    }
    for word in rest {
        state = fold(word ^ state, FACTOR ^ state.rotate_left(32));
    }
    fold(state ^ SEED, FACTOR)
}

/// The hash of a slice of numbers and one more. Long slices are folded in by four lanes, whose multiplications
/// do not wait for each other.
pub(crate) fn hash_signed(words: &[i64], more: u64) -> u64 {
    let (blocks, rest) = words.as_chunks::<8>();
    let mut lanes = [SEED ^ more, SEED ^ FACTOR, !SEED, !FACTOR];
    for block in blocks {
        let (pairs, _) = block.as_chunks();
        for (lane, &[a, b]) in lanes.iter_mut().zip(pairs) {
            let b = b.cast_unsigned() ^ FACTOR ^ lane.rotate_left(32);
            *lane = fold(a.cast_unsigned() ^ *lane, b);
        }
    }
    let [mut state, others @ ..] = lanes;
    for word in others
        .into_iter()
        .chain(rest.iter().map(|word| word.cast_unsigned()))
    {
        state = fold(word ^ state, FACTOR ^ state.rotate_left(32));
    }
    fold(state ^ SEED, FACTOR)
}

/// The same for keys of hash maps.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FoldHasher(u64);

impl Default for FoldHasher {
    fn default() -> Self {
        FoldHasher(SEED)
    }
}

impl Hasher for FoldHasher {
    fn finish(&self) -> u64 {
        fold(self.0 ^ SEED, FACTOR)
    }

    fn write(&mut self, bytes: &[u8]) {
        let (words, rest) = bytes.as_chunks();
        for &word in words {
            self.write_u64(u64::from_le_bytes(word));
        }
        if !rest.is_empty() {
            let mut word = [0; 8];
            word[..rest.len()].copy_from_slice(rest);
            self.write_u64(u64::from_le_bytes(word));
        }
    }

    fn write_u64(&mut self, word: u64) {
        self.0 = fold(word ^ self.0, FACTOR ^ self.0.rotate_left(32));
    }

    fn write_usize(&mut self, word: usize) {
        self.write_u64(word as u64);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_differences_spread_over_both_halves() {
        let mut low = std::collections::HashSet::new();
        let mut high = std::collections::HashSet::new();
        for a in 0..256u64 {
            for b in 0..256u64 {
                let h = hash(&[a, b << 40]);
                low.insert(h & 0xffff_ffff);
                high.insert(h >> 32);
            }
        }
        assert!(
            low.len() > 65_000 && high.len() > 65_000,
            "{} {}",
            low.len(),
            high.len()
        );
    }
}
