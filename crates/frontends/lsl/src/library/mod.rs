//! The part of LSL that computes: operators, casts and pure library functions over model values.
//!
//! Every function here is the code of a [`model::Function`](model::PureFunction): equal arguments
//! give equal results. What the world decides (a name, a position) is a *named unknown*, a term
//! that is equal only to itself, and functions pass it on: the upper case of an unknown name is
//! the unknown `llToUpper(name of Bob)`. The one thing that cannot be passed on is an integer,
//! because the model's integers are numbers; so each entry also says whether its result is
//! [determined](PureEntry::determined), and the lowering asks that before it trusts the answer.
//!
//! How LSL values look in the model:
//!
//! | LSL | model |
//! |---|---|
//! | integer | `Value::Int` |
//! | float | `Rich::Float`; [`store_float`] rounds to binary32 |
//! | string, key | `Rich::Text`, an identity [`key`], an [`unknown`], or a [`join`] of such parts |
//! | vector, rotation | terms of three and four floats ([`vector`], [`rotation`]) |
//! | list | a term of [elements](element), which remember their type |
//!
//! The facts are those of the public LSL wiki and its conformance scripts; where only
//! measurements of the Mono virtual machine tell (number formats), the function says so.

mod casts;
mod csv;
mod digests;
mod display;
mod encodings;
mod entry;
mod floats;
mod json;
mod json_text;
mod known;
mod lengths;
mod list_search;
mod list_slices;
mod list_sort;
mod list_statistics;
mod lists;
mod maths;
mod numerals;
mod operators;
mod parse_list;
mod rotations;
mod sameness;
mod string_search;
mod strings;
mod table;
mod text_format;
mod truth;
mod unknowns;
mod values;
mod vectors;

#[cfg(test)]
mod cases;

pub use casts::cast;
pub(crate) use casts::truncate;
pub use display::display;
pub use entry::{MATH_ERROR, PureEntry, STACK_HEAP};
pub use floats::bounds;
pub use known::known;
pub use lengths::{Asked, Length, asks_length, known_length, length_of};
pub use operators::{binary, member, unary};
pub use sameness::same;
pub use table::{
    as_element, list_literal, names, pure, rotation_literal, store_float, vector_literal,
};
pub use truth::{is_identity, truth};
pub use unknowns::{between, join, key, key_apart, none_of, something, stranger, unknown};
pub(crate) use values::round_to_single;
pub use values::{element, element_type, elements_of, float, list, rotation, vector};
