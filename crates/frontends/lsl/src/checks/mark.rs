//! A script that marks what counts as service.

use super::payer::Served;
use crate::ast::{Ast, ExprKind, Global, Name, Stmt, StmtId, StmtKind, UnaryOp};
use crate::types::Type;
use source::Span;

/// The variable whose value changes whenever something is written down that counts as service.
pub(super) const STORED: &str = "something_stored";

/// The script, with a variable [`STORED`] that changes after each statement that makes one of the
/// assignments `served.stores`, and, if they are service, before each change of state while a payment
/// is handled.
pub(super) fn mark(script: &Ast, served: &Served) -> Ast {
    let mut ast = script.without_statements();
    let symbol = ast.intern(STORED);
    let span = Span::NONE;
    ast.globals.push(Global {
        ty: Type::Integer,
        name: Name { symbol, span },
        value: None,
        span,
    });
    let mut marker = Marker {
        script,
        ast,
        served,
        leaving: false,
    };
    for id in script.handler_ids() {
        marker.leaving = served.leaving && served.units.contains(&id.index());
        let body = marker.statement(script.handler(id).body);
        marker.ast.handlers[id.index()].body = body;
    }
    for id in script.function_ids() {
        let unit = script.handlers.len() + id.index();
        marker.leaving = served.leaving && served.units.contains(&unit);
        let body = marker.statement(script.function(id).body);
        marker.ast.functions[id.index()].body = body;
    }
    marker.ast
}

struct Marker<'a> {
    script: &'a Ast,
    ast: Ast,
    served: &'a Served,
    /// Whether changes of state are marked.
    leaving: bool,
}

impl Marker<'_> {
    fn statement(&mut self, id: StmtId) -> StmtId {
        let Stmt { kind, span } = self.script.stmt(id).clone();
        let kind = match kind {
            StmtKind::State(_) if self.leaving => {
                let store = store(&mut self.ast, span);
                let own = self.ast.add_stmt(kind, span);
                StmtKind::Block([store, own].into())
            }
            StmtKind::Expr(expr)
                if (self.served.stores).contains(&self.script.without_parentheses(expr)) =>
            {
                let own = self.ast.add_stmt(kind, span);
                let store = store(&mut self.ast, span);
                StmtKind::Block([own, store].into())
            }
            StmtKind::Block(body) => {
                StmtKind::Block(body.iter().map(|&stmt| self.statement(stmt)).collect())
            }
            StmtKind::If { arms, otherwise } => StmtKind::If {
                arms: arms
                    .iter()
                    .map(|&(condition, body)| (condition, self.statement(body)))
                    .collect(),
                otherwise: otherwise.map(|stmt| self.statement(stmt)),
            },
            StmtKind::While { condition, body } => StmtKind::While {
                condition,
                body: self.statement(body),
            },
            StmtKind::DoWhile { body, condition } => StmtKind::DoWhile {
                body: self.statement(body),
                condition,
            },
            StmtKind::For {
                before,
                condition,
                after,
                body,
            } => StmtKind::For {
                before,
                condition,
                after,
                body: self.statement(body),
            },
            other => other,
        };
        self.ast.add_stmt(kind, span)
    }
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
