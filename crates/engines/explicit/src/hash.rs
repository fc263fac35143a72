//! Hashing of word slices: each word is folded in by a multiplication to 128 bits whose halves
//! are combined, as in wyhash and its descendants. A multiplication a word is as fast as reading
//! the words, and both halves of the result are good.

const SEED: u64 = 0x9e37_79b9_7f4a_7c15;
const FACTOR: u64 = 0xd6e8_feb8_6659_fd93;

#[inline]
fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    #[expect(clippy::cast_possible_truncation, reason = "the two halves")]
    let (low, high) = (product as u64, (product >> 64) as u64);
    low ^ high
}

/// The hash of a slice of words.
#[inline]
pub(crate) fn hash(words: &[u64]) -> u64 {
    let mut state = SEED;
    for &word in words {
        state = fold(word ^ state, FACTOR ^ state.rotate_left(32));
    }
    fold(state ^ SEED, FACTOR)
}

/// The hash of a slice of numbers and one more.
pub(crate) fn hash_signed(words: &[i64], more: u64) -> u64 {
    let mut state = SEED ^ more;
    for &word in words {
        state = fold(word.cast_unsigned() ^ state, FACTOR ^ state.rotate_left(32));
    }
    fold(state ^ SEED, FACTOR)
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
