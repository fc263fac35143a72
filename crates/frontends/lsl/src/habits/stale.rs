//! Payers who are forgotten when somebody else pays.

use std::collections::HashSet;

use source::{Diagnostic, Diagnostics};

use super::look::{Look, Unit, is_gift, is_payment};
use crate::ast::{ExprId, GlobalId, StmtId, StmtKind};
use crate::codes::habits as code;
use crate::lower::parts_of;

/// Events in which payers are served later.
const LATER: [&str; 8] = [
    "dataserver",
    "http_response",
    "listen",
    "timer",
    "run_time_permissions",
    "link_message",
    "transaction_result",
    "object_rez",
];

/// Places where `money` keeps the payer in a variable that a later handler serves.
pub(super) fn payer(look: &Look<'_>, found: &mut Diagnostics) {
    let served = served_later(look);
    for unit in look.handlers("money") {
        if is_guarded(look, unit) {
            continue;
        }
        for (global, assignment, with_operator, value) in look.stores(unit) {
            let inner = look.checked.ast.without_parentheses(value);
            if !with_operator && look.is_parameter(inner, 0) && served.contains(&global) {
                let ast = &look.checked.ast;
                let name = ast.name_text(ast.global(global).name);
                found.push(
                    Diagnostic::warning(
                        code::STALE_PAYER,
                        format!("the next payer takes the place of the last in `{name}`"),
                    )
                    .at(ast.expr(assignment).span)
                    .help("keep payments away until the payer is served, or keep all payers"),
                );
            }
        }
    }
}

/// Calls that tell somebody something nobody else hears.
const TOLD: [&str; 2] = ["llInstantMessage", "llRegionSayTo"];

/// Variables whose value is given something, paid or told something in a later handler.
fn served_later(look: &Look<'_>) -> HashSet<GlobalId> {
    let later = look
        .units()
        .filter(|&unit| look.event(unit).is_some_and(|event| LATER.contains(&event)));
    later
        .flat_map(|unit| look.calls_from(unit))
        .filter(|call| is_payment(call.name) || is_gift(call.name) || TOLD.contains(&call.name))
        .filter_map(|call| look.global(call.arguments[0]))
        .collect()
}

/// Whether a handler keeps payments away meanwhile: it goes to another state, or tests a variable that
/// it also sets.
fn is_guarded(look: &Look<'_>, unit: Unit) -> bool {
    let ast = &look.checked.ast;
    let leaves = |stmt: &StmtId| matches!(ast.stmt(*stmt).kind, StmtKind::State(_));
    let set: HashSet<GlobalId> = look.stores(unit).map(|(global, ..)| global).collect();
    let tests = |stmt: &StmtId| match &ast.stmt(*stmt).kind {
        StmtKind::If { arms, .. } => arms.iter().any(|&(condition, _)| {
            look.any(condition, |part: ExprId| {
                look.global(part)
                    .is_some_and(|global| set.contains(&global))
            })
        }),
        _ => false,
    };
    look.reached(unit).iter().any(|&unit| {
        let body = match ast.handlers.get(unit) {
            Some(handler) => handler.body,
            None => ast.functions[unit - ast.handlers.len()].body,
        };
        let (stmts, _) = parts_of(ast, body);
        stmts.iter().any(|stmt| leaves(stmt) || tests(stmt))
    })
}
