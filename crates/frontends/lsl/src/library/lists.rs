//! Lists: length, elements, parts. Positions count from 0, negative ones from the end; what is
//! not there is a default of the wanted type, never an error.

use model::{RichTable, Value};

use super::casts::{ZERO_ROTATION, cast, element_text};
use super::entry::{Answer, Stop};
use super::list_slices::{clamp, gather, index, left_out, offset, selected};
use super::values::{
    count, element_type, element_value, elements, int, integer, list, rotation_from, vector_from,
};
use crate::Type;

pub(super) fn length(table: &RichTable, args: &[Value]) -> Answer {
    Ok(count(elements(table, &args[0])?.len()))
}

/// The element that the second argument points at.
fn pointed_at(table: &RichTable, args: &[Value]) -> Answer<Option<(Type, Value)>> {
    let all = elements(table, &args[0])?;
    Ok(index(all.len(), integer(&args[1])).map(|i| (element_type(table, &all[i]), all[i].clone())))
}

/// Casts an element; it stays unknown if it is.
fn cast_element(table: &RichTable, ty: Type, element: &Value, to: Type) -> Answer {
    let entry = cast(ty, to).expect("strings and numbers cast to numbers");
    let value = [element_value(table, element)];
    if (entry.determined)(table, &value) != Ok(Value::Bool(true)) {
        return Err(Stop::Unknown);
    }
    (entry.eval)(table, &value).map_err(Stop::Fault)
}

/// Numbers and strings are cast; anything else, keys too, is 0.
pub(super) fn integer_at(table: &RichTable, args: &[Value]) -> Answer {
    match pointed_at(table, args)? {
        Some((ty @ (Type::Integer | Type::Float | Type::String), element)) => {
            cast_element(table, ty, &element, Type::Integer)
        }
        _ => Ok(int(0)),
    }
}

/// Numbers and strings are cast; anything else, keys too, is 0.
pub(super) fn float_at(table: &RichTable, args: &[Value]) -> Answer {
    match pointed_at(table, args)? {
        Some((Type::Float, element)) => Ok(element_value(table, &element)),
        Some((ty @ (Type::Integer | Type::String), element)) => {
            cast_element(table, ty, &element, Type::Float)
        }
        _ => Ok(table.float(0.0)),
    }
}

/// Every element is cast.
pub(super) fn string_at(table: &RichTable, args: &[Value]) -> Answer {
    Ok(match pointed_at(table, args)? {
        Some((_, element)) => element_text(table, &element),
        None => table.text(""),
    })
}

/// Keys and strings; anything else is the empty key, which is not `NULL_KEY`.
pub(super) fn key_at(table: &RichTable, args: &[Value]) -> Answer {
    Ok(match pointed_at(table, args)? {
        Some((Type::Key | Type::String, element)) => element_value(table, &element),
        _ => table.text(""),
    })
}

/// Vectors only: text is not cast.
pub(super) fn vector_at(table: &RichTable, args: &[Value]) -> Answer {
    Ok(match pointed_at(table, args)? {
        Some((Type::Vector, element)) => element_value(table, &element),
        _ => vector_from(table, [0.0; 3]),
    })
}

/// Rotations only: text is not cast.
pub(super) fn rotation_at(table: &RichTable, args: &[Value]) -> Answer {
    Ok(match pointed_at(table, args)? {
        Some((Type::Rotation, element)) => element_value(table, &element),
        _ => rotation_from(table, ZERO_ROTATION),
    })
}

/// `TYPE_INTEGER` is 1, then float, string, key, vector, rotation; `TYPE_INVALID` is 0.
pub(super) fn entry_type(table: &RichTable, args: &[Value]) -> Answer {
    Ok(int(match pointed_at(table, args)? {
        None | Some((Type::List, _)) => 0,
        Some((Type::Integer, _)) => 1,
        Some((Type::Float, _)) => 2,
        Some((Type::String, _)) => 3,
        Some((Type::Key, _)) => 4,
        Some((Type::Vector, _)) => 5,
        Some((Type::Rotation, _)) => 6,
    }))
}

pub(super) fn sub_list(table: &RichTable, args: &[Value]) -> Answer {
    let all = elements(table, &args[0])?;
    let ranges = selected(all.len(), integer(&args[1]), integer(&args[2]));
    Ok(list(table, gather(&all, ranges)))
}

pub(super) fn delete_sub_list(table: &RichTable, args: &[Value]) -> Answer {
    let all = elements(table, &args[0])?;
    let ranges = left_out(all.len(), integer(&args[1]), integer(&args[2]));
    Ok(list(table, gather(&all, ranges)))
}

pub(super) fn insert(table: &RichTable, args: &[Value]) -> Answer {
    let mut all = elements(table, &args[0])?;
    let inserted = elements(table, &args[1])?;
    let at = clamp(all.len(), offset(all.len(), integer(&args[2])));
    all.splice(at..at, inserted);
    Ok(list(table, all))
}

/// Replaces a range. Where the range excludes its inside, the ends go and the new elements come
/// last; a start before the list drops the new elements.
pub(super) fn replace(table: &RichTable, args: &[Value]) -> Answer {
    let all = elements(table, &args[0])?;
    let (start, end) = (integer(&args[2]), integer(&args[3]));
    let new = if offset(all.len(), start) < 0 {
        Vec::new()
    } else {
        elements(table, &args[1])?
    };
    let [before, after] = left_out(all.len(), start, end);
    let mut result = all[before].to_vec();
    result.extend(new);
    result.extend_from_slice(&all[after]);
    Ok(list(table, result))
}

/// The first of every `stride` elements, counted from the start of the list, within the range.
/// An exclusion range means the whole list.
pub(super) fn strided(table: &RichTable, args: &[Value]) -> Answer {
    let all = elements(table, &args[0])?;
    let stride = match integer(&args[3]).unsigned_abs() {
        0 => 1,
        n => usize::try_from(n).unwrap_or(usize::MAX),
    };
    let first = offset(all.len(), integer(&args[1]));
    let last = offset(all.len(), integer(&args[2]));
    let range = if first > last {
        0..all.len()
    } else {
        clamp(all.len(), first)..clamp(all.len(), last + 1)
    };
    let taken: Vec<Value> = (0..all.len())
        .step_by(stride)
        .filter(|i| range.contains(i))
        .map(|i| all[i].clone())
        .collect();
    Ok(list(table, taken))
}

/// Of the range, one element of every stride; nothing for a stride below one or an element
/// outside it.
pub(super) fn slice(table: &RichTable, args: &[Value]) -> Answer {
    let all = elements(table, &args[0])?;
    let range = selected(all.len(), integer(&args[1]), integer(&args[2]));
    let stride = usize::try_from(integer(&args[3])).unwrap_or(0);
    let taken = match index(stride, integer(&args[4])) {
        Some(nth) => gather(&all, range)
            .into_iter()
            .skip(nth)
            .step_by(stride)
            .collect(),
        None => Vec::new(),
    };
    Ok(list(table, taken))
}
