//! Divisions whose divisor is never zero, whatever values the script's variables have otherwise.
//!
//! Localization forgets most values, and with them that somebody asked `if (count > 0)` before dividing by
//! `count`. So what conditions, assignments and constants say is found in the script itself first, by a
//! forward data-flow analysis over its statements: which integers are not zero, and which lists are not
//! empty.

use std::collections::HashSet;

use crate::ast::{BinaryOp, ExprId, ExprKind, StmtId, StmtKind, UnaryOp};
use crate::check::{Checked, Constants, Resolution};
use crate::lower::{Variable, units, variable};
use crate::lower::{all_within, divides, parts_of};
use crate::types::Type;

/// The divisions of the script that are no Math Error.
pub(super) fn harmless(checked: &Checked) -> HashSet<ExprId> {
    let constants = Constants::of(checked);
    let ast = &checked.ast;
    if !ast.expr_ids().any(|expr| divides(checked, expr)) {
        return HashSet::new();
    }
    let mut found = HashSet::new();
    for (unit, body) in units(ast) {
        let mut walk = Walk {
            checked,
            constants: &constants,
            unit,
            found: &mut found,
        };
        walk.statement(body, Some(Facts::new()));
    }
    found
}

/// Integers that are not zero and lists that are not empty. `None` stands for a place that is not reached.
type Facts = HashSet<Variable>;

struct Walk<'a> {
    checked: &'a Checked,
    constants: &'a Constants<'a>,
    unit: usize,
    found: &'a mut HashSet<ExprId>,
}

