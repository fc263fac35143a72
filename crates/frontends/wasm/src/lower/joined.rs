//! Steps joined with those behind them, where nothing else leads there.
//!
//! As the process runs alone and all properties are about assertions, a step and its only successor
//! can be one. So engines that unwind control reach further.

use model::{ExprPool, LocId, Process, Step, Stmt, Target};

/// Joins steps until nothing changes.
pub(super) fn join(process: &mut Process, exprs: &mut ExprPool) {
    while join_once(process, exprs) {
        source::limits::check();
    }
}

fn goes_to(step: &Step) -> Option<LocId> {
    match step.target {
        Target::Goto(to) => Some(to),
        _ => None,
    }
}

fn join_once(process: &mut Process, exprs: &mut ExprPool) -> bool {
    let count = process.locations.len();
    let mut incoming = vec![0usize; count];
    incoming[process.entry.index()] += 1;
    let mut outgoing: Vec<Vec<usize>> = vec![Vec::new(); count];
    for (at, step) in process.steps.iter().enumerate() {
        outgoing[step.from.index()].push(at);
        if let Some(to) = goes_to(step) {
            incoming[to.index()] += 1;
        }
    }
    let mut joined = Vec::with_capacity(process.steps.len());
    // Locations whose steps have been taken over, or are to stay as they are in this round.
    let mut taken = vec![false; count];
    let mut kept = vec![false; count];
    for step in &process.steps {
        if taken[step.from.index()] {
            continue;
        }
        let behind = goes_to(step).filter(|to| {
            let at = to.index();
            incoming[at] == 1 && *to != step.from && !taken[at] && !kept[at]
        });
        let Some(to) = behind.filter(|to| fits(step, &outgoing[to.index()], process)) else {
            kept[step.from.index()] = true;
            joined.push(step.clone());
            continue;
        };
        kept[step.from.index()] = true;
        taken[to.index()] = true;
        for &at in &outgoing[to.index()] {
            joined.push(both(step, &process.steps[at], exprs));
        }
    }
    let changed = taken.contains(&true);
    process.steps = joined
        .into_iter()
        .filter(|step| !taken[step.from.index()])
        .collect();
    changed
}

/// Whether a step can be one with those behind it.
fn fits(step: &Step, behind: &[usize], process: &Process) -> bool {
    let steps = || behind.iter().map(|&at| &process.steps[at]);
    if behind.is_empty() || steps().any(|next| goes_to(next) == Some(next.from)) {
        return false;
    }
    if step.body.is_empty() {
        return true;
    }
    // What is chosen behind an assertion has no part in its failure.
    let asserts = step
        .body
        .iter()
        .any(|stmt| matches!(stmt, Stmt::Assert { .. }));
    let plain = |next: &Step| next.guard.is_none() && (!asserts || !next.body.iter().any(chooses));
    behind.len() == 1 && steps().all(plain)
}

fn chooses(stmt: &Stmt) -> bool {
    match stmt {
        Stmt::Choose(_) => true,
        Stmt::If(_, then, otherwise) => then.iter().chain(otherwise).any(chooses),
        _ => false,
    }
}

fn both(step: &Step, next: &Step, exprs: &mut ExprPool) -> Step {
    let guard = match (step.guard, next.guard) {
        (Some(a), Some(b)) => Some(exprs.and(a, b)),
        (a, b) => a.or(b),
    };
    let mut body = step.body.clone();
    body.extend(next.body.iter().cloned());
    Step {
        guard,
        body,
        target: next.target.clone(),
        span: match next.body.is_empty() {
            true => step.span,
            false => next.span,
        },
        ..step.clone()
    }
}
