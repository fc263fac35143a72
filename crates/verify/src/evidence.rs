//! What proves a property, as it can be kept and checked again.

use audit::{Monitor, Often, Reduction, RunInvariant};
use logic::Buchi;
use model::ExprId;

/// What proves a property, in the terms of the program before passes. Whoever has it believes
/// nothing of it before it has been [checked](crate::recheck_proof).
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Evidence {
    /// An inductive invariant that rules out what is bad (Floyd 1967).
    States(audit::Invariant),
    /// An invariant of the program while it is watched, which rules out the runs for ever that
    /// violate the property.
    Runs(RunEvidence),
    /// Nothing: all runs end, and going through them again shows it.
    AllRuns,
}

/// Why there is no run for ever of a kind.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RunEvidence {
    /// What is watched for.
    pub often: Vec<Often>,
    /// How that is watched.
    pub reduction: Reduction,
    /// The invariant of the program that is watched.
    pub invariant: RunInvariant,
}

impl RunEvidence {
    /// How the program is watched while it is read by an automaton.
    pub(crate) fn monitor<'a>(&'a self, automaton: &'a Buchi<ExprId>) -> Monitor<'a> {
        Monitor {
            automaton,
            often: &self.often,
            reduction: self.reduction,
        }
    }
}
