//! A script that marks what counts as service.

use std::collections::HashSet;

use super::payer::Served;
use crate::ast::{Ast, ExprKind, Global, Name, StmtId, StmtKind, UnaryOp};
use crate::lower::parts_of;
use crate::types::Type;
use source::Span;

/// The variable whose value changes whenever something is written down that counts as service.
pub(super) const STORED: &str = "something_stored";

/// The script, with a variable [`STORED`] that changes after each statement that makes one of the
/// assignments `served.stores`, and before each change of state while a payment is handled.
pub(super) fn mark(script: &Ast, served: &Served) -> Ast {
    let mut ast = script.clone();
    let symbol = ast.intern(STORED);
    let span = Span::NONE;
    ast.globals.push(Global {
        ty: Type::Integer,
        name: Name { symbol, span },
        value: None,
        span,
    });
    let bodies = ast.handler_ids().map(|id| ast.handler(id).body);
    let functions = ast.function_ids().map(|id| ast.function(id).body);
    let bodies: Vec<StmtId> = bodies.chain(functions).collect();
    let mut marked = HashSet::new();
    for (unit, body) in bodies.into_iter().enumerate() {
        for stmt in parts_of(&ast, body).0 {
            if marked.insert(stmt) {
                mark_statement(&mut ast, stmt, served, served.units.contains(&unit));
            }
        }
    }
    ast
}

fn mark_statement(ast: &mut Ast, stmt: StmtId, served: &Served, pays: bool) {
    let (kind, span) = (ast.stmt(stmt).kind.clone(), ast.stmt(stmt).span);
    let leaves = pays && matches!(kind, StmtKind::State(_));
    let stores = match kind {
        StmtKind::Expr(expr) => served.stores.contains(&ast.without_parentheses(expr)),
        _ => false,
    };
    if !leaves && !stores {
        return;
    }
    let store = store(ast, span);
    let own = ast.add_stmt(kind, span);
    let both = if leaves { [store, own] } else { [own, store] };
    *ast.stmt_mut(stmt) = StmtKind::Block(both.into());
}

/// `something_stored = !something_stored;`
fn store(ast: &mut Ast, span: Span) -> StmtId {
    let symbol = ast.intern(STORED);
    let name = Name { symbol, span };
    let operand = ast.add_expr(ExprKind::Name(name), span);
    let op = UnaryOp::Not;
    let value = ast.add_expr(ExprKind::Unary { op, operand }, span);
    let place = ast.add_expr(ExprKind::Name(name), span);
    let op = None;
    let assign = ast.add_expr(ExprKind::Assign { op, place, value }, span);
    ast.add_stmt(StmtKind::Expr(assign), span)
}
