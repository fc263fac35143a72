//! Amounts that are at most a part of a variable's value, as far as the text tells.

use super::share::{Exact, share};
use crate::abstraction::{Variable, variable};
use crate::ast::{BinaryOp, ExprId, ExprKind, UnaryOp};
use crate::check::{Checked, Constants};
use crate::types::Type;

/// Expressions are looked into so deep.
const DEEPEST: usize = 12;

/// An amount.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Part {
    /// It is zero or less.
    Nothing,
    /// It is at most so many hundredths of a variable's value, provided that some integers are not
    /// negative, and that the variable's value is at most [`CEILING`](super::money::CEILING).
    Of {
        variable: Variable,
        hundredths: i32,
        not_negative: Vec<ExprId>,
        exactly: Option<Exactly>,
    },
}

/// What an amount is of a variable's value, which is neither negative nor above
/// [`CEILING`](super::money::CEILING).
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Exactly {
    /// The whole.
    Whole,
    /// A share, which is never negative.
    Share(Exact),
    /// What is left when another variable's value is taken away.
    LeftBy(Variable),
}

/// Reads amounts in a script.
pub(super) struct Parts<'a> {
    checked: &'a Checked,
    constants: Constants<'a>,
}

impl<'a> Parts<'a> {
    pub(super) fn of(checked: &'a Checked) -> Parts<'a> {
        Parts {
            checked,
            constants: Constants::of(checked),
        }
    }

    /// What an integer expression of a unit is at most part of.
    pub(super) fn part(&self, unit: usize, expr: ExprId) -> Option<Part> {
        self.part_within(unit, expr, DEEPEST)
    }

    fn kind(&self, expr: ExprId) -> &'a ExprKind {
        let ast = &self.checked.ast;
        &ast.expr(ast.without_parentheses(expr)).kind
    }

    fn ty(&self, expr: ExprId) -> Option<Type> {
        self.checked.exprs.ty(expr).value()
    }

    fn part_within(&self, unit: usize, expr: ExprId, depth: usize) -> Option<Part> {
        let depth = depth.checked_sub(1)?;
        match *self.kind(expr) {
            _ if self.ty(expr)? != Type::Integer => None,
            ExprKind::Integer(number) => (number <= 0).then_some(Part::Nothing),
            ExprKind::Name(_) => self.variable(unit, expr).map(whole),
            ExprKind::Binary {
                op: BinaryOp::Subtract,
                left,
                right,
                ..
            } if self.is_calm(right, depth) => {
                // Neither may be negative, or the difference might be more, or wrap around.
                let variable = self.variable(unit, left)?;
                Some(Part::Of {
                    variable,
                    hundredths: 100,
                    not_negative: vec![left, right],
                    exactly: self.variable(unit, right).map(Exactly::LeftBy),
                })
            }
            _ => match share(self.checked, &self.constants, unit, expr) {
                Some(share) => Some(Part::Of {
                    variable: share.variable,
                    hundredths: share.hundredths,
                    not_negative: match share.keeps_sign {
                        true => Vec::new(),
                        false => vec![share.amount],
                    },
                    exactly: share.exactly.map(Exactly::Share),
                }),
                None => self.fraction(unit, expr, depth),
            },
        }
    }

    /// A part over a number, or what such a division leaves.
    fn fraction(&self, unit: usize, expr: ExprId, depth: usize) -> Option<Part> {
        let ExprKind::Binary {
            op, left, right, ..
        } = *self.kind(expr)
        else {
            return None;
        };
        let divisor = self.number(right).filter(|&divisor| divisor >= 1)?;
        let part = self.part_within(unit, left, depth)?;
        match op {
            BinaryOp::Divide => Some(part.at_most(99_i32.saturating_add(divisor) / divisor)),
            BinaryOp::Remainder => Some(part.at_most(100)),
            _ => None,
        }
    }

    fn variable(&self, unit: usize, expr: ExprId) -> Option<Variable> {
        let expr = self.checked.ast.without_parentheses(expr);
        variable(self.checked, unit, expr)
    }

    /// The literal that an expression is, or a variable that is never assigned to.
    fn literal(&self, expr: ExprId) -> &'a ExprKind {
        self.kind(self.constants.written(expr))
    }

    fn number(&self, expr: ExprId) -> Option<i32> {
        match *self.literal(expr) {
            ExprKind::Integer(number) => Some(number),
            _ => None,
        }
    }

    /// Whether an integer expression can be evaluated once more: it only reads variables.
    fn is_calm(&self, expr: ExprId, depth: usize) -> bool {
        let Some(depth) = depth.checked_sub(1) else {
            return false;
        };
        self.ty(expr) == Some(Type::Integer)
            && match *self.kind(expr) {
                ExprKind::Integer(_) | ExprKind::Name(_) => true,
                ExprKind::Unary {
                    op: UnaryOp::Negate,
                    operand,
                } => self.is_calm(operand, depth),
                ExprKind::Binary {
                    op: BinaryOp::Add | BinaryOp::Subtract | BinaryOp::Multiply,
                    left,
                    right,
                    ..
                } => self.is_calm(left, depth) && self.is_calm(right, depth),
                _ => false,
            }
    }
}

fn whole(variable: Variable) -> Part {
    Part::Of {
        variable,
        hundredths: 100,
        not_negative: Vec::new(),
        exactly: Some(Exactly::Whole),
    }
}

impl Part {
    fn at_most(self, most: i32) -> Part {
        match self {
            Part::Nothing => Part::Nothing,
            Part::Of {
                variable,
                hundredths,
                not_negative,
                ..
            } => Part::Of {
                variable,
                hundredths: hundredths.min(most),
                not_negative,
                exactly: None,
            },
        }
    }
}
