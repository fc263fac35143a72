//! A search for a fair accepted run, by several processes.
//!
//! The product of the program and the automaton is unfolded as the states of a program are: a node is a state with a
//! state of the automaton behind it, is owned by the process that its hash names, and is expanded there, level
//! by level. The edges that may lie on an accepted cycle are kept where they lead to ([`edges`](super::edges)).
//! When all has been unfolded, and now and then before, what lies on no such cycle is [taken
//! away](elimination), by all processes together; if something is left, a [loop](circuit) through it is told
//! from owner to owner, and the shortest way to it.
//!
//! The nodes and the edges are those of the [search by one process](crate::liveness::emptiness), and so are the
//! letters, marks and conditions of fairness; that search stores a state once for all states of the automaton there, and
//! looks for cycles with a depth-first search, which can be shared out only with difficulty.

mod circuit;
mod elimination;
mod explore;
mod product;
mod rounds;
mod trace;

pub use explore::accepted_run_together;
