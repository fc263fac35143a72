//! Names and types of expressions.
//!
//! One walk, from the leaves up. Left operands are walked by a loop (see
//! [`Ast::left_spine`]), so a chain of a hundred thousand terms needs no stack.

use std::collections::HashSet;

use source::{Diagnostic, Diagnostics, Span};

use super::environment::{Callable, Environment, Parameters};
use super::operators;
use super::suggest::suggest;
use super::table::{ExprTable, ExprType, GlobalNames, Resolution};
use crate::ast::{Ast, BinaryOp, ExprId, ExprKind, Name, Symbol, UnaryOp};
use crate::codes::{lints, names, rules};
use crate::facts;
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
            ExprKind::Vector(parts) => {
                self.components(parts);
                ExprType::Value(Type::Vector)
            }
            ExprKind::Rotation(parts) => {
                self.components(parts);
                ExprType::Value(Type::Rotation)
            }
            ExprKind::List(elements) => {
                self.elements(elements);
                ExprType::Value(Type::List)
            }
            &ExprKind::Name(name) => self.variable(id, name),
            &ExprKind::Member { base, field } => self.member(id, base, field),
            ExprKind::Call {
                function,
                arguments,
            } => self.call(id, *function, arguments),
            &ExprKind::Print(operand) => {
                self.value(operand);
                ExprType::Void
            }
            &ExprKind::Unary { op, operand } => self.unary(id, op, operand),
            &ExprKind::Step { place, .. } => self.step(id, place),
            ExprKind::Binary { .. } => return self.binary_chain(id),
            &ExprKind::Assign { op, place, value } => self.assign(id, op, place, value),
            &ExprKind::Cast { to, operand } => self.cast(id, to, operand),
            &ExprKind::Parenthesized(inner) => self.check(inner),
            &ExprKind::Word { word, name } => self.word(id, word, name),
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
    /// names it in the message.
    pub(super) fn value_for(&mut self, id: ExprId, to: Type, place: &dyn Fn() -> String) {
        if let Some(from) = self.value(id) {
            self.convert(id, from, to, place);
        }
    }

    /// Checks a condition: every type is one, but some are suspicious.
    pub(super) fn condition(&mut self, id: ExprId) {
        let Some(_) = self.value(id) else {
            return;
        };
        let span = self.span(id);
        if let ExprKind::Assign { op: None, .. } = self.ast.expr(id).kind {
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
                | ExprKind::Word { .. } => {}
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

    fn span(&self, id: ExprId) -> Span {
        self.ast.expr(id).span
    }

    fn convert(&mut self, id: ExprId, from: Type, to: Type, place: &dyn Fn() -> String) {
        if from == to {
            return;
        }
        if operators::converts(from, to) {
            self.exprs.set_converted(id, to);
            return;
        }
        let diagnostic = Diagnostic::error(
            rules::TYPE_MISMATCH,
            format!("{} takes `{to}`, not `{from}`", place()),
        )
        .at(self.span(id))
        .saying(format!("this is `{from}`"));
        let diagnostic = self.propose_cast(diagnostic, id, from, to);
        self.diagnostics.push(diagnostic);
    }

    /// Adds a cast of `id` to `to` as a proposal, if there is such a cast.
    fn propose_cast(&self, diagnostic: Diagnostic, id: ExprId, from: Type, to: Type) -> Diagnostic {
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

    fn components(&mut self, parts: &[ExprId]) {
        for &part in parts {
            self.value_for(part, Type::Float, &|| "a component".to_owned());
        }
    }

    fn elements(&mut self, elements: &[ExprId]) {
        for &element in elements {
            if self.value(element) == Some(Type::List) {
                self.diagnostics.push(
                    Diagnostic::error(rules::NESTED_LIST, "a list cannot hold a list")
                        .at(self.span(element))
                        .help("to join lists, write `a + b`"),
                );
            }
        }
    }

    fn variable(&mut self, id: ExprId, name: Name) -> ExprType {
        let text = self.ast.name_text(name);
        if let Some(variable) = self.environment.variable(name.symbol, text) {
            self.exprs.set_resolution(id, variable.resolution);
            return ExprType::Value(variable.ty);
        }
        if let Some(&global) = self.names.globals.get(&name.symbol) {
            if global.index() < self.known_globals {
                self.exprs.set_resolution(id, Resolution::Global(global));
                return ExprType::Value(self.ast.global(global).ty);
            }
            let declared = self.ast.global(global).name.span;
            self.diagnostics.push(
                Diagnostic::error(
                    names::UNKNOWN_VARIABLE,
                    format!("`{text}` is not declared yet"),
                )
                .at(name.span)
                .label(declared, "declared here")
                .help("a global's first value can use earlier globals only"),
            );
            return ExprType::Error;
        }
        if let Some(constant) = facts::constant(text) {
            self.exprs
                .set_resolution(id, Resolution::Constant(constant));
            if constant.deprecated {
                self.deprecated(name.span, text);
            }
            return ExprType::Value(constant.ty());
        }
        self.unknown_variable(name);
        ExprType::Error
    }

    fn unknown_variable(&mut self, name: Name) {
        if !self.reported.insert(name.symbol) || self.diagnostics.errors() > Diagnostics::LIMIT {
            return;
        }
        let ast = self.ast;
        let text = ast.name_text(name);
        let function = self.names.functions.contains_key(&name.symbol)
            || facts::function(text).is_some()
            || self.environment.callable(name.symbol, text).is_some();
        if function {
            self.diagnostics.push(
                Diagnostic::error(names::NOT_A_VARIABLE, format!("`{text}` is a function"))
                    .at(name.span)
                    .saying("a function is not a value")
                    .help(format!("to call it, write `{text}(...)`")),
            );
            return;
        }
        let diagnostic =
            Diagnostic::error(names::UNKNOWN_VARIABLE, format!("unknown name `{text}`"))
                .at(name.span);
        let hint = match text {
            "break" => "LSL has no `break`: set a label behind the loop and `jump` to it",
            "continue" => "LSL has no `continue`: set a label at the loop's end and `jump` to it",
            "null" | "NULL" | "nil" | "None" => {
                "LSL has no null; an empty key is `NULL_KEY`, an empty string `\"\"`"
            }
            "this" | "self" => "the object's own key is `llGetKey()`",
            "const" | "final" | "var" | "auto" => "a declaration is a type and a name",
            _ => "",
        };
        let mut candidates: Vec<&str> = Vec::new();
        candidates.extend(
            self.environment
                .variable_names()
                .into_iter()
                .map(|symbol| ast.text(symbol)),
        );
        candidates.extend(
            ast.globals
                .iter()
                .take(self.known_globals)
                .map(|global| ast.name_text(global.name)),
        );
        candidates.extend(facts::constants().iter().map(|constant| constant.name));
        let diagnostic = if !hint.is_empty() {
            diagnostic.help(hint)
        } else if let Some(near) = suggest(text, candidates) {
            diagnostic.fix_it(name.span, near, "a similar name is known")
        } else {
            diagnostic
        };
        self.diagnostics.push(diagnostic);
    }

    fn deprecated(&mut self, span: Span, text: &str) {
        self.diagnostics.push(
            Diagnostic::warning(lints::DEPRECATED, format!("`{text}` is deprecated")).at(span),
        );
    }

    fn member(&mut self, id: ExprId, base: Name, field: Name) -> ExprType {
        let ty = self.variable(id, base);
        let Some(ty) = ty.value() else {
            return ExprType::Error;
        };
        let ast = self.ast;
        let text = ast.name_text(base);
        if let Some(Resolution::Constant(_)) = self.exprs.resolution(id) {
            self.diagnostics.push(
                Diagnostic::error(
                    crate::codes::syntax::MEMBER_OF_VALUE,
                    format!("`{text}` is a constant, and components are taken from variables only"),
                )
                .at(self.span(id)),
            );
            return ExprType::Error;
        }
        let component = ast.name_text(field);
        let fields: &[&str] = match ty {
            Type::Vector => &["x", "y", "z"],
            Type::Rotation => &["x", "y", "z", "s"],
            _ => &[],
        };
        if fields.contains(&component) {
            return ExprType::Value(Type::Float);
        }
        let diagnostic = Diagnostic::error(
            rules::NO_SUCH_COMPONENT,
            format!("`{ty}` has no component `{component}`"),
        )
        .at(field.span);
        self.diagnostics.push(if fields.is_empty() {
            diagnostic
                .label(base.span, format!("this is `{ty}`"))
                .help("only vectors and rotations have components")
        } else {
            diagnostic.help(format!("`{ty}` has `{}`", fields.join("`, `")))
        });
        ExprType::Error
    }

    fn word(&mut self, id: ExprId, word: Name, name: Name) -> ExprType {
        let (word_text, text) = (self.ast.name_text(word), self.ast.name_text(name));
        match self.environment.word(word_text, text) {
            Some((ExprType::Error, _)) => {
                self.diagnostics.push(
                    Diagnostic::error(
                        names::UNKNOWN_VARIABLE,
                        format!("unknown name `{text}` behind `{word_text}`"),
                    )
                    .at(name.span),
                );
                ExprType::Error
            }
            Some((ty, resolution)) => {
                if let Some(resolution) = resolution {
                    self.exprs.set_resolution(id, resolution);
                }
                ty
            }
            None => {
                self.diagnostics.push(
                    Diagnostic::error(
                        names::UNKNOWN_VARIABLE,
                        format!("`{word_text}` means nothing here"),
                    )
                    .at(word.span),
                );
                ExprType::Error
            }
        }
    }

    fn callable(&mut self, function: Name) -> Option<Callable> {
        let ast = self.ast;
        let text = ast.name_text(function);
        if let Some(callable) = self.environment.callable(function.symbol, text) {
            return Some(callable);
        }
        if let Some(&user) = self.names.functions.get(&function.symbol) {
            let definition = ast.function(user);
            return Some(Callable {
                parameters: Parameters::Types(definition.parameters.iter().map(|p| p.ty).collect()),
                result: definition.result,
                resolution: Resolution::Function(user),
            });
        }
        let library = facts::function(text)?;
        if library.deprecated {
            self.deprecated(function.span, text);
        }
        if library.god_mode {
            self.diagnostics.push(
                Diagnostic::warning(
                    lints::GOD_MODE,
                    format!("`{text}` works for Linden Lab's staff only"),
                )
                .at(function.span),
            );
        }
        Some(Callable {
            parameters: Parameters::Types(library.parameters.iter().map(|p| p.ty).collect()),
            result: library.result,
            resolution: Resolution::Library(library),
        })
    }

    fn unknown_function(&mut self, function: Name) {
        if !self.reported.insert(function.symbol) || self.diagnostics.errors() > Diagnostics::LIMIT
        {
            return;
        }
        let ast = self.ast;
        let text = ast.name_text(function);
        let variable = self.environment.variable(function.symbol, text).is_some()
            || self.names.globals.contains_key(&function.symbol)
            || facts::constant(text).is_some();
        if variable {
            self.diagnostics.push(
                Diagnostic::error(names::NOT_A_FUNCTION, format!("`{text}` is not a function"))
                    .at(function.span),
            );
            return;
        }
        let diagnostic = Diagnostic::error(
            names::UNKNOWN_FUNCTION,
            format!("unknown function `{text}`"),
        )
        .at(function.span);
        let own = self.environment.callable_names();
        let candidates = own
            .iter()
            .map(String::as_str)
            .chain(ast.functions.iter().map(|f| ast.name_text(f.name)))
            .chain(facts::functions().iter().map(|f| f.name));
        let diagnostic = match suggest(text, candidates) {
            Some(near) => diagnostic.fix_it(function.span, near, "a similar function is known"),
            None if text == "switch" => {
                diagnostic.help("LSL has no `switch`: use a chain of `if` and `else if`")
            }
            None => diagnostic,
        };
        self.diagnostics.push(diagnostic);
    }

    fn call(&mut self, id: ExprId, function: Name, arguments: &'a [ExprId]) -> ExprType {
        let Some(callable) = self.callable(function) else {
            self.unknown_function(function);
            for &argument in arguments {
                self.check(argument);
            }
            return ExprType::Error;
        };
        self.exprs.set_resolution(id, callable.resolution);
        let text = self.ast.name_text(function);
        let count = match &callable.parameters {
            Parameters::Types(types) => types.len(),
            Parameters::Same => 1,
            Parameters::Any(count) => *count,
        };
        if arguments.len() != count {
            self.argument_count(id, text, arguments, count, callable.resolution);
        }
        let mut same = None;
        for (index, &argument) in arguments.iter().enumerate() {
            match &callable.parameters {
                Parameters::Types(types) if index < types.len() => {
                    let place = || parameter_in_words(text, index, callable.resolution);
                    self.value_for(argument, types[index], &place);
                }
                _ => same = self.value(argument).or(same),
            }
        }
        match callable.parameters {
            Parameters::Same => same.map_or(ExprType::Error, ExprType::Value),
            Parameters::Types(_) | Parameters::Any(_) => callable.result.into(),
        }
    }

    fn argument_count(
        &mut self,
        id: ExprId,
        text: &str,
        arguments: &[ExprId],
        count: usize,
        resolution: Resolution,
    ) {
        let plural = if count == 1 { "" } else { "s" };
        let span = match arguments.get(count) {
            Some(&first) => {
                let last = arguments.last().copied().unwrap_or(first);
                self.span(first).to(self.span(last))
            }
            None => self.span(id),
        };
        let mut diagnostic = Diagnostic::error(
            rules::ARGUMENT_COUNT,
            format!(
                "`{text}` takes {count} argument{plural}, not {}",
                arguments.len()
            ),
        )
        .at(span);
        match resolution {
            Resolution::Library(library) => {
                let parameters: Vec<String> = library
                    .parameters
                    .iter()
                    .map(|p| format!("{} {}", p.ty, p.name))
                    .collect();
                diagnostic = diagnostic.help(format!("it is `{text}({})`", parameters.join(", ")));
            }
            Resolution::Function(function) => {
                diagnostic =
                    diagnostic.label(self.ast.function(function).name.span, "defined here");
            }
            _ => {}
        }
        self.diagnostics.push(diagnostic);
    }

    fn cast(&mut self, id: ExprId, to: Type, operand: ExprId) -> ExprType {
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

    fn unary(&mut self, id: ExprId, op: UnaryOp, operand: ExprId) -> ExprType {
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

    fn binary_chain(&mut self, id: ExprId) -> ExprType {
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

    fn step(&mut self, id: ExprId, place: ExprId) -> ExprType {
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

    fn assign(
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

fn parameter_in_words(function: &str, index: usize, resolution: Resolution) -> String {
    match resolution {
        Resolution::Library(library) => format!(
            "parameter `{}` of `{function}`",
            library.parameters[index].name
        ),
        _ => format!("parameter {} of `{function}`", index + 1),
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
