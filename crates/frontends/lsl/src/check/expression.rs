//! Names and types of expressions.
//!
//! One walk, from the leaves up. Left operands are walked by a loop (see
//! [`Ast::left_spine`]), so a chain of a hundred thousand terms needs no stack.

use std::collections::HashSet;

use source::{Diagnostic, Diagnostics, Span};

use super::environment::Environment;
use super::operators;
use super::table::{ExprTable, ExprType, GlobalNames, Resolution};
use crate::ast::{Ast, BinaryOp, ExprId, ExprKind, Symbol};
use crate::codes::{lints, rules};
use crate::types::Type;

pub(super) struct ExprChecker<'a> {
    pub(super) ast: &'a Ast,
    pub(super) names: &'a GlobalNames,
    pub(super) environment: &'a dyn Environment,
    /// Only so many globals are known: those before the initialiser at hand.
    pub(super) known_globals: usize,
    pub(super) exprs: &'a mut ExprTable,
    pub(super) diagnostics: &'a mut Diagnostics,
    /// Unknown names that have been reported for this body.
    pub(super) reported: &'a mut HashSet<Symbol>,
}

impl<'a> ExprChecker<'a> {
    /// Checks an expression that may yield nothing.
    pub(super) fn check(&mut self, id: ExprId) -> ExprType {
        let ast = self.ast;
        let ty = match &ast.expr(id).kind {
            ExprKind::Error => ExprType::Error,
            ExprKind::Integer(_) => ExprType::Value(Type::Integer),
            ExprKind::Float(_) => ExprType::Value(Type::Float),
            ExprKind::String(_) => ExprType::Value(Type::String),
            // A literal with a wrong part has no type, lest the error is repeated
            // by every literal around it.
            ExprKind::Vector(parts) => typed(self.components(parts), Type::Vector),
            ExprKind::Rotation(parts) => typed(self.components(parts), Type::Rotation),
            ExprKind::List(elements) => typed(self.elements(elements), Type::List),
            &ExprKind::Name(name) => self.variable(id, name),
            &ExprKind::Member { base, field } => self.member(id, base, field),
            ExprKind::Call {
                function,
                arguments,
            } => self.call(id, *function, arguments),
            &ExprKind::Print(operand) => match self.value(operand) {
                Some(_) => ExprType::Void,
                None => ExprType::Error,
            },
            &ExprKind::Unary { op, operand } => self.unary(id, op, operand),
            &ExprKind::Step { place, .. } => self.step(id, place),
            ExprKind::Binary { .. } => return self.binary_chain(id),
            &ExprKind::Assign { op, place, value } => self.assign(id, op, place, value),
            &ExprKind::Cast { to, operand } => self.cast(id, to, operand),
            &ExprKind::Parenthesized(inner) => self.check(inner),
            &ExprKind::Word { word, name } => self.word(id, word, name),
            ExprKind::Undecided { ty, after, .. } => {
                for &before in after {
                    self.check(before);
                }
                ExprType::Value(*ty)
            }
        };
        self.exprs.set_type(id, ty);
        ty
    }

    /// Checks an expression that must yield a value. `None` if it does not;
    /// that has been reported.
    pub(super) fn value(&mut self, id: ExprId) -> Option<Type> {
        match self.check(id) {
            ExprType::Value(ty) => Some(ty),
            ExprType::Error => None,
            ExprType::Void => {
                self.diagnostics.push(
                    Diagnostic::error(rules::VOID_VALUE, "this has no value")
                        .at(self.span(id))
                        .saying("a value is needed here"),
                );
                self.exprs.set_type(id, ExprType::Error);
                None
            }
        }
    }

    /// Checks an expression whose value goes to a place of type `to`; `place`
    /// names it in the message. Returns whether it fits.
    pub(super) fn value_for(&mut self, id: ExprId, to: Type, place: &dyn Fn() -> String) -> bool {
        match self.value(id) {
            Some(from) => self.convert(id, from, to, place),
            None => false,
        }
    }

    /// Whether a value is computed from the variable that it is assigned to, as in `n = n >> 4`: compared
    /// with it, it would make no sense.
    fn is_made_of(&self, value: ExprId, place: ExprId) -> bool {
        let Some(variable) = self.exprs.resolution(place) else {
            return false;
        };
        let itself = self.ast.without_parentheses(value);
        let (span, own) = (self.span(value), self.span(itself));
        let mut parts = self.ast.expr_ids().filter(|&part| {
            let part = self.span(part);
            part != own && part.start >= span.start && part.end <= span.end
        });
        parts.any(|part| self.exprs.resolution(part) == Some(variable))
    }

    /// Checks a condition: every type is one, but some are suspicious.
    pub(super) fn condition(&mut self, id: ExprId) {
        let Some(_) = self.value(id) else {
            return;
        };
        let span = self.span(id);
        if let ExprKind::Assign {
            op: None,
            place,
            value,
        } = self.ast.expr(id).kind
            && !self.is_made_of(value, place)
        {
            self.diagnostics.push(
                Diagnostic::warning(
                    lints::ASSIGNMENT_CONDITION,
                    "this condition is an assignment",
                )
                .at(span)
                .help("to compare, write `==`; if it is meant, put parentheses around it"),
            );
        }
        let inner = self.ast.without_parentheses(id);
        let constant = match self.ast.expr(inner).kind {
            ExprKind::String(_) => true,
            ExprKind::Name(_) => matches!(
                self.exprs.resolution(inner),
                Some(Resolution::Constant(constant)) if constant.ty() == Type::String
            ),
            _ => false,
        };
        if constant {
            self.diagnostics.push(
                Diagnostic::warning(
                    lints::STRING_CONDITION,
                    "a string is true unless it is empty",
                )
                .at(span)
                .saying("this is a constant"),
            );
        }
    }

