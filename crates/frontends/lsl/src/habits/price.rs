//! Goods that are handed over whatever has been paid, or for nothing.

use source::{Diagnostic, Diagnostics};

use super::look::{Look, Unit, is_gift, is_payment};
use crate::ast::{BinaryOp, ExprId, ExprKind, StmtKind};
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

/// Remainders of the amount that `money` pays back without comparing the amount with the price. A payment
/// below the price is its own remainder: it is refunded in full and served all the same.
pub(super) fn rest(look: &Look<'_>, found: &mut Diagnostics) {
    let ast = &look.checked.ast;
    for unit in look
        .handlers("money")
        .filter(|&unit| !compares_amount(look, unit))
    {
        let rest = |expr: ExprId| match ast.expr(ast.without_parentheses(expr)).kind {
            ExprKind::Binary {
                op: BinaryOp::Remainder,
                left,
                ..
            } => look.is_parameter(ast.without_parentheses(left), AMOUNT),
            _ => false,
        };
        let own = look.calls.iter().filter(|call| call.unit == unit);
        let mut payments = own.filter(|call| is_payment(call.name));
        let back = payments.find(|call| call.arguments.get(1).is_some_and(|&sum| rest(sum)));
        let serves = look.stores(unit).next().is_some()
            || look.calls_from(unit).any(|call| is_gift(call.name));
        if let Some(back) = back.filter(|_| serves) {
            found.push(
                Diagnostic::warning(
                    code::FOR_NOTHING,
                    "a payment below the price is refunded in full and served all the same",
                )
                .at(back.span)
                .help("give back what is too little before anything else is done, and `return`"),
            );
        }
    }
}

/// Whether a handler compares the amount itself with anything.
fn compares_amount(look: &Look<'_>, unit: Unit) -> bool {
    let ast = &look.checked.ast;
    look.exprs(unit)
        .iter()
        .any(|&expr| match ast.expr(expr).kind {
            ExprKind::Binary {
                op:
                    BinaryOp::Less
                    | BinaryOp::LessEqual
                    | BinaryOp::Greater
                    | BinaryOp::GreaterEqual
                    | BinaryOp::Equal
                    | BinaryOp::NotEqual,
                left,
                right,
                ..
            } => [left, right]
                .into_iter()
                .any(|side| look.is_parameter(ast.without_parentheses(side), AMOUNT)),
            _ => false,
        })
}
