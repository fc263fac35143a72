//! Values, and what operations make of them.
//!
//! A value that is not followed is [`Value::Unknown`]: it may be anything, and something else at each reading. Whatever
//! is made of one that depends on it is unknown as well, and so is what no engine defines: a truth
//! value compared with a number, a sum of texts.

use std::cmp::Ordering;

/// A number that need not be whole, told apart from others by its bits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Real(u64);

impl Real {
    pub(crate) fn new(value: f64) -> Real {
        Real(value.to_bits())
    }

    pub(crate) fn get(self) -> f64 {
        f64::from_bits(self.0)
    }
}

impl PartialOrd for Real {
    fn partial_cmp(&self, other: &Real) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Real {
    fn cmp(&self, other: &Real) -> Ordering {
        self.get().total_cmp(&other.get())
    }
}

/// A value.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Value {
    Bool(bool),
    Int(i64),
    /// A double, with its infinities, its zeros and what is no number.
    Real(Real),
    Name(String),
    /// Any double from the first to the second one, and another one at each reading.
    Between(Real, Real),
    /// Anything.
    Unknown,
}

impl std::fmt::Display for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Value::Bool(value) => write!(f, "{value}"),
            Value::Int(value) => write!(f, "{value}"),
            Value::Real(value) => write!(f, "{:?}", value.get()),
            Value::Name(name) => f.write_str(name),
            Value::Between(low, high) => write!(f, "{:?} to {:?}", low.get(), high.get()),
            Value::Unknown => f.write_str("something else"),
        }
    }
}

impl Value {
    /// Any double between two; that one, if they are the same.
    pub(crate) fn between(low: f64, high: f64) -> Value {
        let (low, high) = (Real::new(low), Real::new(high));
        match low == high {
            true => Value::Real(low),
            false => Value::Between(low, high),
        }
    }

    /// As a variable holds it: it has one of few values, or anything.
    pub(crate) fn held(&self) -> Value {
        match self {
            Value::Between(..) => Value::Unknown,
            other => other.clone(),
        }
    }

    /// The least and the greatest double that it may be.
    fn bounds(&self) -> Option<(f64, f64)> {
        let (low, high) = match self {
            Value::Between(low, high) => (low.get(), high.get()),
            _ => (double(self)?, double(self)?),
        };
        (!low.is_nan() && !high.is_nan()).then_some((low, high))
    }
}

/// What is done with two values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Operation {
    Add,
    Sub,
    Mul,
    /// Towards zero, of whole numbers.
    Div,
    Rem,
    Min,
    Max,
    /// Bit by bit, of whole numbers; of truth values, as in logic.
    And,
    Or,
    Xor,
}

/// A number as a double, if every double of this size stands for one whole number.
fn double(value: &Value) -> Option<f64> {
    match value {
        #[expect(clippy::cast_precision_loss, reason = "it is small enough")]
        Value::Int(number) if number.unsigned_abs() <= 1 << 53 => Some(*number as f64),
        Value::Real(real) => Some(real.get()),
        _ => None,
    }
}

/// Whether two values are equal; none if that is not known.
pub(crate) fn equal(a: &Value, b: &Value) -> Option<bool> {
    match (a, b) {
        (Value::Bool(a), Value::Bool(b)) => Some(a == b),
        (Value::Int(a), Value::Int(b)) => Some(a == b),
        (Value::Name(a), Value::Name(b)) => Some(a == b),
        (Value::Between(..), _) | (_, Value::Between(..)) => {
            let ((a, most_a), (b, most_b)) = (a.bounds()?, b.bounds()?);
            (most_a < b || most_b < a).then_some(false)
        }
        // Zeros are equal, and what is no number equals nothing.
        _ => Some(double(a)? == double(b)?),
    }
}

/// Whether the first of two numbers is less; none if that is not known.
pub(crate) fn less(a: &Value, b: &Value) -> Option<bool> {
    match (a, b) {
        (Value::Between(..), _) | (_, Value::Between(..)) => {
            let ((a, most_a), (b, most_b)) = (a.bounds()?, b.bounds()?);
            let never = (a >= most_b).then_some(false);
            never.or((most_a < b).then_some(true))
        }
        _ => order(a, b).map(|(less, _)| less),
    }
}

