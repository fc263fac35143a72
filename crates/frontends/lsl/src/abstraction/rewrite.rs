//! The script anew, with what is not followed undecided.

use crate::ast::{
    Ast, BinaryOp, Expr, ExprId, ExprKind, Function, Global, Handler, Name, State, Stmt, StmtId,
    StmtKind,
};
use crate::check::{Checked, Constants, Resolution};
use crate::library;
use crate::lower::for_each_operand;
use crate::types::Type;

use super::Detail;
use super::effects::effects;
use super::kept::Kept;
use super::relevant::Seen;
use crate::lower::{Survey, units};

/// A tree of the script that does at least what the script does.
pub(crate) fn localize(checked: &Checked, seen: &Seen, detail: Detail) -> Ast {
    let old = &checked.ast;
    let kept = Kept::of(checked, seen, detail);
    let mut rewriter = Rewriter {
        checked,
        effects: effects(checked, &kept),
        kept,
        constants: Constants::of(checked),
        new: old.without_nodes(),
        unit: 0,
    };
    rewriter.new.has_representatives = detail.is_finite();
    rewriter.new.receipts = old.receipts;
    rewriter.new.sleepers = Survey::of(checked).sleeping;
    rewriter.new.sleepers.extend(&old.sleepers);
    for id in old.global_ids() {
        let global = old.global(id);
        let value = global.value.map(|value| rewriter.copy(value));
        rewriter.new.globals.push(Global {
            value,
            ..global.clone()
        });
    }
    for (unit, _) in units(old) {
        rewriter.unit = unit;
        match unit.checked_sub(old.handlers.len()) {
            None => {
                let handler = &old.handlers[unit];
                let body = rewriter.statement(handler.body);
                rewriter.new.handlers.push(Handler {
                    body,
                    ..handler.clone()
                });
            }
            Some(index) => {
                let function = &old.functions[index];
                let body = rewriter.statement(function.body);
                rewriter.new.functions.push(Function {
                    body,
                    ..function.clone()
                });
            }
        }
    }
    let states = old.states.iter().map(State::clone);
    rewriter.new.states.extend(states);
    rewriter.new
}

struct Rewriter<'a> {
    checked: &'a Checked,
    kept: Kept<'a>,
    constants: Constants<'a>,
    effects: Vec<bool>,
    new: Ast,
    unit: usize,
}

