//! Why a handler ends before its end.

use lsl::ast::StateId;

use crate::value::Fault;

/// What ends a handler at once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Halt {
    /// A `state` statement.
    State(StateId),
    /// `llResetScript`.
    Reset,
    /// `llDie`.
    Die,
    /// A run-time error.
    Fault(Fault),
    /// The run cannot be followed any further; it counts up to here.
    Lost(&'static str),
}

impl From<Fault> for Halt {
    fn from(fault: Fault) -> Halt {
        Halt::Fault(fault)
    }
}
