//! Building and reading LSL values in the model.
//!
//! Readers answer `Stop::Unknown` for what the world decides, so that a function finds out by
//! itself whether it needs to know: the length of a list does not depend on unknown elements. They
//! answer the same for a value of another type: nothing hands them one while a script runs, but a
//! translation tries an operation on whatever a variable may hold at any time.

use model::{Rich, RichTable, Value};

use super::entry::{Answer, Stop};
use crate::Type;

/// The functor of a vector.
pub(super) const VECTOR: &str = "vector";
/// The functor of a rotation.
pub(super) const ROTATION: &str = "rotation";
/// The functor of a list.
pub(super) const LIST: &str = "list";

/// Wrappers of elements whose type their value does not show: keys, and unknowns of other types.
const AS_KEY: &str = "as-key";
const AS_FLOAT: &str = "as-float";
const AS_VECTOR: &str = "as-vector";
const AS_ROTATION: &str = "as-rotation";

/// A float, as it is: temporaries are doubles.
#[must_use]
pub fn float(table: &RichTable, value: f64) -> Value {
    table.float(value)
}

/// The nearest binary32 number, as a double.
pub(crate) fn round_to_single(value: f64) -> f64 {
    #[expect(clippy::cast_possible_truncation, reason = "rounding is the purpose")]
    let single = value as f32;
    f64::from(single)
}

/// A float that has been rounded to binary32.
pub(super) fn single(table: &RichTable, value: f64) -> Value {
    table.float(round_to_single(value))
}

/// A component of a vector or an element of type float: rounded, integers converted, unknowns
/// as they are.
pub(super) fn rounded(table: &RichTable, value: &Value) -> Value {
    match number(table, value) {
        Ok(number) => single(table, number),
        Err(_) => value.clone(),
    }
}

/// A vector of three components, which are floats, integers or unknowns.
#[must_use]
pub fn vector(table: &RichTable, components: &[Value; 3]) -> Value {
    table.term(VECTOR, components.each_ref().map(|c| rounded(table, c)))
}

/// A rotation of four components, which are floats, integers or unknowns.
#[must_use]
pub fn rotation(table: &RichTable, components: &[Value; 4]) -> Value {
    table.term(ROTATION, components.each_ref().map(|c| rounded(table, c)))
}

/// A list of elements, each made by [`element`].
#[must_use]
pub fn list(table: &RichTable, elements: impl Into<Box<[Value]>>) -> Value {
    table.term(LIST, elements)
}

/// A value of type `ty` as an element of a list. An element remembers its type, which keys and
/// unknowns do not show by themselves. (Lists do not nest: a list is not an element.)
#[must_use]
pub fn element(table: &RichTable, value: &Value, ty: Type) -> Value {
    let wrap = |functor| table.term(functor, vec![value.clone()]);
    match ty {
        Type::Integer | Type::String | Type::List => value.clone(),
        Type::Key => wrap(AS_KEY),
        Type::Float if number(table, value).is_err() => wrap(AS_FLOAT),
        Type::Float => rounded(table, value),
        Type::Vector if functor_is(table, value, VECTOR) => value.clone(),
        Type::Vector => wrap(AS_VECTOR),
        Type::Rotation if functor_is(table, value, ROTATION) => value.clone(),
        Type::Rotation => wrap(AS_ROTATION),
    }
}

/// The type of an element of a list.
#[must_use]
pub fn element_type(table: &RichTable, element: &Value) -> Type {
    let Value::Rich(id) = element else {
        return Type::Integer;
    };
    match &*table.get(*id) {
        Rich::Text(_) => Type::String,
        Rich::Float(_) => Type::Float,
        Rich::Term { functor, .. } => match &**functor {
            AS_KEY => Type::Key,
            AS_FLOAT => Type::Float,
            VECTOR | AS_VECTOR => Type::Vector,
            ROTATION | AS_ROTATION => Type::Rotation,
            _ => Type::String,
        },
    }
}

