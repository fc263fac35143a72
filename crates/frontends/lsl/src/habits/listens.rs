//! Listens: who may speak, and how many there are.

use source::{Diagnostic, Diagnostics};

use super::look::{Look, Unit, is_gift, is_payment};
use crate::ast::{BinaryOp, ExprId, ExprKind, StmtKind};
use crate::check::Resolution;
use crate::codes::habits as code;

/// The position of the speaker's key among the parameters of `listen`.
const SPEAKER: usize = 2;

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
        if look.text(call.arguments[2]).is_some_and(everybody) {
            found.push(
                Diagnostic::warning(code::OPEN_LISTEN, "anybody may say what this script obeys")
                    .at(call.span)
                    .help("listen to one avatar, or look at who speaks in `listen`"),
            );
        }
    }
}

/// Whether a handler compares the speaker with anything, or asks a function about them in a condition.
fn asks_who(look: &Look<'_>, unit: Unit) -> bool {
    let ast = &look.checked.ast;
    let names = |expr: ExprId| look.any(expr, |part| look.is_parameter(part, SPEAKER));
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
            .any(|&expr| match ast.expr(expr).kind {
                ExprKind::Binary {
                    op: BinaryOp::Equal | BinaryOp::NotEqual,
                    left,
                    right,
                    ..
                } => names(left) || names(right),
                _ => false,
            })
}

fn does_something(look: &Look<'_>, unit: Unit) -> bool {
    let acts =
        |name: &str| is_payment(name) || is_gift(name) || matches!(name, "llResetScript" | "llDie");
    look.calls_from(unit).any(|call| acts(call.name))
        || look
            .reached(unit)
            .iter()
            .any(|&unit| look.stores(unit).next().is_some())
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

/// Whether a value may be another at each call: something that the event brings, or that is computed.
fn varies(look: &Look<'_>, expr: ExprId) -> bool {
    look.any(expr, |part| match look.checked.exprs.resolution(part) {
        Some(Resolution::Local(_)) => true,
        Some(Resolution::Library(function)) => !matches!(function.name, "llGetOwner" | "llGetKey"),
        _ => false,
    })
}

/// Whether a handler changes the state, which ends its listens.
fn leaves(look: &Look<'_>, handler: Unit) -> bool {
    let stmts = look.stmts(handler).iter();
    stmts
        .map(|&stmt| &look.checked.ast.stmt(stmt).kind)
        .any(|kind| matches!(kind, StmtKind::State(_)))
}
