//! Vectors: operators and library functions. Components are binary32; what lies between is
//! computed in doubles.

use model::{RichTable, Value};

use super::entry::Answer;
use super::floats::divisor;
use super::values::{flag, number, single, vector_from, vector_of};

/// A vector of numbers.
pub(super) type Triple = [f64; 3];

/// Applies `f` to each pair of components.
pub(super) fn zip<const N: usize>(
    a: [f64; N],
    b: [f64; N],
    f: impl Fn(f64, f64) -> f64,
) -> [f64; N] {
    std::array::from_fn(|i| f(a[i], b[i]))
}

/// The sum of the products of the components.
pub(super) fn dot<const N: usize>(a: [f64; N], b: [f64; N]) -> f64 {
    zip(a, b, |a, b| a * b).iter().sum()
}

/// The vector at right angles to both.
pub(super) fn cross(a: Triple, b: Triple) -> Triple {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

/// The vector of length one in the same direction; zero stays zero.
pub(super) fn normalize(v: Triple) -> Triple {
    let length = dot(v, v).sqrt();
    if length == 0.0 {
        v
    } else {
        v.map(|x| x / length)
    }
}

fn pair(table: &RichTable, args: &[Value]) -> Answer<(Triple, Triple)> {
    Ok((vector_of(table, &args[0])?, vector_of(table, &args[1])?))
}

pub(super) fn add(table: &RichTable, args: &[Value]) -> Answer {
    let (a, b) = pair(table, args)?;
    Ok(vector_from(table, zip(a, b, |a, b| a + b)))
}

pub(super) fn subtract(table: &RichTable, args: &[Value]) -> Answer {
    let (a, b) = pair(table, args)?;
    Ok(vector_from(table, zip(a, b, |a, b| a - b)))
}

pub(super) fn negate(table: &RichTable, args: &[Value]) -> Answer {
    Ok(vector_from(table, vector_of(table, &args[0])?.map(|x| -x)))
}

pub(super) fn dot_product(table: &RichTable, args: &[Value]) -> Answer {
    let (a, b) = pair(table, args)?;
    Ok(single(table, dot(a, b)))
}

pub(super) fn cross_product(table: &RichTable, args: &[Value]) -> Answer {
    let (a, b) = pair(table, args)?;
    Ok(vector_from(table, cross(a, b)))
}

pub(super) fn scale(table: &RichTable, args: &[Value]) -> Answer {
    let factor = number(table, &args[1])?;
    Ok(vector_from(
        table,
        vector_of(table, &args[0])?.map(|x| x * factor),
    ))
}

pub(super) fn scale_by_left(table: &RichTable, args: &[Value]) -> Answer {
    scale(table, &[args[1].clone(), args[0].clone()])
}

pub(super) fn divide(table: &RichTable, args: &[Value]) -> Answer {
    let divisor = divisor(table, &args[1])?;
    Ok(vector_from(
        table,
        vector_of(table, &args[0])?.map(|x| x / divisor),
    ))
}

pub(super) fn equal(table: &RichTable, args: &[Value]) -> Answer {
    let (a, b) = pair(table, args)?;
    Ok(flag(a == b))
}

pub(super) fn unequal(table: &RichTable, args: &[Value]) -> Answer {
    let (a, b) = pair(table, args)?;
    Ok(flag(a != b))
}

pub(super) fn magnitude(table: &RichTable, args: &[Value]) -> Answer {
    let v = vector_of(table, &args[0])?;
    Ok(single(table, dot(v, v).sqrt()))
}

pub(super) fn distance(table: &RichTable, args: &[Value]) -> Answer {
    let (a, b) = pair(table, args)?;
    let difference = zip(a, b, |a, b| a - b);
    Ok(single(table, dot(difference, difference).sqrt()))
}

pub(super) fn unit(table: &RichTable, args: &[Value]) -> Answer {
    Ok(vector_from(table, normalize(vector_of(table, &args[0])?)))
}

/// From linear light to the sRGB curve (IEC 61966-2-1).
pub(super) fn linear_to_srgb(table: &RichTable, args: &[Value]) -> Answer {
    let curve = |x: f64| {
        if x <= 0.003_130_8 {
            12.92 * x
        } else {
            1.055 * x.powf(1.0 / 2.4) - 0.055
        }
    };
    Ok(vector_from(table, vector_of(table, &args[0])?.map(curve)))
}

/// From the sRGB curve to linear light (IEC 61966-2-1).
pub(super) fn srgb_to_linear(table: &RichTable, args: &[Value]) -> Answer {
    let curve = |x: f64| {
        if x <= 0.040_45 {
            x / 12.92
        } else {
            ((x + 0.055) / 1.055).powf(2.4)
        }
    };
    Ok(vector_from(table, vector_of(table, &args[0])?.map(curve)))
}
