//! What verification says of each property.

use model::interp::Replay;
use model::{PropertyId, Statistics, Verdict};

use crate::failures::Failure;

/// The answer for one property.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The property.
    pub property: PropertyId,
    /// The answer.
    pub verdict: Verdict,
    /// The engine that gave it.
    pub engine: &'static str,
    /// What the engine did. Properties that shared an exploration have the same figures.
    pub statistics: Statistics,
    /// How many properties shared the exploration.
    pub shared_by: usize,
    /// Whether states were left out in finding the counterexample, so that there may be a shorter
    /// one.
    pub may_be_shorter: bool,
    /// What the passes did, in order.
    pub passes: Vec<PassSizes>,
    /// The counterexample, replayed, where there is one.
    pub replay: Option<Replay>,
    /// With [`Options::all_errors`](crate::Options::all_errors): the failures in other places.
    pub others: Vec<Failure>,
    /// Whether there may be more of them.
    pub others_cut: bool,
}

/// The size of a program before and after a pass.
#[derive(Clone, Debug)]
pub struct PassSizes {
    /// The pass.
    pub pass: &'static str,
    /// Before.
    pub before: Sizes,
    /// After.
    pub after: Sizes,
}

/// The size of a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Sizes {
    /// Variables that some statement writes.
    pub variables: usize,
    /// Bits of a packed stored state.
    pub bits: usize,
    /// Steps whose guard is not constantly false.
    pub steps: usize,
    /// Statements.
    pub statements: usize,
    /// Open choices.
    pub choices: usize,
}
