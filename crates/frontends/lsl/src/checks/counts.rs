//! Counts of what was paid for: days of a rent, tickets, turns.
//!
//! After `days = amount / RENT`, the product `days * RENT` is no more than the amount, and it becomes
//! less when a day is over. A variable that is given such quotients and is multiplied by one number is
//! called a *count* here, and the number its *price*. What is noted of a count is from which payment
//! the product is. A count is never negative where something is noted.

use std::collections::{BTreeMap, HashSet};

use super::share::{Share, share};
use crate::ast::{Ast, BinaryOp, ExprId, ExprKind, StmtId, StmtKind};
use crate::check::{Checked, Constants, Resolution};
use crate::lower::parts_of;
use crate::lower::{Variable, units, variable};

/// The counts of a script.
pub(super) struct Counts {
    prices: BTreeMap<Variable, i32>,
    /// Statements that take one away from a count that is above zero.
    fewer: HashSet<StmtId>,
}

impl Counts {
    pub(super) fn of(checked: &Checked, constants: &Constants<'_>) -> Counts {
        let read = Reader { checked, constants };
        let mut found = Found::default();
        for (unit, body) in units(&checked.ast) {
            read.unit(unit, body, &mut found);
        }
        // What is received is a payment as a whole, not a count.
        for id in checked.ast.handler_ids() {
            let parameters = checked.ast.handler(id).parameters.len();
            for parameter in 0..parameters {
                found.not_counts.insert((Some(id.index()), parameter));
            }
        }
        let prices = read.prices(&found);
        let fewer = found.fewer.into_iter();
        let fewer = fewer.filter(|(_, variable)| prices.contains_key(variable));
        Counts {
            fewer: fewer.map(|(id, _)| id).collect(),
            prices,
        }
    }

    /// By what a count is multiplied.
    pub(super) fn price(&self, variable: Variable) -> Option<i32> {
        self.prices.get(&variable).copied()
    }

    /// Whether a statement does nothing but take one away from a count that is above zero.
    pub(super) fn is_fewer(&self, id: StmtId) -> bool {
        self.fewer.contains(&id)
    }

    /// Whether a product may have become less than the quotient was: it is not known exactly then.
    pub(super) fn may_become_fewer(&self) -> bool {
        !self.fewer.is_empty()
    }
}

/// The share that a quotient, taken so many times, is of an amount.
pub(super) fn quotient(
    checked: &Checked,
    constants: &Constants<'_>,
    (unit, expr): (usize, ExprId),
    price: i32,
) -> Option<Share> {
    share(checked, constants, unit, expr)?.times(price)
}

/// What a script does with variables.
#[derive(Default)]
struct Found {
    /// Variables that are multiplied, and by what.
    products: Vec<(Variable, i32)>,
    /// Variables that are given the value of others: to which, from which.
    copies: Vec<(Variable, Variable)>,
    /// Other expressions that variables are given.
    given: Vec<(Variable, usize, ExprId)>,
    not_counts: HashSet<Variable>,
    fewer: Vec<(StmtId, Variable)>,
}

struct Reader<'a> {
    checked: &'a Checked,
    constants: &'a Constants<'a>,
}

