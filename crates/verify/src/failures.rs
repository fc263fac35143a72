//! Failures of one property in several places.
//!
//! An engine tells places apart by what it runs: the program after the passes, instance by
//! instance. What people read is told apart here, on the replayed runs: by the lines where checks
//! fail and faults are raised, and by who is stuck where.

use std::collections::{BTreeSet, HashSet};

use model::interp::{Interp, Occurrence, Replay};
use model::{CheckId, Claim, FaultId, LocId, ProcessId, Program, PropertyId, Trace};
use source::Span;

/// A run on which a property fails.
#[derive(Clone, Debug)]
pub struct Failure {
    /// The run.
    pub trace: Trace,
    /// The same, replayed.
    pub replay: Replay,
}

/// Where a property fails.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Place {
    Checks(BTreeSet<(CheckId, Span)>),
    Faults(BTreeSet<(FaultId, Span)>),
    /// Who may not end where he is; instances of one process are alike.
    Stuck(Vec<(ProcessId, Option<LocId>)>),
    /// There is only one.
    Only,
}

fn place(program: &Program, property: PropertyId, replay: &Replay) -> Place {
    let last = replay.steps.last().into_iter();
    let occurrences = last.flat_map(|step| &step.occurrences);
    match &program.properties[property.index()].claim {
        Claim::Check(wanted) => Place::Checks(
            occurrences
                .filter_map(|occurrence| match occurrence {
                    Occurrence::Failed { check, span } if check == wanted => Some((*check, *span)),
                    _ => None,
                })
                .collect(),
        ),
        Claim::NoFault(wanted) => Place::Faults(
            occurrences
                .filter_map(|occurrence| match occurrence {
                    Occurrence::Fault { fault, span, .. } if wanted.contains(fault) => {
                        Some((*fault, *span))
                    }
                    _ => None,
                })
                .collect(),
        ),
        Claim::NoDeadlock => {
            let interp = Interp::new(program);
            let state = interp.stored(replay.state(replay.length()));
            let mut stuck: Vec<_> = state
                .living()
                .map(|(_, instance)| (instance.process, instance.location))
                .filter(|(process, location)| {
                    let locations = &program.processes[process.index()].locations;
                    location.is_some_and(|at| !locations[at.index()].end)
                })
                .collect();
            stuck.sort_unstable();
            Place::Stuck(stuck)
        }
        Claim::Always(_)
        | Claim::Ltl(_)
        | Claim::Ctl(_)
        | Claim::Distance { .. }
        | Claim::Bounded(_)
        | Claim::Mu(_)
        | Claim::Never(_)
        | Claim::Returns
        | Claim::Silent(_)
        | Claim::Configurations(_)
        | Claim::Open(_) => Place::Only,
    }
}

/// Of the failures of a property those in places of their own, the shortest first; none in the
/// place of the `first`.
pub(crate) fn distinct(
    program: &Program,
    property: PropertyId,
    first: &Replay,
    mut failures: Vec<Failure>,
) -> Vec<Failure> {
    let mut known = HashSet::from([place(program, property, first)]);
    failures.sort_by_key(|failure| failure.trace.steps.len());
    failures.retain(|failure| known.insert(place(program, property, &failure.replay)));
    failures
}
