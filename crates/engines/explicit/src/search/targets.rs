//! What searches look for, and where they have found it.

use model::Bad;

use crate::store::StateId;
use crate::vm::machine::Violation;

/// Where something bad is.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Found {
    /// In this stored state.
    At(StateId),
    /// In a macro step from this state: an outcome,
    Outcome(StateId, usize),
    /// or something on the way.
    Violation(StateId, Violation),
}

/// What workers look for.
pub(crate) struct Targets<'a> {
    pub(crate) bads: &'a [Bad],
    /// For each `Bad::State`, its place and that of its outcome.
    pub(crate) states: Vec<(usize, usize)>,
    /// Where the watched outcomes begin, and how many there are.
    pub(crate) first_watched: usize,
    pub(crate) watched: usize,
    /// Whether all failing places are wanted, not only the first of each kind.
    pub(crate) all: bool,
}

/// Whether something that goes wrong within a macro step is the bad thing.
pub(crate) fn is_of(bad: &Bad, violation: Violation) -> bool {
    match (bad, violation) {
        (Bad::Check(wanted), Violation::Check(check, _)) => wanted.0 == check,
        (Bad::Fault(wanted), Violation::Fault(fault, _)) => wanted.contains(&fault),
        (Bad::Divergence, Violation::Divergence) => true,
        _ => false,
    }
}
