//! Constants in conditions: operands of `&&` and `||`, and flags of the wrong kind.

use source::{Diagnostic, Diagnostics};

use super::look::Look;
use crate::ast::{BinaryOp, ExprId, ExprKind};
use crate::check::Resolution;
use crate::codes::habits as code;

/// Operands that are the same whatever happens. `TRUE` and `FALSE` are written on purpose.
pub(super) fn constant(look: &Look<'_>, found: &mut Diagnostics) {
    let ast = &look.checked.ast;
    for id in ast.expr_ids() {
        let ExprKind::Binary {
            op: op @ (BinaryOp::And | BinaryOp::Or),
            left,
            right,
            ..
        } = ast.expr(id).kind
        else {
            continue;
        };
        for operand in [left, right] {
            if !is_suspicious(look, operand) {
                continue;
            }
            let single = if op == BinaryOp::And { "&" } else { "|" };
            found.push(
                Diagnostic::warning(
                    code::CONSTANT_OPERAND,
                    format!("this operand of `{}` is always the same", op.symbol()),
                )
                .at(ast.expr(operand).span)
                .help(format!("was `{single}` meant, or a comparison?")),
            );
        }
    }
}

/// Masks that events bring, and how the names of their flags begin.
const MASKS: [(&str, &str); 2] = [
    ("changed", "CHANGED_"),
    ("run_time_permissions", "PERMISSION_"),
];

/// Masks that are compared with flags of something else.
pub(super) fn flags(look: &Look<'_>, found: &mut Diagnostics) {
    let ast = &look.checked.ast;
    for (event, prefix) in MASKS {
        for unit in look.handlers(event) {
            for &expr in look.exprs(unit) {
                let ExprKind::Binary {
                    op: BinaryOp::BitAnd,
                    left,
                    right,
                    ..
                } = ast.expr(expr).kind
                else {
                    continue;
                };
                for (mask, flag) in [(left, right), (right, left)] {
                    let name = match look.checked.exprs.resolution(flag) {
                        Some(Resolution::Constant(constant)) => constant.name,
                        _ => continue,
                    };
                    if look.is_parameter(mask, 0) && !name.starts_with(prefix) {
                        found.push(
                            Diagnostic::warning(
                                code::WRONG_FLAG,
                                format!("`{name}` is no flag of `{event}`"),
                            )
                            .at(ast.expr(flag).span)
                            .help(format!("its flags begin with `{prefix}`")),
                        );
                    }
                }
            }
        }
    }
}

fn is_suspicious(look: &Look<'_>, operand: ExprId) -> bool {
    let ast = &look.checked.ast;
    let inner = ast.without_parentheses(operand);
    let on_purpose = matches!(ast.expr(inner).kind, ExprKind::Name(name)
        if matches!(ast.name_text(name), "TRUE" | "FALSE"));
    if on_purpose {
        return false;
    }
    match ast.expr(inner).kind {
        ExprKind::Binary {
            op: BinaryOp::BitOr,
            left,
            right,
            ..
        } => [left, right]
            .iter()
            .any(|&side| look.integer(side).is_some_and(|mask| mask != 0)),
        _ => look.integer(inner).is_some(),
    }
}
