//! Accesses: what steps do to the things that instances share, and which of it does not commute.
//!
//! A queue is not one variable: a send and a receive that are both possible can be done in either
//! order (Godefroid 1996, section 3.4), as can two departures of instances. What is said of a
//! thing here is all that the choice of [stubborn sets](super) knows of it.

use std::collections::HashMap;

use model::{BarrierId, GlobalId, LocId, ProcessId};

/// Something that instances share.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum SharedObject {
    /// Everything there is: every step reads it.
    Everything,
    /// A piece of a global variable.
    Global(GlobalId, u32),
    /// A local variable of the instances of a template, which others look at.
    Local(ProcessId, u32),
    /// The channel with this reference less one.
    Channel(u32),
    /// Whether somebody of a template is at a location.
    Whereabouts(ProcessId, LocId),
    /// Which instances there are.
    Roster,
    /// Which channel references are in use.
    References,
    /// Objects made at run time.
    Heap,
    /// A barrier: written by all who take part.
    Barrier(BarrierId),
    /// What the query observes, all in one.
    Observed,
}

/// What is done to it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum AccessKind {
    Read,
    Write,
    /// Appends a message.
    Send,
    /// Takes the first message, or the first that matches.
    Receive,
    /// Depends on what messages there are, or on whether a partner is ready.
    Test,
    /// Comes to where a partner may find it.
    Ready,
    /// Somebody comes.
    Come,
    /// Somebody goes.
    Go,
}

/// An access to a shared object, by its number.
pub(super) type AccessId = usize;

/// The accesses of a program, numbered as they are met.
#[derive(Debug, Default)]
pub(super) struct AccessTable {
    ids: HashMap<(SharedObject, AccessKind), AccessId>,
    list: Vec<(SharedObject, AccessKind)>,
    by_thing: HashMap<SharedObject, Vec<AccessId>>,
    /// Whether conflicts have been looked for: an access met later would be missing among them.
    complete: bool,
    /// For each channel, by its reference less one, whether messages are handed over directly.
    pub(super) rendezvous: Vec<bool>,
}

impl AccessTable {
    pub(super) fn new(rendezvous: Vec<bool>) -> Self {
        AccessTable {
            rendezvous,
            ..AccessTable::default()
        }
    }

    pub(super) fn id(&mut self, thing: SharedObject, access: AccessKind) -> AccessId {
        let complete = self.complete;
        *self.ids.entry((thing, access)).or_insert_with(|| {
            assert!(
                !complete,
                "conflicts with {access:?} {thing:?} were overlooked"
            );
            self.list.push((thing, access));
            let id = self.list.len() - 1;
            self.by_thing.entry(thing).or_default().push(id);
            id
        })
    }

    /// The accesses that do not commute with one of these, or that decide whether it can be done.
    /// All accesses that there are must have been met before.
    pub(super) fn conflicting(&mut self, with: &AccessSet) -> AccessSet {
        self.complete = true;
        let mut found = AccessSet::default();
        for id in with.iter() {
            let (thing, access) = self.list[id];
            for &other in &self.by_thing[&thing] {
                if self.conflict(thing, access, self.list[other].1) {
                    found.insert(other);
                }
            }
        }
        found
    }

    fn conflict(&self, thing: SharedObject, a: AccessKind, b: AccessKind) -> bool {
        use AccessKind::{Go, Read, Ready, Receive, Send, Test};
        match (a, b) {
            (Read | Test, Read | Test) | (Go, Go) => false,
            // A meeting takes both partners; who comes does not matter to a third, unless it
            // asks whether there is somebody.
            (Ready, other) | (other, Ready) => other == Test,
            // They meet, so neither can do without the other.
            (Send, Receive) | (Receive, Send) => match thing {
                SharedObject::Channel(place) => self.rendezvous[place as usize],
                _ => true,
            },
            _ => true,
        }
    }
}

/// A set of accesses.
#[derive(Clone, Debug, Default)]
pub(super) struct AccessSet(Vec<u64>);

impl AccessSet {
    pub(super) fn insert(&mut self, id: AccessId) {
        if self.0.len() <= id / 64 {
            self.0.resize(id / 64 + 1, 0);
        }
        self.0[id / 64] |= 1 << (id % 64);
    }

    /// Adds all of another set; says whether there are more now.
    pub(super) fn add(&mut self, other: &AccessSet) -> bool {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        let mut more = false;
        for (mine, theirs) in self.0.iter_mut().zip(&other.0) {
            more |= theirs & !*mine != 0;
            *mine |= theirs;
        }
        more
    }

    pub(super) fn contains(&self, id: AccessId) -> bool {
        self.0
            .get(id / 64)
            .is_some_and(|word| word >> (id % 64) & 1 != 0)
    }

    pub(super) fn meets(&self, other: &AccessSet) -> bool {
        self.0.iter().zip(&other.0).any(|(a, b)| a & b != 0)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = AccessId> {
        self.0.iter().enumerate().flat_map(|(word, &bits)| {
            (0..64)
                .filter(move |bit| bits >> bit & 1 != 0)
                .map(move |bit| word * 64 + bit)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_send_and_a_receive_commute_unless_they_meet() {
        let mut accesses = AccessTable::new(vec![false, true]);
        let ids = [0, 1].map(|place| {
            [AccessKind::Send, AccessKind::Receive, AccessKind::Test]
                .map(|access| accesses.id(SharedObject::Channel(place), access))
        });
        for (place, [send, receive, test]) in ids.into_iter().enumerate() {
            let mut sends = AccessSet::default();
            sends.insert(send);
            let against = accesses.conflicting(&sends);
            let expected: Vec<AccessId> = match place {
                0 => vec![send, test],
                _ => vec![send, receive, test],
            };
            assert_eq!(against.iter().collect::<Vec<_>>(), expected);
        }
    }

    #[test]
    fn to_be_ready_matters_to_those_who_ask() {
        let mut accesses = AccessTable::new(vec![true]);
        let thing = SharedObject::Channel(0);
        let all = [
            AccessKind::Send,
            AccessKind::Receive,
            AccessKind::Ready,
            AccessKind::Test,
        ];
        let ids = all.map(|access| accesses.id(thing, access));
        let mut ready = AccessSet::default();
        ready.insert(ids[2]);
        let against = accesses.conflicting(&ready);
        assert_eq!(against.iter().collect::<Vec<_>>(), [ids[3]]);
    }

    #[test]
    fn sets_grow_and_say_so() {
        let (mut a, mut b) = (AccessSet::default(), AccessSet::default());
        a.insert(3);
        b.insert(3);
        assert!(!a.add(&b));
        b.insert(130);
        assert!(a.add(&b) && !a.add(&b));
        assert_eq!(a.iter().collect::<Vec<_>>(), [3, 130]);
        let mut c = AccessSet::default();
        c.insert(64);
        assert!(a.meets(&b) && !a.meets(&c));
    }
}
