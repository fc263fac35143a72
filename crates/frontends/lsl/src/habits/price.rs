//! Goods that are handed over whatever has been paid.

use source::{Diagnostic, Diagnostics};

use super::look::{Look, Unit, is_gift};
use crate::ast::{ExprId, ExprKind, StmtKind};
use crate::check::Resolution;
use crate::codes::habits as code;

/// The position of the amount among the parameters of `money`.
const AMOUNT: usize = 1;

/// `money` handlers that give something and never look at the amount, in scripts that ask for one price.
pub(super) fn unasked(look: &Look<'_>, found: &mut Diagnostics) {
    if !asks_one_price(look) {
        return;
    }
    for unit in look
        .handlers("money")
        .filter(|&unit| !looks_at_amount(look, unit))
    {
        if let Some(gift) = look.calls_from(unit).find(|call| is_gift(call.name)) {
            found.push(
                Diagnostic::warning(code::ANY_AMOUNT, "this is handed over whatever has been paid")
                    .at(gift.span)
                    .help("`llSetPayPrice` only fills in the pay window: compare the amount, and give back what is not the price"),
            );
        }
    }
}

/// Whether the pay window of the script hides the field for any other amount.
fn asks_one_price(look: &Look<'_>) -> bool {
    let hides = |expr: ExprId| look.integer(expr) == Some(-1);
    let mut calls = look
        .calls
        .iter()
        .filter(|call| call.name == "llSetPayPrice");
    calls.any(|call| hides(call.arguments[0]))
}

/// Whether a condition depends on the amount, or it is kept or handed on where one may.
fn looks_at_amount(look: &Look<'_>, unit: Unit) -> bool {
    let ast = &look.checked.ast;
    let names = |expr: ExprId| look.any(expr, |part| look.is_parameter(part, AMOUNT));
    let in_statement = look
        .stmts(unit)
        .iter()
        .any(|&stmt| match &ast.stmt(stmt).kind {
            StmtKind::If { arms, .. } => arms.iter().any(|&(condition, _)| names(condition)),
            StmtKind::While { condition, .. }
            | StmtKind::DoWhile { condition, .. }
            | StmtKind::For { condition, .. } => names(*condition),
            StmtKind::Declare { value, .. } => value.is_some_and(names),
            _ => false,
        });
    let in_expression = look
        .exprs(unit)
        .iter()
        .any(|&expr| match &ast.expr(expr).kind {
            ExprKind::Assign { value, .. } => names(*value),
            ExprKind::Call { arguments, .. } => {
                let called = look.checked.exprs.resolution(expr);
                matches!(called, Some(Resolution::Function(_)))
                    && arguments.iter().any(|&argument| names(argument))
            }
            _ => false,
        });
    in_statement || in_expression
}
