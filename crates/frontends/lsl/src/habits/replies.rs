//! Replies that are not matched to their requests.

use source::{Diagnostic, Diagnostics};

use super::look::Look;
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