/// Whether the first of two numbers is less than the second or equal; none if that is not known.
pub(crate) fn less_or_equal(a: &Value, b: &Value) -> Option<bool> {
    match (a, b) {
        (Value::Between(..), _) | (_, Value::Between(..)) => {
            let ((a, most_a), (b, most_b)) = (a.bounds()?, b.bounds()?);
            let always = (most_a <= b).then_some(true);
            always.or((a > most_b).then_some(false))
        }
        _ => order(a, b).map(|(_, less_or_equal)| less_or_equal),
    }
}

/// How two numbers are ordered: whether the first one is less, and whether it is less or equal.
/// None if that is not known.
fn order(a: &Value, b: &Value) -> Option<(bool, bool)> {
    match (a, b) {
        (Value::Int(a), Value::Int(b)) => Some((a < b, a <= b)),
        _ => {
            let (a, b) = (double(a)?, double(b)?);
            Some((a < b, a <= b))
        }
    }
}

/// What an operation makes of two values.
pub(crate) fn operate(operation: Operation, a: &Value, b: &Value) -> Value {
    known(operation, a, b).unwrap_or(Value::Unknown)
}

fn known(operation: Operation, a: &Value, b: &Value) -> Option<Value> {
    match (a, b) {
        (Value::Int(a), Value::Int(b)) => whole(operation, *a, *b).map(Value::Int),
        (Value::Bool(a), Value::Bool(b)) => match operation {
            Operation::And => Some(Value::Bool(*a && *b)),
            Operation::Or => Some(Value::Bool(*a || *b)),
            Operation::Xor => Some(Value::Bool(a != b)),
            _ => None,
        },
        // Mixed numbers are converted in some engines, and refused by others.
        (Value::Real(a), Value::Real(b)) => {
            let (a, b) = (a.get(), b.get());
            let value = match operation {
                Operation::Add => a + b,
                Operation::Sub => a - b,
                Operation::Mul => a * b,
                Operation::Div => a / b,
                Operation::Rem => a % b,
                // Of zeros of both signs engines differ.
                Operation::Min if a < b || b < a => a.min(b),
                Operation::Max if a < b || b < a => a.max(b),
                _ => return None,
            };
            Some(Value::Real(Real::new(value)))
        }
        (Value::Between(..), Value::Real(_) | Value::Between(..))
        | (Value::Real(_), Value::Between(..)) => interval(operation, a.bounds()?, b.bounds()?),
        _ => None,
    }
}

/// Between which doubles a result is. Rounding is monotone, so that the bounds are those of the engine
/// (Moore, Kearfott, Cloud: *Introduction to Interval Analysis*, 2009).
fn interval(operation: Operation, a: (f64, f64), b: (f64, f64)) -> Option<Value> {
    let (low, high) = match operation {
        Operation::Add => (a.0 + b.0, a.1 + b.1),
        Operation::Sub => (a.0 - b.1, a.1 - b.0),
        Operation::Mul => {
            let products = [a.0 * b.0, a.0 * b.1, a.1 * b.0, a.1 * b.1];
            if products.iter().any(|product| product.is_nan()) {
                return None;
            }
            let least = products.into_iter().fold(f64::INFINITY, f64::min);
            (
                least,
                products.into_iter().fold(f64::NEG_INFINITY, f64::max),
            )
        }
        Operation::Min => (a.0.min(b.0), a.1.min(b.1)),
        Operation::Max => (a.0.max(b.0), a.1.max(b.1)),
        _ => return None,
    };
    (!low.is_nan() && !high.is_nan()).then(|| Value::between(low, high))
}

fn whole(operation: Operation, a: i64, b: i64) -> Option<i64> {
    match operation {
        Operation::Add => a.checked_add(b),
        Operation::Sub => a.checked_sub(b),
        Operation::Mul => a.checked_mul(b),
        // By zero: an error in one engine, zero in another.
        Operation::Div => a.checked_div(b),
        Operation::Rem => a.checked_rem(b),
        Operation::Min => Some(a.min(b)),
        Operation::Max => Some(a.max(b)),
        Operation::And => Some(a & b),
        Operation::Or => Some(a | b),
        Operation::Xor => Some(a ^ b),
    }
}

