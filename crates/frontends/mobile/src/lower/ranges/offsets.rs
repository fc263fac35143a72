//! Which variables differ by a constant: `x = y + c`, modulo two to the width of their type.
//!
//! These are the affine equalities (M. Karr, *Affine relationships among variables of a program*,
//! 1976) with at most two variables and factors of one, so that all of them are classes of
//! variables with an offset each. One class for each width holds the variables whose values are known.

use std::collections::HashMap;

/// The class of known numbers.
const KNOWN: u32 = 0;

/// A number: so much above what all of its class share, in so many bits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Offset {
    class: u32,
    by: u128,
    bits: u8,
}

impl Offset {
    /// A number that is known.
    pub(super) fn known(number: i128, bits: u8) -> Offset {
        Offset {
            class: KNOWN,
            by: wrapped(number.cast_unsigned(), bits),
            bits,
        }
    }

    /// The number with a constant added.
    pub(super) fn plus(self, constant: i128) -> Offset {
        let by = self.by.wrapping_add(constant.cast_unsigned());
        Offset {
            by: wrapped(by, self.bits),
            ..self
        }
    }

    pub(super) fn bits(self) -> u8 {
        self.bits
    }

    /// Whether two numbers of one width are equal; none if that is not known.
    pub(super) fn equals(self, other: Offset) -> Option<bool> {
        let alike = self.class == other.class && self.bits == other.bits;
        alike.then_some(self.by == other.by)
    }
}

fn wrapped(number: u128, bits: u8) -> u128 {
    number & (u128::MAX >> (128 - u32::from(bits)))
}

/// The offsets of all variables that have a width.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Offsets {
    all: Vec<Option<Offset>>,
    /// The first class that no variable is in.
    free: u32,
}

impl Offsets {
    /// All variables are zero.
    pub(super) fn zero(widths: &[Option<u8>]) -> Offsets {
        let zero = |bits: &Option<u8>| bits.map(|bits| Offset::known(0, bits));
        Offsets {
            all: widths.iter().map(zero).collect(),
            free: KNOWN + 1,
        }
    }

    pub(super) fn get(&self, slot: usize) -> Option<Offset> {
        self.all[slot]
    }

    /// A variable has this value, or one of which nothing is known.
    pub(super) fn set(&mut self, slot: usize, value: Option<Offset>) {
        let Some(old) = self.all[slot] else {
            return;
        };
        let value = value.filter(|value| value.bits == old.bits);
        self.all[slot] = Some(value.unwrap_or_else(|| {
            self.free += 1;
            Offset {
                class: self.free - 1,
                by: 0,
                bits: old.bits,
            }
        }));
    }

    /// What holds in both: variables stay together that differ by the same in both.
    pub(super) fn join(&self, other: &Offsets) -> Offsets {
        let mut classes: HashMap<(Offset, u32), (u32, u128)> = HashMap::new();
        let mut free = KNOWN + 1;
        let pairs = self.all.iter().zip(&other.all);
        let all = pairs.map(|(a, b)| {
            let (a, b) = ((*a)?, (*b)?);
            if a.class == KNOWN && a == b {
                return Some(a);
            }
            let apart = Offset {
                by: wrapped(a.by.wrapping_sub(b.by), a.bits),
                ..a
            };
            let (class, first) = *classes.entry((apart, b.class)).or_insert_with(|| {
                free += 1;
                (free - 1, a.by)
            });
            Some(Offset {
                class,
                by: wrapped(a.by.wrapping_sub(first), a.bits),
                bits: a.bits,
            })
        });
        let all = all.collect();
        Offsets { all, free }
    }

    /// Whether all that the other says holds here.
    pub(super) fn is_within(&self, other: &Offsets) -> bool {
        let mut firsts: HashMap<(u32, u8), (Offset, Offset)> = HashMap::new();
        let mut pairs = self.all.iter().zip(&other.all);
        pairs.all(|(here, there)| {
            let (Some(here), Some(there)) = (*here, *there) else {
                return true;
            };
            if there.class == KNOWN {
                return here == there;
            }
            let (first_here, first_there) = *firsts
                .entry((there.class, there.bits))
                .or_insert((here, there));
            let apart = |a: Offset, b: Offset| wrapped(a.by.wrapping_sub(b.by), a.bits);
            here.class == first_here.class && apart(here, first_here) == apart(there, first_there)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(values: &[Option<Offset>]) -> Offsets {
        let mut all = Offsets::zero(&vec![Some(8); values.len()]);
        for (slot, value) in values.iter().enumerate() {
            all.set(slot, *value);
        }
        all
    }

    #[test]
    fn what_differs_by_the_same_in_both_stays_together() {
        let known = |number| Some(Offset::known(number, 8));
        let joined =
            of(&[known(3), known(5), known(7)]).join(&of(&[known(255), known(1), known(7)]));
        let [a, b, c] = [0, 1, 2].map(|slot| joined.get(slot).expect("it has a width"));
        assert_eq!(a.plus(2).equals(b), Some(true));
        assert_eq!(a.equals(b), Some(false));
        assert_eq!(a.equals(c), None);
        assert_eq!(c.equals(Offset::known(7, 8)), Some(true));
        assert!(of(&[known(4), known(6), known(7)]).is_within(&joined));
        assert!(!of(&[known(4), known(5), known(7)]).is_within(&joined));
        assert!(!of(&[known(4), known(6), known(8)]).is_within(&joined));
        assert!(!of(&[None, None, known(7)]).is_within(&joined));
        assert!(joined.is_within(&of(&[None, None, None])));
    }

    #[test]
    fn a_variable_that_is_set_leaves_its_class() {
        let mut all = of(&[None, None]);
        let x = all.get(0);
        all.set(1, x.map(|x| x.plus(-1)));
        all.set(0, x.map(|x| x.plus(255)));
        let (x, y) = (all.get(0).zip(all.get(1))).expect("they have widths");
        assert_eq!(x.equals(y), Some(true), "255 and -1 are the same in 8 bits");
        all.set(0, None);
        assert_eq!(all.get(0).and_then(|x| x.equals(y)), None);
    }
}