impl Walk<'_> {
    /// What is known behind a statement, if it is known before it.
    fn statement(&mut self, stmt: StmtId, before: Option<Facts>) -> Option<Facts> {
        let checked = self.checked;
        let ast = &checked.ast;
        match &ast.stmt(stmt).kind {
            StmtKind::Error | StmtKind::Empty => before,
            StmtKind::Block(body) => body
                .iter()
                .fold(before, |facts, &stmt| self.statement(stmt, facts)),
            StmtKind::Expr(expr) => self.evaluate(*expr, before),
            StmtKind::Declare { value, .. } => {
                let mut facts = match value {
                    Some(value) => self.evaluate(*value, before),
                    None => before,
                };
                let declared = checked.declared(stmt);
                if let (Some(facts), Some(local)) = (&mut facts, declared) {
                    let is_true = value.is_some_and(|value| self.is_true(value, facts));
                    note(facts, (Some(self.unit), local.index()), is_true);
                }
                facts
            }
            StmtKind::If { arms, otherwise } => {
                let mut ends = Vec::new();
                let mut facts = before;
                for &(condition, body) in arms {
                    facts = self.evaluate(condition, facts);
                    let inside = self.if_it_is(condition, true, facts.clone());
                    ends.push(self.statement(body, inside));
                    facts = self.if_it_is(condition, false, facts);
                }
                ends.push(match otherwise {
                    Some(body) => self.statement(*body, facts),
                    None => facts,
                });
                let reached = ends.into_iter().flatten();
                reached.reduce(|left, right| &left & &right)
            }
            StmtKind::While { condition, body } => {
                let start = self.but_changed_in(stmt, before);
                let start = self.evaluate(*condition, start);
                let inside = self.if_it_is(*condition, true, start.clone());
                self.statement(*body, inside);
                self.if_it_is(*condition, false, start)
            }
            StmtKind::DoWhile { body, condition } => {
                let start = self.but_changed_in(stmt, before);
                let end = self.statement(*body, start);
                let end = self.evaluate(*condition, end);
                self.if_it_is(*condition, false, end)
            }
            StmtKind::For {
                before: first,
                condition,
                after,
                body,
            } => {
                let start = first
                    .iter()
                    .fold(before, |facts, &expr| self.evaluate(expr, facts));
                let start = self.but_changed_in(stmt, start);
                let start = self.evaluate(*condition, start);
                let inside = self.if_it_is(*condition, true, start.clone());
                let end = self.statement(*body, inside);
                after
                    .iter()
                    .fold(end, |facts, &expr| self.evaluate(expr, facts));
                self.if_it_is(*condition, false, start)
            }
            // A jump may come from anywhere.
            StmtKind::Label(_) => Some(Facts::new()),
            StmtKind::Return(value) => {
                if let Some(value) = value {
                    self.evaluate(*value, before);
                }
                None
            }
            StmtKind::Jump(_) | StmtKind::State(_) => None,
        }
    }

    /// Notes the divisions of an expression that are harmless, and what is known behind it. What the
    /// expression changes is not known anywhere in it, whatever comes first.
    fn evaluate(&mut self, expr: ExprId, before: Option<Facts>) -> Option<Facts> {
        let mut facts = before?;
        let parts = all_within(&self.checked.ast, expr);
        self.forget(&mut facts, &parts);
        let ast = &self.checked.ast;
        for &part in &parts {
            let (divided, divisor) = match ast.expr(part).kind {
                ExprKind::Binary { left, right, .. } => (left, right),
                ExprKind::Assign { place, value, .. } => (place, value),
                _ => continue,
            };
            // What is no number, divided by anything, is a Math Error, too.
            if divides(self.checked, part)
                && (self.is_true(divisor, &facts) || self.is_constant(divisor))
                && (self.ty(divided) != Some(Type::Float) || self.is_finite(divided, &facts))
            {
                self.found.insert(part);
            }
        }
        let whole = ast.without_parentheses(expr);
        if let ExprKind::Assign {
            op: op @ (None | Some(BinaryOp::Add)),
            place,
            value,
        } = ast.expr(whole).kind
            && let Some(to) = variable(self.checked, self.unit, place)
        {
            // A list only grows by what is put behind it.
            let grows = op.is_none() || self.ty(place) == Some(Type::List);
            let is_true = grows && self.is_true(value, &facts);
            note(&mut facts, to, is_true);
        }
        Some(facts)
    }

    /// What is known if a condition is true, or if it is false.
    fn if_it_is(&self, condition: ExprId, truth: bool, facts: Option<Facts>) -> Option<Facts> {
        let mut facts = facts?;
        let mut said = Facts::new();
        self.says(condition, truth, &mut said);
        self.forget(&mut said, &all_within(&self.checked.ast, condition));
        facts.extend(said);
        Some(facts)
    }

    /// Adds what follows from a condition's truth.
    fn says(&self, condition: ExprId, truth: bool, said: &mut Facts) {
        let ast = &self.checked.ast;
        let mut pending = vec![(condition, truth)];
        while let Some((condition, truth)) = pending.pop() {
            let condition = ast.without_parentheses(condition);
            match ast.expr(condition).kind {
                ExprKind::Unary {
                    op: UnaryOp::Not,
                    operand,
                } if self.ty(operand) == Some(Type::Integer) => pending.push((operand, !truth)),
                ExprKind::Binary {
                    op, left, right, ..
                } => match (op, truth) {
                    (BinaryOp::And, true) | (BinaryOp::Or, false) => {
                        pending.extend([(left, truth), (right, truth)]);
                    }
                    _ => said.extend(self.compared(op, left, right, truth)),
                },
                _ if truth => said.extend(self.counted(condition)),
                _ => {}
            }
        }
    }

    /// The variable that a comparison with a number shows to be other than zero, or not empty.
    fn compared(&self, op: BinaryOp, left: ExprId, right: ExprId, truth: bool) -> Option<Variable> {
        let number = |expr: ExprId| self.checked.written_integer(self.constants.written(expr));
        let (counted, op, number) = match (number(left), number(right)) {
            (None, Some(number)) => (self.counted(left)?, op, number),
            (Some(number), None) => (self.counted(right)?, mirrored(op), number),
            _ => return None,
        };
        let op = if truth { op } else { negated(op)? };
        // What is compared with the number would have to be zero.
        let admits_zero = match op {
            BinaryOp::Equal => number == 0,
            BinaryOp::NotEqual => number != 0,
            BinaryOp::Less => 0 < number,
            BinaryOp::LessEqual => 0 <= number,
            BinaryOp::Greater => 0 > number,
            BinaryOp::GreaterEqual => 0 >= number,
            _ => true,
        };
        (!admits_zero).then_some(counted)
    }

    /// The variable whose value an expression is, or whose length.
    fn counted(&self, expr: ExprId) -> Option<Variable> {
        let ast = &self.checked.ast;
        let expr = ast.without_parentheses(expr);
        match &ast.expr(expr).kind {
            ExprKind::Name(_) if self.ty(expr) == Some(Type::Integer) => {
                variable(self.checked, self.unit, expr)
            }
            ExprKind::Call { arguments, .. } => match self.checked.exprs.resolution(expr)? {
                Resolution::Library(function) if function.name == "llGetListLength" => {
                    let list = ast.without_parentheses(*arguments.first()?);
                    variable(self.checked, self.unit, list)
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// Whether an integer is known to be other than zero, or a list not to be empty.
    fn is_true(&self, expr: ExprId, facts: &Facts) -> bool {
        let ast = &self.checked.ast;
        let mut expr = ast.without_parentheses(expr);
        while let ExprKind::Cast {
            to: Type::Integer | Type::Float,
            operand,
        }
        | ExprKind::Unary {
            op: UnaryOp::Negate,
            operand,
        } = ast.expr(expr).kind
            && self.ty(operand) == Some(Type::Integer)
        {
            expr = ast.without_parentheses(operand);
        }
        let is_known = |variable: Variable| facts.contains(&variable);
        match &ast.expr(expr).kind {
            ExprKind::List(parts) => parts.iter().any(|&part| self.ty(part) != Some(Type::List)),
            ExprKind::Binary {
                op: BinaryOp::Add, ..
            } if self.ty(expr) == Some(Type::List) => {
                let (lowest, spine) = ast.left_spine(expr);
                let right = |&node: &ExprId| match ast.expr(node).kind {
                    ExprKind::Binary { right, .. } => Some(right),
                    _ => None,
                };
                let mut operands = spine.iter().filter_map(right).chain([lowest]);
                operands.any(|part| match self.ty(part) {
                    Some(Type::List) => self.is_filled(part, facts),
                    _ => true,
                })
            }
            ExprKind::Name(_) if self.ty(expr) == Some(Type::List) => self.is_filled(expr, facts),
            _ => {
                let number = self.checked.written_integer(self.constants.written(expr));
                number.map_or_else(
                    || self.counted(expr).is_some_and(is_known),
                    |number| number != 0,
                )
            }
        }
    }

    /// Whether a list that is written here, or a variable, is not empty.
    fn is_filled(&self, list: ExprId, facts: &Facts) -> bool {
        let ast = &self.checked.ast;
        let list = ast.without_parentheses(list);
        match &ast.expr(list).kind {
            ExprKind::List(parts) => parts.iter().any(|&part| self.ty(part) != Some(Type::List)),
            ExprKind::Name(_) => variable(self.checked, self.unit, list)
                .is_some_and(|variable| facts.contains(&variable)),
            _ => false,
        }
    }

    /// Whether an expression of constants alone is other than zero, however it is rounded.
    fn is_constant(&self, expr: ExprId) -> bool {
        self.near(expr, MOST_DEPTH)
            .is_some_and(|near| near.value.abs() > near.error + TINY)
    }

    /// Whether a number is neither infinite nor no number at all.
    fn is_finite(&self, expr: ExprId, facts: &Facts) -> bool {
        self.most(expr, facts, MOST_DEPTH)
            .is_some_and(|most| most < f64::from(f32::MAX) / 2.0)
    }

    /// The most that a number can be, whatever its sign, if that can be told.
    fn most(&self, expr: ExprId, facts: &Facts, depth: usize) -> Option<f64> {
        let depth = depth.checked_sub(1)?;
        if self.ty(expr) == Some(Type::Integer) {
            return Some(-f64::from(i32::MIN));
        }
        let expr = self.constants.written(expr);
        match self.checked.ast.expr(expr).kind {
            ExprKind::Float(value) => Some(f64::from(value.abs())),
            ExprKind::Cast { operand, .. } if self.ty(operand) == Some(Type::Integer) => {
                self.most(operand, facts, depth)
            }
            ExprKind::Unary {
                op: UnaryOp::Negate,
                operand,
            } => self.most(operand, facts, depth),
            ExprKind::Binary {
                op, left, right, ..
            } => {
                let divided = self.most(left, facts, depth)?;
                match op {
                    BinaryOp::Add | BinaryOp::Subtract => {
                        Some(divided + self.most(right, facts, depth)?)
                    }
                    BinaryOp::Multiply => Some(divided * self.most(right, facts, depth)?),
                    BinaryOp::Divide if self.is_true(right, facts) => Some(divided),
                    BinaryOp::Divide => {
                        let near = self.near(right, depth)?;
                        let least = near.value.abs() - near.error;
                        (least > TINY).then(|| divided / least)
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// The value of an expression of constants.
    fn near(&self, expr: ExprId, depth: usize) -> Option<Near> {
        let depth = depth.checked_sub(1)?;
        let ast = &self.checked.ast;
        let expr = self.constants.written(expr);
        match ast.expr(expr).kind {
            ExprKind::Integer(value) => Some(Near::exactly(f64::from(value))),
            ExprKind::Float(value) if value.is_finite() => Some(Near::exactly(f64::from(value))),
            ExprKind::Unary {
                op: UnaryOp::Negate,
                operand,
            } => {
                let near = self.near(operand, depth)?;
                Some(Near {
                    value: -near.value,
                    ..near
                })
            }
            ExprKind::Binary {
                op, left, right, ..
            } => {
                let (left, right) = (self.near(left, depth)?, self.near(right, depth)?);
                let (value, error) = match op {
                    BinaryOp::Add => (left.value + right.value, left.error + right.error),
                    BinaryOp::Subtract => (left.value - right.value, left.error + right.error),
                    BinaryOp::Multiply => (
                        left.value * right.value,
                        left.error * right.value.abs()
                            + right.error * left.value.abs()
                            + left.error * right.error,
                    ),
                    _ => return None,
                };
                let is_float = self.ty(expr) == Some(Type::Float);
                let in_range = value.abs() < f64::from(i32::MAX);
                (in_range && (is_float || error == 0.0)).then(|| Near {
                    value,
                    error: error
                        + if is_float {
                            value.abs() * ROUNDING
                        } else {
                            0.0
                        },
                })
            }
            _ => None,
        }
    }

    /// What is still known in a loop, whichever round it is.
    fn but_changed_in(&self, stmt: StmtId, facts: Option<Facts>) -> Option<Facts> {
        let mut facts = facts?;
        let (stmts, exprs) = parts_of(&self.checked.ast, stmt);
        self.forget(&mut facts, &exprs);
        for stmt in stmts {
            if let Some(local) = self.checked.declared(stmt) {
                facts.remove(&(Some(self.unit), local.index()));
            }
        }
        Some(facts)
    }

    /// Forgets what expressions change.
    fn forget(&self, facts: &mut Facts, exprs: &[ExprId]) {
        for &expr in exprs {
            match self.checked.ast.expr(expr).kind {
                ExprKind::Assign { place, .. } | ExprKind::Step { place, .. } => {
                    if let Some(changed) = variable(self.checked, self.unit, place) {
                        facts.remove(&changed);
                    }
                }
                ExprKind::Call { .. }
                    if matches!(
                        self.checked.exprs.resolution(expr),
                        Some(Resolution::Function(_))
                    ) =>
                {
                    facts.retain(|(unit, _)| unit.is_some());
                }
                _ => {}
            }
        }
    }

    fn ty(&self, expr: ExprId) -> Option<Type> {
        self.checked.exprs.ty(expr).value()
    }
}

/// How deep expressions of constants are looked into.
const MOST_DEPTH: usize = 12;

/// The most that rounding to a 32-bit float changes, for each unit of the value.
const ROUNDING: f64 = 1.2e-7;

/// Floats nearer to zero than this may be rounded to it.
const TINY: f64 = 1e-30;

/// A number, and how far a calculation with 32-bit floats may be from it.
#[derive(Clone, Copy)]
struct Near {
    value: f64,
    error: f64,
}

impl Near {
    fn exactly(value: f64) -> Near {
        Near { value, error: 0.0 }
    }
}

fn note(facts: &mut Facts, variable: Variable, is_true: bool) {
    if is_true {
        facts.insert(variable);
    } else {
        facts.remove(&variable);
    }
}

/// The comparison with its sides exchanged.
fn mirrored(op: BinaryOp) -> BinaryOp {
    match op {
        BinaryOp::Less => BinaryOp::Greater,
        BinaryOp::LessEqual => BinaryOp::GreaterEqual,
        BinaryOp::Greater => BinaryOp::Less,
        BinaryOp::GreaterEqual => BinaryOp::LessEqual,
        other => other,
    }
}

/// The comparison that is true where this one is false.
fn negated(op: BinaryOp) -> Option<BinaryOp> {
    Some(match op {
        BinaryOp::Equal => BinaryOp::NotEqual,
        BinaryOp::NotEqual => BinaryOp::Equal,
        BinaryOp::Less => BinaryOp::GreaterEqual,
        BinaryOp::LessEqual => BinaryOp::Greater,
        BinaryOp::Greater => BinaryOp::LessEqual,
        BinaryOp::GreaterEqual => BinaryOp::Less,
        _ => return None,
    })
}
