//! What the names in expressions mean: variables, components, calls, and the
//! words of a property.

use source::{Diagnostic, Diagnostics, Span};

use super::environment::{Callable, Parameters};
use super::expression::ExprChecker;
use super::table::{ExprType, Resolution};
use crate::ast::{ExprId, Name};
use crate::codes::{lints, names, rules, syntax};
use crate::facts;
use crate::types::Type;
use source::suggest;

impl<'a> ExprChecker<'a> {
    pub(super) fn variable(&mut self, id: ExprId, name: Name) -> ExprType {
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

    /// So many errors that the next will only be counted: proposing names for
    /// each would take quadratic time.
    fn nobody_reads(&self) -> bool {
        self.diagnostics.errors() > Diagnostics::LIMIT
    }

    fn unknown_variable(&mut self, name: Name) {
        if !self.reported.insert(name.symbol) {
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
        if self.nobody_reads() {
            self.diagnostics.push(diagnostic);
            return;
        }
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

    pub(super) fn member(&mut self, id: ExprId, base: Name, field: Name) -> ExprType {
        let ty = self.variable(id, base);
        let Some(ty) = ty.value() else {
            return ExprType::Error;
        };
        let ast = self.ast;
        let text = ast.name_text(base);
        if let Some(Resolution::Constant(_)) = self.exprs.resolution(id) {
            self.diagnostics.push(
                Diagnostic::error(
                    syntax::MEMBER_OF_VALUE,
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

    pub(super) fn word(&mut self, id: ExprId, word: Name, name: Name) -> ExprType {
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
        if !self.reported.insert(function.symbol) {
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
        if self.nobody_reads() {
            self.diagnostics.push(diagnostic);
            return;
        }
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

    pub(super) fn call(&mut self, id: ExprId, function: Name, arguments: &'a [ExprId]) -> ExprType {
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
}

/// A parameter, for messages.
fn parameter_in_words(function: &str, index: usize, resolution: Resolution) -> String {
    match resolution {
        Resolution::Library(library) => format!(
            "parameter `{}` of `{function}`",
            library.parameters[index].name
        ),
        _ => format!("parameter {} of `{function}`", index + 1),
    }
}
