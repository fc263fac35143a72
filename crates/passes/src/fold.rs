//! Fold: constants and algebra.
//!
//! Expressions are rebuilt bottom up, in the order of the pool (operands come first, so there is
//! no recursion and each is looked at once): operators on constants are computed, library
//! functions of constants are called, neutral and absorbing operands go, and a global variable
//! that nothing writes is its first value. Then branches on constants are resolved, assertions
//! and assumptions that hold go, and steps whose guard is false, which an unguarded sibling of
//! lower rank shadows, or whose location control cannot reach are disabled.
//!
//! What can fault is never dropped: `0 * (1 / x)` stays. Wrap-around is computed in the type of
//! the result. Expressions of properties stay as they are, for others hold their ids.
//!
//! Preserves every query, `Explore` excepted: disabled steps can no longer be counted.

use std::collections::{BTreeSet, HashMap, HashSet};

use model::{
    Binary, Composition, Expr, ExprId, GlobalId, LocId, Place, ProcessId, Program, Projection,
    Root, Step, Stmt, Target, Type, Unary, Value, ValueSet, VariableKind,
};

use crate::access::{Frames, are_opposite, escape_steps, outgoing};
use crate::faults::Faults;
use crate::rewrite::{Replace, disable, is_disabled, places_of_step, stored_places};

/// The program with its expressions and branches simplified.
#[must_use]
pub fn fold(program: &Program) -> Program {
    let mut folded = program.clone();
    let mut folder = Folder {
        constants: constant_globals(program),
        faults: Faults::default(),
        map: Vec::with_capacity(program.exprs.len()),
    };
    for index in 0..program.exprs.len() {
        let simple = folder.simplify(&mut folded, ExprId::new(index));
        folder.map.push(simple);
    }
    let map = std::mem::take(&mut folder.map);
    Mapping(&map).program(&mut folded);
    let mut faults = folder.faults;
    let frames = Frames::of(&folded);
    for index in 0..folded.observers.len() {
        let body = std::mem::take(&mut folded.observers[index].body);
        folded.observers[index].body = resolve_branches(&folded, &mut faults, body);
    }
    for index in 0..folded.processes.len() {
        for step in 0..folded.processes[index].steps.len() {
            let body = std::mem::take(&mut folded.processes[index].steps[step].body);
            folded.processes[index].steps[step].body = resolve_branches(&folded, &mut faults, body);
        }
        disable_dead_steps(&mut folded, &mut faults, frames.as_ref(), index);
    }
    folded
}

/// For each expression its value when all variables that live within macro steps have their first
/// values, if that alone decides it and nothing faults.
pub(crate) fn values_after_reset(program: &Program) -> Vec<Option<Value>> {
    let mut scratch = program.clone();
    let constants = program
        .globals
        .iter()
        .map(|variable| match (&variable.init, variable.kind) {
            // Library functions are not made for the zero of rich values: it is never read.
            _ if variable.ty == Type::Rich => None,
            (None, VariableKind::Step) => Some(program.zero(&variable.ty)),
            (Some(ValueSet::One(value)), VariableKind::Step) => {
                program.exprs.constant(*value).cloned()
            }
            _ => None,
        })
        .collect();
    let mut folder = Folder {
        constants,
        faults: Faults::default(),
        map: Vec::with_capacity(program.exprs.len()),
    };
    for index in 0..program.exprs.len() {
        let simple = folder.simplify(&mut scratch, ExprId::new(index));
        folder.map.push(simple);
    }
    let simple = folder.map.iter();
    simple
        .map(|&id| scratch.exprs.constant(id).cloned())
        .collect()
}

/// The expressions with values put in for some of what they are made of, simplified.
pub(crate) fn specialize(
    program: &mut Program,
    roots: &[ExprId],
    values: &HashMap<ExprId, Value>,
) -> Vec<ExprId> {
    let mut folder = Folder {
        constants: vec![None; program.globals.len()],
        faults: Faults::default(),
        map: (0..program.exprs.len()).map(ExprId::new).collect(),
    };
    for id in below(program, roots) {
        let simple = match values.get(&id) {
            Some(value) => {
                let ty = program.exprs.ty(id).clone();
                program.exprs.value(value.clone(), ty)
            }
            None => folder.simplify(program, id),
        };
        folder.map[id.index()] = simple;
    }
    roots.iter().map(|root| folder.map[root.index()]).collect()
}

/// These expressions and all that they are made of, operands first.
fn below(program: &Program, roots: &[ExprId]) -> BTreeSet<ExprId> {
    let mut all = BTreeSet::new();
    let mut waiting = roots.to_vec();
    while let Some(id) = waiting.pop() {
        source::limits::check();
        if all.insert(id) {
            program.exprs.operands(id, |operand| waiting.push(operand));
        }
    }
    all
}

