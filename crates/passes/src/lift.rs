//! Lift: a run of the reduced program as a run of the original.
//!
//! A trace of the reduced program names steps of the original, but lacks the choices that were
//! removed, leaves out the inner steps that were skipped, and takes several of the original's
//! macro steps at once where steps were merged. Lifting searches, depth first, for a run of the
//! original that follows it: from each stable state the first move of the macro step is made as
//! the trace says, everything after that may happen as it likes, and at the end the variables
//! that no pass has touched must be as in the reduced run.
//!
//! What follows a first move is found by the reference interpreter on a *guided* copy of the
//! original, in which the trace's choices are already made and other stable steps are disabled;
//! first with every other choice narrowed to one value and loops left at once, then, if that
//! leads nowhere, with all of them. Whatever is found is replayed on the original itself.

use std::collections::{HashSet, VecDeque};

use model::interp::{Interp, Replay, State, Violation};
use model::{
    Action, Bad, Binary, Choice, Expr, ExprId, GlobalId, LocId, MacroStep, Mode, Move, Part,
    Program, StepId, Stmt, Target, Trace, Type, Value, ValueSet, VariableKind,
};

use crate::pipeline::Reduced;
use crate::rewrite::is_disabled;

/// Macro steps tried before the search gives up.
const EXPANSIONS: usize = 4_000;

/// Inner states of one macro step before it is given up: with choices narrowed, and with all of
/// them. A loop that goes on for long takes quadratic memory.
const MICRO_STEPS: [u64; 2] = [500, 2_000];

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
        let reduced = Interp::new(&self.program).replay(trace).ok()?;
        let exact = (0..self.original.globals.len())
            .map(GlobalId::new)
            .filter(|id| !self.inexact.contains(id))
            .collect();
        let mut search = Search {
            original: &self.original,
            program: &self.program,
            interp: Interp::new(&self.original),
            guided: self.original.clone(),
            trace,
            reduced,
            bad: bad.filter(|_| trace.loop_start.is_none()),
            exact,
            expansions: 0,
        };
        search.guided.globals.iter_mut().for_each(|variable| {
            // Initial states are not asked of the copy, but the first values of what lives
            // within macro steps are.
            if variable.kind != VariableKind::Step {
                variable.init = None;
            }
        });
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
    /// Whether to narrow choices, for each time that is still to come.
    narrowings: std::slice::Iter<'static, bool>,
}

struct Search<'a> {
    original: &'a Program,
    program: &'a Program,
    interp: Interp<'a>,
    /// The copy whose choices are made; always put back to the original between uses.
    guided: Program,
    trace: &'a Trace,
    reduced: Replay,
    bad: Option<&'a Bad>,
    exact: Vec<GlobalId>,
    expansions: usize,
}

