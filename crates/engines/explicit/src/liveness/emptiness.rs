//! Liveness: is there a fair run that an automaton accepts?
//!
//! The product is unfolded breadth-first, and what of it may lie on an accepted cycle is looked
//! at whenever it has grown by a factor, so that short runs are found early: in each strongly
//! connected component of the *automaton* that accepts, [elimination](crate::liveness::owcty) takes away what
//! lies on no cycle at all, and a [search for components](crate::liveness::accepting_cycle) looks into the rest, if
//! there is any. Where it is enough that the automaton comes to some state (it accepts by a finite
//! prefix), the first run that does so is the answer.
//!
//! What lies on no short cycle may lie on a long one: now and then some states are unfolded newest
//! first instead, which is depth-first search but for its width.

use std::io;
use std::ops::Range;
use std::time::Instant;

use logic::scc::components;
use logic::{Buchi, BuchiKind, Edge};
use model::{Budget, ExprId, Program, Progress, Statistics, Trace, UnknownReason};

use crate::checkpoint::file::{CheckpointFile, Reading, Writing};
use crate::checkpoint::resume::{begin_reading, fingerprint, write_exceeded};
use crate::engine::Engine;
use crate::ir::capacity::{Capacity, CapacityExceeded};
use crate::ir::compile::{Observed, View};
use crate::liveness::acceptance::Plan;
use crate::liveness::accepting_cycle::{Component, Search};
use crate::liveness::automaton_labels::Letters;
use crate::liveness::lasso::lasso;
use crate::liveness::owcty::{Part, Restricted};
use crate::liveness::product_exploration::{ProductExploration, Setting};
use crate::reduction::trial::is_worthless;
use crate::{Answer, Options, Reduce, Technique};

/// States (of the program) at which the product is first looked at,
const FIRST_LOOK: u32 = 1 << 10;
/// and the factor from one look to the next.
const NEXT_LOOK: u32 = 6;
/// States at which it is first unfolded newest first, and how many are then,
const FIRST_DIVE: u32 = 1 << 14;
/// the factor from one time to the next,
const NEXT_DIVE: u32 = 16;
/// the share of the states there are that is added so,
const DIVE_SHARE: u32 = 8;
/// States from which on the old ones are not looked at again because of it,
const MUCH: u32 = 1 << 20;
/// and how many are unfolded at once.
const DIVE_WIDTH: usize = 32;

/// What is to be found out about liveness.
#[derive(Clone, Copy, Debug)]
pub struct LivenessJob<'a> {
    /// The program; runs are those that are fair under its fairness constraints.
    pub program: &'a Program,
    /// Accepts the runs that are looked for: the negation of the property.
    pub automaton: &'a Buchi<ExprId>,
    /// Expressions of which it is to be said whether they ever hold at the end of a macro step.
    pub watch: &'a [ExprId],
}

/// The answer.
#[derive(Clone, Debug)]
pub struct LivenessOutcome {
    /// [`Answer::Clear`] if there is no such run.
    pub answer: Answer,
    /// For each watched expression, whether it was seen to hold.
    pub watched: Vec<bool>,
    /// Whether a sample stood for a wide choice: then [`Answer::Clear`] is about the sample only.
    pub sampled: bool,
    /// What was done; states and transitions are those of the product.
    pub statistics: Statistics,
}

/// Looks for a fair run that the automaton accepts.
///
/// Programs with features that this engine does not have are answered with
/// [`UnknownReason::Unsupported`].
pub fn accepted_run(
    job: &LivenessJob<'_>,
    options: &Options,
    budget: &Budget,
    progress: &dyn Progress,
) -> LivenessOutcome {
    accepted_run_with(job, options, budget, progress, None)
}

