//! A search for what must not be reached, made together with other processes.

use std::time::{Duration, Instant};

use model::{Bad, Budget, Progress, RichId, Statistics, Trace, UnknownReason};

use crate::checkpoint::file::CheckpointError;
use crate::checkpoint::resume::fingerprint;
use crate::engine::Engine;
use crate::evidence::result::along;
use crate::evidence::trace::{Goal, Recovery};
use crate::ir::capacity::Capacity;
use crate::ir::compile::View;
use crate::partitioned::owned::MOST;
use crate::partitioned::part::{Part, Together};
use crate::partitioned::prefix::{fitted, made_values, make_values};
use crate::partitioned::save::Files;
use crate::partitioned::summary::What;
use crate::partitioned::team::{Cluster, TeamLost};
use crate::partitioned::widening::{ROUNDS, Widening};
use crate::search::bfs::{SafetyJob, SafetyOutcome, prepared};
use crate::store::Store;
use crate::store::repacking::Repacking;
use crate::{Answer, Options, Storage, Technique};

/// How many times more states than are looked at to pack them are few enough to begin anew.
const FEW: u64 = 64;

/// Explores the program as [`explore`](crate::explore) does, together with the other processes of a
/// cluster: all of them call this with the same job and options, and all get the same answers.
///
/// Counterexamples are the shortest there are. States are stored exactly, each by its owner, in a
/// store for one thread. What partial-order reduction leaves out depends on the state alone. If a
/// process is lost, that is [told to the cluster](Cluster::fail) and nothing is known.
pub fn explore_together(
    job: &SafetyJob<'_>,
    options: &Options,
    budget: &Budget,
    progress: &dyn Progress,
    cluster: &dyn Cluster,
) -> SafetyOutcome {
    let begin = Instant::now();
    let mut outcome = match run(job, options, (budget, progress), cluster) {
        Ok(outcome) => outcome,
        Err(why) => job.unknown(why.told(cluster)),
    };
    outcome.statistics.time = begin.elapsed();
    outcome
}

/// Why there is no outcome.
pub(crate) enum Why {
    Unknown(UnknownReason),
    Lost(TeamLost),
    /// What was saved is of no use.
    Refused(CheckpointError),
}

impl Why {
    /// The reason, when the cluster has been told of what concerns it.
    pub(crate) fn told(self, cluster: &dyn Cluster) -> UnknownReason {
        match self {
            Why::Unknown(reason) => reason,
            Why::Refused(error) => {
                cluster.refuse(error);
                UnknownReason::Interrupted
            }
            Why::Lost(lost) => {
                cluster.fail(&lost);
                UnknownReason::Interrupted
            }
        }
    }
}

impl From<CheckpointError> for Why {
    fn from(error: CheckpointError) -> Why {
        Why::Refused(error)
    }
}

impl From<UnknownReason> for Why {
    fn from(reason: UnknownReason) -> Why {
        Why::Unknown(reason)
    }
}

impl From<TeamLost> for Why {
    fn from(lost: TeamLost) -> Why {
        Why::Lost(lost)
    }
}

fn unsupported(what: &str) -> UnknownReason {
    UnknownReason::Unsupported(what.to_owned())
}

