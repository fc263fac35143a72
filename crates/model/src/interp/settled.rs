//! What variables that all move at once can only become, remembered from one state to the next.
//!
//! Of very many variables most keep their values most of the time. So the one value that a variable can
//! get is remembered, if there is one, until something that it is computed from is another one. It is a memory of the
//! state that was asked about last: whatever state comes next, what differs is looked at again.
//!
//! It cannot change what a program means:
//! - A value is remembered only of a set that is an expression, or one or another by tests that are, and only of
//!   expressions whose value is a function of variables and constants (`looked_at` lists the forms; it refuses
//!   all others: next values, functions, processes, channels, memory). No choice is made there, and nothing that an earlier
//!   choice of the step decided is looked at.
//! - It is found by the same evaluation, and remembered only if there is one: a fault, an overflow, or a value of the
//!   wrong type is met anew each time, where it always was.
//! - It is forgotten as soon as any of these variables has another value, whichever states are asked about in turn;
//!   pages that states share are equal, all others are compared row by row.
//! - An oracle is told in the place in which it would have been asked: one that takes all combinations
//!   counts one value, one that is given values compares, and refuses with the same words.
//!
//! `tests/only_values.rs` compares random programs with and without it, state by state and refusal by refusal.

use super::pages::Pages;
use crate::value::Value;

/// The only values that variables can get in a state.
#[derive(Default)]
pub(super) struct Settled {
    /// Whether it has been found out who reads what.
    pub(super) is_known: bool,
    /// For each variable the choices that look at it.
    pub(super) readers: Vec<Vec<u32>>,
    /// Choices that look at anything else.
    pub(super) others: Vec<bool>,
    pub(super) globals: Pages<Value>,
    /// For each choice its only value in that state, as far as it has been asked for.
    pub(super) values: Vec<Option<Value>>,
}
