//! Which operator means which operation on which types.
//!
//! Operations of two integers are missing: the model computes with integers itself. An integer
//! meets a float, a vector or a list here, and is converted.

use model::{RichTable, Value};

use super::entry::{Answer, PureEntry, Stop, entry};
use super::sameness::same;
use super::unknowns::join;
use super::values::{ROTATION, VECTOR, count, element, elements, flag, functor_is, int, list};
use super::{floats, rotations, vectors};
use crate::Type;

/// The operation that a binary operator stands for; `None` if LSL has none for these types, or
/// if both are integers.
///
/// `symbol` is one of `+ - * / % == != < <= > >=`.
#[must_use]
pub fn binary(symbol: &str, left: Type, right: Type) -> Option<&'static PureEntry> {
    if left == Type::Integer && right == Type::Integer {
        return None;
    }
    let stands_for = |have: Type, want: Type| {
        have == want
            || have == Type::Integer && want == Type::Float
            || have == Type::Key && want == Type::String
    };
    if symbol == "+" && (left == Type::List || right == Type::List) {
        return list_sum(left, right);
    }
    BINARY
        .iter()
        .find(|(l, r, entry)| entry.name == symbol && stands_for(left, *l) && stands_for(right, *r))
        .map(|(_, _, entry)| entry)
}

/// The operation that a unary operator stands for: `-` of a float, a vector or a rotation.
#[must_use]
pub fn unary(symbol: &str, operand: Type) -> Option<&'static PureEntry> {
    match (symbol, operand) {
        ("-", Type::Float) => Some(&NEGATE_FLOAT),
        ("-", Type::Vector) => Some(&NEGATE_VECTOR),
        ("-", Type::Rotation) => Some(&NEGATE_ROTATION),
        _ => None,
    }
}

/// The component `x`, `y`, `z` or `s` of a vector or a rotation.
#[must_use]
pub fn member(owner: Type, name: &str) -> Option<&'static PureEntry> {
    let is_rotation = match owner {
        Type::Vector => false,
        Type::Rotation => true,
        _ => return None,
    };
    match name {
        "x" => Some(&X),
        "y" => Some(&Y),
        "z" => Some(&Z),
        "s" if is_rotation => Some(&S),
        _ => None,
    }
}

use Type::{Float as F, List as L, Rotation as R, String as T, Vector as V};

static BINARY: &[(Type, Type, PureEntry)] = &[
    (F, F, entry!("+", Float, floats::add)),
    (F, F, entry!("-", Float, floats::subtract)),
    (F, F, entry!("*", Float, floats::multiply)),
    (F, F, entry!("/", Float, floats::divide)),
    (F, F, entry!("==", Integer, floats::equal)),
    (F, F, entry!("!=", Integer, floats::unequal)),
    (F, F, entry!("<", Integer, floats::less)),
    (F, F, entry!("<=", Integer, floats::at_most)),
    (F, F, entry!(">", Integer, floats::greater)),
    (F, F, entry!(">=", Integer, floats::at_least)),
    (T, T, entry!("+", String, concatenate)),
    (T, T, entry!("==", Integer, same_text)),
    (T, T, entry!("!=", Integer, other_text)),
    (V, V, entry!("+", Vector, vectors::add)),
    (V, V, entry!("-", Vector, vectors::subtract)),
    (V, V, entry!("*", Float, vectors::dot_product)),
    (V, V, entry!("%", Vector, vectors::cross_product)),
    (V, V, entry!("==", Integer, vectors::equal)),
    (V, V, entry!("!=", Integer, vectors::unequal)),
    (V, F, entry!("*", Vector, vectors::scale)),
    (F, V, entry!("*", Vector, vectors::scale_by_left)),
    (V, F, entry!("/", Vector, vectors::divide)),
    (V, R, entry!("*", Vector, rotations::rotate_vector)),
    (V, R, entry!("/", Vector, rotations::rotate_vector_back)),
    (R, R, entry!("+", Rotation, rotations::add)),
    (R, R, entry!("-", Rotation, rotations::subtract)),
    (R, R, entry!("*", Rotation, rotations::multiply)),
    (R, R, entry!("/", Rotation, rotations::divide)),
    (R, R, entry!("==", Integer, rotations::equal)),
    (R, R, entry!("!=", Integer, rotations::unequal)),
    (L, L, entry!("==", Integer, same_length)),
    (L, L, entry!("!=", Integer, length_difference)),
];