/// A whole number as two's complement of 32 bits has it; other values as they are.
pub(crate) fn wrapped(value: &Value) -> Value {
    match value {
        #[expect(clippy::cast_possible_truncation, reason = "that is what wrapping is")]
        Value::Int(number) => Value::Int(i64::from(*number as i32)),
        other => other.clone(),
    }
}

/// Not, of truth values and of the bits of whole numbers.
pub(crate) fn complement(value: &Value) -> Value {
    match value {
        Value::Bool(value) => Value::Bool(!value),
        Value::Int(number) => Value::Int(!number),
        _ => Value::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn real(value: f64) -> Value {
        Value::Real(Real::new(value))
    }

    #[test]
    fn whole_numbers_wrap_where_the_engine_has_32_bits() {
        let most = Value::Int(i64::from(i32::MAX));
        let sum = operate(Operation::Add, &most, &Value::Int(1));
        assert_eq!(wrapped(&sum), Value::Int(i64::from(i32::MIN)));
        assert_eq!(
            operate(Operation::And, &Value::Int(1), &Value::Int(2)),
            Value::Int(0)
        );
        assert_eq!(complement(&Value::Int(0)), Value::Int(-1));
        let most = Value::Int(i64::MAX);
        assert_eq!(
            operate(Operation::Add, &most, &Value::Int(1)),
            Value::Unknown
        );
        assert_eq!(
            operate(Operation::Div, &Value::Int(1), &Value::Int(0)),
            Value::Unknown
        );
    }

    #[test]
    fn doubles_have_two_zeros_and_something_that_is_no_number() {
        assert_eq!(equal(&real(0.0), &real(-0.0)), Some(true));
        assert_ne!(real(0.0), real(-0.0), "as values they differ");
        assert_eq!(equal(&real(f64::NAN), &real(f64::NAN)), Some(false));
        assert_eq!(order(&real(f64::NAN), &Value::Int(1)), Some((false, false)));
        assert_eq!(
            operate(Operation::Div, &real(1.0), &real(0.0)),
            real(f64::INFINITY)
        );
        assert_eq!(
            operate(Operation::Min, &real(0.0), &real(-0.0)),
            Value::Unknown
        );
    }

    #[test]
    fn a_double_between_two_is_compared_as_far_as_its_bounds_say() {
        let some = Value::between(0.0, 1.0);
        assert_eq!(less_or_equal(&Value::Int(0), &some), Some(true));
        assert_eq!(less(&Value::Int(0), &some), None);
        assert_eq!(less(&some, &Value::Int(2)), Some(true));
        assert_eq!(less(&some, &Value::Int(0)), Some(false));
        assert_eq!(less_or_equal(&some, &real(0.5)), None);
        assert_eq!(equal(&some, &real(2.0)), Some(false));
        assert_eq!(equal(&some, &real(0.5)), None);
        assert_eq!(less(&some, &real(f64::NAN)), None);
        assert_eq!(Value::between(1.0, 1.0), real(1.0));
    }

    #[test]
    fn what_is_made_of_doubles_between_two_is_between_two() {
        let some = Value::between(-1.0, 3.0);
        let made = |operation| operate(operation, &some, &real(-2.0));
        assert_eq!(made(Operation::Add), Value::between(-3.0, 1.0));
        assert_eq!(made(Operation::Sub), Value::between(1.0, 5.0));
        assert_eq!(made(Operation::Mul), Value::between(-6.0, 2.0));
        assert_eq!(made(Operation::Max), some);
        assert_eq!(made(Operation::Div), Value::Unknown);
        let endless = operate(Operation::Mul, &some, &real(f64::INFINITY));
        assert_eq!(endless, Value::between(f64::NEG_INFINITY, f64::INFINITY));
        let zero = Value::between(0.0, 1.0);
        let made = operate(Operation::Mul, &zero, &real(f64::INFINITY));
        assert_eq!(made, Value::Unknown, "zero times that is no number");
        assert_eq!(some.held(), Value::Unknown);
    }

    #[test]
    fn values_of_different_kinds_are_not_compared() {
        assert_eq!(equal(&Value::Bool(true), &Value::Int(1)), None);
        assert_eq!(equal(&Value::Name("1".to_owned()), &Value::Int(1)), None);
        assert_eq!(equal(&Value::Unknown, &Value::Unknown), None);
        assert_eq!(order(&Value::Bool(false), &Value::Int(1)), None);
    }
}
