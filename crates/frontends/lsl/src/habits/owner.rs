//! Owners who are taken for the present one when the object is sold.

use source::{Diagnostic, Diagnostics, Span};

use super::listens::leaves;
use super::look::{Look, is_payment};
use crate::ast::ExprId;
use crate::check::Resolution;
use crate::codes::habits as code;

/// The flag of `changed`.
const CHANGED_OWNER: i32 = 0x80;

/// Functions that bind the script to an avatar, with the position of the avatar's key.
const TIES: [(&str, usize); 2] = [("llRequestPermissions", 0), ("llListen", 2)];

/// States that take or give money for an owner who is asked, heard or kept, and never notice a new one.
pub(super) fn kept(look: &Look<'_>, found: &mut Diagnostics) {
    let asks = look.calls.iter().any(|call| {
        let mut ties = TIES.iter();
        ties.any(|&(name, key)| call.name == name && is_owner(look, call.arguments[key]))
    });
    let keeps = look.units().any(|unit| {
        look.stores(unit)
            .any(|(_, _, _, value)| is_owner(look, value))
    });
    if !asks && !keeps {
        return;
    }
    if !look.has_money {
        return heard(look, found);
    }
    let ast = &look.checked.ast;
    // Where one state notices, so should those in which the object waits for somebody to go on.
    let elsewhere = look.units().any(|unit| notices(look, unit));
    for state in ast.state_ids() {
        let handlers = || {
            ast.state(state)
                .handlers
                .iter()
                .map(|handler| handler.index())
        };
        let pays = |unit: usize| {
            look.event(unit) == Some("money")
                || look.calls_from(unit).any(|call| is_payment(call.name))
        };
        let waits = || handlers().any(|unit| waits(look, unit));
        let returns = || handlers().any(|unit| leaves(look, unit));
        let serves = handlers().any(pays) || elsewhere && waits() && returns();
        if serves && !handlers().any(|unit| notices(look, unit)) {
            let name = ast.state(state).name;
            let what = format!(
                "a new owner is not noticed in state `{}`",
                ast.name_text(name)
            );
            found.push(warning(name.span, what));
        }
    }
}

/// A listen for the owner alone when a state begins, in a script without money that never notices a new one.
fn heard(look: &Look<'_>, found: &mut Diagnostics) {
    if look.units().any(|unit| notices(look, unit)) {
        return;
    }
    // Where it is made again and again, it soon hears the new one.
    let is_made_later = |span: Span| {
        let handlers = look.units().filter(|&unit| look.event(unit).is_some());
        let mut later = handlers.filter(|&unit| look.event(unit) != Some("state_entry"));
        later.any(|unit| look.calls_from(unit).any(|call| call.span == span))
    };
    let mut listens = look.calls.iter().filter(|call| call.name == "llListen");
    if let Some(call) =
        listens.find(|call| is_owner(look, call.arguments[2]) && !is_made_later(call.span))
    {
        let what = "when the object is sold, this still hears the old owner, and not the new one";
        found.push(warning(call.span, what.to_owned()));
    }
}

fn warning(span: Span, what: String) -> Diagnostic {
    Diagnostic::warning(code::OWNER_CHANGE, what)
        .at(span)
        .help("reset the script in `changed` when `CHANGED_OWNER` is set")
}

fn is_owner(look: &Look<'_>, expr: ExprId) -> bool {
    let expr = look.checked.ast.without_parentheses(expr);
    let found = look.checked.exprs.resolution(expr);
    matches!(found, Some(Resolution::Library(function)) if function.name == "llGetOwner")
}

/// Whether a handler waits for what people do.
fn waits(look: &Look<'_>, unit: usize) -> bool {
    matches!(
        look.event(unit),
        Some("touch_start" | "touch_end" | "touch" | "listen")
    )
}

/// Whether a handler asks for the flag, or begins anew when the object is rezzed or worn.
fn notices(look: &Look<'_>, unit: usize) -> bool {
    let calls = |name: &str| look.calls_from(unit).any(|call| call.name == name);
    match look.event(unit) {
        Some("changed") => {
            let asks = |mask: i32| mask & CHANGED_OWNER != 0;
            let exprs = look.exprs(unit).iter();
            calls("llResetScript") || exprs.filter_map(|&expr| look.integer(expr)).any(asks)
        }
        Some("on_rez" | "attach") => calls("llResetScript") || calls("llRequestPermissions"),
        _ => false,
    }
}
