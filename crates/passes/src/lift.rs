//! Lift: a run of the reduced program as a run of the original.
//!
//! A trace of the reduced program names steps of the original, but lacks the choices that were
//! removed, leaves out the inner steps that were skipped, and takes several of the original's
//! macro steps at once where steps were merged. Lifting searches, depth first, for a run of the
//! original that follows it: from each stable state the first move of the macro step is made as
//! the trace says, everything after that may happen as it likes, and at the end the variables
//! that no pass has touched must be as in the reduced run.
//!
//! What a macro step can do is asked of the reference interpreter on a [guided](crate::guide)
//! copy of the original: first of one that follows the trace move by move, then, if that leads
//! nowhere, of one that follows its first move only. Where a macro step has too many ways to look at
//! all, one that leads where it has to will do. Whatever is found is replayed on the original itself.

use std::collections::{HashSet, VecDeque};
use std::ops::ControlFlow;

use model::interp::{Expansion, Interp, Replay, State, Violation};
use model::{Action, Bad, Budget, GlobalId, MacroStep, Move, Part, Program, Target, Trace};

use crate::guide::Guide;
use crate::pipeline::Reduced;
use crate::rewrite::is_disabled;

/// How much is tried before the search gives up, in strictly guided macro steps.
const EXPANSIONS: usize = 2_000;

/// What a widely guided macro step counts, for there is so much more to it.
const WIDE: usize = 50;

/// Inner states of one macro step before it is given up: strictly guided, and widely. A loop that
/// goes on for long takes quadratic memory.
const MICRO_STEPS: [u64; 2] = [500, 500];

/// How often a loop is unrolled in the hope that it closes.
const UNROLLS: usize = 64;

impl Reduced {
    /// Turns a trace of the reduced program into one of the original.
    ///
    /// `bad` is what the trace shows, if it is no lasso: a failed check or a fault ends the run
    /// where it happens, other badness is that of the last state. `None` if no such run is found;
    /// then the query has to be asked of the original.
    #[must_use]
    pub fn lift(&self, trace: &Trace, bad: Option<&Bad>) -> Option<Trace> {
        self.lift_within(trace, bad, &Budget::default())
    }

    /// The same; `None` as well if the budget's moment passes.
    #[must_use]
    pub fn lift_within(&self, trace: &Trace, bad: Option<&Bad>, budget: &Budget) -> Option<Trace> {
        let reduced = Interp::new(&self.program).replay(trace).ok()?;
        let exact = (0..self.original.globals.len())
            .map(GlobalId::new)
            .filter(|id| !self.inexact.contains(id))
            .collect();
        let mut search = Search {
            original: &self.original,
            program: &self.program,
            interp: Interp::new(&self.original).with_budget(budget),
            guide: Guide::new(&self.original, &self.program),
            trace,
            reduced,
            bad: bad.filter(|_| trace.loop_start.is_none()),
            exact,
            in_haste: budget.deadline.is_some(),
            expansions: 0,
        };
        let lifted = search.run()?;
        Interp::new(&self.original).replay(&lifted).ok()?;
        Some(lifted)
    }
}

/// A way to follow one macro step of the reduced run.
struct Way {
    steps: Vec<MacroStep>,
    state: State,
}

/// What is left to try from a position.
struct Untried {
    from: State,
    ways: VecDeque<Way>,
    /// Whether to guide strictly, for each time that is still to come.
    guidance: std::slice::Iter<'static, bool>,
}

/// A part of a macro step of the reduced run, for which the original takes a macro step of its own.
struct Segment<'s> {
    moves: &'s [Move],
    /// The instance that stutters, if that is all.
    stutter: Option<u32>,
    /// Whether what is bad happens on the way.
    shows_inside: bool,
    /// Where it has to lead, if it ends the macro step.
    goal: Option<&'s State>,
}

/// Whether these variables have the same values.
fn agree(exact: &[GlobalId], original: &State, reduced: &State) -> bool {
    exact
        .iter()
        .all(|id| original.globals[id.index()] == reduced.globals[id.index()])
}

struct Search<'a> {
    original: &'a Program,
    program: &'a Program,
    interp: Interp<'a>,
    guide: Guide<'a>,
    trace: &'a Trace,
    reduced: Replay,
    bad: Option<&'a Bad>,
    exact: Vec<GlobalId>,
    /// Whether the first way that leads where it has to will do in each macro step.
    in_haste: bool,
    expansions: usize,
}

