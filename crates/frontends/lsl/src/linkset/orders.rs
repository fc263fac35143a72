//! Calls by which a script resets, stops, starts or removes another one of its prim, or itself: which
//! scripts they may mean.
//!
//! In the inventory of its prim, a script has the name of its file without `.lsl`. A name that is
//! written in the call is followed, and so is `llGetScriptName()`, and a variable that is never assigned
//! to; any other may be that of any script of the prim, or of none.

use std::collections::BTreeMap;

use crate::ast::{self, ExprKind};
use crate::check::{Checked, Resolution};
use crate::facts;

/// The calls, in the order of [`Act`].
const ORDERS: [(&str, Act); 3] = [
    ("llRemoveInventory", Act::Remove),
    ("llResetOtherScript", Act::Reset),
    ("llSetScriptState", Act::Switch),
];

/// What a call does to a script.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Act {
    /// It begins anew.
    Reset,
    /// It is stopped, or started again.
    Switch,
    /// It is taken away for good.
    Remove,
}

/// The script that a call names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Named {
    /// The caller.
    Own,
    /// The one of this name, if there is one.
    Text(String),
    /// Any of the prim, or none.
    Any,
    /// Something that is no script.
    NoScript,
}

/// A call that acts upon a script.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Order {
    pub(crate) act: Act,
    pub(crate) named: Named,
}

/// The scripts that a call may mean.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Meant {
    /// Their numbers.
    pub(crate) scripts: Vec<usize>,
    /// Whether it means one of them for certain, and there is only one.
    pub(crate) certain: bool,
}

/// What is done to a script by such calls.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Suffers {
    /// It may be reset in the middle of a handler.
    pub(crate) reset: bool,
    /// It may be stopped.
    pub(crate) stopped: bool,
    /// It may be removed, or is not there at first.
    pub(crate) removed: bool,
    /// It may be loaded.
    pub(crate) loaded: bool,
    /// It may be the one that makes the call.
    pub(crate) own: bool,
}

impl Suffers {
    /// Whether any of that may happen.
    pub(crate) fn anything(self) -> bool {
        self.reset || self.stopped || self.removed
    }
}

/// What a call does to scripts, if it is one of these calls.
pub(crate) fn act(function: &str) -> Option<Act> {
    let known = ORDERS.iter().find(|(name, _)| *name == function);
    known.map(|(_, act)| *act)
}

/// Those of these calls, which are in reach, that act upon scripts.
pub(crate) fn orders(
    checked: &Checked,
    calls: &BTreeMap<&'static str, Vec<ast::ExprId>>,
) -> Vec<Order> {
    let mut orders = Vec::new();
    for (name, act) in ORDERS {
        for &site in calls.get(name).into_iter().flatten() {
            orders.push(Order {
                act,
                named: named(checked, site, 0),
            });
        }
    }
    orders
}

/// Which script a call names in one of its arguments.
pub(crate) fn named(checked: &Checked, site: ast::ExprId, argument: usize) -> Named {
    let ast = &checked.ast;
    let ExprKind::Call { arguments, .. } = &ast.expr(site).kind else {
        return Named::Any;
    };
    let Some(&name) = arguments.get(argument) else {
        return Named::Any;
    };
    let name = ast.without_parentheses(name);
    match &ast.expr(name).kind {
        ExprKind::String(text) => Named::Text(ast.text(*text).to_owned()),
        ExprKind::Name(_) => match checked.exprs.resolution(name) {
            Some(Resolution::Global(global)) => {
                let first = ast.global(global).value;
                let first = first.map(|first| ast.without_parentheses(first));
                match first.map(|first| &ast.expr(first).kind) {
                    Some(ExprKind::String(text)) if is_never_assigned(checked, global) => {
                        Named::Text(ast.text(*text).to_owned())
                    }
                    _ => Named::Any,
                }
            }
            _ => Named::Any,
        },
        ExprKind::Call { arguments, .. } => match checked.exprs.resolution(name) {
            Some(Resolution::Library(function)) if function.name == "llGetScriptName" => Named::Own,
            Some(Resolution::Library(function))
                if function.name == "llGetInventoryName"
                    && arguments
                        .first()
                        .is_some_and(|&kind| is_no_script(checked, kind)) =>
            {
                Named::NoScript
            }
            _ => Named::Any,
        },
        _ => Named::Any,
    }
}

pub(super) fn is_never_assigned(checked: &Checked, global: ast::GlobalId) -> bool {
    let ast = &checked.ast;
    let assigned = |place: ast::ExprId| {
        let place = ast.without_parentheses(place);
        checked.exprs.resolution(place) == Some(Resolution::Global(global))
    };
    !ast.expr_ids().any(|id| match ast.expr(id).kind {
        ExprKind::Assign { place, .. } | ExprKind::Step { place, .. } => assigned(place),
        _ => false,
    })
}

/// Whether a kind of inventory item is written that holds no scripts.
fn is_no_script(checked: &Checked, kind: ast::ExprId) -> bool {
    let Some(Resolution::Constant(constant)) = checked.exprs.resolution(kind) else {
        return false;
    };
    matches!(constant.value, facts::Value::Integer(_))
        && constant.name.starts_with("INVENTORY_")
        && !["INVENTORY_ALL", "INVENTORY_NONE", "INVENTORY_SCRIPT"].contains(&constant.name)
}
