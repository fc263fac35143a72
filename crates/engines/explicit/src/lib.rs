//! The explicit engine.
mod bfs;
mod code;
mod compile;
mod enabled;
mod engine;
mod expand;
mod hash;
mod inner;
mod layout;
mod log;
mod machine;
mod table;
mod trace;

pub use bfs::{SafetyJob, SafetyOutcome, explore, stable_states};
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
