//! What a query demands of compiled code.

use model::{ExprId, ProcessId, StepId};

use crate::Tuning;

/// What a query sees of runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum View {
    /// Only where they get stuck.
    Deadlocks,
    /// The states that they reach, and what goes wrong on the way.
    States,
    /// The same, for a search that does not know where it expands a state whether what that leads to is new: what
    /// is left out depends on the state alone.
    StatesByText,
    /// Whole runs, up to repetition of letters.
    Runs,
}

impl View {
    /// Whether each cycle of states has one in which all moves are explored, whatever the search does.
    pub(crate) fn opens_cycles(self) -> bool {
        matches!(self, View::StatesByText | View::Runs)
    }
}

/// What is observed.
#[derive(Clone, Debug)]
pub(crate) struct Observed {
    pub(crate) exprs: Vec<ExprId>,
    pub(crate) view: View,
}

/// A set of moves.
#[derive(Clone, Debug)]
pub(crate) enum FairSet {
    /// Those in which one of these steps is taken.
    Steps(Vec<(ProcessId, StepId)>),
    /// Those in which the instance with this number takes part.
    Instance(usize),
}

/// What is to be known at the end of each macro step, and how code is to be made.
#[derive(Clone, Debug, Default)]
pub(crate) struct Demand {
    /// Expressions to evaluate; one that faults is false.
    pub(crate) outcomes: Vec<ExprId>,
    /// What is to be told when it is taken or enabled.
    pub(crate) fair: Vec<FairSet>,
    /// Whether moves and choices are logged.
    pub(crate) log: bool,
    /// Whether events are told.
    pub(crate) labels: bool,
    /// What a reduction must leave observable; nothing if there is to be none.
    pub(crate) observed: Option<Observed>,
    /// Templates whose instances are interchangeable, whether those that have ended count as gone,
    /// and whether what is alike changes places too.
    pub(crate) exchange: (Vec<ProcessId>, bool, bool),
    /// Which techniques are used.
    pub(crate) tuning: Tuning,
}
