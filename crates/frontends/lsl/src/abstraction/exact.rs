//! Which values are followed: of variables, and of expressions.

use super::kept::Kept;
use crate::ast::{Ast, ExprId, ExprKind, StmtKind};
use crate::check::Resolution;
use crate::lower::parts_of;
use crate::lower::{Variable, units, variable};
use crate::types::Type;

impl Kept<'_> {
    /// Whether the expression's value is followed.
    pub(super) fn is_exact(&self, unit: usize, id: ExprId) -> bool {
        let checked = self.checked;
        let ty = |id: ExprId| checked.exprs.ty(id).value();
        match &checked.ast.expr(id).kind {
            ExprKind::Integer(_) | ExprKind::Float(_) | ExprKind::String(_) => true,
            ExprKind::Name(_) => match checked.exprs.resolution(id) {
                Some(Resolution::Constant(_)) => true,
                Some(_) => self.keeps(unit, id),
                None => false,
            },
            ExprKind::Parenthesized(inner) => self.is_exact(unit, *inner),
            ExprKind::Cast { to, operand } => {
                let from = ty(*operand);
                let copies = from == Some(*to)
                    || (to.is_text() && from.is_some_and(Type::is_text))
                    || matches!(checked.ast.expr(*operand).kind, ExprKind::Integer(_));
                copies && self.is_exact(unit, *operand)
            }
            ExprKind::Unary { .. } | ExprKind::Binary { .. } if !self.is_finite(unit, id) => false,
            ExprKind::Unary { operand, .. } => {
                ty(id) != Some(Type::Float) && self.is_exact(unit, *operand)
                    || is_number(&checked.ast, *operand)
            }
            ExprKind::Binary { left, right, .. } => {
                let whole = |id: ExprId| ty(id).is_some_and(|ty| self.follows(ty));
                let text = ty(id).is_some_and(Type::is_text);
                !text && whole(*left) && whole(*right) && {
                    let (lowest, spine) = checked.ast.left_spine(id);
                    self.is_exact(unit, lowest)
                        && spine.iter().all(|&node| {
                            self.is_finite(unit, node)
                                && match checked.ast.expr(node).kind {
                                    ExprKind::Binary { right, .. } => self.is_exact(unit, right),
                                    _ => true,
                                }
                        })
                }
            }
            ExprKind::Call { arguments, .. } => match checked.exprs.resolution(id) {
                Some(Resolution::Library(function)) if function.name == "llGetListLength" => {
                    let list = checked.ast.without_parentheses(arguments[0]);
                    matches!(checked.ast.expr(list).kind, ExprKind::Name(_))
                        && self.is_exact(unit, list)
                }
                Some(Resolution::Library(function)) => {
                    self.is_reading(function.name)
                        && ty(id).is_some_and(|ty| self.follows(ty))
                        && arguments
                            .iter()
                            .all(|&argument| self.is_exact(unit, argument))
                }
                _ => false,
            },
            _ => false,
        }
    }

    /// Whether the expression, where its value is not followed, may be sent as any of finitely many integers
    /// that stand for all.
    pub(super) fn is_any_number(&self, id: ExprId) -> bool {
        self.has_any_numbers() && self.checked.exprs.ty(id).value() == Some(Type::Integer)
    }

    /// Whether the variable that an expression names is followed.
    pub(super) fn keeps(&self, unit: usize, place: ExprId) -> bool {
        let ty = self.checked.exprs.ty(place).value();
        ty.zip(variable(self.checked, unit, place))
            .is_some_and(|(ty, variable)| self.has(variable, ty))
    }

    /// The first text variable found that is followed, though a value may be stored in it that is not.
    /// Such a value is unlike all others, but the one that it stands for may be the owner's key.
    pub(super) fn vague_text(&self) -> Option<Variable> {
        let ast = &self.checked.ast;
        let vague = |unit: usize, variable: Variable, value: ExprId| {
            let text = self
                .checked
                .exprs
                .ty(value)
                .value()
                .is_some_and(Type::is_text);
            (text && self.has(variable, Type::Key) && !self.is_exact(unit, value))
                .then_some(variable)
        };
        for (unit, body) in units(ast) {
            let (stmts, exprs) = parts_of(ast, body);
            for stmt in stmts {
                if let StmtKind::Declare {
                    value: Some(value), ..
                } = &ast.stmt(stmt).kind
                    && let Some(local) = self.checked.declared(stmt)
                    && let Some(found) = vague(unit, (Some(unit), local.index()), *value)
                {
                    return Some(found);
                }
            }
            for expr in exprs {
                match &ast.expr(expr).kind {
                    ExprKind::Assign { op, place, value } => {
                        let Some(variable) = variable(self.checked, unit, *place) else {
                            continue;
                        };
                        let value = if op.is_some() { expr } else { *value };
                        if let Some(found) = vague(unit, variable, value) {
                            return Some(found);
                        }
                    }
                    ExprKind::Call { arguments, .. } => {
                        let Some(Resolution::Function(function)) =
                            self.checked.exprs.resolution(expr)
                        else {
                            continue;
                        };
                        let callee = ast.handlers.len() + function.index();
                        for (index, &argument) in arguments.iter().enumerate() {
                            if let Some(found) = vague(unit, (Some(callee), index), argument) {
                                return Some(found);
                            }
                        }
                    }
                    _ => {}
                }
            }
        }
        None
    }
}

fn is_number(ast: &Ast, id: ExprId) -> bool {
    matches!(
        ast.expr(ast.without_parentheses(id)).kind,
        ExprKind::Integer(_) | ExprKind::Float(_)
    )
}
