//! When a partial-order reduction is given up: where it leaves hardly anything out.
//!
//! A reduced expansion may leave nothing out: those that were not tried could not have moved. Some
//! expansions are made in full as well, to see of how many this is so.

use std::ops::ControlFlow;

use crate::store::hash::hash;
use crate::successors::expander::{Driver, End, Sink};
use crate::vm::machine::Violation;
use crate::{Technique, Tuning};

/// Of so many expansions, one at least leaves something out where a reduction has proved itself.
const WORTH: u64 = 16;
/// Of so many reduced expansions, one is made in full, too,
const EVERY: u64 = 64;
/// until these were.
const ENOUGH: u64 = 1 << 10;

/// Whether a reduction has turned out to be of no use.
pub(crate) fn is_worthless(tuning: &Tuning, expanded: u64, reduced: u64) -> bool {
    let trial = tuning.number(Technique::ReductionTrial);
    trial > 0 && expanded >= trial && reduced * WORTH < expanded
}

/// Reduced expansions that were made in full as well.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Sample {
    drawn: u64,
    /// Those that had left nothing out.
    in_vain: u64,
}

impl Sample {
    /// Whether a state belongs to it: that depends on the state alone, so that it is the same
    /// whoever expands it.
    pub(crate) fn draws(stored: &[u64]) -> bool {
        hash(stored).is_multiple_of(EVERY)
    }

    /// Whether it is large enough.
    pub(crate) fn is_enough(self) -> bool {
        self.drawn >= ENOUGH
    }

    /// Adds an expansion that had so many ends, and has so many in full.
    pub(crate) fn add(&mut self, reduced: u64, full: u64) {
        self.drawn += 1;
        self.in_vain += u64::from(reduced >= full);
    }

    /// Both together.
    pub(crate) fn with(self, other: Sample) -> Sample {
        Sample {
            drawn: self.drawn + other.drawn,
            in_vain: self.in_vain + other.in_vain,
        }
    }

    /// How many of so many reduced expansions have left something out, as far as it tells.
    pub(crate) fn effective(self, reduced: u64) -> u64 {
        match self.drawn {
            0 => reduced,
            drawn => reduced.saturating_mul(drawn - self.in_vain) / drawn,
        }
    }
}

/// Counts the ends of macro steps.
struct Ends(u64);

impl Sink for Ends {
    fn successor(&mut self, _: &End<'_>) -> ControlFlow<()> {
        self.0 += 1;
        ControlFlow::Continue(())
    }

    fn violation(&mut self, _: Violation, _: u32) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// How many ends of macro steps there are from a state if nothing is left out; nothing if that
/// could not be found out.
pub(crate) fn ends_in_full(driver: &mut Driver<'_>, stored: &[u64]) -> Option<u64> {
    let mut ends = Ends(0);
    let machine = &driver.machine;
    let noted = (machine.gave_up, machine.sampled, machine.micro_limit);
    // What is remembered has been told, and nothing of this is.
    let remembered = std::mem::take(&mut driver.transition_cache);
    let expanded = driver.expand_fully(stored, &mut ends);
    driver.transition_cache = remembered;
    // What was not explored does not count.
    let machine = &mut driver.machine;
    (machine.gave_up, machine.sampled, machine.micro_limit) = noted;
    expanded.ok().map(|_| ends.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_leaves_nothing_out_does_not_count() {
        let mut sample = Sample::default();
        assert_eq!(sample.effective(40), 40);
        for full in [3, 3, 3, 5] {
            sample.add(3, full);
        }
        assert_eq!(sample.effective(40), 10);
        assert_eq!(sample.with(sample).effective(40), 10);
        assert!(is_worthless(
            &Tuning::usual(),
            20_000,
            sample.effective(4_000)
        ));
        assert!(!is_worthless(&Tuning::usual(), 20_000, 4_000));
    }
}
