//! Liveness: is there a fair run that an automaton accepts?
//!
//! The product is unfolded breadth-first, and what of it may lie on an accepted cycle is looked
//! at whenever it has grown by a factor, so that short runs are found early: in each strongly
//! connected component of the *automaton* that accepts, [elimination](crate::trim) takes away what
//! lies on no cycle at all, and a [search for components](crate::cycle) looks into the rest, if
//! there is any. Where it is enough that the automaton comes to some state (it accepts by a finite
//! prefix), the first run that does so is the answer.
//!
//! What lies on no short cycle may lie on a long one: now and then some states are unfolded newest
//! first instead, which is depth-first search but for its width.

use std::time::Instant;

use logic::{Buchi, BuchiKind};
use model::{Budget, ExprId, FiniteRuns, Program, Progress, Statistics, Trace, UnknownReason};

use crate::acceptance::Plan;
use crate::cycle::{Component, Search};
use crate::engine::Engine;
use crate::lasso::lasso;
use crate::letters::Letters;
use crate::reduce::{Observed, View};
use crate::room::Room;
use crate::scc::{Numbered, components};
use crate::trim::{Part, Restricted};
use crate::unfold::{Setting, Unfolding};
use crate::{Answer, Options, Reduce};

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
/// and how many are unfolded at once.
const DIVE_WIDTH: usize = 32;
/// Expansions after which a reduction has to have proved itself:
const TRIAL: u64 = 10_000;
/// of so many, one at least is reduced.
const WORTH: u64 = 16;

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
    let begin = Instant::now();
    let mut outcome = LivenessOutcome {
        answer: Answer::Clear,
        watched: vec![false; job.watch.len()],
        sampled: false,
        statistics: Statistics::default(),
    };
    match run(job, options, budget, progress, &mut outcome) {
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
    budget: &Budget,
    progress: &dyn Progress,
    outcome: &mut LivenessOutcome,
) -> Result<Option<Trace>, UnknownReason> {
    let mut room = Room::new(job.program);
    let mut reduce = options.reduce == Reduce::Por;
    loop {
        let instances = room.seats.iter().map(|seat| seat.number + 1).max();
        let instances = instances.unwrap_or(0);
        let mut plan = Plan::new(job.program, instances, job.automaton, job.watch)?;
        if reduce {
            plan.demand.observed = Some(Observed {
                exprs: plan.demand.outcomes.clone(),
                view: View::Runs,
            });
        }
        let engine = Engine::new(job.program, room, plan.demand.clone(), budget)?;
        let found = run_in(&engine, &plan, job, options, budget, progress, outcome);
        if let Ok(Found::Nothing { idle: true }) = found {
            // Which moves are explored must depend on the state alone, so it begins again.
            reduce = false;
            room = engine.into_room();
            outcome.watched.fill(false);
            continue;
        }
        let found = found.map(|found| match found {
            Found::Run(trace) => Some(trace),
            Found::Nothing { .. } => None,
        });
        // With more room each time there was too little.
        match engine.more_room() {
            None => return found,
            Some(more) => room = more,
        }
        if let Some(reason) = budget.exhausted(0) {
            return Err(reason);
        }
        outcome.watched.fill(false);
    }
}

/// What has been found.
enum Found {
    Run(Trace),
    /// There is no run; or it is not known, since a reduction turned out to be of no use.
    Nothing {
        idle: bool,
    },
}

fn run_in(
    engine: &Engine<'_>,
    plan: &Plan,
    job: &LivenessJob<'_>,
    options: &Options,
    budget: &Budget,
    progress: &dyn Progress,
    outcome: &mut LivenessOutcome,
) -> Result<Found, UnknownReason> {
    let goal = match job.automaton.kind() {
        BuchiKind::Terminal(state) if prefixes_decide(job.program) => Some(state.0),
        _ => None,
    };
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
    };
    // Whether the goal can be reached takes no transitions; they are kept to tell the run.
    if goal.is_some() {
        let idle = match emptiness.search(goal, false, outcome)? {
            Ending::None => Some(false),
            Ending::Idle => Some(true),
            Ending::Run(_) | Ending::Short => None,
        };
        if let Some(idle) = idle {
            return Ok(Found::Nothing { idle });
        }
    }
    let mut ending = emptiness.search(goal, true, outcome)?;
    if matches!(ending, Ending::Short) {
        // Runs that get there do not go on for ever: look for one that does.
        ending = emptiness.search(None, true, outcome)?;
    }
    Ok(match ending {
        Ending::Run(trace) => Found::Run(trace),
        Ending::None | Ending::Short => Found::Nothing { idle: false },
        Ending::Idle => Found::Nothing { idle: true },
    })
}

