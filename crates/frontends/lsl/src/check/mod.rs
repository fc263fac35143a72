//! Names and types: what each name of a script means, what type each
//! expression has, and which rules of the language the script breaks.

mod body;
mod constants;
mod environment;
mod expression;
mod initializer;
mod names;
mod operations;
mod operators;
mod script;
mod table;

pub(crate) use constants::Constants;
pub use environment::{Callable, Environment, Nothing, Parameters, Variable};
pub use operators::{BinaryTypes, binary, can_cast, converts, unary};
pub use script::{analyze, check};
pub(crate) use source::suggest;
pub use table::{Body, Checked, ExprTable, ExprType, Local, Resolution, Use};
