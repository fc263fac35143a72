//! Breadth-first search for state spaces that do not fit into memory: states are on disk.
//!
//! Whether a state is new is found out for a whole level at once (*delayed duplicate detection*): Stern and Dill,
//! *Using magnetic disk instead of main memory in the Murφ verifier*, CAV 1998, with a table in memory; Korf,
//! *Best-first frontier search with delayed duplicate detection*, AAAI 2004, and *Linear-time disk-based implicit
//! graph search*, JACM 55, 2008. The states of a level are expanded in order. What they lead to is
//! [collected](candidates) in memory, sorted and written as runs; the runs are [merged](merge), and states that
//! are known are taken away on the way. Disks are read and written in blocks, one after the other, never state by
//! state.
//!
//! What differs: known states are in a few sorted files that are merged when there are several of one size, as in
//! a log-structured merge tree (O'Neil, Cheng, Gawlick, O'Neil, 1996), so that a level costs no copy of all states; a
//! [file](sorted) knows the first state of each block, so that a small level reads only the blocks that it needs;
//! and states that were met lately are dropped at once. Each level stays on disk as it is, without parents: a run is
//! found [backwards](predecessors) by expanding the level before again.
//!
//! No states are left out for moves that commute, unless that is sound whatever is visited: the conditions that
//! prevent a move from being put off for ever ask whether a state is new at the moment when it is found.

mod candidates;
pub(crate) mod explore;
mod files;
mod level;
mod merge;
mod predecessors;
mod recent;
mod sorted;
#[cfg(test)]
mod tests;

pub use files::{Disk, DiskFile};
