//! Which variables statements and expressions assign to.

use crate::tree::{Expr, ExprKind, Stmt, StmtKind};

/// The names that statements assign to.
pub(super) fn in_statements(all: &[Stmt], found: &mut Vec<String>) {
    all.iter().for_each(|one| in_statement(one, found));
}

fn in_statement(statement: &Stmt, found: &mut Vec<String>) {
    match &statement.kind {
        StmtKind::Empty | StmtKind::Break(_) | StmtKind::Continue(_) => {}
        StmtKind::Block(all) => in_statements(all, found),
        StmtKind::Local(_, all) => {
            let values = all.iter().filter_map(|(_, value)| value.as_ref());
            values.for_each(|value| in_expression(value, found));
        }
        StmtKind::Expr(one) | StmtKind::Assert(one) | StmtKind::Throw(one) => {
            in_expression(one, found);
        }
        StmtKind::Return(one) => one.iter().for_each(|one| in_expression(one, found)),
        StmtKind::If(test, then, otherwise) => {
            in_expression(test, found);
            in_statement(then, found);
            otherwise.iter().for_each(|one| in_statement(one, found));
        }
        StmtKind::While(test, body) | StmtKind::Do(body, test) => {
            in_expression(test, found);
            in_statement(body, found);
        }
        StmtKind::For(parts) => {
            in_statements(&parts.first, found);
            let values = parts.condition.iter().chain(&parts.next);
            values.for_each(|value| in_expression(value, found));
            in_statement(&parts.body, found);
        }
        StmtKind::Each(_, _, all, body) => {
            in_expression(all, found);
            in_statement(body, found);
        }
        StmtKind::Switch(value, groups, _) => {
            in_expression(value, found);
            groups.iter().for_each(|group| in_statements(group, found));
        }
        StmtKind::Synchronized(value, body) => {
            in_expression(value, found);
            in_statements(body, found);
        }
        StmtKind::Labelled(_, body) => in_statement(body, found),
        StmtKind::Try(parts) => {
            in_statements(&parts.body, found);
            for (_, body) in &parts.catches {
                in_statements(body, found);
            }
            parts
                .finally
                .iter()
                .for_each(|body| in_statements(body, found));
        }
    }
}

/// The names that an expression assigns to.
pub(super) fn in_expression(expression: &Expr, found: &mut Vec<String>) {
    let mut each = |all: &[Expr]| all.iter().for_each(|one| in_expression(one, found));
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
        | ExprKind::InstanceOf(one, _) => in_expression(one, found),
        ExprKind::Call(one, _, all) => {
            each(all);
            one.iter().for_each(|one| in_expression(one, found));
        }
        ExprKind::Construct(_, all)
        | ExprKind::New(_, all)
        | ExprKind::NewArray(all)
        | ExprKind::Operator(_, all) => each(all),
        ExprKind::And(all) | ExprKind::Or(all) | ExprKind::Equal(_, all) | ExprKind::Index(all) => {
            each(&all[..]);
        }
        ExprKind::If(all) => each(&all[..]),
        ExprKind::Assign(all) => {
            each(&all[..]);
            target(&all[0], found);
        }
        ExprKind::Update(one, all) => {
            each(all);
            in_expression(one, found);
            target(one, found);
        }
    }
}

fn target(expression: &Expr, found: &mut Vec<String>) {
    if let ExprKind::Name(name) | ExprKind::Field(_, name) = &expression.kind {
        found.push(name.clone());
    }
}
