//! What statements and expressions are made of.

use crate::ast::{Ast, ExprId, ExprKind, StmtId, StmtKind};

/// Calls `each` for every direct operand.
pub(crate) fn for_each_operand(ast: &Ast, id: ExprId, mut each: impl FnMut(ExprId)) {
    match &ast.expr(id).kind {
        ExprKind::Error
        | ExprKind::Integer(_)
        | ExprKind::Float(_)
        | ExprKind::String(_)
        | ExprKind::Name(_)
        | ExprKind::Member { .. }
        | ExprKind::Word { .. } => {}
        ExprKind::Undecided { after, .. } => after.iter().copied().for_each(each),
        ExprKind::Vector(parts) => parts.iter().copied().for_each(each),
        ExprKind::Rotation(parts) => parts.iter().copied().for_each(each),
        ExprKind::List(parts) => parts.iter().copied().for_each(each),
        ExprKind::Call { arguments, .. } => arguments.iter().copied().for_each(each),
        ExprKind::Print(operand)
        | ExprKind::Unary { operand, .. }
        | ExprKind::Cast { operand, .. }
        | ExprKind::Parenthesized(operand)
        | ExprKind::Step { place: operand, .. } => each(*operand),
        ExprKind::Binary { left, right, .. } => {
            each(*left);
            each(*right);
        }
        ExprKind::Assign { place, value, .. } => {
            each(*place);
            each(*value);
        }
    }
}

/// All statements of a body, itself included, and all expressions in them.
pub(crate) fn parts_of(ast: &Ast, body: StmtId) -> (Vec<StmtId>, Vec<ExprId>) {
    let (mut stmts, mut exprs) = (vec![body], Vec::new());
    let mut at = 0;
    while at < stmts.len() {
        let kind = &ast.stmt(stmts[at]).kind;
        for_each_part(kind, |expr| exprs.push(expr), |stmt| stmts.push(stmt));
        at += 1;
    }
    at = 0;
    while at < exprs.len() {
        for_each_operand(ast, exprs[at], |operand| exprs.push(operand));
        at += 1;
    }
    (stmts, exprs)
}

/// An expression and all that it is made of.
pub(crate) fn all_within(ast: &Ast, expr: ExprId) -> Vec<ExprId> {
    let mut all = vec![expr];
    let mut next = 0;
    while let Some(&part) = all.get(next) {
        for_each_operand(ast, part, |operand| all.push(operand));
        next += 1;
    }
    all
}

/// Whether some part of an expression is so, or the whole.
pub(crate) fn any_part(ast: &Ast, expr: ExprId, test: impl Fn(ExprId) -> bool) -> bool {
    let mut pending = vec![expr];
    while let Some(expr) = pending.pop() {
        if test(expr) {
            return true;
        }
        for_each_operand(ast, expr, |operand| pending.push(operand));
    }
    false
}

/// Calls one function for every direct expression, and another for every direct statement.
pub(crate) fn for_each_part(
    kind: &StmtKind,
    mut expr: impl FnMut(ExprId),
    mut stmt: impl FnMut(StmtId),
) {
    match kind {
        StmtKind::Error
        | StmtKind::Empty
        | StmtKind::Label(_)
        | StmtKind::Jump(_)
        | StmtKind::State(_) => {}
        StmtKind::Block(body) => body.iter().copied().for_each(stmt),
        StmtKind::Expr(e) => expr(*e),
        StmtKind::Declare { value, .. } | StmtKind::Return(value) => {
            value.iter().copied().for_each(expr);
        }
        StmtKind::If { arms, otherwise } => {
            for &(condition, body) in arms {
                expr(condition);
                stmt(body);
            }
            otherwise.iter().copied().for_each(stmt);
        }
        StmtKind::While { condition, body } | StmtKind::DoWhile { condition, body } => {
            expr(*condition);
            stmt(*body);
        }
        StmtKind::For {
            before,
            condition,
            after,
            body,
        } => {
            before.iter().copied().for_each(&mut expr);
            expr(*condition);
            after.iter().copied().for_each(&mut expr);
            stmt(*body);
        }
    }
}
