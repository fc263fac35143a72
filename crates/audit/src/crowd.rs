//! Who of the individuals of a structure: a bit for each, for the audit of sets of structures. Up to 64 have
//! their bits in a word, more in several. Nothing is shared with the engine.

use std::fmt::Debug;
use std::hash::Hash;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, Not};

/// So many bits are in a word.
pub(crate) const WORD: usize = 64;

/// Some of the individuals.
pub(crate) trait Crowd:
    Copy
    + Eq
    + Hash
    + Debug
    + Default
    + Not<Output = Self>
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + BitAndAssign
    + BitOrAssign
    + 'static
{
    /// So many words it has.
    const WORDS: usize;

    /// So many individuals have a bit.
    const ROOM: usize = Self::WORDS * WORD;

    /// These words.
    fn of(word: impl FnMut(usize) -> u64) -> Self;

    fn word(self, number: usize) -> u64;

    /// One alone.
    fn one(one: usize) -> Self {
        Self::of(|number| match one / WORD == number {
            true => 1 << (one % WORD),
            false => 0,
        })
    }

    /// So many, from the first one on.
    fn up_to(count: usize) -> Self {
        Self::of(|number| match count.saturating_sub(number * WORD) {
            0 => 0,
            count => u64::MAX >> (WORD - count.min(WORD)),
        })
    }

    fn has(self, one: usize) -> bool {
        self.word(one / WORD) >> (one % WORD) & 1 != 0
    }

    fn is_nobody(self) -> bool {
        self == Self::default()
    }

    fn number(self) -> usize {
        let words = (0..Self::WORDS).map(|number| self.word(number).count_ones() as usize);
        words.sum()
    }

    /// Takes the first one away.
    fn take_first(&mut self) -> Option<usize> {
        let word = (0..Self::WORDS).find(|&word| self.word(word) != 0)?;
        let first = word * WORD + self.word(word).trailing_zeros() as usize;
        *self &= !Self::one(first);
        Some(first)
    }

    /// These if something is so; else nobody.
    fn when(self, so: bool) -> Self {
        match so {
            true => self,
            false => Self::default(),
        }
    }
}

impl Crowd for u64 {
    const WORDS: usize = 1;

    fn of(mut word: impl FnMut(usize) -> u64) -> u64 {
        word(0)
    }

    fn word(self, _: usize) -> u64 {
        self
    }

    fn one(one: usize) -> u64 {
        1 << one
    }

    fn has(self, one: usize) -> bool {
        self >> one & 1 != 0
    }

    fn up_to(count: usize) -> u64 {
        match count {
            0 => 0,
            count => u64::MAX >> (WORD - count),
        }
    }

    fn when(self, so: bool) -> u64 {
        // There is no branch, since nobody could foretell which way it goes.
        self & u64::from(so).wrapping_neg()
    }

    fn take_first(&mut self) -> Option<usize> {
        let first = self.trailing_zeros() as usize;
        *self &= self.wrapping_sub(1);
        (first < WORD).then_some(first)
    }
}

/// Individuals of whom there may be more than a word has bits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) struct Many([u64; 4]);

impl Many {
    fn both(self, other: Many, of: impl Fn(u64, u64) -> u64) -> Many {
        Many::of(|number| of(self.0[number], other.0[number]))
    }
}

impl Crowd for Many {
    const WORDS: usize = 4;

    fn of(word: impl FnMut(usize) -> u64) -> Many {
        Many(std::array::from_fn(word))
    }

    fn word(self, number: usize) -> u64 {
        self.0[number]
    }
}

impl Not for Many {
    type Output = Many;

    fn not(self) -> Many {
        Many(self.0.map(|word| !word))
    }
}

impl BitAnd for Many {
    type Output = Many;

    fn bitand(self, other: Many) -> Many {
        self.both(other, |one, other| one & other)
    }
}

impl BitOr for Many {
    type Output = Many;

    fn bitor(self, other: Many) -> Many {
        self.both(other, |one, other| one | other)
    }
}

impl BitXor for Many {
    type Output = Many;

    fn bitxor(self, other: Many) -> Many {
        self.both(other, |one, other| one ^ other)
    }
}

impl BitAndAssign for Many {
    fn bitand_assign(&mut self, other: Many) {
        *self = *self & other;
    }
}

impl BitOrAssign for Many {
    fn bitor_assign(&mut self, other: Many) {
        *self = *self | other;
    }
}

/// Those of whom a bit is set, one after the other.
pub(crate) struct Those<C>(pub(crate) C);

impl<C: Crowd> Iterator for Those<C> {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        self.0.take_first()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares individuals with numbers that say the same.
    fn compare<C: Crowd>() {
        let mut seed = 7_usize;
        let mut random = |below: usize| {
            seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) % below
        };
        for _ in 0..500 {
            let mut all = [(); 2].map(|()| {
                let mut those: Vec<usize> = (0..random(12)).map(|_| random(C::ROOM)).collect();
                those.sort_unstable();
                those.dedup();
                those
            });
            let crowds = all.clone().map(|those| {
                let each = those.into_iter().map(C::one);
                each.fold(C::default(), |crowd, one| crowd | one)
            });
            let [one, other] = crowds;
            let is = |crowd: C, so: &dyn Fn(usize) -> bool| {
                let expected: Vec<usize> = (0..C::ROOM).filter(|&at| so(at)).collect();
                assert_eq!(Those(crowd).collect::<Vec<_>>(), expected);
                assert_eq!(crowd.number(), expected.len());
                assert_eq!(crowd.is_nobody(), expected.is_empty());
                assert!((0..C::ROOM).all(|at| crowd.has(at) == so(at)));
            };
            let [first, second] = &mut all;
            let (first, second) = (&*first, &*second);
            is(one, &|at| first.contains(&at));
            is(!one, &|at| !first.contains(&at));
            is(one & other, &|at| {
                first.contains(&at) && second.contains(&at)
            });
            is(one | other, &|at| {
                first.contains(&at) || second.contains(&at)
            });
            is(one ^ other, &|at| {
                first.contains(&at) != second.contains(&at)
            });
            let count = random(C::ROOM + 1);
            is(C::up_to(count), &|at| at < count);
        }
    }

    #[test]
    fn few_and_many_are_told_apart_by_their_bits() {
        compare::<u64>();
        compare::<Many>();
    }
}
