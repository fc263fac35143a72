//! Variables and bodies of a script by number: what looks over scripts names them so.

use crate::ast::{Ast, ExprId, StmtId};
use crate::check::{Checked, Resolution};

/// A variable of the script: the unit (a handler, or behind them a function) that it belongs to, if it
/// is not global, and its number.
pub(crate) type Variable = (Option<usize>, usize);

/// The bodies of a script, by unit: handlers first, then functions.
pub(crate) fn units(ast: &Ast) -> Vec<(usize, StmtId)> {
    let handlers = ast.handler_ids().map(|id| ast.handler(id).body);
    let functions = ast.function_ids().map(|id| ast.function(id).body);
    handlers.chain(functions).enumerate().collect()
}

/// The variable that an expression names, within a unit.
pub(crate) fn variable(checked: &Checked, unit: usize, place: ExprId) -> Option<Variable> {
    match checked.exprs.resolution(place)? {
        Resolution::Global(global) => Some((None, global.index())),
        Resolution::Local(local) => Some((Some(unit), local.index())),
        _ => None,
    }
}
