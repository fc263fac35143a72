//! Values as bits.

use crate::aig::{Aig, Lit};
use crate::words::Word;

/// A value as bits.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Bits {
    /// A truth value.
    Bool(Lit),
    /// A number.
    Word(Word),
    /// A rich value, by its number in the table of the encoding.
    Rich(Word),
    /// The elements of an array or the fields of a record.
    Tuple(Vec<Bits>),
}

impl Bits {
    /// The literal of a truth value; of a number, whether it is not zero.
    pub(crate) fn truth(&self, aig: &mut Aig) -> Lit {
        match self {
            Bits::Bool(lit) => *lit,
            Bits::Word(word) | Bits::Rich(word) => aig.nonzero(word),
            Bits::Tuple(_) => panic!("internal error: a tuple is no truth value"),
        }
    }

    /// The number.
    pub(crate) fn word(&self) -> Word {
        match self {
            Bits::Bool(lit) => Word::truth(*lit),
            Bits::Word(word) | Bits::Rich(word) => word.clone(),
            Bits::Tuple(_) => panic!("internal error: a tuple is no number"),
        }
    }

    /// Calls `f` with each bit, the first element's first, the lowest bit first.
    pub fn each(&self, f: &mut impl FnMut(Lit)) {
        match self {
            Bits::Bool(lit) => f(*lit),
            Bits::Word(word) | Bits::Rich(word) => word.bits().iter().for_each(|&bit| f(bit)),
            Bits::Tuple(items) => items.iter().for_each(|item| item.each(f)),
        }
    }

    /// The bits, as [`Bits::each`] goes through them.
    #[must_use]
    pub fn lits(&self) -> Vec<Lit> {
        let mut lits = Vec::new();
        self.each(&mut |lit| lits.push(lit));
        lits
    }
}

impl Aig {
    /// One value or the other.
    pub(crate) fn mux_value(&mut self, condition: Lit, then: &Bits, otherwise: &Bits) -> Bits {
        if then == otherwise || condition == Lit::TRUE {
            return then.clone();
        }
        if condition == Lit::FALSE {
            return otherwise.clone();
        }
        match (then, otherwise) {
            (Bits::Bool(a), Bits::Bool(b)) => Bits::Bool(self.mux(condition, *a, *b)),
            (Bits::Rich(a), Bits::Rich(b)) => Bits::Rich(self.mux_word(condition, a, b)),
            (Bits::Tuple(a), Bits::Tuple(b)) => {
                let pairs = a.iter().zip(b);
                Bits::Tuple(
                    pairs
                        .map(|(a, b)| self.mux_value(condition, a, b))
                        .collect(),
                )
            }
            (a, b) => Bits::Word(self.mux_word(condition, &a.word(), &b.word())),
        }
    }

    /// Whether two values are equal.
    pub(crate) fn eq_value(&mut self, a: &Bits, b: &Bits) -> Lit {
        match (a, b) {
            (Bits::Bool(a), Bits::Bool(b)) => self.iff(*a, *b),
            (Bits::Tuple(a), Bits::Tuple(b)) => {
                let pairs = a.iter().zip(b);
                let same: Vec<Lit> = pairs.map(|(a, b)| self.eq_value(a, b)).collect();
                self.all(&same)
            }
            (a, b) => self.eq(&a.word(), &b.word()),
        }
    }

    /// Whether a row of values comes before another, by the first that differs.
    pub(crate) fn less_row(&mut self, a: &[Bits], b: &[Bits]) -> Lit {
        let mut less = Lit::FALSE;
        for (a, b) in a.iter().zip(b).rev() {
            let (here, same) = match (a, b) {
                (Bits::Tuple(x), Bits::Tuple(y)) => (self.less_row(x, y), self.eq_value(a, b)),
                _ => (self.lt(&a.word(), &b.word()), self.eq_value(a, b)),
            };
            let later = self.and(same, less);
            less = self.or(here, later);
        }
        less
    }

    /// The element that an index picks; any of them where the index picks none.
    pub(crate) fn pick(&mut self, items: &[Bits], index: &Word) -> Bits {
        let mut row = items.to_vec();
        let mut place = 0;
        while row.len() > 1 {
            let bit = index.bit(place);
            row = row
                .chunks(2)
                .map(|pair| match pair {
                    [even, odd] => self.mux_value(bit, odd, even),
                    _ => pair[0].clone(),
                })
                .collect();
            place += 1;
        }
        row.pop().expect("an array has elements")
    }
}
