//! One state space over several processes: the parcels of the explicit engine's
//! [search together](explicit::explore_together) travel on timely dataflow.
//!
//! Timely (Murray, McSherry, Isaacs, Isard, Barham, Abadi: *Naiad: a timely dataflow system*, SOSP 2013)
//! carries parcels between processes and tells when no more can come that are as old as some time. A
//! level of the search is such a time, so that nothing but timely's frontier says when a level has
//! ended, and when the search is over: there is no barrier and no counting of messages here.
//!
//! Processes meet ([`gather`](explicit::Cluster::gather)) before timely is told of their connections, and show each other that
//! they know a secret. Who does not is cut off: none of what a stranger sends reaches timely or the
//! store. What travels afterwards is neither encrypted nor signed; that is for a private network.
//!
//! A process that is lost ends the search of all ([`Member::lost`]); whoever has started them starts them
//! again.

mod dataflow;
mod folder;
mod framing;
mod link;
mod meeting;
mod member;
mod proof;
mod silence;

pub use folder::Folder;
pub use member::{Member, Place, PlaceError, places};
