//! Dialogs: buttons that nothing handles.

use std::collections::HashSet;

use source::{Diagnostic, Diagnostics};

use super::apart::{Apart, told_apart};
use super::listens::leaves;
use super::look::{Call, Look, Unit};
use crate::ast::{BinaryOp, ExprId, ExprKind, StateId, StmtKind};
use crate::check::Resolution;
use crate::codes::habits as code;

/// The position of the text among the parameters of `listen`.
const TEXT: usize = 3;

/// That of the channel.
const CHANNEL: usize = 0;

/// Buttons that are there to do nothing, as those without a letter are.
const IDLE: [&str; 8] = [
    "cancel", "close", "exit", "no", "ok", "done", "quit", "back",
];

/// Whether a button says something that is to be done.
fn is_command(text: &str) -> bool {
    let idle = IDLE.contains(&text.trim().to_lowercase().as_str());
    text.contains(char::is_alphanumeric) && !idle
}

/// The handlers that hear what is answered to a dialog, as far as the text tells: those of the states in
/// which it is shown, or all if a handler that shows it may go to another state.
fn hearers(look: &Look<'_>, dialog: &Call<'_>) -> Vec<Unit> {
    let states = shown_in(look, dialog);
    let ast = &look.checked.ast;
    let all = look.handlers("listen");
    match states {
        Some(states) => all
            .filter(|&unit| states.contains(&ast.handlers[unit].state))
            .collect(),
        None => all.collect(),
    }
}

/// The states in which a dialog is shown and that are not left at once.
fn shown_in(look: &Look<'_>, dialog: &Call<'_>) -> Option<Vec<StateId>> {
    let handlers = look
        .units()
        .filter(|&unit| look.event(unit).is_some() && look.reached(unit).contains(&dialog.unit));
    let mut states = Vec::new();
    for unit in handlers {
        if look.reached(unit).iter().any(|&unit| leaves(look, unit)) {
            return None;
        }
        states.push(look.checked.ast.handlers[unit].state);
    }
    Some(states)
}

/// Dialogs in a state that hears no answer, in scripts that hear answers in another.
pub(super) fn unheard(look: &Look<'_>, found: &mut Diagnostics) {
    let ast = &look.checked.ast;
    if look.handlers("listen").next().is_none() {
        return;
    }
    for call in &look.calls {
        let asks = match call.name {
            "llTextBox" => true,
            "llDialog" => texts(look, call.unit, call.arguments[2])
                .iter()
                .any(|&button| look.text(button).is_some_and(is_command)),
            _ => false,
        };
        let states = shown_in(look, call).filter(|_| asks).unwrap_or_default();
        let deaf = states.into_iter().find(|&state| {
            let mut handlers = ast
                .state(state)
                .handlers
                .iter()
                .map(|handler| handler.index());
            let mut all = handlers.clone();
            !handlers.any(|unit| look.event(unit) == Some("listen"))
                || !all.any(|unit| look.calls_from(unit).any(|call| call.name == "llListen"))
        });
        if let Some(state) = deaf {
            let name = ast.name_text(ast.state(state).name);
            found.push(
                Diagnostic::warning(
                    code::UNHANDLED_BUTTON,
                    format!("state `{name}` does not hear what is answered to this"),
                )
                .at(call.span)
                .help("call `llListen` in that state, and handle `listen`"),
            );
        }
    }
}

/// Buttons whose text is compared with nothing.
pub(super) fn unhandled(look: &Look<'_>, found: &mut Diagnostics) {
    let dialogs = || look.calls.iter().filter(|call| call.name == "llDialog");
    let buttons: Vec<Vec<ExprId>> = dialogs()
        .map(|call| texts(look, call.unit, call.arguments[2]))
        .collect();
    let own: HashSet<ExprId> = buttons.iter().flatten().copied().collect();
    let elsewhere: HashSet<&str> = look
        .checked
        .ast
        .expr_ids()
        .filter(|expr| !own.contains(expr))
        .filter_map(|expr| look.text(expr))
        .collect();
    let mut told = HashSet::new();
    for (call, buttons) in dialogs().zip(&buttons) {
        let handlers = hearers(look, call);
        let all = |unit: &Unit| only_compares(look, *unit, call.arguments[3]);
        if handlers.is_empty() || !handlers.iter().all(all) {
            continue;
        }
        for &button in buttons.iter().filter(|&&button| told.insert(button)) {
            let text = look.text(button).unwrap_or_default();
            if is_command(text) && !elsewhere.contains(text) {
                found.push(
                    Diagnostic::warning(
                        code::UNHANDLED_BUTTON,
                        format!("nothing handles the button `{text}`"),
                    )
                    .at(look.checked.ast.expr(button).span)
                    .label(call.span, "of this dialog"),
                );
            }
        }
    }
}