/// The value of an element, without the wrapper that holds its type.
pub(super) fn element_value(table: &RichTable, element: &Value) -> Value {
    if let Value::Rich(id) = element
        && let Rich::Term { functor, args } = &*table.get(*id)
        && matches!(&**functor, AS_KEY | AS_FLOAT | AS_VECTOR | AS_ROTATION)
    {
        return args[0].clone();
    }
    element.clone()
}

/// The elements of a list, each with its wrapper if it has one; `None` if the world decides the
/// list.
#[must_use]
pub fn elements_of(table: &RichTable, list: &Value) -> Option<Vec<Value>> {
    elements(table, list).ok()
}

/// The elements of a list.
pub(super) fn elements(table: &RichTable, list: &Value) -> Answer<Vec<Value>> {
    match &*table.get(list.rich()) {
        Rich::Term { functor, args } if &**functor == LIST => Ok(args.to_vec()),
        _ => Err(Stop::Unknown),
    }
}

/// The number of an integer or a float.
pub(super) fn number(table: &RichTable, value: &Value) -> Answer<f64> {
    match value {
        Value::Int(n) => Ok(f64::from(narrow(*n))),
        other => match &*table.get(other.rich()) {
            Rich::Float(bits) => Ok(f64::from_bits(*bits)),
            _ => Err(Stop::Unknown),
        },
    }
}

/// The number of a float parameter of a library function: parameters are binary32.
pub(super) fn parameter(table: &RichTable, value: &Value) -> Answer<f64> {
    number(table, value).map(round_to_single)
}

/// The number of an integer.
pub(super) fn integer(value: &Value) -> i32 {
    narrow(value.number())
}

/// An integer as a value.
pub(super) fn int(value: impl Into<i128>) -> Value {
    Value::Int(value.into())
}

/// A count or position as an integer of LSL.
pub(super) fn count(value: usize) -> Value {
    Value::Int(i128::from(i32::try_from(value).unwrap_or(i32::MAX)))
}

/// LSL's truth value as an integer.
pub(super) fn flag(value: bool) -> Value {
    Value::Int(i128::from(value))
}

fn narrow(value: i128) -> i32 {
    i32::try_from(value).expect("the model keeps integers of LSL within 32 bits")
}

/// The text of a string or key that is known to the letter.
pub(super) fn text(table: &RichTable, value: &Value) -> Answer<Box<str>> {
    match &*table.get(value.rich()) {
        Rich::Text(text) => Ok(text.clone()),
        _ => Err(Stop::Unknown),
    }
}

/// The components of a vector.
pub(super) fn vector_of(table: &RichTable, value: &Value) -> Answer<[f64; 3]> {
    components(table, value, VECTOR)
}

/// The components of a rotation.
pub(super) fn rotation_of(table: &RichTable, value: &Value) -> Answer<[f64; 4]> {
    components(table, value, ROTATION)
}

fn components<const N: usize>(table: &RichTable, value: &Value, wanted: &str) -> Answer<[f64; N]> {
    match &*table.get(value.rich()) {
        Rich::Term { functor, args } if &**functor == wanted && args.len() == N => {
            let mut numbers = [0.0; N];
            for (number, arg) in numbers.iter_mut().zip(args) {
                *number = self::number(table, arg)?;
            }
            Ok(numbers)
        }
        _ => Err(Stop::Unknown),
    }
}

/// A vector of numbers.
pub(super) fn vector_from(table: &RichTable, numbers: [f64; 3]) -> Value {
    table.term(VECTOR, numbers.map(|n| single(table, n)))
}

/// A rotation of numbers.
pub(super) fn rotation_from(table: &RichTable, numbers: [f64; 4]) -> Value {
    table.term(ROTATION, numbers.map(|n| single(table, n)))
}

/// Whether the value is a term of this functor.
pub(super) fn functor_is(table: &RichTable, value: &Value, wanted: &str) -> bool {
    matches!(value, Value::Rich(id)
        if matches!(&*table.get(*id), Rich::Term { functor, .. } if &**functor == wanted))
}
