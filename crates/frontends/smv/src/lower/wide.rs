//! Words of more than 64 bits, which no type of the model holds.
//!
//! Such a word is a tuple of *limbs*, the lowest first: unsigned words of 32 bits each but for the last, which has what
//! is left. Operators are worked out limb by limb in 64 bits, as on paper (Knuth, The Art of Computer Programming 2,
//! 4.3.1). A tuple is never handed on: what is assigned, compared or asked is always limbs.

use model::{Binary, Expr as ModelExpr, ExprId, Type, Unary};
use source::Span;

use super::value::{Ty, Val, word_type};
use super::{Lowered, Lowering};
use crate::ast::BinaryOp;
use crate::codes::rules;
use crate::limbs::{LIMB, is_wide, widths};

/// In what limbs are worked out: twice as many bits.
const DOUBLE: Type = Type::Int {
    bits: 64,
    signed: false,
};

fn limb_type(width: u16) -> Type {
    word_type(width, false)
}

fn unsigned(bits: u16) -> Ty {
    Ty::Word {
        bits,
        signed: false,
    }
}

impl Lowering<'_, '_> {
    /// The parts of a tuple.
    pub(super) fn components(&self, id: ExprId) -> Option<Vec<ExprId>> {
        match self.program.exprs.get(id) {
            ModelExpr::Tuple(parts) => Some(parts.clone()),
            _ => None,
        }
    }

    /// A tuple of parts.
    pub(super) fn tuple(&mut self, parts: Vec<ExprId>) -> ExprId {
        let first = self.program.exprs.ty(parts[0]).clone();
        let length = u32::try_from(parts.len()).expect("parts are few");
        let ty = Type::Array(Box::new(first), length);
        self.program.exprs.add(ModelExpr::Tuple(parts), ty)
    }

    fn double(&mut self, id: ExprId) -> ExprId {
        self.convert(id, DOUBLE)
    }

    fn number(&mut self, value: u64) -> ExprId {
        self.known(value.into(), DOUBLE)
    }

    fn doubles(&mut self, op: Binary, a: ExprId, b: ExprId) -> ExprId {
        let is = |id: ExprId, value: i128| {
            let constant = self.program.exprs.constant(id);
            constant.is_some_and(|constant| constant.number() == value)
        };
        match op {
            Binary::Add | Binary::BitOr | Binary::Shl | Binary::Shr if is(b, 0) => a,
            Binary::Add | Binary::BitOr if is(a, 0) => b,
            Binary::Shl | Binary::Shr | Binary::Mul if is(a, 0) => a,
            Binary::Mul if is(b, 0) => b,
            Binary::Mul if is(b, 1) => a,
            Binary::Mul if is(a, 1) => b,
            _ => self.binary(op, a, b, DOUBLE),
        }
    }

    fn shifted(&mut self, op: Binary, a: ExprId, by: u16) -> ExprId {
        let by = self.number(by.into());
        self.doubles(op, a, by)
    }

    /// The upper half of what was worked out: what is carried into the next limb.
    fn carry(&mut self, id: ExprId) -> ExprId {
        self.shifted(Binary::Shr, id, LIMB)
    }

    /// The lower half of what was worked out.
    fn low(&mut self, id: ExprId) -> ExprId {
        let limb = self.convert(id, limb_type(LIMB));
        self.double(limb)
    }

    /// The limbs of a word.
    pub(super) fn limbs(&mut self, value: Val) -> Vec<ExprId> {
        let Ty::Word { bits, .. } = value.ty else {
            unreachable!("only words have limbs")
        };
        if let Some(limbs) = self.components(value.id) {
            return limbs;
        }
        let plain = self.convert(value.id, word_type(bits, false));
        let all = self.double(plain);
        let mut limbs = Vec::new();
        for (at, width) in (0..).zip(widths(bits)) {
            let moved = self.shifted(Binary::Shr, all, at * LIMB);
            limbs.push(self.convert(moved, limb_type(width)));
        }
        limbs
    }

