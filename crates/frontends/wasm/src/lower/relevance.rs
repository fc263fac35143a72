//! Variables on which nothing depends.
//!
//! What an instruction gives that is not followed is a choice that need not be possible, and a run
//! that makes one is no counterexample. Where no condition and no event depends on the value, the
//! choice is left out: the value makes no difference to what runs there are.

use std::collections::{BTreeMap, BTreeSet};

use model::{Expr, ExprId, ExprPool, Place, Process, Root, Stmt, Target};

/// Removes assignments and choices of variables on which no condition and no event depends.
pub(super) fn drop_irrelevant(process: &mut Process, exprs: &ExprPool) {
    let mut reading = Reading {
        exprs,
        relevant: BTreeSet::new(),
        waiting: Vec::new(),
        sources: BTreeMap::new(),
        seen: BTreeSet::new(),
    };
    for step in &process.steps {
        source::limits::check();
        step.guard
            .into_iter()
            .for_each(|guard| reading.needs(guard));
        reading.body(&step.body);
        if let Target::Call { args, .. } = &step.target {
            args.iter().for_each(|&arg| reading.needs(arg));
        }
    }
    let relevant = reading.closure();
    for step in &mut process.steps {
        prune(&mut step.body, &relevant);
    }
}

struct Reading<'e> {
    exprs: &'e ExprPool,
    relevant: BTreeSet<u32>,
    waiting: Vec<u32>,
    /// For each variable what its values are computed from.
    sources: BTreeMap<u32, Vec<ExprId>>,
    seen: BTreeSet<ExprId>,
}

impl Reading<'_> {
    fn body(&mut self, body: &[Stmt]) {
        for stmt in body {
            match stmt {
                Stmt::Assign(place, value) => self.source(place, *value),
                Stmt::Choose(choice) => {
                    let mut inside = Vec::new();
                    choice.set.operands(&mut |operand| inside.push(operand));
                    // A set may be empty, which ends the run.
                    inside.into_iter().for_each(|operand| self.needs(operand));
                }
                Stmt::If(cond, then, otherwise) => {
                    self.body(then);
                    self.body(otherwise);
                    self.condition(*cond, then);
                    self.condition(*cond, otherwise);
                }
                Stmt::Assert { cond, .. } | Stmt::Assume(cond) => self.needs(*cond),
                Stmt::Emit { args, .. } => args.iter().for_each(|&arg| self.needs(arg)),
                // The lowering makes no others.
                _ => {}
            }
        }
    }

    /// What a branch assigns depends on its condition.
    fn condition(&mut self, cond: ExprId, body: &[Stmt]) {
        for stmt in body {
            match stmt {
                Stmt::Assign(place, _) => self.source(place, cond),
                Stmt::Choose(choice) => self.source(&choice.place, cond),
                Stmt::If(_, then, otherwise) => {
                    self.condition(cond, then);
                    self.condition(cond, otherwise);
                }
                _ => self.needs(cond),
            }
        }
    }

    fn source(&mut self, place: &Place, value: ExprId) {
        match own(place) {
            Some(local) => self.sources.entry(local).or_default().push(value),
            None => self.needs(value),
        }
    }

    /// All that an expression reads is relevant.
    fn needs(&mut self, expr: ExprId) {
        let mut waiting = vec![expr];
        while let Some(id) = waiting.pop() {
            if !self.seen.insert(id) {
                continue;
            }
            if let Expr::Load(place) = self.exprs.get(id)
                && let Some(local) = own(place)
                && self.relevant.insert(local)
            {
                self.waiting.push(local);
            }
            self.exprs.operands(id, |operand| waiting.push(operand));
        }
    }

    fn closure(mut self) -> BTreeSet<u32> {
        while let Some(local) = self.waiting.pop() {
            for source in self.sources.remove(&local).unwrap_or_default() {
                self.needs(source);
            }
        }
        self.relevant
    }
}

fn own(place: &Place) -> Option<u32> {
    match place.root {
        Root::Own(local) => Some(local),
        _ => None,
    }
}

fn prune(body: &mut Vec<Stmt>, relevant: &BTreeSet<u32>) {
    body.retain_mut(|stmt| {
        let stays = |place: &Place| own(place).is_none_or(|local| relevant.contains(&local));
        match stmt {
            Stmt::Assign(place, _) => stays(place),
            Stmt::Choose(choice) => stays(&choice.place),
            Stmt::If(_, then, otherwise) => {
                prune(then, relevant);
                prune(otherwise, relevant);
                !then.is_empty() || !otherwise.is_empty()
            }
            _ => true,
        }
    });
}
