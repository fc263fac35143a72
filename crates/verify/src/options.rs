//! What the user may turn.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::time::Duration;

pub use explicit::Storage;

use crate::engine::Engine;
use crate::tuning::Tuning;

/// Options of a verification.
#[derive(Clone, Debug)]
pub struct Options {
    /// Names of the properties to verify; `None`: all.
    pub only: Option<Vec<String>>,
    /// Wall time for all properties together.
    pub timeout: Option<Duration>,
    /// Bytes of memory that the process may have, where [`Options::resident`] tells how many it
    /// has; in any case bytes for what engines keep.
    pub memory: Option<u64>,
    /// Bytes of memory that the process has, kept current from outside.
    pub resident: Option<Arc<AtomicU64>>,
    /// Threads of the explicit engine, and of the engine of structures. With one, engines take turns.
    pub jobs: usize,
    /// The only engine to ask; `None`: those that suit, side by side.
    pub engine: Option<Engine>,
    /// How the explicit engine stores states in a search for what must not be reached.
    pub storage: Storage,
    /// Where there is room for states that are stored on disk; without, they are in memory.
    pub disk: Option<Arc<dyn explicit::Disk>>,
    /// The passes to run.
    pub passes: passes::Selection,
    /// Whether a search goes on behind a failure, for all places where a property fails. No states
    /// are left out then.
    pub all_errors: bool,
    /// Whether to end when one property fails.
    pub first_failure: bool,
    /// Which states to leave out, where the property allows it.
    pub reduce: explicit::Reduce,
    /// Whether one state stands for all that differ by exchanges of equal instances, where the
    /// property allows it.
    pub symmetry: bool,
    /// Whether formulas of branching time are looked at while states are explored, so that answers that
    /// lie near the beginning need no more than what is near.
    pub on_the_fly: bool,
    /// What engines do without, for measurements and tests.
    pub tuning: Tuning,
    /// Whether the depth-first engine makes many searches at random.
    pub swarm: Option<Swarm>,
    /// Processes that search together with this one; each has to be asked the same.
    pub cluster: Option<Arc<dyn explicit::Cluster>>,
    /// Set from outside to stop early with what is known.
    pub stop: Arc<AtomicBool>,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            only: None,
            timeout: None,
            memory: None,
            resident: None,
            jobs: std::thread::available_parallelism().map_or(1, usize::from),
            engine: None,
            storage: Storage::Auto,
            disk: None,
            passes: passes::Selection::all(),
            all_errors: false,
            first_failure: false,
            reduce: explicit::Reduce::Por,
            symmetry: true,
            on_the_fly: false,
            tuning: Tuning::default(),
            swarm: None,
            cluster: None,
            stop: Arc::default(),
        }
    }
}

/// Depth-first searches whose order is chosen at random, with storage that loses states.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Swarm {
    /// The seed of the first one; the next one has the next,
    pub seed: u64,
    /// and how many there are.
    pub count: u64,
}

impl Options {
    /// As whom states are looked at one by one.
    pub(crate) fn enumerating(&self) -> Engine {
        match self.engine {
            Some(Engine::Dfs) => Engine::Dfs,
            _ => Engine::Explicit,
        }
    }

    /// How the explicit engine works where nothing else is said: its threads, techniques
    /// and order of search.
    pub(crate) fn explicit(&self) -> explicit::Options {
        explicit::Options {
            order: match self.engine {
                Some(Engine::Dfs) => match self.swarm {
                    Some(Swarm { seed, count }) => explicit::SearchOrder::Swarm { seed, count },
                    None => explicit::SearchOrder::DepthFirst,
                },
                _ => explicit::SearchOrder::BreadthFirst,
            },
            tuning: self.tuning.explicit,
            ..explicit::Options::with_jobs(self.jobs.max(1))
        }
    }
}
