//! Listens: who may speak, and how many there are.

use std::collections::HashSet;

use source::{Diagnostic, Diagnostics};

use super::apart::{Apart, told_apart};
use super::look::{Look, Unit, is_gift, is_payment};
use crate::ast::{BinaryOp, ExprId, ExprKind, GlobalId, StmtKind};
use crate::check::Resolution;
use crate::codes::habits as code;
use crate::facts;

/// The position of the speaker's key among the parameters of `listen`.
pub(super) const SPEAKER: usize = 2;

/// The position of the speaker's name among them.
const NAME: usize = 1;

/// That of what is said, the last.
const TEXT: usize = 3;

/// Listens that hear everybody, with a handler that does something and does not ask who speaks.
pub(super) fn open(look: &Look<'_>, found: &mut Diagnostics) {
    if !look.has_money {
        return;
    }
    let careless: Vec<Unit> = look
        .handlers("listen")
        .filter(|&unit| !asks_who(look, unit) && does_something(look, unit))
        .collect();
    if careless.is_empty() {
        return;
    }
    for call in look.calls.iter().filter(|call| call.name == "llListen") {
        let everybody = |text: &str| text.is_empty() || text.chars().all(|c| c == '0' || c == '-');
        let heard = call.arguments[2];
        if look.text(heard).is_some_and(everybody) || detects_nobody(look, call.unit, heard) {
            found.push(
                Diagnostic::warning(code::OPEN_LISTEN, "anybody may say what this script obeys")
                    .at(call.span)
                    .help("listen to one avatar, or look at who speaks in `listen`"),
            );
        }
    }
}

/// Places where `listen` obeys whoever has a certain name, and does not look at their key.
pub(super) fn named(look: &Look<'_>, found: &mut Diagnostics) {
    let ast = &look.checked.ast;
    if !look.has_money {
        return;
    }
    let asks = |condition: ExprId| {
        let asked = look.any(condition, |part| look.is_parameter(part, SPEAKER));
        Apart {
            met: asked,
            unmet: asked,
        }
    };
    for unit in look.handlers("listen") {
        for (expr, guarded) in told_apart(look, unit, &asks) {
            let ExprKind::Binary {
                op: BinaryOp::Equal,
                left,
                right,
                ..
            } = ast.expr(expr).kind
            else {
                continue;
            };
            let is_name = |expr: ExprId| look.is_parameter(ast.without_parentheses(expr), NAME);
            let beside = asked_beside(look, unit, expr);
            if !guarded && !beside && (is_name(left) || is_name(right)) {
                found.push(
                    Diagnostic::warning(code::OPEN_LISTEN, "any object may be given this name")
                        .at(ast.expr(expr).span)
                        .help(
                            "compare the owner of who speaks: `llGetOwnerKey(id) == llGetOwner()`",
                        ),
                );
            }
        }
    }
}

/// Whether the condition of which an expression is a part also asks for the key of who speaks.
fn asked_beside(look: &Look<'_>, unit: Unit, expr: ExprId) -> bool {
    let asks = |condition: ExprId| {
        let parts = look.within(condition);
        parts.contains(&expr) && parts.iter().any(|&part| look.is_parameter(part, SPEAKER))
    };
    look.exprs(unit).iter().any(|&around| asks(around))
}

/// Whether a key is that of somebody detected, in a unit that runs only where nobody is: it is `NULL_KEY`.
fn detects_nobody(look: &Look<'_>, unit: Unit, key: ExprId) -> bool {
    let ast = &look.checked.ast;
    let is_detected = matches!(
        look.checked.exprs.resolution(ast.without_parentheses(key)),
        Some(Resolution::Library(function)) if function.name == "llDetectedKey"
    );
    let detects = |&handler: &Unit| {
        let event = look.event(handler).and_then(facts::event);
        event.is_some_and(|event| event.detected)
    };
    let mut handlers = look
        .units()
        .filter(|&handler| look.event(handler).is_some() && look.reached(handler).contains(&unit));
    is_detected && handlers.any(|handler| !detects(&handler))
}

/// Whether a handler compares the speaker with anything, or asks in a condition for them, or for what a
/// function has found out about them.
fn asks_who(look: &Look<'_>, unit: Unit) -> bool {
    let ast = &look.checked.ast;
    let speaks = |expr: ExprId| look.any(expr, |part| look.is_parameter(part, SPEAKER));
    let found_out = |part: ExprId| match look.checked.exprs.resolution(part) {
        Some(Resolution::Local(local)) if local.index() > TEXT => {
            let given = look.given(unit, local);
            given.iter().any(|&(_, value)| speaks(value))
        }
        _ => false,
    };
    let names = |expr: ExprId| speaks(expr) || look.any(expr, found_out);
    let conditions = look
        .stmts(unit)
        .iter()
        .any(|&stmt| match &ast.stmt(stmt).kind {
            StmtKind::If { arms, .. } => arms.iter().any(|&(condition, _)| names(condition)),
            _ => false,
        });
    conditions
        || look
            .exprs(unit)
            .iter()
            .any(|&expr| asks_about(look, expr, &names))
}

