//! What operators give: one definition for the interpreter, and for passes and exports that
//! compute ahead of it.

use crate::expr::{Binary, Unary};
use crate::types::Type;
use crate::value::Value;

impl Unary {
    /// The result of type `ty`; `None` if it leaves 128 bits.
    #[must_use]
    pub fn apply(self, operand: &Value, ty: &Type) -> Option<Value> {
        Some(match self {
            Unary::Not => Value::Bool(!operand.truth()),
            Unary::Neg => Value::Int(ty.wrap(operand.number().checked_neg()?)),
            Unary::BitNot => Value::Int(ty.wrap(!operand.number())),
        })
    }
}

impl Binary {
    /// The result of type `ty`; `None` if there is none: the divisor is zero, the exact result
    /// leaves 128 bits, or a pointer is to be moved, which takes more than its value.
    #[must_use]
    pub fn apply(self, left: &Value, right: &Value, ty: &Type) -> Option<Value> {
        match self {
            Binary::Eq => return Some(Value::Bool(left == right)),
            Binary::Ne => return Some(Value::Bool(left != right)),
            Binary::And => return Some(Value::Bool(left.truth() && right.truth())),
            Binary::Or => return Some(Value::Bool(left.truth() || right.truth())),
            Binary::Lt => return Some(Value::Bool(left.number() < right.number())),
            Binary::Le => return Some(Value::Bool(left.number() <= right.number())),
            Binary::Offset => return None,
            _ => {}
        }
        if *ty == Type::Bool {
            let (a, b) = (left.truth(), right.truth());
            return Some(Value::Bool(match self {
                Binary::BitAnd => a & b,
                Binary::BitOr => a | b,
                Binary::BitXor => a ^ b,
                _ => return None,
            }));
        }
        let (a, b) = (left.number(), right.number());
        let exact = match self {
            Binary::Add => a.checked_add(b)?,
            Binary::Sub => a.checked_sub(b)?,
            // The lower bits are right in any case.
            Binary::Mul if matches!(ty, Type::Int { .. }) => a.wrapping_mul(b),
            Binary::Mul => a.checked_mul(b)?,
            Binary::Div => a.checked_div(b)?,
            Binary::Rem => a.checked_rem(b)?,
            Binary::BitAnd => a & b,
            Binary::BitOr => a | b,
            Binary::BitXor => a ^ b,
            Binary::Shl | Binary::Shr => {
                let Type::Int { bits, .. } = *ty else {
                    return None;
                };
                let count = b.rem_euclid(i128::from(bits));
                if self == Binary::Shl {
                    a << count
                } else {
                    a >> count
                }
            }
            _ => return None,
        };
        Some(Value::Int(ty.wrap(exact)))
    }
}

impl Value {
    /// A number or truth value as one of type `ty`.
    #[must_use]
    pub fn converted(&self, ty: &Type) -> Value {
        let number = self.number();
        if *ty == Type::Bool {
            Value::Bool(number != 0)
        } else {
            Value::Int(ty.wrap(number))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BYTE: Type = Type::Int {
        bits: 8,
        signed: true,
    };

    fn apply(op: Binary, a: i128, b: i128, ty: &Type) -> Option<i128> {
        let result = op.apply(&Value::Int(a), &Value::Int(b), ty)?;
        Some(result.number())
    }

    #[test]
    fn results_wrap_and_what_has_no_result_gives_none() {
        assert_eq!(apply(Binary::Add, 127, 1, &BYTE), Some(-128));
        assert_eq!(apply(Binary::Add, 127, 1, &Type::Mathint), Some(128));
        assert_eq!(apply(Binary::Rem, -7, 3, &BYTE), Some(-1));
        // The product of two large words leaves 128 bits.
        let word = Type::Int {
            bits: 64,
            signed: false,
        };
        let most = i128::from(u64::MAX);
        assert_eq!(apply(Binary::Mul, most, most, &word), Some(1));
        // Shifts count modulo the width, and a negative count goes round, too.
        assert_eq!(apply(Binary::Shl, 1, 9, &BYTE), Some(2));
        assert_eq!(apply(Binary::Shl, 1, -1, &BYTE), Some(-128));
        for (op, a, b) in [
            (Binary::Div, 1, 0),
            (Binary::Rem, 1, 0),
            (Binary::Div, i128::MIN, -1),
            (Binary::Mul, i128::MAX, 2),
        ] {
            assert_eq!(apply(op, a, b, &Type::Mathint), None, "{op:?}");
        }
        assert_eq!(Unary::Neg.apply(&Value::Int(i128::MIN), &BYTE), None);
        assert_eq!(
            Unary::Neg.apply(&Value::Int(-128), &BYTE),
            Some(Value::Int(-128))
        );
    }

    #[test]
    fn truth_values_convert_both_ways() {
        assert_eq!(Value::Int(256).converted(&Type::Bool), Value::Bool(true));
        assert_eq!(Value::Int(256).converted(&BYTE), Value::Int(0));
        assert_eq!(Value::Bool(true).converted(&BYTE), Value::Int(1));
    }
}
