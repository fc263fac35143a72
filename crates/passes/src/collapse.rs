//! Takes away control that decides nothing.
//!
//! After [stripping](crate::strip), much control only leads from one location to another. Within
//! a macro step, a location whose steps have no effect left and all lead to one place *is* that
//! place: its guards no longer matter, and what led to it may lead on. The careful part is what
//! control can do besides choosing where to go (Podgurski and Clarke 1990 call dependence on it
//! *weak*: a loop may fail to end): a location is collapsed only if one of its steps is always
//! possible, no guard faults, and a loop can be left at any time by a step without a condition.
//! Then no run is lost and no defect hidden.
//!
//! Between macro steps control is left as it is, with two exceptions. A step that leads from a
//! stable location back to it without any effect is disabled if only reachability is asked for,
//! or if another one does the same without a condition.
//! A process with no effects left is cut away; for infinite runs an anonymous stutter step stays
//! behind in its place, because the process may run for ever while the others wait.

use model::{
    Composition, FairnessKind, FiniteRuns, IdPolicy, LocId, Mode, ProcessId, Program, Stmt, Target,
    VariableKind,
};

use crate::access::{Access, Accesses, Var, are_opposite, escape_steps, outgoing};
use crate::cone::Cone;
use crate::faults::Faults;
use crate::fold::values_after_reset;
use crate::observed::{Observed, QueryKind};
use crate::rewrite::{disable, is_disabled, live_steps};

/// What the collapse of a program has to respect.
pub(crate) struct Limits<'a> {
    /// The program before it was stripped.
    pub(crate) original: &'a Program,
    /// What is observed.
    pub(crate) observed: &'a Observed,
    /// What is read.
    pub(crate) cone: &'a Cone,
    /// Whether a variable that lives within a macro step is observed: then each macro step can
    /// be seen.
    pub(crate) sees_steps: bool,
}

/// Whether one of the variables lives within a macro step only.
pub(crate) fn reads_step_variable(program: &Program, cone: &Cone) -> bool {
    cone.vars.iter().any(|var| {
        matches!(var, Var::Global(id)
            if program.globals[id.index()].kind == VariableKind::Step)
    })
}

/// Whether a macro step that does nothing could show what is looked for: it resets the variables
/// that live within macro steps. An event atom, say, is false then, and shows nothing.
pub(crate) fn stutter_shows(
    program: &Program,
    accesses: &mut Accesses,
    observed: &Observed,
) -> bool {
    let after_reset = values_after_reset(program);
    observed.exprs.iter().any(|&expr| {
        let reads_step = accesses.of(program, expr).iter().any(|access| {
            matches!(access, Access::Global(id)
                if program.globals[id.index()].kind == VariableKind::Step)
        });
        let mut sought = observed
            .sought
            .iter()
            .filter(|(other, _)| *other == expr)
            .map(|(_, truth)| *truth)
            .peekable();
        reads_step
            && (sought.peek().is_none()
                || sought
                    .any(|truth| after_reset[expr.index()] != Some(model::Value::Bool(!truth))))
    })
}

/// Collapses what can be in a stripped program.
pub(crate) fn collapse(program: &mut Program, faults: &mut Faults, limits: &Limits<'_>) {
    let Composition::Interleaving { ids } = program.composition else {
        return;
    };
    if limits.cone.enabledness || hands_over_atomically(limits.original) {
        return;
    }
    let free_order = has_one_class(program);
    let lowest = lowest_class(program);
    let mut spawns = false;
    for step in program.processes.iter().flat_map(|p| &p.steps) {
        spawns |= mentions_spawn(&step.body);
    }
    for index in 0..program.processes.len() {
        let named = fair_steps(program, limits, index);
        let skip = skips(program, faults, limits, index, &named);
        lead_on(program, index, &skip);
        drop_inner_loops(program, faults, index, &named);
        let can_cut = free_order
            && !limits.observed.deadlock
            && !spawns
            && ids == IdPolicy::Fresh
            && is_idle(program, faults, limits, index, &skip, &named);
        if can_cut {
            cut(program, limits, index);
        } else {
            // With nothing to tell macro steps apart, idle ones are as good as none.
            let may_drop_all = !limits.observed.deadlock
                && limits.observed.kind == QueryKind::Safety
                && !limits.sees_steps;
            let droppable = lowest.filter(|_| may_drop_all);
            drop_idle_loops(program, faults, index, droppable, &named);
        }
    }
}

