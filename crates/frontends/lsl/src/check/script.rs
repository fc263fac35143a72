//! Names and types of a whole script.

use std::collections::{HashMap, HashSet};

use source::{Diagnostic, Diagnostics, SourceFile};

use super::body::{BodyChecker, Owner, always_leaves};
use super::environment::{Environment, Nothing};
use super::expression::ExprChecker;
use super::initializer;
use super::table::{Body, Checked, ExprTable, ExprType, GlobalNames};
use crate::ast::{Ast, ExprId, FunctionId, GlobalId, HandlerId, Name, StmtId, Symbol};
use crate::codes::{lints, names, rules};
use crate::facts;
use crate::parser;
use crate::types::Type;
use source::suggest;

/// Reads and checks a script. Findings are ordered by place.
#[must_use]
pub fn analyze(source: &SourceFile) -> (Checked, Diagnostics) {
    let (ast, mut diagnostics) = parser::parse(source);
    let (checked, found) = check(ast);
    diagnostics.append(found);
    diagnostics.sort();
    (checked, diagnostics)
}

/// Checks a script that has been read. The tree may hold errors; what they make
/// unknowable is not reported again.
#[must_use]
pub fn check(ast: Ast) -> (Checked, Diagnostics) {
    let mut checker = ScriptChecker {
        ast: &ast,
        names: GlobalNames::default(),
        exprs: ExprTable::default(),
        statements: HashMap::new(),
        diagnostics: Diagnostics::new(),
    };
    checker.collect_names();
    checker.globals();
    let functions = ast.function_ids().map(|id| checker.function(id)).collect();
    let handlers = checker.all_handlers();
    let ScriptChecker {
        names,
        exprs,
        statements,
        diagnostics,
        ..
    } = checker;
    let checked = Checked {
        ast,
        exprs,
        statements,
        names,
        functions,
        handlers,
    };
    (checked, diagnostics)
}

/// What is wanted of an expression of a property.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Wanted {
    Value(Type),
    Condition,
    Anything,
}

impl Checked {
    /// Checks an expression that was added to [`Checked::ast`], as the value
    /// for something of type `ty`.
    pub fn check_value(
        &mut self,
        expr: ExprId,
        ty: Type,
        environment: &dyn Environment,
        diagnostics: &mut Diagnostics,
    ) {
        self.check_expr(expr, Wanted::Value(ty), environment, diagnostics);
    }

    /// Checks an expression that was added to [`Checked::ast`], as a condition;
    /// every type is one.
    pub fn check_condition(
        &mut self,
        expr: ExprId,
        environment: &dyn Environment,
        diagnostics: &mut Diagnostics,
    ) {
        self.check_expr(expr, Wanted::Condition, environment, diagnostics);
    }

    /// Checks an expression that was added to [`Checked::ast`], whatever it
    /// yields.
    pub fn check_expression(
        &mut self,
        expr: ExprId,
        environment: &dyn Environment,
        diagnostics: &mut Diagnostics,
    ) -> ExprType {
        self.check_expr(expr, Wanted::Anything, environment, diagnostics)
    }

    /// Checks statements that were added to [`Checked::ast`] and belong to no
    /// function or handler. Returns their variables and labels.
    pub fn check_statements(
        &mut self,
        statements: &[StmtId],
        environment: &dyn Environment,
        diagnostics: &mut Diagnostics,
    ) -> Body {
        BodyChecker::new(
            &self.ast,
            &self.names,
            environment,
            Owner::Property,
            &mut self.exprs,
            &mut self.statements,
            diagnostics,
        )
        .run(&[], statements)
    }

