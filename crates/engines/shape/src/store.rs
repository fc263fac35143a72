//! The structures that were found, and where each is.

use std::hash::{BuildHasher, Hash, Hasher};

use hashbrown::HashTable;
use rapidhash::fast::RandomState;

use crate::compile::Layout;
use crate::explore::Join;
use crate::matrix::{Row, Shape};
use crate::packed::Packed;
use crate::set::{Set, Wide};

/// Structures, each a canonical abstraction.
pub(crate) struct Store<'c> {
    layout: &'c Layout,
    join: Join,
    hasher: RandomState,
    pub(crate) shapes: Vec<Packed>,
    /// Positions of shapes, by what keeps them apart.
    known: HashTable<usize>,
    /// How much memory they take.
    pub(crate) bytes: usize,
}

/// Where a structure belongs.
pub(crate) enum Place {
    /// At this position, where another one stands for it.
    Known(usize),
    /// It was not known, with the hash of what keeps it apart.
    Fresh(Packed, u64),
}

impl Place {
    /// Bytes that it takes.
    pub(crate) fn bytes(&self) -> usize {
        match self {
            Place::Known(_) => 0,
            Place::Fresh(packed, _) => packed.bytes(),
        }
    }
}

/// Where a structure is kept.
pub(crate) enum Put {
    /// Where it was, or where another one stands for it.
    Known(usize),
    /// Where it was joined with another one, which now stands for more.
    Joined(usize),
    /// At a new position.
    New(usize),
}

impl<'c> Store<'c> {
    pub(crate) fn new(layout: &'c Layout, join: Join) -> Store<'c> {
        Store {
            layout,
            join,
            hasher: RandomState::new(),
            shapes: Vec::new(),
            known: HashTable::new(),
            bytes: 0,
        }
    }

    /// Where a structure belongs that may be known.
    pub(crate) fn find<S: Set>(&self, shape: &Shape<S>) -> Place {
        let packed = Packed::new(shape);
        match self.join {
            Join::Relational => {
                let hash = self.hasher.hash_one(&packed);
                match self.same(hash, &packed) {
                    Some(at) => Place::Known(at),
                    None => Place::Fresh(packed, hash),
                }
            }
            // All that have as many individuals are joined in the same sets.
            Join::Partial if S::MOST > u64::MOST && packed.size() <= u64::MOST => {
                let narrow: Shape<u64> = packed.shape(self.layout);
                self.find_alike(&narrow, packed)
            }
            Join::Partial => self.find_alike(shape, packed),
        }
    }

    fn find_alike<S: Set>(&self, shape: &Shape<S>, packed: Packed) -> Place {
        let hash = hashed(&self.hasher, shape, self.layout);
        match self.alike(hash, shape) {
            // It may be one of those that this one stands for already.
            Some(at) if self.shapes[at] == packed || !self.get(at).absorb(shape) => {
                Place::Known(at)
            }
            _ => Place::Fresh(packed, hash),
        }
    }

    /// Where the same structure is.
    fn same(&self, hash: u64, packed: &Packed) -> Option<usize> {
        let same = |&at: &usize| self.shapes[at] == *packed;
        self.known.find(hash, same).copied()
    }

    /// Where the structure is that this one is joined with.
    fn alike<S: Set>(&self, hash: u64, shape: &Shape<S>) -> Option<usize> {
        let layout = self.layout;
        let alike = |&at: &usize| {
            self.shapes[at].size() == shape.size && self.get(at).kept(layout).eq(shape.kept(layout))
        };
        self.known.find(hash, alike).copied()
    }

    /// The structure at a position; sets have to have room for its individuals.
    fn get<S: Set>(&self, at: usize) -> Shape<S> {
        self.shapes[at].shape(self.layout)
    }

    /// Keeps a structure. Others may have been kept since it was looked for.
    pub(crate) fn put(&mut self, place: Place) -> Put {
        let (packed, hash) = match place {
            Place::Known(at) => return Put::Known(at),
            Place::Fresh(packed, hash) => (packed, hash),
        };
        let (join, layout) = (self.join, self.layout);
        let found = match join {
            Join::Relational => self.same(hash, &packed).map(Put::Known),
            Join::Partial if packed.size() <= u64::MOST => self.joined::<u64>(&packed, hash),
            Join::Partial => self.joined::<Wide>(&packed, hash),
        };
        if let Some(put) = found {
            return put;
        }
        let (hasher, shapes) = (&self.hasher, &self.shapes);
        let again = |&at: &usize| match (join, &shapes[at]) {
            (Join::Relational, packed) => hasher.hash_one(packed),
            (Join::Partial, packed) if packed.size() <= u64::MOST => {
                hashed(hasher, &packed.shape::<u64>(layout), layout)
            }
            (Join::Partial, packed) => hashed(hasher, &packed.shape::<Wide>(layout), layout),
        };
        let at = self.shapes.len();
        self.known.insert_unique(hash, at, again);
        Put::New(self.push(packed))
    }

    /// Joins a structure with the one that it is kept with, if there is one.
    fn joined<S: Set>(&mut self, packed: &Packed, hash: u64) -> Option<Put> {
        let shape: Shape<S> = packed.shape(self.layout);
        let at = self.alike(hash, &shape)?;
        let mut known = self.get(at);
        if !known.absorb(&shape) {
            return Some(Put::Known(at));
        }
        self.shapes[at] = Packed::new(&known);
        Some(Put::Joined(at))
    }

    fn push(&mut self, packed: Packed) -> usize {
        self.bytes += packed.bytes();
        self.shapes.push(packed);
        self.shapes.len() - 1
    }
}

/// The hash of what structures that are joined share.
fn hashed<S: Set>(hasher: &RandomState, shape: &Shape<S>, layout: &Layout) -> u64 {
    let mut state = hasher.build_hasher();
    shape.kept(layout).for_each(|row| row.hash(&mut state));
    state.finish()
}

impl<S: Set> Shape<S> {
    /// What a canonical abstraction shares with those that it may be joined with: the names of its
    /// individuals, and the values of the predicates of none that keep structures apart.
    fn kept<'s>(&'s self, layout: &'s Layout) -> impl Iterator<Item = Row<S>> + 's {
        let everybody = Row {
            may: self.individuals(),
            must: S::default(),
        };
        let none = layout.apart.iter().map(|&place| self.none[place]);
        let one = layout.names.iter().map(|&place| self.one[place]);
        std::iter::once(everybody).chain(none).chain(one)
    }

    /// Lets this structure stand for another one with the same individuals as well. Says whether it did
    /// not before.
    fn absorb(&mut self, other: &Shape<S>) -> bool {
        let mut grew = !(other.summary & !self.summary).is_empty();
        self.summary |= other.summary;
        let own = self.none.iter_mut().chain(&mut self.one);
        let others = other.none.iter().chain(&other.one).chain(&other.two);
        for (row, other) in own.chain(&mut self.two).zip(others) {
            let joined = Row {
                may: row.may | other.may,
                must: row.must & other.must,
            };
            grew |= joined != *row;
            *row = joined;
        }
        grew
    }
}