/// Explores, with more room each time there was too little.
fn run(
    job: &SafetyJob<'_>,
    options: &Options,
    (budget, progress): (&Budget, &dyn Progress),
    cluster: &dyn Cluster,
) -> Result<SafetyOutcome, Why> {
    if options.all {
        return Err(unsupported("all failures at once, over a cluster").into());
    }
    let storage = match options.storage {
        storage @ (Storage::Auto | Storage::Plain | Storage::Compressed) => storage,
        Storage::HashCompact | Storage::Bitstate => {
            return Err(unsupported("storage that loses states, over a cluster").into());
        }
        Storage::Disk => return Err(unsupported("states on disk, over a cluster").into()),
    };
    if cluster.has_values() {
        return Err(made_values().into());
    }
    let mut room = Capacity::new(job.program);
    // What did not fit each time that the search began anew.
    let mut outgrown = Vec::new();
    loop {
        let (whole, wanted) = prepared(room, job, (options, View::StatesByText), budget)?;
        make_values(&whole);
        let first = fitted(&whole, &outgrown).map(|packing| whole.repacked(packing));
        let widening = Widening::new(whole, first);
        let after = |rounds: &[_]| widening.after(rounds);
        let what = (job.bads, job.watch, options.reduce, job.exchange);
        // The same numbers have to stand for the same values.
        let interned: Vec<_> = (0..job.program.rich.len())
            .filter_map(|number| u32::try_from(number).ok())
            .map(|number| job.program.rich.get(RichId(number)))
            .collect();
        let fingerprint = fingerprint(&(what, widening.first().look(), interned));
        let files = cluster.vault().map(|vault| Files {
            vault,
            fingerprint,
            sizes: (job.bads.len(), job.watch.len()),
        });
        let manifest = match files {
            Some(files) if files.vault.resumes() => files.known()?,
            _ => None,
        };
        let from = manifest
            .as_ref()
            .map(|manifest| (manifest.level, manifest.owners));
        let mut team =
            cluster.gather(crate::checkpoint::resume::fingerprint(&(fingerprint, from)))?;
        let owners = team.size();
        if owners > MOST {
            return Err(unsupported("so many processes").into());
        }
        let rounds = manifest.as_ref().map(|manifest| manifest.rounds.clone());
        let rounds = rounds.unwrap_or_default();
        let few = match outgrown.len() < ROUNDS {
            true => FEW * options.tuning.number(Technique::AdaptivePacking),
            false => 0,
        };
        let engine = widening.after(&rounds);
        let (store, mut inserters) = Store::new(&engine.packing.shape(), storage, 1);
        if let Some(limit) = budget.memory {
            store.set_limit(limit);
        }
        let Some(inserter) = inserters.pop() else {
            return Err(UnknownReason::Memory.into());
        };
        let me = (team.me(), owners);
        let mut part = Part::new(
            engine,
            (store, inserter),
            (&wanted, options.first),
            me,
            budget,
        )
        .widening(&after, rounds, few);
        if let Some(files) = files {
            if team.me() == 0 && manifest.is_none() {
                files.begin_anew().map_err(CheckpointError::from)?;
            }
            part = part.saved_in(files, manifest)?;
        }
        let together = part.search(&mut *team, progress)?;
        team.part()?;
        let [states, bytes] = together.whole.sent;
        cluster.note_traffic(states, bytes);
        if together.whole.has_values {
            cluster.note_values();
        }
        if !together.whole.exceeded.is_empty() {
            let mut more = widening.first().room().clone();
            more.grow(job.program, &together.whole.exceeded);
            room = more;
            outgrown.clear();
            continue;
        }
        if together.begins_anew {
            room = widening.first().room().clone();
            outgrown.push(together.whole.overflow);
            continue;
        }
        let (engine, store) = part.into_store();
        let storage = store.storage();
        let whole = widening.whole();
        let repacking = Repacking::new(&engine.packing, &whole.packing);
        return Ok(told(
            job.bads,
            (whole, &repacking),
            together,
            (options, storage),
        ));
    }
}

/// What is to be told.
fn told(
    bads: &[Bad],
    (engine, repacking): (&Engine<'_>, &Repacking),
    together: Together,
    (options, storage): (&Options, Storage),
) -> SafetyOutcome {
    let Together {
        whole,
        runs,
        depth,
        state_bytes,
        ..
    } = together;
    let recovery = Recovery::new(engine);
    let trace = |what: What, states: Vec<Vec<u64>>| -> Result<Trace, UnknownReason> {
        let recovery = recovery.as_ref().map_err(UnknownReason::clone)?;
        let last = match what {
            What::State => None,
            What::Outcome(outcome) => Some(Goal::Outcome(outcome)),
            What::Violation(violation) => Some(Goal::Violation(violation)),
        };
        let states = states.iter().map(|state| repacking.turned(state));
        along(recovery, states, last)
    };
    let some = whole.found.iter().any(Option::is_some);
    let stop = match whole.stop {
        None if whole.gave_up => Some(UnknownReason::StepBudget),
        stop => stop,
    };
    let answer = |run: Option<(What, Vec<Vec<u64>>)>, found: bool| match (run, found) {
        (Some((what, states)), _) => match trace(what, states) {
            Ok(trace) => Answer::Violated(trace),
            Err(reason) => Answer::Unknown(reason),
        },
        (None, true) => {
            let lost = "the run was not told".to_owned();
            Answer::Unknown(UnknownReason::NotReplayed(lost))
        }
        (None, false) => match &stop {
            _ if options.first && some => Answer::Unknown(UnknownReason::AnotherFailed),
            Some(reason) => Answer::Unknown(reason.clone()),
            None => Answer::Clear,
        },
    };
    let found = whole.found.iter().map(Option::is_some);
    SafetyOutcome {
        answers: runs
            .into_iter()
            .zip(found)
            .map(|(run, found)| answer(run, found))
            .collect(),
        watched: whole.watched,
        failures: Vec::new(),
        deep: vec![false; bads.len()],
        cut: false,
        sampled: whole.sampled,
        statistics: Statistics {
            states: whole.states,
            transitions: whole.transitions,
            depth,
            state_bytes,
            memory: whole.memory,
            storage: storage.name(),
            reduction: engine.reduction(whole.reduced),
            time: Duration::ZERO,
            ..Statistics::default()
        },
    }
}
