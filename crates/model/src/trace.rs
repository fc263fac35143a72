//! Runs, as the choices that make them.
//!
//! A trace stores only what the program leaves open: which step moves, and which values are
//! chosen. The [interpreter](crate::interp) turns it back into states and events, or says that
//! there is no such run.

use crate::ids::StepId;
use crate::value::Value;

/// A run: an initial state and macro steps; a lasso if it has a loop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trace {
    /// The choices of the initial state, in the order of the variables.
    pub initial: Vec<Value>,
    /// The macro steps.
    pub steps: Vec<MacroStep>,
    /// The run goes on for ever by repeating the steps from this position on. If it equals the
    /// number of steps, the last state repeats (stutter).
    pub loop_start: Option<usize>,
}

/// A macro step: from one stable state to the next.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct MacroStep {
    /// Its moves, in order. Synchronous composition: one move of instance 0, step 0.
    pub moves: Vec<Move>,
}

/// One instance moves, or several together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Move {
    /// Who takes which step: one entry; sender then receiver at a rendezvous; all participants
    /// at a barrier.
    pub parts: Vec<Part>,
    /// The values chosen, in the order in which they are asked for: each part's `binds`, then
    /// the bodies'.
    pub choices: Vec<Value>,
}

/// A part of a move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Part {
    /// The number of the instance.
    pub instance: u32,
    /// What it does.
    pub action: Action,
}

/// What an instance does in a move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Action {
    /// Takes a step of its process.
    Step(StepId),
    /// Goes away, having ended ([`IdPolicy::Stack`](crate::IdPolicy::Stack)).
    Leave,
}
