//! Expressions: values, places, effects in the order in which they may happen.

use std::rc::Rc;

use lang_c::ast::{
    BinaryOperator, BinaryOperatorExpression, Constant, Expression, MemberOperator, UnaryOperator,
};
use lang_c::span::Node;
use model::{Binary, ExprId, Type, Unary};
use source::{Diagnostic, Span};

use crate::codes::names as code;
use crate::ctype::CType;

use super::build::Build;
use super::operators::{is_comparison, of_assignment};
use super::pointer::{FUNCTION, Pts, only};
use super::value::{Lvalue, Rvalue};
use super::{Lowering, Symbol, effects};

/// A part of an expression, evaluated where it stands.
type Part<'p, L> = dyn Fn(&mut L) -> Vec<Rvalue> + 'p;

impl Lowering<'_> {
    /// Evaluates an expression.
    pub(super) fn rvalue(&mut self, node: &Node<Expression>) -> Rvalue {
        source::limits::check();
        let span = self.span(node.span);
        let discarded = std::mem::take(&mut self.discarded);
        match &node.node {
            Expression::Constant(constant) => self.constant(&constant.node, span),
            Expression::StringLiteral(_)
            | Expression::Identifier(_)
            | Expression::Member(_)
            | Expression::CompoundLiteral(_) => self.load_of(node, span),
            Expression::Call(call) => self.call(&call.node, node.span.start, span),
            Expression::UnaryOperator(unary) => {
                let operand = &unary.node.operand;
                match unary.node.operator.node {
                    UnaryOperator::Indirection => self.load_of(node, span),
                    UnaryOperator::Address => self.address(operand, span),
                    UnaryOperator::PostIncrement => {
                        self.step_by_one(operand, true, !discarded, discarded, span)
                    }
                    UnaryOperator::PostDecrement => {
                        self.step_by_one(operand, false, !discarded, discarded, span)
                    }
                    UnaryOperator::PreIncrement => {
                        self.step_by_one(operand, true, false, discarded, span)
                    }
                    UnaryOperator::PreDecrement => {
                        self.step_by_one(operand, false, false, discarded, span)
                    }
                    UnaryOperator::Negate => {
                        let cond = self.condition(operand);
                        let not = self.pool().not(cond);
                        self.truth_as(not, &CType::INT)
                    }
                    UnaryOperator::Plus | UnaryOperator::Minus | UnaryOperator::Complement => {
                        let value = self.rvalue(operand);
                        self.signed(&unary.node.operator.node, value, span)
                    }
                }
            }
            Expression::BinaryOperator(binary) => self.binary(node, &binary.node, discarded, span),
            Expression::Cast(cast) => {
                let ty = self.type_name(&cast.node.type_name.node);
                let value = self.rvalue(&cast.node.expression);
                let value = self.decay(value);
                self.convert(value, &ty, span)
            }
            Expression::Conditional(conditional) if is_same(&conditional.node.then_expression) => {
                let value = self.rvalue(&conditional.node.condition);
                let value = self.decay(value);
                let value = self.copied(value);
                let cond = self.truth(&value, span);
                let (yes, no) = self.branch(cond, span);
                self.start(yes);
                let otherwise = &conditional.node.else_expression;
                self.joined_branches(value, no, |this| this.rvalue(otherwise), span)
            }
            Expression::Conditional(conditional) => {
                let cond = self.condition(&conditional.node.condition);
                let (yes, no) = self.branch(cond, span);
                self.start(yes);
                let then = self.rvalue(&conditional.node.then_expression);
                self.joined_branches(
                    then,
                    no,
                    |this| this.rvalue(&conditional.node.else_expression),
                    span,
                )
            }
            Expression::Comma(all) => {
                let mut last = Rvalue::unknown(CType::Void);
                for part in all.iter() {
                    last = self.rvalue(part);
                }
                last
            }
            Expression::SizeOfTy(of) => {
                let ty = self.type_name(&of.node.0.node);
                self.size_of(&ty, span)
            }
            Expression::SizeOfVal(of) => {
                let ty = self.type_of(&of.node.0);
                self.size_of(&ty, span)
            }
            Expression::AlignOf(of) => {
                let ty = self.type_name(&of.node.0.node);
                let align = self.records.size(&ty).map_or(1, |(_, align)| align);
                let expr = self.pool().int(i128::from(align), ulong());
                Rvalue::number(CType::ULONG, expr)
            }
            Expression::Statement(statement) => self.statement_expression(statement),
            Expression::GenericSelection(_) | Expression::OffsetOf(_) | Expression::VaArg(_) => {
                self.sink("an expression that is not followed", span);
                self.zero(&CType::INT)
            }
        }
    }

    /// Evaluates an expression and says whether it is not zero.
    pub(super) fn condition(&mut self, node: &Node<Expression>) -> ExprId {
        let value = self.rvalue(node);
        let value = self.decay(value);
        let span = self.span(node.span);
        self.truth(&value, span)
    }

    fn constant(&mut self, constant: &Constant, span: Span) -> Rvalue {
        match super::constant::literal(constant) {
            Some((value, ty)) => {
                let model = ty.model().expect("integers are followed");
                self.facts.add_constant(value);
                let expr = self.pool().int(model.wrap(value), model);
                Rvalue::number(ty, expr)
            }
            None if matches!(constant, Constant::Float(_)) => Rvalue::unknown(CType::Float(8)),
            None => {
                self.error(code::TYPE, span, "this number has no type");
                self.zero(&CType::INT)
            }
        }
    }

    fn size_of(&mut self, ty: &CType, span: Span) -> Rvalue {
        let size = self.records.size(ty).map(|(size, _)| i128::from(size));
        if size.is_none() {
            self.sink("the size of a type that is not followed", span);
        }
        let expr = self.pool().int(size.unwrap_or(1), ulong());
        Rvalue::number(CType::ULONG, expr)
    }

    fn load_of(&mut self, node: &Node<Expression>, span: Span) -> Rvalue {
        if let Expression::Identifier(identifier) = &node.node
            && let Some(Symbol::Constant(value)) = self.lookup(&identifier.node.name)
        {
            let value = *value;
            self.facts.add_constant(value);
            let expr = self.pool().int(value, Type::INT32);
            return Rvalue::number(CType::INT, expr);
        }
        match self.lvalue(node) {
            Some(at) => self.load(&at, span),
            None => self.zero(&CType::INT),
        }
    }

    /// Evaluates an expression to a place; what is none was reported or is not followed.
    pub(super) fn lvalue(&mut self, node: &Node<Expression>) -> Option<Lvalue> {
        source::limits::check();
        let span = self.span(node.span);
        match &node.node {
            Expression::Identifier(identifier) => self.variable_named(&identifier.node.name, span),
            Expression::StringLiteral(parts) => {
                let contents = super::constant::text(&parts.node);
                let Some(contents) = contents else {
                    self.sink("a text of wide characters", span);
                    return None;
                };
                let object = self.literal(&contents);
                Some(self.whole(object))
            }
            Expression::UnaryOperator(unary)
                if matches!(unary.node.operator.node, UnaryOperator::Indirection) =>
            {
                let value = self.rvalue(&unary.node.operand);
                let value = self.decay(value);
                self.behind(value, span)
            }
            Expression::BinaryOperator(binary)
                if matches!(binary.node.operator.node, BinaryOperator::Index) =>
            {
                let operands = self.operands(&[&binary.node.lhs, &binary.node.rhs], span);
                let [left, right] = <[Rvalue; 2]>::try_from(operands).ok()?;
                let (pointer, by) = match left.ty {
                    CType::Pointer(_) => (left, right),
                    _ => (right, left),
                };
                let length = self.length_of(&binary.node.lhs);
                let moved = self.element(&pointer, by, length, false, span);
                self.behind(moved, span)
            }
            Expression::Member(member) => {
                let inner = &member.node.expression;
                let whole = match member.node.operator.node {
                    MemberOperator::Indirect => {
                        let value = self.rvalue(inner);
                        let value = self.decay(value);
                        self.behind(value, span)?
                    }
                    MemberOperator::Direct => match effects::is_place(inner) {
                        true => self.lvalue(inner)?,
                        false => match self.rvalue(inner).at {
                            Some(at) => at,
                            None => {
                                self.sink("a structure that a function outside gives", span);
                                return None;
                            }
                        },
                    },
                };
                self.member(&whole, &member.node.identifier.node.name, span)
            }
            Expression::CompoundLiteral(literal) => self.compound_literal(&literal.node, span),
            _ => {
                self.sink("a place that is not followed", span);
                None
            }
        }
    }

    fn member(&mut self, whole: &Lvalue, name: &str, span: Span) -> Option<Lvalue> {
        let CType::Record(id) = whole.ty else {
            self.error(
                code::TYPE,
                span,
                format!("what has no members has no `{name}`"),
            );
            return None;
        };
        if !self.records.is_followed(&whole.ty) {
            self.sink("the use of a structure or union that is not followed", span);
            return None;
        }
        let Some((offset, ty)) = self.records.member(id, name) else {
            let record = &self.records.0[id];
            let message = format!("`{}` has no member `{name}`", record.name);
            let members = record
                .fields
                .iter()
                .filter_map(|field| field.name.as_deref());
            let error = Diagnostic::error(code::TYPE, message).at(span);
            self.diagnostics.push(error.did_you_mean(name, members));
            return None;
        };
        // Where a member is, the pointer to the whole says; it must not be null.
        self.null_checked(whole.pointer, &whole.pts, span);
        self.structure_checked(whole, span);
        Some(self.part(whole, offset, ty))
    }

    /// What a pointer points to.
    fn behind(&mut self, value: Rvalue, span: Span) -> Option<Lvalue> {
        match (value.ty, value.expr) {
            (CType::Pointer(to), Some(pointer)) => Some(Lvalue {
                pointer,
                pts: value.pts,
                ty: (*to).clone(),
            }),
            _ => {
                self.sink("a place that is not followed", span);
                None
            }
        }
    }

    /// All of an object.
    pub(super) fn whole(&mut self, object: usize) -> Lvalue {
        Lvalue {
            pointer: self.pointer(object, 0),
            pts: only(object),
            ty: self.known(object).ty.clone(),
        }
    }

    fn variable_named(&mut self, name: &str, span: Span) -> Option<Lvalue> {
        match self.lookup(name) {
            Some(&Symbol::Object(object)) => Some(self.whole(object)),
            Some(&Symbol::Function(function)) => {
                self.facts.taken.insert(function);
                let signature = Rc::clone(&self.functions[function].signature);
                Some(Lvalue {
                    pointer: self.pointer(FUNCTION, function),
                    pts: only(FUNCTION),
                    ty: CType::Function(signature),
                })
            }
            _ => {
                let message = format!("`{name}` is not declared");
                let error = Diagnostic::error(code::UNKNOWN, message).at(span);
                let known = self.scopes.iter().flat_map(|scope| scope.names.keys());
                let mut known: Vec<&str> = known.map(String::as_str).collect();
                known.sort_unstable();
                let error = error.did_you_mean(name, known);
                self.diagnostics.push(error);
                None
            }
        }
    }

    /// The length of an array that is written as a place; none for pointers.
    fn length_of(&mut self, array: &Node<Expression>) -> Option<u64> {
        match effects::is_place(array).then(|| self.type_of(array)) {
            Some(CType::Array(_, length)) => length,
            _ => None,
        }
    }

    /// `&a[i]`, which may be just behind the array.
    fn address_of_element(&mut self, binary: &BinaryOperatorExpression, span: Span) -> Rvalue {
        let length = self.length_of(&binary.lhs);
        let operands = self.operands(&[&binary.lhs, &binary.rhs], span);
        let Ok([left, right]) = <[Rvalue; 2]>::try_from(operands) else {
            return self.zero(&CType::pointer(CType::Void));
        };
        let (pointer, by) = match left.ty {
            CType::Pointer(_) => (left, right),
            _ => (right, left),
        };
        let moved = self.element(&pointer, by, length, true, span);
        for &object in moved.pts.iter() {
            self.facts.addressed.insert(object);
        }
        self.inside_of_outside(&moved, span)
    }

    fn address(&mut self, operand: &Node<Expression>, span: Span) -> Rvalue {
        if let Expression::BinaryOperator(binary) = &operand.node
            && matches!(binary.node.operator.node, BinaryOperator::Index)
        {
            return self.address_of_element(&binary.node, span);
        }
        let Some(at) = self.lvalue(operand) else {
            return self.zero(&CType::pointer(CType::Void));
        };
        if let CType::Function(_) = at.ty {
            return self.load(&at, span);
        }
        for &object in at.pts.iter() {
            self.facts.addressed.insert(object);
        }
        let part = matches!(operand.node, Expression::Member(_));
        let address = Rvalue {
            ty: CType::pointer(at.ty),
            expr: Some(at.pointer),
            pts: at.pts,
            at: None,
        };
        match part {
            true => self.inside_of_outside(&address, span),
            false => address,
        }
    }

    /// Arrays and functions as pointers; the rest as it is.
    pub(super) fn decay(&mut self, value: Rvalue) -> Rvalue {
        Rvalue {
            ty: value.ty.clone().decayed(),
            ..value
        }
    }

    fn signed(&mut self, op: &UnaryOperator, value: Rvalue, span: Span) -> Rvalue {
        if matches!(value.ty, CType::Float(_)) {
            return value;
        }
        let ty = value.ty.promoted();
        let value = self.convert(value, &ty, span);
        let Some(operand) = value.expr.filter(|_| ty.is_integer()) else {
            self.sink("an operation that is not followed", span);
            return self.zero(&ty);
        };
        match op {
            UnaryOperator::Minus => {
                let zero = self.zero(&ty);
                self.operate(&BinaryOperator::Minus, zero, value, span)
            }
            UnaryOperator::Complement => {
                let expr = self.pool().unary(Unary::BitNot, operand);
                Rvalue::number(ty, expr)
            }
            _ => value,
        }
    }

    fn step_by_one(
        &mut self,
        operand: &Node<Expression>,
        up: bool,
        old: bool,
        discarded: bool,
        span: Span,
    ) -> Rvalue {
        let Some(at) = self.lvalue(operand) else {
            return self.zero(&CType::INT);
        };
        let mut before = self.load(&at, span);
        if old {
            before.expr = before.expr.map(|expr| self.kept(expr));
        }
        let one = self.pool().int(1, Type::INT32);
        let one = Rvalue::number(CType::INT, one);
        let op = match up {
            true => BinaryOperator::Plus,
            false => BinaryOperator::Minus,
        };
        let after = self.operate(&op, before.clone(), one, span);
        let mut after = self.convert(after, &at.ty, span);
        if !old && !discarded {
            after.expr = after.expr.map(|expr| self.kept(expr));
        }
        self.store(&at, &after, span);
        if old { before } else { after }
    }

    fn binary(
        &mut self,
        node: &Node<Expression>,
        binary: &BinaryOperatorExpression,
        discarded: bool,
        span: Span,
    ) -> Rvalue {
        let op = &binary.operator.node;
        match op {
            BinaryOperator::Index => self.load_of(node, span),
            BinaryOperator::LogicalAnd | BinaryOperator::LogicalOr => {
                let truth = self.logical(binary, span);
                self.truth_as(truth, &CType::INT)
            }
            BinaryOperator::Assign => {
                self.assignment(&binary.lhs, &binary.rhs, None, discarded, span)
            }
            _ if of_assignment(op).is_some() => {
                let op = of_assignment(op);
                self.assignment(&binary.lhs, &binary.rhs, op, discarded, span)
            }
            _ => {
                let operands = self.operands(&[&binary.lhs, &binary.rhs], span);
                match <[Rvalue; 2]>::try_from(operands) {
                    Ok([left, right]) => self.operate(op, left, right, span),
                    Err(_) => self.zero(&CType::INT),
                }
            }
        }
    }

    /// `&&` and `||`: the right side is evaluated only if the left does not decide.
    fn logical(&mut self, binary: &BinaryOperatorExpression, span: Span) -> ExprId {
        let and = matches!(binary.operator.node, BinaryOperator::LogicalAnd);
        let left = self.condition(&binary.lhs);
        if self.is_plain(&binary.rhs) {
            let right = self.condition(&binary.rhs);
            let op = if and { Binary::And } else { Binary::Or };
            return self.pool().two(op, left, right);
        }
        let place = self.temporary("condition", Type::Bool);
        let (yes, no) = self.branch(left, span);
        let (go_on, decided) = if and { (yes, no) } else { (no, yes) };
        let end = self.location(span);
        self.start(decided);
        let value = self.pool().bool(!and);
        self.assign(place.clone(), value);
        self.jump(end, span);
        self.start(go_on);
        let right = self.condition(&binary.rhs);
        self.assign(place.clone(), right);
        self.jump(end, span);
        self.start(end);
        self.pool().load(place, Type::Bool)
    }

    /// Whether evaluating an expression does nothing and cannot fail: comparisons of variables that
    /// nobody else writes.
    fn is_plain(&mut self, node: &Node<Expression>) -> bool {
        match &node.node {
            Expression::Constant(constant) => super::constant::literal(&constant.node).is_some(),
            Expression::Identifier(identifier) => match self.lookup(&identifier.node.name) {
                Some(&Symbol::Object(object)) => {
                    self.known(object).ty.is_integer() && !self.is_shared(object)
                }
                Some(Symbol::Constant(_)) => true,
                _ => false,
            },
            Expression::UnaryOperator(unary) => {
                matches!(unary.node.operator.node, UnaryOperator::Negate)
                    && self.is_plain(&unary.node.operand)
            }
            Expression::BinaryOperator(binary) => {
                let op = &binary.node.operator.node;
                let harmless = is_comparison(op)
                    || matches!(op, BinaryOperator::LogicalAnd | BinaryOperator::LogicalOr);
                harmless && self.is_plain(&binary.node.lhs) && self.is_plain(&binary.node.rhs)
            }
            _ => false,
        }
    }

    fn assignment(
        &mut self,
        lhs: &Node<Expression>,
        rhs: &Node<Expression>,
        op: Option<BinaryOperator>,
        discarded: bool,
        span: Span,
    ) -> Rvalue {
        let named = matches!(lhs.node, Expression::Identifier(_)) && op.is_none();
        let free = named
            || !effects::has_effects(rhs)
            || self.is_place_independent(lhs, rhs)
                && (op.is_none() || self.is_independent(lhs, rhs));
        let free = free && (!effects::has_effects(lhs) || self.is_independent(rhs, lhs));
        let (at, value) = if free {
            let value = self.operand(rhs);
            let at = self.lvalue(lhs);
            let Some(at) = at else {
                return self.zero(&CType::INT);
            };
            let value = match op {
                None => value,
                Some(op) => {
                    let old = self.load(&at, span);
                    let old = self.decay(old);
                    self.operate(&op, old, value, span)
                }
            };
            (at, value)
        } else {
            // Which side is evaluated first is not said.
            let place = |this: &mut Self| {
                let Some(at) = this.lvalue(lhs) else {
                    return Vec::new();
                };
                let mut all = vec![Rvalue {
                    ty: CType::pointer(at.ty.clone()),
                    expr: Some(at.pointer),
                    pts: Rc::clone(&at.pts),
                    at: None,
                }];
                if op.is_some() {
                    all.push(this.load(&at, span));
                }
                all
            };
            let value = |this: &mut Self| vec![this.operand(rhs)];
            let mut all = self.both_orders([&place, &value], span);
            let (Some(value), Some(pointer)) = (all.pop(), all.first().cloned()) else {
                return self.zero(&CType::INT);
            };
            let Some(at) = self.behind(pointer, span) else {
                return self.zero(&CType::INT);
            };
            let value = match (op, all.pop()) {
                (Some(op), Some(old)) => self.operate(&op, old, value, span),
                _ => value,
            };
            (at, value)
        };
        let mut value = self.convert(value, &at.ty.clone(), span);
        if !discarded {
            value.expr = value.expr.map(|expr| self.kept(expr));
        }
        self.store(&at, &value, span);
        match value.ty {
            CType::Record(_) => self.load(&at, span),
            _ => value,
        }
    }

    /// Evaluates operands in all orders that make a difference.
    pub(super) fn operands(&mut self, nodes: &[&Node<Expression>], span: Span) -> Vec<Rvalue> {
        let mut involved = Vec::new();
        for (at, node) in nodes.iter().enumerate() {
            let depends = nodes.iter().enumerate().any(|(other, by)| {
                other != at
                    && (effects::has_effects(by) && !self.is_independent(node, by)
                        || effects::has_effects(node) && !self.is_independent(by, node))
            });
            if depends {
                involved.push(at);
            }
        }
        if involved.is_empty() {
            return nodes.iter().map(|node| self.operand(node)).collect();
        }
        if involved.len() > 2 {
            self.sink(
                "operands whose values depend on the order of evaluation",
                span,
            );
            return nodes.iter().map(|node| self.operand(node)).collect();
        }
        let evaluate =
            |at: usize| move |this: &mut Self| -> Vec<Rvalue> { vec![this.operand(nodes[at])] };
        let pair = self.both_orders([&evaluate(involved[0]), &evaluate(involved[1])], span);
        let mut pair = pair.into_iter();
        let mut values = Vec::new();
        for (at, node) in nodes.iter().enumerate() {
            let value = match involved.contains(&at) {
                true => pair.next(),
                false => None,
            };
            values.push(match value {
                Some(value) => value,
                None => self.operand(node),
            });
        }
        values
    }

    /// Evaluates two parts in one order or the other; their values are joined.
    fn both_orders(&mut self, parts: [&Part<'_, Self>; 2], span: Span) -> Vec<Rvalue> {
        let from = self.seal(span);
        let (forward, backward) = (self.location(span), self.location(span));
        if let Some(from) = from {
            self.step(from, None, forward, span);
            self.step(from, None, backward, span);
            self.here = None;
            self.start(forward);
        }
        let mut joined = Vec::new();
        for part in parts {
            for value in part(self) {
                let value = self.copied(value);
                joined.push(value);
            }
        }
        if from.is_none() {
            return joined;
        }
        let end = self.location(span);
        self.jump(end, span);
        self.start(backward);
        let second = parts[1](self);
        let second: Vec<Rvalue> = second.into_iter().map(|value| self.copied(value)).collect();
        let first = parts[0](self);
        for (to, value) in joined.iter_mut().zip(first.into_iter().chain(second)) {
            if let (Some(expr), Some(place)) = (value.expr, to.expr)
                && let model::Expr::Load(place) = self.program.exprs.get(place)
            {
                let place = place.clone();
                self.assign(place, expr);
            }
            if value.at.is_some() {
                self.sink("a structure that depends on the order of evaluation", span);
            }
            to.pts = Self::joined(to, &value);
        }
        self.jump(end, span);
        self.start(end);
        joined
    }

    fn operand(&mut self, node: &Node<Expression>) -> Rvalue {
        let value = self.rvalue(node);
        self.decay(value)
    }

    /// A scalar in a variable of its own.
    pub(super) fn copied(&mut self, value: Rvalue) -> Rvalue {
        let Some(expr) = value.expr else {
            return value;
        };
        let ty = self.program.exprs.ty(expr).clone();
        let place = self.temporary("operand", ty.clone());
        self.assign(place.clone(), expr);
        Rvalue {
            expr: Some(self.pool().load(place, ty)),
            ..value
        }
    }

    /// What either of two branches gives; the second begins at a location.
    pub(super) fn joined_branches(
        &mut self,
        then: Rvalue,
        no: model::LocId,
        otherwise: impl FnOnce(&mut Self) -> Rvalue,
        span: Span,
    ) -> Rvalue {
        let then = self.decay(then);
        // The type is known when both sides are: it is found before anything is written.
        let first_end = self.seal(span);
        self.here = None;
        self.body.clear();
        self.start(no);
        let other = otherwise(self);
        let other = self.decay(other);
        let ty = match (&then.ty, &other.ty) {
            (a, b) if a == b => a.clone(),
            (a, b) if a.is_integer() && b.is_integer() => a.common(b),
            (CType::Pointer(to), CType::Pointer(_)) if **to != CType::Void => then.ty.clone(),
            (CType::Pointer(_), b) if b.is_integer() => then.ty.clone(),
            (_, CType::Pointer(_)) => other.ty.clone(),
            (a, b) => a.common(b),
        };
        let pts: Pts = Self::joined(&then, &other);
        let place = ty.model().map(|model| self.temporary("value", model));
        if let (CType::Record(_), true) = (&ty, self.is_live()) {
            self.sink("a choice between two structures", span);
        }
        let end = self.location(span);
        for (value, from) in [(other, None), (then, Some(first_end))] {
            if let Some(from) = from {
                self.here = from;
            }
            let value = self.convert(value, &ty, span);
            if let (Some(place), Some(expr)) = (&place, value.expr) {
                self.assign(place.clone(), expr);
            }
            self.jump(end, span);
        }
        self.start(end);
        let expr = place.map(|place| {
            let model = ty.model().expect("it has a place");
            self.pool().load(place, model)
        });
        Rvalue {
            ty,
            expr,
            pts,
            at: None,
        }
    }
}

/// Whether the condition itself is meant: `a ?: b`.
fn is_same(node: &Node<Expression>) -> bool {
    matches!(&node.node, Expression::Identifier(name) if name.node.name == crate::text::SAME)
}

fn ulong() -> Type {
    CType::ULONG.model().expect("integers are followed")
}
