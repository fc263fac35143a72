//! A probe: a depth-first look for failures that lie deep.
//!
//! Breadth-first search comes to a failure at depth *n* when it has seen all that lies less deep,
//! which may be too much. So now and then, when a search has grown by a factor, a bounded number
//! of states is gone through newest first, from the beginning, as SPIN does it (Holzmann 2003,
//! chapter 8); for what that finds there is an answer even if the search is never done. Its runs
//! are seldom the shortest: those found breadth-first stand before them. Nothing of a probe goes
//! into the search, so it can afford to take two states with the same 64 bits for one.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::BuildHasherDefault;
use std::ops::ControlFlow;

use model::{Bad, Budget, Pulse};

use crate::engine::Engine;
use crate::evidence::trace::Goal;
use crate::search::targets::{Targets, is_of};
use crate::store::hash::{FoldHasher, hash};
use crate::successors::expander::{Driver, End, Halt, Sink};
use crate::successors::local_expansion::{Next, Order};
use crate::vm::machine::Violation;

/// States expanded between two looks at the budget, at most.
const PULSE: u32 = 1 << 10;

/// There is room for so many states, if it may see as many, from the beginning.
const SOON: usize = 1 << 15;

/// A run to something bad: the states on the way, and how the macro step after them ends.
#[derive(Clone, Debug)]
pub(crate) struct DeepFailure {
    pub(crate) states: Vec<Vec<u64>>,
    pub(crate) last: Option<Goal>,
}

/// When probes are made.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DepthProbes {
    next: u64,
    /// From one probe to the next the search grows by this factor,
    factor: u64,
    /// and a probe may see one for so many states of the search so far,
    share: u64,
    /// but this many in any case.
    least: u64,
}

impl DepthProbes {
    /// No probes.
    pub(crate) const NONE: DepthProbes = DepthProbes {
        next: u64::MAX,
        factor: 1,
        share: 1,
        least: 0,
    };

    /// Some that grow with the search, and do not hold up one that finds nothing by much: all of
    /// them together see one state for every fifteen of the search.
    pub(crate) const SMALL: DepthProbes = DepthProbes {
        next: 1 << 16,
        factor: 4,
        share: 20,
        least: 1 << 14,
    };

    /// As much effort as for the search, for when any failure will do.
    pub(crate) const LARGE: DepthProbes = DepthProbes {
        next: 1 << 13,
        factor: 4,
        share: 1,
        least: 1 << 17,
    };

    /// How many states a probe may see that begins now; none if it is not time for one.
    pub(crate) fn due(&mut self, states: u64) -> Option<usize> {
        if self.next == u64::MAX || states < self.next {
            return None;
        }
        self.next = self.next.saturating_mul(self.factor).max(states);
        usize::try_from((states / self.share).max(self.least)).ok()
    }
}

/// What probes look for.
#[derive(Clone)]
pub(crate) struct ProbeTargets<'s> {
    pub(crate) wanted: &'s Targets<'s>,
    /// What has been found elsewhere.
    pub(crate) known: Vec<bool>,
    /// States that they may see.
    pub(crate) most: usize,
    pub(crate) budget: &'s Budget,
}

/// A probe: half of the states are seen with those moving first who come first, half the other way
/// round. Which of the two comes to a failure soon, and which has to go through almost everything
/// before, cannot be told. This is one of the halves. Drivers of workers remember much already.
pub(crate) struct DepthProbe<'s> {
    sought: ProbeTargets<'s>,
    order: Order,
    /// For each bad thing that is still open, what has been found.
    open: Vec<Option<DeepFailure>>,
    /// Whether all states [had room](crate::store::adaptive_packing).
    fits: bool,
}

impl<'s> DepthProbe<'s> {
    /// One half of a probe, or the other.
    pub(crate) fn new(sought: ProbeTargets<'s>, order: Order) -> Self {
        DepthProbe {
            open: vec![None; sought.known.len()],
            sought,
            order,
            fits: true,
        }
    }

