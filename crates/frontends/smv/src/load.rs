//! From a model's text to a program with its properties: the front end as one function.

use model::Program;
use source::{Diagnostic, Diagnostics, SourceMap};

use crate::ast::SpecSort;
use crate::{lexer, lower, parser};

/// What the caller adds to a model.
#[derive(Default)]
pub struct Options {
    /// More properties: formulas of CTL or LTL, or invariants, as their operators say.
    pub extra_properties: Vec<String>,
}

/// A model that has been read.
#[derive(Debug)]
pub struct Loaded {
    /// The model, and the texts of the caller's properties.
    pub sources: SourceMap,
    /// What was found, by place.
    pub diagnostics: Vec<Diagnostic>,
    /// The program with its properties; `None` if there is an error.
    pub program: Option<Program>,
}

/// Reads a model, checks it, and lowers it.
#[must_use]
pub fn load(name: &str, text: &str, options: &Options) -> Loaded {
    let mut diagnostics = Diagnostics::new();
    let mut sources = SourceMap::new();
    let file = sources.add(name, text);
    let tokens = lexer::lex(sources.file(file), &mut diagnostics);
    let modules = parser::parse(tokens, &mut diagnostics);
    let mut extra = Vec::new();
    for (number, text) in (1..).zip(&options.extra_properties) {
        let title = match number {
            1 => "--property".to_owned(),
            _ => format!("--property {number}"),
        };
        let file = sources.add(title, text.as_str());
        let tokens = lexer::lex(sources.file(file), &mut diagnostics);
        if let Some(formula) = parser::parse_formula(tokens, &mut diagnostics) {
            extra.push(crate::ast::Spec {
                sort: SpecSort::Any,
                name: None,
                span: formula.span,
                context: None,
                formula: Some(formula),
            });
        }
    }
    let mut program = None;
    if !diagnostics.has_errors() {
        program = lower::lower(name, &modules, &extra, &sources, &mut diagnostics);
    }
    let failed = diagnostics.has_errors();
    diagnostics.sort();
    Loaded {
        sources,
        diagnostics: diagnostics.into_iter().collect(),
        program: program.filter(|_| !failed),
    }
}