impl Search<'_> {
    fn run(&mut self) -> Option<Trace> {
        let initial = self.interp.initial().ok()?;
        for (choices, state) in initial {
            if !self.agrees(&state, &self.reduced.initial) {
                continue;
            }
            if let Some((steps, loop_start)) = self.follow(&state) {
                return Some(Trace {
                    initial: choices,
                    steps,
                    loop_start,
                });
            }
        }
        None
    }

    /// Whether the variables that no pass has touched have the same values.
    fn agrees(&self, original: &State, reduced: &State) -> bool {
        self.exact
            .iter()
            .all(|id| original.globals[id.index()] == reduced.globals[id.index()])
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
            let narrowings: &'static [bool] = if at < limit { &[true, false] } else { &[] };
            untried.push(Untried {
                from: state.clone(),
                ways: VecDeque::new(),
                narrowings: narrowings.iter(),
            });
            // The next way, of the last position that has one.
            loop {
                let at = untried.len().checked_sub(1)?;
                let last = &mut untried[at];
                if let Some(way) = last.ways.pop_front() {
                    chosen.truncate(at);
                    chosen.push(way);
                    break;
                }
                match last.narrowings.next() {
                    Some(&tight) if self.expansions < EXPANSIONS => {
                        let from = last.from.clone();
                        let ways = self.ways(&from, at, tight);
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
    fn ways(&mut self, from: &State, at: usize, tight: bool) -> Vec<Way> {
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
        for (number, segment) in segments.iter().enumerate() {
            let ends = number + 1 == segments.len();
            let mut next = Vec::new();
            for way in &ways {
                self.expand(way, segment, stutter, ends && is_last, tight, &mut next);
            }
            ways = next;
        }
        let shows_inside = matches!(
            self.bad,
            Some(Bad::Check(_) | Bad::Fault(_) | Bad::Divergence)
        ) && is_last;
        let mut seen = HashSet::new();
        ways.retain(|way| {
            shows_inside || (self.agrees(&way.state, &goal) && seen.insert(way.state.clone()))
        });
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
        let mut templates = self.templates(*instance);
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
                self.templates(part.instance).all(|process| {
                    let process = &self.original.processes[process];
                    process
                        .steps
                        .get(id.index())
                        .is_none_or(|step| process.locations[step.from.index()].mode == Mode::Open)
                })
            });
            match segments.last_mut() {
                Some(segment) if !begins => segment.push(made.clone()),
                _ => segments.push(vec![made.clone()]),
            }
        }
        segments
    }

    /// Whether a step begins where every state is stored.
    fn starts_open(&self, process: usize, step: usize) -> bool {
        let process = &self.original.processes[process];
        let is_open = |at: &LocId| process.locations[at.index()].mode == Mode::Open;
        let id = StepId::new(step);
        let mut escapes = process
            .escapes
            .iter()
            .filter(|e| e.steps.contains(&id))
            .peekable();
        if escapes.peek().is_some() {
            escapes.flat_map(|escape| &escape.covers).all(is_open)
        } else {
            is_open(&process.steps[step].from)
        }
    }

    /// The templates that an instance may be of.
    fn templates(&self, instance: u32) -> impl Iterator<Item = usize> {
        let started = self.original.start.get(instance as usize);
        let fixed = started.map(|start| start.process.index());
        let all = self.original.processes.len();
        (0..all).filter(move |&process| fixed.is_none_or(|fixed| fixed == process))
    }

    /// Follows one segment from the end of a way.
    fn expand(
        &mut self,
        way: &Way,
        segment: &[Move],
        stutter: Option<u32>,
        last: bool,
        tight: bool,
        into: &mut Vec<Way>,
    ) {
        self.expansions += 1;
        let from = self.interp.stored(&way.state);
        let first = &segment[0].parts;
        let moves = self.interp.moves(&from);
        let possible = stutter.is_some() || moves.contains(first);
        if self.expansions > EXPANSIONS || !possible {
            return;
        }
        let mut guided = self.guided.clone();
        if stutter.is_none() {
            self.guide(&mut guided, &from, segment, tight);
        }
        let Ok(expansion) = Interp::new(&guided)
            .with_micro_steps(MICRO_STEPS[usize::from(!tight)])
            .expand(&from)
        else {
            return;
        };
        let mut add = |step: MacroStep, state: State| {
            let follows = |made: &Move| match stutter {
                Some(instance) => made.parts.iter().all(|part| part.instance == instance),
                None => made.parts == *first,
            };
            if step.moves.first().is_some_and(follows) {
                let mut steps = way.steps.clone();
                steps.push(step);
                into.push(Way { steps, state });
            }
        };
        let wanted = |violation: &Violation| match (self.bad, violation) {
            (Some(Bad::Check(wanted)), Violation::Check(check)) => wanted == check,
            (Some(Bad::Fault(wanted)), Violation::Fault(fault)) => wanted.contains(fault),
            _ => false,
        };
        match self.bad {
            Some(Bad::Check(_) | Bad::Fault(_)) if last => {
                for (violation, step) in expansion.violations {
                    if wanted(&violation) {
                        add(step, from.clone());
                    }
                }
            }
            Some(Bad::Divergence) if last => {
                if let Some(step) = expansion.diverges {
                    add(step, from.clone());
                }
            }
            _ => {
                for successor in expansion.successors {
                    add(successor.step, successor.state);
                }
            }
        }
    }

    /// Makes the choices of the segment's first move in the copy, and disables what it does not
    /// take.
    fn guide(&self, guided: &mut Program, from: &State, segment: &[Move], tight: bool) {
        let mut taken = HashSet::new();
        for part in segment.iter().flat_map(|made| &made.parts) {
            if let Action::Step(step) = part.action {
                for process in self.templates(part.instance) {
                    taken.insert((process, step.index()));
                }
            }
        }
        for index in 0..guided.processes.len() {
            for step in 0..guided.processes[index].steps.len() {
                let is_inner = !self.starts_open(index, step);
                let given_up = if is_inner {
                    self.leaves_at_once(index, step)
                } else {
                    !taken.contains(&(index, step))
                };
                if tight && given_up {
                    guided.processes[index].steps[step].guard = Some(guided.exprs.bool(false));
                } else if tight && is_inner {
                    let mut body = std::mem::take(&mut guided.processes[index].steps[step].body);
                    let kept = &self.program.processes[index].steps[step].body;
                    if choices_in(kept) == 0 {
                        narrow_body(guided, &mut body);
                    }
                    guided.processes[index].steps[step].body = body;
                }
            }
        }
        let mut values = segment[0].choices.iter();
        for part in &segment[0].parts {
            let (Action::Step(id), Some(instance)) = (part.action, from.instance(part.instance))
            else {
                continue;
            };
            let index = instance.process.index();
            let kept = self.program.processes[index].steps[id.index()].binds.iter();
            let mut binds = std::mem::take(&mut guided.processes[index].steps[id.index()].binds);
            decide(guided, binds.iter_mut(), kept, &mut values, tight);
            guided.processes[index].steps[id.index()].binds = binds;
        }
        // The choices of the bodies follow; which they are is clear if there is one body, and it
        // has no choices on branches.
        if let [
            Part {
                instance,
                action: Action::Step(id),
            },
        ] = segment[0].parts[..]
            && let Some(instance) = from.instance(instance)
            && !self.observers_choose()
        {
            let index = instance.process.index();
            let reduced = &self.program.processes[index].steps[id.index()].body;
            let mut body = std::mem::take(&mut guided.processes[index].steps[id.index()].body);
            if straight_choices(&body).count() == choices_in(&body) {
                let kept: Vec<Choice> = straight_choices(reduced).cloned().collect();
                let choices = body.iter_mut().filter_map(|stmt| match stmt {
                    Stmt::Choose(choice) => Some(choice),
                    _ => None,
                });
                decide(guided, choices, kept.iter(), &mut values, tight);
            }
            guided.processes[index].steps[id.index()].body = body;
        }
    }

    fn observers_choose(&self) -> bool {
        let mut observers = self.original.observers.iter();
        observers.any(|observer| choices_in(&observer.body) > 0)
    }

    /// Whether the reduced program has given this inner step up for a sibling without condition:
    /// then the original can take that one too.
    fn leaves_at_once(&self, process: usize, step: usize) -> bool {
        let reduced = &self.program.processes[process].steps;
        let original = &self.original.processes[process].steps;
        let from = original[step].from;
        is_disabled(self.program, &reduced[step])
            && !is_disabled(self.original, &original[step])
            && (0..original.len()).any(|other| {
                original[other].from == from
                    && original[other].guard.is_none()
                    && original[other].rank == original[step].rank
                    && !is_disabled(self.program, &reduced[other])
            })
    }
}

