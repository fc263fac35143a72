//! A program whose variables all move at once, as one process that moves them one after the other.
//!
//! Next values are chosen into copies, in the order in which the interpreter chooses them, and
//! copied over at the end of the one step; what relates a state and the next, and what must hold
//! in every state, is assumed as soon as the values that it speaks of are chosen. So a trace of
//! one program is a trace of the other, choice by choice, and engines for processes answer for
//! both. All queries are preserved but those about faults, which no language has in such programs:
//! values that do not fit are no next values, or refused where the script is read.

use model::{
    Binary, Choice, Composition, Expr, ExprId, GlobalId, IdPolicy, Mode, Place, Process, Program,
    Root, Start, Step, Stmt, Type, ValueSet, Variable, VariableKind,
};
use source::Span;

use crate::rewrite::Replace;

/// Takes what each expression has become from a table.
struct Table<'t>(&'t [ExprId]);

impl Replace for Table<'_> {
    fn expr(&mut self, id: ExprId) -> ExprId {
        self.0[id.index()]
    }
}

/// The same program as one process; `None` if it is made of processes already.
#[must_use]
pub fn sequential(program: &Program) -> Option<Program> {
    let Composition::Synchronous(assigns) = &program.composition else {
        return None;
    };
    let mut result = program.clone();
    let assigned = |id: GlobalId| assigns.iter().any(|assign| assign.global == id);
    let mut has_assignment = vec![false; program.globals.len()];
    for assign in assigns {
        has_assignment[assign.global.index()] = true;
    }
    debug_assert!(assigns.iter().all(|a| assigned(a.global)));
    let free = (0..program.globals.len())
        .map(GlobalId::new)
        .filter(|id| {
            let variable = &program.globals[id.index()];
            !has_assignment[id.index()] && variable.kind != VariableKind::Frozen
        })
        .map(|id| (id, ValueSet::All(program.globals[id.index()].ty.clone())));
    let sets: Vec<(GlobalId, ValueSet)> = assigns
        .iter()
        .map(|assign| (assign.global, assign.next.clone()))
        .chain(free)
        .collect();

    let mut copies: Vec<Option<GlobalId>> = vec![None; program.globals.len()];
    for (id, set) in &sets {
        let variable = &program.globals[id.index()];
        let ty = match variable.ty {
            Type::Range { .. } if !fits(program, set, &variable.ty) => Type::Mathint,
            ref ty => ty.clone(),
        };
        copies[id.index()] = Some(result.add_global(Variable {
            name: format!("next({})", variable.name),
            ty,
            init: None,
            kind: VariableKind::Step,
            span: variable.span,
        }));
    }
    let (over_steps, over_next) = tables(&mut result, &copies);

    // When each condition can be looked at: behind the choice that it needs last.
    let mut position = vec![0; program.globals.len()];
    for (at, (id, _)) in sets.iter().enumerate() {
        position[id.index()] = at + 1;
    }
    let mut conditions: Vec<Vec<ExprId>> = vec![Vec::new(); sets.len() + 1];
    for &relation in &program.relation {
        let needed = support(program, relation, |expr| match expr {
            Expr::Next(id) => Some(*id),
            _ => None,
        });
        let last = needed.into_iter().map(|id| position[id.index()]).max();
        conditions[last.unwrap_or(0)].push(over_steps[relation.index()]);
    }
    for &constraint in &program.state_constraint {
        let needed = support(program, constraint, |expr| match expr {
            Expr::Load(place) => match place.root {
                Root::Global(id) => Some(id),
                _ => None,
            },
            _ => None,
        });
        let last = needed.into_iter().map(|id| position[id.index()]).max();
        conditions[last.unwrap_or(0)].push(over_next[constraint.index()]);
    }

    let mut body: Vec<Stmt> = std::mem::take(&mut conditions[0])
        .into_iter()
        .map(Stmt::Assume)
        .collect();
    for (at, (id, mut set)) in sets.iter().cloned().enumerate() {
        let copy = copies[id.index()].expect("each variable that moves has a copy");
        Table(&over_steps).set(&mut set);
        let variable = &program.globals[id.index()];
        body.push(Stmt::Choose(Choice {
            place: Place::global(copy),
            set,
            sample: None,
            what: variable.name.clone(),
            outside: None,
        }));
        if let (Type::Range { lo, hi }, Type::Mathint) =
            (&variable.ty, result.globals[copy.index()].ty.clone())
        {
            let value = result.exprs.load(Place::global(copy), Type::Mathint);
            for (bound, above) in [(*lo, true), (*hi, false)] {
                let bound = result.exprs.int(bound.into(), Type::Mathint);
                let (a, b) = if above {
                    (bound, value)
                } else {
                    (value, bound)
                };
                body.push(Stmt::Assume(result.exprs.binary(Binary::Le, a, b)));
            }
        }
        body.extend(
            std::mem::take(&mut conditions[at + 1])
                .into_iter()
                .map(Stmt::Assume),
        );
    }
    for (id, _) in &sets {
        let copy = copies[id.index()].expect("each variable that moves has a copy");
        let ty = result.globals[copy.index()].ty.clone();
        let value = result.exprs.load(Place::global(copy), ty);
        body.push(Stmt::Assign(Place::global(*id), value));
    }

    let mut process = Process::new("main");
    let here = process.add_location("main", Mode::Open, Span::NONE);
    process.add_step(Step {
        body,
        ..Step::new(here, here, Span::NONE)
    });
    let process = result.add_process(process);
    result.start.push(Start {
        process,
        args: Vec::new(),
    });
    result.relation.clear();
    result.composition = Composition::Interleaving {
        ids: IdPolicy::Fresh,
    };
    Some(result)
}

