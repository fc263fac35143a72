//! All failing places, each once: for searches that go on behind a failure.
//!
//! Two failures of one kind count as one if they happen in one place: failed checks at one
//! assertion, faults that one step raises, deadlocks in which every instance is at the same
//! location. Of each place the run that is found first is kept, and in a breadth-first search
//! none is shorter.

use std::collections::HashMap;

use model::{Bad, FaultId};

use crate::search::targets::Found;
use crate::vm::machine::Violation;

/// More places than this are not kept apart: who has that many does not read about them all.
const MOST: usize = 200;

/// Where something failed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
enum Place {
    Check(u32, u32),
    Fault(FaultId, u32),
    Divergence,
    /// The locations of all instances, hashed.
    Deadlock(u64),
}

/// The failing places found so far.
#[derive(Clone, Default, Debug)]
pub(crate) struct FailureClasses {
    places: HashMap<Place, Found>,
    /// In the order in which they were found.
    order: Vec<Place>,
    /// There are more.
    pub(crate) cut: bool,
}

impl FailureClasses {
    pub(crate) fn violation(&mut self, violation: Violation, found: Found) {
        let place = match violation {
            Violation::Check(check, site) => Place::Check(check, site),
            Violation::Fault(fault, site) => Place::Fault(fault, site),
            Violation::Divergence => Place::Divergence,
        };
        self.note(place, found);
    }

    pub(crate) fn deadlock(&mut self, locations: u64, found: Found) {
        self.note(Place::Deadlock(locations), found);
    }

    fn note(&mut self, place: Place, found: Found) {
        if self.places.contains_key(&place) {
            return;
        }
        if self.order.len() == MOST {
            self.cut = true;
            return;
        }
        self.order.push(place);
        self.places.insert(place, found);
    }

    /// Adds what another has found; what is known stays.
    pub(crate) fn absorb(&mut self, other: &mut FailureClasses) {
        let mut places = std::mem::take(other);
        self.cut |= places.cut;
        for place in places.order.drain(..) {
            self.note(place, places.places[&place]);
        }
    }

    /// The failures of each bad thing, by its number.
    pub(crate) fn failures(&self, bads: &[Bad]) -> Vec<(usize, Found)> {
        let mut failures = Vec::new();
        for (number, bad) in bads.iter().enumerate() {
            for place in &self.order {
                let is_this = match (bad, place) {
                    (Bad::Check(wanted), Place::Check(check, _)) => wanted.0 == *check,
                    (Bad::Fault(wanted), Place::Fault(fault, _)) => wanted.contains(fault),
                    (Bad::Divergence, Place::Divergence) | (Bad::Deadlock, Place::Deadlock(_)) => {
                        true
                    }
                    _ => false,
                };
                if is_this {
                    failures.push((number, self.places[place]));
                }
            }
        }
        failures
    }
}
