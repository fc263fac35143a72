//! How words of many bits are cut into limbs of few, the lowest first.

/// The bits of a limb.
pub(crate) const LIMB: u16 = 32;

/// The most bits that a word may have.
pub(crate) const MAX_BITS: u16 = 4096;

/// The widths of the limbs of a word.
pub(crate) fn widths(bits: u16) -> impl Iterator<Item = u16> + Clone {
    (0..bits.div_ceil(LIMB)).map(move |at| (bits - at * LIMB).min(LIMB))
}

/// Whether words of a width need limbs.
pub(crate) fn is_wide(bits: u16) -> bool {
    bits > 64
}

/// A number in limbs, the lowest first; `None` if it needs more bits, or has a digit that its radix
/// does not have.
pub(crate) fn limbs(digits: &str, radix: u32, bits: u16) -> Option<Vec<u32>> {
    if digits.is_empty() {
        return None;
    }
    let mut limbs = vec![0u32; usize::from(bits.div_ceil(LIMB))];
    for digit in digits.chars() {
        let mut carry = u64::from(digit.to_digit(radix)?);
        for limb in &mut limbs {
            let here = u64::from(*limb) * u64::from(radix) + carry;
            *limb = here as u32;
            carry = here >> LIMB;
        }
        if carry != 0 {
            return None;
        }
    }
    let beyond = match bits % LIMB {
        0 => 0,
        used => limbs[limbs.len() - 1] >> used,
    };
    (beyond == 0).then_some(limbs)
}