/// The texts that a list of buttons writes out: where the dialog is, or where a variable gets a value, or
/// where a function is called that gets the list.
fn texts(look: &Look<'_>, unit: Unit, list: ExprId) -> Vec<ExprId> {
    let ast = &look.checked.ast;
    let mut found = Vec::new();
    let (mut seen, mut pending) = (HashSet::new(), vec![(unit, list)]);
    while let Some((unit, list)) = pending.pop() {
        let list = ast.without_parentheses(list);
        if !seen.insert(list) {
            continue;
        }
        match &ast.expr(list).kind {
            ExprKind::List(parts) => {
                let parts = parts.iter().copied();
                found.extend(parts.filter(|&part| look.text(part).is_some()));
            }
            ExprKind::Binary {
                op: BinaryOp::Add,
                left,
                right,
                ..
            } => pending.extend([(unit, *left), (unit, *right)]),
            ExprKind::Name(_) => match look.checked.exprs.resolution(list) {
                Some(Resolution::Global(global)) => {
                    pending.extend(ast.global(global).value.map(|value| (unit, value)));
                    for unit in look.units() {
                        let stores = look.stores(unit).filter(|(to, ..)| *to == global);
                        pending.extend(stores.map(|(.., value)| (unit, value)));
                    }
                }
                Some(Resolution::Local(local)) => {
                    pending.extend(look.given(unit, local));
                }
                _ => {}
            },
            _ => {}
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// Whether a condition asks for another channel than that of a dialog.
fn is_about_another(look: &Look<'_>, channel: ExprId, condition: ExprId) -> bool {
    let ast = &look.checked.ast;
    let ExprKind::Binary {
        op: BinaryOp::Equal,
        left,
        right,
        ..
    } = ast.expr(ast.without_parentheses(condition)).kind
    else {
        return false;
    };
    let asked = match (
        look.is_parameter(left, CHANNEL),
        look.is_parameter(right, CHANNEL),
    ) {
        (true, _) => right,
        (_, true) => left,
        _ => return false,
    };
    match (look.global(channel), look.global(asked)) {
        (Some(one), Some(other)) => one != other,
        (None, None) => match (look.integer(channel), look.integer(asked)) {
            (Some(one), Some(other)) => one != other,
            _ => false,
        },
        _ => false,
    }
}

/// Whether a handler compares what is said with texts that it writes, and does nothing with it by which
/// something else could handle it: it neither keeps it nor passes it on, nor looks for it in a list.
/// What it does with what is said on another channel does not matter.
fn only_compares(look: &Look<'_>, unit: Unit, channel: ExprId) -> bool {
    let ast = &look.checked.ast;
    let asks = |condition: ExprId| Apart {
        met: is_about_another(look, channel, condition),
        unmet: false,
    };
    let here: HashSet<ExprId> = told_apart(look, unit, &asks)
        .into_iter()
        .filter(|&(_, is_about_another)| !is_about_another)
        .map(|(expr, _)| expr)
        .collect();
    let heard = |expr: ExprId| look.is_parameter(ast.without_parentheses(expr), TEXT);
    let mut compares = false;
    for &expr in &here {
        match &ast.expr(expr).kind {
            ExprKind::Binary {
                op: BinaryOp::Equal | BinaryOp::NotEqual,
                left,
                right,
                ..
            } => {
                compares |= heard(*left) && look.text(*right).is_some()
                    || heard(*right) && look.text(*left).is_some();
            }
            ExprKind::Assign { value, .. } if look.any(*value, heard) => return false,
            ExprKind::Call { arguments, .. }
                if !is_said(look, expr)
                    && arguments.iter().any(|&argument| look.any(argument, heard)) =>
            {
                return false;
            }
            _ => {}
        }
    }
    let keeps = look
        .stmts(unit)
        .iter()
        .any(|&stmt| match ast.stmt(stmt).kind {
            StmtKind::Declare {
                value: Some(value), ..
            } => here.contains(&value) && look.any(value, heard),
            _ => false,
        });
    compares && !keeps
}

/// Whether a call only tells people what was said, or makes it lower case.
fn is_said(look: &Look<'_>, call: ExprId) -> bool {
    matches!(
        look.checked.exprs.resolution(call),
        Some(Resolution::Library(function)) if matches!(
            function.name,
            "llSay" | "llOwnerSay" | "llInstantMessage" | "llWhisper" | "llShout" | "llToLower"
                | "llToUpper" | "llRegionSayTo" | "llStringLength"
        )
    )
}
