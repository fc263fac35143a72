//! Numbers as vectors of literals.
//!
//! Arithmetic is *exact*: a result is as wide as it must be, and [`Word::wrapped`] reduces it to a
//! machine integer afterwards, which is how the model defines operators. Where only the low bits
//! of a result are wanted, `*_low` computes no more than those. Adders ripple, multipliers are
//! shift-and-add, dividers restore: the plain circuits of D. Kroening and O. Strichman, *Decision
//! Procedures* (2nd ed., 2016), section 6.2.

use crate::aig::{Aig, Lit};

/// A number: its bits from the lowest, in two's complement if signed. No bits are zero.
#[derive(Clone, Default, PartialEq, Eq, Hash, Debug)]
pub struct Word {
    bits: Vec<Lit>,
    signed: bool,
}

impl Word {
    /// The number with these bits, the lowest first.
    #[must_use]
    pub fn new(bits: Vec<Lit>, signed: bool) -> Word {
        Word {
            signed: signed && !bits.is_empty(),
            bits,
        }
    }

    /// A constant, as narrow as can be.
    #[must_use]
    pub fn constant(value: i128) -> Word {
        let signed = value < 0;
        let significant = if signed { !value } else { value };
        let width = 128 - significant.leading_zeros() + u32::from(signed);
        let bits = (0..width).map(|bit| Lit::constant(value >> bit & 1 == 1));
        Word::new(bits.collect(), signed)
    }

    /// 1 if the literal holds, 0 else.
    #[must_use]
    pub fn truth(lit: Lit) -> Word {
        Word::new(vec![lit], false)
    }

    /// The bits, the lowest first.
    #[must_use]
    pub fn bits(&self) -> &[Lit] {
        &self.bits
    }

    /// How many bits there are.
    #[must_use]
    pub fn width(&self) -> usize {
        self.bits.len()
    }

    /// Whether the highest bit is a sign.
    #[must_use]
    pub fn is_signed(&self) -> bool {
        self.signed
    }

    /// Whether the number is negative.
    #[must_use]
    pub fn sign(&self) -> Lit {
        match self.bits.last() {
            Some(&last) if self.signed => last,
            _ => Lit::FALSE,
        }
    }

    /// The bit in a place, also beyond the highest.
    #[must_use]
    pub fn bit(&self, place: usize) -> Lit {
        self.bits.get(place).copied().unwrap_or_else(|| self.sign())
    }

    /// The low bits, beyond the highest too.
    #[must_use]
    pub fn low(&self, width: usize) -> Vec<Lit> {
        (0..width).map(|place| self.bit(place)).collect()
    }

    /// Reduced to so many bits.
    #[must_use]
    pub fn wrapped(&self, width: usize, signed: bool) -> Word {
        Word::new(self.low(width), signed)
    }

    /// Without bits that say nothing.
    #[must_use]
    pub fn trimmed(mut self) -> Word {
        if self.signed {
            while let [.., a, b] = self.bits[..] {
                if a != b {
                    break;
                }
                self.bits.pop();
            }
            if self.bits.last() == Some(&Lit::FALSE) {
                self.signed = false;
            }
        }
        if !self.signed {
            while self.bits.last() == Some(&Lit::FALSE) {
                self.bits.pop();
            }
        }
        self
    }

    /// The number, if it is a constant.
    #[must_use]
    pub fn as_constant(&self) -> Option<i128> {
        self.value(|lit| lit.as_constant())
    }

    /// The number under an assignment; `None` where a bit has none.
    pub fn value(&self, assignment: impl Fn(Lit) -> Option<bool>) -> Option<i128> {
        let mut value = if self.signed && assignment(self.sign())? {
            -1
        } else {
            0
        };
        for &bit in self.bits.iter().rev() {
            value = value << 1 | i128::from(assignment(bit)?);
        }
        Some(value)
    }

