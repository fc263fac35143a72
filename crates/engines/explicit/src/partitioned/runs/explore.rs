//! Looks for a fair accepted run, together with other processes.

use std::time::{Duration, Instant};

use logic::Buchi;
use logic::scc::components;
use model::{Budget, ExprId, Progress, RichId, Statistics, Trace, UnknownReason};

use crate::checkpoint::resume::fingerprint;
use crate::engine::Engine;
use crate::ir::capacity::Capacity;
use crate::ir::compile::{Observed, View};
use crate::liveness::acceptance::Plan;
use crate::liveness::emptiness::{LivenessJob, LivenessOutcome};
use crate::partitioned::edges::{KEPT, Marks};
use crate::partitioned::explore::Why;
use crate::partitioned::owned::MOST;
use crate::partitioned::prefix::{made_values, make_values};
use crate::partitioned::runs::elimination::Condition;
use crate::partitioned::runs::product::{Nodes, Product};
use crate::partitioned::runs::rounds::Part;
use crate::partitioned::runs::trace::trace;
use crate::partitioned::team::Cluster;
use crate::store::Store;
use crate::{Answer, Options, Reduce, Storage, Technique};

/// Looks for a fair run that the automaton accepts, as [`accepted_run`](crate::accepted_run) does, together with
/// the other processes of a cluster: all of them call this with the same job and options, and all get the same
/// answers.
///
/// Nothing of it is saved: who goes on after a loss begins this search again.
pub fn accepted_run_together(
    job: &LivenessJob<'_>,
    options: &Options,
    budget: &Budget,
    progress: &dyn Progress,
    cluster: &dyn Cluster,
) -> LivenessOutcome {
    let begin = Instant::now();
    let mut outcome = LivenessOutcome {
        answer: Answer::Clear,
        watched: vec![false; job.watch.len()],
        sampled: false,
        statistics: Statistics::default(),
    };
    match run(job, options, (budget, progress), cluster, &mut outcome) {
        Ok(Some(trace)) => outcome.answer = Answer::Violated(trace),
        Ok(None) => {}
        Err(why) => outcome.answer = Answer::Unknown(why.told(cluster)),
    }
    outcome.statistics.time = begin.elapsed();
    outcome
}

fn run(
    job: &LivenessJob<'_>,
    options: &Options,
    (budget, progress): (&Budget, &dyn Progress),
    cluster: &dyn Cluster,
    outcome: &mut LivenessOutcome,
) -> Result<Option<Trace>, Why> {
    let storage = match options.storage {
        // States have to be read back.
        Storage::HashCompact | Storage::Bitstate => Storage::Plain,
        exact => exact,
    };
    if cluster.has_values() {
        return Err(made_values().into());
    }
    let mut reduce = options.reduce == Reduce::Por;
    let mut room = Capacity::new(job.program);
    loop {
        let slots = room.instance_slots.iter().map(|slot| slot.number + 1);
        let instances = slots.max().unwrap_or(0);
        let mut plan = Plan::new(job.program, instances, job.automaton, job.watch)?;
        let conditions = conditions(&plan)?;
        plan.demand.tuning = options.tuning;
        if reduce {
            plan.demand.observed = Some(Observed {
                exprs: plan.demand.outcomes.clone(),
                view: View::Runs,
            });
        }
        let engine = Engine::new(job.program, room, plan.demand.clone(), budget)?;
        make_values(&engine);
        // The same numbers have to stand for the same values.
        let interned: Vec<_> = (0..job.program.rich.len())
            .filter_map(|number| u32::try_from(number).ok())
            .map(|number| job.program.rich.get(RichId(number)))
            .collect();
        let about = (job.automaton, job.watch, reduce);
        let mut team = cluster.gather(fingerprint(&("runs", about, engine.look(), interned)))?;
        let me = (team.me(), team.size());
        if team.size() > MOST {
            let what = "so many processes".to_owned();
            return Err(UnknownReason::Unsupported(what).into());
        }
        let nodes = Nodes::new(&engine.packing.shape());
        let (store, mut inserters) = Store::new(&nodes.shape, storage, 1);
        if let Some(limit) = budget.memory {
            store.set_limit(limit);
        }
        let inserter = inserters.pop().ok_or(UnknownReason::Memory)?;
        let automaton = (job.automaton, accepting_components(job.automaton));
        let product = Product::new(&engine, &plan, automaton, (store, inserter), me, budget);
        let looks_early = options.tuning.has(Technique::EarlyCycles);
        let mut part = Part::new(&engine, product, conditions, me, budget, looks_early);
        let together = part.search(&mut *team, progress)?;
        team.part()?;
        let whole = together.whole;
        cluster.note_traffic(whole.sent[0], whole.sent[1]);
        if whole.has_values {
            cluster.note_values();
        }
        if !whole.exceeded.is_empty() {
            let mut more = engine.room().clone();
            more.grow(job.program, &whole.exceeded);
            room = more;
            continue;
        }
        if together.is_idle {
            // Which moves are explored must depend on the state alone, so it begins again.
            reduce = false;
            room = engine.into_room();
            continue;
        }
        let store = &part.product.owned.store;
        outcome.sampled = whole.sampled;
        outcome.statistics = Statistics {
            states: whole.states,
            transitions: whole.transitions,
            depth: together.depth,
            state_bytes: store.state_bytes(),
            memory: whole.memory,
            storage: store.storage().name(),
            reduction: engine.reduction(whole.reduced),
            time: Duration::ZERO,
            ..Statistics::default()
        };
        outcome.watched = whole.watched;
        return match (together.run, whole.stop) {
            (Some(run), _) => Ok(Some(trace(&engine, &mut part.product, &plan, &run)?)),
            (None, Some(reason)) => Err(reason.into()),
            // That there is none among what was found says nothing of what was given up.
            (None, None) if whole.gave_up => Err(UnknownReason::StepBudget.into()),
            (None, None) => Ok(None),
        };
    }
}

/// What a fair accepted cycle has to have, with marks that fit beside an edge.
fn conditions(plan: &Plan) -> Result<Vec<Condition>, UnknownReason> {
    let narrow = |marks: u128| {
        let marks = Marks::try_from(marks).ok().filter(|it| it & KEPT == 0);
        let what = "so many fairness constraints at once, over a cluster";
        marks.ok_or_else(|| UnknownReason::Unsupported(what.to_owned()))
    };
    let needs = narrow(plan.acceptance.needs)?;
    let each = (0..Marks::BITS).map(|bit| 1 << bit);
    let mut conditions: Vec<Condition> = each
        .filter(|mark| needs & mark != 0)
        .map(Condition::Mark)
        .collect();
    for &(first, second) in &plan.acceptance.pairs {
        conditions.push(Condition::Pair(narrow(first)?, narrow(second)?));
    }
    Ok(conditions)
}

/// For each state of an automaton its strongly connected component, if that has an accepting edge.
fn accepting_components(automaton: &Buchi<ExprId>) -> Vec<Option<u32>> {
    let targets = automaton.edges.iter().map(|edges| {
        let targets = edges.iter().map(|edge| edge.target.0);
        targets.collect()
    });
    let found = components(&targets.collect::<Vec<Vec<u32>>>());
    let accepts = |component: u32| {
        let inside = automaton.edges.iter().zip(&found.of);
        let mut inside = inside.filter(|(_, of)| **of == component);
        inside.any(|(edges, _)| {
            let mut edges = edges.iter();
            edges.any(|edge| edge.accepting && found.of[edge.target.index()] == component)
        })
    };
    let each = found.of.iter();
    each.map(|&of| accepts(of).then_some(of)).collect()
}
