//! Sorting lists by blocks.
//!
//! Only elements of one type are compared; between different types, and between rotations, the
//! order stays undecided. What a mixed list then looks like depends on the algorithm, and scripts
//! see it: LSL exchanges each block with every later one that should come first. So does this.

use std::cmp::Ordering;

use model::{RichTable, Value};

use super::entry::Answer;
use super::list_slices::index;
use super::values::{
    element_type, element_value, elements, integer, list, number, text, vector_of,
};
use super::vectors::dot;
use crate::Type;

pub(super) fn sort(table: &RichTable, args: &[Value]) -> Answer {
    let ascending = integer(&args[2]) == 1;
    sorted(table, &args[0], integer(&args[1]), 0, ascending)
}

pub(super) fn sort_strided(table: &RichTable, args: &[Value]) -> Answer {
    let ascending = integer(&args[3]) == 1;
    sorted(
        table,
        &args[0],
        integer(&args[1]),
        integer(&args[2]),
        ascending,
    )
}

/// A list that is not made of whole blocks, or has no such element in a block, stays as it is.
fn sorted(
    table: &RichTable,
    unsorted: &Value,
    stride: i32,
    position: i32,
    ascending: bool,
) -> Answer {
    let mut all = elements(table, unsorted)?;
    let stride = usize::try_from(stride).unwrap_or(1).max(1);
    let Some(nth) = index(stride, position) else {
        return Ok(unsorted.clone());
    };
    if !all.len().is_multiple_of(stride) {
        return Ok(unsorted.clone());
    }
    for i in (0..all.len()).step_by(stride) {
        for j in (i + stride..all.len()).step_by(stride) {
            if greater(table, &all[i + nth], &all[j + nth])? == ascending {
                for k in 0..stride {
                    all.swap(i + k, j + k);
                }
            }
        }
    }
    Ok(list(table, all))
}

/// Whether `a` is greater than `b`: false if they are not comparable.
fn greater(table: &RichTable, a: &Value, b: &Value) -> Answer<bool> {
    let ty = element_type(table, a);
    if a == b || ty != element_type(table, b) {
        return Ok(false);
    }
    let (a, b) = (element_value(table, a), element_value(table, b));
    let floats = |a: f64, b: f64| a.partial_cmp(&b).unwrap_or(Ordering::Greater);
    let order = match ty {
        Type::Integer => a.number().cmp(&b.number()),
        Type::Float => floats(number(table, &a)?, number(table, &b)?),
        // Identities have an order too, which the world decides.
        Type::String | Type::Key => text(table, &a)?.cmp(&text(table, &b)?),
        Type::Vector => {
            let (a, b) = (vector_of(table, &a)?, vector_of(table, &b)?);
            floats(dot(a, a), dot(b, b))
        }
        Type::Rotation | Type::List => return Ok(false),
    };
    Ok(order == Ordering::Greater)
}
