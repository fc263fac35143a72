//! Integers of which finitely many values stand for all.
//!
//! If an integer from outside is only copied, and compared with numbers that the script writes, then
//! these numbers, their neighbours and zero stand for all others: no comparison tells two numbers
//! between the same neighbours apart (the regions of Alur and Dill, *A Theory of Timed Automata*,
//! 1994, with comparisons for clock constraints). So a script in which nothing else is done with
//! integers has finitely many states, and what holds for the representatives holds for all.

use std::collections::HashMap;

use super::Detail;
use super::kept::READINGS;
use crate::ast::{BinaryOp, ExprId, ExprKind, StmtId, StmtKind, UnaryOp};
use crate::check::{Checked, Resolution};
use crate::lower::parts_of;
use crate::lower::{Variable, units, variable};
use crate::types::Type;

/// Where more global variables than this are set to what a local variable has kept, as when settings are read
/// from a notecard, they are not followed: there is a state for each combination of representatives.
const MOST_KEPT: usize = 3;

/// What values an integer may have.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Values {
    /// Those that the script writes.
    Written,
    /// Those, and any from outside.
    Outside,
    /// Those, and some that were computed and kept in a local variable.
    Kept,
    /// Some that are computed.
    Computed,
}

/// The integer variables of a script.
pub(super) struct Regions<'a> {
    checked: &'a Checked,
    detail: Detail,
    /// Whether global variables that are set to what a local one has kept are followed.
    globals_keep: bool,
    values: HashMap<Variable, Values>,
    /// Whether each request for permissions says which. Of another, no finitely many masks stand for
    /// all: the script may look at any combination of bits.
    asks_for_known: bool,
}

