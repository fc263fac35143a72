//! Structures as they are kept: the bits of all rows side by side.
//!
//! A row has a set for where a predicate may hold and one for where it must, of which a structure of few
//! individuals uses a few bits. Kept structures, of which there are many, have only these, and how wide the
//! sets are of those who read them makes no difference.

use crate::compile::Layout;
use crate::matrix::{Row, Shape};
use crate::set::{Set, WORD};

/// A structure, as it is kept. Two are equal where the structures are.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Packed {
    size: u16,
    /// Who may stand for several, and where predicates may hold; then, beginning with a new word, where they
    /// must.
    words: Box<[u64]>,
}

impl Packed {
    /// How many individuals it has.
    pub(crate) fn size(&self) -> usize {
        usize::from(self.size)
    }

    pub(crate) fn new<S: Set>(shape: &Shape<S>) -> Packed {
        let size = shape.size;
        let half = shape.none.len() + size * (1 + shape.one.len() + shape.two.len());
        let mut bits = Writer {
            words: Vec::with_capacity(2 * half.div_ceil(64)),
            length: 0,
        };
        bits.put(shape.summary, size);
        for of in [|row: &Row<S>| row.may, |row: &Row<S>| row.must] {
            shape.none.iter().for_each(|row| bits.put(of(row), 1));
            let rows = shape.one.iter().chain(&shape.two);
            rows.for_each(|row| bits.put(of(row), size));
            bits.fill();
        }
        Packed {
            size: u16::try_from(size).expect("a set has room for few individuals"),
            words: bits.words.into(),
        }
    }

    /// The structure; sets have to have room for its individuals.
    pub(crate) fn shape<S: Set>(&self, layout: &Layout) -> Shape<S> {
        let size = self.size();
        let two = layout.two.len() * size;
        let mut shape = Shape {
            size,
            summary: S::default(),
            none: vec![Row::default(); layout.none.len()],
            one: vec![Row::default(); layout.one.len()],
            two: vec![Row::default(); two],
        };
        let mut bits = Reader {
            words: &self.words,
            at: 0,
        };
        shape.summary = bits.take(size);
        for must in [false, true] {
            let mut read = |row: &mut Row<S>, width: usize| match must {
                true => row.must = bits.take(width),
                false => row.may = bits.take(width),
            };
            shape.none.iter_mut().for_each(|row| read(row, 1));
            let rows = shape.one.iter_mut().chain(&mut shape.two);
            rows.for_each(|row| read(row, size));
            bits.at = bits.at.next_multiple_of(64);
        }
        shape
    }

    /// Bytes that it takes.
    pub(crate) fn bytes(&self) -> usize {
        size_of::<Packed>() + size_of_val::<[u64]>(&self.words)
    }
}

struct Writer {
    words: Vec<u64>,
    /// In bits.
    length: usize,
}

impl Writer {
    /// Adds who is among the first `width` individuals; nobody else is.
    fn put<S: Set>(&mut self, set: S, width: usize) {
        if S::MOST == WORD {
            return self.put_word(set.part(0), width);
        }
        for number in 0..width.div_ceil(WORD) {
            self.put_word(set.part(number), (width - number * WORD).min(WORD));
        }
    }

    /// Adds the lowest bits of a word, whose others are zero.
    #[inline]
    fn put_word(&mut self, bits: u64, width: usize) {
        let taken = self.length % 64;
        self.length += width;
        match self.words.last_mut() {
            Some(last) if taken > 0 => {
                *last |= bits << taken;
                if taken + width > 64 {
                    self.words.push(bits >> (64 - taken));
                }
            }
            _ if width > 0 => self.words.push(bits),
            _ => {}
        }
    }

    /// What comes next begins with a new word.
    fn fill(&mut self) {
        self.length = self.length.next_multiple_of(64);
    }
}

struct Reader<'w> {
    words: &'w [u64],
    /// In bits.
    at: usize,
}

impl Reader<'_> {
    fn take<S: Set>(&mut self, width: usize) -> S {
        let mut set = S::default();
        if S::MOST == WORD {
            set.add_part(0, self.take_word(width));
            return set;
        }
        for number in 0..width.div_ceil(WORD) {
            let bits = self.take_word((width - number * WORD).min(WORD));
            set.add_part(number, bits);
        }
        set
    }

    #[inline]
    fn take_word(&mut self, width: usize) -> u64 {
        if width == 0 {
            return 0;
        }
        let (word, skipped) = (self.at / 64, self.at % 64);
        self.at += width;
        let mut bits = self.words[word] >> skipped;
        if skipped + width > 64 {
            bits |= self.words[word + 1] << (64 - skipped);
        }
        bits & u64::MAX >> (64 - width)
    }
}

#[cfg(test)]
mod tests {
    use fastrand::Rng;

    use super::*;
    use crate::set::Wide;

    /// Compares structures of these sizes, of which sets have room for all.
    fn compare<S: Set>(sizes: &[usize]) {
        for seed in 0..2_000 {
            let mut random = Rng::with_seed(seed);
            let counts = [0, 1, 2].map(|_| random.usize(..5));
            let mut layout = Layout::default();
            let all = [&mut layout.none, &mut layout.one, &mut layout.two];
            for (predicates, count) in all.into_iter().zip(counts) {
                predicates.extend(0..count);
            }
            let size = sizes[random.usize(..sizes.len())];
            let everybody = S::first(size);
            let mut any = || {
                let mut set = S::default();
                let parts = 0..S::MOST / WORD;
                parts.for_each(|number| set.add_part(number, random.u64(..)));
                set
            };
            let mut row = |those: S| {
                let may = any() & those;
                Row {
                    may,
                    must: may & any(),
                }
            };
            let shape = Shape {
                size,
                summary: row(everybody).may,
                none: (0..counts[0]).map(|_| row(S::only(0))).collect(),
                one: (0..counts[1]).map(|_| row(everybody)).collect(),
                two: (0..counts[2] * size).map(|_| row(everybody)).collect(),
            };
            let packed = Packed::new(&shape);
            assert_eq!(packed.shape(&layout), shape, "{seed}");
            // How wide sets are makes no difference to what is kept.
            let wide: Shape<Wide> = packed.shape(&layout);
            assert_eq!(Packed::new(&wide), packed, "{seed}");
        }
    }

    #[test]
    fn what_is_kept_is_what_was() {
        let sizes = [0, 1, 3, 5, 8, 31, 63, 64];
        compare::<u64>(&sizes);
        compare::<Wide>(&[&sizes[..], &[65, 80, 127, 128, 129, 255, 256]].concat());
    }
}
