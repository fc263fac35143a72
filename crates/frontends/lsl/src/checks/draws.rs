//! Whether a random number decides who gets something: whoever plays and loses has been served.

use std::collections::HashSet;

use crate::ast::{ExprId, ExprKind, StmtId, StmtKind};
use crate::check::{Checked, Resolution};
use crate::lower::{Variable, units, variable};
use crate::lower::{any_part, parts_of};

/// Where random numbers flow in a script.
struct Draws<'a> {
    checked: &'a Checked,
    /// The statements and expressions of each unit.
    parts: Vec<(Vec<StmtId>, Vec<ExprId>)>,
    /// Variables whose values depend on a random number.
    variables: HashSet<Variable>,
    /// Functions that draw a random number, by unit.
    functions: HashSet<usize>,
}

/// Whether, in these units, a condition that depends on a random number guards a call that `gives` something, or
/// ends the handler.
pub(super) fn decide(
    checked: &Checked,
    reached: &HashSet<usize>,
    gives: &dyn Fn(&str) -> bool,
) -> bool {
    let bodies = units(&checked.ast);
    let mut draws = Draws {
        checked,
        parts: bodies
            .iter()
            .map(|&(_, body)| parts_of(&checked.ast, body))
            .collect(),
        variables: HashSet::new(),
        functions: HashSet::new(),
    };
    while draws.spread() {}
    reached.iter().any(|&unit| {
        let mut stmts = draws.parts[unit].0.iter();
        stmts.any(|&stmt| draws.decides(unit, stmt, gives))
    })
}

impl Draws<'_> {
    /// One round of the data-flow analysis; says whether anything was added.
    fn spread(&mut self) -> bool {
        let before = (self.variables.len(), self.functions.len());
        let ast = &self.checked.ast;
        for unit in 0..self.parts.len() {
            let (stmts, exprs) = self.parts[unit].clone();
            for stmt in stmts {
                if let StmtKind::Declare {
                    value: Some(value), ..
                } = ast.stmt(stmt).kind
                    && self.mentions(unit, value)
                    && let Some(local) = self.checked.declared(stmt)
                {
                    self.variables.insert((Some(unit), local.index()));
                }
            }
            for expr in exprs {
                if self.is_drawn(unit, expr) && unit >= ast.handlers.len() {
                    self.functions.insert(unit);
                }
                if let ExprKind::Assign { place, value, .. } = ast.expr(expr).kind
                    && self.mentions(unit, value)
                    && let Some(variable) = variable(self.checked, unit, place)
                {
                    self.variables.insert(variable);
                }
            }
        }
        before != (self.variables.len(), self.functions.len())
    }

    /// Whether an expression is a draw, a call of a function that draws, or a variable that depends on one.
    fn is_drawn(&self, unit: usize, expr: ExprId) -> bool {
        match self.checked.exprs.resolution(expr) {
            Some(Resolution::Library(function)) => function.name == "llFrand",
            Some(Resolution::Function(function)) => {
                let callee = self.checked.ast.handlers.len() + function.index();
                self.functions.contains(&callee)
            }
            _ => variable(self.checked, unit, expr)
                .is_some_and(|variable| self.variables.contains(&variable)),
        }
    }

    fn mentions(&self, unit: usize, expr: ExprId) -> bool {
        any_part(&self.checked.ast, expr, |part| self.is_drawn(unit, part))
    }

    /// Whether a statement gives something, or ends the handler, depending on a random number.
    fn decides(&self, unit: usize, stmt: StmtId, gives: &dyn Fn(&str) -> bool) -> bool {
        let ast = &self.checked.ast;
        let on_draw = match &ast.stmt(stmt).kind {
            StmtKind::If { arms, .. } => {
                let mut conditions = arms.iter().map(|&(condition, _)| condition);
                conditions.any(|condition| self.mentions(unit, condition))
            }
            StmtKind::While { condition, .. }
            | StmtKind::DoWhile { condition, .. }
            | StmtKind::For { condition, .. } => self.mentions(unit, *condition),
            _ => false,
        };
        if !on_draw {
            return false;
        }
        let (stmts, exprs) = parts_of(ast, stmt);
        let ends = |stmt: &StmtId| {
            let kind = &ast.stmt(*stmt).kind;
            matches!(
                kind,
                StmtKind::Return(_) | StmtKind::State(_) | StmtKind::Jump(_)
            )
        };
        let hands_out = |expr: &ExprId| match self.checked.exprs.resolution(*expr) {
            Some(Resolution::Library(function)) => gives(function.name),
            // A function of the script may give something.
            Some(Resolution::Function(_)) => matches!(ast.expr(*expr).kind, ExprKind::Call { .. }),
            _ => false,
        };
        stmts.iter().any(ends) || exprs.iter().any(hands_out)
    }
}