impl<'a> Regions<'a> {
    pub(super) fn of(checked: &'a Checked, detail: Detail) -> Regions<'a> {
        let regions = Regions::found(checked, detail, true);
        let kept = regions
            .values
            .iter()
            .filter(|&(&(unit, _), &values)| unit.is_none() && values == Values::Kept);
        match kept.count() > MOST_KEPT {
            true => Regions::found(checked, detail, false),
            false => regions,
        }
    }

    fn found(checked: &'a Checked, detail: Detail, globals_keep: bool) -> Regions<'a> {
        let mut regions = Regions {
            checked,
            detail,
            globals_keep,
            values: HashMap::new(),
            asks_for_known: true,
        };
        let ast = &checked.ast;
        let requests = ast.expr_ids().filter(|&expr| {
            matches!(checked.exprs.resolution(expr), Some(Resolution::Library(function)) if function.name == "llRequestPermissions")
        });
        regions.asks_for_known = requests.into_iter().all(|expr| match &ast.expr(expr).kind {
            ExprKind::Call { arguments, .. } => arguments
                .get(1)
                .is_some_and(|&mask| regions.is_mask_of_constants(mask)),
            _ => false,
        });
        for id in ast.handler_ids() {
            for (index, _) in ast.handler(id).parameters.iter().enumerate() {
                let parameter = (Some(id.index()), index);
                regions.values.insert(parameter, Values::Outside);
            }
        }
        for id in ast.global_ids() {
            let value = ast.global(id).value;
            regions.join((None, id.index()), usize::MAX, value);
        }
        let bodies = units(ast);
        let mut before = None;
        while before != Some(regions.total()) {
            before = Some(regions.total());
            for &(unit, body) in &bodies {
                regions.assignments(unit, body);
            }
        }
        regions
    }

    pub(super) fn detail(&self) -> Detail {
        self.detail
    }

    fn total(&self) -> usize {
        self.values
            .values()
            .map(|&values| values as usize + 1)
            .sum()
    }

    /// What a variable may hold.
    pub(super) fn variable(&self, variable: Variable) -> Values {
        self.values
            .get(&variable)
            .copied()
            .unwrap_or(Values::Written)
    }

    /// In dependent scripts what is computed and kept in a local variable may be anything there: it is
    /// soon forgotten. Kept in a global variable, it would be in every state.
    fn raise(&mut self, variable: Variable, to: Values) {
        let to = match variable.0 {
            Some(_) if self.detail == Detail::Dependent => to.min(Values::Kept),
            None if to == Values::Kept && !self.globals_keep => Values::Computed,
            _ => to,
        };
        let values = self.values.entry(variable).or_insert(Values::Written);
        *values = (*values).max(to);
    }

    fn join(&mut self, variable: Variable, unit: usize, value: Option<ExprId>) {
        let values = value.map_or(Values::Written, |value| self.expression(unit, value));
        self.raise(variable, values);
    }

    fn assignments(&mut self, unit: usize, body: StmtId) {
        let checked = self.checked;
        let ast = &checked.ast;
        let (stmts, exprs) = parts_of(ast, body);
        for stmt in stmts {
            if let StmtKind::Declare { value, .. } = &ast.stmt(stmt).kind
                && let Some(local) = checked.declared(stmt)
            {
                self.join((Some(unit), local.index()), unit, *value);
            }
        }
        for expr in exprs {
            match &ast.expr(expr).kind {
                ExprKind::Assign { op, place, value } => {
                    if let Some(variable) = variable(checked, unit, *place) {
                        match op {
                            None => self.join(variable, unit, Some(*value)),
                            Some(_) => self.raise(variable, Values::Computed),
                        }
                    }
                }
                ExprKind::Step { place, .. } => {
                    if let Some(variable) = variable(checked, unit, *place) {
                        self.raise(variable, Values::Computed);
                    }
                }
                ExprKind::Call { arguments, .. } => {
                    if let Some(Resolution::Function(function)) = checked.exprs.resolution(expr) {
                        let callee = ast.handlers.len() + function.index();
                        for (index, &argument) in arguments.iter().enumerate() {
                            self.join((Some(callee), index), unit, Some(argument));
                        }
                    }
                }
                _ => {}
            }
        }
    }

    /// What values an expression may have. Only integers matter.
    pub(super) fn expression(&self, unit: usize, expr: ExprId) -> Values {
        let checked = self.checked;
        let ast = &checked.ast;
        if checked.exprs.ty(expr).value() != Some(Type::Integer) {
            return Values::Written;
        }
        match ast.expr(expr).kind {
            ExprKind::Integer(_) => Values::Written,
            ExprKind::Name(_) => match variable(checked, unit, expr) {
                Some(variable) => self.variable(variable),
                None => Values::Written,
            },
            ExprKind::Parenthesized(inner) => self.expression(unit, inner),
            ExprKind::Unary { op, operand } => match op {
                UnaryOp::Not => Values::Written,
                _ if matches!(ast.expr(operand).kind, ExprKind::Integer(_)) => Values::Written,
                _ => Values::Computed,
            },
            ExprKind::Binary {
                op, left, right, ..
            } => match (is_truth(op) || op == BinaryOp::BitOr)
                && self.may_compare(unit, op, left, right)
            {
                true => Values::Written,
                false => Values::Computed,
            },
            ExprKind::Call { .. } => match checked.exprs.resolution(expr) {
                Some(Resolution::Library(function)) if READINGS.contains(&function.name) => {
                    Values::Outside
                }
                _ => Values::Computed,
            },
            _ => Values::Computed,
        }
    }

    /// Whether representatives tell how an operation on these operands comes out.
    pub(super) fn may_compare(
        &self,
        unit: usize,
        op: BinaryOp,
        left: ExprId,
        right: ExprId,
    ) -> bool {
        let integer = |id| self.checked.exprs.ty(id).value() == Some(Type::Integer);
        if op == BinaryOp::BitAnd {
            return self.is_mask(unit, left) && self.is_constant(right)
                || self.is_mask(unit, right) && self.is_constant(left);
        }
        if op == BinaryOp::BitOr {
            return self.is_mask_of_constants(left) && self.is_mask_of_constants(right);
        }
        if !is_truth(op) {
            return false;
        }
        if !integer(left) || !integer(right) || op.is_logic() {
            return true;
        }
        if matches!(op, BinaryOp::Equal | BinaryOp::NotEqual)
            && (self.is_part_of_mask(unit, left) && self.is_constant(right)
                || self.is_part_of_mask(unit, right) && self.is_constant(left))
        {
            return true;
        }
        let sides = [self.expression(unit, left), self.expression(unit, right)];
        sides.iter().all(|&side| side != Values::Computed) && sides.contains(&Values::Written)
    }

    /// `mask & CONSTANT`
    fn is_part_of_mask(&self, unit: usize, expr: ExprId) -> bool {
        let ast = &self.checked.ast;
        match ast.expr(ast.without_parentheses(expr)).kind {
            ExprKind::Binary {
                op: BinaryOp::BitAnd,
                left,
                right,
                ..
            } => self.may_compare(unit, BinaryOp::BitAnd, left, right),
            _ => false,
        }
    }

    fn is_constant(&self, expr: ExprId) -> bool {
        let ast = &self.checked.ast;
        let expr = ast.without_parentheses(expr);
        matches!(ast.expr(expr).kind, ExprKind::Integer(_))
            || matches!(
                self.checked.exprs.resolution(expr),
                Some(Resolution::Constant(_))
            )
    }

    /// Whether an expression is a constant, or constants joined by `|`.
    fn is_mask_of_constants(&self, expr: ExprId) -> bool {
        let ast = &self.checked.ast;
        let mut pending = vec![expr];
        while let Some(expr) = pending.pop() {
            match ast.expr(ast.without_parentheses(expr)).kind {
                ExprKind::Binary {
                    op: BinaryOp::BitOr,
                    left,
                    right,
                    ..
                } => pending.extend([left, right]),
                _ if self.is_constant(expr) => {}
                _ => return false,
            }
        }
        true
    }

    /// Whether the expression is a mask whose bits are chosen one by one.
    fn is_mask(&self, unit: usize, expr: ExprId) -> bool {
        let checked = self.checked;
        let ast = &checked.ast;
        let expr = ast.without_parentheses(expr);
        match checked.exprs.resolution(expr) {
            Some(Resolution::Library(function)) => {
                function.name == "llGetPermissions" && self.asks_for_known
            }
            Some(Resolution::Local(local)) => {
                local.index() == 0
                    && ast.handlers.get(unit).is_some_and(|handler| {
                        match ast.name_text(handler.event) {
                            "changed" => true,
                            "run_time_permissions" => self.asks_for_known,
                            _ => false,
                        }
                    })
            }
            _ => false,
        }
    }
}

/// Whether an operator on integers gives 0 or 1 only.
fn is_truth(op: BinaryOp) -> bool {
    op.is_comparison() || op.is_logic()
}
