//! Which expressions have an effect, as far as checks see it.

use std::collections::HashSet;

use super::kept::Kept;
use crate::ast::{ExprId, ExprKind, FunctionId, StmtId, StmtKind};
use crate::check::{Checked, Resolution};
use crate::facts::{self, Effect};
use crate::lower::{for_each_operand, parts_of};
use crate::lower::{units, variable};

/// For each expression, whether evaluating it may change or reveal something, or raise an error.
pub(super) fn effects(checked: &Checked, kept: &Kept<'_>) -> Vec<bool> {
    let ast = &checked.ast;
    let units = units_of_expressions(checked);
    let mut idle: HashSet<FunctionId> = ast.function_ids().collect();
    loop {
        let found = effects_but_of(checked, kept, &units, &idle);
        let busy: Vec<FunctionId> = idle
            .iter()
            .copied()
            .filter(|&id| does_something(checked, ast.function(id).body, &found))
            .collect();
        if busy.is_empty() {
            return found;
        }
        for id in busy {
            idle.remove(&id);
        }
    }
}

/// The same, calls of the functions `idle` taken for ones without an effect.
fn effects_but_of(
    checked: &Checked,
    kept: &Kept<'_>,
    units: &[usize],
    idle: &HashSet<FunctionId>,
) -> Vec<bool> {
    let ast = &checked.ast;
    let changes = |unit: usize, place: ExprId| {
        let ty = checked.exprs.ty(place).value();
        ty.zip(variable(checked, unit, place))
            .is_some_and(|(ty, variable)| kept.has(variable, ty))
    };
    let mut found: Vec<bool> = Vec::with_capacity(ast.expr_count());
    for id in ast.expr_ids() {
        let mut own = match ast.expr(id).kind {
            ExprKind::Assign { place, .. } | ExprKind::Step { place, .. } => {
                changes(units[id.index()], place) || kept.divides(id)
            }
            ExprKind::Call { .. } => match checked.exprs.resolution(id) {
                Some(Resolution::Library(function)) => has_effect(function.name, kept),
                Some(Resolution::Function(function)) => !idle.contains(&function),
                _ => true,
            },
            _ => kept.divides(id),
        };
        for_each_operand(ast, id, |operand| own |= found[operand.index()]);
        found.push(own);
    }
    found
}

/// Whether a statement has an effect, or ends the handler.
fn does_something(checked: &Checked, stmt: StmtId, effects: &[bool]) -> bool {
    let (stmts, exprs) = parts_of(&checked.ast, stmt);
    let leaves = |stmt: StmtId| matches!(checked.ast.stmt(stmt).kind, StmtKind::State(_));
    stmts.into_iter().any(leaves) || exprs.into_iter().any(|expr| effects[expr.index()])
}

/// The handler or function in which each expression stands.
fn units_of_expressions(checked: &Checked) -> Vec<usize> {
    let ast = &checked.ast;
    let mut found = vec![usize::MAX; ast.expr_count()];
    for (unit, body) in units(ast) {
        for expr in parts_of(ast, body).1 {
            found[expr.index()] = unit;
        }
    }
    found
}

/// Whether a call of a library function matters, beyond its value: the check sees it, events come
/// because of it, or what is in the object changes. That a listen or a sensor ends is passed over:
/// then events may come that could not, which adds runs.
fn has_effect(function: &str, kept: &Kept<'_>) -> bool {
    if kept.relevant.sees(function) {
        return true;
    }
    if kept.sleeps_matter() && sleeps(function) {
        return true;
    }
    let Some(role) = facts::role(function) else {
        return false;
    };
    role.effects().iter().any(|effect| {
        matches!(
            effect,
            Effect::Answer(_) | Effect::On(_) | Effect::Ends | Effect::Changes("inventory")
        ) || matches!(effect, Effect::Rule(_)) && !ENDS_LISTENS.contains(&function)
    })
}

const ENDS_LISTENS: [&str; 2] = ["llListenRemove", "llListenControl"];

fn sleeps(function: &str) -> bool {
    function == "llSleep" || facts::function(function).is_some_and(|f| f.sleep_ms > 0)
}