    /// The word that has these limbs.
    pub(super) fn of_limbs(&mut self, limbs: Vec<ExprId>, bits: u16, signed: bool) -> Val {
        let ty = Ty::Word { bits, signed };
        if is_wide(bits) {
            let id = self.tuple(limbs);
            return Val { id, ty };
        }
        let mut all = self.number(0);
        for (at, limb) in (0..).zip(limbs) {
            let limb = self.double(limb);
            let moved = self.shifted(Binary::Shl, limb, at * LIMB);
            all = self.doubles(Binary::BitOr, all, moved);
        }
        let id = self.convert(all, word_type(bits, signed));
        Val { id, ty }
    }

    /// A constant by its limbs, as far as it has any.
    pub(super) fn constant_of_limbs(&mut self, limbs: &[u32], bits: u16, signed: bool) -> Val {
        let mut all = Vec::new();
        for (at, width) in widths(bits).enumerate() {
            let limb = limbs.get(at).copied().unwrap_or(0);
            all.push(self.known(limb.into(), limb_type(width)));
        }
        self.of_limbs(all, bits, signed)
    }

    /// Some bits of limbs, at most a limb.
    fn slice(&mut self, limbs: &[ExprId], from: u16, width: u16) -> ExprId {
        let (at, inside) = (usize::from(from / LIMB), from % LIMB);
        let mut bits = self.double(limbs[at]);
        bits = self.shifted(Binary::Shr, bits, inside);
        if inside + width > LIMB {
            let next = self.double(limbs[at + 1]);
            let next = self.shifted(Binary::Shl, next, LIMB - inside);
            bits = self.doubles(Binary::BitOr, bits, next);
        }
        self.convert(bits, limb_type(width))
    }

    /// Bits of a wide word.
    pub(super) fn wide_bits(&mut self, value: Val, from: u16, count: u16) -> Val {
        let limbs = self.limbs(value);
        let mut parts = Vec::new();
        for (at, width) in (0..).zip(widths(count)) {
            parts.push(self.slice(&limbs, from + at * LIMB, width));
        }
        self.of_limbs(parts, count, false)
    }

    /// One word behind another.
    pub(super) fn wide_concatenation(&mut self, high: Val, low: Val) -> Val {
        let (Ty::Word { bits: m, .. }, Ty::Word { bits: n, .. }) = (high.ty, low.ty) else {
            unreachable!("words are concatenated")
        };
        let (high, low) = (self.limbs(high), self.limbs(low));
        let mut parts = Vec::new();
        for (at, width) in (0..).zip(widths(m + n)) {
            let from = at * LIMB;
            let below = n.saturating_sub(from).min(width);
            let mut bits = self.number(0);
            if below > 0 {
                let slice = self.slice(&low, from, below);
                bits = self.double(slice);
            }
            if below < width {
                let slice = self.slice(&high, (from + below) - n, width - below);
                let above = self.double(slice);
                let above = self.shifted(Binary::Shl, above, below);
                bits = self.doubles(Binary::BitOr, bits, above);
            }
            parts.push(self.convert(bits, limb_type(width)));
        }
        self.of_limbs(parts, m + n, false)
    }

    /// A word with so many bits more, which are zeros or copies of its sign.
    pub(super) fn wide_extension(&mut self, value: Val, more: u16) -> Val {
        let Ty::Word { bits, signed } = value.ty else {
            unreachable!("words are extended")
        };
        let negative = self.is_negative(value);
        let mut above = Vec::new();
        for width in widths(more) {
            let ty = limb_type(width);
            let (zeros, ones) = (self.known(0, ty.clone()), (1i128 << width) - 1);
            let ones = self.known(ones, ty.clone());
            above.push(self.if_then_else(negative, ones, zeros, ty));
        }
        let above = self.of_limbs(above, more, false);
        let joined = self.wide_concatenation(above, value);
        self.as_signed(joined, bits + more, signed)
    }

