//! Safety: one breadth-first search for everything that must not be reached.
//!
//! Workers expand the states of a level side by side, each adding what it finds to the store at
//! once; what is new is the next level. So each counterexample has the fewest macro steps there
//! are. Levels too small to be worth sharing are worked on by one worker, in the order of their
//! numbers: then the answers are the same however many workers there are.

use std::sync::atomic::Ordering;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crossbeam_utils::CachePadded;
use model::interp::State;
use model::{Bad, Budget, ExprId, Program, Progress, Statistics, Trace, UnknownReason};

use crate::checkpoint::file::{CheckpointFile, Reading, Writing};
use crate::checkpoint::resume::{self, Saved, begin_reading, fingerprint, write_exceeded};
use crate::engine::Engine;
use crate::evidence::failure_classes::FailureClasses;
use crate::evidence::parent_bits::WorkerParentBits;
use crate::evidence::result::ExplorationResult;
use crate::ir::capacity::{Capacity, CapacityExceeded};
use crate::ir::compile::{Demand, Observed, View};
use crate::reduction::level_proviso::Known;
use crate::reduction::trial::{Sample, is_worthless};
use crate::search::apart::Apart;
use crate::search::barrier::Barrier;
use crate::search::block::{Block, count, cut};
use crate::search::depth_probe::{DeepFailure, DepthProbe, DepthProbes, ProbeTargets};
use crate::search::frontier::Shared;
use crate::search::targets::{Found, Targets};
use crate::search::worker::{SearchWorker, explorer};
use crate::store::adaptive_packing::AdaptivePacking;
use crate::store::packing::Packing;
use crate::store::repacking::Repacking;
use crate::store::{StateId, Store, Worker};
use crate::successors::local_expansion::Order;
use crate::successors::transition_cache::TransitionCache;
use crate::{Answer, Exchange, Options, Reduce, Storage, Technique, Tuning};

/// What a probe has found is found breadth-first before the states are so many times as many, or
/// not any more.
const PATIENCE: u64 = 2;

/// What is to be found out about safety.
#[derive(Clone, Copy, Debug)]
pub struct SafetyJob<'a> {
    /// The program.
    pub program: &'a Program,
    /// What must not be reached; each gets its own answer.
    pub bads: &'a [Bad],
    /// Expressions of which it is to be said whether they ever hold at the end of a macro step.
    pub watch: &'a [ExprId],
    /// Instances that may be exchanged.
    pub exchange: Exchange<'a>,
}

/// The answers.
#[derive(Clone, Debug)]
pub struct SafetyOutcome {
    /// One for each bad thing, in their order.
    pub answers: Vec<Answer>,
    /// For each watched expression, whether it was seen to hold.
    pub watched: Vec<bool>,
    /// With [`Options::all`]: runs to all failing places, each with the number of the bad thing that
    /// it leads to. States where an expression holds are no places: of them there is one answer.
    pub failures: Vec<(usize, Trace)>,
    /// For each bad thing, whether its run was found depth-first: then it is seldom the shortest.
    pub deep: Vec<bool>,
    /// Whether there may be more failing places: the search was stopped, or there were too many to
    /// keep them apart.
    pub cut: bool,
    /// Whether a sample stood for a wide choice: then [`Answer::Clear`] is about the sample only.
    pub sampled: bool,
    /// What was done.
    pub statistics: Statistics,
}

impl SafetyJob<'_> {
    /// Nothing is known of any bad thing.
    pub(crate) fn unknown(&self, reason: UnknownReason) -> SafetyOutcome {
        SafetyOutcome {
            answers: vec![Answer::Unknown(reason); self.bads.len()],
            watched: vec![false; self.watch.len()],
            failures: Vec::new(),
            deep: vec![false; self.bads.len()],
            cut: false,
            sampled: false,
            statistics: Statistics::default(),
        }
    }
}

