//! Steps and assertions that the ranges of variables decide are left out.
//!
//! A forward analysis with intervals (P. Cousot and R. Cousot, *Abstract interpretation*, 1977) gives
//! each variable a range at each location; an array has one for all its elements. The process runs
//! alone, so that only its own steps change what it reads. Widening stops at the constants of the
//! program; two narrowing rounds follow. Beside the ranges stands which variables differ by a
//! constant (`offsets`). Only steps whose guards no run satisfies and assertions
//! that no run violates are removed, so every verdict stays the same.

mod interval;
mod offsets;
mod state;

use std::collections::BTreeSet;

use model::{Expr, ExprId, ExprPool, LocId, Process, Step, Stmt, Target, Value, Variable};

use interval::Interval;
use state::{Slots, State};

/// How many ranges are kept at most.
const MAX_RANGES: usize = 4_000_000;
/// How often a location is looked at before ranges are widened.
const PATIENCE: usize = 3;

/// Rewrites the steps of a process that runs alone.
pub(super) fn prune(process: &mut Process, globals: &[Variable], exprs: &ExprPool) {
    let slots = Slots::new(process, globals);
    let is_simple = |step: &Step| {
        let leads_on = matches!(step.target, Target::Goto(_) | Target::End);
        let alone = step.binds.is_empty() && step.comm.is_none();
        leads_on && alone && step.body.iter().all(is_known)
    };
    let known = process.steps.iter().all(is_simple) && process.on_fault.is_none();
    if !known || slots.len() * process.locations.len() > MAX_RANGES {
        return;
    }
    let analysis = Analysis {
        process,
        slots: &slots,
        exprs,
    };
    let Some(entry) = analysis.entry(globals) else {
        return;
    };
    let at = analysis.solve(&entry);
    let steps = analysis.pruned(&at);
    process.steps = steps;
}

/// Whether the effect of a statement is one that is looked at here.
fn is_known(stmt: &Stmt) -> bool {
    match stmt {
        Stmt::If(_, then, otherwise) => then.iter().chain(otherwise).all(is_known),
        Stmt::Assign(..)
        | Stmt::Choose(_)
        | Stmt::Assert { .. }
        | Stmt::Assume(_)
        | Stmt::Emit { .. } => true,
        _ => false,
    }
}

struct Analysis<'a> {
    process: &'a Process,
    slots: &'a Slots,
    exprs: &'a ExprPool,
}