/// As [`accepted_run`], goes on from a checkpoint if it is about this search, and writes others
/// between levels, or when the time is up.
pub fn accepted_run_with(
    job: &LivenessJob<'_>,
    options: &Options,
    budget: &Budget,
    progress: &dyn Progress,
    file: Option<&dyn CheckpointFile>,
) -> LivenessOutcome {
    let begin = Instant::now();
    let mut outcome = LivenessOutcome {
        answer: Answer::Clear,
        watched: vec![false; job.watch.len()],
        sampled: false,
        statistics: Statistics::default(),
    };
    match run(job, options, (budget, progress), file, &mut outcome) {
        Ok(Some(trace)) => outcome.answer = Answer::Violated(trace),
        Ok(None) => {}
        Err(reason) => outcome.answer = Answer::Unknown(reason),
    }
    outcome.statistics.time = begin.elapsed();
    outcome
}

fn run(
    job: &LivenessJob<'_>,
    options: &Options,
    means: Means<'_>,
    file: Option<&dyn CheckpointFile>,
    outcome: &mut LivenessOutcome,
) -> Result<Option<Trace>, UnknownReason> {
    let mut attempt = Attempt {
        reduce: options.reduce == Reduce::Por,
        phase: Phase::Goal,
    };
    let mut room = Capacity::new(job.program);
    let mut history = Vec::new();
    let mut from = file.and_then(|file| Attempt::read(file, job.program));
    if let Some((saved, _, exceeded)) = &mut from {
        attempt = *saved;
        for exceeded in &*exceeded {
            room.grow(job.program, exceeded);
        }
        history = std::mem::take(exceeded);
    }
    loop {
        let instances = room
            .instance_slots
            .iter()
            .map(|instance_slot| instance_slot.number + 1)
            .max();
        let instances = instances.unwrap_or(0);
        let mut plan = Plan::new(job.program, instances, job.automaton, job.watch)?;
        plan.demand.tuning = options.tuning;
        if attempt.reduce {
            plan.demand.observed = Some(Observed {
                exprs: plan.demand.outcomes.clone(),
                view: View::Runs,
            });
        }
        let engine = Engine::new(job.program, room, plan.demand.clone(), means.0)?;
        let saving = file.map(|file| Saving {
            file,
            history: &history,
            attempt,
            fingerprint: fingerprint(&((job.automaton, job.watch), engine.look())),
        });
        let reading = from.take().map(|(_, reading, _)| reading);
        let found = run_in(
            &engine,
            &plan,
            job,
            (options, means),
            saving,
            reading,
            outcome,
        );
        match found {
            Ok(Found::Nothing { idle: true }) => {
                // Which moves are explored must depend on the state alone, so it begins again.
                attempt.reduce = false;
                room = engine.into_room();
                outcome.watched.fill(false);
                continue;
            }
            Ok(Found::Foreign) => {
                // The checkpoint is about another search.
                attempt = Attempt {
                    reduce: options.reduce == Reduce::Por,
                    phase: Phase::Goal,
                };
                room = Capacity::new(job.program);
                history.clear();
                continue;
            }
            _ => {}
        }
        let found = found.map(|found| match found {
            Found::Run(trace) => Some(trace),
            Found::Nothing { .. } | Found::Foreign => None,
        });
        // With more room each time there was too little.
        match engine.more_room() {
            None => return found,
            Some(more) => room = more,
        }
        history.push(engine.exceeded());
        attempt.phase = Phase::Goal;
        if let Some(reason) = means.0.exhausted(0) {
            return Err(reason);
        }
        outcome.watched.fill(false);
    }
}

/// How a search is made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Attempt {
    /// Whether states are left out.
    reduce: bool,
    phase: Phase,
}

/// The searches that are made one after the other.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Phase {
    /// Whether the automaton's goal can be reached takes no transitions.
    Goal,
    /// They are kept to tell the run;
    Run,
    /// and to look for one that goes on for ever.
    Cycle,
}

impl Attempt {
    /// Marks a search for runs in a checkpoint.
    const MARK: u64 = u64::from_le_bytes(*b"runs    ");

    /// Reads a checkpoint up to its fingerprint.
    fn read(
        file: &dyn CheckpointFile,
        program: &Program,
    ) -> Option<(Attempt, Reading, Vec<Vec<CapacityExceeded>>)> {
        let (mut from, history) = begin_reading(file, program)?;
        let [mark, reduce, phase] = from.array().ok()?;
        let phase = match phase {
            0 => Phase::Goal,
            1 => Phase::Run,
            _ => Phase::Cycle,
        };
        let attempt = Attempt {
            reduce: reduce != 0,
            phase,
        };
        (mark == Attempt::MARK).then_some((attempt, from, history))
    }
}

