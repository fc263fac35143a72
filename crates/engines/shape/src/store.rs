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

    /// Keeps a structure.
    pub(crate) fn put(&mut self, shape: &Shape) -> Put {
        let packed = Packed::new(shape);
        match self.join {
            Join::Relational => self.put_alone(packed),
            Join::Partial => self.put_joined(shape, packed),
        }
    }

    fn put_alone(&mut self, packed: Packed) -> Put {
        let hash = self.hasher.hash_one(&packed);
        if let Some(&at) = self.known.find(hash, |&at| self.shapes[at] == packed) {
            return Put::Known(at);
        }
        let (hasher, shapes) = (&self.hasher, &self.shapes);
        let again = |&at: &usize| hasher.hash_one(&shapes[at]);
        let at = self.shapes.len();
        self.known.insert_unique(hash, at, again);
        Put::New(self.push(packed))
    }

    fn put_joined(&mut self, shape: &Shape, packed: Packed) -> Put {
        let layout = self.layout;
        let hash = hashed(&self.hasher, shape, layout);
        let same = |&at: &usize| self.get(at).kept(layout).eq(shape.kept(layout));
        if let Some(&at) = self.known.find(hash, same) {
            if self.shapes[at] == packed {
                return Put::Known(at);
            }
            let mut known = self.get(at);
            if known.absorb(shape) {
                self.shapes[at] = Packed::new(&known);
                return Put::Joined(at);
            }
            return Put::Known(at);
        }
        let (hasher, shapes) = (&self.hasher, &self.shapes);
        let again = |&at: &usize| hashed(hasher, &shapes[at].shape(layout), layout);
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
