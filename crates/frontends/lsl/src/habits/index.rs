//! Positions at which nothing was found, or nothing was drawn, taken for the last element.

use source::{Diagnostic, Diagnostics};

use super::look::{Look, Unit};
use crate::ast::{BinaryOp, ExprId, ExprKind, FunctionId, StmtKind};
use crate::check::Resolution;
use crate::codes::habits as code;

/// Calls whose second argument is a position in the list that is the first.
const TAKES: [&str; 7] = [
    "llList2Integer",
    "llList2Key",
    "llList2String",
    "llList2Float",
    "llList2Vector",
    "llList2Rot",
    "llDeleteSubList",
];

/// Uses of the position that `llListFindList` gives before any condition has asked for it.
pub(super) fn unfound(look: &Look<'_>, found: &mut Diagnostics) {
    if !look.has_money {
        return;
    }
    let ast = &look.checked.ast;
    for unit in look.units() {
        let asked = conditions(look, unit);
        let mut told = Vec::new();
        for call in look.calls.iter().filter(|call| call.unit == unit) {
            if !TAKES.contains(&call.name) {
                continue;
            }
            let Some(variable) = variable(look, call.arguments[1]) else {
                continue;
            };
            if told.contains(&variable) || !is_found(look, unit, variable) {
                continue;
            }
            let mentions = |condition: ExprId| {
                look.any(condition, |part| {
                    look.checked.exprs.resolution(part) == Some(variable)
                        || look
                            .call(part)
                            .is_some_and(|it| it.name == "llListFindList")
                })
            };
            let is_asked = asked.iter().any(|&condition| {
                ast.expr(condition).span.start < call.span.start && mentions(condition)
            });
            if !is_asked {
                told.push(variable);
                found.push(
                    Diagnostic::warning(
                        code::UNFOUND_POSITION,
                        "what is not in the list is taken for its last element",
                    )
                    .at(call.span)
                    .help(
                        "`llListFindList` gives -1 then, and -1 is the last position: ask before",
                    ),
                );
            }
        }
    }
}

/// Positions drawn with `llCeil(llFrand(n)) - 1`, which are -1 when zero is drawn.
pub(super) fn drawn(look: &Look<'_>, found: &mut Diagnostics) {
    let ast = &look.checked.ast;
    let named = |expr: ExprId, name: &str| {
        let call = look.call(expr).filter(|call| call.name == name);
        call.map(|call| call.arguments)
    };
    for expr in look.units().flat_map(|unit| look.exprs(unit)) {
        let ExprKind::Binary {
            op: BinaryOp::Subtract,
            left,
            right,
            ..
        } = ast.expr(*expr).kind
        else {
            continue;
        };
        let draws = named(left, "llCeil").is_some_and(|of| named(of[0], "llFrand").is_some());
        if draws && look.integer(right) == Some(1) {
            found.push(
                Diagnostic::warning(
                    code::UNFOUND_POSITION,
                    "this is -1, the last position, when zero is drawn",
                )
                .at(ast.expr(*expr).span)
                .help("write `(integer)llFrand(n)`"),
            );
        }
    }
}

/// The local or global variable that an expression is.
fn variable(look: &Look<'_>, expr: ExprId) -> Option<Resolution> {
    let expr = look.checked.ast.without_parentheses(expr);
    let resolution = look.checked.exprs.resolution(expr)?;
    matches!(resolution, Resolution::Local(_) | Resolution::Global(_)).then_some(resolution)
}

/// Whether all that a unit gives a variable are positions of what an event has brought.
fn is_found(look: &Look<'_>, unit: Unit, variable: Resolution) -> bool {
    let given: Vec<ExprId> = match variable {
        Resolution::Local(local) => {
            let given = look.given(unit, local);
            if given.iter().any(|&(giver, _)| giver != unit) {
                return false;
            }
            given.into_iter().map(|(_, value)| value).collect()
        }
        Resolution::Global(global) => {
            let stores = look.stores(unit);
            let own = stores.filter(|&(stored, ..)| stored == global);
            own.map(|(.., value)| value).collect()
        }
        _ => return false,
    };
    let finds = |expr: &ExprId| {
        let call = look.call(*expr);
        call.is_some_and(|call| {
            call.name == "llListFindList" && is_brought(look, unit, call.arguments[1])
        })
    };
    !given.is_empty() && given.iter().all(finds) && !steps(look, unit, variable)
}

/// Whether a unit counts a variable up or down.
fn steps(look: &Look<'_>, unit: Unit, variable: Resolution) -> bool {
    look.exprs(unit)
        .iter()
        .any(|&expr| match look.checked.ast.expr(expr).kind {
            ExprKind::Step { place, .. } => look.checked.exprs.resolution(place) == Some(variable),
            _ => false,
        })
}

/// The conditions of a unit.
fn conditions(look: &Look<'_>, unit: Unit) -> Vec<ExprId> {
    let mut all = Vec::new();
    for &stmt in look.stmts(unit) {
        match &look.checked.ast.stmt(stmt).kind {
            StmtKind::If { arms, .. } => all.extend(arms.iter().map(|&(condition, _)| condition)),
            StmtKind::While { condition, .. }
            | StmtKind::DoWhile { condition, .. }
            | StmtKind::For { condition, .. } => {
                all.push(*condition);
            }
            _ => {}
        }
    }
    all
}

/// Whether part of a value is what the event has brought: a parameter, or somebody detected.
fn is_brought(look: &Look<'_>, unit: Unit, value: ExprId) -> bool {
    let ast = &look.checked.ast;
    let parameters = match unit.checked_sub(ast.handlers.len()) {
        Some(function) => ast.function(FunctionId::new(function)).parameters.len(),
        None => ast.handlers[unit].parameters.len(),
    };
    let (mut seen, mut pending) = (Vec::new(), vec![value]);
    while let Some(value) = pending.pop() {
        for part in look.within(value) {
            if let Some(Resolution::Local(local)) = look.checked.exprs.resolution(part) {
                if local.index() < parameters {
                    return true;
                }
                if !seen.contains(&local) {
                    seen.push(local);
                    pending.extend(look.given(unit, local).into_iter().map(|(_, it)| it));
                }
            } else if look
                .call(part)
                .is_some_and(|it| it.name.starts_with("llDetected"))
            {
                return true;
            }
        }
    }
    false
}
