//! Replies that are not matched to their requests, or compared with the key of no request.

use source::{Diagnostic, Diagnostics};

use super::look::Look;
use crate::ast::{BinaryOp, ExprKind};
use crate::check::Constants;
use crate::codes::habits as code;
use crate::facts;

/// Events that answer requests, with the key of the request first.
const REPLIES: [&str; 3] = ["dataserver", "http_response", "transaction_result"];

/// Handlers that do not look at the key.
pub(super) fn unmatched(look: &Look<'_>, found: &mut Diagnostics) {
    for event in REPLIES {
        let asks = |name: &str| facts::role(name).and_then(facts::Role::answer) == Some(event);
        let requests = look.calls.iter().filter(|call| asks(call.name)).count();
        if requests == 0 || (requests < 2 && !look.has_money) {
            continue;
        }
        for unit in look.handlers(event) {
            if look.exprs(unit).is_empty() || look.reads_parameter(unit, 0) {
                continue;
            }
            let handler = &look.checked.ast.handlers[unit];
            found.push(
                Diagnostic::warning(
                    code::UNMATCHED_REPLY,
                    format!("this `{event}` takes any answer, not only the one that is waited for"),
                )
                .at(handler.event.span)
                .help("compare its first parameter with the key that the request gave"),
            );
        }
    }
}

/// The events of [`REPLIES`], and `http_request`, which answers `llRequestURL`.
const WITH_KEYS: [&str; 4] = [REPLIES[0], REPLIES[1], REPLIES[2], "http_request"];

/// Comparisons of a reply's key with a variable that is never assigned.
pub(super) fn never_kept(look: &Look<'_>, found: &mut Diagnostics) {
    let ast = &look.checked.ast;
    let constants = Constants::of(look.checked);
    for unit in WITH_KEYS.iter().flat_map(|event| look.handlers(event)) {
        for &expr in look.exprs(unit) {
            let ExprKind::Binary {
                op: BinaryOp::Equal,
                left,
                right,
                ..
            } = ast.expr(expr).kind
            else {
                continue;
            };
            let is_key = |expr| look.is_parameter(ast.without_parentheses(expr), 0);
            let kept = match (is_key(left), is_key(right)) {
                (true, _) => look.global(right),
                (_, true) => look.global(left),
                _ => None,
            };
            if let Some(global) = kept.filter(|&global| constants.is_one(global)) {
                let name = ast.name_text(ast.global(global).name);
                found.push(
                    Diagnostic::warning(
                        code::DEAD_HANDLER,
                        format!("this is never so: nothing is assigned to `{name}`"),
                    )
                    .at(ast.expr(expr).span)
                    .help(format!("keep the key that the request gives in `{name}`")),
                );
            }
        }
    }
}