/// Where a search is saved.
#[derive(Clone, Copy)]
struct Saving<'s> {
    file: &'s dyn CheckpointFile,
    /// What there was no room for, each time.
    history: &'s [Vec<CapacityExceeded>],
    attempt: Attempt,
    fingerprint: u64,
}

/// The limits, and who is told how far it is.
type Means<'a> = (&'a Budget, &'a dyn Progress);

/// What has been found.
enum Found {
    Run(Trace),
    /// There is no run; or it is not known, since a reduction turned out to be of no use.
    Nothing {
        idle: bool,
    },
    /// The checkpoint is about something else.
    Foreign,
}

fn run_in(
    engine: &Engine<'_>,
    plan: &Plan,
    job: &LivenessJob<'_>,
    (options, (budget, progress)): (&Options, Means<'_>),
    saving: Option<Saving<'_>>,
    mut reading: Option<Reading>,
    outcome: &mut LivenessOutcome,
) -> Result<Found, UnknownReason> {
    let goal = match job.automaton.kind() {
        BuchiKind::Terminal(state) if job.program.prefixes_decide() => Some(state.0),
        _ => None,
    };
    if let (Some(from), Some(saving)) = (&mut reading, saving)
        && from.word().ok() != Some(saving.fingerprint)
    {
        return Ok(Found::Foreign);
    }
    let rich = || job.program.rich.bytes() as u64;
    let emptiness = Emptiness {
        job,
        plan,
        engine,
        parts: parts(job.automaton),
        options,
        budget,
        progress,
        rich: &rich,
        saving,
    };
    let mut phase = match (goal, saving) {
        (None, _) => Phase::Cycle,
        (Some(_), Some(saving)) if reading.is_some() => saving.attempt.phase,
        (Some(_), _) => Phase::Goal,
    };
    loop {
        let ending = emptiness.search(phase, goal, reading.take(), outcome)?;
        phase = match (ending, phase) {
            (Ending::Foreign, _) => return Ok(Found::Foreign),
            (Ending::Run(trace), Phase::Run | Phase::Cycle) => return Ok(Found::Run(trace)),
            (Ending::Idle, _) => return Ok(Found::Nothing { idle: true }),
            (Ending::None, _) | (Ending::Short, Phase::Cycle) => {
                return Ok(Found::Nothing { idle: false });
            }
            (Ending::Run(_) | Ending::Short, Phase::Goal) => Phase::Run,
            // Runs that get there do not go on for ever: look for one that does.
            (Ending::Short, Phase::Run) => Phase::Cycle,
        };
    }
}

/// How a search ends.
enum Ending {
    /// There is a run.
    Run(Trace),
    /// There is none.
    None,
    /// The automaton's goal was reached, but no infinite run from there is known.
    Short,
    /// Hardly anything is left out.
    Idle,
    /// The checkpoint is about something else.
    Foreign,
}

/// What does not change during a search.
struct Emptiness<'e> {
    job: &'e LivenessJob<'e>,
    plan: &'e Plan,
    engine: &'e Engine<'e>,
    parts: Vec<Part>,
    options: &'e Options,
    budget: &'e Budget,
    progress: &'e dyn Progress,
    rich: &'e (dyn Fn() -> u64 + Sync),
    saving: Option<Saving<'e>>,
}

/// When the search does something else for once.
#[derive(Clone, Debug)]
struct Schedule {
    /// States at which it looks at what there is.
    look: u32,
    /// States between which the newest are unfolded first.
    probe: Range<u32>,
}

