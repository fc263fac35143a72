//! When a partial-order reduction is given up: where it leaves hardly anything out.

use crate::{Technique, Tuning};

/// Of so many expansions, one at least is reduced where a reduction has proved itself.
const WORTH: u64 = 16;

/// Whether a reduction has turned out to be of no use.
pub(crate) fn is_worthless(tuning: &Tuning, expanded: u64, reduced: u64) -> bool {
    let trial = tuning.number(Technique::ReductionTrial);
    trial > 0 && expanded >= trial && reduced * WORTH < expanded
}
