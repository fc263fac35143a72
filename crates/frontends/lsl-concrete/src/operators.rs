//! Operators, casts and truth on concrete values.
//!
//! Integers and texts are computed here; what meets a float, vector, rotation or list is asked of
//! the front end's pure functions.

use lsl::Type;
use lsl::ast::{BinaryOp, UnaryOp};
use lsl::library;

use crate::value::{Fault, NULL_KEY, Value, apply};

/// `left op right`.
///
/// # Errors
/// Division by zero.
pub(crate) fn binary(op: BinaryOp, left: &Value, right: &Value) -> Result<Value, Fault> {
    match (left, right) {
        (Value::Integer(a), Value::Integer(b)) => integers(op, *a, *b),
        (Value::Number(a), Value::Number(b)) => Ok(numbers(op, *a, *b)),
        (Value::Number(a), Value::Integer(b)) => Ok(numbers(op, *a, (*b).into())),
        (Value::Integer(a), Value::Number(b)) => Ok(numbers(op, (*a).into(), *b)),
        (Value::Text(a) | Value::Key(a), Value::Text(b) | Value::Key(b)) => Ok(match op {
            BinaryOp::Equal => Value::flag(a == b),
            BinaryOp::NotEqual => Value::flag(a != b),
            _ => Value::Text(format!("{a}{b}").into()),
        }),
        _ => {
            let entry = library::binary(op.symbol(), left.ty(), right.ty());
            let value = match entry {
                Some(entry) => apply(entry, &[left.clone(), right.clone()])?,
                None => None,
            };
            Ok(value.unwrap_or(Value::Integer(0)))
        }
    }
}

fn integers(op: BinaryOp, a: i32, b: i32) -> Result<Value, Fault> {
    #[expect(
        clippy::cast_sign_loss,
        reason = "counts of shifts are taken modulo 32"
    )]
    let count = b as u32 & 31;
    Ok(Value::Integer(match op {
        BinaryOp::Add => a.wrapping_add(b),
        BinaryOp::Subtract => a.wrapping_sub(b),
        BinaryOp::Multiply => a.wrapping_mul(b),
        BinaryOp::Divide | BinaryOp::Remainder if b == 0 => return Err(Fault::Math),
        BinaryOp::Divide => a.wrapping_div(b),
        BinaryOp::Remainder => a.wrapping_rem(b),
        BinaryOp::ShiftLeft => a.wrapping_shl(count),
        BinaryOp::ShiftRight => a.wrapping_shr(count),
        BinaryOp::Less => i32::from(a < b),
        BinaryOp::LessEqual => i32::from(a <= b),
        BinaryOp::Greater => i32::from(a > b),
        BinaryOp::GreaterEqual => i32::from(a >= b),
        BinaryOp::Equal => i32::from(a == b),
        BinaryOp::NotEqual => i32::from(a != b),
        BinaryOp::BitAnd => a & b,
        BinaryOp::BitXor => a ^ b,
        BinaryOp::BitOr => a | b,
        BinaryOp::And => i32::from(a != 0 && b != 0),
        BinaryOp::Or => i32::from(a != 0 || b != 0),
    }))
}

/// Mathematical integers: a property is a spectator, so division by zero is 0.
fn numbers(op: BinaryOp, a: i128, b: i128) -> Value {
    let count = u32::try_from(b & 31).unwrap_or(0);
    Value::Number(match op {
        BinaryOp::Add => a.saturating_add(b),
        BinaryOp::Subtract => a.saturating_sub(b),
        BinaryOp::Multiply => a.saturating_mul(b),
        BinaryOp::Divide => a.checked_div(b).unwrap_or(0),
        BinaryOp::Remainder => a.checked_rem(b).unwrap_or(0),
        BinaryOp::ShiftLeft => a.wrapping_shl(count),
        BinaryOp::ShiftRight => a.wrapping_shr(count),
        BinaryOp::BitAnd => a & b,
        BinaryOp::BitXor => a ^ b,
        BinaryOp::BitOr => a | b,
        BinaryOp::Less => return Value::flag(a < b),
        BinaryOp::LessEqual => return Value::flag(a <= b),
        BinaryOp::Greater => return Value::flag(a > b),
        BinaryOp::GreaterEqual => return Value::flag(a >= b),
        BinaryOp::Equal => return Value::flag(a == b),
        BinaryOp::NotEqual => return Value::flag(a != b),
        BinaryOp::And => return Value::flag(a != 0 && b != 0),
        BinaryOp::Or => return Value::flag(a != 0 || b != 0),
    })
}

