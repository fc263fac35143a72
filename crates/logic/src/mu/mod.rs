//! Formulas of the modal mu-calculus with regular formulas and data, over any type of atom.
//!
//! The logic of Kozen (1983) over graphs whose transitions have labels; the modalities speak of
//! paths whose labels spell a word of a regular formula, and actions carry data, as in Mateescu and
//! Sighireanu (*Efficient on-the-fly model-checking for regular alternation-free mu-calculus*, 2003)
//! and in mCRL2.
//!
//! A formula is [read](parse()) with the help of a [vocabulary](Vocabulary): the caller says what
//! names of actions, constants and propositions mean. [`System::of`] makes it concrete for the
//! labels that a graph has: quantifiers are instantiated, regular formulas become fixpoints,
//! negations move to the propositions, equal formulas are stored once.

mod beyond;
mod compute;
mod constants;
#[cfg(test)]
mod data_tests;
mod error;
mod formula;
mod instantiate;
mod occurring;
mod parse;
mod silent;
mod system;
#[cfg(test)]
mod tests;
mod vacuous;

pub use error::InstantiateError;
pub use formula::{
    Action, Binder, Comparison, Condition, DataId, Domain, Happening, Label, Mu, Operand,
    Operation, Parameter, Parameters, Pattern, Patterns, Regular, StateSetId, Values,
};
pub use instantiate::{Each, Explored};
pub use occurring::Occurring;
pub use parse::{Formula, MuError, MuSyntax, Parsed, Vocabulary, parse};
pub use system::{Fixpoint, FixpointId, LabelSet, LabelSetId, Node, NodeId, System};
pub use vacuous::{all_hold, one_holds};