impl Emptiness<'_> {
    /// Searches; the automaton coming to a goal is enough before the last phase.
    fn search(
        &self,
        phase: Phase,
        goal: Option<u32>,
        reading: Option<Reading>,
        outcome: &mut LivenessOutcome,
    ) -> Result<Ending, UnknownReason> {
        let automaton = self.job.automaton;
        let setting = Setting {
            engine: self.engine,
            letters: Letters::new(automaton, self.plan),
            outcomes: self.plan.letters,
            watched: self.job.watch.len(),
            goal: goal.filter(|_| phase < Phase::Cycle),
            has_lists: phase > Phase::Goal,
            observed: self
                .engine
                .observed()
                .filter(|_| self.plan.demand.fair.is_empty()),
            budget: self.budget,
            progress: self.progress,
            rich: self.rich,
            file: self.saving.map(|saving| saving.file),
        };
        let mut unfolding = ProductExploration::new(setting, self.options);
        let ending = self.unfold(&mut unfolding, phase, reading);
        unfolding.watched(&mut outcome.watched);
        outcome.sampled |= self.engine.sampled || unfolding.sampled();
        let ending = match ending {
            // That there is none among what was found says nothing of what was given up.
            Ok(Ending::None | Ending::Short)
                if unfolding.gave_up()
                    && !self.engine.is_short_of_room()
                    && (phase == Phase::Cycle || matches!(ending, Ok(Ending::None))) =>
            {
                Err(UnknownReason::StepBudget)
            }
            ending => ending,
        };
        outcome.statistics = unfolding.statistics();
        outcome.statistics.reduction = self.engine.reduction(unfolding.reduced().1 > 0);
        ending
    }

    fn unfold(
        &self,
        unfolding: &mut ProductExploration<'_>,
        phase: Phase,
        reading: Option<Reading>,
    ) -> Result<Ending, UnknownReason> {
        let tuning = &self.options.tuning;
        let looks_early = phase == Phase::Cycle && tuning.has(Technique::EarlyCycles);
        let mut schedule = Schedule {
            look: FIRST_LOOK,
            probe: match tuning.has(Technique::NewestFirst) {
                true => FIRST_DIVE..FIRST_DIVE.saturating_mul(2),
                false => u32::MAX..u32::MAX,
            },
        };
        match reading {
            None => unfolding.begin(&self.engine.initial, self.job.automaton.initial.0)?,
            Some(mut from) => match resume(&mut from, unfolding) {
                Ok(saved) => schedule = saved,
                Err(error) if error.kind() == io::ErrorKind::OutOfMemory => {
                    return Err(UnknownReason::Memory);
                }
                Err(_) => return Ok(Ending::Foreign),
            },
        }
        loop {
            let whole = unfolding.is_whole();
            // A run that is accepted comes to the goal, if there is one.
            let is_due = looks_early && unfolding.rows() >= schedule.look;
            if phase == Phase::Cycle && whole || is_due {
                schedule.look = unfolding.rows().saturating_mul(NEXT_LOOK);
                if let Some(trace) = self.look(unfolding, 0, whole)? {
                    return Ok(Ending::Run(trace));
                }
            }
            if whole {
                return Ok(Ending::None);
            }
            let rows = unfolding.rows();
            let (expanded, reduced) = unfolding.reduced();
            if is_worthless(tuning, expanded, reduced) && self.engine.reduces() {
                return Ok(Ending::Idle);
            }
            let probe = &mut schedule.probe;
            if rows >= probe.end {
                // See what it has come to, where there is much only among what is new.
                if looks_early {
                    let from = if rows < MUCH { 0 } else { probe.start };
                    if let Some(trace) = self.look(unfolding, from, false)? {
                        return Ok(Ending::Run(trace));
                    }
                    if from == 0 {
                        schedule.look = rows.saturating_mul(NEXT_LOOK);
                    }
                }
                let next = probe.start.saturating_mul(NEXT_DIVE).max(rows);
                *probe = next..next.saturating_add(next / DIVE_SHARE);
                continue;
            }
            let goal = unfolding.level((rows >= probe.start).then_some(DIVE_WIDTH));
            let pause = unfolding.end_pause();
            // What a lack of memory leaves may not be whole.
            let stopped = matches!(&goal, Err(reason) if *reason != UnknownReason::Memory);
            if self.engine.is_short_of_room() {
                return Ok(Ending::None);
            }
            if pause || stopped {
                self.save(unfolding, phase, &schedule);
            }
            if let Some(row) = goal? {
                if phase == Phase::Goal {
                    return Ok(Ending::Short);
                }
                unfolding.walk(row)?;
                let trace = self.look(unfolding, 0, true)?;
                return Ok(trace.map_or(Ending::Short, Ending::Run));
            }
        }
    }

    /// Writes the search to its file, if it has one.
    fn save(&self, unfolding: &ProductExploration<'_>, phase: Phase, schedule: &Schedule) {
        let Some(saving) = self.saving else { return };
        saving.file.replace(&mut |out| {
            let mut to = Writing::new(out, saving.file.label())?;
            to.rich(&self.job.program.rich)?;
            write_exceeded(&mut to, saving.history)?;
            let reduce = u64::from(saving.attempt.reduce);
            to.words(&[Attempt::MARK, reduce, phase as u64, saving.fingerprint])?;
            let Schedule { look, probe } = schedule;
            to.words(&[(*look).into(), probe.start.into(), probe.end.into()])?;
            unfolding.write(&mut to)?;
            to.end()
        });
    }

    /// Looks for a run in what has been unfolded, whose loop has only states from a number on. It
    /// must be looked at, or may be.
    fn look(
        &self,
        unfolding: &ProductExploration<'_>,
        from: u32,
        must: bool,
    ) -> Result<Option<Trace>, UnknownReason> {
        let graph = unfolding.graph();
        let classes = unfolding.letters().classes();
        for part in &self.parts {
            let bytes = unfolding.memory() + Restricted::bytes(graph, part);
            if self.budget.memory.is_some_and(|limit| bytes > limit) {
                if must {
                    return Err(UnknownReason::Memory);
                }
                return Ok(None);
            }
            let mut restricted = Restricted::new(graph, &classes, part, from);
            if let Some(found) = self.cycle(&mut restricted)? {
                let trace = lasso(self.engine, unfolding, part, &found, self.plan)?;
                return Ok(Some(trace));
            }
        }
        Ok(None)
    }

    /// A fair accepted cycle.
    fn cycle(&self, restricted: &mut Restricted<'_>) -> Result<Option<Component>, UnknownReason> {
        let tuning = &self.options.tuning;
        if !tuning.has(Technique::Owcty) {
            restricted.fill(self.options.jobs);
        } else if !restricted.trim(self.options, self.budget)? {
            return Ok(None);
        }
        Search::new(restricted, &self.plan.acceptance, self.budget)?.run()
    }
}

