//! Whether a few texts can stand for all that somebody may say.
//!
//! As with keys (see [`identities`](crate::environment)), a text that is compared with constants
//! for equality, and otherwise only told to somebody, might as well be one of these constants or
//! one text that is none of them. Anything else that a script does with it (takes it apart, keeps
//! it, casts it) may tell more texts apart.

use std::collections::HashSet;

use super::survey::{for_each_operand, for_each_part};
use crate::ast::{ExprId, ExprKind, StmtId};
use crate::check::{Checked, Resolution};
use crate::types::Type;

/// Whether handlers of the event compare this parameter with literals and tell it, and do nothing
/// else with it. Properties, too.
pub(crate) fn only_compared(checked: &Checked, event: &str, parameter: usize) -> bool {
    let ast = &checked.ast;
    let harmless = harmless(checked);
    for id in ast.handler_ids() {
        let handler = ast.handler(id);
        if ast.name_text(handler.event) != event {
            continue;
        }
        let mut stmts: Vec<StmtId> = vec![handler.body];
        let mut exprs: Vec<ExprId> = Vec::new();
        while let Some(stmt) = stmts.pop() {
            let kind = &ast.stmt(stmt).kind;
            for_each_part(kind, |expr| exprs.push(expr), |stmt| stmts.push(stmt));
        }
        while let Some(expr) = exprs.pop() {
            for_each_operand(ast, expr, |operand| exprs.push(operand));
            let is_it = matches!(
                checked.exprs.resolution(expr),
                Some(Resolution::Local(local)) if local.index() == parameter
            );
            if is_it && !harmless.contains(&expr) {
                return false;
            }
        }
    }
    // Which of the names that patterns bring in stands for the parameter is not known here.
    (0..ast.expr_count()).map(ExprId::new).all(|id| {
        let is_text = checked.exprs.ty(id).value() == Some(Type::String);
        let is_extra = matches!(checked.exprs.resolution(id), Some(Resolution::Extra(_)));
        !(is_text && is_extra) || harmless.contains(&id)
    })
}

/// The expressions that stand beside a literal in a comparison for equality, and those within
/// the arguments of calls that only tell.
fn harmless(checked: &Checked) -> HashSet<ExprId> {
    let ast = &checked.ast;
    let is_literal = |id| matches!(ast.expr(id).kind, ExprKind::String(_));
    let mut harmless = HashSet::new();
    for id in (0..ast.expr_count()).map(ExprId::new) {
        match &ast.expr(id).kind {
            ExprKind::Binary {
                op: crate::ast::BinaryOp::Equal | crate::ast::BinaryOp::NotEqual,
                left,
                right,
                ..
            } => {
                let sides = [left, right].map(|&side| ast.without_parentheses(side));
                for (this, other) in [(sides[0], sides[1]), (sides[1], sides[0])] {
                    if is_literal(other) {
                        harmless.insert(this);
                    }
                }
            }
            ExprKind::Call { arguments, .. } => {
                if !matches!(
                    checked.exprs.resolution(id),
                    Some(Resolution::Library(function)) if TELLING.contains(&function.name)
                ) {
                    continue;
                }
                let mut pending = arguments.to_vec();
                while let Some(id) = pending.pop() {
                    match &ast.expr(id).kind {
                        ExprKind::Binary { left, right, .. } => pending.extend([*left, *right]),
                        ExprKind::Parenthesized(inner) => pending.push(*inner),
                        _ => {
                            harmless.insert(id);
                        }
                    }
                }
            }
            _ => {}
        }
    }
    harmless
}

/// Calls that show a text and do nothing else with it.
const TELLING: [&str; 9] = [
    "llInstantMessage",
    "llOwnerSay",
    "llRegionSay",
    "llRegionSayTo",
    "llSay",
    "llSetObjectDesc",
    "llSetText",
    "llShout",
    "llWhisper",
];

#[cfg(test)]
mod tests {
    use source::SourceMap;

    use super::*;

    fn lossless(body: &str) -> bool {
        let mut sources = SourceMap::new();
        let script = format!(
            "string kept; default {{ listen(integer c, string n, key k, string m) {{ {body} }} }}"
        );
        let file = sources.add("t.lsl", script.as_str());
        let (checked, diagnostics) = crate::analyze(sources.file(file));
        assert!(!diagnostics.has_errors(), "{body}");
        only_compared(&checked, "listen", 3)
    }

    #[test]
    fn comparing_and_telling_is_harmless() {
        assert!(lossless("if (m == \"on\") llOwnerSay(\"heard \" + m);"));
        assert!(lossless("if (\"off\" != (m)) llDie();"));
        assert!(lossless("kept = n;"));
    }

    #[test]
    fn everything_else_is_not() {
        for body in [
            "kept = m;",
            "if (m == kept) llDie();",
            "if (llToLower(m) == \"on\") llDie();",
            "if (m) llDie();",
            "if (\"x\" + m == \"xy\") llDie();",
            "m += \"x\"; if (m == \"xx\") llDie();",
            "llOwnerSay(llGetSubString(m, 0, 0));",
            "list l = [m];",
            "llSay((integer)m, \"\");",
        ] {
            assert!(!lossless(body), "{body}");
        }
    }
}
