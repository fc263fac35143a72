//! Which variables statements and expressions assign to.

use crate::tree::{Expr, ExprKind, Stmt};
use crate::walk;

/// The names that statements assign to.
pub(super) fn in_statements(all: &[Stmt], found: &mut Vec<String>) {
    walk::in_statements(all, &mut |one| target(one, found));
}

/// The names that an expression assigns to.
pub(super) fn in_expression(expression: &Expr, found: &mut Vec<String>) {
    walk::in_expression(expression, &mut |one| target(one, found));
}

fn target(expression: &Expr, found: &mut Vec<String>) {
    let to = match &expression.kind {
        ExprKind::Assign(all) => &all[0],
        ExprKind::Update(one, _) => &**one,
        _ => return,
    };
    if let ExprKind::Name(name) | ExprKind::Field(_, name) = &to.kind {
        found.push(name.clone());
    }
}
