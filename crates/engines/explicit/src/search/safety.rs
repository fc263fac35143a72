//! Searches for what must not be reached, in the order that is asked for.

use std::time::Instant;

use model::{Budget, Progress, UnknownReason};

use crate::checkpoint::file::CheckpointFile;
use crate::search::bfs::{SafetyJob, SafetyOutcome, run};
use crate::search::{depth_first, swarm};
use crate::{Options, SearchOrder};

/// Explores the program, breadth-first unless [`Options::order`] says otherwise.
///
/// Programs with features that this engine does not have are answered with
/// [`UnknownReason::Unsupported`].
pub fn explore(
    job: &SafetyJob<'_>,
    options: &Options,
    budget: &Budget,
    progress: &dyn Progress,
) -> SafetyOutcome {
    explore_with(job, options, budget, progress, None)
}

/// The same with a file to which the search is saved now and then and when it is stopped early,
/// and from which it may go on; see [`restore`](crate::restore). Only searches that store states
/// exactly are saved.
pub fn explore_with(
    job: &SafetyJob<'_>,
    options: &Options,
    budget: &Budget,
    progress: &dyn Progress,
    file: Option<&dyn CheckpointFile>,
) -> SafetyOutcome {
    let begin = Instant::now();
    let outcome = match options.order {
        SearchOrder::BreadthFirst => {
            run(job, options, budget, progress, file).map(|explored| explored.outcome(job.bads))
        }
        SearchOrder::DepthFirst | SearchOrder::Swarm { .. } if file.is_some() => {
            let what = "a depth-first search cannot be saved (`--checkpoint`)";
            Err(UnknownReason::Option(what.to_owned()))
        }
        SearchOrder::DepthFirst => depth_first::explore(job, options, None, budget, progress),
        SearchOrder::Swarm { seed, count } => {
            let seeds = seed..seed.saturating_add(count);
            swarm::explore(job, options, seeds, budget, progress)
        }
    };
    let mut outcome = outcome.unwrap_or_else(|reason| job.unknown(reason));
    outcome.statistics.time = begin.elapsed();
    outcome
}