/// Whether an expression compares what is named.
pub(super) fn asks_about(look: &Look<'_>, expr: ExprId, names: &dyn Fn(ExprId) -> bool) -> bool {
    match look.checked.ast.expr(expr).kind {
        ExprKind::Binary {
            op: BinaryOp::Equal | BinaryOp::NotEqual,
            left,
            right,
            ..
        } => names(left) || names(right),
        _ => false,
    }
}

/// Whether a handler pays, gives or keeps something; the handle of a listen that it ends is nothing.
fn does_something(look: &Look<'_>, unit: Unit) -> bool {
    let removals = look.calls.iter();
    let removals = removals.filter(|call| call.name == "llListenRemove");
    let handles: HashSet<GlobalId> = removals
        .filter_map(|call| look.global(call.arguments[0]))
        .collect();
    let keeps = |&unit: &Unit| look.stores(unit).any(|(kept, ..)| !handles.contains(&kept));
    look.calls_from(unit).any(|call| acts(call.name)) || look.reached(unit).iter().any(keeps)
}

/// Whether a call pays, gives or ends something.
pub(super) fn acts(name: &str) -> bool {
    is_payment(name) || is_gift(name) || matches!(name, "llResetScript" | "llDie")
}

/// Events that come once or seldom: what they open does not pile up.
const SELDOM: [&str; 4] = ["state_entry", "on_rez", "attach", "run_time_permissions"];

/// Listens that a handler opens again and again, each unlike the others, and that nothing removes.
pub(super) fn leaked(look: &Look<'_>, found: &mut Diagnostics) {
    if look.calls("llListenRemove") {
        return;
    }
    let again = |unit: Unit| {
        look.units()
            .filter(|&handler| {
                look.event(handler)
                    .is_some_and(|event| !SELDOM.contains(&event))
            })
            .any(|handler| look.reached(handler).contains(&unit) && !leaves(look, handler))
    };
    for call in look.calls.iter().filter(|call| call.name == "llListen") {
        let varies = [0, 2].iter().any(|&at| varies(look, call.arguments[at]));
        if varies && again(call.unit) {
            found.push(
                Diagnostic::warning(code::LEAKED_LISTEN, "nothing removes this listen")
                    .at(call.span)
                    .help("a script can have 65; keep the handle, and call `llListenRemove`"),
            );
        }
    }
}

/// Listens on a channel that is drawn anew, whose handle takes the place of the last one's, which may still
/// be open: nothing can remove that one any more. What a timer removes may stay for a while only.
pub(super) fn overwritten(look: &Look<'_>, found: &mut Diagnostics) {
    let ast = &look.checked.ast;
    let removes = |unit: Unit, handle: GlobalId| {
        look.calls_from(unit).any(|call| {
            call.name == "llListenRemove" && look.global(call.arguments[0]) == Some(handle)
        })
    };
    let timed = |handle: GlobalId| look.handlers("timer").any(|unit| removes(unit, handle));
    let draws = |handler: Unit, channel: ExprId| {
        let units = look.reached(handler).iter();
        let mut stores = units.flat_map(|&unit| look.stores(unit));
        let channel = look.global(channel);
        stores.any(|(stored, _, _, value)| Some(stored) == channel && varies(look, value))
    };
    let again = |unit: Unit, handle: GlobalId, channel: ExprId| {
        look.units()
            .filter(|&handler| {
                look.event(handler)
                    .is_some_and(|event| !SELDOM.contains(&event) && event != "listen")
            })
            .any(|handler| {
                look.reached(handler).contains(&unit)
                    && draws(handler, channel)
                    && !leaves(look, handler)
                    && !removes(handler, handle)
            })
    };
    for unit in look.units() {
        for (handle, _, _, value) in look.stores(unit) {
            let Some(call) = look.call(value) else {
                continue;
            };
            let stays =
                call.name == "llListen" && !timed(handle) && again(unit, handle, call.arguments[0]);
            if stays && look.calls("llListenRemove") {
                let name = ast.name_text(ast.global(handle).name);
                found.push(
                    Diagnostic::warning(
                        code::LEAKED_LISTEN,
                        format!("the listen that `{name}` stood for before stays open"),
                    )
                    .at(call.span)
                    .help(format!(
                        "a script can have 65; call `llListenRemove({name})` before"
                    )),
                );
            }
        }
    }
}

/// Whether a value may be another at each call: something that the event brings, or that is computed.
fn varies(look: &Look<'_>, expr: ExprId) -> bool {
    look.any(expr, |part| match look.checked.exprs.resolution(part) {
        Some(Resolution::Local(_)) => true,
        Some(Resolution::Library(function)) => !matches!(function.name, "llGetOwner" | "llGetKey"),
        _ => false,
    })
}

/// Whether a handler changes the state, which ends its listens.
pub(super) fn leaves(look: &Look<'_>, handler: Unit) -> bool {
    let stmts = look.stmts(handler).iter();
    stmts
        .map(|&stmt| &look.checked.ast.stmt(stmt).kind)
        .any(|kind| matches!(kind, StmtKind::State(_)))
}
