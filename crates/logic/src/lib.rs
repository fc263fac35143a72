//! Linear temporal logic and the automata that recognise what a formula says.

pub mod buchi;
pub mod lasso;
pub mod ltl;
mod scc;

pub use buchi::{Buchi, BuchiState, Cube, Edge};
pub use ltl::Ltl;