/// Narrows the choices of a body to one value each.
fn narrow_body(program: &mut Program, body: &mut [Stmt]) {
    for stmt in body {
        match stmt {
            Stmt::Choose(choice) => {
                if let Some(value) = first_member(program, choice) {
                    fix_to(choice, value);
                }
            }
            Stmt::If(_, then, otherwise) => {
                narrow_body(program, then);
                narrow_body(program, otherwise);
            }
            _ => {}
        }
    }
}

fn choices_in(body: &[Stmt]) -> usize {
    body.iter()
        .map(|stmt| match stmt {
            Stmt::Choose(_) => 1,
            Stmt::If(_, then, otherwise) => choices_in(then) + choices_in(otherwise),
            _ => 0,
        })
        .sum()
}

/// The choices of a body that are not on branches.
fn straight_choices(body: &[Stmt]) -> impl Iterator<Item = &Choice> {
    body.iter().filter_map(|stmt| match stmt {
        Stmt::Choose(choice) => Some(choice),
        _ => None,
    })
}

/// Makes choices as the trace does, where the reduced program has kept them; narrows the others.
fn decide<'c>(
    program: &mut Program,
    choices: impl Iterator<Item = &'c mut Choice>,
    kept: impl Iterator<Item = &'c Choice>,
    values: &mut std::slice::Iter<'_, Value>,
    tight: bool,
) {
    let mut kept = kept.peekable();
    for choice in choices {
        if kept.peek().is_some_and(|other| other.place == choice.place) {
            kept.next();
            if let Some(value) = values.next() {
                fix(program, choice, value);
            }
        } else if tight && let Some(value) = first_member(program, choice) {
            fix_to(choice, value);
        }
    }
}

