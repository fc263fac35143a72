//! One search by several processes, each of which owns a part of the states.
//!
//! A state belongs to the process that the hash of its packed form names: there it is stored, in the [store](crate::store) that a search on one machine
//! has, and there it is expanded. What an expansion leads to is sent to its owner in parcels of many
//! states. The search goes level by level, as [the search by threads](crate::search::bfs) does, so
//! that each counterexample has the fewest macro steps there are.
//!
//! How parcels travel, and how it is known that a level is complete, is the [team's](team::Team) affair: this
//! room knows no network. At the end of a level each process that has done something tells all others
//! what it has found, and why it stops if it does. As all are told the same, all decide the same, with
//! nobody in command. A run is told by walking back from owner to owner; each process then has the
//! whole of it.

mod arrivals;
mod edges;
mod explore;
mod owned;
mod owners;
mod parcel;
mod part;
mod prefix;
mod runs;
pub(crate) mod save;
mod successors;
mod summary;
pub(crate) mod team;
mod walk;
mod widening;

pub use explore::explore_together;
pub use runs::accepted_run_together;
