//! States that are packed anew in the middle of a search by several processes.
//!
//! [At first](crate::partitioned::prefix) a slot has the bits that its values need in the first states. What
//! does not fit is told at the end of the level, as all else is; so all processes give the same slots more bits, each
//! turns the states that it owns, and the level is expanded again, of which nothing is stored twice. States keep their
//! numbers, and their [owners](crate::partitioned::owners), so that nothing has to travel. But then each state has to be turned
//! back to find its owner; where there are few states yet, the search begins anew instead.

use std::cell::OnceCell;

use crate::engine::Engine;
use crate::store::adaptive_packing::widened;
use crate::store::packing::{FieldOverflow, Packing};

/// How often states are packed anew; the last time by types, where everything fits.
pub(crate) const ROUNDS: usize = 4;

/// The program with states that have more room, when these values have not fitted one time after the other.
pub(crate) type After<'e> = &'e dyn Fn(&[Vec<FieldOverflow>]) -> &'e Engine<'e>;

/// How states are packed anew.
pub(crate) struct Wider<'e> {
    pub(crate) after: After<'e>,
    /// How they were packed at first.
    pub(crate) first: &'e Packing,
    /// What has not fitted each time.
    pub(crate) rounds: Vec<Vec<FieldOverflow>>,
    /// How many of these there have been since the search was begun or gone on.
    pub(crate) again: u64,
    /// With fewer states than this, of all, the search begins anew instead.
    pub(crate) few: u64,
    /// What engines before this one had done that makes a search no proof.
    pub(crate) sampled: bool,
    pub(crate) gave_up: bool,
}

/// What is to be done where values do not fit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Remedy {
    /// States are packed anew where they are.
    Turn,
    /// The search begins anew.
    Anew,
}

impl Wider<'_> {
    /// What to do when there are so many states, and the search has gone on from saved ones or has not; nothing if states
    /// are packed by types.
    pub(crate) fn remedy(&self, states: u64, goes_on: bool) -> Option<Remedy> {
        match self.rounds.len() {
            0 if states < self.few && !goes_on => Some(Remedy::Anew),
            ROUNDS.. => None,
            _ => Some(Remedy::Turn),
        }
    }
}

/// The program with states that are packed in one way after the other.
pub(crate) struct Widening<'p> {
    /// By types.
    whole: Engine<'p>,
    /// As its first states need it; none if by types.
    first: Option<Engine<'p>>,
    /// With more bits each time.
    wider: [OnceCell<Engine<'p>>; ROUNDS],
}

impl<'p> Widening<'p> {
    pub(crate) fn new(whole: Engine<'p>, first: Option<Engine<'p>>) -> Widening<'p> {
        Widening {
            whole,
            first,
            wider: Default::default(),
        }
    }

    /// The program with states that are packed by types.
    pub(crate) fn whole(&self) -> &Engine<'p> {
        &self.whole
    }

    /// The program as the search begins with it.
    pub(crate) fn first(&self) -> &Engine<'p> {
        self.first.as_ref().unwrap_or(&self.whole)
    }

    /// The program when these values have not fitted, one time after the other.
    pub(crate) fn after(&self, rounds: &[Vec<FieldOverflow>]) -> &Engine<'p> {
        let mut now = self.first();
        for (number, (overflow, wider)) in rounds.iter().zip(&self.wider).enumerate() {
            now = wider.get_or_init(|| {
                let packing = if number + 1 < ROUNDS {
                    let types = (&self.whole.packing, &self.whole.layout);
                    widened(&now.packing, overflow, types, number)
                } else {
                    self.whole.packing.again()
                };
                self.whole.repacked(packing)
            });
        }
        now
    }
}