/// The value of an expression, if what is known of places decides it and it does not fault.
pub(crate) fn evaluate(
    program: &Program,
    root: ExprId,
    known: &dyn Fn(&Place) -> Option<Value>,
) -> Option<Value> {
    let mut values: HashMap<ExprId, Value> = HashMap::new();
    for id in below(program, &[root]) {
        let ty = program.exprs.ty(id);
        let of = |id: &ExprId| values.get(id);
        let value = match program.exprs.get(id) {
            Expr::Const(value) => Some(value.clone()),
            Expr::Load(place) => known(place),
            Expr::Unary(op, a) => of(a).and_then(|a| op.apply(a, ty)),
            Expr::Binary(op, a, b) => match (op, of(a), of(b)) {
                (_, Some(a), Some(b)) => op.apply(a, b, ty),
                (Binary::And, Some(Value::Bool(false)), _)
                | (Binary::Or, Some(Value::Bool(true)), _) => of(a).cloned(),
                _ => None,
            },
            Expr::Convert(a) => of(a).map(|a| a.converted(ty)),
            _ => None,
        };
        if let Some(value) = value {
            values.insert(id, value);
        }
    }
    values.remove(&root)
}

struct Mapping<'m>(&'m [ExprId]);

impl Replace for Mapping<'_> {
    fn expr(&mut self, id: ExprId) -> ExprId {
        self.0[id.index()]
    }
}

/// The values of globals that nothing writes.
fn constant_globals(program: &Program) -> Vec<Option<Value>> {
    let mut written = HashSet::new();
    {
        let mut note = |place: &Place| {
            if let Root::Global(id) = place.root {
                written.insert(id);
            }
        };
        for step in program.processes.iter().flat_map(|p| &p.steps) {
            places_of_step(step, &mut note);
        }
        for observer in &program.observers {
            stored_places(&observer.body, &mut note);
        }
    }
    let synchronous = matches!(program.composition, Composition::Synchronous(_));
    program
        .globals
        .iter()
        .enumerate()
        .map(|(index, variable)| {
            if written.contains(&GlobalId::new(index))
                || variable.kind == VariableKind::Input
                || (synchronous && variable.kind != VariableKind::Frozen)
            {
                return None;
            }
            match &variable.init {
                // Frozen variables without a first value may have any.
                None if variable.kind == VariableKind::Frozen => None,
                // What another pass has cut away has lost its first value, and what still reads
                // it in the pool may be a function that no text can be given to.
                None if variable.ty == Type::Rich => None,
                None => Some(program.zero(&variable.ty)),
                Some(ValueSet::One(value)) => match program.exprs.constant(*value)? {
                    Value::Int(n) => Some(Value::Int(variable.ty.wrap(*n))),
                    other => Some(other.clone()),
                },
                Some(_) => None,
            }
        })
        .collect()
}

struct Folder {
    constants: Vec<Option<Value>>,
    faults: Faults,
    /// For each expression looked at so far, its simple form.
    map: Vec<ExprId>,
}

impl Folder {
    fn simplify(&mut self, program: &mut Program, id: ExprId) -> ExprId {
        let ty = program.exprs.ty(id).clone();
        let expr = Mapping(&self.map).operands(program.exprs.get(id).clone());
        if let Some(value) = self.value(program, &expr, &ty) {
            return program.exprs.value(value, ty);
        }
        if let Some(simple) = self.algebra(program, &expr, &ty) {
            return simple;
        }
        program.exprs.add(expr, ty)
    }

    /// The value, if all that it depends on is constant and it does not fault.
    fn value(&self, program: &Program, expr: &Expr, ty: &Type) -> Option<Value> {
        let constant = |id: ExprId| program.exprs.constant(id);
        match expr {
            Expr::Load(place) => {
                let Root::Global(global) = place.root else {
                    return None;
                };
                let mut value = self.constants[global.index()].as_ref()?;
                for projection in &place.path {
                    let Value::Tuple(items) = value else {
                        return None;
                    };
                    value = match projection {
                        Projection::Field(field) => items.get(*field as usize)?,
                        Projection::Index(index) => {
                            items.get(usize::try_from(constant(*index)?.number()).ok()?)?
                        }
                    };
                }
                Some(value.clone())
            }
            Expr::Unary(op, a) => op.apply(constant(*a)?, ty),
            Expr::Binary(op, a, b) => op.apply(constant(*a)?, constant(*b)?, ty),
            Expr::Convert(a) => Some(constant(*a)?.converted(ty)),
            Expr::Tuple(items) => {
                let items: Option<Vec<_>> = items.iter().map(|&id| constant(id).cloned()).collect();
                Some(Value::Tuple(items?.into()))
            }
            Expr::Apply(function, args) => {
                let args: Option<Vec<_>> = args.iter().map(|&id| constant(id).cloned()).collect();
                let function = &program.functions[function.index()];
                (function.eval)(&program.rich, &args?).ok()
            }
            _ => None,
        }
    }

