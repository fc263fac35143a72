//! Timers that serve several people and are stopped by one of them.

use std::collections::HashSet;

use source::{Diagnostic, Diagnostics};

use super::apart::{Apart, told_apart};
use super::look::{Look, Unit};
use crate::ast::{BinaryOp, ExprId, ExprKind, GlobalId, StmtKind};
use crate::codes::habits as code;

/// Places where a handler stops the timer although a list that the timer goes through may have entries left.
pub(super) fn stopped(look: &Look<'_>, found: &mut Diagnostics) {
    let watched = watched(look);
    if !look.has_money || watched.is_empty() {
        return;
    }
    let asks = |condition: ExprId| {
        let asked = look.any(condition, |part| {
            look.is_owner(part) || look.global(part).is_some_and(|it| watched.contains(&it))
        });
        Apart {
            met: asked,
            unmet: asked,
        }
    };
    for unit in look.units() {
        let comes = look.event(unit).is_some_and(|event| {
            matches!(
                event,
                "money" | "listen" | "touch_start" | "touch_end" | "touch"
            )
        });
        if !comes || empties(look, unit, &watched) || super::listens::leaves(look, unit) {
            continue;
        }
        for (expr, guarded) in told_apart(look, unit, &asks) {
            let Some(call) = look.call(expr).filter(|_| !guarded) else {
                continue;
            };
            if call.name == "llSetTimerEvent" && is_zero(look, call.arguments[0]) {
                found.push(
                    Diagnostic::warning(
                        code::STOPPED_FOR_ALL,
                        "this stops the timer for everybody who still waits",
                    )
                    .at(call.span)
                    .help("stop it only when the list that it goes through is empty"),
                );
            }
        }
    }
}

/// Lists that a timer goes through with a loop, and to which a handler adds that sets the timer.
fn watched(look: &Look<'_>) -> HashSet<GlobalId> {
    let ast = &look.checked.ast;
    let is_loop = |unit: &Unit| {
        look.stmts(*unit).iter().any(|&stmt| {
            matches!(
                ast.stmt(stmt).kind,
                StmtKind::For { .. } | StmtKind::While { .. } | StmtKind::DoWhile { .. }
            )
        })
    };
    let mut gone_through = HashSet::new();
    for timer in look.handlers("timer") {
        let loops: Vec<Unit> = look
            .reached(timer)
            .iter()
            .copied()
            .filter(is_loop)
            .collect();
        let calls = look.calls.iter().filter(|call| loops.contains(&call.unit));
        let reads = calls.filter(|call| {
            let at = call.arguments.get(1);
            call.name.starts_with("llList2") && at.is_some_and(|&at| look.integer(at).is_none())
        });
        gone_through.extend(reads.filter_map(|call| look.global(call.arguments[0])));
    }
    let sets = |unit: Unit| {
        look.calls_from(unit)
            .any(|call| call.name == "llSetTimerEvent" && !is_zero(look, call.arguments[0]))
    };
    let mut added = HashSet::new();
    for unit in look
        .units()
        .filter(|&unit| look.event(unit).is_some() && sets(unit))
    {
        for &reached in look.reached(unit) {
            let adds = look
                .stores(reached)
                .filter(|&(list, _, with_operator, value)| {
                    let appends = matches!(
                        ast.expr(ast.without_parentheses(value)).kind,
                        ExprKind::Binary {
                            op: BinaryOp::Add,
                            ..
                        }
                    ) && look.any(value, |part| look.global(part) == Some(list));
                    with_operator || appends
                });
            added.extend(adds.map(|(list, ..)| list));
        }
    }
    gone_through.intersection(&added).copied().collect()
}

/// Whether a handler makes one of these lists empty.
fn empties(look: &Look<'_>, unit: Unit, lists: &HashSet<GlobalId>) -> bool {
    let ast = &look.checked.ast;
    let reached = look.reached(unit).iter();
    reached
        .flat_map(|&unit| look.stores(unit))
        .any(|(list, _, _, value)| {
            let is_empty = matches!(&ast.expr(ast.without_parentheses(value)).kind,
            ExprKind::List(parts) if parts.is_empty());
            is_empty && lists.contains(&list)
        })
}

fn is_zero(look: &Look<'_>, expr: ExprId) -> bool {
    let ast = &look.checked.ast;
    match ast.expr(ast.without_parentheses(expr)).kind {
        ExprKind::Float(value) => value == 0.0,
        _ => look.integer(expr) == Some(0),
    }
}
