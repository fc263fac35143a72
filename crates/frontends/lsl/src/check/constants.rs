//! Global variables that the script never assigns to: constants.

use std::collections::HashSet;

use super::{Checked, Resolution};
use crate::ast::{ExprId, ExprKind, GlobalId};

/// Looks up the values of constants.
pub(crate) struct Constants<'a> {
    checked: &'a Checked,
    changed: HashSet<GlobalId>,
}

impl<'a> Constants<'a> {
    pub(crate) fn of(checked: &'a Checked) -> Constants<'a> {
        let ast = &checked.ast;
        let changed = ast.expr_ids().filter_map(|expr| match ast.expr(expr).kind {
            ExprKind::Assign { place, .. } | ExprKind::Step { place, .. } => {
                match checked.exprs.resolution(place)? {
                    Resolution::Global(global) => Some(global),
                    _ => None,
                }
            }
            _ => None,
        });
        Constants {
            checked,
            changed: changed.collect(),
        }
    }

    /// Whether a variable is a constant.
    pub(crate) fn is_one(&self, global: GlobalId) -> bool {
        !self.changed.contains(&global)
    }

    /// The expression without parentheses or, if it names a constant, that constant's initial value.
    pub(crate) fn written(&self, expr: ExprId) -> ExprId {
        let ast = &self.checked.ast;
        let expr = ast.without_parentheses(expr);
        match self.checked.exprs.resolution(expr) {
            Some(Resolution::Global(global)) if self.is_one(global) => ast
                .global(global)
                .value
                .map_or(expr, |value| ast.without_parentheses(value)),
            _ => expr,
        }
    }
}