/// The lowest class in use, if no process has priorities: a step of that class hides no other.
fn lowest_class(program: &Program) -> Option<u8> {
    if program
        .processes
        .iter()
        .any(|process| process.priority.is_some())
    {
        return None;
    }
    program
        .processes
        .iter()
        .flat_map(|process| &process.steps)
        .filter(|step| !is_disabled(program, step))
        .map(|step| step.class)
        .min()
}

/// Whether there are atomic locations and joint moves: who goes on after a joint move then
/// depends on the very locations that would be collapsed.
fn hands_over_atomically(program: &Program) -> bool {
    let locations = program.processes.iter().flat_map(|p| &p.locations);
    let mut steps = program.processes.iter().flat_map(|p| &p.steps);
    locations.into_iter().any(|l| l.mode == Mode::Atomic) && steps.any(|s| s.comm.is_some())
}

/// Whether no step ever takes precedence over one of another instance.
fn has_one_class(program: &Program) -> bool {
    let mut classes = program
        .processes
        .iter()
        .flat_map(|p| &p.steps)
        .filter(|step| !is_disabled(program, step))
        .map(|step| step.class);
    let first = classes.next();
    classes.all(|class| Some(class) == first)
        && program
            .processes
            .iter()
            .all(|p| p.priority.is_none() && p.provided.is_none())
}

fn mentions_spawn(body: &[Stmt]) -> bool {
    body.iter().any(|stmt| match stmt {
        Stmt::Spawn { .. } => true,
        Stmt::If(_, then, otherwise) => mentions_spawn(then) || mentions_spawn(otherwise),
        _ => false,
    })
}

/// For each step of a process whether a fairness constraint that counts names it.
fn fair_steps(program: &Program, limits: &Limits<'_>, index: usize) -> Vec<bool> {
    let mut named = vec![false; program.processes[index].steps.len()];
    if limits.observed.kind > QueryKind::Safety {
        for fairness in &program.fairness {
            if fairness.kind == FairnessKind::WeakInstances {
                named.fill(true);
            }
            if let FairnessKind::Weak(steps) | FairnessKind::Strong(steps) = &fairness.kind {
                for (process, step) in steps {
                    if process.index() == index {
                        named[step.index()] = true;
                    }
                }
            }
        }
    }
    named
}

/// Whether the step does nothing but go somewhere, if its guard allows it.
fn is_inert(program: &Program, faults: &mut Faults, process: usize, step: usize) -> bool {
    let step = &program.processes[process].steps[step];
    step.body.is_empty()
        && step.comm.is_none()
        && step.binds.is_empty()
        && step.guard.is_none_or(|guard| !faults.expr(program, guard))
        && matches!(step.target, Target::Goto(_))
}

