//! Arithmetic and comparison of floats, and of floats with integers.
//!
//! Temporaries are doubles; storing rounds to binary32. Dividing by zero is a run-time error, and
//! so is a division that gives no number (infinity by infinity).

use model::{RichTable, Value};

use super::entry::{Answer, MATH_ERROR, Stop};
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

pub(super) fn equal(table: &RichTable, args: &[Value]) -> Answer {
    compare(table, args, |a, b| a == b)
}

pub(super) fn unequal(table: &RichTable, args: &[Value]) -> Answer {
    compare(table, args, |a, b| a != b)
}

pub(super) fn less(table: &RichTable, args: &[Value]) -> Answer {
    compare(table, args, |a, b| a < b)
}

pub(super) fn at_most(table: &RichTable, args: &[Value]) -> Answer {
    compare(table, args, |a, b| a <= b)
}

pub(super) fn greater(table: &RichTable, args: &[Value]) -> Answer {
    compare(table, args, |a, b| a > b)
}

pub(super) fn at_least(table: &RichTable, args: &[Value]) -> Answer {
    compare(table, args, |a, b| a >= b)
}

fn compare(table: &RichTable, args: &[Value], test: fn(f64, f64) -> bool) -> Answer {
    let (a, b) = operands(table, args)?;
    Ok(flag(test(a, b)))
}