/// `op operand`.
///
/// # Errors
/// None that is known; the front end's functions say.
pub(crate) fn unary(op: UnaryOp, operand: &Value) -> Result<Value, Fault> {
    Ok(match (op, operand) {
        (UnaryOp::Negate, Value::Integer(n)) => Value::Integer(n.wrapping_neg()),
        (UnaryOp::Negate, Value::Number(n)) => Value::Number(-n),
        (UnaryOp::BitNot, Value::Integer(n)) => Value::Integer(!n),
        (UnaryOp::BitNot, Value::Number(n)) => Value::Number(!n),
        (UnaryOp::Not, other) => Value::flag(!truth(other)),
        (_, other) => {
            let entry = library::unary(op.symbol(), other.ty());
            let value = match entry {
                Some(entry) => apply(entry, std::slice::from_ref(other))?,
                None => None,
            };
            value.unwrap_or(Value::Integer(0))
        }
    })
}

/// `(to)value`.
///
/// # Errors
/// What the front end's functions say.
pub(crate) fn cast(to: Type, value: &Value) -> Result<Value, Fault> {
    if value.ty() == to {
        return Ok(value.clone());
    }
    match (value, to) {
        (Value::Text(_) | Value::Key(_), Type::String | Type::Key)
        | (Value::Integer(_), Type::Float) => Ok(value.clone().converted(to)),
        (Value::Integer(n), Type::String) => Ok(Value::text(&n.to_string())),
        _ => {
            let cast = match library::cast(value.ty(), to) {
                Some(entry) => apply(entry, std::slice::from_ref(value))?,
                None => None,
            };
            Ok(cast.unwrap_or_else(|| Value::default_of(to)))
        }
    }
}

/// Whether the value is true as a condition.
pub(crate) fn truth(value: &Value) -> bool {
    match value {
        Value::Integer(n) => *n != 0,
        Value::Number(n) => *n != 0,
        Value::Float(number) => *number != 0.0,
        Value::Text(text) => !text.is_empty(),
        Value::Key(text) => is_uuid(text) && &**text != NULL_KEY,
        Value::Vector(parts) => *parts != [0.0; 3],
        Value::Rotation(parts) => *parts != [0.0, 0.0, 0.0, 1.0],
        Value::List(elements) => !elements.is_empty(),
    }
}

/// Whether a text is 36 characters of hexadecimal digits with hyphens in four places.
pub(crate) fn is_uuid(text: &str) -> bool {
    text.len() == 36
        && text.bytes().enumerate().all(|(index, byte)| {
            if matches!(index, 8 | 13 | 18 | 23) {
                byte == b'-'
            } else {
                byte.is_ascii_hexdigit()
            }
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn integer(op: BinaryOp, a: i32, b: i32) -> Result<i32, Fault> {
        binary(op, &Value::Integer(a), &Value::Integer(b)).map(|value| value.integer())
    }

    #[test]
    fn integers_wrap_and_shifts_count_modulo_32() {
        assert_eq!(integer(BinaryOp::Add, i32::MAX, 1), Ok(i32::MIN));
        assert_eq!(integer(BinaryOp::Divide, i32::MIN, -1), Ok(i32::MIN));
        assert_eq!(integer(BinaryOp::Remainder, -7, 3), Ok(-1));
        assert_eq!(integer(BinaryOp::ShiftLeft, 1, 33), Ok(2));
        assert_eq!(integer(BinaryOp::Divide, 1, 0), Err(Fault::Math));
    }

    #[test]
    fn keys_are_true_if_they_are_keys() {
        assert!(!truth(&Value::key(NULL_KEY)));
        assert!(truth(&Value::text(NULL_KEY)));
        assert!(!truth(&Value::key("bob")));
        assert!(truth(&Value::key("0a1b2c3d-0000-0000-0000-00000000000f")));
    }

    #[test]
    fn ghosts_do_not_overflow() {
        let sum = binary(
            BinaryOp::Add,
            &Value::Number(i32::MAX.into()),
            &Value::Integer(1),
        );
        assert_eq!(sum.expect("no fault").to_string(), "2147483648");
    }
}