/// For each expression what it is within the step: with [`Expr::Next`] as the copy, and with all
/// that is read as the copy.
fn tables(program: &mut Program, copies: &[Option<GlobalId>]) -> (Vec<ExprId>, Vec<ExprId>) {
    let count = program.exprs.len();
    let mut over_steps: Vec<ExprId> = Vec::with_capacity(count);
    let mut over_next: Vec<ExprId> = Vec::with_capacity(count);
    for index in 0..count {
        let id = ExprId::new(index);
        let expr = program.exprs.get(id).clone();
        let ty = program.exprs.ty(id).clone();
        let step = match &expr {
            Expr::Next(global) => {
                Expr::Load(Place::global(copies[global.index()].unwrap_or(*global)))
            }
            _ => Table(&over_steps).operands(expr.clone()),
        };
        let step = program.exprs.add(step, ty.clone());
        over_steps.push(step);
        let mut next = Table(&over_next).operands(expr);
        if let Expr::Load(place) = &mut next
            && let Root::Global(global) = place.root
        {
            place.root = Root::Global(copies[global.index()].unwrap_or(global));
        }
        let next = program.exprs.add(next, ty);
        over_next.push(next);
    }
    (over_steps, over_next)
}

/// The variables that an expression mentions in some way.
fn support(
    program: &Program,
    root: ExprId,
    mention: impl Fn(&Expr) -> Option<GlobalId>,
) -> Vec<GlobalId> {
    let mut seen = std::collections::BTreeSet::new();
    let mut waiting = vec![root];
    let mut found = Vec::new();
    while let Some(id) = waiting.pop() {
        source::limits::check();
        if seen.insert(id) {
            found.extend(mention(program.exprs.get(id)));
            program.exprs.operands(id, |operand| waiting.push(operand));
        }
    }
    found
}

