//! Global variables that the script never changes: they stay what they are written to be.

use std::collections::HashSet;

use super::{Checked, Resolution};
use crate::ast::{ExprId, ExprKind, GlobalId};

/// Tells what expressions are that name such variables.
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

    /// What is written for an expression: the expression, or the first value of the variable that it
    /// names; without parentheses.
    pub(crate) fn written(&self, expr: ExprId) -> ExprId {
        let ast = &self.checked.ast;
        let expr = ast.without_parentheses(expr);
        match self.checked.exprs.resolution(expr) {
            Some(Resolution::Global(global)) if !self.changed.contains(&global) => ast
                .global(global)
                .value
                .map_or(expr, |value| ast.without_parentheses(value)),
            _ => expr,
        }
    }
}
