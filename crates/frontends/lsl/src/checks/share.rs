//! What share of an amount an expression is, computed for every amount.
//!
//! The checks assume that no payment is above [`CEILING`]. So an expression of one integer variable and
//! numbers can be computed for each value that counts, and how much of the amount it is at most is
//! known, whatever is multiplied, divided and rounded in whichever order. Floats are of single
//! precision in scripts, but a server may keep more of what it computes in between: both are tried.

use std::rc::Rc;

use super::money::CEILING;
use crate::ast::{BinaryOp, ExprId, ExprKind, UnaryOp};
use crate::check::{Checked, Constants, Resolution};
use crate::library::{round_to_single, truncate};
use crate::lower::{Variable, variable};
use crate::types::Type;

/// Expressions are looked into so deep.
const DEEPEST: usize = 12;

/// A share of an integer variable's value.
pub(super) struct Share {
    pub(super) variable: Variable,
    /// The expression that is the variable.
    pub(super) amount: ExprId,
    /// At most so many hundredths of it, of values from 0 to [`CEILING`].
    pub(super) hundredths: i32,
    /// Whether it is zero or less of values below zero.
    pub(super) keeps_sign: bool,
    /// What it is of values from 0 to [`CEILING`], if that is never negative.
    pub(super) exactly: Option<Exact>,
}

/// The value of a share for each amount.
#[derive(Clone, Debug)]
pub(super) struct Exact {
    /// Where it is computed: there, always in the same way.
    expr: ExprId,
    /// For each amount from 0 to [`CEILING`], if rounding makes no difference.
    pub(super) values: Option<Rc<[i32]>>,
}

impl PartialEq for Exact {
    fn eq(&self, other: &Exact) -> bool {
        self.expr == other.expr || self.values.is_some() && self.values == other.values
    }
}

impl Eq for Exact {}

impl Share {
    /// So many times a share that is never negative, if it is still one.
    pub(super) fn times(self, factor: i32) -> Option<Share> {
        let Exact { expr, values } = self.exactly?;
        let mut hundredths = 0;
        let mut times: Vec<i32> = Vec::new();
        for (amount, &value) in (0_i32..).zip(values?.iter()) {
            let value = value.checked_mul(factor)?;
            if value > amount {
                return None;
            }
            if amount > 0 {
                let percent = (i64::from(value) * 100 + i64::from(amount) - 1) / i64::from(amount);
                hundredths = hundredths.max(percent);
            }
            times.push(value);
        }
        Some(Share {
            hundredths: i32::try_from(hundredths).ok()?,
            exactly: Some(Exact {
                expr,
                values: Some(times.into()),
            }),
            ..self
        })
    }
}

/// The share that an integer expression is, if it is one of a variable's and at most the whole.
pub(super) fn share(
    checked: &Checked,
    constants: &Constants<'_>,
    unit: usize,
    expr: ExprId,
) -> Option<Share> {
    let mut read = Reader {
        checked,
        constants,
        unit,
        amount: None,
    };
    let formula = read.formula(expr, DEEPEST)?;
    let (variable, amount) = read.amount?;
    let mut hundredths = 0;
    let mut values: Vec<i32> = Vec::new();
    let (mut certain, mut negative) = (true, false);
    for rounded in [round_to_single as fn(f64) -> f64, |exact| exact] {
        for value in 0..=CEILING {
            let Number::Integer(part) = formula.at(value, rounded)? else {
                return None;
            };
            match values.get(usize::try_from(value).ok()?) {
                None => values.push(part),
                Some(&before) => certain &= part == before,
            }
            negative |= part < 0;
            let part = i64::from(part.max(0));
            if part > i64::from(value) {
                return None;
            }
            if part > 0 {
                let value = i64::from(value);
                hundredths = hundredths.max((part * 100 + value - 1) / value);
            }
        }
    }
    Some(Share {
        variable,
        amount,
        hundredths: i32::try_from(hundredths).ok()?,
        keeps_sign: formula.keeps_sign(),
        exactly: (!negative).then(|| Exact {
            expr: checked.ast.without_parentheses(expr),
            values: certain.then(|| values.into()),
        }),
    })
}

#[derive(Clone, Copy)]
enum Number {
    Integer(i32),
    Float(f64),
}

/// An expression of one variable.
enum Formula {
    Amount,
    Number(Number),
    ToFloat(Box<Formula>),
    /// A float, made a whole number by this function.
    ToInteger(fn(f64) -> f64, Box<Formula>),
    /// A float, rounded as `llRound` does: half a unit more, rounded down.
    Round(Box<Formula>),
    Negate(Box<Formula>),
    Binary(BinaryOp, Box<Formula>, Box<Formula>),
}