impl Reader<'_> {
    fn unit(&self, unit: usize, body: StmtId, found: &mut Found) {
        let ast = &self.checked.ast;
        let (stmts, exprs) = parts_of(ast, body);
        for id in stmts {
            match &ast.stmt(id).kind {
                StmtKind::Declare { value, .. } => {
                    let local = self.checked.declared(id);
                    if let (Some(local), &Some(value)) = (local, value) {
                        self.given((Some(unit), local.index()), unit, value, found);
                    }
                }
                StmtKind::If { arms, .. } => {
                    for &(condition, then) in arms {
                        found.fewer.extend(self.one_fewer(unit, condition, then));
                    }
                }
                _ => {}
            }
        }
        for expr in exprs {
            match &ast.expr(expr).kind {
                &ExprKind::Assign {
                    op: None,
                    place,
                    value,
                } => {
                    if let Some(to) = variable(self.checked, unit, place) {
                        self.given(to, unit, value, found);
                    }
                }
                ExprKind::Call { arguments, .. } => {
                    let resolution = self.checked.exprs.resolution(expr);
                    if let Some(Resolution::Function(function)) = resolution {
                        let callee = ast.handlers.len() + function.index();
                        for (index, &argument) in arguments.iter().enumerate() {
                            self.given((Some(callee), index), unit, argument, found);
                        }
                    }
                }
                _ => found
                    .products
                    .extend(product(self.checked, self.constants, unit, expr)),
            }
        }
    }

    fn given(&self, to: Variable, unit: usize, value: ExprId, found: &mut Found) {
        let value = self.checked.ast.without_parentheses(value);
        match variable(self.checked, unit, value) {
            Some(from) => found.copies.push((to, from)),
            None => found.given.push((to, unit, value)),
        }
    }

    /// `if (count > 0) count -= 1;`, or the first statement of a block.
    fn one_fewer(
        &self,
        unit: usize,
        condition: ExprId,
        then: StmtId,
    ) -> Option<(StmtId, Variable)> {
        let ast = &self.checked.ast;
        let then = match &ast.stmt(then).kind {
            StmtKind::Block(stmts) => *stmts.first()?,
            _ => then,
        };
        let StmtKind::Expr(expr) = ast.stmt(then).kind else {
            return None;
        };
        let one = |expr| self.number(expr) == Some(1);
        let place = match ast.expr(ast.without_parentheses(expr)).kind {
            ExprKind::Step { place, by: -1, .. } => place,
            ExprKind::Assign {
                op: Some(BinaryOp::Subtract),
                place,
                value,
            } if one(value) => place,
            ExprKind::Assign {
                op: None,
                place,
                value,
            } => match self.binary(value)? {
                (BinaryOp::Subtract, left, right)
                    if one(right) && self.variable(unit, left) == self.variable(unit, place) =>
                {
                    place
                }
                _ => return None,
            },
            _ => return None,
        };
        let count = self.variable(unit, place)?;
        let is_count = |expr| self.variable(unit, expr) == Some(count);
        let (op, left, right) = self.binary(condition)?;
        let is_above_zero = match (op, self.number(left), self.number(right)) {
            (BinaryOp::Greater, _, Some(0)) | (BinaryOp::GreaterEqual, _, Some(1)) => {
                is_count(left)
            }
            (BinaryOp::Less, Some(0), _) | (BinaryOp::LessEqual, Some(1), _) => is_count(right),
            _ => false,
        };
        is_above_zero.then_some((then, count))
    }

    fn binary(&self, expr: ExprId) -> Option<(BinaryOp, ExprId, ExprId)> {
        let ast = &self.checked.ast;
        match ast.expr(ast.without_parentheses(expr)).kind {
            ExprKind::Binary {
                op, left, right, ..
            } => Some((op, left, right)),
            _ => None,
        }
    }

    fn variable(&self, unit: usize, expr: ExprId) -> Option<Variable> {
        let expr = self.checked.ast.without_parentheses(expr);
        variable(self.checked, unit, expr)
    }

    fn number(&self, expr: ExprId) -> Option<i32> {
        number(&self.checked.ast, self.constants, expr)
    }

    /// The prices of variables that are multiplied by one number, or copied to such, and that are given
    /// quotients, or copies of such.
    fn prices(&self, found: &Found) -> BTreeMap<Variable, i32> {
        let mut prices: BTreeMap<Variable, i32> = BTreeMap::new();
        let mut not_counts = found.not_counts.clone();
        for &(variable, price) in &found.products {
            if *prices.entry(variable).or_insert(price) != price {
                not_counts.insert(variable);
            }
        }
        prices.retain(|variable, _| !not_counts.contains(variable));
        let mut before = 0;
        while before != prices.len() {
            before = prices.len();
            for (to, from) in &found.copies {
                if let Some(&price) = prices.get(to)
                    && !not_counts.contains(from)
                {
                    prices.entry(*from).or_insert(price);
                }
            }
        }
        let is_quotient = |&&(to, unit, value): &&(Variable, usize, ExprId)| {
            prices.get(&to).is_some_and(|&price| {
                quotient(self.checked, self.constants, (unit, value), price).is_some()
            })
        };
        let quotients = found.given.iter().filter(is_quotient);
        let mut counts: HashSet<Variable> = quotients.map(|&(to, ..)| to).collect();
        let mut before = 0;
        while before != counts.len() {
            before = counts.len();
            for (to, from) in &found.copies {
                if counts.contains(from)
                    && prices.contains_key(to)
                    && prices.get(to) == prices.get(from)
                {
                    counts.insert(*to);
                }
            }
        }
        prices.retain(|variable, _| counts.contains(variable));
        prices
    }
}

/// A product of a variable and a number above one.
pub(super) fn product(
    checked: &Checked,
    constants: &Constants<'_>,
    unit: usize,
    expr: ExprId,
) -> Option<(Variable, i32)> {
    let ast = &checked.ast;
    let ExprKind::Binary {
        op: BinaryOp::Multiply,
        left,
        right,
        ..
    } = ast.expr(ast.without_parentheses(expr)).kind
    else {
        return None;
    };
    let sides = [(left, right), (right, left)];
    sides.into_iter().find_map(|(count, price)| {
        let count = variable(checked, unit, ast.without_parentheses(count))?;
        let price = number(ast, constants, price).filter(|&price| price > 1)?;
        Some((count, price))
    })
}

/// The number that an expression is, or a variable that is never assigned to.
fn number(ast: &Ast, constants: &Constants<'_>, expr: ExprId) -> Option<i32> {
    match ast.expr(constants.written(expr)).kind {
        ExprKind::Integer(number) => Some(number),
        _ => None,
    }
}
