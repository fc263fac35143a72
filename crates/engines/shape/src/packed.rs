//! Structures as they are kept: the bits of all rows side by side.
//!
//! A row has a word for where a predicate may hold and one for where it must, of which a structure of few
//! individuals uses a few bits. Kept structures, of which there are many, have only these.

use crate::compile::Layout;
use crate::matrix::{Row, Shape};

/// A structure, as it is kept. Two are equal where the structures are.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Packed {
    size: u8,
    /// Who may stand for several, and where predicates may hold; then, beginning with a new word, where they
    /// must.
    words: Box<[u64]>,
}

impl Packed {
    pub(crate) fn new(shape: &Shape) -> Packed {
        let size = shape.size;
        let half = shape.none.len() + size * (1 + shape.one.len() + shape.two.len());
        let mut bits = Writer {
            words: Vec::with_capacity(2 * half.div_ceil(64)),
            length: 0,
        };
        bits.put(shape.summary, size);
        for of in [|row: &Row| row.may, |row: &Row| row.must] {
            shape.none.iter().for_each(|row| bits.put(of(row), 1));
            let rows = shape.one.iter().chain(&shape.two);
            rows.for_each(|row| bits.put(of(row), size));
            bits.fill();
        }
        Packed {
            size: u8::try_from(size).expect("a structure has 64 individuals at most"),
            words: bits.words.into(),
        }
    }

    pub(crate) fn shape(&self, layout: &Layout) -> Shape {
        let size = usize::from(self.size);
        let two = layout.two.len() * size;
        let mut shape = Shape {
            size,
            summary: 0,
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
            let mut read = |row: &mut Row, width: usize| match must {
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
    /// Adds the lowest bits of a word, whose others are zero.
    fn put(&mut self, bits: u64, width: usize) {
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
    fn take(&mut self, width: usize) -> u64 {
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

    #[test]
    fn what_is_kept_is_what_was() {
        for seed in 0..2_000 {
            let mut random = Rng::with_seed(seed);
            let counts = [0, 1, 2].map(|_| random.usize(..5));
            let mut layout = Layout::default();
            let all = [&mut layout.none, &mut layout.one, &mut layout.two];
            for (predicates, count) in all.into_iter().zip(counts) {
                predicates.extend(0..count);
            }
            let size = [0, 1, 3, 5, 8, 31, 63, 64][random.usize(..8)];
            let everybody = if size == 0 {
                0
            } else {
                u64::MAX >> (64 - size)
            };
            let mut row = |those: u64| {
                let may = random.u64(..) & those;
                Row {
                    may,
                    must: may & random.u64(..),
                }
            };
            let shape = Shape {
                size,
                summary: row(everybody).may,
                none: (0..counts[0]).map(|_| row(1)).collect(),
                one: (0..counts[1]).map(|_| row(everybody)).collect(),
                two: (0..counts[2] * size).map(|_| row(everybody)).collect(),
            };
            assert_eq!(Packed::new(&shape).shape(&layout), shape, "{seed}");
        }
    }
}
