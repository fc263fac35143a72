//! Finding elements in a list. Types must match: the integer 1 is not the float 1.0, and a key
//! is not a string with the same letters.

use model::{RichTable, Value};

use super::entry::Answer;
use super::list_slices::offset;
use super::values::{count, element_type, element_value, elements, int, integer, number};
use crate::Type;

/// Whether two elements are equal. Unknown ones equal themselves.
fn matches(table: &RichTable, a: &Value, b: &Value) -> bool {
    if a == b {
        return true;
    }
    // Structure tells all kinds of values apart, except zeros of different sign.
    let ty = element_type(table, a);
    ty == element_type(table, b)
        && match ty {
            Type::Float => same_number(table, &element_value(table, a), &element_value(table, b)),
            Type::Vector | Type::Rotation => same_components(table, a, b),
            _ => false,
        }
}

fn same_number(table: &RichTable, a: &Value, b: &Value) -> bool {
    matches!((number(table, a), number(table, b)), (Ok(a), Ok(b)) if a == b || a.is_nan() && b.is_nan())
}

fn same_components(table: &RichTable, a: &Value, b: &Value) -> bool {
    use model::Rich::Term;
    let (a, b) = (element_value(table, a), element_value(table, b));
    match (&*table.get(a.rich()), &*table.get(b.rich())) {
        (
            Term { functor, args },
            Term {
                functor: other,
                args: others,
            },
        ) => {
            functor == other
                && args.len() == others.len()
                && functor.as_ref() != super::unknowns::UNKNOWN
                && args
                    .iter()
                    .zip(others)
                    .all(|(a, b)| a == b || same_number(table, a, b))
        }
        _ => false,
    }
}

fn found_at(table: &RichTable, all: &[Value], wanted: &[Value], at: usize) -> bool {
    all[at..]
        .get(..wanted.len())
        .is_some_and(|window| window.iter().zip(wanted).all(|(a, b)| matches(table, a, b)))
}

/// The places where the wanted elements stand one after the other; no elements stand anywhere.
fn places<'a>(
    table: &'a RichTable,
    all: &'a [Value],
    wanted: &'a [Value],
) -> impl DoubleEndedIterator<Item = usize> + 'a {
    (0..=all.len()).filter(move |at| found_at(table, all, wanted, *at))
}

fn position(found: Option<usize>) -> Value {
    found.map_or(int(-1), count)
}

pub(super) fn find(table: &RichTable, args: &[Value]) -> Answer {
    let (all, wanted) = (elements(table, &args[0])?, elements(table, &args[1])?);
    Ok(position(places(table, &all, &wanted).next()))
}

/// The place of the n-th occurrence; negative ones count from the last.
pub(super) fn find_nth(table: &RichTable, args: &[Value]) -> Answer {
    let (all, wanted) = (elements(table, &args[0])?, elements(table, &args[1])?);
    let mut places = places(table, &all, &wanted);
    let instance = integer(&args[2]);
    let steps = |n: u32| usize::try_from(n).unwrap_or(usize::MAX);
    Ok(position(match u32::try_from(instance) {
        Ok(n) => places.nth(steps(n)),
        Err(_) => places.nth_back(steps(instance.unsigned_abs() - 1)),
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
    let found = (start..all.len())
        .step_by(stride)
        .find(|at| at + wanted.len() <= last + 1 && found_at(table, &all, &wanted, *at));
    Ok(position(found))
}
