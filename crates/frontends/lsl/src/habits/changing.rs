//! Goods that change while somebody is about to pay for them.

use std::collections::BTreeSet;

use source::{Diagnostic, Diagnostics};

use super::apart::{Apart, told_apart};
use super::look::{Look, Unit, is_gift};
use crate::ast::{ExprId, ExprKind, GlobalId, HandlerId};
use crate::check::Resolution;
use crate::codes::habits as code;
use crate::types::Type;

/// Events that come while the pay window of somebody else is open.
const MEANWHILE: [&str; 6] = [
    "link_message",
    "listen",
    "timer",
    "touch",
    "touch_end",
    "touch_start",
];

/// Variables that say what `money` hands over, and that another handler of the same state sets for
/// anybody.
pub(super) fn goods(look: &Look<'_>, found: &mut Diagnostics) {
    let ast = &look.checked.ast;
    let mut told: BTreeSet<usize> = BTreeSet::new();
    for unit in look.handlers("money") {
        let state = ast.handler(HandlerId::new(unit)).state;
        let own = |global: &GlobalId| {
            let mut stores = look.reached(unit).iter().flat_map(|&it| look.stores(it));
            stores.any(|(stored, ..)| stored == *global)
        };
        let calls = look.calls_from(unit).filter(|call| is_gift(call.name));
        for call in calls {
            // Of several things, the second argument is the folder's name.
            let position = if call.name == "llGiveInventoryList" {
                2
            } else {
                1
            };
            let Some(&item) = call.arguments.get(position) else {
                continue;
            };
            for global in choice(look, call.unit, item) {
                if own(&global) || told.contains(&global.index()) {
                    continue;
                }
                let changes = look.units().find_map(|other| {
                    let event = look.event(other)?;
                    let here = ast.handler(HandlerId::new(other)).state == state;
                    (here && MEANWHILE.contains(&event))
                        .then(|| changed(look, other, global))
                        .flatten()
                });
                if let Some(change) = changes {
                    told.insert(global.index());
                    let name = ast.name_text(ast.global(global).name);
                    found.push(
                        Diagnostic::warning(
                            code::CHANGING_GOODS,
                            format!("`{name}` may be another by the time somebody has paid"),
                        )
                        .at(call.span)
                        .label(ast.expr(change).span, "it changes here")
                        .help("a pay window stays open for as long as its owner likes: compare the price, or keep what each buyer was shown"),
                    );
                }
            }
        }
    }
}

/// The variables, lists aside, that decide what is handed over.
fn choice(look: &Look<'_>, unit: Unit, item: ExprId) -> BTreeSet<GlobalId> {
    let ast = &look.checked.ast;
    let (mut seen, mut pending, mut all) = (Vec::new(), vec![(unit, item)], BTreeSet::new());
    while let Some((unit, expr)) = pending.pop() {
        for part in look.within(expr) {
            match look.checked.exprs.resolution(part) {
                Some(Resolution::Global(global)) => {
                    let ty = ast.global(global).ty;
                    if matches!(ty, Type::Integer | Type::String) {
                        all.insert(global);
                    }
                }
                Some(Resolution::Local(local)) if !seen.contains(&(unit, local)) => {
                    seen.push((unit, local));
                    pending.extend(look.given(unit, local));
                }
                _ => {}
            }
        }
    }
    all
}

/// Where a handler sets a variable for anybody, not only for the owner or a user who is let in.
fn changed(look: &Look<'_>, handler: Unit, global: GlobalId) -> Option<ExprId> {
    let ast = &look.checked.ast;
    let asks = |condition: ExprId| {
        let asked = look.any(condition, |part| {
            look.is_owner(part)
                || look
                    .global(part)
                    .is_some_and(|it| ast.global(it).ty == Type::Key)
        });
        Apart {
            met: asked,
            unmet: asked,
        }
    };
    for (expr, guarded) in told_apart(look, handler, &asks) {
        if guarded {
            continue;
        }
        let sets = |expr: ExprId| match ast.expr(expr).kind {
            ExprKind::Assign { place, .. } | ExprKind::Step { place, .. } => {
                look.global(place) == Some(global)
            }
            _ => false,
        };
        if sets(expr) {
            return Some(expr);
        }
        if let Some(Resolution::Function(function)) = look.checked.exprs.resolution(expr) {
            let called = ast.handlers.len() + function.index();
            let mut parts = look
                .reached(called)
                .iter()
                .flat_map(|&unit| look.exprs(unit));
            if parts.any(|&part| sets(part)) {
                return Some(expr);
            }
        }
    }
    None
}
