//! A script that has been read: its tree with names and types, its properties, its literals.

use std::collections::HashMap;

use lsl::Type;
use lsl::ast::{ExprKind, FunctionId, HandlerId, StateId};
use lsl::check::{Checked, Resolution};
use lsl::facts;
use lsl::property::bounds;
use lsl::property::directives;
use lsl::property::syntax::Annotations;
use lsl::watch::Notecard;
use source::{Diagnostics, Include, SourceMap, Span, command_line_title};

use crate::literals::{Literals, literals};

/// A script without errors, ready to be run.
#[derive(Debug)]
pub struct Script {
    pub(crate) checked: Checked,
    pub(crate) annotations: Annotations,
    pub(crate) literals: Literals,
    pub(crate) sources: SourceMap,
    ranges: HashMap<String, (i64, i64)>,
    /// The notecards of the object. If none are given, the world makes some up.
    pub(crate) notecards: Vec<Notecard>,
}

impl Script {
    /// Reads a script. What is wrong with its properties is not found here: whoever wants to know
    /// has it loaded by the front end first.
    ///
    /// # Errors
    /// The messages of what is wrong with the script.
    pub fn read(name: &str, text: &str, options: &lsl::Options) -> Result<Script, Vec<String>> {
        Script::read_with(name, text, options, &|_| None)
    }

    /// The same for a script that may include files.
    ///
    /// # Errors
    /// The messages of what is wrong with the script.
    pub fn read_with(
        name: &str,
        text: &str,
        options: &lsl::Options,
        include: Include<'_>,
    ) -> Result<Script, Vec<String>> {
        let mut sources = SourceMap::new();
        let mut diagnostics = Diagnostics::new();
        let file = sources.add(name, text);
        let given = (options, include);
        let (mut ast, mut annotations) = lsl::tree(file, given, &mut sources, &mut diagnostics);
        for (index, text) in options.extra_properties.iter().enumerate() {
            let extra = sources.add(command_line_title(index + 1), text.as_str());
            let (property, found) =
                directives::parse_property(sources.file(extra), &mut ast, "property");
            diagnostics.append(found);
            annotations.properties.extend(property);
        }
        let literals = literals(&ast);
        let (mut checked, found) = lsl::check::check(ast);
        diagnostics.append(found);
        if options.checks && annotations.properties.is_empty() && !diagnostics.has_errors() {
            match lsl::checks::annotated(&checked, &mut sources) {
                Ok((ast, checks)) => {
                    annotations = checks;
                    let (marked, found) = lsl::check::check(ast);
                    checked = marked;
                    diagnostics.append(found);
                }
                Err(found) => diagnostics.append(found),
            }
        }
        if diagnostics.has_errors() {
            let errors = diagnostics.iter();
            let errors = errors.filter(|found| found.severity == source::Severity::Error);
            return Err(errors.map(|found| found.message.clone()).collect());
        }
        let mut ranges = HashMap::new();
        for bound in &annotations.bounds {
            ranges.insert(bound.name.clone(), (bound.lo, bound.hi));
        }
        for (name, value) in &options.bounds {
            if value.trim() == "any" {
                ranges.remove(name.trim());
            } else if let Ok(bound) = bounds::parse_value(name.trim(), value.trim()) {
                ranges.insert(bound.name, (bound.lo, bound.hi));
            }
        }
        Ok(Script {
            checked,
            annotations,
            literals,
            sources,
            ranges,
            notecards: options.notecards.clone(),
        })
    }

    /// The names of the properties, in order.
    pub fn properties(&self) -> impl Iterator<Item = &str> {
        self.annotations.properties.iter().map(|p| p.name.as_str())
    }

    /// The library functions that the script calls, each once, in no particular order.
    #[must_use]
    pub fn calls(&self) -> Vec<&'static str> {
        let mut names: Vec<&'static str> = Vec::new();
        for id in self.checked.ast.expr_ids() {
            if let Some(Resolution::Library(function)) = self.checked.exprs.resolution(id)
                && !names.contains(&function.name)
            {
                names.push(function.name);
            }
        }
        names
    }

    /// A range that the file or the command line states.
    pub(crate) fn range(&self, name: &str) -> Option<(i64, i64)> {
        self.ranges.get(name).copied()
    }

    pub(crate) fn handler(&self, state: StateId, event: &str) -> Option<HandlerId> {
        self.checked.handler_of(state, event)
    }

    pub(crate) fn state_name(&self, state: StateId) -> &str {
        let ast = &self.checked.ast;
        ast.name_text(ast.state(state).name)
    }

    /// The types of a function's parameters.
    pub(crate) fn parameter_types(&self, function: FunctionId) -> Vec<Type> {
        let parameters = &self.checked.ast.function(function).parameters;
        parameters.iter().map(|parameter| parameter.ty).collect()
    }

    /// The line of a place, from 1.
    pub(crate) fn line(&self, span: Span) -> u32 {
        self.sources.file(span.file).line(span.start)
    }

    /// Whether any property looks at facts about the world, which may be other than what waits in
    /// the queue will tell the script.
    pub(crate) fn properties_read_facts(&self) -> bool {
        let ast = &self.checked.ast;
        let unresolved = ast.expr_ids().filter(|&id| {
            // Expressions of properties have not been checked, so their names mean nothing yet.
            self.checked.exprs.resolution(id).is_none()
        });
        unresolved.into_iter().any(|id| match &ast.expr(id).kind {
            ExprKind::Call { function, .. } => {
                let name = ast.name_text(*function);
                name == "granted" || facts::function(name).is_some_and(|f| !f.pure)
            }
            _ => false,
        })
    }
}
