//! What an instance's own variables surely hold, location by location.
//!
//! Conditional constant propagation over one process (Wegman and Zadeck 1991, without the
//! sparseness): forwards from the entry, each variable either has one value wherever control gets
//! to a location, or is not known there. Only what the instance alone writes is followed; an
//! instance that shares its frame, or opens frames of its own, is not.

use std::collections::HashMap;

use model::{
    Binary, Comm, Expr, ExprId, LocId, Pattern, Place, ProcessId, Program, Root, Stmt, Target,
    Value, ValueSet,
};

use crate::access::{Frames, outgoing};
use crate::fold::evaluate;
use crate::liveness::writes_of_step;
use crate::rewrite::is_disabled;

/// One value for each parameter and local, where that is sure.
pub(crate) type Values = Vec<Option<Value>>;

/// What is known in one process.
#[derive(Clone, Debug)]
pub(crate) struct Known {
    /// At each location; nothing where control does not get to.
    at: Vec<Option<Values>>,
    /// After each step.
    after: Vec<Option<Values>>,
    /// Where the instance has ended.
    pub(crate) ended: Option<Values>,
}

impl Known {
    /// Follows the instances of a process through its steps.
    pub(crate) fn of(program: &Program, frames: &Frames, id: ProcessId) -> Known {
        let process = &program.processes[id.index()];
        let mut known = Known {
            at: vec![None; process.locations.len()],
            after: vec![None; process.steps.len()],
            ended: None,
        };
        if !process.procedures.is_empty() || shares_frames(program) {
            let nothing = vec![None; process.locals.len()];
            known.at.fill(Some(nothing.clone()));
            known.after.fill(Some(nothing.clone()));
            known.ended = Some(nothing);
            return known;
        }
        let outgoing = outgoing(process);
        known.at[process.entry.index()] = Some(first_values(program, id));
        let mut waiting = vec![process.entry];
        while let Some(at) = waiting.pop() {
            source::limits::check();
            let Some(before) = known.at[at.index()].clone() else {
                continue;
            };
            for &index in &outgoing[at.index()] {
                let step = &process.steps[index];
                if is_disabled(program, step) {
                    continue;
                }
                let mut values = before.clone();
                if !after_step(program, frames, id, index, &mut values) {
                    continue;
                }
                if let Some(fault) = process.on_fault {
                    // A fault may end the step at any point.
                    let nothing = vec![None; process.locals.len()];
                    if join(&mut known.at[fault.index()], &nothing) {
                        waiting.push(fault);
                    }
                }
                join(&mut known.after[index], &values);
                match step.target {
                    Target::Goto(to) => {
                        if join(&mut known.at[to.index()], &values) {
                            waiting.push(to);
                        }
                    }
                    Target::End | Target::Call { .. } | Target::Return(_) => {
                        join(&mut known.ended, &values);
                    }
                }
            }
        }
        known
    }

    /// What is known at a location; nothing if control does not get there.
    pub(crate) fn at(&self, location: LocId) -> Option<&Values> {
        self.at[location.index()].as_ref()
    }

    /// What is known after a step, wherever it was taken; nothing if it never is.
    pub(crate) fn after(&self, step: usize) -> Option<&Values> {
        self.after[step].as_ref()
    }
}

/// Keeps what both agree on; says whether that is less than before.
fn join(into: &mut Option<Values>, values: &Values) -> bool {
    let Some(old) = into else {
        *into = Some(values.clone());
        return true;
    };
    let mut changed = false;
    for (old, new) in old.iter_mut().zip(values) {
        if old.is_some() && old != new {
            *old = None;
            changed = true;
        }
    }
    changed
}

pub(crate) fn shares_frames(program: &Program) -> bool {
    fn shares(body: &[Stmt]) -> bool {
        body.iter().any(|stmt| match stmt {
            Stmt::Spawn { share_frame, .. } => *share_frame,
            Stmt::If(_, then, otherwise) => shares(then) || shares(otherwise),
            _ => false,
        })
    }
    let steps = program.processes.iter().flat_map(|p| &p.steps);
    steps.into_iter().any(|step| shares(&step.body))
}

fn first_values(program: &Program, id: ProcessId) -> Values {
    let process = &program.processes[id.index()];
    let locals = process.locals.iter().enumerate();
    locals
        .map(|(index, local)| match &local.init {
            _ if index < process.parameters => None,
            None if local.ty == model::Type::Rich => None,
            None => Some(program.zero(&local.ty)),
            Some(ValueSet::One(value)) => {
                let value = program.exprs.constant(*value)?;
                Some(fitted(&local.ty, value.clone()))
            }
            Some(_) => None,
        })
        .collect()
}

fn fitted(ty: &model::Type, value: Value) -> Value {
    match value {
        Value::Int(n) => Value::Int(ty.wrap(n)),
        other => other,
    }
}

