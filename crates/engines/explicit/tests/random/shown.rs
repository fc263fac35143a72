//! Whether a run shows what it is said to show, by the reference interpreter.

use model::Bad;
use model::interp::{Interp, Replay, Violation};

/// Whether something bad happens at the end of a run.
pub(crate) fn shows(interp: &Interp<'_>, replay: &Replay, bad: &Bad) -> bool {
    let last = replay.state(replay.length());
    let happened = |wanted: &dyn Fn(Violation) -> bool| {
        replay.steps.last().is_some_and(|step| {
            step.occurrences
                .iter()
                .filter_map(|o| o.violation())
                .any(wanted)
        })
    };
    match bad {
        Bad::Check(check) => happened(&|v| v == Violation::Check(*check)),
        Bad::Fault(faults) => {
            happened(&|v| matches!(v, Violation::Fault(f) if faults.contains(&f)))
        }
        Bad::State(atom) => replay.complete && interp.holds(last, *atom) == Ok(true),
        Bad::Deadlock => {
            interp.moves(&interp.stored(last)).is_empty() && !interp.is_valid_end(last)
        }
        Bad::Divergence => !replay.complete,
    }
}
