//! Binary decision diagrams: our own manager.
//!
//! Reduced ordered diagrams with complement edges, after Brace, Rudell and Bryant (1990): a node
//! is (variable, high, low) with a high edge that is never complemented, each node is stored
//! once, and negation costs nothing. One unique table a variable, a lossy cache of results,
//! collection of what no [`Bdd`] reaches, and variables that move while diagrams stand
//! ([`sift`](self::sift)).
//!
//! Why not a library: of those that need only Rust none reorders, and whole families of models
//! (the alternating bit protocol, the distributed mutual exclusion cells) have no good order that
//! could be guessed beforehand.
//!
//! An operation that would go past a limit is a [`Halt`], never a crash: the recursion is no
//! deeper than there are variables, and who starts an engine gives it a stack for that
//! ([`crate::session`]).

mod cache;
mod choose;
mod count;
mod manager;
mod operations;
mod quantify;
mod sift;
mod substitute;
mod table;

pub use count::Count;
pub(crate) use manager::{Bdd, Limits, Manager};

use model::UnknownReason;

/// A variable; its number never changes, its level does.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Var(pub(crate) u32);

impl Var {
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// A node, or the negation of one: twice the node's number, plus one if negated.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
struct Edge(u32);

impl Edge {
    const ONE: Edge = Edge(0);
    const ZERO: Edge = Edge(1);

    fn new(node: usize) -> Edge {
        Edge((node as u32) << 1)
    }

    fn node(self) -> usize {
        (self.0 >> 1) as usize
    }

    fn is_complement(self) -> bool {
        self.0 & 1 == 1
    }

    fn regular(self) -> Edge {
        Edge(self.0 & !1)
    }

    fn is_constant(self) -> bool {
        self.0 <= 1
    }

    fn negated_if(self, negate: bool) -> Edge {
        Edge(self.0 ^ u32::from(negate))
    }
}

impl std::ops::Not for Edge {
    type Output = Edge;

    fn not(self) -> Edge {
        Edge(self.0 ^ 1)
    }
}

/// Why an operation has stopped before its end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Halt {
    /// More nodes than it may make now; a collection or another order may help.
    Full,
    /// A limit of the budget.
    Limit(UnknownReason),
}

/// What an operation gives.
pub(crate) type Result<T> = std::result::Result<T, Halt>;
