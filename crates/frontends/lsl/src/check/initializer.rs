//! The restricted form of a global variable's first value.
//!
//! Linden Lab's grammar stores these values with the script instead of
//! computing them: a literal, a builtin constant, an earlier global, a minus
//! before a number or a numeric constant (but not before `TRUE` and `FALSE`,
//! which are words of their own), and vectors, rotations and lists of those.

use source::Diagnostic;

use crate::ast::{Ast, ExprId, ExprKind, UnaryOp};
use crate::codes::rules as code;
use crate::facts;

/// The first part of `value` that a global cannot be initialised with.
pub(super) fn violation(ast: &Ast, value: ExprId) -> Option<Diagnostic> {
    let (id, what) = match &ast.expr(value).kind {
        ExprKind::List(elements) => elements.iter().find_map(|&id| simple(ast, id))?,
        _ => simple(ast, value)?,
    };
    Some(
        Diagnostic::error(
            code::GLOBAL_INITIALIZER,
            "a global's first value must be plain",
        )
        .at(ast.expr(id).span)
        .saying(what)
        .help("assign it in `state_entry` if it must be computed"),
    )
}

/// What is wrong with a value that is not a list, and where.
fn simple(ast: &Ast, id: ExprId) -> Option<(ExprId, &'static str)> {
    let what = match &ast.expr(id).kind {
        // A list within a list is refused by the rule for lists.
        ExprKind::Integer(_)
        | ExprKind::Float(_)
        | ExprKind::String(_)
        | ExprKind::Name(_)
        | ExprKind::List(_)
        | ExprKind::Error => return None,
        ExprKind::Vector(parts) => return parts.iter().find_map(|&part| simple(ast, part)),
        ExprKind::Rotation(parts) => return parts.iter().find_map(|&part| simple(ast, part)),
        ExprKind::Unary {
            op: UnaryOp::Negate,
            operand,
        } => match ast.expr(*operand).kind {
            ExprKind::Name(name) => {
                let text = ast.name_text(name);
                match facts::constant(text) {
                    Some(_) if matches!(text, "TRUE" | "FALSE") => {
                        "a minus cannot stand before `TRUE` and `FALSE` here"
                    }
                    Some(constant) if constant.ty().is_number() => return None,
                    _ => "a minus can stand before a number here, not before a variable",
                }
            }
            _ => "a minus can stand before a number here, nothing else",
        },
        ExprKind::Call { .. }
        | ExprKind::Print(_)
        | ExprKind::Word { .. }
        | ExprKind::Undecided { .. } => "no calls here",
        ExprKind::Member { .. } => "no components here",
        ExprKind::Parenthesized(_) => "no parentheses here",
        ExprKind::Cast { .. } => "no casts here",
        ExprKind::Unary { .. }
        | ExprKind::Binary { .. }
        | ExprKind::Step { .. }
        | ExprKind::Assign { .. } => "no operators here",
    };
    Some((id, what))
}
