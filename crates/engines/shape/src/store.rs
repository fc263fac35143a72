//! The structures that were found, and where each is.

use std::hash::{BuildHasher, Hash, Hasher};

use hashbrown::HashTable;
use rapidhash::fast::RandomState;

use crate::compile::Layout;
use crate::explore::Join;
use crate::matrix::{Row, Shape};

/// Structures, each a canonical abstraction.
pub(crate) struct Store<'c> {
    layout: &'c Layout,
    join: Join,
    hasher: RandomState,
    pub(crate) shapes: Vec<Shape>,
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

    /// Keeps a structure.
    pub(crate) fn put(&mut self, shape: Shape) -> Put {
        let (layout, join) = (self.layout, self.join);
        let hash = hashed(&self.hasher, &shape, layout, join);
        let same = |&at: &usize| match join {
            Join::Relational => self.shapes[at] == shape,
            Join::Partial => self.shapes[at].kept(layout).eq(shape.kept(layout)),
        };
        if let Some(&at) = self.known.find(hash, same) {
            if join == Join::Partial && self.shapes[at].absorb(&shape) {
                return Put::Joined(at);
            }
            return Put::Known(at);
        }
        let at = self.shapes.len();
        let (hasher, shapes) = (&self.hasher, &self.shapes);
        let again = |&at: &usize| hashed(hasher, &shapes[at], layout, join);
        self.known.insert_unique(hash, at, again);
        self.bytes += shape.bytes();
        self.shapes.push(shape);
        Put::New(at)
    }
}

fn hashed(hasher: &RandomState, shape: &Shape, layout: &Layout, join: Join) -> u64 {
    match join {
        Join::Relational => hasher.hash_one(shape),
        Join::Partial => {
            let mut state = hasher.build_hasher();
            shape.kept(layout).for_each(|row| row.hash(&mut state));
            state.finish()
        }
    }
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