/// Where a search is saved, and what is needed to go on with it.
#[derive(Clone, Copy)]
struct Saving<'s> {
    file: &'s dyn CheckpointFile,
    /// What there was no room for, each time.
    history: &'s [Vec<CapacityExceeded>],
    fingerprint: u64,
}

/// What is left of a level, and the next one so far.
type Frontier = (Vec<Block>, Vec<Block>);

/// Workers keep apart in the caches of processors.
type SearchWorkers<'e> = [CachePadded<Mutex<SearchWorker<'e>>>];

/// For each bad thing, whether it can be reached: [`explore`](crate::explore) without the runs that lead there.
///
/// # Errors
/// If the program has features that this engine does not have, the budget is exhausted before all
/// are found, or what was not found may have been lost.
pub fn reached(
    job: &SafetyJob<'_>,
    options: &Options,
    budget: &Budget,
    progress: &dyn Progress,
) -> Result<Vec<bool>, UnknownReason> {
    let search = run(job, options, budget, progress, None)?.search;
    let both = search.found.iter().zip(&search.deep);
    let found: Vec<bool> = both.map(|(a, b)| a.is_some() || b.is_some()).collect();
    match search.stop {
        _ if search.is_done() => Ok(found),
        Some(reason) => Err(reason),
        None if search.sampled => Err(UnknownReason::Sampled),
        None => Ok(found),
    }
}

/// All stable states that can be reached, in the terms of the model, for comparison with others;
/// meanwhile they are [fitted](Technique::AdaptivePacking) as soon as there are any.
///
/// # Errors
/// If the program has features that this engine does not have, or the budget is exhausted.
pub fn stable_states(program: &Program, budget: &Budget) -> Result<Vec<State>, UnknownReason> {
    let job = SafetyJob {
        program,
        bads: &[],
        watch: &[],
        exchange: Exchange::default(),
    };
    let options = Options {
        tuning: Tuning::usual().with(Technique::AdaptivePacking, 1),
        ..Options::default()
    };
    let explored = run(&job, &options, budget, &model::Silent, None)?;
    match &explored.search.stop {
        Some(reason) => Err(reason.clone()),
        None => {
            let added = explored
                .search
                .parent_bits
                .iter()
                .flat_map(WorkerParentBits::added);
            let ids = added.flatten().map(StateId);
            Ok(ids
                .map(|id| explored.engine.read(&explored.state(id)))
                .collect())
        }
    }
}

/// From how many states on they are fitted; nothing if they never are.
pub(crate) fn fit(tuning: &Tuning) -> Option<u32> {
    let from = tuning.number(Technique::AdaptivePacking);
    u32::try_from(from).ok().filter(|&from| from > 0)
}

/// Explores, with more room each time there was too little.
pub(crate) fn run<'a>(
    job: &SafetyJob<'a>,
    options: &Options,
    budget: &Budget,
    progress: &dyn Progress,
    file: Option<&dyn CheckpointFile>,
) -> Result<ExplorationResult<'a>, UnknownReason> {
    let exact = !matches!(options.storage, Storage::HashCompact | Storage::Bitstate);
    let file = file.filter(|_| exact);
    let mut from = file.and_then(|file| begin_reading(file, job.program));
    let mut history = Vec::new();
    let mut room = Capacity::new(job.program);
    if let Some((_, exceeded)) = &from {
        history.clone_from(exceeded);
        for exceeded in &history {
            room.grow(job.program, exceeded);
        }
    }
    loop {
        let saving = file.map(|file| (file, history.as_slice()));
        let reading = from.take().map(|(from, _)| from);
        let explored = run_in(room, job, options, budget, progress, saving, reading)?;
        let Some(mut explored) = explored else {
            // The checkpoint is about another search.
            history.clear();
            room = Capacity::new(job.program);
            continue;
        };
        match explored.engine.more_room() {
            None => return Ok(explored),
            Some(more) => room = more,
        }
        history.push(explored.engine.exceeded());
        if let Some(reason) = budget.exhausted(0) {
            explored.search.stop = Some(reason);
            return Ok(explored);
        }
    }
}