impl Formula {
    /// Its value where the variable has this one, or nothing where that is an error.
    fn at(&self, amount: i32, rounded: fn(f64) -> f64) -> Option<Number> {
        Some(match self {
            Formula::Amount => Number::Integer(amount),
            Formula::Number(number) => *number,
            Formula::ToFloat(inner) => Number::Float(inner.at(amount, rounded)?.float(rounded)),
            Formula::ToInteger(whole, inner) => {
                let inner = inner.at(amount, rounded)?.float(rounded);
                Number::Integer(truncate(whole(inner)))
            }
            Formula::Round(inner) => {
                let inner = inner.at(amount, rounded)?.float(rounded);
                Number::Integer(truncate(rounded(inner + 0.5).floor()))
            }
            Formula::Negate(inner) => match inner.at(amount, rounded)? {
                Number::Integer(number) => Number::Integer(number.wrapping_neg()),
                Number::Float(number) => Number::Float(-number),
            },
            Formula::Binary(op, left, right) => {
                let sides = (left.at(amount, rounded)?, right.at(amount, rounded)?);
                match sides {
                    (Number::Integer(left), Number::Integer(right)) => Number::Integer(match op {
                        BinaryOp::Add => left.wrapping_add(right),
                        BinaryOp::Subtract => left.wrapping_sub(right),
                        BinaryOp::Multiply => left.wrapping_mul(right),
                        BinaryOp::Divide if right != 0 => left.wrapping_div(right),
                        BinaryOp::Remainder if right != 0 => left.wrapping_rem(right),
                        _ => return None,
                    }),
                    (left, right) => {
                        let (left, right) = (left.float(rounded), right.float(rounded));
                        Number::Float(rounded(match op {
                            BinaryOp::Add => left + right,
                            BinaryOp::Subtract => left - right,
                            BinaryOp::Multiply => left * right,
                            BinaryOp::Divide if right != 0.0 => left / right,
                            _ => return None,
                        }))
                    }
                }
            }
        })
    }
}

impl Formula {
    /// Whether it is zero or less where the variable is: floats times and over numbers that are not
    /// negative, however rounded. Products of integers may wrap around.
    fn keeps_sign(&self) -> bool {
        match self {
            Formula::Amount => true,
            Formula::ToFloat(inner) | Formula::ToInteger(_, inner) | Formula::Round(inner) => {
                inner.keeps_sign()
            }
            Formula::Binary(BinaryOp::Multiply, left, right) => {
                let is_float = left.is_float() || right.is_float();
                let scales = |one: &Formula, other: &Formula| {
                    one.keeps_sign() && other.number().is_some_and(|factor| factor >= 0.0)
                };
                is_float && (scales(left, right) || scales(right, left))
            }
            Formula::Binary(BinaryOp::Divide, left, right) => {
                left.keeps_sign() && right.number().is_some_and(|divisor| divisor > 0.0)
            }
            _ => false,
        }
    }

    fn is_float(&self) -> bool {
        match self {
            Formula::Number(Number::Float(_)) | Formula::ToFloat(_) => true,
            Formula::Binary(_, left, right) => left.is_float() || right.is_float(),
            Formula::Negate(inner) => inner.is_float(),
            _ => false,
        }
    }

    /// Its value, if the variable does not matter.
    fn number(&self) -> Option<f64> {
        match self {
            Formula::Number(number) => Some(number.float(|exact| exact)),
            Formula::ToFloat(inner) => inner.number(),
            Formula::Binary(op @ (BinaryOp::Multiply | BinaryOp::Divide), left, right)
                if self.is_float() =>
            {
                let (left, right) = (left.number()?, right.number()?);
                Some(if *op == BinaryOp::Multiply {
                    left * right
                } else {
                    left / right
                })
            }
            _ => None,
        }
    }
}

impl Number {
    fn float(self, rounded: fn(f64) -> f64) -> f64 {
        match self {
            Number::Integer(number) => rounded(number.into()),
            Number::Float(number) => number,
        }
    }
}

struct Reader<'a> {
    checked: &'a Checked,
    constants: &'a Constants<'a>,
    unit: usize,
    /// The variable that has been met.
    amount: Option<(Variable, ExprId)>,
}

impl Reader<'_> {
    fn formula(&mut self, expr: ExprId, depth: usize) -> Option<Formula> {
        let depth = depth.checked_sub(1)?;
        let expr = self.constants.written(expr);
        let ty = self.checked.exprs.ty(expr).value()?;
        let inner = |this: &mut Self, expr| this.formula(expr, depth).map(Box::new);
        Some(match self.checked.ast.expr(expr).kind {
            ExprKind::Integer(number) => Formula::Number(Number::Integer(number)),
            ExprKind::Float(number) => Formula::Number(Number::Float(number.into())),
            ExprKind::Name(_) if ty == Type::Integer => {
                let named = variable(self.checked, self.unit, expr)?;
                if self.amount.is_some_and(|(other, _)| other != named) {
                    return None;
                }
                self.amount = Some((named, expr));
                Formula::Amount
            }
            ExprKind::Cast { to, operand } => {
                let from = self.checked.exprs.ty(operand).value()?;
                let operand = inner(self, operand)?;
                match (from, to) {
                    (Type::Integer, Type::Float) => Formula::ToFloat(operand),
                    (Type::Float, Type::Integer) => Formula::ToInteger(f64::trunc, operand),
                    (Type::Integer, Type::Integer) | (Type::Float, Type::Float) => *operand,
                    _ => return None,
                }
            }
            ExprKind::Call { ref arguments, .. } => {
                let Resolution::Library(function) = self.checked.exprs.resolution(expr)? else {
                    return None;
                };
                let argument = inner(self, *arguments.first()?)?;
                match function.name {
                    "llFloor" => Formula::ToInteger(f64::floor, argument),
                    "llCeil" => Formula::ToInteger(f64::ceil, argument),
                    "llRound" => Formula::Round(argument),
                    _ => return None,
                }
            }
            ExprKind::Unary {
                op: UnaryOp::Negate,
                operand,
            } => Formula::Negate(inner(self, operand)?),
            ExprKind::Binary {
                op, left, right, ..
            } if matches!(ty, Type::Integer | Type::Float) => {
                let arithmetic = matches!(
                    op,
                    BinaryOp::Add
                        | BinaryOp::Subtract
                        | BinaryOp::Multiply
                        | BinaryOp::Divide
                        | BinaryOp::Remainder
                );
                if !arithmetic {
                    return None;
                }
                Formula::Binary(op, inner(self, left)?, inner(self, right)?)
            }
            _ => return None,
        })
    }
}
