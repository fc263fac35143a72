//! What operators, casts and assignments take and yield.

use source::{Diagnostic, Span};

use super::expression::ExprChecker;
use super::operators;
use super::table::{ExprType, Resolution};
use crate::ast::{BinaryOp, ExprId, ExprKind, UnaryOp};
use crate::codes::{lints, names, rules};
use crate::types::Type;

impl ExprChecker<'_> {
    pub(super) fn cast(&mut self, id: ExprId, to: Type, operand: ExprId) -> ExprType {
        if let Some(from) = self.value(operand)
            && !operators::can_cast(from, to)
        {
            let diagnostic = Diagnostic::error(
                rules::NO_SUCH_CAST,
                format!("`{from}` cannot be cast to `{to}`"),
            )
            .at(self.span(id));
            self.diagnostics.push(match (from, to) {
                (Type::List, _) => diagnostic
                    .help("read an element with `llList2Integer(list, index)` and its kin"),
                _ => diagnostic,
            });
            // The result's type is known all the same.
        }
        ExprType::Value(to)
    }

    pub(super) fn unary(&mut self, id: ExprId, op: UnaryOp, operand: ExprId) -> ExprType {
        let Some(ty) = self.value(operand) else {
            return ExprType::Error;
        };
        if let Some(result) = operators::unary(op, ty) {
            return ExprType::Value(result);
        }
        let diagnostic = Diagnostic::error(
            rules::OPERATOR_TYPES,
            format!("`{}` does not take `{ty}`", op.symbol()),
        )
        .at(self.span(id))
        .label(self.span(operand), format!("this is `{ty}`"));
        let diagnostic = if op == UnaryOp::Not {
            truth_help(diagnostic, ty, "==")
        } else {
            diagnostic
        };
        self.diagnostics.push(diagnostic);
        match op {
            UnaryOp::Not => ExprType::Value(Type::Integer),
            UnaryOp::Negate | UnaryOp::BitNot => ExprType::Error,
        }
    }

    pub(super) fn binary_chain(&mut self, id: ExprId) -> ExprType {
        let ast = self.ast;
        let (lowest, spine) = ast.left_spine(id);
        let mut left_type = self.value(lowest);
        let mut left_op = None;
        for node in spine {
            let ExprKind::Binary {
                op,
                op_span,
                left,
                right,
            } = ast.expr(node).kind
            else {
                continue;
            };
            let right_type = self.value(right);
            if op == BinaryOp::And && left_op == Some(BinaryOp::Or) {
                self.mixed_logic(op_span, left);
            }
            let ty = match (left_type, right_type) {
                (Some(left_type), Some(right_type)) => {
                    self.binary(op, op_span, (left, left_type), (right, right_type))
                }
                _ => ExprType::Error,
            };
            self.exprs.set_type(node, ty);
            left_type = ty.value();
            left_op = Some(op);
        }
        self.exprs.ty(id)
    }

    fn mixed_logic(&mut self, op_span: Span, left: ExprId) {
        self.diagnostics.push(
            Diagnostic::warning(
                lints::MIXED_LOGIC,
                "`&&` does not bind more tightly than `||` in LSL",
            )
            .at(op_span)
            .label(self.span(left), "all of this is the left side of `&&`")
            .help("put parentheses around what belongs together"),
        );
    }

    fn binary(
        &mut self,
        op: BinaryOp,
        op_span: Span,
        (left, left_type): (ExprId, Type),
        (right, right_type): (ExprId, Type),
    ) -> ExprType {
        let Some(types) = operators::binary(op, left_type, right_type) else {
            return self.no_operator(op, op_span, (left, left_type), (right, right_type));
        };
        if types.left != left_type {
            self.exprs.set_converted(left, types.left);
        }
        if types.right != right_type {
            self.exprs.set_converted(right, types.right);
        }
        let compares = matches!(op, BinaryOp::Equal | BinaryOp::NotEqual);
        if compares
            && left_type == Type::List
            && ![left, right].iter().any(|&e| self.is_empty_list(e))
        {
            self.diagnostics.push(
                Diagnostic::warning(
                    lints::LIST_LENGTHS,
                    "lists are compared by their lengths only",
                )
                .at(op_span)
                .help("compare `llDumpList2String(list, \",\")` of both to compare contents"),
            );
        }
        ExprType::Value(types.result)
    }

    fn is_empty_list(&self, id: ExprId) -> bool {
        let inner = self.ast.without_parentheses(id);
        matches!(&self.ast.expr(inner).kind, ExprKind::List(elements) if elements.is_empty())
    }

    fn no_operator(
        &mut self,
        op: BinaryOp,
        op_span: Span,
        (left, left_type): (ExprId, Type),
        (right, right_type): (ExprId, Type),
    ) -> ExprType {
        let mut diagnostic = Diagnostic::error(
            rules::OPERATOR_TYPES,
            format!(
                "`{}` does not take `{left_type}` and `{right_type}`",
                op.symbol()
            ),
        )
        .at(op_span)
        .label(self.span(left), format!("`{left_type}`"))
        .label(self.span(right), format!("`{right_type}`"));
        let mut result = ExprType::Error;
        match op {
            BinaryOp::Add if left_type == Type::String => {
                diagnostic = self.propose_cast(diagnostic, right, right_type, Type::String);
                result = ExprType::Value(Type::String);
            }
            BinaryOp::Add if right_type == Type::String => {
                diagnostic = self.propose_cast(diagnostic, left, left_type, Type::String);
                result = ExprType::Value(Type::String);
            }
            BinaryOp::Add if left_type == Type::Key && right_type == Type::Key => {
                diagnostic = diagnostic.help("only strings can be joined: cast both to `string`");
            }
            BinaryOp::And | BinaryOp::Or => {
                let wrong = if left_type == Type::Integer {
                    right_type
                } else {
                    left_type
                };
                diagnostic = truth_help(diagnostic, wrong, "!=");
                result = ExprType::Value(Type::Integer);
            }
            BinaryOp::Remainder if left_type.is_number() && right_type.is_number() => {
                diagnostic = diagnostic.help("`%` takes integers only");
            }
            BinaryOp::Equal
            | BinaryOp::NotEqual
            | BinaryOp::Less
            | BinaryOp::LessEqual
            | BinaryOp::Greater
            | BinaryOp::GreaterEqual => result = ExprType::Value(Type::Integer),
            _ => {}
        }
        self.diagnostics.push(diagnostic);
        result
    }

    /// The type of the variable or component that is about to change.
    fn place(&mut self, whole: ExprId, place: ExprId) -> Option<Type> {
        let ty = self.value(place)?;
        let ast = self.ast;
        let base = match ast.expr(place).kind {
            ExprKind::Name(name) | ExprKind::Member { base: name, .. } => name,
            _ => return None,
        };
        let text = ast.name_text(base);
        let fixed = match self.exprs.resolution(place) {
            Some(Resolution::Constant(_)) => true,
            Some(Resolution::Extra(_)) => self
                .environment
                .variable(base.symbol, text)
                .is_some_and(|variable| !variable.writable),
            _ => false,
        };
        if !self.environment.effects() {
            self.diagnostics.push(
                Diagnostic::error(rules::EFFECT_IN_PROPERTY, "a property changes nothing")
                    .at(self.span(whole))
                    .help("to compare, write `==`"),
            );
            return None;
        }
        if fixed {
            self.diagnostics.push(
                Diagnostic::error(
                    names::ASSIGN_CONSTANT,
                    format!("`{text}` cannot be assigned to"),
                )
                .at(base.span),
            );
            return None;
        }
        Some(ty)
    }

    pub(super) fn step(&mut self, id: ExprId, place: ExprId) -> ExprType {
        let Some(ty) = self.place(id, place) else {
            return ExprType::Error;
        };
        if ty.is_number() {
            return ExprType::Value(ty);
        }
        self.diagnostics.push(
            Diagnostic::error(
                rules::OPERATOR_TYPES,
                format!("`++` and `--` do not take `{ty}`"),
            )
            .at(self.span(id)),
        );
        ExprType::Error
    }

    pub(super) fn assign(
        &mut self,
        id: ExprId,
        op: Option<BinaryOp>,
        place: ExprId,
        value: ExprId,
    ) -> ExprType {
        let from = self.value(value);
        let Some(ty) = self.place(id, place) else {
            return ExprType::Error;
        };
        let Some(from) = from else {
            return ExprType::Value(ty);
        };
        let Some(op) = op else {
            let ast = self.ast;
            self.convert(value, from, ty, &|| {
                let base = match ast.expr(place).kind {
                    ExprKind::Name(name) => ast.name_text(name),
                    _ => "a component",
                };
                format!("`{base}`")
            });
            return ExprType::Value(ty);
        };
        match operators::binary(op, ty, from) {
            Some(types) if types.result == ty && types.left == ty => {
                if types.right != from {
                    self.exprs.set_converted(value, types.right);
                }
                ExprType::Value(ty)
            }
            Some(types)
                if op == BinaryOp::Multiply && ty == Type::Integer && from == Type::Float =>
            {
                self.diagnostics.push(
                    Diagnostic::warning(
                        lints::INTEGER_TIMES_FLOAT,
                        "an integer variable times a float is truncated here",
                    )
                    .at(self.span(id))
                    .help("write the cast: `a = (integer)(a * b)`"),
                );
                ExprType::Value(types.result)
            }
            Some(types) => {
                let text = format!("{}=", op.symbol());
                self.diagnostics.push(
                    Diagnostic::error(
                        rules::OPERATOR_TYPES,
                        format!("`{text}` would put `{}` into `{ty}`", types.result),
                    )
                    .at(self.span(id))
                    .label(self.span(value), format!("this is `{from}`")),
                );
                ExprType::Value(ty)
            }
            None => {
                let text = format!("{}=", op.symbol());
                let diagnostic = Diagnostic::error(
                    rules::OPERATOR_TYPES,
                    format!("`{text}` does not take `{ty}` and `{from}`"),
                )
                .at(self.span(id))
                .label(self.span(value), format!("this is `{from}`"));
                let diagnostic = if ty == Type::String && op == BinaryOp::Add {
                    self.propose_cast(diagnostic, value, from, ty)
                } else {
                    diagnostic
                };
                self.diagnostics.push(diagnostic);
                ExprType::Value(ty)
            }
        }
    }
}

/// How to ask a value of type `ty` whether it is set.
fn truth_help(diagnostic: Diagnostic, ty: Type, op: &str) -> Diagnostic {
    let zero = match ty {
        Type::Integer => return diagnostic,
        Type::Float => "0.0",
        Type::String => "\"\"",
        Type::Key => "NULL_KEY",
        Type::Vector => "ZERO_VECTOR",
        Type::Rotation => "ZERO_ROTATION",
        Type::List => "[]",
    };
    diagnostic.help(format!("compare it: `... {op} {zero}`"))
}
