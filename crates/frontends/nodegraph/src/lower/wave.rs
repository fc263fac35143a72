//! Waves while they are made: what is pending, and the locations of the process that sends them.
//!
//! A fork sends its signals one after the other, each as far as it goes, so what is still to be sent
//! is a stack. Stacks are shared by their tails; each has a number.

use std::collections::{BTreeSet, HashMap, HashSet};

use model::{LocId, Mode, Process, Step};
use source::Span;

use super::Cause;
use super::known::{Known, Possible};
use super::turns::Turns;
use crate::net::{MachineId, Net};

/// What may be pending while one signal travels.
const MOST_PENDING: u32 = 2_000;
/// How much may be known at a location before nothing is.
const MOST_KNOWN: usize = 32;

/// Signals that are still to be sent, the next one on top.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Pending(u32);

pub(super) const NOTHING: Pending = Pending(0);

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Entry {
    pub(super) machine: MachineId,
    pub(super) input: u16,
    pub(super) rest: Pending,
}

/// How much is pending behind an entry, itself included.
#[derive(Clone, Copy, Debug)]
struct Depth {
    all: u32,
    /// How often the same input is among it.
    same: u32,
}

/// All stacks of signals that are still to be sent.
pub(super) struct Pile {
    entries: Vec<(Entry, Depth)>,
    interned: HashMap<Entry, Pending>,
    /// How often signals to an input may be pending.
    pub(super) turns: Turns,
    /// Inputs to which fewer signals are sent than there may be: a loop has piled up too many.
    pub(super) left_out: BTreeSet<(MachineId, u16)>,
    /// What variables can hold.
    pub(super) possible: Possible,
}

impl Pile {
    pub(super) fn new(net: &Net) -> Pile {
        let bottom = Entry {
            machine: MachineId(0),
            input: 0,
            rest: NOTHING,
        };
        let depth = Depth { all: 0, same: 0 };
        Pile {
            entries: vec![(bottom, depth)],
            interned: HashMap::new(),
            turns: Turns::of(net),
            left_out: BTreeSet::new(),
            possible: Possible::of(net),
        }
    }

    /// What is on top.
    pub(super) fn entry(&self, pending: Pending) -> Entry {
        self.entries[pending.0 as usize].0
    }

    /// One more signal, which is sent first. If a loop piles up more of them than it has different
    /// turns, there are as many as before: the loop then goes round where it is.
    pub(super) fn push(&mut self, machine: MachineId, input: u16, rest: Pending) -> Pending {
        let entry = Entry {
            machine,
            input,
            rest,
        };
        if let Some(&known) = self.interned.get(&entry) {
            return known;
        }
        let all = self.entries[rest.0 as usize].1.all + 1;
        let mut same = 1;
        let mut at = rest;
        while at != NOTHING {
            let (other, depth) = self.entries[at.0 as usize];
            if (other.machine, other.input) == (machine, input) {
                same += depth.same;
                break;
            }
            at = other.rest;
        }
        let new = if all > MOST_PENDING || same > self.turns.at(machine, input) {
            self.left_out.insert((machine, input));
            rest
        } else {
            self.entries.push((entry, Depth { all, same }));
            Pending(u32::try_from(self.entries.len() - 1).expect("there is room for fewer"))
        };
        self.interned.insert(entry, new);
        new
    }
}

/// The waves of one process while they are made.
pub(super) struct Wave {
    pub(super) process: Process,
    pub(super) rest: LocId,
    locations: HashMap<Pending, Pause>,
    pub(super) open: Vec<(Pending, Known)>,
    pub(super) origins: Vec<Option<Cause>>,
}

/// Where a wave is between two steps.
struct Pause {
    location: LocId,
    /// With what may be known there.
    known: HashSet<Known>,
    /// The steps that there are: rule and effect.
    made: HashSet<(usize, usize)>,
}

impl Wave {
    pub(super) fn new(name: String) -> Wave {
        Wave {
            process: Process::new(name),
            rest: LocId(0),
            locations: HashMap::new(),
            open: Vec::new(),
            origins: Vec::new(),
        }
    }

    /// The location at which this is pending, if there is one. If more may be there than was known
    /// before, what may happen there is to be found out again.
    pub(super) fn again(&mut self, pending: Pending, known: &Known) -> Option<LocId> {
        let pause = self.locations.get_mut(&pending)?;
        let nothing = Known::default();
        let known = match pause.known.len() {
            MOST_KNOWN.. => &nothing,
            _ => known,
        };
        if !pause.known.contains(&nothing) && pause.known.insert(known.clone()) {
            self.open.push((pending, known.clone()));
        }
        Some(pause.location)
    }

    /// This is pending at a new location.
    pub(super) fn pause(&mut self, pending: Pending, location: LocId, known: Known) {
        let pause = Pause {
            location,
            known: HashSet::from([known.clone()]),
            made: HashSet::new(),
        };
        self.locations.insert(pending, pause);
        self.open.push((pending, known));
    }

    /// The location at which this is pending.
    pub(super) fn location(&self, pending: Pending) -> LocId {
        self.locations[&pending].location
    }

    /// Whether there is no such step yet.
    pub(super) fn is_new(&mut self, pending: Pending, rule: usize, way: usize) -> bool {
        let pause = self.locations.get_mut(&pending);
        pause.is_some_and(|pause| pause.made.insert((rule, way)))
    }

    pub(super) fn add(&mut self, step: Step, origin: Cause) {
        self.process.add_step(step);
        self.origins.push(Some(origin));
    }

    pub(super) fn stable(&mut self, name: &str, span: Span) -> LocId {
        let location = self.process.add_location(name, Mode::Open, span);
        self.process.locations[location.index()].end = true;
        location
    }
}