    fn check_expr(
        &mut self,
        expr: ExprId,
        wanted: Wanted,
        environment: &dyn Environment,
        diagnostics: &mut Diagnostics,
    ) -> ExprType {
        let mut checker = ExprChecker {
            ast: &self.ast,
            names: &self.names,
            environment,
            known_globals: usize::MAX,
            exprs: &mut self.exprs,
            diagnostics,
            reported: &mut HashSet::new(),
        };
        match wanted {
            Wanted::Value(ty) => {
                checker.value_for(expr, ty, &|| "this place".to_owned());
            }
            Wanted::Condition => checker.condition(expr),
            Wanted::Anything => {
                checker.check(expr);
            }
        }
        self.exprs.ty(expr)
    }
}

struct ScriptChecker<'a> {
    ast: &'a Ast,
    names: GlobalNames,
    exprs: ExprTable,
    statements: HashMap<StmtId, super::table::StmtName>,
    diagnostics: Diagnostics,
}

impl ScriptChecker<'_> {
    fn collect_names(&mut self) {
        let ast = self.ast;
        // Variables, functions and states share one space of names.
        let mut taken: HashMap<Symbol, Name> = HashMap::new();
        for (index, global) in ast.globals.iter().enumerate() {
            if self.take(&mut taken, global.name) {
                let id = GlobalId::new(index);
                self.names.globals.insert(global.name.symbol, id);
            }
            let text = self.ast.name_text(global.name);
            self.diagnostics
                .extend(named_like_an_event(text, global.name));
        }
        for (index, function) in ast.functions.iter().enumerate() {
            if self.take(&mut taken, function.name) {
                let id = FunctionId::new(index);
                self.names.functions.insert(function.name.symbol, id);
            }
            let text = ast.name_text(function.name);
            if facts::event(text).is_some() {
                self.diagnostics.push(
                    Diagnostic::error(names::BUILTIN_NAME, format!("`{text}` is an event"))
                        .at(function.name.span)
                        .help("handlers stand in a state, functions have other names"),
                );
            }
        }
        for id in ast.state_ids() {
            let name = ast.state(id).name;
            if self.take(&mut taken, name) {
                self.names.states.insert(name.symbol, id);
            }
        }
    }

    /// Whether a global name is free; if not, says so.
    fn take(&mut self, taken: &mut HashMap<Symbol, Name>, name: Name) -> bool {
        let text = self.ast.name_text(name);
        let builtin = if facts::constant(text).is_some() {
            Some("a builtin constant")
        } else if facts::function(text).is_some() {
            Some("a library function")
        } else {
            None
        };
        if let Some(what) = builtin {
            self.diagnostics.push(
                Diagnostic::error(names::BUILTIN_NAME, format!("`{text}` is {what}")).at(name.span),
            );
        }
        self.first(taken, name)
    }

    fn first(&mut self, taken: &mut HashMap<Symbol, Name>, name: Name) -> bool {
        let first = *taken.entry(name.symbol).or_insert(name);
        if first.span == name.span {
            return true;
        }
        let text = self.ast.name_text(name);
        self.diagnostics.push(
            Diagnostic::error(names::DUPLICATE, format!("`{text}` is declared twice"))
                .at(name.span)
                .label(first.span, "declared here first"),
        );
        false
    }

    fn globals(&mut self) {
        let ast = self.ast;
        let mut reported = HashSet::new();
        for (index, global) in ast.globals.iter().enumerate() {
            let Some(value) = global.value else {
                continue;
            };
            let mut checker = ExprChecker {
                ast,
                names: &self.names,
                environment: &Nothing,
                known_globals: index,
                exprs: &mut self.exprs,
                diagnostics: &mut self.diagnostics,
                reported: &mut reported,
            };
            let place = || format!("`{}`", ast.name_text(global.name));
            checker.value_for(value, global.ty, &place);
            if let Some(violation) = initializer::violation(ast, value) {
                self.diagnostics.push(violation);
            }
        }
    }

    fn function(&mut self, id: FunctionId) -> Body {
        let ast = self.ast;
        let function = ast.function(id);
        let owner = Owner::Function {
            name: function.name,
            result: function.result,
        };
        let body = BodyChecker::new(
            ast,
            &self.names,
            &Nothing,
            owner,
            &mut self.exprs,
            &mut self.statements,
            &mut self.diagnostics,
        )
        .run(&function.parameters, &[function.body]);
        if let Some(ty) = function.result
            && !always_leaves(ast, function.body)
        {
            let text = ast.name_text(function.name);
            let end = ast.stmt(function.body).span.end_point();
            self.diagnostics.push(
                Diagnostic::error(
                    rules::MISSING_RETURN,
                    format!("`{text}` can end without returning a value"),
                )
                .at(function.name.span)
                .label(end, format!("a `return` of `{ty}` is missing")),
            );
        }
        body
    }

    fn all_handlers(&mut self) -> Vec<Body> {
        let ast = self.ast;
        for id in ast.state_ids() {
            let mut seen: HashMap<Symbol, Name> = HashMap::new();
            for &handler in &ast.state(id).handlers {
                let event = ast.handler(handler).event;
                let first = *seen.entry(event.symbol).or_insert(event);
                if first.span != event.span {
                    let text = ast.name_text(event);
                    self.diagnostics.push(
                        Diagnostic::error(
                            names::DUPLICATE_HANDLER,
                            format!("`{text}` is handled twice in this state"),
                        )
                        .at(event.span)
                        .label(first.span, "handled here first"),
                    );
                }
            }
        }
        ast.handler_ids().map(|id| self.handler(id)).collect()
    }

    fn handler(&mut self, id: HandlerId) -> Body {
        let ast = self.ast;
        let handler = ast.handler(id);
        self.event(id);
        BodyChecker::new(
            ast,
            &self.names,
            &Nothing,
            Owner::Handler,
            &mut self.exprs,
            &mut self.statements,
            &mut self.diagnostics,
        )
        .run(&handler.parameters, &[handler.body])
    }

    /// The event exists and has these parameters.
    fn event(&mut self, id: HandlerId) {
        let ast = self.ast;
        let handler = ast.handler(id);
        let text = ast.name_text(handler.event);
        let Some(event) = facts::event(text) else {
            let diagnostic =
                Diagnostic::error(names::UNKNOWN_EVENT, format!("unknown event `{text}`"))
                    .at(handler.event.span);
            let known = facts::events().iter().map(|event| event.name);
            let diagnostic = match suggest(text, known) {
                Some(near) => {
                    diagnostic.fix_it(handler.event.span, near, "a similar event is known")
                }
                None => diagnostic.help("functions stand before the first state"),
            };
            self.diagnostics.push(diagnostic);
            return;
        };
        if event.deprecated {
            self.diagnostics.push(
                Diagnostic::warning(
                    lints::DEPRECATED,
                    format!("the event `{text}` is never raised any more"),
                )
                .at(handler.event.span),
            );
        }
        let wanted = event.parameters.iter().map(|p| p.ty);
        if wanted.eq(handler.parameters.iter().map(|p| p.ty)) {
            return;
        }
        // Keep the script's names where the place is the same.
        let parameters: Vec<String> = event
            .parameters
            .iter()
            .enumerate()
            .map(|(index, parameter)| {
                let name = handler
                    .parameters
                    .get(index)
                    .map_or(parameter.name, |own| ast.name_text(own.name));
                format!("{} {name}", parameter.ty)
            })
            .collect();
        let parameters = format!("({})", parameters.join(", "));
        self.diagnostics.push(
            Diagnostic::error(
                rules::HANDLER_PARAMETERS,
                format!("`{text}` has other parameters"),
            )
            .at(handler.parameters_span)
            .fix_it(handler.parameters_span, &parameters, "declare"),
        );
    }
}

/// The warning for a variable that has an event's name.
pub(super) fn named_like_an_event(text: &str, name: Name) -> Option<Diagnostic> {
    facts::event(text)?;
    let what = format!("`{text}` is the name of an event");
    Some(Diagnostic::warning(lints::EVENT_NAME, what).at(name.span))
}
