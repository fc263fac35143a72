//! Control flow without the locations at which nothing is decided.
//!
//! Lowering leaves many steps that do nothing: the ends of branches, the heads of loops. As the
//! process runs alone and all properties are about assertions, such a step can be left out, and a
//! condition can be looked at together with what follows it. Steps that do something keep their
//! place in the text; two of them become one only within one line.

use model::{ExprPool, LocId, Process, Step, Stmt, Target};
use source::SourceMap;

/// Rewrites the steps of a process until nothing changes.
pub(super) fn compact(process: &mut Process, exprs: &mut ExprPool, sources: &SourceMap) {
    while pass_over(process) | join(process, exprs, sources) {
        source::limits::check();
    }
    let used = reached(process);
    process.steps.retain(|step| used[step.from.index()]);
}

fn goes_to(step: &Step) -> Option<LocId> {
    match step.target {
        Target::Goto(to) => Some(to),
        _ => None,
    }
}

/// The locations to which steps lead from the entry.
fn reached(process: &Process) -> Vec<bool> {
    let mut all = vec![false; process.locations.len()];
    let out = outgoing(process);
    let mut waiting = vec![process.entry];
    while let Some(at) = waiting.pop() {
        if !std::mem::replace(&mut all[at.index()], true) {
            let steps = out[at.index()].iter();
            waiting.extend(steps.filter_map(|&step| goes_to(&process.steps[step])));
        }
    }
    all
}

/// The steps from each location.
fn outgoing(process: &Process) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new(); process.locations.len()];
    for (at, step) in process.steps.iter().enumerate() {
        all[step.from.index()].push(at);
    }
    all
}

/// Passes over locations whose only step does nothing.
fn pass_over(process: &mut Process) -> bool {
    let out = outgoing(process);
    let next: Vec<Option<LocId>> = out
        .iter()
        .enumerate()
        .map(|(from, steps)| match steps.as_slice() {
            [only] => {
                let step = &process.steps[*only];
                let idle = step.guard.is_none() && step.body.is_empty();
                goes_to(step).filter(|to| idle && to.index() != from)
            }
            _ => None,
        })
        .collect();
    let mut changed = false;
    let end = |mut at: LocId| {
        // A loop of such locations is left as it is.
        for _ in 0..next.len() {
            match next[at.index()] {
                Some(to) => at = to,
                None => return Some(at),
            }
        }
        None
    };
    for step in &mut process.steps {
        if let Target::Goto(to) = step.target
            && let Some(end) = end(to)
            && end != to
        {
            step.target = Target::Goto(end);
            changed = true;
        }
    }
    if let Some(end) = end(process.entry)
        && end != process.entry
    {
        process.entry = end;
        changed = true;
    }
    changed
}

/// Joins a step with those behind it, where one of them only decides.
fn join(process: &mut Process, exprs: &mut ExprPool, sources: &SourceMap) -> bool {
    let used = reached(process);
    process.steps.retain(|step| used[step.from.index()]);
    let out = outgoing(process);
    let mut incoming = vec![0usize; process.locations.len()];
    incoming[process.entry.index()] += 1;
    for step in &process.steps {
        if let Some(to) = goes_to(step) {
            incoming[to.index()] += 1;
        }
    }
    let mut steps = Vec::new();
    let mut touched = vec![false; process.locations.len()];
    let mut changed = false;
    for step in &process.steps {
        let Some(to) = goes_to(step).filter(|to| {
            incoming[to.index()] == 1 && *to != step.from && !touched[step.from.index()]
        }) else {
            steps.push(step.clone());
            continue;
        };
        let behind = &out[to.index()];
        let loops = behind
            .iter()
            .any(|&at| goes_to(&process.steps[at]) == Some(to));
        let decides = step.body.is_empty() && !behind.is_empty();
        let goes_on = match behind.as_slice() {
            [only] => {
                let only = &process.steps[*only];
                let same = sources.location(step.span) == sources.location(only.span);
                // What is chosen behind a failed assertion has no part in the failure.
                let chooses = only.body.iter().any(|stmt| matches!(stmt, Stmt::Choose(_)));
                only.guard.is_none() && (only.body.is_empty() || same && !chooses)
            }
            _ => false,
        };
        if loops || touched[to.index()] || !(decides || goes_on) {
            steps.push(step.clone());
            continue;
        }
        touched[to.index()] = true;
        changed = true;
        for &at in behind {
            let next = &process.steps[at];
            let guard = match (step.guard, next.guard) {
                (Some(a), Some(b)) => Some(exprs.and(a, b)),
                (a, b) => a.or(b),
            };
            let mut body = step.body.clone();
            body.extend(next.body.iter().cloned());
            steps.push(Step {
                guard,
                body,
                target: next.target.clone(),
                span: match next.body.is_empty() {
                    true => step.span,
                    false => next.span,
                },
                ..step.clone()
            });
        }
    }
    // The steps that were taken over have no way to them any more.
    let steps = steps.into_iter().filter(|step| !touched[step.from.index()]);
    process.steps = steps.collect();
    changed
}
