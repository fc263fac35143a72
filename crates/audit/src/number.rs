//! Exact integers of any width, as circuits of school arithmetic.
//!
//! A number is two's complement, lowest bit first, the last bit its sign. Operations are exact:
//! results are as wide as they need to be, and are cut to a machine type by [`Gates::wrap`] alone.

use model::Type;
use solver::Literal;

use crate::gates::Gates;

/// A number: at least one bit, the last its sign.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Number(pub(crate) Vec<Literal>);

impl Number {
    pub(crate) fn width(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn sign(&self) -> Literal {
        *self.0.last().expect("a number has a sign")
    }

    /// The same value in more bits.
    pub(crate) fn extended(&self, width: usize) -> Number {
        let mut bits = self.0.clone();
        bits.resize(width.max(bits.len()), self.sign());
        Number(bits)
    }

    fn shifted(&self, by: usize, low: Literal) -> Number {
        let mut bits = vec![low; by];
        bits.extend(&self.0);
        Number(bits)
    }
}

impl Gates {
    pub(crate) fn number(&self, value: i128) -> Number {
        let width = 129 - value.leading_zeros().max(value.leading_ones()) as usize;
        let bit = |at: usize| value >> at.min(127) & 1 == 1;
        Number((0..width).map(|at| self.constant(bit(at))).collect())
    }

    /// The value of a number all of whose bits are constants.
    pub(crate) fn known_number(&self, number: &Number) -> Option<i128> {
        let mut value = if self.known(number.sign())? { -1 } else { 0 };
        for &bit in number.0.iter().rev() {
            value = value << 1 | i128::from(self.known(bit)?);
        }
        (number.width() <= 128).then_some(value)
    }

    pub(crate) fn fresh_number(&mut self, width: usize) -> Number {
        Number((0..width).map(|_| self.fresh()).collect())
    }

    fn level(a: &Number, b: &Number, more: usize) -> (Number, Number) {
        let width = a.width().max(b.width()) + more;
        (a.extended(width), b.extended(width))
    }

    pub(crate) fn add(&mut self, a: &Number, b: &Number) -> Number {
        let zero = self.constant(false);
        self.add_with(a, b, zero)
    }

    fn add_with(&mut self, a: &Number, b: &Number, mut carry: Literal) -> Number {
        let (a, b) = Self::level(a, b, 1);
        let mut sum = Vec::with_capacity(a.width());
        for (&x, &y) in a.0.iter().zip(&b.0) {
            let half = self.xor(x, y);
            sum.push(self.xor(half, carry));
            let both = self.and(x, y);
            let passed = self.and(half, carry);
            carry = self.or(both, passed);
        }
        Number(sum)
    }

    pub(crate) fn complement(a: &Number) -> Number {
        Number(a.0.iter().map(|&bit| !bit).collect())
    }

    pub(crate) fn sub(&mut self, a: &Number, b: &Number) -> Number {
        let one = self.constant(true);
        // The complement of an extended number is the extension of its complement.
        self.add_with(a, &Self::complement(b), one)
    }

    pub(crate) fn neg(&mut self, a: &Number) -> Number {
        let zero = self.number(0);
        self.sub(&zero, a)
    }

    pub(crate) fn mul(&mut self, a: &Number, b: &Number) -> Number {
        let width = a.width() + b.width();
        let low = self.constant(false);
        let mut product = self.number(0);
        // The sign's row counts negatively.
        for (at, &bit) in b.0.iter().enumerate() {
            let row = Number(a.0.iter().map(|&x| self.and(x, bit)).collect());
            let row = row.shifted(at, low);
            product = if at + 1 == b.width() {
                self.sub(&product, &row)
            } else {
                self.add(&product, &row)
            };
            product.0.truncate(width);
        }
        product.extended(width)
    }

