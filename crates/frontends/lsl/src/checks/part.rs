//! Amounts that are at most a part of a variable's value, as far as the text tells.

use super::counts::{Counts, product, quotient};
use super::share::{Exact, Share, share};
use crate::ast::{BinaryOp, ExprId, ExprKind, UnaryOp};
use crate::check::{Checked, Constants};
use crate::lower::{Variable, variable};
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
    pub(super) counts: Counts,
}

impl<'a> Parts<'a> {
    pub(super) fn of(checked: &'a Checked) -> Parts<'a> {
        let constants = Constants::of(checked);
        Parts {
            checked,
            counts: Counts::of(checked, &constants),
            constants,
        }
    }

    /// What the value that a variable is given is at most part of; that of a count, times its price.
    pub(super) fn given(&self, unit: usize, to: Variable, value: ExprId) -> Option<Part> {
        let Some(price) = self.counts.price(to) else {
            return self.part(unit, value);
        };
        match *self.kind(value) {
            _ if self.ty(value)? != Type::Integer => None,
            ExprKind::Integer(number) => (number == 0).then_some(Part::Nothing),
            ExprKind::Name(_) => {
                let from = self.variable(unit, value)?;
                (self.counts.price(from) == Some(price)).then(|| whole(from))
            }
            _ => {
                let share = quotient(self.checked, &self.constants, (unit, value), price)?;
                let is_count = self.counts.price(share.variable).is_some();
                (!is_count).then(|| of_share(share, false))
            }
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
            ExprKind::Name(_) => {
                let variable = self.variable(unit, expr)?;
                let is_count = self.counts.price(variable).is_some();
                Some(match is_count {
                    true => whole(variable).at_most(100),
                    false => whole(variable),
                })
            }
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
                    exactly: self.left_by(variable, right, unit),
                })
            }
            _ => {
                let product = product(self.checked, &self.constants, unit, expr);
                if let Some((count, price)) = product
                    && self.counts.price(count) == Some(price)
                {
                    return Some(whole(count));
                }
                match share(self.checked, &self.constants, unit, expr) {
                    Some(share) if self.counts.price(share.variable).is_some() => {
                        Some(of_share(share, true).at_most(100))
                    }
                    Some(share) => Some(of_share(share, true)),
                    None => self.fraction(unit, expr, depth),
                }
            }
        }
    }

    /// What is left of a variable's value when another's is taken away. Where counts may become less,
    /// what is taken away may have been computed from one, and be less than the share was.
    fn left_by(&self, of: Variable, taken: ExprId, unit: usize) -> Option<Exactly> {
        let taken = self.variable(unit, taken)?;
        let is_count = |variable| self.counts.price(variable).is_some();
        let is_exact = !self.counts.may_become_fewer() && !is_count(of) && !is_count(taken);
        is_exact.then_some(Exactly::LeftBy(taken))
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

/// A share of a variable's value; some keep its sign.
fn of_share(share: Share, may_keep_sign: bool) -> Part {
    Part::Of {
        variable: share.variable,
        hundredths: share.hundredths,
        not_negative: match share.keeps_sign && may_keep_sign {
            true => Vec::new(),
            false => vec![share.amount],
        },
        exactly: share.exactly.map(Exactly::Share),
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