    /// The same bits with or without a sign.
    pub(super) fn as_signed(&mut self, value: Val, bits: u16, signed: bool) -> Val {
        let ty = Ty::Word { bits, signed };
        let id = match is_wide(bits) {
            true => value.id,
            false => self.convert(value.id, word_type(bits, signed)),
        };
        Val { id, ty }
    }

    /// Whether a word has a sign and is below zero.
    fn is_negative(&mut self, value: Val) -> ExprId {
        let Ty::Word { bits, signed: true } = value.ty else {
            return self.program.exprs.bool(false);
        };
        let limbs = self.limbs(value);
        let sign = self.slice(&limbs, bits - 1, 1);
        self.convert(sign, Type::Bool)
    }

    /// Each limb by itself.
    pub(super) fn wide_complement(&mut self, value: Val) -> Val {
        let Ty::Word { bits, signed } = value.ty else {
            unreachable!("words have complements")
        };
        let mut parts = Vec::new();
        for (limb, width) in self.limbs(value).into_iter().zip(widths(bits)) {
            let limb = Val {
                id: limb,
                ty: unsigned(width),
            };
            parts.push(self.unary(Unary::BitNot, limb).id);
        }
        self.of_limbs(parts, bits, signed)
    }

    /// Each pair of limbs by itself.
    pub(super) fn wide_logical(&mut self, op: Binary, a: Val, b: Val) -> Val {
        let Ty::Word { bits, signed } = a.ty else {
            unreachable!("words have bits")
        };
        let (left, right) = (self.limbs(a), self.limbs(b));
        let mut parts = Vec::new();
        for ((x, y), width) in left.into_iter().zip(right).zip(widths(bits)) {
            parts.push(self.binary(op, x, y, limb_type(width)));
        }
        self.of_limbs(parts, bits, signed)
    }

    /// Arithmetic on two words of one wide type.
    pub(super) fn wide_arithmetic(
        &mut self,
        op: BinaryOp,
        a: Val,
        b: Val,
        span: Span,
    ) -> Lowered<Val> {
        Ok(match op {
            BinaryOp::Add => self.sum(a, b, false),
            BinaryOp::Subtract => {
                let complement = self.wide_complement(b);
                self.sum(a, complement, true)
            }
            BinaryOp::Multiply => self.product(a, b),
            _ => return self.quotient(op == BinaryOp::Divide, a, b, span),
        })
    }

    /// The negation of a wide word.
    pub(super) fn wide_negation(&mut self, value: Val) -> Val {
        let Ty::Word { bits, signed } = value.ty else {
            unreachable!("words are negated")
        };
        let zero = self.constant_of_limbs(&[], bits, signed);
        let complement = self.wide_complement(value);
        self.sum(zero, complement, true)
    }

    /// The sum, and one more if asked.
    fn sum(&mut self, a: Val, b: Val, one_more: bool) -> Val {
        let Ty::Word { bits, signed } = a.ty else {
            unreachable!("words are added")
        };
        let (left, right) = (self.limbs(a), self.limbs(b));
        let mut carry = self.number(one_more.into());
        let mut parts = Vec::new();
        for ((x, y), width) in left.into_iter().zip(right).zip(widths(bits)) {
            let (x, y) = (self.double(x), self.double(y));
            let sum = self.doubles(Binary::Add, x, y);
            let sum = self.doubles(Binary::Add, sum, carry);
            parts.push(self.convert(sum, limb_type(width)));
            carry = self.carry(sum);
        }
        self.of_limbs(parts, bits, signed)
    }

    /// The product, column by column. The lower halves of products stand in the column of their limbs,
    /// the upper ones in the next.
    fn product(&mut self, a: Val, b: Val) -> Val {
        let Ty::Word { bits, signed } = a.ty else {
            unreachable!("words are multiplied")
        };
        let (left, right) = (self.limbs(a), self.limbs(b));
        let count = left.len();
        let mut columns: Vec<ExprId> = vec![self.number(0); count + 1];
        for (i, x) in left.into_iter().enumerate() {
            let x = self.double(x);
            for (j, y) in right.iter().take(count - i).enumerate() {
                let y = self.double(*y);
                let product = self.doubles(Binary::Mul, x, y);
                let (low, high) = (self.low(product), self.carry(product));
                columns[i + j] = self.doubles(Binary::Add, columns[i + j], low);
                columns[i + j + 1] = self.doubles(Binary::Add, columns[i + j + 1], high);
            }
        }
        let mut carry = self.number(0);
        let mut parts = Vec::new();
        for (column, width) in columns.into_iter().zip(widths(bits)) {
            let sum = self.doubles(Binary::Add, column, carry);
            parts.push(self.convert(sum, limb_type(width)));
            carry = self.carry(sum);
        }
        self.of_limbs(parts, bits, signed)
    }

