//! Constants: numbers, texts, and expressions that are computed while the program is read.

use lang_c::ast::{
    BinaryOperator, Constant, Expression, IntegerBase, IntegerSize, StringLiteral, UnaryOperator,
};
use lang_c::span::Node;

use crate::ctype::CType;

use super::{Lowering, Symbol};

/// An integer constant and its type; none for floating-point numbers.
pub(super) fn literal(constant: &Constant) -> Option<(i128, CType)> {
    match constant {
        Constant::Integer(integer) => {
            let (radix, decimal) = match integer.base {
                IntegerBase::Decimal => (10, true),
                IntegerBase::Octal => (8, false),
                IntegerBase::Hexadecimal => (16, false),
                IntegerBase::Binary => (2, false),
            };
            let digits = match integer.number.is_empty() {
                true => "0",
                false => &integer.number,
            };
            let value = i128::from_str_radix(digits, radix).ok()?;
            let narrow = matches!(integer.suffix.size, IntegerSize::Int);
            let types = [CType::INT, CType::UINT, CType::LONG, CType::ULONG];
            let ty = types.into_iter().find(|ty| {
                let CType::Int { bits, signed } = *ty else {
                    return false;
                };
                let unsigned = integer.suffix.unsigned;
                let suits = !(unsigned && signed) && (signed || unsigned || !decimal);
                let (_, most) = ty.values().and_then(|ty| ty.bounds()).unwrap_or((0, 0));
                suits && (narrow || bits == 64) && value <= most
            })?;
            Some((value, ty))
        }
        Constant::Character(text) => {
            let inner = text.strip_prefix('\'')?.strip_suffix('\'')?;
            match crate::literal::bytes(inner)?.as_slice() {
                [one] => Some((i128::from(one.cast_signed()), CType::INT)),
                _ => None,
            }
        }
        Constant::Float(_) => None,
    }
}

/// The bytes of a string literal, without the zero at the end; none for wide characters.
pub(super) fn text(parts: &StringLiteral) -> Option<Vec<u8>> {
    let mut all = Vec::new();
    for part in parts {
        let inner = part.strip_prefix("u8").unwrap_or(part);
        let inner = inner.strip_prefix('"')?.strip_suffix('"')?;
        all.extend(crate::literal::bytes(inner)?);
    }
    Some(all)
}

impl Lowering<'_> {
    /// The value of an expression that is computed while the program is read, in 64 bits.
    pub(super) fn constant_value(&mut self, node: &Node<Expression>) -> Option<i128> {
        source::limits::check();
        let value = match &node.node {
            Expression::Constant(constant) => literal(&constant.node)?.0,
            Expression::Identifier(identifier) => match self.lookup(&identifier.node.name)? {
                Symbol::Constant(value) => *value,
                _ => return None,
            },
            Expression::UnaryOperator(unary) => {
                let value = self.constant_value(&unary.node.operand)?;
                match unary.node.operator.node {
                    UnaryOperator::Minus => -value,
                    UnaryOperator::Plus => value,
                    UnaryOperator::Complement => !value,
                    UnaryOperator::Negate => i128::from(value == 0),
                    _ => return None,
                }
            }
            Expression::BinaryOperator(binary) => {
                let a = self.constant_value(&binary.node.lhs)?;
                let b = self.constant_value(&binary.node.rhs)?;
                let shift = u32::try_from(b).ok().filter(|&by| by < 64);
                match binary.node.operator.node {
                    BinaryOperator::Plus => a + b,
                    BinaryOperator::Minus => a - b,
                    BinaryOperator::Multiply => a.checked_mul(b)?,
                    BinaryOperator::Divide => a.checked_div(b)?,
                    BinaryOperator::Modulo => a.checked_rem(b)?,
                    BinaryOperator::ShiftLeft => a.checked_shl(shift?)?,
                    BinaryOperator::ShiftRight => a >> shift?,
                    BinaryOperator::BitwiseAnd => a & b,
                    BinaryOperator::BitwiseOr => a | b,
                    BinaryOperator::BitwiseXor => a ^ b,
                    BinaryOperator::Less => i128::from(a < b),
                    BinaryOperator::Greater => i128::from(a > b),
                    BinaryOperator::LessOrEqual => i128::from(a <= b),
                    BinaryOperator::GreaterOrEqual => i128::from(a >= b),
                    BinaryOperator::Equals => i128::from(a == b),
                    BinaryOperator::NotEquals => i128::from(a != b),
                    BinaryOperator::LogicalAnd => i128::from(a != 0 && b != 0),
                    BinaryOperator::LogicalOr => i128::from(a != 0 || b != 0),
                    _ => return None,
                }
            }
            Expression::Conditional(conditional) => {
                match self.constant_value(&conditional.node.condition)? {
                    0 => self.constant_value(&conditional.node.else_expression)?,
                    _ => self.constant_value(&conditional.node.then_expression)?,
                }
            }
            Expression::Cast(cast) => {
                let ty = self.type_name(&cast.node.type_name.node);
                let value = self.constant_value(&cast.node.expression)?;
                ty.values().filter(|_| ty.is_integer())?.wrap(value)
            }
            Expression::SizeOfTy(of) => {
                let ty = self.type_name(&of.node.0.node);
                i128::from(self.records.size(&ty)?.0)
            }
            Expression::SizeOfVal(of) => {
                let ty = self.type_of(&of.node.0);
                i128::from(self.records.size(&ty)?.0)
            }
            _ => return None,
        };
        // What does not fit 64 bits is no constant of C.
        (-(1i128 << 63)..1 << 64).contains(&value).then_some(value)
    }
}
