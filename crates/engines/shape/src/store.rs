//! The structures that were found, and where each is.

use std::hash::{BuildHasher, Hash, Hasher};

use hashbrown::HashTable;
use rapidhash::fast::RandomState;

use crate::compile::Layout;
use crate::explore::Join;
use crate::matrix::{Row, Shape};
use crate::packed::Packed;

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

    /// The structure at a position.
    pub(crate) fn get(&self, at: usize) -> Shape {
        self.shapes[at].shape(self.layout)
    }

    /// Where a structure belongs that may be known.
    pub(crate) fn find(&self, shape: &Shape) -> Place {
        let packed = Packed::new(shape);
        let hash = match self.join {
            Join::Relational => self.hasher.hash_one(&packed),
            Join::Partial => hashed(&self.hasher, shape, self.layout),
        };
        let found = match self.join {
            Join::Relational => self.same(hash, &packed),
            Join::Partial => self.alike(hash, shape).filter(|&at| {
                // It may be one of those that this one stands for already.
                self.shapes[at] == packed || !self.get(at).absorb(shape)
            }),
        };
        match found {
            Some(at) => Place::Known(at),
            None => Place::Fresh(packed, hash),
        }
    }

    /// Where the same structure is.
    fn same(&self, hash: u64, packed: &Packed) -> Option<usize> {
        let same = |&at: &usize| self.shapes[at] == *packed;
        self.known.find(hash, same).copied()
    }

    /// Where the structure is that this one is joined with.
    fn alike(&self, hash: u64, shape: &Shape) -> Option<usize> {
        let layout = self.layout;
        let alike = |&at: &usize| self.get(at).kept(layout).eq(shape.kept(layout));
        self.known.find(hash, alike).copied()
    }

    /// Keeps a structure. Others may have been kept since it was looked for.
    pub(crate) fn put(&mut self, place: Place) -> Put {
        let (packed, hash) = match place {
            Place::Known(at) => return Put::Known(at),
            Place::Fresh(packed, hash) => (packed, hash),
        };
        let (join, layout) = (self.join, self.layout);
        match join {
            Join::Relational => {
                if let Some(at) = self.same(hash, &packed) {
                    return Put::Known(at);
                }
            }
            Join::Partial => {
                let shape = packed.shape(layout);
                if let Some(at) = self.alike(hash, &shape) {
                    let mut known = self.get(at);
                    if !known.absorb(&shape) {
                        return Put::Known(at);
                    }
                    self.shapes[at] = Packed::new(&known);
                    return Put::Joined(at);
                }
            }
        }
        let (hasher, shapes) = (&self.hasher, &self.shapes);
        let again = |&at: &usize| match join {
            Join::Relational => hasher.hash_one(&shapes[at]),
            Join::Partial => hashed(hasher, &shapes[at].shape(layout), layout),
        };
        let at = self.shapes.len();
        self.known.insert_unique(hash, at, again);
        Put::New(self.push(packed))
    }

    fn push(&mut self, packed: Packed) -> usize {
        self.bytes += packed.bytes();
        self.shapes.push(packed);
        self.shapes.len() - 1
    }
}

/// The hash of what structures that are joined share.
fn hashed(hasher: &RandomState, shape: &Shape, layout: &Layout) -> u64 {
    let mut state = hasher.build_hasher();
    shape.kept(layout).for_each(|row| row.hash(&mut state));
    state.finish()
}

impl Shape {
    /// What a canonical abstraction shares with those that it may be joined with: the names of its
    /// individuals, and the values of the predicates of none that keep structures apart.
    fn kept<'s>(&'s self, layout: &'s Layout) -> impl Iterator<Item = Row> + 's {
        let everybody = Row {
            may: self.individuals(),
            must: 0,
        };
        let none = layout.apart.iter().map(|&place| self.none[place]);
        let one = layout.names.iter().map(|&place| self.one[place]);
        std::iter::once(everybody).chain(none).chain(one)
    }

    /// Lets this structure stand for another one with the same individuals as well. Says whether it did
    /// not before.
    fn absorb(&mut self, other: &Shape) -> bool {
        let mut grew = other.summary & !self.summary != 0;
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