    /// The quotient or the remainder of a division by a number of one limb.
    fn quotient(&mut self, quotient: bool, a: Val, b: Val, span: Span) -> Lowered<Val> {
        let Ty::Word { bits, signed } = a.ty else {
            unreachable!("words are divided")
        };
        let zero = |l: &Self, id: &ExprId| l.program.exprs.constant(*id).map(model::Value::number);
        let mut divisor = self.limbs(b);
        let mut negated = false;
        if signed && divisor.iter().all(|limb| zero(self, limb).is_some()) {
            let negative = self.is_negative(b);
            negated = self
                .program
                .exprs
                .constant(negative)
                .is_some_and(model::Value::truth);
            if negated {
                let magnitude = self.wide_negation(b);
                divisor = self.limbs(magnitude);
            }
        }
        // Behind the first limb, the sign among them, all is zero.
        if divisor[1..].iter().any(|limb| zero(self, limb) != Some(0)) {
            let message = format!(
                "a word of {bits} bits is divided by one that may be 2^{LIMB} or more; beyond 64 bits \
                 only smaller divisors are possible"
            );
            return Err(self.error(rules::INFINITE, span, message));
        }
        let divisor = self.double(divisor[0]);
        let divisor = Val {
            id: divisor,
            ty: unsigned(64),
        };
        let divisor = self.divisor(divisor, span).id;
        let negative = self.is_negative(a);
        let opposite = self.wide_negation(a);
        let magnitude = self.wide_choice(negative, opposite, a);
        let mut rest = self.number(0);
        let mut parts = Vec::new();
        let limbs: Vec<_> = self
            .limbs(magnitude)
            .into_iter()
            .zip(widths(bits))
            .collect();
        for (limb, width) in limbs.into_iter().rev() {
            let limb = self.double(limb);
            let above = self.shifted(Binary::Shl, rest, LIMB);
            let here = self.doubles(Binary::BitOr, above, limb);
            let digit = self.doubles(Binary::Div, here, divisor);
            parts.push(self.convert(digit, limb_type(width)));
            rest = self.doubles(Binary::Rem, here, divisor);
        }
        parts.reverse();
        let result = match quotient {
            true => self.of_limbs(parts, bits, signed),
            false => {
                let rest = Val {
                    id: rest,
                    ty: unsigned(64),
                };
                let rest = self.wide_extension(rest, bits - 64);
                self.as_signed(rest, bits, signed)
            }
        };
        // The remainder has the sign of what is divided.
        let turned = match quotient && negated {
            true => self.not(negative),
            false => negative,
        };
        let opposite = self.wide_negation(result);
        Ok(self.wide_choice(turned, opposite, result))
    }

    fn wide_choice(&mut self, condition: ExprId, a: Val, b: Val) -> Val {
        let ty = self.program.exprs.ty(a.id).clone();
        let id = self.if_then_else(condition, a.id, b.id, ty);
        Val { id, ty: a.ty }
    }