impl Search<'_> {
    fn run(&mut self) -> Option<Trace> {
        let mut given = vec![None; self.original.globals.len()];
        for id in &self.exact {
            given[id.index()] = Some(self.reduced.initial.globals[id.index()].clone());
        }
        let original = self.original;
        let mut found = None;
        let ended = Interp::new(original).each_initial(&given, |choices, state| {
            self.expansions += 1;
            if let Some((steps, loop_start)) = self.follow(&state) {
                found = Some(Trace {
                    initial: choices,
                    steps,
                    loop_start,
                });
            }
            if found.is_some() || self.expansions >= EXPANSIONS {
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        });
        ended.ok().and(found)
    }

    /// The macro step of the reduced run at a position, loops unrolled.
    fn position(&self, position: usize) -> usize {
        let length = self.trace.steps.len();
        match self.trace.loop_start {
            Some(start) if position >= length && start < length => {
                start + (position - start) % (length - start)
            }
            _ => position,
        }
    }

    fn follow(&mut self, initial: &State) -> Option<(Vec<MacroStep>, Option<usize>)> {
        let length = self.trace.steps.len();
        let period = self.trace.loop_start.map_or(0, |start| length - start);
        let limit = length + period * UNROLLS;
        // The way so far: for each position the untried options, and the one being tried.
        let mut untried: Vec<Untried> = Vec::new();
        let mut chosen: Vec<Way> = Vec::new();
        loop {
            source::limits::check();
            let at = chosen.len();
            let state = chosen.last().map_or(initial, |option| &option.state);
            if let Some(end) = self.is_end(at, initial, &chosen) {
                let steps = |options: &[Way]| {
                    options
                        .iter()
                        .flat_map(|option| option.steps.clone())
                        .collect::<Vec<_>>()
                };
                let loop_start = end.map(|head| steps(&chosen[..head]).len());
                return Some((steps(&chosen), loop_start));
            }
            let guidance: &'static [bool] = if at < limit { &[true, false] } else { &[] };
            untried.push(Untried {
                from: state.clone(),
                ways: VecDeque::new(),
                guidance: guidance.iter(),
            });
            // The next way, of the last position that has one.
            loop {
                source::limits::check();
                let at = untried.len().checked_sub(1)?;
                let last = &mut untried[at];
                if let Some(way) = last.ways.pop_front() {
                    chosen.truncate(at);
                    chosen.push(way);
                    break;
                }
                match last.guidance.next() {
                    Some(&strictly) if self.expansions < EXPANSIONS => {
                        let from = last.from.clone();
                        let ways = self.ways(&from, at, strictly);
                        untried[at].ways = ways.into();
                    }
                    _ => {
                        untried.pop();
                    }
                }
            }
        }
    }

    /// Whether the run may end at a position; for a lasso, where its loop begins.
    fn is_end(&self, at: usize, initial: &State, chosen: &[Way]) -> Option<Option<usize>> {
        let length = self.trace.steps.len();
        if at < length {
            return None;
        }
        let state = |at: usize| match at {
            0 => initial,
            n => &chosen[n - 1].state,
        };
        let Some(start) = self.trace.loop_start else {
            let last = state(at);
            let shows = match self.bad {
                Some(Bad::State(cond)) => self.interp.holds(last, *cond) == Ok(true),
                Some(Bad::Deadlock) => {
                    let stored = self.interp.stored(last);
                    self.interp.moves(&stored).is_empty() && !self.interp.is_valid_end(&stored)
                }
                _ => true,
            };
            return shows.then_some(None);
        };
        let now = self.interp.stored(state(at));
        if start == length {
            return self.interp.moves(&now).is_empty().then_some(Some(length));
        }
        if !(at - start).is_multiple_of(length - start) {
            return None;
        }
        (start..at)
            .step_by(length - start)
            .find(|&head| {
                // A loop that lifts to nothing is no loop.
                chosen[head..at]
                    .iter()
                    .any(|option| !option.steps.is_empty())
                    && self.interp.stored(state(head)) == now
            })
            .map(Some)
    }

    /// The ways to follow the reduced run's macro step at a position.
    fn ways(&mut self, from: &State, at: usize, strictly: bool) -> Vec<Way> {
        let index = self.position(at);
        let step = &self.trace.steps[index];
        let goal = self.reduced.steps[index].state.clone();
        let is_last = self.trace.loop_start.is_none() && index + 1 == self.trace.steps.len();
        let stutter = self.stutters(step);
        if stutter.is_some() && !is_last && !self.only_stutters() {
            return vec![Way {
                steps: Vec::new(),
                state: from.clone(),
            }];
        }
        // Partial ways, each a chain of the original's macro steps.
        let mut ways = vec![Way {
            steps: Vec::new(),
            state: self.interp.stored(from),
        }];
        let segments = self.segments(step);
        let shows_inside = matches!(
            self.bad,
            Some(Bad::Check(_) | Bad::Fault(_) | Bad::Divergence)
        ) && is_last;
        for (number, moves) in segments.iter().enumerate() {
            let ends = number + 1 == segments.len();
            let segment = Segment {
                moves,
                stutter,
                shows_inside: shows_inside && ends,
                goal: (ends && !shows_inside).then_some(&goal),
            };
            let mut next = Vec::new();
            for way in &ways {
                self.expand(way, &segment, strictly, &mut next);
            }
            ways = next;
        }
        if shows_inside {
            return ways;
        }
        ways.retain(|way| agree(&self.exact, &way.state, &goal));
        // States are large: where there is one way only, nothing has to tell it from others.
        if ways.len() > 1 {
            let mut seen = HashSet::new();
            ways.retain(|way| seen.insert(way.state.clone()));
        }
        ways
    }

    /// The instance whose process was cut away and stutters in this macro step, if that is it.
    fn stutters(&self, step: &MacroStep) -> Option<u32> {
        let [Move { parts, choices }] = step.moves.as_slice() else {
            return None;
        };
        let [
            Part {
                instance,
                action: Action::Step(id),
            },
        ] = parts.as_slice()
        else {
            return None;
        };
        let mut templates = self.guide.templates(*instance);
        let index = templates.next().filter(|_| templates.next().is_none())?;
        let reduced = &self.program.processes[index];
        let is_cut = reduced
            .steps
            .iter()
            .enumerate()
            .all(|(other, step)| other == id.index() || is_disabled(self.program, step));
        let step = &reduced.steps[id.index()];
        let is_idle = step.body.is_empty() && step.target == Target::Goto(step.from);
        let is_new = *step != self.original.processes[index].steps[id.index()];
        (choices.is_empty() && is_cut && is_idle && is_new).then_some(*instance)
    }

    /// Whether the loop of the run consists of nothing but such stutter.
    fn only_stutters(&self) -> bool {
        self.trace.loop_start.is_some_and(|start| {
            self.trace.steps[start..]
                .iter()
                .all(|step| self.stutters(step).is_some())
        })
    }

    /// The moves, cut where the original is stable.
    fn segments(&self, step: &MacroStep) -> Vec<Vec<Move>> {
        let mut segments: Vec<Vec<Move>> = Vec::new();
        for made in &step.moves {
            let begins = made.parts.iter().all(|part| {
                let Action::Step(id) = part.action else {
                    return true;
                };
                self.guide.templates(part.instance).all(|process| {
                    id.index() >= self.original.processes[process].steps.len()
                        || self.guide.starts_open(process, id.index())
                })
            });
            match segments.last_mut() {
                Some(segment) if !begins => segment.push(made.clone()),
                _ => segments.push(vec![made.clone()]),
            }
        }
        segments
    }

    /// Follows one segment from the end of a way.
    fn expand(&mut self, way: &Way, segment: &Segment<'_>, strictly: bool, into: &mut Vec<Way>) {
        self.expansions += if strictly { 1 } else { WIDE };
        let from = self.interp.stored(&way.state);
        let (first, stutter) = (&segment.moves[0].parts, segment.stutter);
        let moves = self.interp.moves(&from);
        let possible = stutter.is_some() || moves.contains(first);
        if self.expansions > EXPANSIONS || !possible {
            return;
        }
        let moves = if stutter.is_some() {
            &[]
        } else {
            segment.moves
        };
        let entered = self.guide.enter(from.clone());
        let guided = self.guide.along(moves, strictly && stutter.is_none());
        let interp = self
            .interp
            .beside(guided)
            .with_micro_steps(MICRO_STEPS[usize::from(!strictly)]);
        let (exact, bad) = (&self.exact, self.bad);
        let wanted = |violation: &Violation| match (bad, violation) {
            (Some(Bad::Check(wanted)), Violation::Check(check)) => wanted == check,
            (Some(Bad::Fault(wanted)), Violation::Fault(fault)) => wanted.contains(fault),
            _ => false,
        };
        let follows = |step: &MacroStep| {
            step.moves.first().is_some_and(|made| match stutter {
                Some(instance) => made.parts.iter().all(|part| part.instance == instance),
                None => made.parts == *first,
            })
        };
        // There is mostly one way only, which is found with less.
        let straight = interp.expand_straight(&entered);
        let all = |interp: &Interp<'_>| match self.in_haste {
            true => None,
            false => interp.expand(&entered).ok(),
        };
        let Some(expansion) = straight.or_else(|| all(&interp)).or_else(|| {
            // There are too many ways to look at all of them: one may do.
            let mut enough = |found: &Expansion| {
                if segment.shows_inside {
                    return found.violations.iter().any(|(it, _)| wanted(it));
                }
                found.successors.last().is_some_and(|found| {
                    let goal = segment.goal;
                    follows(&found.step) && goal.is_none_or(|goal| agree(exact, &found.state, goal))
                })
            };
            interp.expand_until(&entered, &mut enough).ok()
        }) else {
            return;
        };
        let mut add = |step: MacroStep, state: State| {
            if follows(&step) {
                let mut steps = way.steps.clone();
                steps.push(step);
                into.push(Way { steps, state });
            }
        };
        match self.bad {
            Some(Bad::Check(_) | Bad::Fault(_)) if segment.shows_inside => {
                for (violation, step) in expansion.violations {
                    if wanted(&violation) {
                        add(step, from.clone());
                    }
                }
            }
            Some(Bad::Divergence) if segment.shows_inside => {
                if let Some(step) = expansion.diverges {
                    add(step, from);
                }
            }
            _ => {
                for successor in expansion.successors {
                    add(successor.step, self.guide.leave(successor.state));
                }
            }
        }
    }
}
