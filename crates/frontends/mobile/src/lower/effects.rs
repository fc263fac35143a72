//! What evaluating an expression may do, by its form.

use std::collections::BTreeSet;

use lang_c::ast::{BinaryOperator, Expression, Identifier, UnaryOperator, UnaryOperatorExpression};
use lang_c::span::{Node, Span};
use lang_c::visit::{self, Visit};

use super::operators::of_assignment;
use super::{Lowering, Symbol};

/// Whether evaluating it may change something.
pub(super) fn has_effects(node: &Node<Expression>) -> bool {
    let mut found = Found::default();
    found.visit_expression(&node.node, &node.span);
    found.effects
}

/// Whether it is written as a place.
pub(super) fn is_place(node: &Node<Expression>) -> bool {
    match &node.node {
        Expression::Identifier(_)
        | Expression::Member(_)
        | Expression::StringLiteral(_)
        | Expression::CompoundLiteral(_) => true,
        Expression::UnaryOperator(unary) => {
            matches!(unary.node.operator.node, UnaryOperator::Indirection)
        }
        Expression::BinaryOperator(binary) => {
            matches!(binary.node.operator.node, BinaryOperator::Index)
        }
        _ => false,
    }
}

#[derive(Default)]
struct Found {
    effects: bool,
    /// Whether memory is read through pointers, or is not known by name.
    memory: bool,
    names: BTreeSet<String>,
    /// The variables that are written by name.
    written: BTreeSet<String>,
}

impl<'ast> Visit<'ast> for Found {
    fn visit_expression(&mut self, expression: &'ast Expression, span: &'ast Span) {
        match expression {
            Expression::Call(_) | Expression::Statement(_) | Expression::VaArg(_) => {
                self.effects = true;
            }
            Expression::Member(_) => self.memory = true,
            Expression::BinaryOperator(binary) => {
                let op = &binary.node.operator.node;
                if matches!(op, BinaryOperator::Assign) || of_assignment(op).is_some() {
                    self.effects = true;
                    self.write(&binary.node.lhs);
                }
                self.memory |= matches!(op, BinaryOperator::Index);
            }
            _ => {}
        }
        visit::visit_expression(self, expression, span);
    }

    fn visit_unary_operator_expression(
        &mut self,
        unary: &'ast UnaryOperatorExpression,
        span: &'ast Span,
    ) {
        match unary.operator.node {
            UnaryOperator::PostIncrement
            | UnaryOperator::PostDecrement
            | UnaryOperator::PreIncrement
            | UnaryOperator::PreDecrement => {
                self.effects = true;
                self.write(&unary.operand);
            }
            UnaryOperator::Indirection => self.memory = true,
            _ => {}
        }
        visit::visit_unary_operator_expression(self, unary, span);
    }

    fn visit_identifier(&mut self, identifier: &'ast Identifier, _: &'ast Span) {
        self.names.insert(identifier.name.clone());
    }
}

impl Found {
    fn write(&mut self, to: &Node<Expression>) {
        match &to.node {
            Expression::Identifier(identifier) => {
                self.written.insert(identifier.node.name.clone());
            }
            // A part of a variable, or what it points to.
            Expression::Member(member) => self.write(&member.node.expression),
            Expression::BinaryOperator(binary) => self.write(&binary.node.lhs),
            _ => {}
        }
    }
}

impl Lowering<'_> {
    /// Whether the value of one expression is the same whether another is evaluated before it or
    /// after: it reads nothing but constants and local variables whose address nobody has, and
    /// which the other does not write.
    pub(super) fn is_independent(&self, value: &Node<Expression>, of: &Node<Expression>) -> bool {
        let (mut read, mut other) = (Found::default(), Found::default());
        read.visit_expression(&value.node, &value.span);
        other.visit_expression(&of.node, &of.span);
        if read.effects || read.memory {
            return false;
        }
        read.names.iter().all(|name| match self.lookup(name) {
            Some(Symbol::Object(object)) => {
                let known = self.known(*object);
                let local = known.owner.is_some() && !self.facts.addressed.contains(object);
                local && !other.written.contains(name)
                    || known.literal.is_some()
                    || matches!(known.ty, crate::ctype::CType::Array(..))
            }
            Some(Symbol::Function(_) | Symbol::Constant(_)) => true,
            _ => true,
        })
    }

    /// The same for which place an expression is, whatever is there.
    pub(super) fn is_place_independent(
        &mut self,
        place: &Node<Expression>,
        of: &Node<Expression>,
    ) -> bool {
        match &place.node {
            Expression::Identifier(_) => true,
            Expression::UnaryOperator(unary) => self.is_independent(&unary.node.operand, of),
            Expression::BinaryOperator(binary) => {
                let whole = &binary.node.lhs;
                let array = matches!(self.type_of(whole), crate::ctype::CType::Array(..));
                let base = match array && is_place(whole) {
                    true => self.is_place_independent(whole, of),
                    false => self.is_independent(whole, of),
                };
                base && self.is_independent(&binary.node.rhs, of)
            }
            Expression::Member(member) => match member.node.operator.node {
                lang_c::ast::MemberOperator::Direct => {
                    self.is_place_independent(&member.node.expression, of)
                }
                lang_c::ast::MemberOperator::Indirect => {
                    self.is_independent(&member.node.expression, of)
                }
            },
            _ => false,
        }
    }
}
