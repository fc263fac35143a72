//! Linear temporal logic and the automata that recognise what a formula says.

pub mod buchi;
mod fragment;
pub mod lasso;
pub mod ltl;
pub mod parse;
mod pattern;
mod scc;
mod text;

pub use buchi::{Buchi, BuchiState, Cube, Edge};
pub use ltl::{Ltl, MAX_DEPTH};
pub use parse::{ParseError, SyntaxError, parse};
