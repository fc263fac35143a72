//! `INIT`, `INVAR`, `TRANS`, and fairness.
//!
//! Conjuncts about one variable narrow what it is chosen from, and `next(x) = e` for a variable
//! without assignment is one: what remains is checked on every combination of choices.

use std::collections::HashSet;

use model::{
    Assumption, Binary, Composition, Expr as ModelExpr, ExprId, Fairness, FairnessKind, GlobalId,
    Origin, Type, Unary, ValueSet,
};
use source::Span;

use super::value::{Choices, Ty, Val};
use super::{Context, Lowered, Lowering, Placed, fold};
use crate::ast::{ConstraintSort, Expr, Item};

impl<'t> Lowering<'t, '_> {
    pub(super) fn constraints(&mut self, items: &[Placed<'t>]) {
        for (scope, item) in items {
            // What is wrong with one says nothing about the others.
            let _ = match item {
                Item::Constraint(sort, condition) => self.constraint(*sort, condition, *scope),
                Item::Justice(condition) => self.justice(condition, *scope),
                Item::Compassion(premise, conclusion) => {
                    self.compassion(premise, conclusion, *scope)
                }
                _ => Ok(()),
            };
        }
        if !self.diagnostics.has_errors() {
            self.narrow();
        }
    }

    fn constraint(&mut self, sort: ConstraintSort, expr: &'t Expr, scope: usize) -> Lowered<()> {
        let context = Context::of(scope);
        let id = self.condition(expr, context)?;
        let whole = Choices::One(Val { id, ty: Ty::Bool });
        if sort != ConstraintSort::Trans {
            self.no_next(&whole, expr.span)?;
            self.no_inputs(&whole, expr.span)?;
        }
        let mut conjuncts = Vec::new();
        self.conjuncts(id, &mut conjuncts);
        match sort {
            ConstraintSort::Init => self.program.initial.extend(conjuncts),
            ConstraintSort::Invar => self.program.state_constraint.extend(conjuncts),
            ConstraintSort::Trans => self.program.relation.extend(conjuncts),
        }
        Ok(())
    }

    /// The operands of `&`, and of those that are such in turn.
    pub(super) fn conjuncts(&self, id: ExprId, found: &mut Vec<ExprId>) {
        let mut waiting = vec![id];
        while let Some(id) = waiting.pop() {
            match self.program.exprs.get(id) {
                ModelExpr::Binary(Binary::And, a, b) => waiting.extend([*b, *a]),
                _ => found.push(id),
            }
        }
    }

    fn assume(&mut self, text: String, span: Span) -> model::AssumptionId {
        self.program.add_assumption(Assumption {
            text,
            origin: Origin::Stated,
            properties: Some(Vec::new()),
            span,
        })
    }

    fn justice(&mut self, expr: &'t Expr, scope: usize) -> Lowered<()> {
        let id = self.condition(expr, Context::of(scope))?;
        self.no_next(&Choices::One(Val { id, ty: Ty::Bool }), expr.span)?;
        let part = self.of_part(scope);
        let text = format!("`{}`{part} holds again and again", self.text(expr.span));
        let assumption = self.assume(text, expr.span);
        let name = format!("FAIRNESS {}{part}", self.text(expr.span));
        self.program.fairness.push(Fairness {
            name,
            kind: FairnessKind::Justice(id),
            assumption: Some(assumption),
        });
        Ok(())
    }

    fn compassion(&mut self, premise: &'t Expr, conclusion: &'t Expr, scope: usize) -> Lowered<()> {
        let a = self.condition(premise, Context::of(scope))?;
        let b = self.condition(conclusion, Context::of(scope))?;
        self.no_next(
            &Choices::One(Val {
                id: a,
                ty: Ty::Bool,
            }),
            premise.span,
        )?;
        self.no_next(
            &Choices::One(Val {
                id: b,
                ty: Ty::Bool,
            }),
            conclusion.span,
        )?;
        let (p, q) = (self.text(premise.span), self.text(conclusion.span));
        let part = self.of_part(scope);
        let text = format!("if `{p}`{part} holds again and again, so does `{q}`");
        let name = format!("COMPASSION ({p}, {q}){part}");
        let assumption = self.assume(text, premise.span);
        self.program.fairness.push(Fairness {
            name,
            kind: FairnessKind::Compassion(a, b),
            assumption: Some(assumption),
        });
        Ok(())
    }

    /// Words that say which part of the model speaks; none for `main`.
    fn of_part(&self, scope: usize) -> String {
        match self.instances[scope].prefix.strip_suffix('.') {
            Some(part) => format!(" of `{part}`"),
            None => String::new(),
        }
    }

    /// Moves conditions on one variable into what it is chosen from.
    fn narrow(&mut self) {
        let mut first: Vec<ExprId> = Vec::new();
        for condition in std::mem::take(&mut self.program.initial) {
            if !self.narrow_first(condition) {
                first.push(condition);
            }
        }
        self.program.initial = first;
        let Composition::Synchronous(mut steps) = std::mem::replace(
            &mut self.program.composition,
            Composition::Synchronous(Vec::new()),
        ) else {
            unreachable!("this front end makes no other programs");
        };
        // An invariant stays: it is also about frozen variables, and cheap by then.
        for condition in self.program.state_constraint.clone() {
            self.narrow_first(condition);
            if let Some((variable, false)) = self.only_leaf(condition) {
                self.narrow_next(&mut steps, condition, variable);
            }
        }
        let mut relation = Vec::new();
        for condition in std::mem::take(&mut self.program.relation) {
            let done = match self.only_leaf(condition) {
                Some((variable, true)) => self.narrow_next(&mut steps, condition, variable),
                _ => self.define_next(&mut steps, condition),
            };
            if !done {
                relation.push(condition);
            }
        }
        self.program.relation = relation;
        self.program.composition = Composition::Synchronous(steps);
    }

    /// The one variable that a condition is about.
    fn only_leaf(&self, condition: ExprId) -> Option<fold::Leaf> {
        match fold::support(&self.program.exprs, &[condition]).as_slice() {
            [leaf] => Some(*leaf),
            _ => None,
        }
    }

    /// The values with which a condition on one variable holds.
    fn accepted(&self, condition: ExprId, leaf: fold::Leaf) -> Option<HashSet<i128>> {
        let domains = |variable: usize| self.domains.get(variable)?.clone();
        let mut accepted = HashSet::new();
        fold::enumerate(
            &self.program.exprs,
            &[condition],
            &domains,
            &mut |values, at| {
                if values[0] == Some(1) {
                    accepted.insert(at[&leaf]);
                }
                true
            },
        )?;
        Some(accepted)
    }

    fn listed_set(&mut self, global: usize, values: &[i128]) -> ValueSet {
        let ty = self.program.globals[global].ty.clone();
        let one = |n: &i128| ValueSet::One(self.known(*n, ty.clone()));
        ValueSet::Union(values.iter().map(one).collect())
    }

    /// Whether a set is all that its variable may have at all, so that it may be narrowed.
    fn is_open(&self, global: usize, set: &ValueSet) -> Option<Vec<i128>> {
        match set {
            ValueSet::All(_) => self.domains[global].clone(),
            ValueSet::Between(a, b) => {
                let constant = |id| self.program.exprs.constant(id).map(model::Value::number);
                let (a, b) = (constant(*a)?, constant(*b)?);
                (b - a < 70_000).then(|| (a..=b).collect())
            }
            ValueSet::Union(parts) => parts
                .iter()
                .map(|part| match part {
                    ValueSet::One(id) => self.program.exprs.constant(*id).map(model::Value::number),
                    _ => None,
                })
                .collect(),
            _ => None,
        }
    }

    fn narrow_first(&mut self, condition: ExprId) -> bool {
        let Some(leaf @ (global, false)) = self.only_leaf(condition) else {
            return false;
        };
        let Some(set) = self.program.globals[global].init.clone() else {
            return false;
        };
        let (Some(open), Some(accepted)) =
            (self.is_open(global, &set), self.accepted(condition, leaf))
        else {
            return false;
        };
        let left: Vec<i128> = open.into_iter().filter(|n| accepted.contains(n)).collect();
        if left.is_empty() {
            return false;
        }
        let narrowed = self.listed_set(global, &left);
        self.program.globals[global].init = Some(narrowed);
        true
    }

    fn narrow_next(
        &mut self,
        steps: &mut [model::SyncAssign],
        condition: ExprId,
        variable: usize,
    ) -> bool {
        let Some(leaf) = self.only_leaf(condition) else {
            return false;
        };
        let Some(step) = steps.iter_mut().find(|s| s.global.index() == variable) else {
            return false;
        };
        let (Some(open), Some(accepted)) = (
            self.is_open(variable, &step.next),
            self.accepted(condition, leaf),
        ) else {
            return false;
        };
        let left: Vec<i128> = open.into_iter().filter(|n| accepted.contains(n)).collect();
        if left.is_empty() {
            return false;
        }
        step.next = self.listed_set(variable, &left);
        true
    }

    /// `next(x) = e`, where `e` is about the present and `x` has any next value yet.
    fn define_next(&mut self, steps: &mut [model::SyncAssign], condition: ExprId) -> bool {
        let exprs = &self.program.exprs;
        let (a, b, negated) = match *exprs.get(condition) {
            ModelExpr::Binary(Binary::Eq, a, b) => (a, b, false),
            ModelExpr::Unary(Unary::Not, inner) => match *exprs.get(inner) {
                ModelExpr::Binary(Binary::Eq, a, b) if *exprs.ty(a) == Type::Bool => (a, b, true),
                _ => return false,
            },
            _ => return false,
        };
        for (target, value) in [(a, b), (b, a)] {
            let ModelExpr::Next(global) = *self.program.exprs.get(target) else {
                continue;
            };
            let support = fold::support(&self.program.exprs, &[value]);
            if support.iter().any(|(_, next)| *next) || !self.holds_in(global, value) {
                continue;
            }
            let Some(step) = steps.iter_mut().find(|s| s.global == global) else {
                continue;
            };
            let all = match (&step.next, self.is_open(global.index(), &step.next)) {
                (ValueSet::All(_), _) => true,
                (_, Some(open)) => {
                    Some(open.len()) == self.domains[global.index()].as_ref().map(Vec::len)
                }
                _ => false,
            };
            if !all {
                continue;
            }
            let value = if negated {
                self.program.exprs.not(value)
            } else {
                value
            };
            step.next = ValueSet::One(value);
            return true;
        }
        false
    }

    /// Whether a variable can have every value of an expression.
    fn holds_in(&self, global: GlobalId, value: ExprId) -> bool {
        let ty = &self.program.globals[global.index()].ty;
        let listed = self.domains[global.index()].as_ref().map(Vec::len);
        match ty {
            Type::Range { lo, hi } => {
                let bounds = |variable: usize| self.bounds.get(variable).copied().flatten();
                let dense =
                    listed.is_none_or(|n| n as i128 == i128::from(*hi) - i128::from(*lo) + 1);
                fold::interval(&self.program.exprs, value, &bounds).is_some_and(|(low, high)| {
                    dense && low >= i128::from(*lo) && high <= i128::from(*hi)
                })
            }
            _ => self.program.exprs.ty(value) == ty,
        }
    }
}
