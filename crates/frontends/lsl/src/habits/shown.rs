//! Commands that a menu shows to the owner only, and that whoever is heard may say.

use std::collections::HashSet;

use source::{Diagnostic, Diagnostics};

use super::apart::{Apart, told_apart};
use super::listens::{SPEAKER, acts, asks_about};
use super::look::{Look, Unit};
use crate::ast::{BinaryOp, ExprId, ExprKind, StmtId, StmtKind};
use crate::check::Resolution;
use crate::codes::habits as code;
use crate::lower::parts_of;

/// The position of the text among the parameters of `listen`.
const TEXT: usize = 3;

/// Buttons that stand only where the owner has been told apart, and are obeyed whoever presses them.
pub(super) fn obeyed(look: &Look<'_>, found: &mut Diagnostics) {
    let hears_others = look
        .calls
        .iter()
        .any(|call| call.name == "llListen" && !look.is_owner(call.arguments[2]));
    if !look.has_money || !look.calls("llDialog") || !hears_others {
        return;
    }
    let shown = shown_to_owner(look);
    for unit in look.handlers("listen") {
        let told = commands(look, unit).into_iter().find(|&(condition, body)| {
            let said = text_asked_for(look, condition);
            said.is_some_and(|said| shown.contains(said)) && does_something(look, body)
        });
        if let Some((condition, _)) = told {
            let said = text_asked_for(look, condition).unwrap_or_default();
            found.push(
                Diagnostic::warning(
                    code::OPEN_LISTEN,
                    format!(
                        "only the owner is shown `{said}`, but others who are heard may say it"
                    ),
                )
                .at(look.checked.ast.expr(condition).span)
                .help("compare who speaks with the owner"),
            );
        }
    }
}

/// Texts in lists where the owner has been told apart, and in no others.
fn shown_to_owner<'a>(look: &'a Look<'_>) -> HashSet<&'a str> {
    let asks = |condition: ExprId| asks_for_owner(look, condition);
    let (mut theirs, mut everybodys) = (HashSet::new(), HashSet::new());
    for unit in look.units() {
        for (expr, is_told_apart) in told_apart(look, unit, &asks) {
            for text in listed(look, expr) {
                match is_told_apart {
                    true => theirs.insert(text),
                    false => everybodys.insert(text),
                };
            }
        }
    }
    &theirs - &everybodys
}

/// The texts that a list, or a variable with a list as its first value, writes out.
fn listed<'a>(look: &'a Look<'_>, expr: ExprId) -> Vec<&'a str> {
    let ast = &look.checked.ast;
    let list = match look.global(expr) {
        Some(global) => ast.global(global).value,
        None => Some(expr),
    };
    match list.map(|list| &ast.expr(list).kind) {
        Some(ExprKind::List(parts)) => parts
            .iter()
            .filter_map(|&part| look.wording(part))
            .collect(),
        _ => Vec::new(),
    }
}

/// Whether a condition compares somebody with the owner.
fn asks_for_owner(look: &Look<'_>, condition: ExprId) -> Apart {
    let compared = look.within(condition).into_iter().find_map(|part| {
        match look.checked.ast.expr(part).kind {
            ExprKind::Binary {
                op: op @ (BinaryOp::Equal | BinaryOp::NotEqual),
                left,
                right,
                ..
            } if look.is_owner(left) || look.is_owner(right) => Some(op == BinaryOp::Equal),
            _ => None,
        }
    });
    Apart {
        met: compared == Some(true),
        unmet: compared == Some(false),
    }
}

/// The conditions in a handler that nothing about the speaker has been asked before, each with what is
/// done if it is met.
fn commands(look: &Look<'_>, unit: Unit) -> Vec<(ExprId, StmtId)> {
    let ast = &look.checked.ast;
    let names = |expr: ExprId| look.any(expr, |part| look.is_parameter(part, SPEAKER));
    // Whatever is asked about the speaker, what follows is not for everybody any more.
    let asks = |condition: ExprId| Apart {
        met: names(condition),
        unmet: names(condition),
    };
    let apart = told_apart(look, unit, &asks);
    let free: HashSet<ExprId> = apart
        .into_iter()
        .filter(|&(_, is_told_apart)| !is_told_apart)
        .map(|(expr, _)| expr)
        .collect();
    let mut found = Vec::new();
    for &stmt in look.stmts(unit) {
        if let StmtKind::If { arms, .. } = &ast.stmt(stmt).kind {
            found.extend(arms.iter().filter(|&&(condition, body)| {
                let (_, inside) = parts_of(ast, body);
                free.contains(&condition)
                    && !names(condition)
                    && !inside.iter().any(|&expr| asks_about(look, expr, &names))
            }));
        }
    }
    found.sort_unstable_by_key(|&(condition, _)| ast.expr(condition).span.start);
    found
}

/// The text that a condition compares what is said with.
fn text_asked_for<'a>(look: &'a Look<'_>, condition: ExprId) -> Option<&'a str> {
    let ast = &look.checked.ast;
    let heard = |expr: ExprId| look.is_parameter(ast.without_parentheses(expr), TEXT);
    look.within(condition)
        .iter()
        .find_map(|&part| match ast.expr(part).kind {
            ExprKind::Binary {
                op: BinaryOp::Equal,
                left,
                right,
                ..
            } if heard(left) => look.wording(right),
            ExprKind::Binary {
                op: BinaryOp::Equal,
                left,
                right,
                ..
            } if heard(right) => look.wording(left),
            _ => None,
        })
}

/// Whether a statement pays, gives, resets or keeps something.
fn does_something(look: &Look<'_>, body: StmtId) -> bool {
    let ast = &look.checked.ast;
    let (_, exprs) = parts_of(ast, body);
    exprs.iter().any(|&expr| match ast.expr(expr).kind {
        ExprKind::Assign { place, .. } => look.global(place).is_some(),
        ExprKind::Call { .. } => match look.checked.exprs.resolution(expr) {
            Some(Resolution::Library(function)) => acts(function.name),
            Some(Resolution::Function(function)) => {
                let unit = ast.handlers.len() + function.index();
                let keeps = |&unit: &Unit| look.stores(unit).next().is_some();
                look.calls_from(unit).any(|call| acts(call.name))
                    || look.reached(unit).iter().any(keeps)
            }
            _ => false,
        },
        _ => false,
    })
}
