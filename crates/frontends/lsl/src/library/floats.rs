//! Arithmetic and comparison of floats, and of floats with integers.
//!
//! Temporaries are doubles; storing rounds to binary32. Dividing by zero is a run-time error, and
//! so is a division that gives no number (infinity by infinity).

use model::{Rich, RichTable, Value};

use super::entry::{Answer, MATH_ERROR, Stop};
use super::unknowns::SOMETHING;
use super::values::{flag, number, rounded};

fn operands(table: &RichTable, args: &[Value]) -> Answer<(f64, f64)> {
    // The right operand is evaluated first, but neither can fault here.
    Ok((number(table, &args[0])?, number(table, &args[1])?))
}

pub(super) fn add(table: &RichTable, args: &[Value]) -> Answer {
    let (a, b) = operands(table, args)?;
    Ok(table.float(a + b))
}

pub(super) fn subtract(table: &RichTable, args: &[Value]) -> Answer {
    let (a, b) = operands(table, args)?;
    Ok(table.float(a - b))
}

pub(super) fn multiply(table: &RichTable, args: &[Value]) -> Answer {
    let (a, b) = operands(table, args)?;
    Ok(table.float(a * b))
}

pub(super) fn divide(table: &RichTable, args: &[Value]) -> Answer {
    // A known zero is an error whatever is divided.
    let divisor = divisor(table, &args[1])?;
    let quotient = number(table, &args[0])? / divisor;
    if quotient.is_nan() {
        return Err(Stop::Fault(MATH_ERROR));
    }
    Ok(table.float(quotient))
}

/// A number to divide by.
pub(super) fn divisor(table: &RichTable, value: &Value) -> Answer<f64> {
    let divisor = number(table, value)?;
    if divisor == 0.0 {
        return Err(Stop::Fault(MATH_ERROR));
    }
    Ok(divisor)
}

pub(super) fn negate(table: &RichTable, args: &[Value]) -> Answer {
    Ok(table.float(-number(table, &args[0])?))
}

/// Rounds to binary32, as storing does; integers are converted and unknowns stay.
pub(super) fn store(table: &RichTable, args: &[Value]) -> Answer {
    Ok(rounded(table, &args[0]))
}

/// The least that a float can be, the greatest, and whether it stays below that; `None` if nothing
/// is known.
#[must_use]
pub fn bounds(table: &RichTable, value: &Value) -> Option<(f64, f64, bool)> {
    if let Ok(number) = number(table, value) {
        return (!number.is_nan()).then_some((number, number, false));
    }
    let Rich::Term { functor, args } = &*table.get(value.rich()) else {
        return None;
    };
    match (&**functor, &**args) {
        (SOMETHING, [_, _, least, below]) => {
            let (least, below) = (number(table, least).ok()?, number(table, below).ok()?);
            Some((least, below, true))
        }
        _ => None,
    }
}

/// Whether one number is less than another; what is no number is less than nothing.
fn is_less(table: &RichTable, a: &Value, b: &Value) -> Answer<bool> {
    if let (Ok(a), Ok(b)) = (number(table, a), number(table, b)) {
        return Ok(a < b);
    }
    let (Some(left), Some(right)) = (bounds(table, a), bounds(table, b)) else {
        return Err(Stop::Unknown);
    };
    if left.1 < right.0 || left.1 <= right.0 && left.2 {
        Ok(true)
    } else if left.0 >= right.1 {
        Ok(false)
    } else {
        Err(Stop::Unknown)
    }
}

fn is_equal(table: &RichTable, a: &Value, b: &Value) -> Answer<bool> {
    if let (Ok(a), Ok(b)) = (number(table, a), number(table, b)) {
        return Ok(a == b);
    }
    // Certainly apart?
    match (is_less(table, a, b), is_less(table, b, a)) {
        (Ok(true), _) | (_, Ok(true)) => Ok(false),
        _ => Err(Stop::Unknown),
    }
}

/// Whether one number is at most another. Of numbers that are known, what is none is not.
fn is_at_most(table: &RichTable, a: &Value, b: &Value) -> Answer<bool> {
    if let (Ok(a), Ok(b)) = (number(table, a), number(table, b)) {
        return Ok(a <= b);
    }
    if let (Some(left), Some(right)) = (bounds(table, a), bounds(table, b)) {
        if left.1 <= right.0 {
            return Ok(true);
        }
        if left.0 > right.1 || left.0 >= right.1 && right.2 {
            return Ok(false);
        }
    }
    Err(Stop::Unknown)
}

pub(super) fn equal(table: &RichTable, args: &[Value]) -> Answer {
    is_equal(table, &args[0], &args[1]).map(flag)
}

pub(super) fn unequal(table: &RichTable, args: &[Value]) -> Answer {
    is_equal(table, &args[0], &args[1]).map(|equal| flag(!equal))
}

pub(super) fn less(table: &RichTable, args: &[Value]) -> Answer {
    is_less(table, &args[0], &args[1]).map(flag)
}

pub(super) fn at_most(table: &RichTable, args: &[Value]) -> Answer {
    is_at_most(table, &args[0], &args[1]).map(flag)
}

pub(super) fn greater(table: &RichTable, args: &[Value]) -> Answer {
    is_less(table, &args[1], &args[0]).map(flag)
}

pub(super) fn at_least(table: &RichTable, args: &[Value]) -> Answer {
    is_at_most(table, &args[1], &args[0]).map(flag)
}

#[cfg(test)]
mod tests {
    use super::super::unknowns::between;
    use super::*;

    #[test]
    fn bounds_decide_some_comparisons() {
        let table = RichTable::default();
        let drawn = between(&table, "a random number", 0.0, 10.0);
        let number = |n: f64| table.float(n);
        type Compare = fn(&RichTable, &[Value]) -> Answer;
        let cases: [(Compare, f64, Answer); 8] = [
            (less, 10.0, Ok(flag(true))),
            (less, 9.0, Err(Stop::Unknown)),
            (greater, 10.0, Ok(flag(false))),
            (at_least, 10.0, Ok(flag(false))),
            (at_least, 0.0, Ok(flag(true))),
            (less, 0.0, Ok(flag(false))),
            (equal, 10.0, Ok(flag(false))),
            (equal, 5.0, Err(Stop::Unknown)),
        ];
        for (compare, other, expected) in cases {
            assert_eq!(
                compare(&table, &[drawn.clone(), number(other)]),
                expected,
                "{other}"
            );
        }
        assert_eq!(equal(&table, &[drawn.clone(), drawn]), Err(Stop::Unknown));
    }
}
