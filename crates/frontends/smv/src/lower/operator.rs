//! Operators on single values.

use model::{Binary, Expr as ModelExpr, ExprId, Type, Unary, Value};
use source::Span;

use super::value::{Choices, Ty, Val, word_type};
use super::{Context, Failed, Lowered, Lowering};
use crate::ast::{BinaryOp, Expr, Function};
use crate::codes::{rules, syntax};
use crate::limbs::{MAX_BITS, is_wide};

impl<'t> Lowering<'t, '_> {
    /// Reports that an operator does not go with its operands.
    pub(super) fn no_operator(&mut self, op: &str, a: Ty, b: Ty, span: Span) -> Failed {
        let message = format!(
            "`{op}` between {} and {}",
            self.type_name(a),
            self.type_name(b)
        );
        let diagnostic = source::Diagnostic::error(rules::TYPES, message).at(span);
        self.report(match (a, b) {
            (Ty::Bool, Ty::Int) | (Ty::Int, Ty::Bool) => diagnostic
                .help("`toint(b)` is 1 where `b` is true, `bool(n)` is true where `n` is not 0"),
            (Ty::Word { bits, signed }, Ty::Int) | (Ty::Int, Ty::Word { bits, signed }) => {
                let sign = if signed { 's' } else { 'u' };
                diagnostic.help(format!("the word for 1 is written `0{sign}d{bits}_1`"))
            }
            _ => diagnostic,
        })
    }

    pub(super) fn wrong(&mut self, what: &str, ty: Ty, span: Span) -> Failed {
        let message = format!("`{what}` of {}", self.type_name(ty));
        self.error(rules::TYPES, span, message)
    }

    pub(super) fn convert(&mut self, id: ExprId, ty: Type) -> ExprId {
        if *self.program.exprs.ty(id) == ty {
            return id;
        }
        if let Some(value) = self.program.exprs.constant(id) {
            let number = value.number();
            let number = match ty {
                Type::Bool => i128::from(number != 0),
                _ => ty.wrap(number),
            };
            return self.known(number, ty);
        }
        self.program.exprs.add(ModelExpr::Convert(id), ty)
    }

    fn word(&mut self, id: ExprId, bits: u16, signed: bool) -> Val {
        Val {
            id: self.convert(id, word_type(bits, signed)),
            ty: Ty::Word { bits, signed },
        }
    }

    /// `!`
    pub(super) fn complement(&mut self, value: Val, span: Span) -> Lowered<Val> {
        match value.ty {
            Ty::Bool => Ok(Val {
                id: self.not(value.id),
                ty: Ty::Bool,
            }),
            Ty::Word { bits, .. } if is_wide(bits) => Ok(self.wide_complement(value)),
            Ty::Word { .. } => Ok(self.unary(Unary::BitNot, value)),
            ty => Err(self.wrong("!", ty, span)),
        }
    }

    /// `-`
    pub(super) fn negate(&mut self, value: Val, span: Span) -> Lowered<Val> {
        match value.ty {
            Ty::Word { bits, .. } if is_wide(bits) => Ok(self.wide_negation(value)),
            Ty::Int | Ty::Word { .. } => Ok(self.unary(Unary::Neg, value)),
            ty => Err(self.wrong("-", ty, span)),
        }
    }

    pub(super) fn unary(&mut self, op: Unary, value: Val) -> Val {
        let ty = Self::model_type(value.ty);
        let id = match self.program.exprs.constant(value.id) {
            Some(Value::Int(n)) => {
                let result = match op {
                    Unary::Neg => -n,
                    _ => !n,
                };
                let result = ty.wrap(result);
                self.known(result, ty)
            }
            _ => self.program.exprs.add(ModelExpr::Unary(op, value.id), ty),
        };
        Val { id, ty: value.ty }
    }

    /// Two operands.
    pub(super) fn operator(&mut self, op: BinaryOp, a: Val, b: Val, span: Span) -> Lowered<Val> {
        let truth = |id| Ok(Val { id, ty: Ty::Bool });
        match op {
            BinaryOp::Equal | BinaryOp::NotEqual => {
                let Some(equal) = self.equal(a, b) else {
                    return Err(self.no_operator(op.text(), a.ty, b.ty, span));
                };
                truth(if op == BinaryOp::Equal {
                    equal
                } else {
                    self.not(equal)
                })
            }
            BinaryOp::Less | BinaryOp::LessEqual | BinaryOp::Greater | BinaryOp::GreaterEqual => {
                if a.ty != b.ty || !matches!(a.ty, Ty::Int | Ty::Word { .. }) {
                    return Err(self.no_operator(op.text(), a.ty, b.ty, span));
                }
                let (sort, x, y) = match op {
                    BinaryOp::Less => (Binary::Lt, a, b),
                    BinaryOp::LessEqual => (Binary::Le, a, b),
                    BinaryOp::Greater => (Binary::Lt, b, a),
                    _ => (Binary::Le, b, a),
                };
                truth(self.less(sort, x, y))
            }
            BinaryOp::And
            | BinaryOp::Or
            | BinaryOp::Xor
            | BinaryOp::Xnor
            | BinaryOp::Iff
            | BinaryOp::Implies => self.logical(op, a, b, span),
            BinaryOp::Add
            | BinaryOp::Subtract
            | BinaryOp::Multiply
            | BinaryOp::Divide
            | BinaryOp::Remainder => {
                if a.ty != b.ty || !matches!(a.ty, Ty::Int | Ty::Word { .. }) {
                    return Err(self.no_operator(op.text(), a.ty, b.ty, span));
                }
                if let Ty::Word { bits, .. } = a.ty
                    && is_wide(bits)
                {
                    return self.wide_arithmetic(op, a, b, span);
                }
                let sort = match op {
                    BinaryOp::Add => Binary::Add,
                    BinaryOp::Subtract => Binary::Sub,
                    BinaryOp::Multiply => Binary::Mul,
                    BinaryOp::Divide => Binary::Div,
                    _ => Binary::Rem,
                };
                let b = match sort {
                    Binary::Div | Binary::Rem => self.divisor(b, span),
                    _ => b,
                };
                let id = self.binary(sort, a.id, b.id, Self::model_type(a.ty));
                Ok(Val { id, ty: a.ty })
            }
            BinaryOp::ShiftLeft | BinaryOp::ShiftRight => {
                self.shift(op == BinaryOp::ShiftLeft, a, b, span)
            }
            BinaryOp::Concatenate => match (a.ty, b.ty) {
                (Ty::Word { bits: m, .. }, Ty::Word { bits: n, .. }) => {
                    self.check_width(m + n, span)?;
                    if is_wide(m + n) {
                        return Ok(self.wide_concatenation(a, b));
                    }
                    let low = self.word(b.id, n, false);
                    let low = self.word(low.id, m + n, false);
                    let high = self.word(a.id, m + n, false);
                    let ty = word_type(m + n, false);
                    let count = self.known(n.into(), ty.clone());
                    let high = self.binary(Binary::Shl, high.id, count, ty.clone());
                    let id = self.binary(Binary::BitOr, high, low.id, ty);
                    Ok(Val { id, ty: low.ty })
                }
                _ => Err(self.no_operator("::", a.ty, b.ty, span)),
            },
            BinaryOp::In | BinaryOp::Union | BinaryOp::Range => {
                unreachable!("these are about sets")
            }
        }
    }

    fn logical(&mut self, op: BinaryOp, a: Val, b: Val, span: Span) -> Lowered<Val> {
        if a.ty != b.ty || !matches!(a.ty, Ty::Bool | Ty::Word { .. }) {
            return Err(self.no_operator(op.text(), a.ty, b.ty, span));
        }
        let id = if a.ty == Ty::Bool {
            match op {
                BinaryOp::And => self.and(a.id, b.id),
                BinaryOp::Or => self.or(a.id, b.id),
                BinaryOp::Implies => {
                    let not = self.not(a.id);
                    self.or(not, b.id)
                }
                BinaryOp::Xor => {
                    let same = self.same(a.id, b.id);
                    self.not(same)
                }
                _ => self.same(a.id, b.id),
            }
        } else {
            return match op {
                BinaryOp::And => Ok(self.bitwise(Binary::BitAnd, a, b)),
                BinaryOp::Or => Ok(self.bitwise(Binary::BitOr, a, b)),
                BinaryOp::Xor => Ok(self.bitwise(Binary::BitXor, a, b)),
                BinaryOp::Implies => {
                    let not = self.complement(a, span)?;
                    Ok(self.bitwise(Binary::BitOr, not, b))
                }
                _ => {
                    let xor = self.bitwise(Binary::BitXor, a, b);
                    self.complement(xor, span)
                }
            };
        };
        Ok(Val { id, ty: a.ty })
    }

    /// Two words of one type, bit by bit.
    fn bitwise(&mut self, op: Binary, a: Val, b: Val) -> Val {
        match a.ty {
            Ty::Word { bits, .. } if is_wide(bits) => self.wide_logical(op, a, b),
            ty => Val {
                id: self.binary(op, a.id, b.id, Self::model_type(ty)),
                ty,
            },
        }
    }

    /// Whether a number or word is less than another of its type (`Lt`), or not greater (`Le`).
    fn less(&mut self, sort: Binary, a: Val, b: Val) -> ExprId {
        match a.ty {
            Ty::Word { bits, .. } if is_wide(bits) => self.wide_less(sort == Binary::Le, a, b),
            _ => self.binary(sort, a.id, b.id, Type::Bool),
        }
    }

    /// Reports a word that is too wide.
    fn check_width(&mut self, bits: u16, span: Span) -> Lowered<()> {
        if bits <= MAX_BITS {
            return Ok(());
        }
        let message = format!("a word of {bits} bits; {MAX_BITS} are possible");
        Err(self.error(rules::INFINITE, span, message))
    }

    /// Shifts by up to the width; the model's shifts count modulo the width.
    fn shift(&mut self, left: bool, a: Val, b: Val, span: Span) -> Lowered<Val> {
        let op = if left { "<<" } else { ">>" };
        let (Ty::Word { bits, signed }, Ty::Int | Ty::Word { signed: false, .. }) = (a.ty, b.ty)
        else {
            return Err(self.no_operator(op, a.ty, b.ty, span));
        };
        let b = self.as_index(b);
        self.check_shift(b, bits, span);
        if is_wide(bits) {
            return Ok(self.wide_shift(left, a, b.id));
        }
        let ty = word_type(bits, signed);
        let count = self.convert(b.id, Type::Mathint);
        let width = self.known(bits.into(), Type::Mathint);
        let beyond = self.binary(Binary::Le, width, count, Type::Bool);
        let sort = if left { Binary::Shl } else { Binary::Shr };
        let inside = self.binary(sort, a.id, count, ty.clone());
        let outside = if signed && !left {
            let last = self.known((bits - 1).into(), Type::Mathint);
            self.binary(Binary::Shr, a.id, last, ty.clone())
        } else {
            self.known(0, ty.clone())
        };
        let id = self.if_then_else(beyond, outside, inside, ty);
        Ok(Val { id, ty: a.ty })
    }

    /// Some bits of a word.
    pub(super) fn bits(&mut self, value: Val, high: i64, low: i64, span: Span) -> Lowered<Val> {
        let Ty::Word { bits, .. } = value.ty else {
            return Err(self.wrong("[:]", value.ty, span));
        };
        if low < 0 || low > high || high >= bits.into() {
            let message = format!("bits {high} to {low} of a word of {bits}");
            return Err(self.error(rules::INDEX, span, message));
        }
        if is_wide(bits) {
            let (low, width) = (low as u16, (high - low + 1) as u16);
            return Ok(self.wide_bits(value, low, width));
        }
        let plain = self.word(value.id, bits, false);
        let count = self.known(low.into(), Type::Mathint);
        let moved = self.binary(Binary::Shr, plain.id, count, word_type(bits, false));
        let width = u16::try_from(high - low + 1).expect("it is part of a word");
        Ok(self.word(moved, width, false))
    }

    /// `word[i]`: one bit.
    pub(super) fn bit(
        &mut self,
        base: &'t Expr,
        index: &'t Expr,
        span: Span,
        context: Context,
    ) -> Lowered<Choices> {
        let base = self.choices(base, context)?;
        if let Choices::One(array) = base
            && matches!(array.ty, Ty::Array(_))
        {
            let index = self.value(index, context)?;
            return Ok(Choices::One(self.element_read(array, index, span)?));
        }
        let at = self.constant(index, context.scope)?;
        self.map(base, span, |lowering, value| {
            lowering.bits(value, at, at, span)
        })
    }

    fn arguments<const N: usize>(
        &mut self,
        arguments: &'t [Expr],
        span: Span,
    ) -> Lowered<&'t [Expr; N]> {
        arguments.try_into().map_err(|_| {
            let message = format!("{N} arguments are needed, {} are given", arguments.len());
            self.error(syntax::UNEXPECTED, span, message)
        })
    }

    pub(super) fn call(
        &mut self,
        function: Function,
        arguments: &'t [Expr],
        span: Span,
        context: Context,
    ) -> Lowered<Choices> {
        if function == Function::Count {
            let mut sum = self.integer(0).id;
            for argument in arguments {
                let condition = self.condition(argument, context)?;
                let one = self.convert(condition, Type::Mathint);
                sum = self.binary(Binary::Add, sum, one, Type::Mathint);
            }
            return Ok(Choices::One(Val {
                id: sum,
                ty: Ty::Int,
            }));
        }
        match function {
            Function::Min | Function::Max => {
                let [a, b] = self.arguments(arguments, span)?;
                let (a, b) = (self.value(a, context)?, self.value(b, context)?);
                if a.ty != b.ty || !matches!(a.ty, Ty::Int | Ty::Word { .. }) {
                    return Err(self.no_operator("min, max", a.ty, b.ty, span));
                }
                let less = self.less(Binary::Le, a, b);
                let (x, y) = if function == Function::Min {
                    (a.id, b.id)
                } else {
                    (b.id, a.id)
                };
                let id = self.if_then_else(less, x, y, Self::model_type(a.ty));
                Ok(Choices::One(Val { id, ty: a.ty }))
            }
            Function::Read => {
                let [array, index] = self.arguments(arguments, span)?;
                let (array, index) = (self.value(array, context)?, self.value(index, context)?);
                Ok(Choices::One(self.element_read(array, index, span)?))
            }
            Function::Write => {
                let [array, index, value] = self.arguments(arguments, span)?;
                let (array, index) = (self.value(array, context)?, self.value(index, context)?);
                let value = self.value(value, context)?;
                Ok(Choices::One(
                    self.element_written(array, index, value, span)?,
                ))
            }
            Function::UnsignedConst | Function::SignedConst => {
                let [value, width] = self.arguments(arguments, span)?;
                let value = self.constant(value, context.scope)?;
                let bits = self.width(width, context.scope)?;
                let signed = function == Function::SignedConst;
                Ok(Choices::One(self.word_constant(value.into(), bits, signed)))
            }
            Function::Extend | Function::Resize => {
                let [value, width] = self.arguments(arguments, span)?;
                let width = self.width(width, context.scope)?;
                let value = self.choices(value, context)?;
                self.map(value, span, |lowering, value| {
                    lowering.resize(function == Function::Extend, value, width, span)
                })
            }
            _ => {
                let [value] = self.arguments(arguments, span)?;
                let value = self.choices(value, context)?;
                self.map(value, span, |lowering, value| {
                    lowering.convert_by(function, value, span)
                })
            }
        }
    }

    pub(super) fn width(&mut self, expr: &'t Expr, scope: usize) -> Lowered<u16> {
        let bits = self.constant(expr, scope)?;
        match u16::try_from(bits) {
            Ok(bits @ 1..=MAX_BITS) => Ok(bits),
            _ => {
                let message = format!("a word of {bits} bits; 1 to {MAX_BITS} are possible");
                Err(self.error(rules::INFINITE, expr.span, message))
            }
        }
    }

    fn resize(&mut self, extend: bool, value: Val, width: u16, span: Span) -> Lowered<Val> {
        let Ty::Word { bits, signed } = value.ty else {
            return Err(self.wrong("extend, resize", value.ty, span));
        };
        let wanted = if extend {
            bits.saturating_add(width)
        } else {
            width
        };
        self.check_width(wanted, span)?;
        if signed && wanted < bits && wanted > 1 {
            // The sign stays.
            let sign = self.bits(value, i64::from(bits) - 1, i64::from(bits) - 1, span)?;
            let rest = self.bits(value, i64::from(wanted) - 2, 0, span)?;
            let joined = self.operator(BinaryOp::Concatenate, sign, rest, span)?;
            return Ok(self.as_signed(joined, wanted, true));
        }
        if is_wide(wanted) && wanted > bits {
            return Ok(self.wide_extension(value, wanted - bits));
        }
        if is_wide(bits) {
            let low = self.wide_bits(value, 0, wanted);
            return Ok(self.as_signed(low, wanted, signed));
        }
        Ok(self.word(value.id, wanted, signed))
    }

    fn convert_by(&mut self, function: Function, value: Val, span: Span) -> Lowered<Val> {
        let truth = |id| Val { id, ty: Ty::Bool };
        match (function, value.ty) {
            (Function::Abs, Ty::Int) => {
                let zero = self.integer(0);
                let negative = self.binary(Binary::Lt, value.id, zero.id, Type::Bool);
                let negated = self.unary(Unary::Neg, value);
                let id = self.if_then_else(negative, negated.id, value.id, Type::Mathint);
                Ok(Val { id, ty: Ty::Int })
            }
            (Function::Bool, Ty::Bool) | (Function::ToInt, Ty::Int) => Ok(value),
            (Function::Bool, Ty::Int | Ty::Word { bits: 1, .. }) => {
                Ok(truth(self.convert(value.id, Type::Bool)))
            }
            (Function::ToInt, Ty::Word { bits, .. }) if is_wide(bits) => {
                let message = format!("`toint` of a word of {bits} bits; 64 are possible");
                Err(self.error(rules::INFINITE, span, message))
            }
            (Function::ToInt, Ty::Bool | Ty::Word { .. }) => Ok(Val {
                id: self.convert(value.id, Type::Mathint),
                ty: Ty::Int,
            }),
            (Function::Word1, Ty::Bool) => Ok(self.word(value.id, 1, false)),
            (Function::Signed, Ty::Word { bits, .. }) => Ok(self.as_signed(value, bits, true)),
            (Function::Unsigned, Ty::Word { bits, .. }) => Ok(self.as_signed(value, bits, false)),
            (Function::SizeOf, Ty::Word { bits, .. }) => Ok(self.integer(bits.into())),
            (Function::SizeOf, _) => Ok(self.integer(1)),
            (function, ty) => {
                let name = match function {
                    Function::Abs => "abs",
                    Function::Bool => "bool",
                    Function::ToInt => "toint",
                    Function::Word1 => "word1",
                    Function::Signed => "signed",
                    _ => "unsigned",
                };
                Err(self.wrong(name, ty, span))
            }
        }
    }
}
