//! What is remembered of each instance in states that are to be expanded one after the other.
//!
//! They have often been found from the same state, and mostly differ in what one or two instances
//! look at. Only for those is what is [remembered](crate::successors::transition_cache) looked up: for the others it is
//! where it was for the state before. That is done instance by instance, so that what is known of
//! one stays at hand.

use crate::ir::state_width::Width;
use crate::successors::read_write_sets::LocationLists;
use crate::successors::transition_cache::TransitionCache;

/// States for which places are found at a time.
pub(crate) const AT_ONCE: usize = 64;

/// Where what is remembered of instances is.
#[derive(Clone, Debug, Default)]
pub(crate) struct Found {
    /// For each instance, its place in each of the states; zero if there is nothing to tell.
    places: Vec<[u32; AT_ONCE]>,
    /// The states, as bits, of which everything is remembered, and in which something is possible.
    known: u64,
}

impl Found {
    /// For so many instances.
    pub(crate) fn new(instances: usize) -> Found {
        Found {
            places: vec![[0; AT_ONCE]; instances],
            known: 0,
        }
    }

    /// Finds what is remembered of all instances in the first of some states.
    #[inline(always)]
    pub(crate) fn find<W: Width>(
        &mut self,
        width: W,
        transition_cache: &TransitionCache,
        stations: &[LocationLists],
        states: &[u64],
    ) {
        let (mut unknown, mut possible) = (0, 0);
        for (places, location_lists) in self.places.iter_mut().zip(stations) {
            let mut states = states.chunks_exact(width.get());
            let mut next = states.next();
            let mut number = 0;
            while let Some(state) = next
                && number < AT_ONCE
            {
                let table = location_lists.priority_list(state);
                let view = transition_cache.view(width, table);
                let place = view.and_then(|view| transition_cache.look_up(view, table, state));
                let (is_possible, tells) =
                    place.map_or((false, false), |it| transition_cache.gist(it));
                let told = place.filter(|_| tells).unwrap_or(0);
                let first = number;
                places[first] = told;
                number += 1;
                next = states.next();
                // It is the same for those that follow and agree.
                let view = match (view, place) {
                    (Some(view), Some(place)) if !view.exact => {
                        transition_cache.view_at(width, place)
                    }
                    (view, place) => view.filter(|_| place.is_some()),
                };
                if let Some(view) = view {
                    while let Some(other) = next
                        && number < AT_ONCE
                        && view.agree(state, other)
                    {
                        places[number] = told;
                        number += 1;
                        next = states.next();
                    }
                }
                let these = u64::MAX >> (AT_ONCE - (number - first)) << first;
                possible |= if is_possible { these } else { 0 };
                unknown |= if place.is_none() { these } else { 0 };
            }
        }
        self.known = possible & !unknown;
    }

    /// Nothing is known of the states that come next.
    pub(crate) fn forget(&mut self) {
        self.known = 0;
    }

    /// Where what was found for the state with this number is, if it is everything and something is
    /// possible there.
    #[inline(always)]
    pub(crate) fn places(&self, number: usize) -> Option<impl Iterator<Item = u32>> {
        let is_known = self.known >> number & 1 != 0;
        let places = self.places.iter().map(move |places| places[number]);
        is_known.then(|| places.filter(|&place| place != 0))
    }
}