/// Goes on where a search was saved.
fn resume(from: &mut Reading, unfolding: &mut ProductExploration<'_>) -> io::Result<Schedule> {
    let look = from.number()?;
    let probe = from.number()?..from.number()?;
    unfolding.read(from)?;
    Ok(Schedule { look, probe })
}

/// The components of an automaton that accept, the last ones first.
fn parts(automaton: &Buchi<ExprId>) -> Vec<Part> {
    let count = automaton.state_count();
    let targets = |edges: &Vec<Edge>| {
        edges
            .iter()
            .map(|edge| edge.target.index() as u32)
            .collect()
    };
    let successors: Vec<Vec<u32>> = automaton.edges.iter().map(targets).collect();
    let found = components(&successors);
    let mut parts = Vec::new();
    for number in 0..found.count {
        let inside = |state: usize| found.of[state] as usize == number;
        let accepts = (0..count).filter(|&state| inside(state)).any(|state| {
            let edges = automaton.edges[state].iter();
            edges
                .into_iter()
                .any(|edge| edge.accepting && inside(edge.target.index()))
        });
        if !accepts {
            continue;
        }
        let mut part = Part {
            states: Vec::new(),
            places: vec![None; count],
            set: vec![0; count.div_ceil(8)],
        };
        for (state, place) in (0..count).filter(|&state| inside(state)).zip(0u32..) {
            part.places[state] = Some(place);
            part.set[state / 8] |= 1 << (state % 8);
            part.states
                .push(u32::try_from(state).expect("automata are small"));
        }
        parts.push(part);
    }
    parts
}