    /// Whether a wide word is less than another of its type, or equal if that is asked.
    pub(super) fn wide_less(&mut self, or_equal: bool, a: Val, b: Val) -> ExprId {
        let Ty::Word { bits, signed } = a.ty else {
            unreachable!("words are compared")
        };
        let (mut left, mut right) = (self.limbs(a), self.limbs(b));
        let last = left.len() - 1;
        let width = widths(bits).last().expect("words have bits");
        if signed {
            // With its sign turned, a negative number comes first.
            for limb in [&mut left[last], &mut right[last]] {
                let sign = self.known(1i128 << (width - 1), limb_type(width));
                *limb = self.binary(Binary::BitXor, *limb, sign, limb_type(width));
            }
        }
        let mut less = self.program.exprs.bool(or_equal);
        for (x, y) in left.into_iter().zip(right) {
            let below = self.binary(Binary::Lt, x, y, Type::Bool);
            let same = self.same(x, y);
            let decided = self.and(same, less);
            less = self.or(below, decided);
        }
        less
    }

    /// A wide word shifted by a number, of which only what is from 0 to the width counts.
    pub(super) fn wide_shift(&mut self, left: bool, value: Val, count: ExprId) -> Val {
        let Ty::Word { bits, signed } = value.ty else {
            unreachable!("words are shifted")
        };
        let limbs = self.limbs(value);
        let places = limbs.len();
        let negative = self.is_negative(value);
        let (zero, ones) = (self.number(0), self.number((1 << LIMB) - 1));
        let fill = match left {
            true => zero,
            false => self.if_then_else(negative, ones, zero, DOUBLE),
        };
        let mut padded = Vec::new();
        for (limb, width) in limbs.into_iter().zip(widths(bits)) {
            let mut limb = self.double(limb);
            if signed && !left && width < LIMB {
                let above = self.shifted(Binary::Shl, fill, width);
                limb = self.doubles(Binary::BitOr, limb, above);
                limb = self.low(limb);
            }
            padded.push(limb);
        }
        let count = self.double(count);
        let whole = self.shifted(Binary::Shr, count, LIMB.trailing_zeros() as u16);
        let mask = self.number(u64::from(LIMB) - 1);
        let inside = self.doubles(Binary::BitAnd, count, mask);
        // Each limb with its lower neighbour, moved within them.
        let mut moved = Vec::new();
        for at in 0..=places {
            let low = match at {
                0 => fill,
                _ => padded[at - 1],
            };
            let high = padded.get(at).copied().unwrap_or(fill);
            let above = self.shifted(Binary::Shl, high, LIMB);
            let both = self.doubles(Binary::BitOr, above, low);
            let sort = if left { Binary::Shl } else { Binary::Shr };
            let both = self.doubles(sort, both, inside);
            moved.push(match left {
                true => self.carry(both),
                false => self.low(both),
            });
        }
        let mut parts = Vec::new();
        for (at, width) in widths(bits).enumerate() {
            let mut result = fill;
            for by in (0..places).rev() {
                let candidate = match left {
                    true if by <= at => moved[at - by],
                    false if at + by < places => moved[at + by + 1],
                    _ => continue,
                };
                let by = self.number(by as u64);
                let here = self.same(whole, by);
                result = self.if_then_else(here, candidate, result, DOUBLE);
            }
            parts.push(self.convert(result, limb_type(width)));
        }
        self.of_limbs(parts, bits, signed)
    }

    /// A wide word as a number where that is less than 2^63; else one that is no index and no width.
    pub(super) fn as_index(&mut self, value: Val) -> Val {
        let Ty::Word { bits, .. } = value.ty else {
            return value;
        };
        if !is_wide(bits) {
            return value;
        }
        let beyond = self.integer(i64::MAX.into());
        let below = self.integer(-1);
        let negative = self.is_negative(value);
        let high = self.wide_bits(value, 63, bits - 63);
        let limbs = self.limbs(high);
        let mut all_zero = Vec::new();
        for limb in limbs {
            let zero = self.program.exprs.ty(limb).clone();
            let zero = self.known(0, zero);
            all_zero.push(self.same(limb, zero));
        }
        let small = self.all(all_zero);
        let low = self.wide_bits(value, 0, 63);
        let low = self.convert(low.id, Type::Mathint);
        let id = self.if_then_else(small, low, beyond.id, Type::Mathint);
        let id = self.if_then_else(negative, below.id, id, Type::Mathint);
        Val { id, ty: Ty::Int }
    }
}
