//! Repacking: from stored states to the same states in another packing.
//!
//! Fields that come from one word, go to one word and move equally far move together, by one mask
//! and one shift. What they hold is how far a value lies from the least one; where the least one
//! is another now, a constant is added to the word. Since every value fits where it goes, that
//! carries nothing from one field into the next, and what is carried on the way is taken back.

use crate::store::packing::{Field, Packing};

/// From one packing to another of the same slots.
#[derive(Debug)]
pub(crate) struct Repacking {
    moves: Vec<Move>,
    /// What is added to each word.
    more: Vec<u64>,
}

/// Fields that move together.
#[derive(Debug)]
struct Move {
    from: usize,
    to: usize,
    /// Where they are in their word.
    mask: u64,
    /// How far they move in it, one way or the other.
    right: u32,
    left: u32,
}

impl Repacking {
    pub(crate) fn new(from: &Packing, to: &Packing) -> Repacking {
        let by_slot = |packing: &Packing| {
            let mut fields = packing.fields().to_vec();
            fields.sort_by_key(|field| field.slot);
            fields
        };
        let mut repacking = Repacking {
            moves: Vec::new(),
            more: vec![0; to.words],
        };
        for (from, to) in by_slot(from).into_iter().zip(by_slot(to)) {
            debug_assert_eq!(from.slot, to.slot);
            repacking.add(from, to);
        }
        repacking
    }

    fn add(&mut self, from: Field, to: Field) {
        let right = from.shift().saturating_sub(to.shift());
        let left = to.shift().saturating_sub(from.shift());
        let lower = from.lo.wrapping_sub(to.lo).cast_unsigned() << to.shift();
        let more = &mut self.more[to.word()];
        *more = more.wrapping_add(lower);
        let (word, mask) = (from.word(), from.mask() << from.shift());
        let together = self.moves.iter_mut().find(|other| {
            (other.from, other.to, other.right, other.left) == (word, to.word(), right, left)
        });
        match together {
            Some(together) => together.mask |= mask,
            None => self.moves.push(Move {
                from: word,
                to: to.word(),
                mask,
                right,
                left,
            }),
        }
    }

    /// Packs a stored state anew; it must fit.
    #[inline]
    pub(crate) fn turn(&self, stored: &[u64], out: &mut [u64]) {
        out.copy_from_slice(&self.more);
        for one in &self.moves {
            let bits = (stored[one.from] & one.mask) >> one.right << one.left;
            out[one.to] = out[one.to].wrapping_add(bits);
        }
    }

    /// The same, made.
    pub(crate) fn turned(&self, stored: &[u64]) -> Vec<u64> {
        let mut out = vec![0; self.more.len()];
        self.turn(stored, &mut out);
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::layout::Leaf;
    use crate::store::packing::arrange;
    use crate::store::packing::tests::by_types;
    use model::Type;

    #[test]
    fn values_stay_what_they_are_wherever_they_go() {
        let (_, zeros, whole) = by_types(&vec![
            Type::Int {
                bits: 32,
                signed: true
            };
            30
        ]);
        let slots: Vec<usize> = (whole.fields().iter())
            .map(|field| usize::from(field.slot))
            .collect();
        let mut seed = 1u64;
        let mut random = |below: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 33) % below
        };
        let (mut fields, mut moves) = (0, 0);
        for few in (0..200).map(|round| round % 2 == 0) {
            // Values, and two packings with room for them, of which the second may be another in few
            // places only.
            let values: Vec<i64> = (slots.iter())
                .map(|_| i64::try_from(random(1000)).unwrap() - 500)
                .collect();
            let mut leaf = |value: i64| Leaf {
                lo: value - i64::try_from(random(5)).unwrap() * 3,
                bits: 4 + u8::try_from(random(3)).unwrap() * 14,
                zero: 0,
            };
            let mut leaves: Vec<Leaf> = values.iter().map(|&value| leaf(value)).collect();
            let packing = |leaves: &[Leaf]| {
                let sized = slots.iter().copied().zip(leaves.iter().copied());
                whole.with_fields(arrange(sized.collect()))
            };
            let before = packing(&leaves);
            for (leaf_there, &value) in
                leaves
                    .iter_mut()
                    .zip(&values)
                    .step_by(if few { 9 } else { 1 })
            {
                *leaf_there = leaf(value);
            }
            let after = packing(&leaves);
            let mut state = zeros.clone();
            for (&slot, &value) in slots.iter().zip(&values) {
                state[slot] = value;
            }
            let (mut from, mut to) = (vec![0; before.words], vec![0; after.words]);
            assert!(before.pack(&state, &mut from) && after.pack(&state, &mut to));
            let repacking = Repacking::new(&before, &after);
            assert_eq!(repacking.turned(&from), to);
            if few {
                fields += slots.len();
                moves += repacking.moves.len();
            }
        }
        assert!(moves * 4 < fields * 3, "{moves} for {fields}");
    }
}