impl Rewriter<'_> {
    fn old(&self) -> &Ast {
        &self.checked.ast
    }

    fn expr_kind(&self, id: ExprId) -> Expr {
        self.old().expr(id).clone()
    }

    fn ty(&self, id: ExprId) -> Option<Type> {
        self.checked.exprs.ty(id).value()
    }

    fn has_effects(&self, id: ExprId) -> bool {
        self.effects[id.index()]
    }

    /// Whether the expression's value is followed.
    fn is_exact(&self, id: ExprId) -> bool {
        self.kept.is_exact(self.unit, id)
    }

    fn is_kept(&self, place: ExprId) -> bool {
        self.kept.keeps(self.unit, place)
    }

    /// The expression as it is.
    fn copy(&mut self, id: ExprId) -> ExprId {
        self.build(id, &mut Rewriter::copy)
    }

    /// The expression, undecided where it is not followed.
    fn value(&mut self, id: ExprId) -> ExprId {
        if self.is_exact(id) {
            return self.copy(id);
        }
        if !self.has_effects(id) {
            return self.undecided(id);
        }
        let expr = self.expr_kind(id);
        match expr.kind {
            ExprKind::Assign { place, .. } if !self.is_kept(place) && self.kept.divides(id) => {
                self.undecided_after(id)
            }
            ExprKind::Assign { place, value, .. } if !self.is_kept(place) => {
                let value = self.value(value);
                match self.ty(place) {
                    Some(to) if self.new_type_differs(id, place) => {
                        let inner = self.new.add_expr(ExprKind::Parenthesized(value), expr.span);
                        let cast = ExprKind::Cast { to, operand: inner };
                        self.new.add_expr(cast, expr.span)
                    }
                    _ => value,
                }
            }
            ExprKind::Step { place, .. } if !self.is_kept(place) => self.undecided(id),
            ExprKind::Assign {
                op: Some(_), place, ..
            }
            | ExprKind::Step { place, .. }
                if self.new.has_representatives && self.ty(place) == Some(Type::Integer) =>
            {
                self.computed(id, place)
            }
            ExprKind::Assign { op, place, value } => {
                let value = match self.ty(place) {
                    Some(Type::List) => self.list(value),
                    _ => self.value(value),
                };
                let place = self.copy(place);
                let kind = ExprKind::Assign { op, place, value };
                self.new.add_expr(kind, expr.span)
            }
            ExprKind::Step { .. } => self.copy(id),
            ExprKind::Call { .. } => self.call(id),
            ExprKind::Parenthesized(_) => self.build(id, &mut Rewriter::value),
            _ => self.undecided_after(id),
        }
    }

    /// A list that is stored where lists are followed: how long it is can be told wherever it is put
    /// together here. What is in it is read by nobody, and is anything where it is not followed.
    fn list(&mut self, id: ExprId) -> ExprId {
        let is_put_together = match self.old().expr(id).kind {
            ExprKind::List(_)
            | ExprKind::Binary { .. }
            | ExprKind::Cast { .. }
            | ExprKind::Parenthesized(_) => true,
            ExprKind::Call { .. } => match self.checked.exprs.resolution(id) {
                Some(Resolution::Library(function)) => library::pure(function.name)
                    .is_some_and(|entry| library::length_of(entry).is_some()),
                _ => false,
            },
            _ => false,
        };
        if self.is_exact(id) || !is_put_together {
            return self.value(id);
        }
        // Arguments and sums in front of a list have the types that they have.
        let has_types = match self.old().expr(id).kind {
            ExprKind::Call { .. } => true,
            ExprKind::Binary { .. } => self.ty(self.old().left_spine(id).0) != Some(Type::List),
            _ => false,
        };
        self.build(id, &mut |this, part| {
            if this.ty(part) == Some(Type::List) {
                return this.list(part);
            }
            if has_types || this.is_exact(part) || this.has_effects(part) {
                return this.value(part);
            }
            let span = this.old().expr(part).span;
            let element = ExprKind::Undecided {
                ty: Type::String,
                truth: false,
                after: Box::default(),
            };
            this.new.add_expr(element, span)
        })
    }

    /// A call for the sake of its effect. An argument that is not followed may be anything; where the
    /// world makes less of such a value than of another, it becomes that other.
    fn call(&mut self, id: ExprId) -> ExprId {
        let name = match self.checked.exprs.resolution(id) {
            Some(Resolution::Library(function)) => function.name,
            _ => "",
        };
        let mut position = 0;
        self.build(id, &mut |this, argument| {
            let at = position;
            position += 1;
            if this.is_exact(argument) || this.has_effects(argument) {
                return this.value(argument);
            }
            let paid = ["llGiveMoney", "llTransferLindenDollars"].contains(&name) && at == 1;
            let known = match paid {
                true => this.sign_of_difference(argument),
                false => this.most_general(name, at, argument),
            };
            known.unwrap_or_else(|| this.value(argument))
        })
    }

    /// A number with the sign of `left - constant`, where that is paid and finitely many integers stand for
    /// all: the checks ask only whether it is more than nothing, and that the comparison of `left` with the
    /// constant tells. If `left` is negative, the difference may wrap around.
    fn sign_of_difference(&mut self, amount: ExprId) -> Option<ExprId> {
        let old = self.old();
        let ExprKind::Binary {
            op: BinaryOp::Subtract,
            left,
            right,
            ..
        } = old.expr(old.without_parentheses(amount)).kind
        else {
            return None;
        };
        let left = old.without_parentheses(left);
        let is_variable = matches!(old.expr(left).kind, ExprKind::Name(_));
        let ExprKind::Integer(constant) = old.expr(self.constants.written(right)).kind else {
            return None;
        };
        let is_finite = self.new.has_representatives;
        if !is_finite || !is_variable || !self.is_exact(left) || constant < 0 {
            return None;
        }
        let span = old.expr(amount).span;
        let (wraps, two) = (self.any_truth(amount), self.integer(2, span));
        let above = self.compared(BinaryOp::Greater, left, constant);
        let below = self.compared(BinaryOp::Less, left, constant);
        let negative = self.compared(BinaryOp::Less, left, 0);
        let wrapped = self.binary(BinaryOp::And, negative, wraps, span);
        let more = self.binary(BinaryOp::Multiply, wrapped, two, span);
        let sign = self.binary(BinaryOp::Subtract, above, below, span);
        Some(self.binary(BinaryOp::Add, sign, more, span))
    }

    fn integer(&mut self, number: i32, span: source::Span) -> ExprId {
        self.new.add_expr(ExprKind::Integer(number), span)
    }

    fn binary(&mut self, op: BinaryOp, left: ExprId, right: ExprId, span: source::Span) -> ExprId {
        let kind = ExprKind::Binary {
            op,
            op_span: span,
            left,
            right,
        };
        self.new.add_expr(kind, span)
    }

    /// A variable, compared with a number.
    fn compared(&mut self, op: BinaryOp, variable: ExprId, number: i32) -> ExprId {
        let span = self.old().expr(variable).span;
        let (variable, number) = (self.copy(variable), self.integer(number, span));
        self.binary(op, variable, number, span)
    }

    /// The argument with which most may happen: a timer that is set, a listen to everybody, a request
    /// to the owner, who may grant everything. With others, less may.
    fn most_general(&mut self, function: &str, at: usize, argument: ExprId) -> Option<ExprId> {
        let span = self.old().expr(argument).span;
        let kind = match (function, at) {
            ("llSetTimerEvent", 0) => ExprKind::Float(1.0),
            // Others speak on channels of their own.
            ("llListen", 0) if self.kept.relevant.seen().company => return None,
            ("llListen", 0) | ("llGetNotecardLine", 1) => ExprKind::Integer(0),
            ("llListen", _) => ExprKind::String(self.new.intern("")),
            ("llRequestPermissions", 0) => {
                let symbol = self.new.intern("llGetOwner");
                ExprKind::Call {
                    function: Name { symbol, span },
                    arguments: Box::default(),
                }
            }
            _ => return None,
        };
        Some(self.new.add_expr(kind, span))
    }

    fn new_type_differs(&self, id: ExprId, place: ExprId) -> bool {
        match self.old().expr(id).kind {
            ExprKind::Assign { value, .. } => self.ty(value) != self.ty(place),
            _ => false,
        }
    }

    /// A node with new operands.
    fn build(
        &mut self,
        id: ExprId,
        operand: &mut dyn FnMut(&mut Self, ExprId) -> ExprId,
    ) -> ExprId {
        let Expr { kind, span } = self.expr_kind(id);
        let kind = match kind {
            ExprKind::Binary { .. } => return self.chain(id, operand),
            ExprKind::Vector(parts) => ExprKind::Vector(parts.map(|part| operand(self, part))),
            ExprKind::Rotation(parts) => ExprKind::Rotation(parts.map(|part| operand(self, part))),
            ExprKind::List(parts) => {
                ExprKind::List(parts.iter().map(|&part| operand(self, part)).collect())
            }
            ExprKind::Call {
                function,
                arguments,
            } => ExprKind::Call {
                function,
                arguments: arguments.iter().map(|&a| operand(self, a)).collect(),
            },
            ExprKind::Print(inner) => ExprKind::Print(operand(self, inner)),
            ExprKind::Unary { op, operand: inner } => ExprKind::Unary {
                op,
                operand: operand(self, inner),
            },
            ExprKind::Step { place, by, postfix } => ExprKind::Step {
                place: operand(self, place),
                by,
                postfix,
            },
            ExprKind::Assign { op, place, value } => {
                let place = operand(self, place);
                let value = operand(self, value);
                ExprKind::Assign { op, place, value }
            }
            ExprKind::Cast { to, operand: inner } => ExprKind::Cast {
                to,
                operand: operand(self, inner),
            },
            ExprKind::Parenthesized(inner) => ExprKind::Parenthesized(operand(self, inner)),
            leaf => leaf,
        };
        self.new.add_expr(kind, span)
    }

    /// A chain of operators along left operands, which may be as long as the script.
    fn chain(
        &mut self,
        id: ExprId,
        operand: &mut dyn FnMut(&mut Self, ExprId) -> ExprId,
    ) -> ExprId {
        let (lowest, spine) = self.old().left_spine(id);
        let mut left = operand(self, lowest);
        for node in spine {
            let Expr { kind, span } = self.expr_kind(node);
            let ExprKind::Binary {
                op, op_span, right, ..
            } = kind
            else {
                continue;
            };
            let right = operand(self, right);
            let kind = ExprKind::Binary {
                op,
                op_span,
                left,
                right,
            };
            left = self.new.add_expr(kind, span);
        }
        left
    }

    fn undecided(&mut self, id: ExprId) -> ExprId {
        self.add_undecided(id, Box::default())
    }

    fn add_undecided(&mut self, id: ExprId, after: Box<[ExprId]>) -> ExprId {
        let ty = self.ty(id).unwrap_or(Type::Integer);
        let truth = is_truth(self.checked, id);
        let span = self.old().expr(id).span;
        self.new
            .add_expr(ExprKind::Undecided { ty, truth, after }, span)
    }

    /// An integer changed in its place, where integers are followed only as far as representatives
    /// stand for all: it becomes any. An expression is worth what it was or what it is, hence anything.
    fn computed(&mut self, id: ExprId, place: ExprId) -> ExprId {
        let span = self.old().expr(id).span;
        let value = self.undecided_after(id);
        let place = self.copy(place);
        let change = ExprKind::Assign {
            op: None,
            place,
            value,
        };
        let change = self.new.add_expr(change, span);
        self.add_undecided(id, [change].into())
    }

    /// An undecided value, after all that its operands do. A division may be an error.
    fn undecided_after(&mut self, id: ExprId) -> ExprId {
        let mut operands = Vec::new();
        match self.old().expr(id).kind {
            ExprKind::Binary { left, right, .. } => operands.extend([right, left]),
            _ => for_each_operand(self.old(), id, |operand| operands.push(operand)),
        }
        if self.kept.divides(id) {
            let divided = self.division(id);
            return self.add_undecided(id, divided.into_iter().collect());
        }
        operands.retain(|&operand| self.has_effects(operand));
        let after = operands
            .into_iter()
            .map(|operand| self.value(operand))
            .collect();
        self.add_undecided(id, after)
    }

    /// A division whose value does not matter, also one in the place of what is divided: of integers, only
    /// whether the divisor is zero does.
    fn division(&mut self, id: ExprId) -> Option<ExprId> {
        let Expr { kind, span } = self.expr_kind(id);
        let (op, op_span, left, right) = match kind {
            ExprKind::Binary {
                op,
                op_span,
                left,
                right,
            } => (op, op_span, left, right),
            ExprKind::Assign { op, place, value } => (op?, span, place, value),
            _ => return None,
        };
        let is_integer = |id: ExprId| self.ty(id) == Some(Type::Integer);
        let (left, right) = if is_integer(left) && is_integer(right) {
            let divisor = match self.is_exact(right) || self.has_effects(right) {
                true => self.value(right),
                false => self.any_truth(right),
            };
            let divided = match self.has_effects(left) {
                true => self.value(left),
                false => self.new.add_expr(ExprKind::Integer(1), span),
            };
            (divided, divisor)
        } else {
            (self.value(left), self.value(right))
        };
        let kind = ExprKind::Binary {
            op,
            op_span,
            left,
            right,
        };
        Some(self.new.add_expr(kind, span))
    }

    /// A condition, of which only the truth matters.
    fn condition(&mut self, id: ExprId) -> ExprId {
        let inner = self.old().without_parentheses(id);
        if self.is_exact(id) || self.has_effects(id) {
            return self.value(id);
        }
        // What can be followed of a condition narrows it: `known && unknown`.
        let (mut lowest, mut links) = (inner, Vec::new());
        while let ExprKind::Binary {
            op: op @ (BinaryOp::And | BinaryOp::Or),
            op_span,
            left,
            right,
        } = self.old().expr(lowest).kind
        {
            links.push((op, op_span, right, self.old().expr(lowest).span));
            lowest = left;
        }
        if links.is_empty() {
            return self.any_truth(id);
        }
        let mut left = self.condition(lowest);
        for (op, op_span, right, span) in links.into_iter().rev() {
            let right = self.condition(right);
            let kind = ExprKind::Binary {
                op,
                op_span,
                left,
                right,
            };
            left = self.new.add_expr(kind, span);
        }
        left
    }

    fn any_truth(&mut self, id: ExprId) -> ExprId {
        let span = self.old().expr(id).span;
        let kind = ExprKind::Undecided {
            ty: Type::Integer,
            truth: true,
            after: Box::default(),
        };
        self.new.add_expr(kind, span)
    }

    fn add(&mut self, kind: StmtKind, span: source::Span) -> StmtId {
        self.new.add_stmt(kind, span)
    }

    fn statement(&mut self, id: StmtId) -> StmtId {
        let Stmt { kind, span } = self.old().stmt(id).clone();
        let kind = match kind {
            StmtKind::Block(body) => {
                StmtKind::Block(body.iter().map(|&stmt| self.statement(stmt)).collect())
            }
            StmtKind::Expr(expr) => return self.effect(expr, span),
            StmtKind::Declare { ty, name, value } => {
                let followed = self
                    .checked
                    .declared(id)
                    .is_some_and(|local| self.kept.has((Some(self.unit), local.index()), ty));
                let value = value.filter(|&value| followed || self.has_effects(value));
                let value = value.map(|value| match ty {
                    Type::List if followed => self.list(value),
                    _ => self.value(value),
                });
                StmtKind::Declare { ty, name, value }
            }
            StmtKind::If { arms, otherwise } => {
                let mut new_arms = Vec::with_capacity(arms.len());
                for &(condition, body) in &arms {
                    let condition = self.condition(condition);
                    new_arms.push((condition, self.statement(body)));
                }
                let otherwise = otherwise.map(|stmt| self.statement(stmt));
                let idle = arms
                    .iter()
                    .all(|&(condition, _)| !self.has_effects(condition))
                    && new_arms.iter().all(|&(_, body)| self.is_idle(body))
                    && otherwise.is_none_or(|stmt| self.is_idle(stmt));
                match idle {
                    true => StmtKind::Empty,
                    false => StmtKind::If {
                        arms: new_arms.into(),
                        otherwise,
                    },
                }
            }
            StmtKind::While { condition, body } => {
                let calm = !self.has_effects(condition);
                let condition = self.end_of_loop(condition);
                let body = self.statement(body);
                match calm && self.is_idle(body) {
                    true => StmtKind::Empty,
                    false => StmtKind::While { condition, body },
                }
            }
            StmtKind::DoWhile { body, condition } => {
                let body = self.statement(body);
                let condition = self.end_of_loop(condition);
                StmtKind::DoWhile { body, condition }
            }
            StmtKind::For {
                before,
                condition,
                after,
                body,
            } => {
                let short = self.kept.is_short(id);
                let parts = before.iter().chain([&condition]).chain(&after);
                let calm = !parts.copied().any(|expr| self.does_something(expr));
                let effects = |exprs: Box<[ExprId]>, this: &mut Self| {
                    let followed: Vec<ExprId> = exprs
                        .iter()
                        .copied()
                        .filter(|&expr| this.does_something(expr))
                        .collect();
                    followed.into_iter().map(|expr| this.value(expr)).collect()
                };
                let before = effects(before, self);
                let condition = match short {
                    true => self.value(condition),
                    false => self.end_of_loop(condition),
                };
                let after = effects(after, self);
                let body = self.statement(body);
                if calm && self.is_idle(body) {
                    StmtKind::Empty
                } else {
                    StmtKind::For {
                        before,
                        condition,
                        after,
                        body,
                    }
                }
            }
            StmtKind::Return(value) => StmtKind::Return(value.map(|value| self.value(value))),
            other => other,
        };
        self.add(kind, span)
    }

    /// Whether a new statement does nothing.
    fn is_idle(&self, stmt: StmtId) -> bool {
        match &self.new.stmt(stmt).kind {
            StmtKind::Empty => true,
            StmtKind::Block(body) => body.iter().all(|&stmt| self.is_idle(stmt)),
            _ => false,
        }
    }

    fn end_of_loop(&mut self, condition: ExprId) -> ExprId {
        if self.has_effects(condition) {
            return self.value(condition);
        }
        self.any_truth(condition)
    }

    /// Whether a statement's expression does something to what is followed.
    fn does_something(&self, expr: ExprId) -> bool {
        match self.old().expr(expr).kind {
            ExprKind::Step { place, .. } => self.is_kept(place),
            ExprKind::Assign { place, value, .. } => {
                self.is_kept(place) || self.has_effects(value) || self.kept.divides(expr)
            }
            _ => self.has_effects(expr),
        }
    }

    /// An expression in a statement of its own.
    fn effect(&mut self, expr: ExprId, span: source::Span) -> StmtId {
        let inner = self.old().without_parentheses(expr);
        let kind = match self.does_something(inner) {
            true => StmtKind::Expr(self.value(inner)),
            false => StmtKind::Empty,
        };
        self.add(kind, span)
    }
}

/// Whether an expression gives 0 or 1 only.
fn is_truth(checked: &Checked, id: ExprId) -> bool {
    let ast = &checked.ast;
    let id = ast.without_parentheses(id);
    match ast.expr(id).kind {
        ExprKind::Unary {
            op: crate::ast::UnaryOp::Not,
            ..
        } => true,
        ExprKind::Binary {
            op, left, right, ..
        } => {
            let is_list = |side| checked.exprs.ty(side).value() == Some(Type::List);
            // Of lists, `!=` tells by how much their lengths differ.
            let is_length = op == BinaryOp::NotEqual && (is_list(left) || is_list(right));
            op.is_logic() || op.is_comparison() && !is_length
        }
        _ => false,
    }
}
