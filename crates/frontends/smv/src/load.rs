//! From a model's text to a program with its properties: the front end as one function.

use model::Program;
use source::{Diagnostics, Dialect, Preprocessor, SourceMap, command_line_title};

use crate::ast::{SpecSort, Stated};
use crate::codes::syntax;
use crate::{lexer, lower, parser};

/// What the caller adds to a model.
pub struct Options<'a> {
    /// Macros, as with `-D`: name and value.
    pub defines: Vec<(String, String)>,
    /// Gives the text of an included file.
    pub include: &'a dyn Fn(&str) -> Option<String>,
    /// More properties: formulas of CTL or LTL, or invariants, as their operators say.
    pub extra_properties: Vec<String>,
}

impl Default for Options<'_> {
    /// No macros, no more properties; no file can be included.
    fn default() -> Self {
        Options {
            defines: Vec::new(),
            include: &|_| None,
            extra_properties: Vec::new(),
        }
    }
}

/// Lines of the preprocessor are obeyed wherever they stand.
pub(crate) const SMV: Dialect = Dialect {
    lex: lexer::lex,
    directive: syntax::DIRECTIVE,
    include: syntax::INCLUDE,
    macros: syntax::MACRO,
};

/// A model that has been read.
pub type Loaded = source::Loaded<Program>;

/// Reads a model, checks it, and lowers it.
#[must_use]
pub fn load(name: &str, text: &str, options: &Options<'_>) -> Loaded {
    let mut diagnostics = Diagnostics::new();
    let mut sources = SourceMap::new();
    let file = sources.add(name, text);
    let mut preprocessor = Preprocessor::new(SMV, options.include, &mut sources, &mut diagnostics);
    for (name, value) in &options.defines {
        preprocessor.define_macro(name, value);
    }
    preprocessor.read(file);
    let tokens = preprocessor.finish(file);
    let modules = parser::parse(tokens, &mut diagnostics);
    let mut extra = Vec::new();
    for (number, text) in (1..).zip(&options.extra_properties) {
        let file = sources.add(command_line_title(number), text.as_str());
        let tokens = lexer::lex(sources.file(file), &mut diagnostics);
        if let Some(formula) = parser::parse_formula(tokens, &mut diagnostics) {
            extra.push(crate::ast::Spec {
                sort: SpecSort::Any,
                name: None,
                span: formula.span,
                context: None,
                stated: Stated::Formula(formula),
            });
        }
    }
    let mut program = None;
    if !diagnostics.has_errors() {
        program = lower::lower(name, &modules, &extra, &sources, &mut diagnostics);
    }
    Loaded::new(sources, diagnostics, program)
}