    /// What has been found in both halves; nothing if there were states that had no room.
    pub(crate) fn found(self, other: Self) -> Option<Vec<Option<DeepFailure>>> {
        let both = self.open.into_iter().zip(other.open);
        let fits = self.fits && other.fits;
        fits.then(|| both.map(|(first, second)| first.or(second)).collect())
    }

    /// Both halves, one after the other: what the first finds the second does not look for.
    pub(crate) fn both(
        mut sought: ProbeTargets<'s>,
        engine: &Engine<'_>,
        driver: &mut Driver<'_>,
    ) -> Option<Vec<Option<DeepFailure>>> {
        let mut first = DepthProbe::new(sought.clone(), Order::FirstFirst);
        first.make(engine, driver);
        for (known, open) in sought.known.iter_mut().zip(&first.open) {
            *known |= open.is_some();
        }
        let mut second = DepthProbe::new(sought, Order::LastFirst);
        if first.fits {
            second.make(engine, driver);
        }
        first.found(second)
    }

    /// Makes it.
    pub(crate) fn make(&mut self, engine: &Engine<'_>, driver: &mut Driver<'_>) {
        let sought = &self.sought;
        let wanted = sought.wanted;
        let missing = |bad: &usize| !sought.known[*bad];
        let missing: Vec<usize> = (0..wanted.bads.len()).filter(missing).collect();
        if missing.is_empty() {
            return;
        }
        let collects_outcomes = wanted.states.iter().any(|(bad, _)| missing.contains(bad));
        driver.set_collects_outcomes(collects_outcomes);
        let mut visit = Visit {
            wanted,
            words: engine.packing.words,
            states: Vec::new(),
            parents: Vec::new(),
            done: Vec::new(),
            seen: HashMap::with_capacity_and_hasher(
                (sought.most / 2).min(SOON),
                BuildHasherDefault::default(),
            ),
            waiting: Vec::new(),
            current: None,
            missing,
            found: Vec::new(),
        };
        for stored in &engine.initial {
            visit.add(stored);
        }
        let mut from = vec![0; engine.packing.words];
        let mut pulse = Pulse::new(PULSE);
        while let Some(&Waiting { at, left }) = visit.waiting.last() {
            if visit.missing.is_empty() || visit.parents.len() >= sought.most / 2 {
                break;
            }
            // It has come to wait on top meanwhile.
            if left.is_none() && std::mem::replace(&mut visit.done[at as usize], true) {
                visit.waiting.pop();
                continue;
            }
            if pulse.beat() && (sought.budget.exhausted(0).is_some() || engine.is_short_of_room()) {
                break;
            }
            visit.current = Some(at);
            from.copy_from_slice(visit.state(at));
            // What is found goes on top of it.
            let place = visit.waiting.len() - 1;
            let mut after = None;
            match driver.expand_next(&from, left, self.order, &mut visit) {
                Ok(Next::Left(now)) => after = Some(now).filter(|&left| left > 0),
                Ok(Next::Nothing) if left.is_none() && !driver.is_valid_end() => {
                    visit.meet(|bad| *bad == Bad::Deadlock, None);
                }
                Err(Halt::Enough) => break,
                Err(Halt::FieldOverflow) => {
                    self.fits = false;
                    return;
                }
                // If there is no answer, the search will come to that.
                Ok(_) | Err(Halt::Stop(_)) => {}
            }
            match after {
                Some(_) => visit.waiting[place].left = after,
                None => drop(visit.waiting.remove(place)),
            }
        }
        // With more room, it will be looked for again.
        if engine.is_short_of_room() {
            return;
        }
        for (bad, at, last) in std::mem::take(&mut visit.found) {
            self.open[bad] = Some(DeepFailure {
                states: visit.path(at),
                last,
            });
        }
    }
}

/// A state to go on from.
#[derive(Clone, Copy)]
struct Waiting {
    at: u32,
    /// How many locations are left to try; all, if none has been.
    left: Option<usize>,
}

