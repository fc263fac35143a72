//! Conditions that were asked before: what follows the second is never done.

use source::{Diagnostic, Diagnostics};

use super::look::Look;
use crate::ast::{ExprId, ExprKind, StmtKind};
use crate::check::Resolution;
use crate::codes::habits as code;
use crate::library;
use crate::lower::for_each_operand;

/// Branches of an `if` whose condition is that of an earlier branch, word by word.
pub(super) fn conditions(look: &Look<'_>, found: &mut Diagnostics) {
    let ast = &look.checked.ast;
    for unit in look.units() {
        for &stmt in look.stmts(unit) {
            let StmtKind::If { arms, .. } = &ast.stmt(stmt).kind else {
                continue;
            };
            for (index, &(condition, _)) in arms.iter().enumerate().skip(1) {
                let before = arms[..index].iter().map(|&(earlier, _)| earlier);
                let Some(first) = before
                    .filter(|_| always_gives_the_same(look, condition))
                    .find(|&earlier| is_same(look, earlier, condition))
                else {
                    continue;
                };
                found.push(
                    Diagnostic::warning(
                        code::REPEATED_CONDITION,
                        "this was asked before: what follows is never done",
                    )
                    .at(ast.expr(condition).span)
                    .label(ast.expr(first).span, "here"),
                );
            }
        }
    }
}

/// Whether evaluating an expression twice in a row gives the same, and changes nothing.
fn always_gives_the_same(look: &Look<'_>, expr: ExprId) -> bool {
    !look.any(expr, |part| match look.checked.ast.expr(part).kind {
        ExprKind::Assign { .. } | ExprKind::Step { .. } | ExprKind::Print(_) => true,
        ExprKind::Call { .. } => !matches!(
            look.checked.exprs.resolution(part),
            Some(Resolution::Library(function)) if library::pure(function.name).is_some()
        ),
        _ => false,
    })
}

/// Whether two expressions are written alike, and their names mean the same.
fn is_same(look: &Look<'_>, one: ExprId, other: ExprId) -> bool {
    let ast = &look.checked.ast;
    let mut pending = vec![(one, other)];
    while let Some((one, other)) = pending.pop() {
        let (one, other) = (ast.without_parentheses(one), ast.without_parentheses(other));
        let of = |expr: ExprId| {
            let mut operands = Vec::new();
            for_each_operand(ast, expr, |operand| operands.push(operand));
            operands
        };
        let (left, right) = (of(one), of(other));
        let is_alike = left.len() == right.len()
            && look.checked.exprs.resolution(one) == look.checked.exprs.resolution(other)
            && is_same_form(&ast.expr(one).kind, &ast.expr(other).kind);
        if !is_alike {
            return false;
        }
        pending.extend(left.into_iter().zip(right));
    }
    true
}

/// Whether two expressions are alike but for their operands, and for what their names mean.
fn is_same_form(one: &ExprKind, other: &ExprKind) -> bool {
    match (one, other) {
        (ExprKind::Integer(one), ExprKind::Integer(other)) => one == other,
        (ExprKind::Float(one), ExprKind::Float(other)) => one.to_bits() == other.to_bits(),
        (ExprKind::String(one), ExprKind::String(other)) => one == other,
        (ExprKind::Member { field: one, .. }, ExprKind::Member { field: other, .. }) => {
            one.symbol == other.symbol
        }
        (ExprKind::Unary { op: one, .. }, ExprKind::Unary { op: other, .. }) => one == other,
        (ExprKind::Binary { op: one, .. }, ExprKind::Binary { op: other, .. }) => one == other,
        (ExprKind::Cast { to: one, .. }, ExprKind::Cast { to: other, .. }) => one == other,
        (ExprKind::Name(_), ExprKind::Name(_))
        | (ExprKind::Call { .. }, ExprKind::Call { .. })
        | (ExprKind::List(_), ExprKind::List(_))
        | (ExprKind::Vector(_), ExprKind::Vector(_))
        | (ExprKind::Rotation(_), ExprKind::Rotation(_)) => true,
        _ => false,
    }
}