/// A program made ready for a search with this much room, and what is looked for; with what a query sees that is
/// about more than deadlocks.
pub(crate) fn prepared<'a>(
    room: Capacity,
    job: &SafetyJob<'a>,
    (options, states_view): (&Options, View),
    budget: &Budget,
) -> Result<(Engine<'a>, Targets<'a>), UnknownReason> {
    let mut demand = Demand::default();
    let mut states = Vec::new();
    for (index, bad) in job.bads.iter().enumerate() {
        if let Bad::State(expr) = bad {
            states.push((index, demand.outcomes.len()));
            demand.outcomes.push(*expr);
        }
    }
    let first_watched = demand.outcomes.len();
    demand.outcomes.extend_from_slice(job.watch);
    demand.tuning = options.tuning;
    demand.exchange = (
        job.exchange.templates.to_vec(),
        job.exchange.ended_are_gone,
        job.exchange.alike,
    );
    if options.reduce == Reduce::Por {
        let only_ends = job.bads.iter().all(|bad| *bad == Bad::Deadlock);
        demand.observed = Some(Observed {
            exprs: demand.outcomes.clone(),
            view: if only_ends && !job.bads.is_empty() && job.watch.is_empty() {
                View::Deadlocks
            } else {
                states_view
            },
        });
    }
    let engine = Engine::new(job.program, room, demand, budget)?;
    let wanted = Targets {
        bads: job.bads,
        states,
        first_watched,
        watched: job.watch.len(),
        all: options.all,
    };
    Ok((engine, wanted))
}

fn run_in<'a>(
    room: Capacity,
    job: &SafetyJob<'a>,
    options: &Options,
    budget: &Budget,
    progress: &dyn Progress,
    saving: Option<(&dyn CheckpointFile, &[Vec<CapacityExceeded>])>,
    reading: Option<Reading>,
) -> Result<Option<ExplorationResult<'a>>, UnknownReason> {
    let (engine, wanted) = prepared(room, job, (options, View::States), budget)?;
    let (store, mut inserters) = Store::new(
        &engine.packing.shape(),
        options.storage,
        options.jobs.max(1),
    );
    if let Some(limit) = budget.memory {
        store.set_limit(limit);
    }
    let mut saving = saving.map(|(file, history)| Saving {
        file,
        history,
        fingerprint: 0,
    });
    if let Some(saving) = &mut saving {
        let what = (job.bads, job.watch, options.reduce, job.exchange);
        saving.fingerprint = fingerprint(&(what, engine.look()));
    }
    let mut saved = None;
    if let (Some(mut from), Some(saving)) = (reading, saving) {
        if from.word().ok() != Some(saving.fingerprint) {
            return Ok(None);
        }
        match resume::read(&mut from, &store, &mut inserters[0]) {
            Ok(read) if read.fits(job.bads.len(), job.watch.len()) => saved = Some(read),
            Ok(_) => return Ok(None),
            Err(error) if error.kind() == std::io::ErrorKind::OutOfMemory => {
                return Err(UnknownReason::Memory);
            }
            Err(_) => return Ok(None),
        }
    }
    let mut search = Search {
        found: vec![None; job.bads.len()],
        deep: vec![None; job.bads.len()],
        patience: None,
        probes: match options.tuning.has(Technique::DepthProbe)
            && !options.all
            && !job.bads.is_empty()
        {
            true if options.first => DepthProbes::LARGE,
            true => DepthProbes::SMALL,
            false => DepthProbes::NONE,
        },
        reducing: engine.reduces(),
        sample: Sample::default(),
        first: options.first,
        apart: match options.apart {
            true => Apart::Nothing,
            false => Apart::Never,
        },
        distinct: options.all.then(FailureClasses::default),
        watched: vec![false; job.watch.len()],
        sampled: engine.sampled || !store.is_exact(),
        gave_up: false,
        stop: None,
        statistics: Statistics::default(),
        has_reduced: saved.is_some(),
        parent_bits: Vec::new(),
        store,
        fitting: AdaptivePacking::new(None),
    };
    // What is saved is packed by types, and what is alike has like fields.
    let may_fit = saving.is_none() && search.store.is_exact() && engine.symmetry.is_none();
    search.fitting = AdaptivePacking::new(may_fit.then(|| fit(&options.tuning)).flatten());
    let mut fitted: Option<Engine<'_>> = None;
    loop {
        let now = fitted.as_ref().unwrap_or(&engine);
        let workers = inserters
            .into_iter()
            .map(|inserter| {
                CachePadded::new(Mutex::new(SearchWorker::new(
                    now, inserter, &wanted, budget,
                )))
            })
            .collect();
        let engines = Engines {
            now,
            whole: &engine,
        };
        let going_on = (saving, saved.take());
        let unfinished;
        (inserters, unfinished) =
            search.run(engines, &wanted, workers, going_on, (budget, progress));
        let Some(Unfinished { packing, rest }) = unfinished else {
            break;
        };
        let repacking = Repacking::new(&now.packing, &packing);
        let shape = packing.shape();
        let turned = search
            .store
            .turn(&shape, &mut inserters, |from, to| repacking.turn(from, to));
        if turned.is_err() {
            search.stop = Some(UnknownReason::Memory);
            break;
        }
        saved = Some(rest);
        fitted = Some(engine.repacked(packing));
    }
    let fitted = fitted.map(|fitted| Repacking::new(&fitted.packing, &engine.packing));
    Ok(Some(ExplorationResult {
        engine,
        fitted,
        search,
    }))
}

