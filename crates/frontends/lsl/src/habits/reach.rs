//! States and handlers that nothing leads to.

use std::collections::BTreeSet;

use source::{Diagnostic, Diagnostics};

use super::look::{Look, Unit};
use crate::ast::{StateId, StmtKind};
use crate::codes::habits as code;

/// States that cannot be reached from the first.
pub(super) fn states(look: &Look<'_>, found: &mut Diagnostics) {
    let ast = &look.checked.ast;
    let mut reached: BTreeSet<usize> = BTreeSet::from([0]);
    let mut pending = vec![StateId::new(0)];
    while let Some(state) = pending.pop() {
        for &handler in &ast.state(state).handlers {
            for &unit in look.reached(handler.index()) {
                for &stmt in look.stmts(unit) {
                    if let StmtKind::State(_) = ast.stmt(stmt).kind
                        && let Some(target) = look.checked.target_state(stmt)
                        && reached.insert(target.index())
                    {
                        pending.push(target);
                    }
                }
            }
        }
    }
    for id in ast.state_ids().filter(|id| !reached.contains(&id.index())) {
        let name = ast.state(id).name;
        found.push(
            Diagnostic::warning(
                code::UNREACHABLE_STATE,
                format!("nothing leads to state `{}`", ast.name_text(name)),
            )
            .at(name.span),
        );
    }
}

/// Events that come only if the script calls one of some functions.
const ASKED_FOR: [(&str, &[&str]); 11] = [
    ("timer", &["llSetTimerEvent"]),
    ("listen", &["llListen"]),
    ("sensor", &["llSensor", "llSensorRepeat"]),
    ("no_sensor", &["llSensor", "llSensorRepeat"]),
    (
        "run_time_permissions",
        &["llRequestPermissions", "llAttachToAvatar", "llTakeControls"],
    ),
    ("control", &["llTakeControls"]),
    ("at_target", &["llTarget"]),
    ("not_at_target", &["llTarget"]),
    ("http_request", &["llRequestURL", "llRequestSecureURL"]),
    ("transaction_result", &["llTransferLindenDollars"]),
    (
        "experience_permissions",
        &["llRequestExperiencePermissions"],
    ),
];

/// Events of which a change of state drops what was asked for.
const DROPPED: [&str; 3] = ["listen", "sensor", "no_sensor"];

/// Handlers of events that the script never asks for.
pub(super) fn handlers(look: &Look<'_>, found: &mut Diagnostics) {
    for (event, functions) in ASKED_FOR {
        let asks = |unit: Unit| {
            let mut calls = look.calls_from(unit);
            calls.any(|call| functions.contains(&call.name))
        };
        let is_asked_for = functions.iter().any(|function| look.calls(function));
        for unit in look.handlers(event) {
            let handler = &look.checked.ast.handlers[unit];
            let state = look.checked.ast.state(handler.state);
            let why = if !is_asked_for {
                format!("the script does not call `{}`", functions[0])
            } else if DROPPED.contains(&event)
                && !state.handlers.iter().any(|other| asks(other.index()))
            {
                let name = look.checked.ast.name_text(state.name);
                format!(
                    "nothing in state `{name}` calls `{}`, and a change of state ends what was asked for before",
                    functions[0]
                )
            } else {
                continue;
            };
            found.push(
                Diagnostic::warning(code::DEAD_HANDLER, format!("`{event}` never comes: {why}"))
                    .at(handler.event.span),
            );
        }
    }
}
