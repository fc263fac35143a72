//! Replies that come when the script is in another state.

use source::{Diagnostic, Diagnostics};

use super::look::Look;
use crate::ast::{ExprKind, StateId, StmtId, StmtKind};
use crate::check::Resolution;
use crate::codes::habits as code;
use crate::facts::{self, Role};
use crate::lower::parts_of;

/// Requests right before the script goes to a state that does not handle their answers.
pub(super) fn awaited(look: &Look<'_>, found: &mut Diagnostics) {
    let ast = &look.checked.ast;
    for state in ast.state_ids() {
        for &handler in &ast.state(state).handlers {
            let (stmts, _) = parts_of(ast, ast.handler(handler).body);
            for stmt in stmts {
                if let StmtKind::Block(body) = &ast.stmt(stmt).kind {
                    block(look, (state, body), found);
                }
            }
        }
    }
}

fn block(look: &Look<'_>, (own, body): (StateId, &[StmtId]), found: &mut Diagnostics) {
    let checked = look.checked;
    let ast = &checked.ast;
    let mut requests = Vec::new();
    for &stmt in body {
        let StmtKind::State(name) = ast.stmt(stmt).kind else {
            requests.extend(request(look, stmt));
            continue;
        };
        let Some(target) = checked.target_state(stmt).filter(|target| *target != own) else {
            continue;
        };
        for (function, event, span) in requests.drain(..) {
            if checked.handler_of(target, event).is_some() {
                continue;
            }
            let there = ast.name_text(name);
            found.push(
                Diagnostic::warning(
                    code::REPLY_ELSEWHERE,
                    format!(
                        "the reply to this `{function}` is lost: state `{there}` has no `{event}`"
                    ),
                )
                .at(span)
                .label(
                    ast.stmt(stmt).span,
                    "the script is gone before the reply comes",
                ),
            );
        }
    }
}

/// The request that a statement makes by itself: the function, the event that answers, where.
fn request(look: &Look<'_>, stmt: StmtId) -> Option<(&'static str, &'static str, source::Span)> {
    let ast = &look.checked.ast;
    let value = match ast.stmt(stmt).kind {
        StmtKind::Expr(expr) => expr,
        StmtKind::Declare { value, .. } => value?,
        _ => return None,
    };
    let mut expr = ast.without_parentheses(value);
    if let ExprKind::Assign {
        op: None, value, ..
    } = ast.expr(expr).kind
    {
        expr = ast.without_parentheses(value);
    }
    match look.checked.exprs.resolution(expr)? {
        Resolution::Library(function) => {
            let event = facts::role(function.name).and_then(Role::answer)?;
            Some((function.name, event, ast.expr(expr).span))
        }
        _ => None,
    }
}