/// What a search runs on.
#[derive(Clone, Copy)]
struct Engines<'e, 'a> {
    now: &'e Engine<'a>,
    /// With states packed by types.
    whole: &'e Engine<'a>,
}

/// Where a search is to go on with states packed otherwise.
struct Unfinished {
    packing: Packing,
    rest: Saved,
}

/// The search so far.
pub(crate) struct Search {
    pub(crate) store: Store,
    pub(crate) parent_bits: Vec<WorkerParentBits>,
    pub(crate) found: Vec<Option<Found>>,
    /// What probes have found,
    pub(crate) deep: Vec<Option<DeepFailure>>,
    /// and at how many states it is not worth the while any more to look for shorter runs.
    patience: Option<u64>,
    probes: DepthProbes,
    /// Whether states are left out.
    reducing: bool,
    /// What some of its expansions are in full.
    sample: Sample,
    /// Whether one bad thing is enough.
    first: bool,
    apart: Apart,
    pub(crate) distinct: Option<FailureClasses>,
    pub(crate) watched: Vec<bool>,
    pub(crate) sampled: bool,
    /// Whether some branch of a macro step was given up.
    pub(crate) gave_up: bool,
    pub(crate) stop: Option<UnknownReason>,
    pub(crate) statistics: Statistics,
    /// Whether states have been left out.
    has_reduced: bool,
    fitting: AdaptivePacking,
}

