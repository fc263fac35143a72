//! Truth: conditions of `if`, `while` and the like accept every type.

use model::{Rich, RichTable, Value};

use super::casts::ZERO_ROTATION;
use super::entry::{Answer, PureEntry, Stop, entry};
use super::sameness::same;
use super::unknowns::KEY;
use super::values::{elements, flag, number, rotation_of, text, vector_of};
use crate::Type;

/// Whether a value of this type counts as true in a condition: the integer 1 or 0.
///
/// Numbers, vectors and lists are true unless zero or empty, a rotation unless it is
/// `ZERO_ROTATION`, a string unless empty; a key only if it is a well-formed UUID other than
/// `NULL_KEY`.
#[must_use]
pub fn truth(ty: Type) -> &'static PureEntry {
    match ty {
        Type::Integer => &INTEGER,
        Type::Float => &FLOAT,
        Type::String => &STRING,
        Type::Key => &KEY_TRUTH,
        Type::Vector => &VECTOR,
        Type::Rotation => &ROTATION,
        Type::List => &LIST,
    }
}

static INTEGER: PureEntry = entry!("truth of", Integer, |_: &RichTable, a: &[Value]| Ok(flag(
    a[0].number() != 0
)));
static FLOAT: PureEntry = entry!("truth of", Integer, |t, a: &[Value]| Ok(flag(
    number(t, &a[0])? != 0.0
)));
static STRING: PureEntry = entry!("truth of", Integer, string_truth);
static KEY_TRUTH: PureEntry = entry!("truth of", Integer, key_truth);
static VECTOR: PureEntry = entry!("truth of", Integer, |t, a: &[Value]| Ok(flag(
    vector_of(t, &a[0])? != [0.0; 3]
)));
static ROTATION: PureEntry = entry!("truth of", Integer, |t, a: &[Value]| Ok(flag(
    rotation_of(t, &a[0])? != ZERO_ROTATION
)));
static LIST: PureEntry = entry!("truth of", Integer, |t, a: &[Value]| Ok(flag(
    !elements(t, &a[0])?.is_empty()
)));

fn string_truth(table: &RichTable, args: &[Value]) -> Answer {
    let empty = table.text("");
    same(table, &args[0], &empty).map_or(Err(Stop::Unknown), |same| Ok(flag(!same)))
}

/// A stranger may be anybody's key, or none.
fn key_truth(table: &RichTable, args: &[Value]) -> Answer {
    match &*table.get(args[0].rich()) {
        Rich::Term { functor, .. } if &**functor == KEY => Ok(flag(true)),
        Rich::Term { .. } => Err(Stop::Unknown),
        _ => Ok(flag(is_identity(&text(table, &args[0])?))),
    }
}

/// Whether the text is a well-formed UUID other than `NULL_KEY`.
#[must_use]
pub fn is_identity(text: &str) -> bool {
    text.len() == 36
        && text.bytes().enumerate().all(|(i, byte)| match i {
            8 | 13 | 18 | 23 => byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        })
        && text.bytes().any(|byte| !matches!(byte, b'0' | b'-'))
}
