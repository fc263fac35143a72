//! What is remembered of each instance in the state that is expanded.
//!
//! States that are expanded one after the other have often been found from the same state, and
//! mostly differ in what one or two instances look at. Only for those is what is
//! [remembered](crate::recall) looked up: for the others it is where it was for the state before.

use crate::footprint::Station;
use crate::recall::Recall;

/// Where something is remembered.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Place {
    /// The table,
    pub(crate) table: u32,
    /// and the place in it.
    pub(crate) entry: u32,
    /// Whether anything is possible, and how many ends there are.
    pub(crate) head: u64,
    /// The fairness sets of which some step is enabled.
    pub(crate) enabled: u64,
}

/// What is remembered of each instance.
#[derive(Clone, Debug, Default)]
pub(crate) struct Found {
    places: Vec<Place>,
    /// The state for which all this was found.
    state: Vec<u64>,
    /// Whether there is one.
    known: bool,
}

impl Found {
    /// For so many instances, and states of so many words.
    pub(crate) fn new(instances: usize, words: usize) -> Found {
        Found {
            places: vec![Place::default(); instances],
            state: vec![0; words],
            known: false,
        }
    }

    /// Finds what is remembered of all instances in a state; says whether that is everything.
    #[inline(always)]
    pub(crate) fn find(
        &mut self,
        recall: &mut Recall,
        stations: &[Station],
        stored: &[u64],
    ) -> bool {
        let anew = !std::mem::replace(&mut self.known, false);
        let before = &mut self.state[..stored.len()];
        for (place, station) in self.places.iter_mut().zip(stations) {
            if !anew {
                let bits = recall.bits(place, stored.len());
                let mut other = 0;
                for ((bits, before), word) in bits.iter().zip(&*before).zip(stored) {
                    other |= bits & (before ^ word);
                }
                if other == 0 {
                    continue;
                }
            }
            match recall.find(station.ladder(stored), stored) {
                Some(found) => *place = found,
                None => return false,
            }
        }
        before.copy_from_slice(stored);
        self.known = true;
        true
    }

    /// Where what was found is.
    #[inline(always)]
    pub(crate) fn places(&self) -> &[Place] {
        &self.places
    }
}
