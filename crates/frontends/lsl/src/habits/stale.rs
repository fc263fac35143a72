//! Payers who are forgotten when somebody else pays.

use std::collections::{BTreeSet, HashSet};

use source::{Diagnostic, Diagnostics};

use super::apart::{Apart, told_apart};
use super::look::{Look, Unit, is_gift, is_payment};
use crate::ast::{ExprId, GlobalId, StmtId, StmtKind};
use crate::check::Resolution;
use crate::codes::habits as code;

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
    let ast = &look.checked.ast;
    let served = served_later(look);
    for unit in look.handlers("money") {
        if leaves(look, unit) {
            continue;
        }
        let guards = guards(look, unit);
        let asks = |condition: ExprId| {
            let asked = asks_for(look, condition, &guards);
            Apart {
                met: asked,
                unmet: asked,
            }
        };
        for (expr, guarded) in told_apart(look, unit, &asks) {
            let Some((place, value)) = look.assignment(expr) else {
                continue;
            };
            let inner = ast.without_parentheses(value);
            let Some(global) = look.global(place).filter(|global| served.contains(global)) else {
                continue;
            };
            if !guarded && look.is_parameter(inner, 0) {
                let name = ast.name_text(ast.global(global).name);
                found.push(
                    Diagnostic::warning(
                        code::STALE_PAYER,
                        format!("the next payer takes the place of the last in `{name}`"),
                    )
                    .at(ast.expr(expr).span)
                    .help("keep payments away until the payer is served, or keep all payers"),
                );
            }
        }
    }
}

/// Calls that tell somebody something nobody else hears.
const TOLD: [&str; 2] = ["llInstantMessage", "llRegionSayTo"];

/// Variables whose value is given something, paid or told something in a later handler, or kept there in
/// such a variable.
fn served_later(look: &Look<'_>) -> HashSet<GlobalId> {
    let later: BTreeSet<Unit> = look
        .units()
        .filter(|&unit| look.event(unit).is_some_and(|event| LATER.contains(&event)))
        .flat_map(|unit| look.reached(unit).iter().copied())
        .collect();
    let calls = look.calls.iter();
    let mut served: HashSet<GlobalId> = calls
        .filter(|call| later.contains(&call.unit))
        .filter(|call| is_payment(call.name) || is_gift(call.name) || TOLD.contains(&call.name))
        .filter_map(|call| look.global(call.arguments[0]))
        .collect();
    let copies: Vec<(GlobalId, GlobalId)> = later
        .iter()
        .flat_map(|&unit| look.stores(unit))
        .filter_map(|(kept, _, _, value)| Some((kept, look.global(value)?)))
        .collect();
    let mut count = 0;
    while count != served.len() {
        count = served.len();
        let copied = copies.iter().filter(|(kept, _)| served.contains(kept));
        let copied: Vec<GlobalId> = copied.map(|&(_, value)| value).collect();
        served.extend(copied);
    }
    served
}

/// Whether a handler goes to another state.
fn leaves(look: &Look<'_>, unit: Unit) -> bool {
    look.reached(unit).iter().any(|&unit| {
        let is_change =
            |&stmt: &StmtId| matches!(look.checked.ast.stmt(stmt).kind, StmtKind::State(_));
        look.stmts(unit).iter().any(is_change)
    })
}

/// Variables that a handler sets: a test of one may keep payments away meanwhile.
fn guards(look: &Look<'_>, unit: Unit) -> HashSet<GlobalId> {
    let stores = look
        .reached(unit)
        .iter()
        .flat_map(|&unit| look.stores(unit));
    stores.map(|(global, ..)| global).collect()
}

/// Whether a condition asks for one of these variables, itself or by a function.
fn asks_for(look: &Look<'_>, condition: ExprId, guards: &HashSet<GlobalId>) -> bool {
    let ast = &look.checked.ast;
    look.any(condition, |part| {
        if let Some(Resolution::Function(function)) = look.checked.exprs.resolution(part) {
            let called = ast.handlers.len() + function.index();
            let reached = look.reached(called).iter();
            return reached
                .flat_map(|&unit| look.exprs(unit))
                .any(|&expr| look.global(expr).is_some_and(|it| guards.contains(&it)));
        }
        look.global(part).is_some_and(|it| guards.contains(&it))
    })
}