    /// Checks an expression in a statement of its own.
    pub(super) fn statement(&mut self, id: ExprId) {
        if self.check(id) == ExprType::Error {
            return;
        }
        let ast = self.ast;
        let inner = ast.without_parentheses(id);
        let span = self.span(id);
        if let ExprKind::Call { function, .. } = ast.expr(inner).kind {
            if let Some(Resolution::Library(library)) = self.exprs.resolution(inner)
                && (library.pure || library.must_use)
            {
                let name = ast.name_text(function);
                self.diagnostics.push(
                    Diagnostic::warning(
                        lints::UNUSED_RESULT,
                        format!("`{name}` does nothing but return a value"),
                    )
                    .at(span)
                    .saying("the value is not used"),
                );
            }
        } else if !self.has_effect(inner) {
            let diagnostic =
                Diagnostic::warning(lints::NO_EFFECT, "this statement changes nothing").at(span);
            let diagnostic = match ast.expr(inner).kind {
                ExprKind::Binary {
                    op: BinaryOp::Equal,
                    op_span,
                    ..
                } => diagnostic.fix_it(op_span, "=", "to assign, write"),
                _ => diagnostic,
            };
            self.diagnostics.push(diagnostic);
        }
    }

    fn has_effect(&self, id: ExprId) -> bool {
        let mut open = vec![id];
        while let Some(id) = open.pop() {
            match &self.ast.expr(id).kind {
                ExprKind::Error
                | ExprKind::Call { .. }
                | ExprKind::Print(_)
                | ExprKind::Step { .. }
                | ExprKind::Assign { .. } => return true,
                ExprKind::Integer(_)
                | ExprKind::Float(_)
                | ExprKind::String(_)
                | ExprKind::Name(_)
                | ExprKind::Member { .. }
                | ExprKind::Word { .. }
                | ExprKind::Undecided { .. } => {}
                ExprKind::Vector(parts) => open.extend(parts),
                ExprKind::Rotation(parts) => open.extend(parts),
                ExprKind::List(parts) => open.extend(parts),
                ExprKind::Unary { operand, .. } | ExprKind::Cast { operand, .. } => {
                    open.push(*operand);
                }
                ExprKind::Parenthesized(inner) => open.push(*inner),
                ExprKind::Binary { left, right, .. } => open.extend([*left, *right]),
            }
        }
        false
    }

    pub(super) fn span(&self, id: ExprId) -> Span {
        self.ast.expr(id).span
    }

    pub(super) fn convert(
        &mut self,
        id: ExprId,
        from: Type,
        to: Type,
        place: &dyn Fn() -> String,
    ) -> bool {
        if from == to {
            return true;
        }
        if operators::converts(from, to) {
            self.exprs.set_converted(id, to);
            return true;
        }
        let diagnostic = Diagnostic::error(
            rules::TYPE_MISMATCH,
            format!("{} takes `{to}`, not `{from}`", place()),
        )
        .at(self.span(id))
        .saying(format!("this is `{from}`"));
        let diagnostic = self.propose_cast(diagnostic, id, from, to);
        self.diagnostics.push(diagnostic);
        false
    }

    /// Adds a cast of `id` to `to` as a proposal, if there is such a cast.
    pub(super) fn propose_cast(
        &self,
        diagnostic: Diagnostic,
        id: ExprId,
        from: Type,
        to: Type,
    ) -> Diagnostic {
        if !operators::can_cast(from, to) {
            return diagnostic;
        }
        let span = self.span(id);
        let bare = !matches!(
            self.ast.expr(id).kind,
            ExprKind::Unary { .. }
                | ExprKind::Binary { .. }
                | ExprKind::Assign { .. }
                | ExprKind::Cast { .. }
                | ExprKind::Step { postfix: false, .. }
                | ExprKind::Error
        );
        if bare {
            diagnostic.fix_it(span.start_point(), format!("({to})"), "cast it")
        } else {
            diagnostic.help(format!("cast it: `({to})(...)`"))
        }
    }

    fn components(&mut self, parts: &[ExprId]) -> bool {
        let mut fits = true;
        for &part in parts {
            fits &= self.value_for(part, Type::Float, &|| "a component".to_owned());
        }
        fits
    }

    fn elements(&mut self, elements: &[ExprId]) -> bool {
        let mut fits = true;
        for &element in elements {
            match self.value(element) {
                Some(Type::List) => {
                    self.diagnostics.push(
                        Diagnostic::error(rules::NESTED_LIST, "a list cannot hold a list")
                            .at(self.span(element))
                            .help("to join lists, write `a + b`"),
                    );
                    fits = false;
                }
                Some(_) => {}
                None => fits = false,
            }
        }
        fits
    }
}

/// The type of a literal whose parts fit, or not.
fn typed(fits: bool, ty: Type) -> ExprType {
    if fits {
        ExprType::Value(ty)
    } else {
        ExprType::Error
    }
}
