//! A script that marks where a product with a payment is too large for an integer.

use std::collections::HashMap;

use super::insert::{Around, insert};
use super::mark::{add_global, change};
use super::money::CEILING;
use crate::ast::{Ast, BinaryOp, ExprId, ExprKind, GlobalId, StmtKind, UnaryOp};
use crate::check::{Checked, Constants, Resolution};
use crate::lower::parts_of;

/// The variable whose value changes in front of a product that wraps around.
pub(super) const WRAPS: &str = "something_wraps";

/// The parameter of `money` with the amount.
const AMOUNT: usize = 1;

/// A product of what has been paid and constants.
#[derive(Clone, Copy)]
struct Product {
    /// Where the amount is mentioned in it.
    amount: ExprId,
    /// From this amount on it is more than an integer holds, or less.
    from: i32,
}

/// The script, with a variable [`WRAPS`] that changes in front of statements in which a payment times
/// constants does not fit into an integer; `None` if that takes more than [`CEILING`] everywhere.
pub(super) fn mark_products(checked: &Checked, script: &Ast) -> Option<(Ast, GlobalId)> {
    let products = products(checked);
    if products.is_empty() {
        return None;
    }
    let mut ast = script.without_statements();
    let wraps = add_global(&mut ast, WRAPS);
    let marked = insert(script, ast, &mut |ast, _, id| {
        let mut around = Around::default();
        let stmt = script.stmt(id);
        for expr in own_exprs(&stmt.kind) {
            let parts = within(script, expr);
            for &Product { amount, from } in parts.iter().filter_map(|part| products.get(part)) {
                let left = ast.add_expr(script.expr(amount).kind.clone(), stmt.span);
                let right = ast.add_expr(ExprKind::Integer(from), stmt.span);
                let kind = ExprKind::Binary {
                    op: BinaryOp::GreaterEqual,
                    op_span: stmt.span,
                    left,
                    right,
                };
                let too_large = ast.add_expr(kind, stmt.span);
                let change = change(ast, WRAPS, stmt.span);
                let kind = StmtKind::If {
                    arms: [(too_large, change)].into(),
                    otherwise: None,
                };
                around.before.push(ast.add_stmt(kind, stmt.span));
            }
        }
        around
    });
    Some((marked, wraps))
}

/// The expressions of a statement, without those of statements in it. Not all of them need be computed: a
/// later condition of an `if` is looked at as if it were.
fn own_exprs(kind: &StmtKind) -> Vec<ExprId> {
    match kind {
        StmtKind::Expr(expr) => vec![*expr],
        StmtKind::Declare { value, .. } | StmtKind::Return(value) => {
            value.iter().copied().collect()
        }
        StmtKind::If { arms, .. } => arms.iter().map(|&(condition, _)| condition).collect(),
        StmtKind::While { condition, .. } | StmtKind::DoWhile { condition, .. } => vec![*condition],
        StmtKind::For {
            before,
            condition,
            after,
            ..
        } => before
            .iter()
            .chain([condition])
            .chain(after)
            .copied()
            .collect(),
        _ => Vec::new(),
    }
}

fn within(script: &Ast, expr: ExprId) -> Vec<ExprId> {
    let mut all = vec![expr];
    let mut next = 0;
    while let Some(&part) = all.get(next) {
        crate::lower::for_each_operand(script, part, |operand| all.push(operand));
        next += 1;
    }
    all
}