    /// Quotient, truncated towards zero, and remainder, with the sign of the dividend; anything
    /// where the divisor is zero. They are not computed but described: there is only one pair
    /// that fits.
    pub(crate) fn divide(&mut self, a: &Number, b: &Number) -> (Number, Number) {
        let quotient = self.fresh_number(a.width() + 1);
        let remainder = self.fresh_number(b.width());
        let product = self.mul(&quotient, b);
        let sum = self.add(&product, &remainder);
        let zero = self.number(0);
        let by_zero = self.equal(b, &zero);
        let whole = self.equal(&sum, a);
        let size = self.magnitude(&remainder);
        let limit = self.magnitude(b);
        let small = self.less(&size, &limit);
        let nothing = self.equal(&remainder, &zero);
        let same_sign = self.iff(remainder.sign(), a.sign());
        let signed = self.or(nothing, same_sign);
        for condition in [whole, small, signed] {
            self.clause(&[by_zero, condition]);
        }
        (quotient, remainder)
    }

    fn magnitude(&mut self, a: &Number) -> Number {
        let negated = self.neg(a);
        self.choose_number(a.sign(), &negated, a)
    }

    pub(crate) fn bitwise(
        &mut self,
        a: &Number,
        b: &Number,
        mut gate: impl FnMut(&mut Self, Literal, Literal) -> Literal,
    ) -> Number {
        let (a, b) = Self::level(a, b, 0);
        Number(
            a.0.iter()
                .zip(&b.0)
                .map(|(&x, &y)| gate(self, x, y))
                .collect(),
        )
    }

    /// `a` times two to the `count`, which is from 0 to `most`.
    pub(crate) fn shift_left(&mut self, a: &Number, count: &Number, most: usize) -> Number {
        let low = self.constant(false);
        let mut result = a.extended(a.width() + most);
        for by in 1..=most {
            let amount = self.number(by as i128);
            let chosen = self.equal(count, &amount);
            let shifted = a.shifted(by, low);
            result = self.choose_number(chosen, &shifted, &result);
        }
        result
    }

    /// `a` divided by two to the `count`, which is from 0 to `most`, rounded down.
    pub(crate) fn shift_right(&mut self, a: &Number, count: &Number, most: usize) -> Number {
        let mut result = a.clone();
        for by in 1..=most {
            let amount = self.number(by as i128);
            let chosen = self.equal(count, &amount);
            let from = by.min(a.width() - 1);
            let shifted = Number(a.0[from..].to_vec());
            result = self.choose_number(chosen, &shifted, &result);
        }
        result
    }

    pub(crate) fn equal(&mut self, a: &Number, b: &Number) -> Literal {
        let (a, b) = Self::level(a, b, 0);
        let mut equal = self.constant(true);
        for (&x, &y) in a.0.iter().zip(&b.0) {
            let same = self.iff(x, y);
            equal = self.and(equal, same);
        }
        equal
    }

    pub(crate) fn less(&mut self, a: &Number, b: &Number) -> Literal {
        self.sub(a, b).sign()
    }

    pub(crate) fn less_or_equal(&mut self, a: &Number, b: &Number) -> Literal {
        !self.less(b, a)
    }

    /// Whether `lo <= a <= hi`.
    pub(crate) fn within(&mut self, a: &Number, lo: i128, hi: i128) -> Literal {
        let (lo, hi) = (self.number(lo), self.number(hi));
        let from = self.less_or_equal(&lo, a);
        let to = self.less_or_equal(a, &hi);
        self.and(from, to)
    }

    pub(crate) fn choose_number(&mut self, cond: Literal, a: &Number, b: &Number) -> Number {
        self.bitwise(a, b, |gates, x, y| gates.ite(cond, x, y))
    }

