//! Goes through all expressions of statements.

use crate::tree::{Expr, ExprKind, Stmt, StmtKind};

/// Shows each expression in statements, the outer ones first.
pub(crate) fn in_statements<'e>(all: &'e [Stmt], show: &mut dyn FnMut(&'e Expr)) {
    all.iter().for_each(|one| in_statement(one, show));
}

fn in_statement<'e>(statement: &'e Stmt, show: &mut dyn FnMut(&'e Expr)) {
    match &statement.kind {
        StmtKind::Empty | StmtKind::Break(_) | StmtKind::Continue(_) => {}
        StmtKind::Block(all) => in_statements(all, show),
        StmtKind::Local(_, all) => {
            let values = all.iter().filter_map(|(_, value)| value.as_ref());
            values.for_each(|value| in_expression(value, show));
        }
        StmtKind::Expr(one) | StmtKind::Assert(one) | StmtKind::Throw(one) => {
            in_expression(one, show);
        }
        StmtKind::Return(one) => one.iter().for_each(|one| in_expression(one, show)),
        StmtKind::If(test, then, otherwise) => {
            in_expression(test, show);
            in_statement(then, show);
            otherwise.iter().for_each(|one| in_statement(one, show));
        }
        StmtKind::While(test, body) | StmtKind::Do(body, test) => {
            in_expression(test, show);
            in_statement(body, show);
        }
        StmtKind::For(parts) => {
            in_statements(&parts.first, show);
            let values = parts.condition.iter().chain(&parts.next);
            values.for_each(|value| in_expression(value, show));
            in_statement(&parts.body, show);
        }
        StmtKind::Each(_, _, all, body) => {
            in_expression(all, show);
            in_statement(body, show);
        }
        StmtKind::Switch(value, groups, _) => {
            in_expression(value, show);
            groups.iter().for_each(|group| in_statements(group, show));
        }
        StmtKind::Synchronized(value, body) => {
            in_expression(value, show);
            in_statements(body, show);
        }
        StmtKind::Labelled(_, body) => in_statement(body, show),
        StmtKind::Try(parts) => {
            in_statements(&parts.body, show);
            for (_, body) in &parts.catches {
                in_statements(body, show);
            }
            parts
                .finally
                .iter()
                .for_each(|body| in_statements(body, show));
        }
    }
}

/// Shows an expression and each inside of it.
pub(crate) fn in_expression<'e>(expression: &'e Expr, show: &mut dyn FnMut(&'e Expr)) {
    show(expression);
    let mut each = |all: &'e [Expr]| all.iter().for_each(|one| in_expression(one, show));
    match &expression.kind {
        ExprKind::Null
        | ExprKind::This
        | ExprKind::Bool(_)
        | ExprKind::Number(_)
        | ExprKind::Text
        | ExprKind::Name(_)
        | ExprKind::Class(_)
        | ExprKind::Unknown => {}
        ExprKind::Field(one, _)
        | ExprKind::Not(one)
        | ExprKind::Cast(_, one)
        | ExprKind::InstanceOf(one, _) => in_expression(one, show),
        ExprKind::Call(one, _, all) => {
            each(all);
            one.iter().for_each(|one| in_expression(one, show));
        }
        ExprKind::Construct(_, all)
        | ExprKind::New(_, all)
        | ExprKind::NewArray(all)
        | ExprKind::Operator(_, all) => each(all),
        ExprKind::And(all)
        | ExprKind::Or(all)
        | ExprKind::Equal(_, all)
        | ExprKind::Index(all)
        | ExprKind::Assign(all) => each(&all[..]),
        ExprKind::If(all) => each(&all[..]),
        ExprKind::Update(one, all) => {
            each(all);
            in_expression(one, show);
        }
    }
}