/// Locks a worker. Only one thread at a time asks for it.
fn lock<'s, 'e>(worker: &'s Mutex<SearchWorker<'e>>) -> MutexGuard<'s, SearchWorker<'e>> {
    worker.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What each worker has learnt of moves, the others are told.
fn tell_news(workers: &SearchWorkers<'_>) {
    let mut workers: Vec<_> = workers.iter().map(|worker| lock(worker)).collect();
    let recalls = workers
        .iter_mut()
        .map(|worker| &mut worker.driver.transition_cache);
    TransitionCache::tell_each_other(&mut recalls.collect::<Vec<_>>());
}

impl Search {
    /// Whether all is known that is asked for.
    pub(crate) fn is_done(&self) -> bool {
        let mut both = self.found.iter().zip(&self.deep);
        let patient = self.patience.is_some();
        let reached = |(found, deep): (&Option<Found>, &Option<DeepFailure>)| {
            found.is_some() || (!patient && deep.is_some())
        };
        self.distinct.is_none()
            && !self.found.is_empty()
            && if self.first || self.apart == Apart::Now {
                both.any(reached)
            } else {
                both.all(reached)
            }
    }

    /// Decides whether what is found waits any longer for the rest.
    fn part(&mut self, states: u64) {
        let mut both = self.found.iter().zip(&self.deep);
        let is_found = both.any(|(a, b)| a.is_some() || b.is_some());
        self.apart = self.apart.at(states, is_found);
        if self.apart == Apart::Now {
            self.patience = None;
        }
    }

    /// Looks into the depth, if it is time to.
    fn probe<'s>(
        &mut self,
        engines: Engines<'_, '_>,
        wanted: &'s Targets<'s>,
        workers: &SearchWorkers<'_>,
        (shared, gate): (&Shared<'s>, &Barrier),
    ) {
        let states = u64::from(shared.store.len());
        if self.patience.is_some_and(|most| states >= most) {
            self.patience = None;
        }
        let Some(most) = self.probes.due(states).filter(|_| !self.is_done()) else {
            return;
        };
        let both = self.found.iter().zip(&self.deep);
        let known: Vec<bool> = both.map(|(a, b)| a.is_some() || b.is_some()).collect();
        let sought = ProbeTargets {
            wanted,
            known,
            most,
            budget: shared.budget,
        };
        let Engines { now, whole } = engines;
        let driver = &mut lock(&workers[0]).driver;
        let found = if workers.len() > 1 {
            // The thread of the second worker stands at the barrier.
            let mut first = DepthProbe::new(sought.clone(), Order::FirstFirst);
            shared.send(DepthProbe::new(sought.clone(), Order::LastFirst));
            gate.wait();
            first.make(now, driver);
            gate.wait();
            shared
                .errand()
                .take()
                .and_then(|second| first.found(second))
        } else {
            DepthProbe::both(sought.clone(), now, driver)
        };
        let found = match found {
            Some(mut found) => {
                let repacking = Repacking::new(&now.packing, &whole.packing);
                let states = found.iter_mut().flatten().flat_map(|deep| &mut deep.states);
                states.for_each(|state| *state = repacking.turned(state));
                found
            }
            None => {
                // What lies deep has other values than what does not.
                self.fitting.note(&now.packing);
                let found = DepthProbe::both(sought, whole, &mut explorer(whole));
                found.unwrap_or_else(|| vec![None; self.deep.len()])
            }
        };
        if found.iter().any(Option::is_some) && !self.first {
            self.patience = Some(states.saturating_mul(PATIENCE));
        }
        for (deep, found) in self.deep.iter_mut().zip(found) {
            *deep = deep.take().or(found);
        }
    }

    /// Leaves nothing out any more, if that is of no use. The order in which states are explored
    /// stays what it was, and more than has to be explored never does any harm.
    fn weigh_reduction(&mut self, workers: &SearchWorkers<'_>, tuning: &Tuning) {
        if !self.reducing {
            return;
        }
        let (mut expanded, mut reduced) = (0, 0);
        self.sample = Sample::default();
        for worker in workers {
            let worker = lock(worker);
            expanded += worker.expanded();
            reduced += worker.reduced;
            self.sample = self.sample.with(worker.sample);
        }
        if is_worthless(tuning, expanded, self.sample.effective(reduced)) {
            self.reducing = false;
            workers
                .iter()
                .for_each(|worker| lock(worker).reduce_no_more());
        }
    }

    /// Searches; gives the workers back, and where to go on with states packed otherwise.
    fn run(
        &mut self,
        engines: Engines<'_, '_>,
        wanted: &Targets<'_>,
        workers: Box<SearchWorkers<'_>>,
        (saving, saved): (Option<Saving<'_>>, Option<Saved>),
        (budget, progress): (&Budget, &dyn Progress),
    ) -> (Vec<Worker>, Option<Unfinished>) {
        let engine = engines.now;
        let store = std::mem::replace(&mut self.store, Store::empty());
        let shared = Shared::new(
            &store,
            engine.program,
            (engine.packing.words, workers.len()),
            budget,
            progress,
            saving.map(|saving| saving.file),
        );
        if !self.reducing {
            workers
                .iter()
                .for_each(|worker| lock(worker).reduce_no_more());
        }
        let begin = match saved {
            Some(saved) => self.go_on(saved, &shared),
            None => {
                for stored in &engine.initial {
                    lock(&workers[0]).add_initial(&store, stored);
                }
                (self.gather(&workers, &shared), Vec::new())
            }
        };
        let gate = Barrier::new(workers.len());
        let unfinished = std::thread::scope(|threads| {
            for (number, worker) in workers.iter().enumerate().skip(1) {
                let (gate, shared) = (&gate, &shared);
                threads.spawn(move || {
                    loop {
                        gate.wait();
                        if shared.is_over() {
                            return;
                        }
                        let mut errand = shared.errand();
                        let is_sent = errand.is_some();
                        if number == 1
                            && let Some(probe) = &mut *errand
                        {
                            probe.make(engine, &mut lock(worker).driver);
                        }
                        drop(errand);
                        if !is_sent {
                            lock(worker).work(shared);
                        }
                        gate.wait();
                    }
                });
            }
            let what = (wanted, saving);
            let unfinished = self.levels(engines, &workers, &shared, &gate, begin, what);
            shared.end();
            gate.wait();
            unfinished
        });
        for worker in &workers {
            lock(worker).tell(&shared);
        }
        self.statistics = shared.statistics();
        self.has_reduced |= workers.iter().any(|worker| lock(worker).reduced > 0);
        self.statistics.reduction = engine.reduction(self.has_reduced);
        drop(shared);
        self.store = store;
        let mut inserters = Vec::new();
        for worker in workers {
            let worker = worker.into_inner().into_inner();
            let worker = worker.unwrap_or_else(PoisonError::into_inner);
            self.parent_bits.push(worker.parent_bits);
            inserters.push(worker.inserter);
        }
        let unfinished = unfinished.map(|(packing, (rest, next))| Unfinished {
            packing,
            rest: Saved {
                parent_bits: std::mem::take(&mut self.parent_bits),
                rest,
                next,
                depth: self.statistics.depth,
                transitions: self.statistics.transitions,
                found: self.found.clone(),
                watched: self.watched.clone(),
                sampled: self.sampled,
                gave_up: self.gave_up,
            },
        });
        (inserters, unfinished)
    }

    /// Goes on where a search was saved: the rest of the level, and the next one so far.
    fn go_on(&mut self, saved: Saved, shared: &Shared<'_>) -> Frontier {
        shared.go_on(&saved);
        self.found = saved.found;
        self.watched = saved.watched;
        self.sampled |= saved.sampled;
        self.gave_up |= saved.gave_up;
        self.parent_bits = saved.parent_bits;
        (saved.rest, saved.next)
    }

    /// Level after level, until there are no more, all is known, or states are to be packed
    /// otherwise: then gives how, and what is left.
    fn levels<'s>(
        &mut self,
        engines: Engines<'_, '_>,
        workers: &SearchWorkers<'_>,
        shared: &Shared<'s>,
        gate: &Barrier,
        (mut level, mut next): Frontier,
        (wanted, saving): (&'s Targets<'s>, Option<Saving<'_>>),
    ) -> Option<(Packing, Frontier)> {
        let engine = engines.now;
        let whole = (&engines.whole.packing, &engines.whole.layout);
        let tuning = engine.tuning();
        let shared_from = match tuning.number(Technique::ParallelLevels) {
            0 => u64::MAX,
            most => most,
        };
        loop {
            let waiting = count(&level);
            self.part(u64::from(shared.store.len()));
            if waiting == 0 && self.gave_up && !self.is_done() && self.stop.is_none() {
                // All is looked at but what branches lead to that were too long.
                self.stop = Some(UnknownReason::StepBudget);
            }
            let over = waiting == 0 || self.is_done() || self.stop.is_some();
            if over || engine.is_short_of_room() {
                return None;
            }
            if let Some(packing) = self.fitting.fit(&engine.packing, whole, shared.store) {
                return Some((packing, (level, next)));
            }
            let together = waiting >= shared_from && workers.len() > 1;
            let known =
                (self.reducing && engine.must_lead_on()).then(|| Known::now(shared.store, &next));
            let active = if together { workers.len() } else { 1 };
            if together && tuning.has(Technique::SharedCache) {
                tell_news(workers);
            }
            shared.store.prepare_for(active);
            shared.put_up(cut(level, active));
            let samples = self.reducing && !self.sample.is_enough();
            for worker in workers {
                lock(worker).begin(&self.found, known.clone(), samples);
            }
            if together {
                gate.wait();
                lock(&workers[0]).work(shared);
                gate.wait();
            } else {
                lock(&workers[0]).work(shared);
            }
            next.extend(self.gather(workers, shared));
            self.weigh_reduction(workers, tuning);
            level = shared.untaken();
            for worker in workers {
                level.append(&mut lock(worker).left);
            }
            if level.is_empty() || self.is_done() {
                shared
                    .depth
                    .fetch_add(u64::from(!next.is_empty()), Ordering::Relaxed);
            }
            if level.is_empty() {
                level = std::mem::take(&mut next);
                self.probe(engines, wanted, workers, (shared, gate));
            }
            let pause = shared.end_pause();
            if let Some(saving) = saving
                && (pause || self.stop.is_some())
                && !engine.is_short_of_room()
            {
                self.save(engine, workers, shared, saving, (&level, &next));
            }
        }
    }

    /// Writes the search to a file.
    fn save(
        &self,
        engine: &Engine<'_>,
        workers: &SearchWorkers<'_>,
        shared: &Shared<'_>,
        saving: Saving<'_>,
        (rest, next): (&[Block], &[Block]),
    ) {
        let mut workers: Vec<_> = workers.iter().map(|worker| lock(worker)).collect();
        workers.iter_mut().for_each(|worker| worker.tell(shared));
        let statistics = shared.statistics();
        let saved = Saved {
            parent_bits: Vec::new(),
            rest: rest.to_vec(),
            next: next.to_vec(),
            depth: statistics.depth,
            transitions: statistics.transitions,
            found: self.found.clone(),
            watched: self.watched.clone(),
            sampled: self.sampled,
            gave_up: self.gave_up,
        };
        let own = workers.iter().map(|worker| &worker.parent_bits);
        let parent_bits: Vec<&WorkerParentBits> = self.parent_bits.iter().chain(own).collect();
        saving.file.replace(&mut |out| {
            let mut to = Writing::new(out, saving.file.label())?;
            to.rich(&engine.program.rich)?;
            write_exceeded(&mut to, saving.history)?;
            to.word(saving.fingerprint)?;
            resume::write(&mut to, shared.store, &saved, &parent_bits)?;
            to.end()
        });
    }

    /// Brings together what workers have noted; gives what they have added.
    fn gather(&mut self, workers: &SearchWorkers<'_>, shared: &Shared<'_>) -> Vec<Block> {
        let mut fresh = Vec::new();
        for worker in workers {
            let mut worker = lock(worker);
            for (found, theirs) in self.found.iter_mut().zip(&worker.found) {
                *found = found.or(*theirs);
            }
            if let (Some(distinct), Some(theirs)) = (&mut self.distinct, &mut worker.distinct) {
                distinct.absorb(theirs);
            }
            for (seen, theirs) in self.watched.iter_mut().zip(&worker.watched) {
                *seen |= theirs;
            }
            self.sampled |= worker.sampled();
            self.gave_up |= worker.gave_up();
            if let Some(reason) = worker.stop.take() {
                shared.stop(reason);
            }
            fresh.extend(worker.take_fresh());
        }
        self.stop = shared.stopped();
        fresh
    }
}
