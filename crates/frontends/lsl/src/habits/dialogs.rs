//! Dialogs: buttons that nothing handles.

use std::collections::HashSet;

use source::{Diagnostic, Diagnostics};

use super::look::{Look, Unit};
use crate::ast::{BinaryOp, ExprId, ExprKind, StmtKind};
use crate::check::Resolution;
use crate::codes::habits as code;

/// The position of the text among the parameters of `listen`.
const TEXT: usize = 3;

/// Buttons that are there to do nothing.
const IDLE: [&str; 10] = [
    "", "-", "cancel", "close", "exit", "no", "ok", "done", "quit", "back",
];

/// Buttons whose text is compared with nothing.
pub(super) fn unhandled(look: &Look<'_>, found: &mut Diagnostics) {
    let handlers: Vec<Unit> = look.handlers("listen").collect();
    if handlers.is_empty() || !handlers.iter().all(|&unit| only_compares(look, unit)) {
        return;
    }
    let dialogs = || look.calls.iter().filter(|call| call.name == "llDialog");
    let buttons: Vec<Vec<ExprId>> = dialogs()
        .map(|call| texts(look, call.arguments[2]))
        .collect();
    let own: HashSet<ExprId> = buttons.iter().flatten().copied().collect();
    let elsewhere: HashSet<&str> = look
        .checked
        .ast
        .expr_ids()
        .filter(|expr| !own.contains(expr))
        .filter_map(|expr| look.text(expr))
        .collect();
    for (call, buttons) in dialogs().zip(&buttons) {
        for &button in buttons {
            let text = look.text(button).unwrap_or_default();
            let idle = IDLE.contains(&text.trim().to_lowercase().as_str());
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

/// The texts that a list of buttons writes out.
fn texts(look: &Look<'_>, list: ExprId) -> Vec<ExprId> {
    let ast = &look.checked.ast;
    match &ast.expr(ast.without_parentheses(list)).kind {
        ExprKind::List(parts) => {
            let parts = parts.iter().copied();
            parts.filter(|&part| look.text(part).is_some()).collect()
        }
        _ => Vec::new(),
    }
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
