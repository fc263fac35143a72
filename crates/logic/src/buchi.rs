//! Büchi automata whose acceptance lies on the edges.
//!
//! An automaton reads an infinite word; the letter of position 0 is read by the first edge of a
//! run, which leaves [`Buchi::initial`]. A letter is a set of atoms; an edge may be taken iff the
//! letter satisfies its [`Cube`]. A run is *accepting* iff it takes accepting edges infinitely
//! often, and a word is accepted iff one of its runs is accepting. A state may have no edge for a
//! letter: that run dies, and rejects.

use std::fmt;

/// A state of a [`Buchi`] automaton: an index into [`Buchi::edges`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct BuchiState(pub u32);

impl BuchiState {
    /// The index into [`Buchi::edges`].
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Display for BuchiState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// A conjunction of literals over at most [`Cube::MAX_ATOMS`] atoms.
///
/// Bit `i` of `pos` says that atom `i` must hold, bit `i` of `neg` that it must not.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Cube {
    /// The atoms that must hold.
    pub pos: u64,
    /// The atoms that must not hold.
    pub neg: u64,
}

impl Cube {
    /// How many different atoms an automaton can read.
    pub const MAX_ATOMS: usize = 64;

    /// The empty conjunction: every letter satisfies it.
    pub const TRUE: Cube = Cube { pos: 0, neg: 0 };

    /// The literal "atom `index` has the value `value`". `index` is below [`Cube::MAX_ATOMS`].
    pub fn literal(index: usize, value: bool) -> Self {
        let bit = 1u64 << index;
        if value {
            Cube { pos: bit, neg: 0 }
        } else {
            Cube { pos: 0, neg: bit }
        }
    }

    /// Whether the letter, given as the set of atoms that hold, satisfies all literals.
    pub fn matches(self, letter: u64) -> bool {
        self.pos & !letter == 0 && self.neg & letter == 0
    }

    /// Whether no letter satisfies it.
    pub fn is_false(self) -> bool {
        self.pos & self.neg != 0
    }

    /// The letters that satisfy both.
    #[must_use]
    pub fn and(self, other: Cube) -> Cube {
        Cube {
            pos: self.pos | other.pos,
            neg: self.neg | other.neg,
        }
    }

    /// Whether each letter that satisfies `self` satisfies `other`, for satisfiable `self`.
    pub fn implies(self, other: Cube) -> bool {
        other.pos & !self.pos == 0 && other.neg & !self.neg == 0
    }
}

/// An edge of a [`Buchi`] automaton.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Edge {
    /// The letters for which it may be taken.
    pub label: Cube,
    /// Where it leads.
    pub target: BuchiState,
    /// Whether taking it counts towards acceptance.
    pub accepting: bool,
}

/// A Büchi automaton with acceptance on the edges; see the [module](self) for its meaning.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Buchi<A> {
    /// The atoms; bit `i` of a [`Cube`] is about `atoms[i]`. At most [`Cube::MAX_ATOMS`].
    pub atoms: Vec<A>,
    /// Where each run begins.
    pub initial: BuchiState,
    /// The edges that leave each state; the length is the number of states, at least one.
    pub edges: Vec<Vec<Edge>>,
}

impl<A> Buchi<A> {
    /// The automaton that accepts no word.
    pub fn empty() -> Self {
        Buchi {
            atoms: Vec::new(),
            initial: BuchiState(0),
            edges: vec![Vec::new()],
        }
    }

    /// The automaton that accepts every word.
    pub fn universal() -> Self {
        Buchi {
            atoms: Vec::new(),
            initial: BuchiState(0),
            edges: vec![vec![Edge {
                label: Cube::TRUE,
                target: BuchiState(0),
                accepting: true,
            }]],
        }
    }

    /// All states.
    pub fn states(&self) -> impl Iterator<Item = BuchiState> + use<A> {
        (0..self.state_count() as u32).map(BuchiState)
    }

    /// The number of states.
    pub fn state_count(&self) -> usize {
        self.edges.len()
    }

    /// The number of edges.
    pub fn edge_count(&self) -> usize {
        self.edges.iter().map(Vec::len).sum()
    }

    /// The edges that leave `state`.
    pub fn edges_from(&self, state: BuchiState) -> &[Edge] {
        &self.edges[state.index()]
    }

    /// The same automaton with each atom replaced by what `change` makes of it.
    pub fn map<B>(self, change: impl FnMut(A) -> B) -> Buchi<B> {
        Buchi {
            atoms: self.atoms.into_iter().map(change).collect(),
            initial: self.initial,
            edges: self.edges,
        }
    }
}
