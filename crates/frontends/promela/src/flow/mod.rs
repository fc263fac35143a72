//! Control flow, cut into transitions as SPIN cuts it.
//!
//! A body becomes a graph of [elements](graph::Element), built statement by statement; [`hunt`]
//! says which of them are control states and what each state's transitions are. Both follow the
//! construction in SPIN's sources (`flow.c`, and the table of transitions that its verifier
//! prepares), because the number of states and transitions depends on it: a `goto` is no state
//! except as a guard, a block is one of its own before its first statement, a declaration behind
//! the first statement is an assignment, and so on.

pub mod build;
pub mod graph;
pub mod hunt;
mod labels;
mod rows;
mod scope;
mod unlinked;

pub use build::{Body, LocalDeclaration};
pub use graph::{BlockKind, Element, ElementId, ElementKind, Graph};
pub use hunt::Transition;
pub use scope::{ScopeId, Scopes};