/// Leaves a choice one value; none, if that is no member.
fn fix(program: &mut Program, choice: &mut Choice, value: &Value) {
    let ty = match value {
        Value::Bool(_) => Type::Bool,
        Value::Int(_) => Type::Mathint,
        // Only numbers come in intervals; for other values the type is not looked at.
        _ => Type::Rich,
    };
    let value = program.exprs.value(value.clone(), ty);
    let is_member = membership(program, &choice.set, value);
    choice.set = ValueSet::Ite(
        is_member,
        Box::new(ValueSet::One(value)),
        Box::new(ValueSet::Union(Vec::new())),
    );
    choice.sample = None;
}

/// The condition that a value is a member of a set.
fn membership(program: &mut Program, set: &ValueSet, value: ExprId) -> ExprId {
    match set {
        ValueSet::One(one) => program.exprs.binary(Binary::Eq, *one, value),
        ValueSet::Between(lo, hi) => {
            let above = program.exprs.binary(Binary::Le, *lo, value);
            let below = program.exprs.binary(Binary::Le, value, *hi);
            program.exprs.and(above, below)
        }
        ValueSet::Union(sets) => {
            let mut any = program.exprs.bool(false);
            for set in sets {
                let one = membership(program, set, value);
                any = program.exprs.or(any, one);
            }
            any
        }
        ValueSet::Ite(cond, a, b) => {
            let a = membership(program, a, value);
            let b = membership(program, b, value);
            program.exprs.add(Expr::Ite(*cond, a, b), Type::Bool)
        }
        ValueSet::All(ty) => {
            let fits = program
                .exprs
                .constant(value)
                .is_some_and(|value| program.has_type(value, ty));
            program.exprs.bool(fits)
        }
    }
}

fn fix_to(choice: &mut Choice, value: ExprId) {
    choice.set = ValueSet::One(value);
    choice.sample = None;
}

/// An expression for some member of what a choice offers.
fn first_member(program: &mut Program, choice: &Choice) -> Option<ExprId> {
    fn of_set(program: &mut Program, set: &ValueSet) -> Option<ExprId> {
        match set {
            ValueSet::One(value) | ValueSet::Between(value, _) => Some(*value),
            ValueSet::Union(sets) => of_set(program, sets.first()?),
            ValueSet::Ite(..) => None,
            ValueSet::All(ty) => {
                let zero = program.zero(ty);
                Some(program.exprs.value(zero, ty.clone()))
            }
        }
    }
    match &choice.sample {
        Some(sample) => sample.first().copied(),
        None => of_set(program, &choice.set),
    }
}