/// For each location of a process the one that it amounts to.
fn skips(
    program: &Program,
    faults: &mut Faults,
    limits: &Limits<'_>,
    index: usize,
    named: &[bool],
) -> Vec<LocId> {
    let process = &program.processes[index];
    let id = ProcessId::new(index);
    let mut skip: Vec<LocId> = (0..process.locations.len()).map(LocId::new).collect();
    if process.provided.is_some() || process.priority.is_some() {
        return skip;
    }
    let outgoing = outgoing(process);
    let is_escape = escape_steps(process);
    let candidates: Vec<LocId> = (0..process.locations.len())
        .rev()
        .map(LocId::new)
        .filter(|&at| {
            let steps = &outgoing[at.index()];
            process.locations[at.index()].mode == Mode::Region
                && !limits.cone.at.contains(&(id, at))
                && steps.iter().all(|&step| {
                    !is_escape[step]
                        && !named[step]
                        && (is_disabled(program, &process.steps[step])
                            || is_inert(program, faults, index, step))
                })
        })
        .collect();
    loop {
        source::limits::check();
        let mut changed = false;
        for &at in &candidates {
            if skip[at.index()] != at {
                continue;
            }
            let live = live_steps(program, process, &outgoing[at.index()]);
            let leads_to = |step: usize| match process.steps[step].target {
                Target::Goto(to) => resolve(&skip, to),
                _ => unreachable!("inert steps go somewhere"),
            };
            let mut elsewhere = live.iter().map(|&s| leads_to(s)).filter(|&to| to != at);
            let Some(goal) = elsewhere.next() else {
                continue;
            };
            if elsewhere.any(|to| to != goal) {
                continue;
            }
            let loops = live.iter().any(|&step| leads_to(step) == at);
            let always = |step: usize| process.steps[step].guard.is_none();
            let passes = if loops {
                live.iter()
                    .any(|&step| always(step) && leads_to(step) == goal)
                    && are_equals(process, &live)
            } else {
                live.iter().any(|&step| always(step))
                    || covers_all_cases(program, limits.original, index, &live)
            };
            if passes {
                skip[at.index()] = goal;
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
    for at in 0..skip.len() {
        skip[at] = resolve(&skip, LocId::new(at));
    }
    skip
}

fn resolve(skip: &[LocId], mut at: LocId) -> LocId {
    while skip[at.index()] != at {
        at = skip[at.index()];
    }
    at
}

/// Whether none of the steps takes precedence over another: else a loop's way out may never be
/// offered.
fn are_equals(process: &model::Process, live: &[usize]) -> bool {
    let precedence = |step: usize| (process.steps[step].rank, process.steps[step].class);
    live.windows(2)
        .all(|pair| precedence(pair[0]) == precedence(pair[1]))
}

/// Whether one of two guards holds whatever happens. Choices before a guard make it another
/// question, even where they have been stripped away.
fn covers_all_cases(program: &Program, original: &Program, index: usize, live: &[usize]) -> bool {
    let plain: Vec<_> = live
        .iter()
        .filter(|&&step| original.processes[index].steps[step].binds.is_empty())
        .filter_map(|&step| program.processes[index].steps[step].guard)
        .collect();
    plain.iter().enumerate().any(|(place, &a)| {
        plain[place + 1..]
            .iter()
            .any(|&b| are_opposite(&program.exprs, a, b))
    })
}

/// Leads steps past the collapsed locations, each of which keeps one step.
fn lead_on(program: &mut Program, index: usize, skip: &[LocId]) {
    let outgoing = outgoing(&program.processes[index]);
    for (at, &goal) in skip.iter().enumerate() {
        if goal.index() == at {
            continue;
        }
        let live: Vec<usize> = outgoing[at]
            .iter()
            .copied()
            .filter(|&step| !is_disabled(program, &program.processes[index].steps[step]))
            .collect();
        let steps = &program.processes[index].steps;
        let ends_at_goal = |step: usize| match steps[step].target {
            Target::Goto(to) => skip[to.index()] == goal,
            _ => false,
        };
        let kept = live
            .iter()
            .copied()
            .find(|&step| steps[step].guard.is_none() && ends_at_goal(step))
            .or_else(|| live.iter().copied().find(|&step| ends_at_goal(step)));
        for step in live {
            let Program {
                exprs, processes, ..
            } = &mut *program;
            let step_mut = &mut processes[index].steps[step];
            if Some(step) == kept {
                step_mut.guard = None;
            } else {
                disable(exprs, step_mut);
            }
        }
    }
    for step in &mut program.processes[index].steps {
        if let Target::Goto(to) | Target::Call { then: to, .. } = &mut step.target {
            *to = skip[to.index()];
        }
    }
}

/// Disables steps that lead from a location within a macro step straight back to it. They change
/// nothing that the ways out depend on; if there is no way out, the macro step never returns
/// either way.
fn drop_inner_loops(program: &mut Program, faults: &mut Faults, index: usize, named: &[bool]) {
    let outgoing = outgoing(&program.processes[index]);
    let is_escape = escape_steps(&program.processes[index]);
    for (at, steps) in outgoing.iter().enumerate() {
        let process = &program.processes[index];
        let live: Vec<usize> = steps
            .iter()
            .copied()
            .filter(|&step| !is_disabled(program, &process.steps[step]))
            .collect();
        if process.locations[at].mode != Mode::Region || !are_equals(process, &live) {
            continue;
        }
        let idle: Vec<usize> = live
            .iter()
            .copied()
            .filter(|&step| {
                !is_escape[step]
                    && !named[step]
                    && process.steps[step].target == Target::Goto(LocId::new(at))
                    && is_inert(program, faults, index, step)
            })
            .collect();
        if idle.len() == live.len() {
            continue;
        }
        let Program {
            exprs, processes, ..
        } = &mut *program;
        for step in idle {
            disable(exprs, &mut processes[index].steps[step]);
        }
    }
}

/// Whether nothing that the process does matters to anyone.
fn is_idle(
    program: &Program,
    faults: &mut Faults,
    limits: &Limits<'_>,
    index: usize,
    skip: &[LocId],
    named: &[bool],
) -> bool {
    let id = ProcessId::new(index);
    let process = &program.processes[index];
    let shape_allows = match limits.observed.kind {
        QueryKind::Safety => !limits.sees_steps,
        QueryKind::StutterInvariant => program.finite_runs == FiniteRuns::Stutter,
        QueryKind::Linear => false,
    };
    let is_read = limits.cone.count
        || limits.cone.at.iter().any(|(process, _)| *process == id)
        || limits
            .cone
            .vars
            .iter()
            .any(|var| matches!(var, Var::Own(process, _) if *process == id));
    shape_allows
        && !is_read
        && process.locations[process.entry.index()].mode == Mode::Open
        && process.escapes.is_empty()
        && (0..process.steps.len()).all(|step| {
            let from = process.steps[step].from;
            let collapsed = skip[from.index()] != from;
            is_disabled(program, &process.steps[step])
                || collapsed
                || (!named[step]
                    && process.locations[from.index()].mode == Mode::Open
                    && (goes_to_stable(program, faults, index, step) || ends(program, index, step)))
        })
}

/// Whether the step does nothing but go to a stable location.
fn goes_to_stable(program: &Program, faults: &mut Faults, index: usize, step: usize) -> bool {
    let process = &program.processes[index];
    is_inert(program, faults, index, step)
        && matches!(process.steps[step].target, Target::Goto(to)
            if process.locations[to.index()].mode == Mode::Open)
}

/// Whether the step only ends its instance.
fn ends(program: &Program, index: usize, step: usize) -> bool {
    let step = &program.processes[index].steps[step];
    step.target == Target::End
        && step.body.is_empty()
        && step.comm.is_none()
        && step.binds.is_empty()
        && step.guard.is_none()
}

fn cut(program: &mut Program, limits: &Limits<'_>, index: usize) {
    let Program {
        exprs, processes, ..
    } = program;
    let process = &mut processes[index];
    for step in &mut process.steps {
        disable(exprs, step);
    }
    if limits.observed.kind > QueryKind::Safety
        && let Some(step) = process.steps.iter_mut().find(|s| s.from == process.entry)
    {
        step.guard = None;
        step.rank = 0;
    }
}

/// Disables steps that lead from a stable location straight back: all of them that hide no other
/// step, if there is a class that may go; else those that an unconditional one stands for.
fn drop_idle_loops(
    program: &mut Program,
    faults: &mut Faults,
    index: usize,
    droppable: Option<u8>,
    named: &[bool],
) {
    let outgoing = outgoing(&program.processes[index]);
    let is_escape = escape_steps(&program.processes[index]);
    for (at, steps) in outgoing.iter().enumerate() {
        let process = &program.processes[index];
        if process.locations[at].mode != Mode::Open {
            continue;
        }
        let live: Vec<usize> = steps
            .iter()
            .copied()
            .filter(|&step| !is_disabled(program, &process.steps[step]))
            .collect();
        // A step of lower rank hides its siblings while it is enabled.
        let last = live.iter().map(|&step| process.steps[step].rank).max();
        let mut idle: Vec<usize> = live
            .into_iter()
            .filter(|&step| {
                !is_escape[step]
                    && !named[step]
                    && Some(process.steps[step].rank) == last
                    && process.steps[step].target == Target::Goto(LocId::new(at))
                    && is_inert(program, faults, index, step)
            })
            .collect();
        let class = |step: usize| process.steps[step].class;
        let stands_for_all = idle
            .iter()
            .copied()
            .find(|&step| process.steps[step].guard.is_none());
        idle.retain(|&step| {
            droppable == Some(class(step))
                || stands_for_all.is_some_and(|other| other != step && class(other) == class(step))
        });
        let Program {
            exprs, processes, ..
        } = &mut *program;
        for step in idle {
            disable(exprs, &mut processes[index].steps[step]);
        }
    }
}
