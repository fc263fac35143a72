//! The explicit engine.
mod bfs;
mod code;
mod compile;
mod emptiness;
mod enabled;
mod engine;
mod expand;
mod graph;
mod hash;
mod inner;
mod lasso;
mod layout;
mod log;
mod machine;
mod product;
mod scc;
mod table;
mod trace;

pub use bfs::{SafetyJob, SafetyOutcome, explore, stable_states};
pub use emptiness::{LivenessJob, LivenessOutcome, accepted_run};
use model::{Trace, UnknownReason};

/// How to work.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// Threads to use; at least one.
    pub jobs: usize,
}

impl Default for Options {
    fn default() -> Self {
        Options { jobs: 1 }
    }
}

/// An answer.
#[derive(Clone, PartialEq, Debug)]
pub enum Answer {
    /// Everything has been explored, and it is not there.
    Clear,
    /// It is there, and this run leads to it.
    Violated(Trace),
    /// Not known.
    Unknown(UnknownReason),
}