    /// The number as its type stores it: machine integers wrap around, others stay.
    pub(crate) fn wrap(&self, number: &Number, ty: &Type) -> Number {
        let Type::Int { bits, signed } = *ty else {
            return number.clone();
        };
        let mut low = number.extended(bits.into()).0;
        low.truncate(bits.into());
        if !signed {
            low.push(self.constant(false));
        }
        Number(low)
    }
}

#[cfg(test)]
mod tests {
    use model::{Binary, Budget, Unary, Value};
    use solver::{Limits, Outcome, Solver};

    use super::*;

    /// The one value that a number can have where others have given values.
    fn solved(gates: &mut Gates, number: &Number) -> i128 {
        let budget = Budget::default();
        let limits = Limits::new(&budget);
        assert_eq!(gates.solver.solve(&[], None, &limits), Outcome::Satisfiable);
        let bits: Vec<bool> = number
            .0
            .iter()
            .map(|&bit| gates.solver.value(bit) == Some(true))
            .collect();
        let other: Vec<Literal> = number
            .0
            .iter()
            .zip(&bits)
            .map(|(literal, &value)| literal.negated_if(value))
            .collect();
        assert_eq!(
            gates.solver.solve(&[], Some(&other), &limits),
            Outcome::Unsatisfiable,
            "there is another value"
        );
        bits.iter()
            .rev()
            .fold(-i128::from(*bits.last().unwrap()), |value, &bit| {
                value << 1 | i128::from(bit)
            })
    }

    /// A number that the solver, not the construction, knows to have this value.
    fn given(gates: &mut Gates, value: i128) -> Number {
        let constant = gates.number(value);
        let number = gates.fresh_number(constant.width() + 1);
        let same = gates.equal(&number, &constant);
        gates.clause(&[same]);
        number
    }

    #[test]
    fn operators_give_what_the_model_says() {
        let ty = Type::Int {
            bits: 8,
            signed: true,
        };
        let values = [-128, -127, -7, -1, 0, 1, 2, 3, 9, 100, 127];
        for a in values {
            for b in values {
                let mut gates = Gates::new(&Budget::default());
                let (x, y) = (given(&mut gates, a), given(&mut gates, b));
                let exact = [
                    (Binary::Add, gates.add(&x, &y)),
                    (Binary::Sub, gates.sub(&x, &y)),
                    (Binary::Mul, gates.mul(&x, &y)),
                    (Binary::BitXor, gates.bitwise(&x, &y, Gates::xor)),
                    (Binary::BitAnd, gates.bitwise(&x, &y, Gates::and)),
                ];
                for (op, number) in exact {
                    let expected = op.apply(&Value::Int(a), &Value::Int(b), &Type::Mathint);
                    let found = solved(&mut gates, &number);
                    assert_eq!(Some(Value::Int(found)), expected, "{a} {op:?} {b}");
                    let wrapped = gates.wrap(&number, &ty);
                    assert_eq!(solved(&mut gates, &wrapped), ty.wrap(found));
                }
                if b != 0 {
                    let (quotient, remainder) = gates.divide(&x, &y);
                    assert_eq!(solved(&mut gates, &quotient), a / b, "{a} / {b}");
                    assert_eq!(solved(&mut gates, &remainder), a % b, "{a} % {b}");
                }
                let less = gates.less(&x, &y);
                let less = Number(vec![less, gates.constant(false)]);
                assert_eq!(solved(&mut gates, &less), i128::from(a < b));
                if let Ok(count) = usize::try_from(b)
                    && count < 8
                {
                    let left = gates.shift_left(&x, &y, 7);
                    assert_eq!(solved(&mut gates, &left), a << count);
                    let right = gates.shift_right(&x, &y, 7);
                    assert_eq!(solved(&mut gates, &right), a >> count);
                }
            }
            let mut gates = Gates::new(&Budget::default());
            let x = given(&mut gates, a);
            let negated = gates.neg(&x);
            let expected = Unary::Neg.apply(&Value::Int(a), &Type::Mathint);
            assert_eq!(Some(Value::Int(solved(&mut gates, &negated))), expected);
        }
    }
}
