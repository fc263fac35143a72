//! Counters that restart for a seated avatar when another one sits down.

use source::{Diagnostic, Diagnostics, Span};

use super::look::{Look, Unit};
use crate::ast::{BinaryOp, ExprId, ExprKind, StmtId, StmtKind};
use crate::check::Resolution;
use crate::codes::habits as code;
use crate::lower::parts_of;

/// Counters that `changed` resets whenever somebody sits on the object, without checking who sat there
/// before.
pub(super) fn restarted(look: &Look<'_>, found: &mut Diagnostics) {
    let ast = &look.checked.ast;
    if !look.has_money {
        return;
    }
    for unit in look.handlers("changed") {
        for &stmt in look.stmts(unit) {
            let StmtKind::If { arms, .. } = &ast.stmt(stmt).kind else {
                continue;
            };
            for &(condition, body) in arms {
                if !asks_only_for_somebody(look, unit, condition) || looks_further(look, body) {
                    continue;
                }
                if let Some(span) = starts(look, body) {
                    found.push(
                        Diagnostic::warning(
                            code::RESTARTED,
                            "this restarts for the seated avatar whenever another one sits down",
                        )
                        .at(span)
                        .help("`CHANGED_LINK` tells of prims and of others, too: ask first whether the avatar is a new one"),
                    );
                }
            }
        }
    }
}

/// Whether a condition asks that somebody sits there, and nothing else.
fn asks_only_for_somebody(look: &Look<'_>, unit: Unit, condition: ExprId) -> bool {
    let ast = &look.checked.ast;
    let sitter = |expr: ExprId| {
        let sits = |expr: ExprId| {
            look.call(expr)
                .is_some_and(|call| call.name == "llAvatarOnSitTarget")
        };
        let expr = ast.without_parentheses(expr);
        match look.checked.exprs.resolution(expr) {
            Some(Resolution::Local(local)) => {
                let given = look.given(unit, local);
                !given.is_empty() && given.iter().all(|&(_, value)| sits(value))
            }
            _ => sits(expr),
        }
    };
    let condition = ast.without_parentheses(condition);
    match ast.expr(condition).kind {
        ExprKind::Binary {
            op: BinaryOp::NotEqual,
            left,
            right,
            ..
        } => {
            let nobody = |expr: ExprId| {
                look.text(expr)
                    .is_some_and(|text| text.is_empty() || text.starts_with("00000000"))
            };
            (sitter(left) && nobody(right)) || (sitter(right) && nobody(left))
        }
        _ => sitter(condition),
    }
}

/// Whether what is done asks for anything more, or leaves it to a handler that does.
fn looks_further(look: &Look<'_>, body: StmtId) -> bool {
    let ast = &look.checked.ast;
    let (stmts, exprs) = parts_of(ast, body);
    let asks = |&stmt: &StmtId| {
        matches!(
            ast.stmt(stmt).kind,
            StmtKind::If { .. } | StmtKind::While { .. } | StmtKind::State(_)
        )
    };
    let hands_on = |&expr: &ExprId| {
        look.call(expr)
            .is_some_and(|call| call.name == "llRequestPermissions")
    };
    stmts.iter().any(asks) || exprs.iter().any(hands_on)
}

/// What is set anew: a variable that the timer counts, or the timer.
fn starts(look: &Look<'_>, body: StmtId) -> Option<Span> {
    let ast = &look.checked.ast;
    let (_, exprs) = parts_of(ast, body);
    let counted = |global| {
        look.handlers("timer")
            .flat_map(|timer| look.reached(timer).iter())
            .flat_map(|&unit| look.exprs(unit))
            .any(|&expr| match ast.expr(expr).kind {
                ExprKind::Step { place, .. } | ExprKind::Assign { place, .. } => {
                    look.global(place) == Some(global)
                }
                _ => false,
            })
    };
    exprs
        .into_iter()
        .find_map(|expr| match ast.expr(expr).kind {
            ExprKind::Assign {
                op: None, place, ..
            } if look.global(place).is_some_and(counted) => Some(ast.expr(expr).span),
            _ => None,
        })
}