/// Whether all members of a set are plainly of a type.
pub(crate) fn fits(program: &Program, set: &ValueSet, ty: &Type) -> bool {
    match set {
        ValueSet::One(id) => {
            let mut waiting = vec![*id];
            let mut fuel = 1000;
            while let Some(id) = waiting.pop() {
                source::limits::check();
                fuel -= 1;
                let fits = match program.exprs.get(id) {
                    Expr::Const(value) => program.has_type(value, ty),
                    Expr::Ite(_, a, b) => {
                        waiting.extend([*a, *b]);
                        true
                    }
                    Expr::Next(_) | Expr::Load(_) => program.exprs.ty(id) == ty,
                    _ => false,
                };
                if !fits || fuel == 0 {
                    return false;
                }
            }
            true
        }
        ValueSet::Between(a, b) => [a, b].into_iter().all(|id| {
            let constant = program.exprs.constant(*id);
            constant.is_some_and(|value| program.has_type(value, ty))
        }),
        ValueSet::Union(sets) => sets.iter().all(|set| fits(program, set, ty)),
        ValueSet::Ite(_, a, b) => fits(program, a, ty) && fits(program, b, ty),
        ValueSet::All(of) => of == ty,
    }
}

#[cfg(test)]
mod tests {
    use model::SyncAssign;
    use model::interp::Interp;

    use super::*;

    /// Two counters to 3: the first goes on or stays, the second follows the first's next value;
    /// they are never both 2, and the first never falls.
    #[test]
    fn states_and_choices_are_the_same() {
        let mut program = Program::new("pair", "by hand");
        let ty = Type::Range { lo: 0, hi: 3 };
        let a = program.add_global(Variable::new("a", ty.clone()));
        let b = program.add_global(Variable::new("b", ty.clone()));
        let old = program.exprs.load(Place::global(a), ty.clone());
        let one = program.exprs.int(1, Type::Mathint);
        let more = program
            .exprs
            .add(Expr::Binary(Binary::Add, old, one), Type::Mathint);
        let new = program.exprs.add(Expr::Next(a), ty.clone());
        let zero = program.exprs.int(0, ty.clone());
        program.composition = Composition::Synchronous(vec![
            SyncAssign {
                global: a,
                next: ValueSet::Union(vec![
                    ValueSet::One(old),
                    ValueSet::One(more),
                    ValueSet::One(zero),
                ]),
            },
            SyncAssign {
                global: b,
                next: ValueSet::Union(vec![ValueSet::One(new), ValueSet::One(zero)]),
            },
        ]);
        let two = program.exprs.int(2, ty.clone());
        let other = program.exprs.load(Place::global(b), ty);
        let [first, second] = [old, other].map(|v| program.exprs.binary(Binary::Eq, v, two));
        let both = program.exprs.binary(Binary::And, first, second);
        let never = program.exprs.not(both);
        program.state_constraint.push(never);
        let rises = program.exprs.binary(Binary::Le, old, new);
        program.relation.push(rises);

        let other = sequential(&program).unwrap();
        let (one, two) = (Interp::new(&program), Interp::new(&other));
        let mut waiting = vec![one.initial().unwrap()[0].1.globals.clone()];
        let mut seen = waiting.clone();
        while let Some(globals) = waiting.pop() {
            source::limits::check();
            let step = |interp: &Interp<'_>, extra: usize| {
                let mut state = interp.initial().unwrap()[0].1.clone();
                for (at, value) in globals.iter().enumerate() {
                    state.globals[at] = value.clone();
                }
                state.globals.truncate(2 + extra);
                let expansion = interp.expand(&state).unwrap();
                let successors = expansion.successors.into_iter().map(|s| {
                    let choices = s.step.moves[0].choices.clone();
                    let mut globals = s.state.globals;
                    globals.truncate(2);
                    (globals, choices)
                });
                successors.collect::<Vec<_>>()
            };
            let (expected, found) = (step(&one, 0), step(&two, 2));
            assert_eq!(expected, found);
            for (globals, _) in expected {
                if !seen.contains(&globals) {
                    seen.push(globals.clone());
                    waiting.push(globals);
                }
            }
        }
        // 4 x {0, the same}, without (2, 2).
        assert_eq!(seen.len(), 6);
        assert!(sequential(&other).is_none());
    }
}
