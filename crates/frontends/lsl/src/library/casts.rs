//! Casts between the seven types.

use model::{RichTable, Value};

use super::entry::{Answer, PureEntry, entry};
use super::numerals;
use super::text_format::{bracketed, components, fixed};
use super::unknowns::{TextBuilder, unknown};
use super::values::{
    element, element_type, element_value, elements, int, list, number, rotation_from, rotation_of,
    single, text, vector_from, vector_of,
};
use crate::Type;

/// The cast from one type to another; `None` if LSL has none. A type casts to itself.
#[must_use]
pub fn cast(from: Type, to: Type) -> Option<&'static PureEntry> {
    CASTS
        .iter()
        .find(|(source, entry)| *source == from && entry.result == to)
        .map(|(_, entry)| entry)
}

/// The casts, by the type that is cast; the entry has the type that comes out.
static CASTS: &[(Type, PureEntry)] = &[
    (Type::Integer, entry!("(integer)", Integer, same)),
    (Type::Float, entry!("(integer)", Integer, float_to_integer)),
    (
        Type::String,
        entry!("(integer)", Integer, string_to_integer),
    ),
    (Type::Integer, entry!("(float)", Float, to_float)),
    (Type::Float, entry!("(float)", Float, to_float)),
    (Type::String, entry!("(float)", Float, string_to_float)),
    (Type::Integer, entry!("(string)", String, integer_to_string)),
    (Type::Float, entry!("(string)", String, float_to_string)),
    (Type::String, entry!("(string)", String, same)),
    (Type::Key, entry!("(string)", String, same)),
    (Type::Vector, entry!("(string)", String, vector_to_string)),
    (
        Type::Rotation,
        entry!("(string)", String, rotation_to_string),
    ),
    (Type::List, entry!("(string)", String, list_to_string)),
    (Type::String, entry!("(key)", Key, same)),
    (Type::Key, entry!("(key)", Key, same)),
    (Type::String, entry!("(vector)", Vector, string_to_vector)),
    (Type::Vector, entry!("(vector)", Vector, same)),
    (
        Type::String,
        entry!("(rotation)", Rotation, string_to_rotation),
    ),
    (Type::Rotation, entry!("(rotation)", Rotation, same)),
    (
        Type::Integer,
        entry!("(list)", List, |t, a| only(t, a, Type::Integer)),
    ),
    (
        Type::Float,
        entry!("(list)", List, |t, a| only(t, a, Type::Float)),
    ),
    (
        Type::String,
        entry!("(list)", List, |t, a| only(t, a, Type::String)),
    ),
    (
        Type::Key,
        entry!("(list)", List, |t, a| only(t, a, Type::Key)),
    ),
    (
        Type::Vector,
        entry!("(list)", List, |t, a| only(t, a, Type::Vector)),
    ),
    (
        Type::Rotation,
        entry!("(list)", List, |t, a| only(t, a, Type::Rotation)),
    ),
    (Type::List, entry!("(list)", List, same)),
];

/// The rotation that does not rotate.
pub(super) const ZERO_ROTATION: [f64; 4] = [0.0, 0.0, 0.0, 1.0];

fn same(_: &RichTable, args: &[Value]) -> Answer {
    Ok(args[0].clone())
}

fn only(table: &RichTable, args: &[Value], ty: Type) -> Answer {
    Ok(list(table, vec![element(table, &args[0], ty)]))
}

fn float_to_integer(table: &RichTable, args: &[Value]) -> Answer {
    Ok(int(truncate(number(table, &args[0])?)))
}

fn string_to_integer(table: &RichTable, args: &[Value]) -> Answer {
    Ok(int(numerals::leading_integer(&text(table, &args[0])?)))
}

fn to_float(table: &RichTable, args: &[Value]) -> Answer {
    Ok(table.float(number(table, &args[0])?))
}

fn integer_to_string(table: &RichTable, args: &[Value]) -> Answer {
    Ok(table.text(&args[0].number().to_string()))
}

fn float_to_string(table: &RichTable, args: &[Value]) -> Answer {
    Ok(table.text(&fixed(number(table, &args[0])?, 6)))
}

fn vector_to_string(table: &RichTable, args: &[Value]) -> Answer {
    Ok(table.text(&components(&vector_of(table, &args[0])?, 5)))
}

fn rotation_to_string(table: &RichTable, args: &[Value]) -> Answer {
    Ok(table.text(&components(&rotation_of(table, &args[0])?, 5)))
}

fn string_to_vector(table: &RichTable, args: &[Value]) -> Answer {
    let numbers = numerals::bracketed(&text(table, &args[0])?);
    Ok(vector_from(table, numbers.unwrap_or_default()))
}

fn string_to_rotation(table: &RichTable, args: &[Value]) -> Answer {
    let numbers = numerals::bracketed(&text(table, &args[0])?);
    Ok(rotation_from(table, numbers.unwrap_or(ZERO_ROTATION)))
}

fn string_to_float(table: &RichTable, args: &[Value]) -> Answer {
    let number = numerals::leading_float(&text(table, &args[0])?).map_or(0.0, |(n, _)| n);
    Ok(single(table, number))
}

fn list_to_string(table: &RichTable, args: &[Value]) -> Answer {
    let mut builder = TextBuilder::new(table);
    for element in elements(table, &args[0])? {
        builder.push(&element_text(table, &element));
    }
    Ok(builder.finish())
}

/// A float without its fraction; what does not fit is the smallest integer.
pub(crate) fn truncate(value: f64) -> i32 {
    if value > -2_147_483_649.0 && value < 2_147_483_648.0 {
        #[expect(
            clippy::cast_possible_truncation,
            reason = "the range has been checked"
        )]
        return value as i32;
    }
    i32::MIN
}

/// An element of a list as text: vectors and rotations have six decimals there. Unknown parts
/// stay unknown parts.
pub(super) fn element_text(table: &RichTable, element: &Value) -> Value {
    formatted(table, element, &|n| fixed(n, 6))
}

/// An element of a list as text, with its own way to print floats.
pub(super) fn formatted(
    table: &RichTable,
    element: &Value,
    format: &dyn Fn(f64) -> String,
) -> Value {
    let value = element_value(table, element);
    let numbers = match element_type(table, element) {
        Type::Integer => return table.text(&value.number().to_string()),
        Type::String | Type::Key | Type::List => return value,
        Type::Float => number(table, &value).map(format),
        Type::Vector => vector_of(table, &value).map(|v| bracketed(v.into_iter().map(format))),
        Type::Rotation => rotation_of(table, &value).map(|r| bracketed(r.into_iter().map(format))),
    };
    match numbers {
        Ok(text) => table.text(&text),
        Err(_) => unknown(table, "(string)", &[value]),
    }
}

/// The elements of a list that are strings, where a function looks at no others.
pub(super) fn strings_of(table: &RichTable, list: &Value) -> Answer<Vec<Box<str>>> {
    elements(table, list)?
        .iter()
        .filter(|element| element_type(table, element) == Type::String)
        .map(|element| text(table, element))
        .collect()
}
