//! Payments whose recipient is named by a message.

use std::collections::HashSet;

use source::{Diagnostic, Diagnostics};

use super::look::{Look, Unit, is_payment};
use crate::ast::{ExprId, GlobalId, LocalId};
use crate::check::Resolution;
use crate::codes::habits as code;

/// Events that bring what anybody may have written, and which parameter that is.
const WRITTEN: [(&str, usize); 3] = [("listen", 3), ("http_request", 2), ("email", 3)];

/// Payments to a key that was read from a message whose sender is not checked.
pub(super) fn told(look: &Look<'_>, found: &mut Diagnostics) {
    for call in look.calls.iter().filter(|call| is_payment(call.name)) {
        let mut trail = Trail::default();
        if let Some(event) = trail.written(look, call.unit, call.arguments[0]) {
            found.push(
                Diagnostic::warning(
                    code::TOLD_PAYEE,
                    format!("who is paid here stands in what `{event}` brings"),
                )
                .at(call.span)
                .help("keep the key of the payer, and look who sends the message"),
            );
        }
    }
}

/// The variables that have been followed to where their values come from.
#[derive(Default)]
struct Trail {
    locals: HashSet<(Unit, LocalId)>,
    globals: HashSet<GlobalId>,
}

impl Trail {
    /// The event that brings what an expression is made of, if anybody may have written that.
    fn written(&mut self, look: &Look<'_>, unit: Unit, expr: ExprId) -> Option<&'static str> {
        let mut pending = vec![(unit, expr)];
        while let Some((unit, expr)) = pending.pop() {
            for part in look.within(expr) {
                match look.checked.exprs.resolution(part) {
                    Some(Resolution::Local(local)) if self.locals.insert((unit, local)) => {
                        let is_it = |(event, parameter): &&(&'static str, usize)| {
                            look.event(unit) == Some(event) && local.index() == *parameter
                        };
                        // Who looks at the sender knows who it is.
                        let event = WRITTEN.iter().find(is_it);
                        match event {
                            Some(("listen", _)) if look.reads_parameter(unit, 2) => {}
                            Some((event, _)) => return Some(event),
                            None => pending.extend(look.given(unit, local)),
                        }
                    }
                    Some(Resolution::Global(global)) if self.globals.insert(global) => {
                        for unit in look.units() {
                            let stores = look.stores(unit).filter(|(to, ..)| *to == global);
                            pending.extend(stores.map(|(.., value)| (unit, value)));
                        }
                    }
                    _ => {}
                }
            }
        }
        None
    }
}
