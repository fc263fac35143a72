//! States in which money stays that was paid elsewhere.

use source::{Diagnostic, Diagnostics};

use super::look::{Look, Unit, is_payment};
use crate::ast::{StateId, StmtKind};
use crate::codes::habits as code;

/// Calls by which a script leaves the state that it is in, other than `state`.
const LEAVES: [&str; 4] = [
    "llDie",
    "llRemoveInventory",
    "llResetScript",
    "llSetScriptState",
];

/// States that are never left and pay nothing, in scripts that keep payments to pay with them later.
pub(super) fn states(look: &Look<'_>, found: &mut Diagnostics) {
    if !keeps(look) {
        return;
    }
    let ast = &look.checked.ast;
    let goes_on = |unit: Unit| {
        let calls = |name: &str| is_payment(name) || LEAVES.contains(&name);
        look.calls_from(unit).any(|call| calls(call.name)) || leads_to(look, unit).next().is_some()
    };
    for state in ast.state_ids() {
        let handlers = &ast.state(state).handlers;
        if handlers.iter().any(|handler| goes_on(handler.index())) {
            continue;
        }
        let entered = look.units().find_map(|unit| {
            let mut steps = leads_to(look, unit);
            steps.find(|&(_, target)| target == state)
        });
        let Some((from, _)) = entered else {
            continue;
        };
        let name = ast.state(state).name;
        let message = format!(
            "state `{}` is never left and pays nothing: money that is due by then stays with the owner",
            ast.name_text(name)
        );
        found.push(
            Diagnostic::warning(code::STUCK_MONEY, message)
                .at(name.span)
                .label(from, "the script goes there"),
        );
    }
}

/// Whether the script pays out what it has been paid before: it takes money, and pays where no payment
/// is handled.
fn keeps(look: &Look<'_>) -> bool {
    let handlers = 0..look.checked.ast.handlers.len();
    let pays = |unit: Unit| look.calls_from(unit).any(|call| is_payment(call.name));
    let mut later = handlers.filter(|&unit| look.event(unit) != Some("money"));
    look.handlers("money").next().is_some() && later.any(pays)
}

/// The other states to which a unit goes, or a function that it calls.
fn leads_to(look: &Look<'_>, unit: Unit) -> impl Iterator<Item = (source::Span, StateId)> {
    let ast = &look.checked.ast;
    let stmts = look.reached(unit).iter().flat_map(|&unit| look.stmts(unit));
    stmts.filter_map(|&stmt| {
        let StmtKind::State(_) = ast.stmt(stmt).kind else {
            return None;
        };
        let target = look.checked.target_state(stmt)?;
        Some((ast.stmt(stmt).span, target))
    })
}