impl Analysis<'_> {
    /// The ranges where a run begins.
    fn entry(&self, globals: &[Variable]) -> Option<State> {
        let mut state = State::zero(self.slots);
        for (variable, slot) in globals.iter().zip(self.slots.globals()) {
            if let (Some(init), Some(slot)) = (&variable.init, slot) {
                let range = self.initial(&state, init)?;
                let range = range.meet(self.slots.bounds(slot))?;
                state.set(slot, range, self.slots);
            }
        }
        let own = self.process.locals.iter().any(|local| local.init.is_some());
        (!own && self.process.parameters == 0).then_some(state)
    }

    fn initial(&self, state: &State, init: &model::ValueSet) -> Option<Interval> {
        let eval = state.eval(self.slots, self.exprs);
        if let model::ValueSet::One(value) = init
            && let Expr::Tuple(items) = self.exprs.get(*value)
        {
            let ranges = items.iter().map(|&item| eval.expr(item));
            return ranges.reduce(Interval::join);
        }
        Some(eval.set(init))
    }

    /// The ranges at each location; none where no run comes.
    fn solve(&self, entry: &State) -> Vec<Option<State>> {
        let count = self.process.locations.len();
        let mut out = vec![Vec::new(); count];
        for step in &self.process.steps {
            out[step.from.index()].push(step);
        }
        let thresholds = self.thresholds();
        let mut at: Vec<Option<State>> = vec![None; count];
        let mut seen = vec![0usize; count];
        let begin = self.process.entry.index();
        at[begin] = Some(entry.clone());
        let mut waiting = BTreeSet::from([begin]);
        while let Some(from) = waiting.pop_first() {
            source::limits::check();
            let Some(state) = at[from].clone() else {
                continue;
            };
            for step in &out[from] {
                let (Some(to), Some(next)) = (goes_to(step), self.after(step, &state)) else {
                    continue;
                };
                let to = to.index();
                let joined = match &at[to] {
                    None => next,
                    Some(old) if next.is_within(old) => continue,
                    Some(old) => {
                        seen[to] += 1;
                        let joined = old.join(&next);
                        match seen[to] > PATIENCE {
                            true => joined.widened(old, &thresholds, self.slots),
                            false => joined,
                        }
                    }
                };
                at[to] = Some(joined);
                waiting.insert(to);
            }
        }
        for _ in 0..2 {
            at = self.again(entry, &at);
        }
        at
    }

    /// One round of all steps, from ranges that hold.
    fn again(&self, entry: &State, at: &[Option<State>]) -> Vec<Option<State>> {
        let mut next: Vec<Option<State>> = vec![None; at.len()];
        next[self.process.entry.index()] = Some(entry.clone());
        for step in &self.process.steps {
            source::limits::check();
            let Some(state) = &at[step.from.index()] else {
                continue;
            };
            let (Some(to), Some(after)) = (goes_to(step), self.after(step, state)) else {
                continue;
            };
            let place = &mut next[to.index()];
            *place = Some(match place.take() {
                None => after,
                Some(old) => old.join(&after),
            });
        }
        next
    }

    /// The numbers at which widening stops.
    fn thresholds(&self) -> Vec<i128> {
        let mut all = BTreeSet::from([0, 1]);
        for id in (0..self.exprs.len()).map(ExprId::new) {
            if let Expr::Const(Value::Int(number)) = self.exprs.get(id) {
                all.extend([number - 1, *number, number + 1]);
            }
        }
        all.into_iter().collect()
    }

    fn after(&self, step: &Step, state: &State) -> Option<State> {
        let mut state = state.clone();
        if let Some(guard) = step.guard {
            state = state.refined(guard, true, self.slots, self.exprs)?;
        }
        state.run(&step.body, self.slots, self.exprs)
    }

    /// The steps that some run may take, without what is decided.
    fn pruned(&self, at: &[Option<State>]) -> Vec<Step> {
        let mut kept = Vec::new();
        for step in &self.process.steps {
            let Some(state) = &at[step.from.index()] else {
                continue;
            };
            let mut state = state.clone();
            if let Some(guard) = step.guard {
                match state.refined(guard, true, self.slots, self.exprs) {
                    Some(refined) => state = refined,
                    None => continue,
                }
            }
            let mut step = step.clone();
            step.body = self.body(&step.body, Some(state));
            kept.push(step);
        }
        kept
    }

    /// Statements without the assertions that hold where they stand.
    fn body(&self, body: &[Stmt], mut state: Option<State>) -> Vec<Stmt> {
        let mut kept = Vec::new();
        for stmt in body {
            let Some(before) = state else {
                kept.push(stmt.clone());
                continue;
            };
            match stmt {
                Stmt::Assert { cond, .. } if before.is_true(*cond, self.slots, self.exprs) => {}
                Stmt::If(cond, then, otherwise) => {
                    let refined = |truth| before.refined(*cond, truth, self.slots, self.exprs);
                    match (refined(true), refined(false)) {
                        (Some(yes), None) => kept.extend(self.body(then, Some(yes))),
                        (None, Some(no)) => kept.extend(self.body(otherwise, Some(no))),
                        (yes, no) => kept.push(Stmt::If(
                            *cond,
                            self.body(then, yes),
                            self.body(otherwise, no),
                        )),
                    }
                }
                _ => kept.push(stmt.clone()),
            }
            let one = std::slice::from_ref(stmt);
            state = before.run(one, self.slots, self.exprs);
        }
        kept
    }
}

fn goes_to(step: &Step) -> Option<LocId> {
    match step.target {
        Target::Goto(to) => Some(to),
        _ => None,
    }
}