    /// The width at which the number is one of two's complement.
    fn signed_width(&self) -> usize {
        self.bits.len() + usize::from(!self.signed)
    }
}

/// A width and sign at which both numbers can be written.
fn common(a: &Word, b: &Word) -> (usize, bool) {
    if a.signed || b.signed {
        (a.signed_width().max(b.signed_width()), true)
    } else {
        (a.width().max(b.width()), false)
    }
}

impl Aig {
    /// The sum's low bits.
    pub fn add_low(&mut self, a: &Word, b: &Word, width: usize) -> Vec<Lit> {
        self.ripple(&a.low(width), &b.low(width), Lit::FALSE)
    }

    /// The difference's low bits.
    pub fn sub_low(&mut self, a: &Word, b: &Word, width: usize) -> Vec<Lit> {
        let b: Vec<Lit> = b.low(width).into_iter().map(|bit| !bit).collect();
        self.ripple(&a.low(width), &b, Lit::TRUE)
    }

    fn ripple(&mut self, a: &[Lit], b: &[Lit], mut carry: Lit) -> Vec<Lit> {
        let mut sum = Vec::with_capacity(a.len());
        for (&a, &b) in a.iter().zip(b) {
            let half = self.xor(a, b);
            sum.push(self.xor(half, carry));
            let both = self.and(a, b);
            let passed = self.and(half, carry);
            carry = self.or(both, passed);
        }
        sum
    }

    /// The product's low bits.
    pub fn mul_low(&mut self, a: &Word, b: &Word, width: usize) -> Vec<Lit> {
        let (a, b) = (a.low(width), b.low(width));
        // Rows that are zero cost nothing: let the operand with more constants choose them.
        let known = |bits: &[Lit]| {
            bits.iter()
                .filter(|bit| bit.as_constant().is_some())
                .count()
        };
        let (a, b) = if known(&a) > known(&b) {
            (b, a)
        } else {
            (a, b)
        };
        let mut sum = vec![Lit::FALSE; width];
        for (shift, &bit) in b.iter().enumerate() {
            if bit == Lit::FALSE {
                continue;
            }
            let row: Vec<Lit> = a[..width - shift]
                .iter()
                .map(|&other| self.and(other, bit))
                .collect();
            let high = self.ripple(&sum[shift..], &row, Lit::FALSE);
            sum[shift..].copy_from_slice(&high);
        }
        sum
    }

    /// The sum.
    pub fn add(&mut self, a: &Word, b: &Word) -> Word {
        let (width, signed) = common(a, b);
        Word::new(self.add_low(a, b, width + 1), signed).trimmed()
    }

    /// The difference.
    pub fn sub(&mut self, a: &Word, b: &Word) -> Word {
        let width = a.signed_width().max(b.signed_width()) + 1;
        Word::new(self.sub_low(a, b, width), true).trimmed()
    }

    /// The product.
    pub fn mul(&mut self, a: &Word, b: &Word) -> Word {
        let signed = a.signed || b.signed;
        let width = if signed {
            a.signed_width() + b.signed_width()
        } else {
            a.width() + b.width()
        };
        Word::new(self.mul_low(a, b, width), signed).trimmed()
    }

    /// The number without its sign.
    pub fn magnitude(&mut self, a: &Word) -> Word {
        let negative = a.sign();
        if negative == Lit::FALSE {
            return Word::new(a.bits.clone(), false);
        }
        let opposite = self.sub_low(&Word::constant(0), a, a.width());
        let bits = self.mux_bits(negative, &opposite, &a.bits);
        Word::new(bits, false).trimmed()
    }

