//! Runs of a script itself, in a world that shares nothing with its lowering.

use crate::request::Request;

/// A world for the scripts of one language.
pub trait ConcreteWorld: Sync {
    /// The [name](crate::Language::name) of the language.
    fn language(&self) -> &'static str;

    /// Runs a script that its front end accepts.
    ///
    /// # Errors
    /// If it cannot be run, says why.
    fn run(&self, request: &Request<'_>, plan: &ConcretePlan) -> Result<ConcreteRun, String>;
}

/// How a run is made.
#[derive(Clone, Copy, Debug)]
pub struct ConcretePlan {
    /// The seed of what happens.
    pub seed: u64,
    /// Events, at most.
    pub steps: usize,
}

/// A run, told.
#[derive(Clone, Default, Debug)]
pub struct ConcreteRun {
    /// What of it is made up, and so need not be what happens.
    pub made_up: Vec<String>,
    /// What happens, line by line.
    pub story: Vec<String>,
    /// Why it ends, if it is not because there were enough events.
    pub ended: Option<String>,
    /// For each property what the run means for it.
    pub standings: Vec<(String, String)>,
}
