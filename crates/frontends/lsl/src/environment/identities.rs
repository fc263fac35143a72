//! How many avatars there have to be.
//!
//! Keys that are only copied and compared for equality, with finitely many stored at a time, obey
//! the principle of *data independence* (Wolper 1986; Lazić and Roscoe's theory of it): as many
//! values as there are places to keep one, plus those that one macro step chooses, lose nothing,
//! because a key that is no longer held anywhere may be used again. Here the conditions are
//! checked over the script's text; where they are broken, the expression that breaks them is
//! named, and the number of avatars is the stated bound, or a sample.

use std::collections::BTreeSet;

use source::Span;

use crate::ast::{ExprKind, GlobalId};
use crate::check::Resolution;
use crate::lower::Input;
use crate::types::Type;

/// Names by which the file or the command line bounds the number of avatars.
pub(crate) const BOUND_NAMES: [&str; 3] = ["bidders", "avatars", "payers"];

/// How many avatars there are without a bound when reduction loses something.
const SAMPLE: usize = 3;

/// The number of avatars besides the owner, and why.
#[derive(Clone, Debug)]
pub(crate) struct Identities {
    /// How many.
    pub(crate) count: usize,
    /// What the number rests on.
    pub(crate) because: Because,
}

/// What a number of avatars rests on.
#[derive(Clone, Debug)]
pub(crate) enum Because {
    /// They stand for any number.
    Lossless,
    /// The file or the command line says so.
    Bound(Span, i64),
    /// Nothing: an expression takes keys apart, or keeps ever more of them.
    Sample(Span),
}

/// Looks at what the script does with keys.
pub(crate) fn identities(input: Input<'_>) -> Identities {
    let bound = BOUND_NAMES
        .iter()
        .find_map(|name| input.bounds.get(name))
        .map(|bound| (bound.span, bound.hi.max(0)));
    let (places, breach) = places(input);
    // One more than places: somebody else. An event may bring two keys.
    let enough = places + 1;
    match (bound, breach) {
        (Some((span, stated)), breach) => {
            let stated_count = usize::try_from(stated).unwrap_or(usize::MAX);
            if breach.is_none() && enough <= stated_count {
                Identities {
                    count: enough,
                    because: Because::Lossless,
                }
            } else {
                Identities {
                    count: stated_count.min(1 << 16),
                    because: Because::Bound(span, stated),
                }
            }
        }
        (None, None) => Identities {
            count: enough,
            because: Because::Lossless,
        },
        (None, Some(span)) => Identities {
            count: SAMPLE,
            because: Because::Sample(span),
        },
    }
}

/// How many places may hold a key (or text made of one), and an expression that does more with
/// keys than copy and compare them.
fn places(input: Input<'_>) -> (usize, Option<Span>) {
    let checked = input.checked;
    let ast = &checked.ast;
    let mut holders: BTreeSet<GlobalId> = BTreeSet::new();
    let mut breach = None;
    for index in 0..ast.expr_count() {
        let id = crate::ast::ExprId::new(index);
        let expr = ast.expr(id);
        match &expr.kind {
            ExprKind::Assign { place, value, .. } => {
                if let Some(Resolution::Global(global)) = checked.exprs.resolution(*place) {
                    match ast.global(global).ty {
                        Type::Key | Type::String if !is_constant(input, *value) => {
                            holders.insert(global);
                        }
                        Type::List if !is_constant(input, *value) => {
                            breach.get_or_insert(expr.span);
                        }
                        _ => {}
                    }
                }
            }
            ExprKind::Call { arguments, .. } => {
                if let Some(Resolution::Library(function)) = checked.exprs.resolution(id)
                    && takes_apart(function.name)
                    && arguments
                        .iter()
                        .any(|&arg| checked.exprs.ty(arg).value() == Some(Type::Key))
                {
                    breach.get_or_insert(expr.span);
                }
            }
            _ => {}
        }
    }
    (holders.len() + input.watch.ghost_keys, breach)
}

/// Whether the value is a constant of the script: no key of an avatar.
fn is_constant(input: Input<'_>, id: crate::ast::ExprId) -> bool {
    let ast = &input.checked.ast;
    let mut pending = vec![id];
    while let Some(id) = pending.pop() {
        match &ast.expr(id).kind {
            ExprKind::Call { .. } => return false,
            ExprKind::Name(_) | ExprKind::Member { .. } => match input.checked.exprs.resolution(id)
            {
                Some(Resolution::Constant(_)) => {}
                _ if input
                    .checked
                    .exprs
                    .ty(id)
                    .value()
                    .is_some_and(Type::is_number) => {}
                _ => return false,
            },
            _ => crate::lower::for_each_operand(ast, id, |operand| pending.push(operand)),
        }
    }
    true
}

/// Library functions whose result depends on which key it is, not only on whether it is the same.
fn takes_apart(function: &str) -> bool {
    matches!(
        function,
        "llStringLength"
            | "llGetSubString"
            | "llSubStringIndex"
            | "llMD5String"
            | "llSHA1String"
            | "llSHA256String"
            | "llHash"
            | "llOrd"
            | "llListSort"
            | "llListSortStrided"
    )
}
