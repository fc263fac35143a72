//! Looks for a shorter counterexample where states were left out, or gone through depth-first.
//!
//! A reduced search goes breadth first, but through fewer states: the shortest run there need not
//! be the shortest there is. Where the whole search comes to the failure within a few times as many
//! states, its run is told instead. A depth-first search is asked for what lies deep, so that its
//! run is told unless a failure lies near.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use explicit::{Answer, Exchange, Options, Reduce, SafetyJob, SearchOrder, Technique};
use model::{Bad, Budget, Progress, Statistics, Trace};

/// So many times the states of the reduced search may be looked at,
const TIMES: u64 = 4;
/// and in any case so many.
const LEAST: u64 = 1 << 16;

/// Gives up when it has become too much.
struct Patience<'a> {
    states: u64,
    outside: &'a AtomicBool,
    stop: Arc<AtomicBool>,
}

impl Progress for Patience<'_> {
    fn report(&self, statistics: &Statistics, _waiting: u64) {
        if statistics.states > self.states || self.outside.load(Ordering::Relaxed) {
            self.stop.store(true, Ordering::Relaxed);
        }
    }
}

/// The shortest run to something bad that a search with these options, of so many states, has found;
/// nothing if that takes too long to find out.
pub(crate) fn shortest(
    job: &SafetyJob<'_>,
    bad: &Bad,
    searched: &Statistics,
    options: Options,
    budget: &Budget,
) -> Option<Trace> {
    let patience = Patience {
        states: match options.order {
            SearchOrder::BreadthFirst => (searched.states * TIMES).max(LEAST),
            SearchOrder::DepthFirst | SearchOrder::Swarm { .. } => LEAST,
        },
        outside: &budget.stop,
        stop: Arc::default(),
    };
    let budget = Budget {
        stop: Arc::clone(&patience.stop),
        ..budget.clone()
    };
    let options = Options {
        reduce: Reduce::None,
        order: SearchOrder::BreadthFirst,
        tuning: options.tuning.without(Technique::DepthProbe),
        ..options
    };
    let exchange = if job.exchange.ended_are_gone {
        Exchange::default()
    } else {
        job.exchange
    };
    let job = SafetyJob {
        exchange,
        bads: std::slice::from_ref(bad),
        watch: &[],
        ..*job
    };
    match explicit::explore(&job, &options, &budget, &patience)
        .answers
        .pop()
    {
        Some(Answer::Violated(trace)) => Some(trace),
        _ => None,
    }
}
