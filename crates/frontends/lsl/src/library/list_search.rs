//! Finding elements in a list. Types must match: the integer 1 is not the float 1.0, and a key
//! is not a string with the same letters.

use model::{RichTable, Value};

use super::entry::{Answer, Stop};
use super::list_slices::offset;
use super::sameness::same;
use super::values::{
    count, element_type, element_value, elements, int, integer, number, rotation_of, vector_of,
};
use crate::Type;

/// Whether two elements are equal.
fn matches(table: &RichTable, a: &Value, b: &Value) -> Answer<bool> {
    let ty = element_type(table, a);
    if ty != element_type(table, b) {
        return Ok(false);
    }
    let (a, b) = (&element_value(table, a), &element_value(table, b));
    match ty {
        Type::Integer => Ok(a == b),
        Type::String | Type::Key | Type::List => same(table, a, b).ok_or(Stop::Unknown),
        Type::Float => same_number(table, a, b),
        Type::Vector => same_numbers(&vector_of(table, a)?, &vector_of(table, b)?),
        Type::Rotation => same_numbers(&rotation_of(table, a)?, &rotation_of(table, b)?),
    }
}

/// Zeros of either sign are equal, and what is no number is equal to itself.
fn same_number(table: &RichTable, a: &Value, b: &Value) -> Answer<bool> {
    same_numbers(&[number(table, a)?], &[number(table, b)?])
}

fn same_numbers(a: &[f64], b: &[f64]) -> Answer<bool> {
    Ok(a.iter()
        .zip(b)
        .all(|(a, b)| a == b || a.is_nan() && b.is_nan()))
}

/// Whether the wanted elements stand at a place. One that certainly differs decides it.
fn found_at(table: &RichTable, all: &[Value], wanted: &[Value], at: usize) -> Answer<bool> {
    let Some(window) = all[at..].get(..wanted.len()) else {
        return Ok(false);
    };
    let mut open = false;
    for (a, b) in window.iter().zip(wanted) {
        match matches(table, a, b) {
            Ok(true) => {}
            Ok(false) => return Ok(false),
            Err(_) => open = true,
        }
    }
    if open { Err(Stop::Unknown) } else { Ok(true) }
}

/// The first of some places where the wanted elements stand one after the other; no elements stand
/// anywhere. `skip` more are passed over.
fn first(
    table: &RichTable,
    all: &[Value],
    wanted: &[Value],
    places: impl Iterator<Item = usize>,
    mut skip: usize,
) -> Answer<Option<usize>> {
    for at in places {
        if found_at(table, all, wanted, at)? {
            if skip == 0 {
                return Ok(Some(at));
            }
            skip -= 1;
        }
    }
    Ok(None)
}

fn position(found: Option<usize>) -> Value {
    found.map_or(int(-1), count)
}

pub(super) fn find(table: &RichTable, args: &[Value]) -> Answer {
    let (all, wanted) = (elements(table, &args[0])?, elements(table, &args[1])?);
    let places = 0..=all.len();
    Ok(position(first(table, &all, &wanted, places, 0)?))
}

/// The place of the n-th occurrence; negative ones count from the last.
pub(super) fn find_nth(table: &RichTable, args: &[Value]) -> Answer {
    let (all, wanted) = (elements(table, &args[0])?, elements(table, &args[1])?);
    let places = 0..=all.len();
    let instance = integer(&args[2]);
    let steps = |n: u32| usize::try_from(n).unwrap_or(usize::MAX);
    Ok(position(match u32::try_from(instance) {
        Ok(n) => first(table, &all, &wanted, places, steps(n))?,
        Err(_) => {
            let from_the_last = steps(instance.unsigned_abs() - 1);
            first(table, &all, &wanted, places.rev(), from_the_last)?
        }
    }))
}

/// The first occurrence that lies wholly within the range and a whole number of strides after
/// its start.
pub(super) fn find_strided(table: &RichTable, args: &[Value]) -> Answer {
    let (all, wanted) = (elements(table, &args[0])?, elements(table, &args[1])?);
    if wanted.is_empty() {
        return Ok(int(0));
    }
    let start = offset(all.len(), integer(&args[2]));
    let last = offset(all.len(), integer(&args[3]));
    let (Ok(start), Ok(last)) = (usize::try_from(start), usize::try_from(last)) else {
        return Ok(int(-1));
    };
    let stride = usize::try_from(integer(&args[4])).unwrap_or(1).max(1);
    let last = last.min(all.len().saturating_sub(1));
    let places = (start..all.len())
        .step_by(stride)
        .filter(|at| at + wanted.len() <= last + 1);
    let found = first(table, &all, &wanted, places, 0)?;
    Ok(position(found))
}