    /// Quotient, truncated towards zero, and remainder, with the sign of the dividend. Where the
    /// divisor is zero they mean nothing.
    pub fn div_rem(&mut self, a: &Word, b: &Word) -> (Word, Word) {
        let (dividend, divisor) = (self.magnitude(a), self.magnitude(b));
        let mut rest = Word::constant(0);
        let mut quotient = vec![Lit::FALSE; dividend.width()];
        for place in (0..dividend.width()).rev() {
            let mut bits = vec![dividend.bits[place]];
            bits.extend(rest.bits);
            let shifted = Word::new(bits, false);
            let fits = self.le(&divisor, &shifted);
            let less = self.sub_low(&shifted, &divisor, shifted.width());
            // The rest is less than the divisor: more bits than it has are zero.
            let width = shifted.width().min(divisor.width());
            let bits = self.mux_bits(fits, &less[..width], &shifted.bits[..width]);
            quotient[place] = fits;
            rest = Word::new(bits, false);
        }
        let negative = self.xor(a.sign(), b.sign());
        (
            self.negated_if(negative, &Word::new(quotient, false)),
            self.negated_if(a.sign(), &rest),
        )
    }

    /// The opposite number if the condition holds.
    pub fn negated_if(&mut self, condition: Lit, a: &Word) -> Word {
        if condition == Lit::FALSE {
            return a.clone().trimmed();
        }
        let opposite = self.sub(&Word::constant(0), a);
        self.mux_word(condition, &opposite, a)
    }

    /// The bits shifted to higher places by a number that is not negative, zeros following.
    pub fn shift_left(&mut self, bits: &[Lit], count: &[Lit]) -> Vec<Lit> {
        let mut bits = bits.to_vec();
        for (power, &bit) in count.iter().enumerate() {
            let by = 1usize.checked_shl(u32::try_from(power).unwrap_or(u32::MAX));
            let by = by.unwrap_or(usize::MAX).min(bits.len());
            let mut moved = vec![Lit::FALSE; by];
            moved.extend(&bits[..bits.len() - by]);
            bits = self.mux_bits(bit, &moved, &bits);
        }
        bits
    }

    /// The bits shifted to lower places by a number that is not negative, `fill` following.
    pub fn shift_right(&mut self, bits: &[Lit], count: &[Lit], fill: Lit) -> Vec<Lit> {
        let mut bits = bits.to_vec();
        for (power, &bit) in count.iter().enumerate() {
            let by = 1usize.checked_shl(u32::try_from(power).unwrap_or(u32::MAX));
            let by = by.unwrap_or(usize::MAX).min(bits.len());
            let mut moved = bits[by..].to_vec();
            moved.resize(bits.len(), fill);
            bits = self.mux_bits(bit, &moved, &bits);
        }
        bits
    }

    /// The remainder that is never negative, by a positive constant.
    pub fn modulo(&mut self, a: &Word, modulus: u32) -> Word {
        if modulus.is_power_of_two() {
            return Word::new(a.low(modulus.trailing_zeros() as usize), false);
        }
        let modulus = Word::constant(modulus.into());
        let (_, rest) = self.div_rem(a, &modulus);
        let shifted = self.add(&rest, &modulus);
        let width = modulus.width();
        self.mux_word(rest.sign(), &shifted, &rest)
            .wrapped(width, false)
    }

    /// Bit by bit, in two's complement.
    pub fn bitwise(
        &mut self,
        a: &Word,
        b: &Word,
        mut gate: impl FnMut(&mut Aig, Lit, Lit) -> Lit,
    ) -> Word {
        let (width, signed) = common(a, b);
        let bits = (0..width).map(|place| gate(self, a.bit(place), b.bit(place)));
        Word::new(bits.collect(), signed).trimmed()
    }

    /// Whether the numbers are equal.
    pub fn eq(&mut self, a: &Word, b: &Word) -> Lit {
        let (width, _) = common(a, b);
        let same: Vec<Lit> = (0..width)
            .map(|place| self.iff(a.bit(place), b.bit(place)))
            .collect();
        self.all(&same)
    }