    /// A simpler expression that is equal, faults included.
    fn algebra(&mut self, program: &mut Program, expr: &Expr, ty: &Type) -> Option<ExprId> {
        match *expr {
            Expr::Unary(Unary::Not, a) => match *program.exprs.get(a) {
                Expr::Unary(Unary::Not, inner) => Some(inner),
                // The operands change places, so at most one of them may fault.
                Expr::Binary(op @ (Binary::Lt | Binary::Le), x, y)
                    if !(self.faults.expr(program, x) && self.faults.expr(program, y)) =>
                {
                    let turned = if op == Binary::Lt {
                        Binary::Le
                    } else {
                        Binary::Lt
                    };
                    Some(program.exprs.binary(turned, y, x))
                }
                Expr::Binary(Binary::Eq, x, y) => Some(program.exprs.binary(Binary::Ne, x, y)),
                Expr::Binary(Binary::Ne, x, y) => Some(program.exprs.binary(Binary::Eq, x, y)),
                _ => None,
            },
            Expr::Unary(Unary::Neg, a) => match *program.exprs.get(a) {
                Expr::Unary(Unary::Neg, inner) if program.exprs.ty(inner) == ty => Some(inner),
                _ => None,
            },
            Expr::Binary(op, a, b) => self.binary(program, op, a, b, ty),
            Expr::Ite(cond, a, b) => {
                let known = program.exprs.constant(cond).map(Value::truth);
                let branches = (
                    program.exprs.constant(a).cloned(),
                    program.exprs.constant(b).cloned(),
                );
                match (known, branches) {
                    (Some(true), _) => Some(a),
                    (Some(false), _) => Some(b),
                    (_, (Some(Value::Bool(true)), Some(Value::Bool(false)))) => Some(cond),
                    (_, (Some(Value::Bool(false)), Some(Value::Bool(true)))) => {
                        Some(program.exprs.not(cond))
                    }
                    _ if a == b && !self.faults.expr(program, cond) => Some(a),
                    _ => None,
                }
            }
            Expr::Convert(a) if program.exprs.ty(a) == ty => Some(a),
            _ => None,
        }
    }

    fn binary(
        &mut self,
        program: &mut Program,
        op: Binary,
        a: ExprId,
        b: ExprId,
        ty: &Type,
    ) -> Option<ExprId> {
        let left = program.exprs.constant(a).cloned();
        let right = program.exprs.constant(b).cloned();
        let droppable = |folder: &mut Self, id| !folder.faults.expr(program, id);
        let is = |side: &Option<Value>, n: i128| *side == Some(Value::Int(n));
        let truth = |side: &Option<Value>| match side {
            Some(Value::Bool(truth)) => Some(*truth),
            _ => None,
        };
        match op {
            Binary::And | Binary::Or => {
                // The value that leaves the other side as it is.
                let neutral = op == Binary::And;
                match (truth(&left), truth(&right)) {
                    (Some(value), _) => return Some(if value == neutral { b } else { a }),
                    (_, Some(value)) if value == neutral => return Some(a),
                    (_, Some(_)) if droppable(self, a) => return Some(b),
                    _ => {}
                }
                if a == b {
                    return Some(a);
                }
                if are_opposite(&program.exprs, a, b) && droppable(self, a) && droppable(self, b) {
                    return Some(program.exprs.bool(!neutral));
                }
                None
            }
            Binary::Eq | Binary::Le if a == b && droppable(self, a) => {
                Some(program.exprs.bool(true))
            }
            Binary::Ne | Binary::Lt if a == b && droppable(self, a) => {
                Some(program.exprs.bool(false))
            }
            Binary::Eq | Binary::Ne => {
                let (value, other) = match (truth(&left), truth(&right)) {
                    (Some(value), _) => (value, b),
                    (_, Some(value)) => (value, a),
                    _ => return None,
                };
                Some(if value == (op == Binary::Eq) {
                    other
                } else {
                    program.exprs.not(other)
                })
            }
            Binary::Sub | Binary::BitXor if a == b && *ty != Type::Bool && droppable(self, a) => {
                let zero = program.zero(ty);
                (zero == Value::Int(0)).then(|| program.exprs.int(0, ty.clone()))
            }
            Binary::Add | Binary::BitOr | Binary::BitXor if is(&left, 0) => {
                (program.exprs.ty(b) == ty).then_some(b)
            }
            Binary::Add
            | Binary::Sub
            | Binary::BitOr
            | Binary::BitXor
            | Binary::Shl
            | Binary::Shr
                if is(&right, 0) =>
            {
                (program.exprs.ty(a) == ty).then_some(a)
            }
            Binary::Mul if is(&left, 1) => (program.exprs.ty(b) == ty).then_some(b),
            Binary::Mul | Binary::Div if is(&right, 1) => (program.exprs.ty(a) == ty).then_some(a),
            Binary::Mul | Binary::BitAnd if is(&left, 0) && droppable(self, b) => {
                Some(program.exprs.int(0, ty.clone()))
            }
            Binary::Mul | Binary::BitAnd if is(&right, 0) && droppable(self, a) => {
                Some(program.exprs.int(0, ty.clone()))
            }
            _ => None,
        }
    }
}