/// What is known after a step that may be taken where this is known; false if it may not.
fn after_step(
    program: &Program,
    frames: &Frames,
    id: ProcessId,
    index: usize,
    values: &mut Values,
) -> bool {
    let process = &program.processes[id.index()];
    let step = &process.steps[index];
    for choice in &step.binds {
        forget(&choice.place, values);
    }
    if let Some(guard) = step.guard {
        if value(program, guard, values) == Some(Value::Bool(false)) {
            return false;
        }
        learn(program, guard, values);
    }
    if let Some(Comm::Receive { patterns, .. }) = &step.comm {
        for pattern in patterns {
            if let Pattern::Bind(place) = pattern {
                forget(place, values);
            }
        }
    }
    if step
        .body
        .iter()
        .any(|stmt| matches!(stmt, Stmt::Emit { .. }))
    {
        // Observers may write; what they write is only known by name.
        let scope = frames.step(program, id, index);
        writes_of_step(program, scope, step, |var| {
            if let crate::access::Var::Own(_, local) = var {
                values[local as usize] = None;
            }
        });
    } else {
        body(program, id, &step.body, values);
    }
    true
}

fn body(program: &Program, id: ProcessId, statements: &[Stmt], values: &mut Values) {
    let locals = &program.processes[id.index()].locals;
    for stmt in statements {
        match stmt {
            Stmt::Assign(place, expr) => match place.root {
                Root::Own(local) if place.path.is_empty() => {
                    let ty = &locals[local as usize].ty;
                    values[local as usize] =
                        value(program, *expr, values).map(|value| fitted(ty, value));
                }
                _ => forget(place, values),
            },
            Stmt::Choose(choice) => forget(&choice.place, values),
            Stmt::If(_, then, otherwise) => {
                let mut other = values.clone();
                body(program, id, then, values);
                body(program, id, otherwise, &mut other);
                for (value, other) in values.iter_mut().zip(other) {
                    if *value != other {
                        *value = None;
                    }
                }
            }
            Stmt::Spawn { result, .. } => {
                if let Some(place) = result {
                    forget(place, values);
                }
            }
            Stmt::NewChannel { result, .. } | Stmt::New { result, .. } => forget(result, values),
            Stmt::Emit { .. } => values.fill(None),
            Stmt::Assert { .. } | Stmt::Assume(_) | Stmt::Raise(_) | Stmt::Free(_) => {}
        }
    }
}

fn forget(place: &Place, values: &mut Values) {
    if let Root::Own(local) = place.root {
        values[local as usize] = None;
    }
}

/// The value of an expression, if what is known decides it and it does not fault.
fn value(program: &Program, id: ExprId, values: &Values) -> Option<Value> {
    evaluate(program, id, &|place| match place.root {
        Root::Own(local) if place.path.is_empty() => values[local as usize].clone(),
        _ => None,
    })
}

/// A variable that a true guard compares with a constant has that value.
fn learn(program: &Program, guard: ExprId, values: &mut Values) {
    let mut waiting = vec![guard];
    while let Some(id) = waiting.pop() {
        source::limits::check();
        match program.exprs.get(id) {
            Expr::Binary(Binary::And, a, b) => waiting.extend([*a, *b]),
            Expr::Binary(Binary::Eq, a, b) => {
                for (variable, constant) in [(*a, *b), (*b, *a)] {
                    let variable = without_widening(program, variable);
                    if let Expr::Load(Place {
                        root: Root::Own(local),
                        path,
                    }) = program.exprs.get(variable)
                        && path.is_empty()
                        && let Some(value) = program.exprs.constant(constant)
                        && let (Value::Int(n), Some((least, most))) =
                            (value, program.exprs.ty(variable).bounds())
                        && (least..=most).contains(n)
                        && program.exprs.ty(variable).is_integer()
                    {
                        values[*local as usize] = Some(value.clone());
                    }
                }
            }
            _ => {}
        }
    }
}

/// The number that a conversion to a type with room for it leaves as it is.
pub(crate) fn without_widening(program: &Program, id: ExprId) -> ExprId {
    match program.exprs.get(id) {
        Expr::Convert(inner) => {
            let (from, to) = (program.exprs.ty(*inner), program.exprs.ty(id));
            match (from.bounds(), to.bounds()) {
                (Some((a, b)), Some((lo, hi))) if from.is_integer() && lo <= a && b <= hi => *inner,
                _ => id,
            }
        }
        _ => id,
    }
}

/// Values of remote references to an instance, by the expressions that read them.
pub(crate) fn seen_from_outside(
    program: &Program,
    reads: &[(ExprId, u32)],
    values: &Values,
) -> HashMap<ExprId, Value> {
    let known = reads.iter().filter_map(|&(id, local)| {
        let Expr::Load(place) = program.exprs.get(id) else {
            return None;
        };
        let value = values[local as usize].clone()?;
        place.path.is_empty().then_some((id, value))
    });
    known.collect()
}