    /// Whether the first number is less.
    pub fn lt(&mut self, a: &Word, b: &Word) -> Lit {
        let (width, signed) = common(a, b);
        let mut less = Lit::FALSE;
        for place in 0..width {
            let (a, b) = (a.bit(place), b.bit(place));
            let differ = self.xor(a, b);
            let by_this = if signed && place + 1 == width { a } else { b };
            less = self.mux(differ, by_this, less);
        }
        less
    }

    /// Whether the first number is less or equal.
    pub fn le(&mut self, a: &Word, b: &Word) -> Lit {
        !self.lt(b, a)
    }

    /// One number or the other.
    pub fn mux_word(&mut self, condition: Lit, then: &Word, otherwise: &Word) -> Word {
        match condition.as_constant() {
            Some(true) => return then.clone(),
            Some(false) => return otherwise.clone(),
            None => {}
        }
        let (width, signed) = common(then, otherwise);
        let bits = self.mux_bits(condition, &then.low(width), &otherwise.low(width));
        Word::new(bits, signed).trimmed()
    }

    /// One row of bits or the other.
    pub fn mux_bits(&mut self, condition: Lit, then: &[Lit], otherwise: &[Lit]) -> Vec<Lit> {
        let pairs = then.iter().zip(otherwise);
        pairs.map(|(&a, &b)| self.mux(condition, a, b)).collect()
    }

    /// Whether the number lies between two others, both included.
    pub fn between(&mut self, low: &Word, number: &Word, high: &Word) -> Lit {
        let above = self.le(low, number);
        let below = self.le(number, high);
        self.and(above, below)
    }