/// Resolves branches on constants and drops what has no effect.
fn resolve_branches(program: &Program, faults: &mut Faults, body: Vec<Stmt>) -> Vec<Stmt> {
    let truth = |id: ExprId| program.exprs.constant(id).map(Value::truth);
    let mut kept = Vec::with_capacity(body.len());
    for stmt in body {
        match stmt {
            Stmt::If(cond, then, otherwise) => match truth(cond) {
                Some(true) => kept.extend(resolve_branches(program, faults, then)),
                Some(false) => kept.extend(resolve_branches(program, faults, otherwise)),
                None => {
                    let then = resolve_branches(program, faults, then);
                    let otherwise = resolve_branches(program, faults, otherwise);
                    if !(then.is_empty() && otherwise.is_empty()) || faults.expr(program, cond) {
                        kept.push(Stmt::If(cond, then, otherwise));
                    }
                }
            },
            Stmt::Assert { cond, .. } | Stmt::Assume(cond) if truth(cond) == Some(true) => {}
            Stmt::Assign(ref place, value)
                if *program.exprs.get(value) == Expr::Load(place.clone())
                    && !faults.place(program, place) => {}
            other => kept.push(other),
        }
    }
    kept
}

/// Disables the steps of a process that can never be taken.
fn disable_dead_steps(
    program: &mut Program,
    faults: &mut Faults,
    frames: Option<&Frames>,
    index: usize,
) {
    // Choices come before the guard: where they may fault, the step can be taken after all.
    let may_fault: Vec<bool> = (0..program.processes[index].steps.len())
        .map(|step| {
            let binds = &program.processes[index].steps[step].binds;
            let scope = frames.map(|frames| frames.step(program, ProcessId::new(index), step));
            binds
                .iter()
                .any(|choice| scope.is_none_or(|scope| faults.choice(program, scope, choice)))
        })
        .collect();
    let Program {
        exprs, processes, ..
    } = program;
    let process = &mut processes[index];
    let holds = |step: &Step, truth: bool| {
        step.guard
            .is_some_and(|guard| exprs.constant(guard) == Some(&Value::Bool(truth)))
    };
    let mut dead: Vec<bool> = process
        .steps
        .iter()
        .zip(&may_fault)
        .map(|(step, may_fault)| holds(step, false) && !may_fault)
        .collect();
    for step in &mut process.steps {
        if holds(step, true) {
            step.guard = None;
        }
    }
    let is_escape = escape_steps(process);
    let outgoing = outgoing(process);
    // An unguarded step shadows its siblings of higher rank.
    for step in 0..process.steps.len() {
        let Step {
            from,
            rank,
            guard,
            comm,
            binds,
            ..
        } = &process.steps[step];
        let always = guard.is_none() && comm.is_none() && binds.is_empty();
        if dead[step] || !always || process.provided.is_some() || is_escape[step] {
            continue;
        }
        for &other in &outgoing[from.index()] {
            dead[other] |= process.steps[other].rank > *rank && !is_escape[other];
        }
    }
    let mut reached = vec![false; process.locations.len()];
    let mut waiting: Vec<LocId> = vec![process.entry];
    waiting.extend(process.on_fault);
    waiting.extend(process.procedures.iter().map(|procedure| procedure.entry));
    while let Some(at) = waiting.pop() {
        source::limits::check();
        if std::mem::replace(&mut reached[at.index()], true) {
            continue;
        }
        for &step in &outgoing[at.index()] {
            if let Target::Goto(to) | Target::Call { then: to, .. } = process.steps[step].target
                && !dead[step]
            {
                waiting.push(to);
            }
        }
    }
    for step in 0..process.steps.len() {
        dead[step] |= !is_escape[step] && !reached[process.steps[step].from.index()];
    }
    for (step, _) in process.steps.iter_mut().zip(dead).filter(|(_, dead)| *dead) {
        disable(exprs, step);
    }
    debug_assert!(
        program.processes[index]
            .steps
            .iter()
            .all(|step| !is_disabled(program, step) || step.body.is_empty())
    );
}
