//! Dialogs: buttons that nothing handles.

use std::collections::HashSet;

use source::{Diagnostic, Diagnostics};

use super::look::{Look, Unit};
use crate::ast::{BinaryOp, ExprId, ExprKind, StmtKind};
use crate::check::Resolution;
use crate::codes::habits as code;

/// The position of the text among the parameters of `listen`.
const TEXT: usize = 3;

/// Buttons that are there to do nothing, as those without a letter are.
const IDLE: [&str; 8] = [
    "cancel", "close", "exit", "no", "ok", "done", "quit", "back",
];

/// Buttons whose text is compared with nothing.
pub(super) fn unhandled(look: &Look<'_>, found: &mut Diagnostics) {
    let handlers: Vec<Unit> = look.handlers("listen").collect();
    if handlers.is_empty() || !handlers.iter().all(|&unit| only_compares(look, unit)) {
        return;
    }
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
        for &button in buttons.iter().filter(|&&button| told.insert(button)) {
            let text = look.text(button).unwrap_or_default();
            let idle = !text.contains(char::is_alphanumeric)
                || IDLE.contains(&text.trim().to_lowercase().as_str());
            if !idle && !elsewhere.contains(text) {
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

/// The texts that a list of buttons writes out: where the dialog is, or where a variable gets its first
/// value, or where a function is called that gets the list.
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

/// Whether a handler compares what is said with texts that it writes, and does nothing with it by which
/// something else could handle it: it neither keeps it nor passes it on, nor looks for it in a list.
fn only_compares(look: &Look<'_>, unit: Unit) -> bool {
    let ast = &look.checked.ast;
    let heard = |expr: ExprId| look.is_parameter(ast.without_parentheses(expr), TEXT);
    let mut compares = false;
    for &expr in look.exprs(unit) {
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
            } => look.any(value, heard),
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
