//! Amounts that are at most a part of a variable's value, as far as the text tells.

use super::money::CEILING;
use crate::abstraction::{Variable, variable};
use crate::ast::{BinaryOp, ExprId, ExprKind, UnaryOp};
use crate::check::{Checked, Constants, Resolution};
use crate::types::Type;

/// Expressions are looked into so deep.
const DEEPEST: usize = 12;

/// How far a float up to 1 may be from the number that is written, and a little more.
const FLOAT_ERROR: f64 = 3.1e-8;

/// An amount.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Part {
    /// It is zero or less.
    Nothing,
    /// It is at most so many hundredths of a variable's value, provided that some integers are not
    /// negative, and that the variable's value is at most [`CEILING`].
    Of {
        variable: Variable,
        hundredths: i32,
        not_negative: Vec<ExprId>,
    },
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
            ExprKind::Cast {
                to: Type::Integer,
                operand,
            } => match self.ty(operand)? {
                Type::Integer => self.part_within(unit, operand, depth),
                Type::Float => self.share(unit, operand, false),
                _ => None,
            },
            ExprKind::Call { ref arguments, .. } => match self.checked.exprs.resolution(expr)? {
                Resolution::Library(function) => {
                    let rounds_up = match function.name {
                        "llFloor" => false,
                        "llRound" | "llCeil" => true,
                        _ => return None,
                    };
                    self.share(unit, *arguments.first()?, rounds_up)
                }
                _ => None,
            },
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
                })
            }
            ExprKind::Binary {
                op: BinaryOp::Divide,
                left,
                right,
                ..
            } => {
                let divisor = self.number(right).filter(|&divisor| divisor >= 1)?;
                if let Some((factor, amount)) = self.product(unit, left) {
                    let fits = (0..=divisor.min(i32::MAX / CEILING)).contains(&factor);
                    return fits.then(|| Part::Of {
                        variable: amount.0,
                        hundredths: hundredths(factor, divisor),
                        not_negative: vec![amount.1],
                    });
                }
                let part = self.part_within(unit, left, depth)?;
                Some(part.at_most(hundredths(1, divisor)))
            }
            ExprKind::Binary {
                op: BinaryOp::Remainder,
                left,
                right,
                ..
            } if self.number(right).is_some_and(|divisor| divisor >= 1) => {
                self.part_within(unit, left, depth)
            }
            _ => None,
        }
    }

    /// A variable times a number that is written.
    fn product(&self, unit: usize, expr: ExprId) -> Option<(i32, (Variable, ExprId))> {
        let ExprKind::Binary {
            op: BinaryOp::Multiply,
            left,
            right,
            ..
        } = *self.kind(expr)
        else {
            return None;
        };
        [(left, right), (right, left)]
            .into_iter()
            .find_map(|(factor, amount)| {
                let is_integer = self.ty(amount) == Some(Type::Integer);
                let variable = self.variable(unit, amount).filter(|_| is_integer)?;
                Some((self.number(factor)?, (variable, amount)))
            })
    }

    /// An integer variable, times a float between 0 and 1 or divided by one of at least 1, as an
    /// integer. What rounds up by itself may give the whole. Otherwise a float next to a number of
    /// hundredths counts as that: of amounts up to [`CEILING`], hundredths that are no integer are at
    /// least 0.01 below the next, and the error of the factor and of the product is below that.
    fn share(&self, unit: usize, expr: ExprId, rounds_up: bool) -> Option<Part> {
        let ExprKind::Binary {
            op, left, right, ..
        } = *self.kind(expr)
        else {
            return None;
        };
        let amount = |expr: ExprId| {
            let inner = match *self.kind(expr) {
                ExprKind::Cast {
                    to: Type::Float,
                    operand,
                } => operand,
                _ => expr,
            };
            let is_integer = self.ty(inner) == Some(Type::Integer);
            self.variable(unit, inner).filter(|_| is_integer)
        };
        let (variable, factor) = match op {
            BinaryOp::Multiply => [(left, right), (right, left)]
                .into_iter()
                .find_map(|(one, other)| Some((amount(one)?, self.float(other)?)))?,
            BinaryOp::Divide => (amount(left)?, 1.0 / self.float(right)?),
            _ => return None,
        };
        if !(0.0..=1.0).contains(&factor) {
            return None;
        }
        #[expect(clippy::cast_possible_truncation, reason = "between 0 and 100")]
        let hundredths = if rounds_up {
            100
        } else {
            ((factor - FLOAT_ERROR) * 100.0).ceil() as i32
        };
        Some(whole(variable).at_most(hundredths))
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

    fn float(&self, expr: ExprId) -> Option<f64> {
        match *self.literal(expr) {
            ExprKind::Float(number) => Some(number.into()),
            ExprKind::Integer(number) => Some(number.into()),
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
            } => Part::Of {
                variable,
                hundredths: hundredths.min(most),
                not_negative,
            },
        }
    }
}

/// Hundredths, rounded up, of `factor` over `divisor`, which are not negative and positive.
fn hundredths(factor: i32, divisor: i32) -> i32 {
    let (factor, divisor) = (i64::from(factor), i64::from(divisor));
    i32::try_from((factor * 100 + divisor - 1) / divisor).unwrap_or(i32::MAX)
}
