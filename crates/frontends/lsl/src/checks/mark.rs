//! A script that marks what counts as service.

use super::insert::{Around, insert};
use super::payer::Served;
use crate::ast::{Ast, ExprKind, Global, GlobalId, Name, StmtId, StmtKind, UnaryOp};
use crate::types::Type;
use source::Span;

/// The variable whose value changes whenever something is written down that counts as service.
pub(super) const STORED: &str = "something_stored";

/// The script, with a variable [`STORED`] that changes after each statement that makes one of the
/// assignments `served.stores`, and, if they are service, before each change of state while a payment
/// is handled.
pub(super) fn mark(script: &Ast, served: &Served) -> Ast {
    let mut ast = script.without_statements();
    add_global(&mut ast, STORED);
    insert(script, ast, &mut |ast, unit, id| {
        let mut around = Around::default();
        let stmt = script.stmt(id);
        match stmt.kind {
            StmtKind::State(_) if served.leaving && served.units.contains(&unit) => {
                around.before.push(change(ast, STORED, stmt.span));
            }
            StmtKind::Expr(expr) if served.stores.contains(&script.without_parentheses(expr)) => {
                around.after.push(change(ast, STORED, stmt.span));
            }
            _ => {}
        }
        around
    })
}

/// Adds an integer variable, 0 at first.
pub(super) fn add_global(ast: &mut Ast, name: &str) -> GlobalId {
    let id = GlobalId::new(ast.globals.len());
    let symbol = ast.intern(name);
    let span = Span::NONE;
    ast.globals.push(Global {
        ty: Type::Integer,
        name: Name { symbol, span },
        value: None,
        span,
    });
    id
}

/// `variable = !variable;`
pub(super) fn change(ast: &mut Ast, variable: &str, span: Span) -> StmtId {
    let symbol = ast.intern(variable);
    let name = Name { symbol, span };
    let operand = ast.add_expr(ExprKind::Name(name), span);
    let op = UnaryOp::Not;
    let value = ast.add_expr(ExprKind::Unary { op, operand }, span);
    let place = ast.add_expr(ExprKind::Name(name), span);
    let op = None;
    let assign = ast.add_expr(ExprKind::Assign { op, place, value }, span);
    ast.add_stmt(StmtKind::Expr(assign), span)
}