/// The largest products of a payment and constants in handlers of payments that wrap around for a
/// payment that somebody may make.
fn products(checked: &Checked) -> HashMap<ExprId, Product> {
    let ast = &checked.ast;
    let constants = Constants::of(checked);
    let mut found = HashMap::new();
    for id in ast.handler_ids() {
        if checked.event(id).is_none_or(|event| event.name != "money") {
            continue;
        }
        let (_, exprs) = parts_of(ast, ast.handler(id).body);
        let is_amount = |expr: ExprId| matches!(checked.exprs.resolution(expr), Some(Resolution::Local(local)) if local.index() == AMOUNT);
        if exprs
            .iter()
            .any(|&expr| place(ast, expr).is_some_and(is_amount))
        {
            continue;
        }
        let mut parts_of_others: Vec<ExprId> = Vec::new();
        let mut products: Vec<(ExprId, Product)> = Vec::new();
        for &expr in &exprs {
            let mut factors = Vec::new();
            multiply(ast, expr, &mut factors, &mut parts_of_others);
            let (amounts, others): (Vec<ExprId>, Vec<ExprId>) =
                factors.into_iter().partition(|&factor| is_amount(factor));
            let constant = others.iter().try_fold(1_i64, |all, &other| {
                Some(all.saturating_mul(integer(checked, &constants, other)?.into()))
            });
            if let (&[amount], Some(constant)) = (&amounts[..], constant)
                && let Some(from) = wraps_from(constant)
            {
                products.push((expr, Product { amount, from }));
            }
        }
        products.retain(|(expr, _)| !parts_of_others.contains(expr));
        found.extend(products);
    }
    found
}

/// The factors of a product, from the left; and the products that are part of it.
fn multiply(ast: &Ast, expr: ExprId, factors: &mut Vec<ExprId>, parts: &mut Vec<ExprId>) {
    let mut pending = vec![expr];
    while let Some(part) = pending.pop() {
        let inner = ast.without_parentheses(part);
        match ast.expr(inner).kind {
            ExprKind::Binary {
                op: BinaryOp::Multiply,
                left,
                right,
                ..
            } => {
                parts.extend((inner != expr).then_some(inner));
                pending.extend([right, left]);
            }
            _ => factors.push(inner),
        }
    }
}

/// What an expression changes.
fn place(ast: &Ast, expr: ExprId) -> Option<ExprId> {
    match ast.expr(expr).kind {
        ExprKind::Assign { place, .. } | ExprKind::Step { place, .. } => Some(place),
        _ => None,
    }
}

/// The value of an expression that is the same integer in every run.
fn integer(checked: &Checked, constants: &Constants<'_>, expr: ExprId) -> Option<i32> {
    let ast = &checked.ast;
    let expr = ast.without_parentheses(expr);
    let of = |expr| integer(checked, constants, expr);
    match ast.expr(expr).kind {
        ExprKind::Unary {
            op: UnaryOp::Negate,
            operand,
        } => of(operand).map(i32::wrapping_neg),
        ExprKind::Binary {
            op, left, right, ..
        } => {
            let compute = match op {
                BinaryOp::Add => i32::wrapping_add,
                BinaryOp::Subtract => i32::wrapping_sub,
                BinaryOp::Multiply => i32::wrapping_mul,
                _ => return None,
            };
            Some(compute(of(left)?, of(right)?))
        }
        _ => checked.written_integer(constants.written(expr)),
    }
}

/// The least payment, up to the ceiling, whose product with a constant is no integer of 32 bits.
fn wraps_from(constant: i64) -> Option<i32> {
    let most = if constant < 0 {
        -i64::from(i32::MIN)
    } else {
        i32::MAX.into()
    };
    let from = most.checked_div(constant.abs())? + 1;
    i32::try_from(from).ok().filter(|&from| from <= CEILING)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_payment_is_the_first_that_wraps() {
        for (constant, from) in [(86_400, 24_856), (-86_400, 24_856), (604_800, 3_551)] {
            let least = wraps_from(constant).unwrap();
            assert_eq!(least, from);
            assert!(i32::try_from(i64::from(least) * constant).is_err());
            assert!(i32::try_from(i64::from(least - 1) * constant).is_ok());
        }
        assert_eq!(
            (wraps_from(0), wraps_from(1), wraps_from(21_474)),
            (None, None, None)
        );
        assert_eq!(wraps_from(i64::MAX), Some(1));
    }
}
