//! Sets of individuals: a bit for each, in one word or in several.
//!
//! As a rule structures have few individuals, and the values of a predicate for all of them are two words.
//! Where there are more, the same code works with more words.

use std::fmt::Debug;
use std::hash::Hash;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, Not};

/// A set of individuals.
pub(crate) trait Set:
    Copy
    + Ord
    + Hash
    + Debug
    + Default
    + Send
    + Sync
    + Not<Output = Self>
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitAndAssign
    + BitOrAssign
    + 'static
{
    /// So many individuals have a bit.
    const MOST: usize;

    /// One individual alone.
    fn only(individual: usize) -> Self;

    /// The first ones, so many.
    fn first(count: usize) -> Self;

    fn has(self, individual: usize) -> bool;

    fn count(self) -> usize;

    /// The individual that comes first.
    fn lowest(self) -> Option<usize>;

    /// The others, places being a circle: each comes to stand so many places further on.
    fn rotated(self, places: usize) -> Self;

    /// The bits of a part of 64 individuals.
    fn part(self, number: usize) -> u64;

    /// Adds what is in a part.
    fn add_part(&mut self, number: usize, bits: u64);

    fn is_empty(self) -> bool {
        self == Self::default()
    }

    /// Takes the individual that comes first out of it.
    fn take_lowest(&mut self) -> Option<usize> {
        let first = self.lowest()?;
        *self &= !Self::only(first);
        Some(first)
    }

    /// All that are in it, in order.
    fn members(mut self) -> impl Iterator<Item = usize> {
        std::iter::from_fn(move || self.take_lowest())
    }

    /// These, if something is so, or nobody.
    fn given(self, so: bool) -> Self {
        if so { self } else { Self::default() }
    }
}

/// So many individuals have their bits in a word.
pub(crate) const WORD: usize = 64;

impl Set for u64 {
    const MOST: usize = WORD;

    fn only(individual: usize) -> u64 {
        1 << individual
    }

    fn first(count: usize) -> u64 {
        match count {
            0 => 0,
            count => u64::MAX >> (WORD - count),
        }
    }

    fn has(self, individual: usize) -> bool {
        self >> individual & 1 != 0
    }

    fn count(self) -> usize {
        self.count_ones() as usize
    }

    fn lowest(self) -> Option<usize> {
        (self != 0).then_some(self.trailing_zeros() as usize)
    }

    fn rotated(self, places: usize) -> u64 {
        self.rotate_left(places as u32)
    }

    fn part(self, _: usize) -> u64 {
        self
    }

    fn add_part(&mut self, _: usize, bits: u64) {
        *self |= bits;
    }

    fn take_lowest(&mut self) -> Option<usize> {
        let first = self.lowest()?;
        *self &= *self - 1;
        Some(first)
    }

    fn given(self, so: bool) -> u64 {
        // Without a branch, of which nobody could foretell where it goes.
        self & u64::from(so).wrapping_neg()
    }
}

/// Several words.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Words<const N: usize>([u64; N]);

/// The widest sets.
pub(crate) type Wide = Words<4>;

impl<const N: usize> Words<N> {
    fn with(self, other: Self, of: impl Fn(u64, u64) -> u64) -> Self {
        Words(std::array::from_fn(|number| {
            of(self.0[number], other.0[number])
        }))
    }
}

impl<const N: usize> Default for Words<N> {
    fn default() -> Self {
        Words([0; N])
    }
}

impl<const N: usize> Not for Words<N> {
    type Output = Self;

    fn not(self) -> Self {
        Words(self.0.map(|word| !word))
    }
}

impl<const N: usize> BitAnd for Words<N> {
    type Output = Self;

    fn bitand(self, other: Self) -> Self {
        self.with(other, |one, other| one & other)
    }
}

impl<const N: usize> BitOr for Words<N> {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        self.with(other, |one, other| one | other)
    }
}

impl<const N: usize> BitAndAssign for Words<N> {
    fn bitand_assign(&mut self, other: Self) {
        *self = *self & other;
    }
}

impl<const N: usize> BitOrAssign for Words<N> {
    fn bitor_assign(&mut self, other: Self) {
        *self = *self | other;
    }
}

impl<const N: usize> Set for Words<N> {
    const MOST: usize = N * WORD;

    fn only(individual: usize) -> Self {
        let mut set = Self::default();
        set.0[individual / WORD] = 1 << (individual % WORD);
        set
    }

    fn first(count: usize) -> Self {
        let of = |number: usize| u64::first(count.saturating_sub(number * WORD).min(WORD));
        Words(std::array::from_fn(of))
    }

    fn has(self, individual: usize) -> bool {
        self.0[individual / WORD].has(individual % WORD)
    }

    fn count(self) -> usize {
        self.0.into_iter().map(u64::count).sum()
    }

    fn lowest(self) -> Option<usize> {
        let word = self.0.iter().position(|&word| word != 0)?;
        Some(word * WORD + self.0[word].trailing_zeros() as usize)
    }

    fn rotated(self, places: usize) -> Self {
        let (words, bits) = (places / WORD, places % WORD);
        let from = |number: usize, back: usize| self.0[(number + N - (words + back) % N) % N];
        Words(std::array::from_fn(|number| match bits {
            0 => from(number, 0),
            _ => from(number, 0) << bits | from(number, 1) >> (WORD - bits),
        }))
    }

    fn part(self, number: usize) -> u64 {
        self.0[number]
    }

    fn add_part(&mut self, number: usize, bits: u64) {
        self.0[number] |= bits;
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use fastrand::Rng;

    use super::*;

    /// A set, and the same one as it is compared with.
    fn sets<S: Set>(random: &mut Rng) -> (S, BTreeSet<usize>) {
        let count = random.usize(..20);
        let all: BTreeSet<usize> = (0..count).map(|_| random.usize(..S::MOST)).collect();
        let set = all
            .iter()
            .fold(S::default(), |set, &one| set | S::only(one));
        (set, all)
    }

    fn compare<S: Set>() {
        for seed in 0..2_000 {
            let mut random = Rng::with_seed(seed);
            let ((one, of_one), (other, of_other)) = (sets::<S>(&mut random), sets(&mut random));
            let is = |set: S, expected: &BTreeSet<usize>| {
                let all: BTreeSet<usize> = set.members().collect();
                assert_eq!(all, *expected, "{seed}");
            };
            is(one, &of_one);
            is(one & other, &(&of_one & &of_other));
            is(one | other, &(&of_one | &of_other));
            is(one & !other, &(&of_one - &of_other));
            let count = random.usize(..=S::MOST);
            is(S::first(count), &(0..count).collect());
            let places = random.usize(..S::MOST);
            let moved = of_one.iter().map(|at| (at + places) % S::MOST);
            is(one.rotated(places), &moved.collect());
            assert_eq!(one.count(), of_one.len());
            assert_eq!(one.lowest(), of_one.first().copied());
            assert_eq!(one.is_empty(), of_one.is_empty());
            assert!((0..S::MOST).all(|at| one.has(at) == of_one.contains(&at)));
            let mut again = S::default();
            let parts = 0..S::MOST / WORD;
            parts.for_each(|number| again.add_part(number, one.part(number)));
            is(again, &of_one);
        }
    }

    #[test]
    fn sets_of_one_word_are_sets() {
        compare::<u64>();
    }

    #[test]
    fn sets_of_several_words_are_sets() {
        compare::<Wide>();
        compare::<Words<2>>();
    }
}
