//! What fails is told on the whole script.
//!
//! Of some scripts only that part is checked that bears on a property. A run that fails there
//! is made one of the whole and confirmed on that before anyone sees it. If that does not work out,
//! the property is checked again with nothing left out; an answer that contradicts the first one is
//! none, and the defect is ours.

use std::sync::Arc;

use language::{NoWhole, Whole};
use model::{PropertyId, Trace, UnknownReason, Verdict};
use passes::focus;
use verify::{Failure, Outcome, confirm};

/// Makes the runs of outcomes runs of the whole; `again` checks a property on that.
pub(crate) fn told_on_the_whole(
    whole: &Result<Box<dyn Whole>, NoWhole>,
    outcomes: &mut [Outcome],
    again: &dyn Fn(&dyn Whole, PropertyId) -> Option<Outcome>,
) {
    for outcome in outcomes {
        let Verdict::Fails { trace } = &outcome.verdict else {
            continue;
        };
        let whole = match whole {
            Ok(whole) => whole,
            Err(NoWhole::Same) => return,
            Err(NoWhole::Entangled) => {
                let what = "the run of a script that is too entangled as a whole";
                outcome.verdict = Verdict::Unknown {
                    reason: UnknownReason::Unsupported(what.to_owned()),
                    possible: Some(trace.clone()),
                };
                continue;
            }
        };
        let focused = focus(whole.program(), &[outcome.property]);
        let lifted = |trace: &Trace| -> Option<Failure> {
            let trace = whole.run(trace)?;
            let replay = confirm(&focused, outcome.property, &trace).ok()?;
            Some(Failure { trace, replay })
        };
        if let Some(failure) = lifted(trace) {
            let others = std::mem::take(&mut outcome.others);
            let kept: Vec<Failure> = others.iter().filter_map(|o| lifted(&o.trace)).collect();
            outcome.others_cut |= kept.len() < others.len();
            outcome.others = kept;
            outcome.verdict = Verdict::Fails {
                trace: Arc::new(failure.trace),
            };
            outcome.replay = Some(failure.replay);
            continue;
        }
        let unknown = |reason| Verdict::Unknown {
            reason,
            possible: None,
        };
        match again(&**whole, outcome.property) {
            Some(found) if matches!(found.verdict, Verdict::Fails { .. }) => *outcome = found,
            Some(Outcome {
                verdict: Verdict::Unknown { reason, .. },
                ..
            }) => {
                outcome.verdict = unknown(reason);
                outcome.replay = None;
            }
            _ => {
                let what = "it fails on what bears on it, and not on the whole script";
                outcome.verdict = unknown(UnknownReason::Contradiction(what.to_owned()));
                outcome.replay = None;
            }
        }
        outcome.others.clear();
    }
}
