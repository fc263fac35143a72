//! Proofs are checked anew, on the program before passes, within limits: what that takes more than
//! finding the proof did is left out, and the verdict says so.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use audit::Rejected;
use model::{Bad, Budget, Program, PropertyId, Query, Strength, UnknownReason, Verdict};
use passes::Reduced;

use crate::evidence::RunEvidence;
use crate::outcome::Audited;
use crate::question::query;

pub(crate) type Believed = Result<(), Rejected>;

/// Who checks proofs.
#[derive(Clone, Copy)]
pub(crate) struct Audits<'a> {
    /// When the search for the proof began.
    pub(crate) began: Instant,
    pub(crate) states: &'a dyn Fn(&Program, &Bad, &audit::Invariant, &Budget) -> Believed,
    pub(crate) runs:
        &'a dyn Fn(&Program, &audit::Monitor<'_>, &audit::RunInvariant, &Budget) -> Believed,
    pub(crate) all_runs: &'a dyn Fn(&Program, &Bad, &Budget) -> Believed,
}

impl Audits<'_> {
    /// Those that are used.
    pub(crate) fn new() -> Audits<'static> {
        Audits {
            began: Instant::now(),
            states: &audit::audit,
            runs: &audit::audit_runs,
            all_runs: &audit::audit_all_runs,
        }
    }

    /// What checking a proof may take: as much as finding it did.
    pub(crate) fn budget(&self, budget: &Budget) -> Budget {
        let kept = budget.used.load(Ordering::Relaxed).max(LEAST_MEMORY);
        Budget {
            memory: Some(budget.memory.map_or(kept, |memory| memory.min(kept))),
            ..budget.at_most(self.began.elapsed().max(LEAST_TIME))
        }
    }
}

/// What checking a proof may take in any case, where it was found in no time: this time
pub(crate) const LEAST_TIME: Duration = Duration::from_secs(1);
/// and so many bytes.
pub(crate) const LEAST_MEMORY: u64 = 64 << 20;

/// Why a proof was not checked anew.
pub(crate) const DEARER: &str = "checking it anew would take more than finding it did";

/// Audits an invariant on the program before passes. Some programs cannot be audited; one that
/// is and fails proves nothing.
pub(crate) fn audited(
    audits: &Audits<'_>,
    reduced: &Reduced,
    property: PropertyId,
    invariant: &audit::Invariant,
    budget: &Budget,
) -> Result<Audited, UnknownReason> {
    let mut original = reduced.original.clone();
    let Ok(Query::Unreachable(bad)) = query(&mut original, property) else {
        return Ok(Audited::Not("it is about runs".to_owned()));
    };
    let own = audits.budget(budget);
    believed((audits.states)(&original, &bad, invariant, &own), budget)
}

/// Goes through all runs again, where there are no more.
pub(crate) fn audited_all_runs(
    audits: &Audits<'_>,
    reduced: &Reduced,
    property: PropertyId,
    budget: &Budget,
) -> Result<Audited, UnknownReason> {
    let mut original = reduced.original.clone();
    let Ok(Query::Unreachable(bad)) = query(&mut original, property) else {
        return Ok(Audited::Not("it is about runs".to_owned()));
    };
    let own = audits.budget(budget);
    believed((audits.all_runs)(&original, &bad, &own), budget)
}

/// Audits an invariant that is about runs for ever.
pub(crate) fn audited_runs(
    audits: &Audits<'_>,
    reduced: &Reduced,
    property: PropertyId,
    said: &RunEvidence,
    budget: &Budget,
) -> Result<Audited, UnknownReason> {
    let mut original = reduced.original.clone();
    let Ok(Query::NoAcceptedRun(automaton)) = query(&mut original, property) else {
        return Ok(Audited::Not("it is about states".to_owned()));
    };
    let monitor = said.monitor(&automaton);
    let own = audits.budget(budget);
    let audit = (audits.runs)(&original, &monitor, &said.invariant, &own);
    believed(audit, budget)
}

/// What is left of a verdict whose proof could not be checked anew for want of time or memory.
pub(crate) fn weakened(verdict: Verdict, audited: &Audited) -> Verdict {
    match (verdict, audited) {
        (
            Verdict::Holds {
                strength: Strength::Proved,
                assumptions,
            },
            Audited::Not(why),
        ) if why == DEARER || *why == Rejected::Limit.to_string() => Verdict::Holds {
            strength: Strength::Unchecked,
            assumptions,
        },
        (verdict, _) => verdict,
    }
}

/// What an audit says of a proof. One that is rejected proves nothing.
pub(crate) fn believed(
    audit: Result<(), Rejected>,
    budget: &Budget,
) -> Result<Audited, UnknownReason> {
    match audit {
        Ok(()) => Ok(Audited::Yes),
        // It had less than there is.
        Err(Rejected::Limit) if budget.exhausted(0).is_none() => {
            Ok(Audited::Not(DEARER.to_owned()))
        }
        Err(rejected @ (Rejected::Unsupported(_) | Rejected::Wide | Rejected::Limit)) => {
            Ok(Audited::Not(rejected.to_string()))
        }
        Err(
            rejected @ (Rejected::Malformed
            | Rejected::NotInductive(_)
            | Rejected::Violated
            | Rejected::Flawed(_)),
        ) => Err(UnknownReason::NotAudited(rejected.to_string())),
    }
}
