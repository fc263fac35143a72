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

/// What is remembered in no more bytes stays in the processor's own caches anyway.
const NEAR: u64 = 1 << 18;
/// Look-ups for an instance in so many states from which on they are prefetched.
const OFTEN: usize = AT_ONCE * 3 / 4;
/// In the place of what is not remembered.
const UNKNOWN: u32 = u32::MAX;

/// Where what is remembered of instances is.
#[derive(Clone, Debug, Default)]
pub(crate) struct Found {
    /// For each instance, its place in each of the states; zero if there is nothing to tell.
    places: Vec<[u32; AT_ONCE]>,
    /// How many look-ups there were for each instance the last time.
    look_ups: Vec<usize>,
    /// The states, as bits, of which everything is remembered, and in which something is possible;
    known: u64,
    /// those of which something is not remembered;
    unknown: u64,
    /// and those in which something that is remembered is possible.
    possible: u64,
}

/// What is remembered of an instance in a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Remembered {
    /// It is known that nothing is to be told.
    Nothing,
    At(u32),
    Unknown,
}

impl Found {
    /// For so many instances.
    pub(crate) fn new(instances: usize) -> Found {
        Found {
            places: vec![[0; AT_ONCE]; instances],
            look_ups: vec![0; instances],
            ..Found::default()
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
        let is_far = transition_cache.bytes() > NEAR;
        let instances = self.places.iter_mut().zip(&mut self.look_ups);
        for ((places, look_ups), location_lists) in instances.zip(stations) {
            // What is like the state before needs no look-up.
            if is_far && *look_ups >= OFTEN {
                prefetch_entries(width, transition_cache, *location_lists, states);
            }
            *look_ups = 0;
            let mut states = states.chunks_exact(width.get());
            let mut next = states.next();
            let mut number = 0;
            while let Some(state) = next
                && number < AT_ONCE
            {
                *look_ups += 1;
                let table = location_lists.priority_list(state);
                let view = transition_cache.view(width, table);
                let place = view.and_then(|view| transition_cache.look_up(view, table, state));
                let (is_possible, tells) =
                    place.map_or((false, false), |it| transition_cache.gist(it));
                let told = place.map_or(UNKNOWN, |place| if tells { place } else { 0 });
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
        self.unknown = unknown;
        self.possible = possible;
    }

    /// Nothing is known of the states that come next.
    pub(crate) fn forget(&mut self) {
        (self.known, self.unknown) = (0, 0);
    }

    /// Whether something of the state with this number was looked for and not found.
    #[inline(always)]
    pub(crate) fn is_incomplete(&self, number: usize) -> bool {
        self.unknown >> number & 1 != 0
    }

    /// Whether something that is remembered of the state with this number is possible.
    pub(crate) fn is_possible(&self, number: usize) -> bool {
        self.possible >> number & 1 != 0
    }

    /// What is remembered of an instance in the state with this number.
    pub(crate) fn of(&self, instance: usize, number: usize) -> Remembered {
        match self.places[instance][number] {
            0 => Remembered::Nothing,
            UNKNOWN => Remembered::Unknown,
            place => Remembered::At(place),
        }
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

/// Prefetches what the look-ups for an instance in some states will read.
#[inline(always)]
fn prefetch_entries<W: Width>(
    width: W,
    transition_cache: &TransitionCache,
    location_lists: LocationLists,
    states: &[u64],
) {
    let mut slots = [0; AT_ONCE];
    let mut count = 0;
    for state in states.chunks_exact(width.get()).take(AT_ONCE) {
        let table = location_lists.priority_list(state);
        let view = transition_cache.view(width, table);
        if let Some(slot) = view.and_then(|view| transition_cache.first_slot(view, table, state)) {
            transition_cache.prefetch_slot(slot);
            slots[count % AT_ONCE] = slot;
            count += 1;
        }
    }
    for &slot in slots.iter().take(count) {
        transition_cache.prefetch_entry(slot);
    }
}
