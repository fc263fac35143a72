//! Looking at four entries of an index at once.

/// Which of four entries are empty or have this tag in the bits of a mask: the first one in the
/// lowest bit.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub(super) fn stops(entries: [u32; 4], tag: u32, mask: u32) -> u32 {
    use std::arch::x86_64::{
        _mm_and_si128, _mm_castsi128_ps, _mm_cmpeq_epi32, _mm_movemask_ps, _mm_or_si128,
        _mm_set_epi32, _mm_set1_epi32, _mm_setzero_si128, _mm_xor_si128,
    };
    let [a, b, c, d] = entries.map(u32::cast_signed);
    #[expect(
        unsafe_code,
        reason = "all processors of this architecture have these instructions"
    )]
    // SAFETY: x86-64 includes SSE2.
    let stops = unsafe {
        let entries = _mm_set_epi32(d, c, b, a);
        let none = _mm_setzero_si128();
        let other = _mm_xor_si128(entries, _mm_set1_epi32(tag.cast_signed()));
        let other = _mm_and_si128(other, _mm_set1_epi32(mask.cast_signed()));
        let stop = _mm_or_si128(_mm_cmpeq_epi32(entries, none), _mm_cmpeq_epi32(other, none));
        _mm_movemask_ps(_mm_castsi128_ps(stop))
    };
    stops.cast_unsigned()
}

/// Which of four entries are empty or have this tag in the bits of a mask: the first one in the
/// lowest bit.
#[cfg(not(target_arch = "x86_64"))]
#[inline(always)]
pub(super) fn stops(entries: [u32; 4], tag: u32, mask: u32) -> u32 {
    one_by_one(entries, tag, mask)
}

#[cfg(any(test, not(target_arch = "x86_64")))]
fn one_by_one(entries: [u32; 4], tag: u32, mask: u32) -> u32 {
    let mut stops = 0;
    for (number, entry) in entries.into_iter().enumerate() {
        let stop = (entry == 0) | ((entry ^ tag) & mask == 0);
        stops |= u32::from(stop) << number;
    }
    stops
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn together_is_as_one_by_one() {
        let mask = 0xff00_0000;
        let choices = [0, 1, 0x1200_0000, 0x1200_0001, 0x1300_0001, u32::MAX];
        for number in 0..6usize.pow(4) {
            let entries = [1, 6, 36, 216].map(|factor| choices[number / factor % 6]);
            for tag in [0, 0x1200_0000, 0xff00_0000] {
                assert_eq!(stops(entries, tag, mask), one_by_one(entries, tag, mask));
            }
        }
    }
}
