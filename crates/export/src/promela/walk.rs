//! Small questions about programs: what is read, what is written, what cannot happen.

use std::collections::HashSet;

use model::{Expr, ExprId, Program, Root, Step, Stmt, Value, ValueSet};

/// Whether a step's guard is false whatever happens.
pub(super) fn is_disabled(program: &Program, step: &Step) -> bool {
    step.guard
        .is_some_and(|guard| program.exprs.constant(guard) == Some(&Value::Bool(false)))
}

/// The roots of places that statements store into, observers' included.
pub(super) fn stored_roots(program: &Program, body: &[Stmt], each: &mut dyn FnMut(Root)) {
    for stmt in body {
        match stmt {
            Stmt::Assign(place, _) => each(place.root),
            Stmt::Choose(choice) => each(choice.place.root),
            Stmt::If(_, then, otherwise) => {
                stored_roots(program, then, each);
                stored_roots(program, otherwise, each);
            }
            Stmt::Emit { event, .. } => {
                for observer in &program.observers {
                    if observer.event == *event {
                        stored_roots(program, &observer.body, each);
                    }
                }
            }
            Stmt::Spawn {
                result: Some(place),
                ..
            } => each(place.root),
            Stmt::NewChannel { result, .. } | Stmt::New { result, .. } => each(result.root),
            Stmt::Spawn { result: None, .. }
            | Stmt::Assert { .. }
            | Stmt::Assume(_)
            | Stmt::Raise(_)
            | Stmt::Free(_) => {}
        }
    }
}

/// Every expression of an expression, itself included, each once.
pub(super) fn subexpressions(program: &Program, root: ExprId, each: &mut dyn FnMut(ExprId)) {
    let mut seen = HashSet::new();
    let mut waiting = vec![root];
    while let Some(id) = waiting.pop() {
        if seen.insert(id) {
            each(id);
            program.exprs.operands(id, |operand| waiting.push(operand));
        }
    }
}

/// Whether an expression reads one of the roots.
pub(super) fn reads(program: &Program, id: ExprId, roots: &HashSet<Root>) -> bool {
    let mut found = false;
    subexpressions(program, id, &mut |id| {
        if let Expr::Load(place) = program.exprs.get(id) {
            found |= roots.contains(&place.root);
        }
    });
    found
}

/// Whether an expression asks whether anything is enabled.
pub(super) fn asks_timeout(program: &Program, id: ExprId) -> bool {
    let mut found = false;
    subexpressions(program, id, &mut |id| {
        found |= matches!(
            program.exprs.get(id),
            Expr::NothingEnabled | Expr::Enabled(_)
        );
    });
    found
}

/// The members of a set, if they are known without running the program.
pub(super) fn constant_members(
    program: &Program,
    set: &ValueSet,
    limit: usize,
) -> Option<Vec<Value>> {
    let mut members = Vec::new();
    collect(program, set, limit, &mut members)?;
    let mut seen = HashSet::new();
    members.retain(|value| seen.insert(value.clone()));
    Some(members)
}

fn collect(program: &Program, set: &ValueSet, limit: usize, out: &mut Vec<Value>) -> Option<()> {
    let number = |id: ExprId| match program.exprs.constant(id)? {
        Value::Int(n) => Some(*n),
        _ => None,
    };
    let mut between = |lo: i128, hi: i128| {
        if hi - lo >= limit as i128 {
            return None;
        }
        out.extend((lo..=hi).map(Value::Int));
        Some(())
    };
    match set {
        ValueSet::One(value) => out.push(program.exprs.constant(*value)?.clone()),
        ValueSet::Between(lo, hi) => between(number(*lo)?, number(*hi)?)?,
        ValueSet::Union(sets) => {
            for set in sets {
                collect(program, set, limit, out)?;
            }
        }
        ValueSet::Ite(condition, a, b) => {
            let Value::Bool(truth) = program.exprs.constant(*condition)? else {
                return None;
            };
            collect(program, if *truth { a } else { b }, limit, out)?;
        }
        ValueSet::All(model::Type::Bool) => {
            out.extend([Value::Bool(false), Value::Bool(true)]);
        }
        ValueSet::All(model::Type::Enum(id)) => {
            between(0, program.enums[id.index()].members.len() as i128 - 1)?;
        }
        ValueSet::All(ty) => {
            let (lo, hi) = ty.bounds()?;
            between(lo, hi)?;
        }
    }
    (out.len() <= limit).then_some(())
}

/// Whether an assumption or an empty choice can remove a run.
pub(super) fn may_cut(program: &Program) -> bool {
    let bodies = program
        .processes
        .iter()
        .flat_map(|process| process.steps.iter().map(|step| &step.body));
    let observed = program.observers.iter().map(|observer| &observer.body);
    bodies.chain(observed).any(|body| cuts(body))
        || program
            .processes
            .iter()
            .any(|process| process.procedures.iter().any(|p| !p.locals.is_empty()))
}

fn cuts(body: &[Stmt]) -> bool {
    body.iter().any(|stmt| match stmt {
        Stmt::Assume(_) => true,
        Stmt::Choose(choice) => !matches!(choice.set, ValueSet::One(_) | ValueSet::All(_)),
        Stmt::If(_, then, otherwise) => cuts(then) || cuts(otherwise),
        _ => false,
    })
}