    /// For each number below `count` whether `index` is it.
    pub fn decoded(&mut self, index: &Word, count: usize) -> Vec<Lit> {
        (0..count)
            .map(|number| self.eq(index, &Word::constant(number as i128)))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use model::{Binary, Type, Unary, Value};

    use super::*;
    use crate::circuit::Circuit;

    struct Random(fastrand::Rng);

    impl Random {
        fn next(&mut self) -> u64 {
            self.0.u64(..)
        }

        /// A number of a type, often near an edge of something.
        fn number(&mut self, ty: &Type) -> i128 {
            let (low, high) = ty.bounds().expect("bounded");
            let random = i128::from(self.next()) | i128::from(self.next()) << 64;
            let near = i128::from(self.next() % 5) - 2;
            let number = match self.next() % 6 {
                0 => low + near,
                1 => high + near,
                2 => near,
                3 => (1i128 << (self.next() % 64)) + near,
                _ => random.rem_euclid(high - low + 1) + low,
            };
            number.clamp(low, high)
        }
    }

    fn inputs(circuit: &mut Circuit, ty: &Type) -> Word {
        let (low, high) = ty.bounds().expect("bounded");
        let signed = low < 0;
        let width = Word::constant(low)
            .signed_width()
            .max(Word::constant(high).signed_width());
        let width = width - usize::from(!signed);
        Word::new((0..width).map(|_| circuit.input("")).collect(), signed)
    }

    /// The words with which 64 numbers are given to inputs.
    fn columns(numbers: &[i128], width: usize) -> Vec<u64> {
        let column = |place: usize| {
            let bits = numbers.iter().enumerate();
            bits.fold(0, |word, (run, n)| word | ((n >> place & 1) as u64) << run)
        };
        (0..width).map(column).collect()
    }

    /// What the circuit of an operator gives, in all runs, is what the model says.
    fn operators_on(random: &mut Random, left: &Type, right: &Type, ty: &Type) {
        use Binary::{Add, BitAnd, BitOr, BitXor, Div, Eq, Le, Lt, Mul, Ne, Rem, Shl, Shr, Sub};
        let mut circuit = Circuit::default();
        let (a, b) = (inputs(&mut circuit, left), inputs(&mut circuit, right));
        let numbers: Vec<(i128, i128)> = (0..64)
            .map(|_| (random.number(left), random.number(right)))
            .collect();
        let mut given = columns(&numbers.iter().map(|n| n.0).collect::<Vec<_>>(), a.width());
        given.extend(columns(
            &numbers.iter().map(|n| n.1).collect::<Vec<_>>(),
            b.width(),
        ));
        for op in [
            Add, Sub, Mul, Div, Rem, BitAnd, BitOr, BitXor, Shl, Shr, Eq, Ne, Lt, Le,
        ] {
            if matches!(op, Shl | Shr) && !matches!(ty, Type::Int { .. }) {
                continue;
            }
            let word = circuit.aig.binary(op, &a, &b, ty).expect("narrow enough");
            let words = circuit.simulate(&[], &given);
            for (run, &(x, y)) in numbers.iter().enumerate() {
                let Some(expected) = op.apply(&Value::Int(x), &Value::Int(y), ty) else {
                    // The model gives up where the exact product leaves 128 bits.
                    assert!(
                        y == 0 && matches!(op, Div | Rem) || op == Mul,
                        "{op:?} {x} {y}"
                    );
                    continue;
                };
                let got = word.value(|lit| Some(words.word(lit) >> run & 1 == 1));
                assert_eq!(got, Some(expected.number()), "{x} {op:?} {y} in {ty:?}");
            }
        }
        for op in [Unary::Neg, Unary::BitNot] {
            let word = circuit.aig.unary(op, &a, ty);
            let words = circuit.simulate(&[], &given);
            for (run, &(x, _)) in numbers.iter().enumerate() {
                let expected = op.apply(&Value::Int(x), ty).expect("narrow enough");
                let got = word.value(|lit| Some(words.word(lit) >> run & 1 == 1));
                assert_eq!(got, Some(expected.number()), "{op:?} {x} in {ty:?}");
            }
        }
    }

    #[test]
    fn operators_give_what_the_model_says() {
        let mut random = Random(fastrand::Rng::with_seed(1));
        let int = |bits, signed| Type::Int { bits, signed };
        for bits in [1, 2, 5, 8, 31, 32, 33, 64] {
            for signed in [true, false] {
                let ty = int(bits, signed);
                operators_on(&mut random, &ty, &ty, &ty);
            }
        }
        for (lo, hi) in [(0, 3), (-5, 9), (-9, -2), (7, 7), (0, 1_000_000), (0, 0)] {
            let range = Type::Range { lo, hi };
            operators_on(&mut random, &range, &range, &Type::Mathint);
            operators_on(&mut random, &range, &int(8, true), &Type::Mathint);
            operators_on(&mut random, &int(32, true), &range, &int(32, true));
        }
    }

    #[test]
    fn constants_fold_to_constants() {
        let mut random = Random(fastrand::Rng::with_seed(2));
        let mut aig = Aig::default();
        let ty = Type::INT32;
        for _ in 0..300 {
            let (x, y) = (random.number(&ty), random.number(&ty));
            for op in [
                Binary::Add,
                Binary::Mul,
                Binary::Div,
                Binary::Shr,
                Binary::Lt,
            ] {
                let (a, b) = (Word::constant(x), Word::constant(y));
                let got = aig.binary(op, &a, &b, &ty).expect("narrow enough");
                if let Some(expected) = op.apply(&Value::Int(x), &Value::Int(y), &ty) {
                    assert_eq!(got.as_constant(), Some(expected.number()), "{x} {op:?} {y}");
                }
            }
        }
        assert_eq!(aig.gate_count(), 0);
    }

    #[test]
    fn a_remainder_is_never_negative_where_asked() {
        let mut aig = Aig::default();
        for modulus in [1u32, 7, 8, 33] {
            for number in -70..70 {
                let rest = aig.modulo(&Word::constant(number), modulus);
                let expected = number.rem_euclid(i128::from(modulus));
                assert_eq!(rest.as_constant(), Some(expected), "{number} {modulus}");
            }
        }
    }
}