/// Whether every finite run goes on somehow and every infinite one counts.
fn prefixes_decide(program: &Program) -> bool {
    program.fairness.is_empty()
        && program.state_constraint.is_empty()
        && program.finite_runs == FiniteRuns::Stutter
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
}

impl Emptiness<'_> {
    /// Searches; the automaton coming to a goal is enough, if there is one.
    fn search(
        &self,
        goal: Option<u32>,
        has_lists: bool,
        outcome: &mut LivenessOutcome,
    ) -> Result<Ending, UnknownReason> {
        let automaton = self.job.automaton;
        let setting = Setting {
            engine: self.engine,
            letters: Letters::new(automaton, self.plan),
            outcomes: self.plan.letters,
            watched: self.job.watch.len(),
            goal,
            has_lists,
            observed: self
                .engine
                .observed()
                .filter(|_| self.plan.demand.fair.is_empty()),
            budget: self.budget,
            progress: self.progress,
            rich: self.rich,
        };
        let mut unfolding = Unfolding::new(setting, self.options);
        let ending = self.unfold(&mut unfolding, automaton.initial.0, goal.is_some());
        unfolding.watched(&mut outcome.watched);
        outcome.sampled |= self.engine.sampled || unfolding.sampled();
        outcome.statistics = unfolding.statistics();
        outcome.statistics.reduction = self.engine.reduction(unfolding.reduced().1 > 0);
        ending
    }

    fn unfold(
        &self,
        unfolding: &mut Unfolding<'_>,
        automaton: u32,
        has_goal: bool,
    ) -> Result<Ending, UnknownReason> {
        unfolding.begin(&self.engine.initial, automaton)?;
        let mut next_look = FIRST_LOOK;
        let mut dive = FIRST_DIVE..FIRST_DIVE.saturating_mul(2);
        loop {
            let whole = unfolding.is_whole();
            // A run that is accepted comes to the goal, if there is one.
            if !has_goal && (whole || unfolding.rows() >= next_look) {
                next_look = unfolding.rows().saturating_mul(NEXT_LOOK);
                if let Some(trace) = self.look(unfolding, whole)? {
                    return Ok(Ending::Run(trace));
                }
            }
            if whole {
                return Ok(Ending::None);
            }
            let rows = unfolding.rows();
            let (expanded, reduced) = unfolding.reduced();
            if expanded >= TRIAL && reduced * WORTH < expanded && self.engine.reduces() {
                return Ok(Ending::Idle);
            }
            if rows >= dive.end {
                // See what it has come to.
                next_look = 0;
                let next = dive.start.saturating_mul(NEXT_DIVE).max(rows);
                dive = next..next.saturating_add(next / DIVE_SHARE);
                continue;
            }
            let goal = unfolding.level((rows >= dive.start).then_some(DIVE_WIDTH))?;
            if self.engine.is_short_of_room() {
                return Ok(Ending::None);
            }
            if let Some(row) = goal {
                if !unfolding.graph().has_lists {
                    return Ok(Ending::Short);
                }
                unfolding.walk(row)?;
                let trace = self.look(unfolding, true)?;
                return Ok(trace.map_or(Ending::Short, Ending::Run));
            }
        }
    }

    /// Looks for a run in what has been unfolded. It must be looked at, or may be.
    fn look(&self, unfolding: &Unfolding<'_>, must: bool) -> Result<Option<Trace>, UnknownReason> {
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
            if let Some(found) = self.cycle(&Restricted::new(graph, &classes, part))? {
                let trace = lasso(self.engine, unfolding, part, &found, self.plan)?;
                return Ok(Some(trace));
            }
        }
        Ok(None)
    }

    /// A fair accepted cycle.
    fn cycle(&self, restricted: &Restricted<'_>) -> Result<Option<Component>, UnknownReason> {
        if !restricted.trim(self.options.jobs, self.budget)? {
            return Ok(None);
        }
        Search::new(restricted, &self.plan.acceptance, self.budget)?.run()
    }
}

/// The components of an automaton that accept, the last ones first.
fn parts(automaton: &Buchi<ExprId>) -> Vec<Part> {
    let count = automaton.state_count();
    let Numbered {
        component,
        count: all,
    } = components(count, |state| {
        let edges = automaton.edges[state].iter();
        edges.map(|edge| edge.target.index()).collect()
    });
    let mut parts = Vec::new();
    for number in 0..all {
        let inside = |state: usize| component[state] == number;
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
