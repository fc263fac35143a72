//! Operations on unsigned numbers of 64 bits, which are kept as signed numbers with the same bits.

use model::{Binary, ExprId, Type};

use super::Lowering;
use super::build::Build;

const LONG: Type = Type::Int {
    bits: 64,
    signed: true,
};

impl Lowering<'_> {
    /// A number that is less than another as signed if the two are so as unsigned.
    pub(super) fn ordered(&mut self, value: ExprId) -> ExprId {
        let sign = self.pool().int(i128::from(i64::MIN), LONG);
        self.pool().two(Binary::BitXor, value, sign)
    }

    fn is_less(&mut self, a: ExprId, b: ExprId) -> ExprId {
        let (a, b) = (self.ordered(a), self.ordered(b));
        self.pool().two(Binary::Lt, a, b)
    }

    /// A shift to the right by less than the width; zeros come in from the left.
    pub(super) fn shifted_right(&mut self, value: ExprId, by: ExprId) -> ExprId {
        let (zero, one, all, most) = (
            self.pool().int(0, LONG),
            self.pool().int(1, LONG),
            self.pool().int(-1, LONG),
            self.pool().int(63, LONG),
        );
        // The bits that stay are those below 64 less the count; a count of zero is apart.
        let left = self.pool().two(Binary::Sub, most, by);
        let half = self.pool().two(Binary::Shl, all, left);
        let upper = self.pool().two(Binary::Shl, half, one);
        let mask = self.pool().unary(model::Unary::BitNot, upper);
        let moved = self.pool().two(Binary::Shr, value, by);
        let masked = self.pool().two(Binary::BitAnd, moved, mask);
        let none = self.pool().two(Binary::Eq, by, zero);
        self.pool().either(none, value, masked)
    }

    /// A quotient, or the rest; the divisor is not zero.
    ///
    /// Half of the dividend is not negative. Twice its quotient is the quotient, or one less.
    pub(super) fn divided(&mut self, rest: bool, a: ExprId, b: ExprId) -> ExprId {
        let (zero, one) = (self.pool().int(0, LONG), self.pool().int(1, LONG));
        let is_zero = self.pool().two(Binary::Eq, b, zero);
        let divisor = self.pool().either(is_zero, one, b);
        let large = self.pool().two(Binary::Lt, divisor, zero);
        let divisor = self.pool().either(large, one, divisor);
        let half = self.shifted_right(a, one);
        let quotient = self.pool().two(Binary::Div, half, divisor);
        let quotient = self.pool().two(Binary::Shl, quotient, one);
        let product = self.pool().two(Binary::Mul, quotient, divisor);
        let remainder = self.pool().two(Binary::Sub, a, product);
        let fits = self.is_less(remainder, divisor);
        let next = self.pool().two(Binary::Add, quotient, one);
        let less = self.pool().two(Binary::Sub, remainder, divisor);
        let below = self.is_less(a, b);
        let difference = self.pool().two(Binary::Sub, a, b);
        match rest {
            true => {
                let small = self.pool().either(fits, remainder, less);
                let over = self.pool().either(below, a, difference);
                self.pool().either(large, over, small)
            }
            false => {
                let small = self.pool().either(fits, quotient, next);
                let over = self.pool().either(below, zero, one);
                self.pool().either(large, over, small)
            }
        }
    }
}
