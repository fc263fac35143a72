//! Mathematical functions of numbers. Parameters and results are binary32; where a result is no
//! number (the root of -1) Mono returns NaN, and only LSO, the older machine, raised an error.

use model::{RichTable, Value};

use super::entry::Answer;
use super::values::{int, integer, parameter, single};

/// A function of one float.
pub(super) fn map(table: &RichTable, args: &[Value], f: fn(f64) -> f64) -> Answer {
    Ok(single(table, f(parameter(table, &args[0])?)))
}

pub(super) fn abs(_: &RichTable, args: &[Value]) -> Answer {
    Ok(int(integer(&args[0]).wrapping_abs()))
}

pub(super) fn atan2(table: &RichTable, args: &[Value]) -> Answer {
    let y = parameter(table, &args[0])?;
    Ok(single(table, y.atan2(parameter(table, &args[1])?)))
}

pub(super) fn ceil(table: &RichTable, args: &[Value]) -> Answer {
    to_integer(table, args, f64::ceil)
}

pub(super) fn floor(table: &RichTable, args: &[Value]) -> Answer {
    to_integer(table, args, f64::floor)
}

/// Halves go up, also below zero.
pub(super) fn round(table: &RichTable, args: &[Value]) -> Answer {
    to_integer(table, args, |x| {
        super::values::round_to_single(x + 0.5).floor()
    })
}

fn to_integer(table: &RichTable, args: &[Value], f: fn(f64) -> f64) -> Answer {
    Ok(int(super::casts::truncate(f(parameter(table, &args[0])?))))
}

/// A logarithm; 0 where there is none.
pub(super) fn logarithm(value: f64, log: fn(f64) -> f64) -> f64 {
    if value > 0.0 { log(value) } else { 0.0 }
}

pub(super) fn power(table: &RichTable, args: &[Value]) -> Answer {
    let base = parameter(table, &args[0])?;
    let exponent = parameter(table, &args[1])?;
    let no_number =
        base.is_nan() || exponent.is_nan() || base.abs() == 1.0 && exponent.is_infinite();
    let power = if no_number {
        f64::NAN
    } else {
        base.powf(exponent)
    };
    // Never a negative zero.
    Ok(single(table, if power == 0.0 { 0.0 } else { power }))
}

/// `base` to the power of `exponent`, modulo `modulus`, all unsigned. Products are cut to 32 bits
/// before they are reduced.
pub(super) fn modular_power(_: &RichTable, args: &[Value]) -> Answer {
    let [base, mut exponent, modulus] = [0, 1, 2].map(|i: usize| integer(&args[i]).cast_unsigned());
    if modulus <= 1 {
        return Ok(int(0));
    }
    let mut power = 1_u32;
    let mut square = base;
    while exponent > 0 {
        if exponent & 1 == 1 {
            power = power.wrapping_mul(square) % modulus;
        }
        exponent >>= 1;
        square = square.wrapping_mul(square) % modulus;
    }
    Ok(int(power.cast_signed()))
}