static NEGATE_FLOAT: PureEntry = entry!("-", Float, floats::negate);
static NEGATE_VECTOR: PureEntry = entry!("-", Vector, vectors::negate);
static NEGATE_ROTATION: PureEntry = entry!("-", Rotation, rotations::negate);

static X: PureEntry = entry!(".x", Float, |t, a| component(t, a, 0));
static Y: PureEntry = entry!(".y", Float, |t, a| component(t, a, 1));
static Z: PureEntry = entry!(".z", Float, |t, a| component(t, a, 2));
static S: PureEntry = entry!(".s", Float, |t, a| component(t, a, 3));

/// A component may itself be unknown, and is then returned as it is.
fn component(table: &RichTable, args: &[Value], index: usize) -> Answer {
    if functor_is(table, &args[0], VECTOR) || functor_is(table, &args[0], ROTATION) {
        let model::Rich::Term { args, .. } = &*table.get(args[0].rich()) else {
            return Err(Stop::Unknown);
        };
        return args.get(index).cloned().ok_or(Stop::Unknown);
    }
    Err(Stop::Unknown)
}

fn concatenate(table: &RichTable, args: &[Value]) -> Answer {
    Ok(join(table, args))
}

fn same_text(table: &RichTable, args: &[Value]) -> Answer {
    same(table, &args[0], &args[1])
        .map(flag)
        .ok_or(Stop::Unknown)
}

fn other_text(table: &RichTable, args: &[Value]) -> Answer {
    same(table, &args[0], &args[1])
        .map(|same| flag(!same))
        .ok_or(Stop::Unknown)
}

/// Lists are compared by their lengths alone.
fn same_length(table: &RichTable, args: &[Value]) -> Answer {
    Ok(flag(lengths(table, args)? == 0))
}

/// `!=` of lists is how much longer the left one is.
fn length_difference(table: &RichTable, args: &[Value]) -> Answer {
    Ok(int(lengths(table, args)?))
}

fn lengths(table: &RichTable, args: &[Value]) -> Answer<i128> {
    let length = |list| Ok(count(elements(table, list)?.len()).number());
    Ok(length(&args[0])? - length(&args[1])?)
}

/// List and list, list and element, element and list.
pub(super) fn list_sum(left: Type, right: Type) -> Option<&'static PureEntry> {
    let index = |ty| Type::ALL.iter().position(|t| *t == ty);
    match (left, right) {
        (Type::List, Type::List) => Some(&LIST_LIST),
        (Type::List, ty) => APPEND.get(index(ty)?),
        (ty, _) => PREPEND.get(index(ty)?),
    }
}

static LIST_LIST: PureEntry = entry!("+", List, |t, a: &[Value]| {
    let mut all = elements(t, &a[0])?;
    all.extend(elements(t, &a[1])?);
    Ok(list(t, all))
});

/// In the order of [`Type::ALL`].
static APPEND: [PureEntry; 6] = [
    entry!("+", List, |t, a| append(t, a, Type::Integer)),
    entry!("+", List, |t, a| append(t, a, Type::Float)),
    entry!("+", List, |t, a| append(t, a, Type::String)),
    entry!("+", List, |t, a| append(t, a, Type::Key)),
    entry!("+", List, |t, a| append(t, a, Type::Vector)),
    entry!("+", List, |t, a| append(t, a, Type::Rotation)),
];

/// In the order of [`Type::ALL`].
static PREPEND: [PureEntry; 6] = [
    entry!("+", List, |t, a| prepend(t, a, Type::Integer)),
    entry!("+", List, |t, a| prepend(t, a, Type::Float)),
    entry!("+", List, |t, a| prepend(t, a, Type::String)),
    entry!("+", List, |t, a| prepend(t, a, Type::Key)),
    entry!("+", List, |t, a| prepend(t, a, Type::Vector)),
    entry!("+", List, |t, a| prepend(t, a, Type::Rotation)),
];

fn append(table: &RichTable, args: &[Value], ty: Type) -> Answer {
    let mut all = elements(table, &args[0])?;
    all.push(element(table, &args[1], ty));
    Ok(list(table, all))
}

fn prepend(table: &RichTable, args: &[Value], ty: Type) -> Answer {
    let mut all = vec![element(table, &args[0], ty)];
    all.extend(elements(table, &args[1])?);
    Ok(list(table, all))
}