/// What a probe has seen.
struct Visit<'w> {
    wanted: &'w Targets<'w>,
    words: usize,
    /// All states, one after the other, and from where each was found.
    states: Vec<u64>,
    parents: Vec<Option<u32>>,
    /// Which of them have been expanded.
    done: Vec<bool>,
    seen: HashMap<u64, u32, BuildHasherDefault<FoldHasher>>,
    /// Those to go on from, the newest last.
    waiting: Vec<Waiting>,
    /// The state that is expanded.
    current: Option<u32>,
    /// What is looked for,
    missing: Vec<usize>,
    /// and what has been found, where, and how the macro step from there ends.
    found: Vec<(usize, u32, Option<Goal>)>,
}

impl Visit<'_> {
    fn state(&self, at: u32) -> &[u64] {
        &self.states[at as usize * self.words..][..self.words]
    }

    fn add(&mut self, stored: &[u64]) {
        let Ok(number) = u32::try_from(self.parents.len()) else {
            return;
        };
        let at = match self.seen.entry(hash(stored)) {
            Entry::Vacant(free) => {
                free.insert(number);
                self.states.extend_from_slice(stored);
                self.parents.push(self.current);
                self.done.push(false);
                number
            }
            // A state that waits beside the path does not bar it: it is gone on from here.
            Entry::Occupied(known) if !self.done[*known.get() as usize] => {
                self.parents[*known.get() as usize] = self.current;
                *known.get()
            }
            Entry::Occupied(_) => return,
        };
        self.waiting.push(Waiting { at, left: None });
    }

    /// Everything bad of a kind has been met at the present state.
    fn meet(&mut self, is_this: impl Fn(&Bad) -> bool, last: Option<&Goal>) {
        let Some(at) = self.current else { return };
        let (wanted, found) = (self.wanted, &mut self.found);
        self.missing.retain(|&bad| {
            let met = is_this(&wanted.bads[bad]);
            if met {
                found.push((bad, at, last.cloned()));
            }
            !met
        });
    }

    fn path(&self, mut at: u32) -> Vec<Vec<u64>> {
        let mut states = vec![self.state(at).to_vec()];
        while let Some(parent) = self.parents[at as usize] {
            at = parent;
            states.push(self.state(at).to_vec());
        }
        states.reverse();
        states
    }

    fn go_on(&self) -> ControlFlow<()> {
        if self.missing.is_empty() {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }
}

impl Sink for Visit<'_> {
    fn successor(&mut self, end: &End<'_>) -> ControlFlow<()> {
        self.add(end.stored);
        if !end.outcomes.is_empty() {
            for &(bad, outcome) in &self.wanted.states {
                if end.outcomes[outcome] != 0
                    && let Some(place) = self.missing.iter().position(|&other| other == bad)
                    && let Some(at) = self.current
                {
                    self.missing.swap_remove(place);
                    self.found.push((bad, at, Some(Goal::Outcome(outcome))));
                }
            }
        }
        self.go_on()
    }

    fn violation(&mut self, violation: Violation, _log: u32) -> ControlFlow<()> {
        self.meet(
            |bad| is_of(bad, violation),
            Some(&Goal::Violation(violation)),
        );
        self.go_on()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn probes_come_seldom_and_grow_with_the_search() {
        let mut probes = DepthProbes::SMALL;
        assert_eq!(probes.due((1 << 16) - 1), None);
        assert_eq!(probes.due(1 << 16), Some(1 << 14));
        assert_eq!(probes.due((1 << 18) - 1), None);
        assert_eq!(probes.due(1 << 18), Some(1 << 14));
        let mut seen = 0;
        for power in (20..40).step_by(2) {
            let due = probes.due(1 << power).expect("it has grown enough");
            assert_eq!(due, (1 << power) / 20);
            assert_eq!(probes.due((1 << power) + 1), None, "one is enough");
            seen += due;
            assert!(seen * 15 <= 1 << power, "they take too much");
        }
        assert!(probes.due(u64::MAX).is_some());
        assert_eq!(probes.due(u64::MAX), None);
        let mut none = DepthProbes::NONE;
        assert_eq!(none.due(u64::MAX), None);
    }
}
