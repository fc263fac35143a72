//! Why a property is open, as far as that takes more than a sentence: what is not followed of the script, and whether
//! states on disk would help.

use model::{AssumptionId, UnknownReason, Verdict};
use verify::Outcome;

use crate::story::Narrator;

/// At most so much that is left out is named.
const MOST_NAMED: usize = 3;

/// Whether a search ran out of memory that can be made with states on disk.
pub(crate) fn would_do_on_disk(claim: &model::Claim, outcome: &Outcome) -> bool {
    use model::Claim;
    let is_of_states = matches!(
        claim,
        Claim::Check(_) | Claim::Always(_) | Claim::NoDeadlock | Claim::NoFault(_) | Claim::Returns
    );
    let is_short = matches!(
        outcome.verdict,
        Verdict::Unknown {
            reason: UnknownReason::Memory,
            ..
        }
    );
    let storage = outcome.statistics.storage;
    is_of_states
        && is_short
        && outcome.engine == verify::Engine::Explicit
        && ["plain", "compressed"].contains(&storage)
}

/// What is left out of the script, in words.
pub(crate) fn parts_left_out(narrator: &Narrator<'_>, assumptions: &[AssumptionId]) -> String {
    let all = assumptions.iter().map(|id| narrator.assumption(*id));
    let mut named: Vec<String> = all.take(MOST_NAMED).collect();
    let more = assumptions.len().saturating_sub(named.len());
    if more > 0 {
        named.push(format!("{more} more, which stand among the assumptions"));
    }
    format!("not all that may happen is followed: {}", named.join("; "))
}
