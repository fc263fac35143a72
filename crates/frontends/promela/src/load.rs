//! From a model's text to a program with its properties: the front end as one function.

use logic::Buchi;
use model::{ExprId, Program};
use source::{Diagnostic, Diagnostics, SourceMap, Span};

use crate::{lower, parser, preprocess};

/// What the caller adds to a model.
pub struct Options<'a> {
    /// Macros, as with `-D`: name and value.
    pub defines: Vec<(String, String)>,
    /// Gives the text of an included file.
    pub include: &'a dyn Fn(&str) -> Option<String>,
    /// Passes over embedded C code that only prints or never runs, with a warning.
    pub ignore_c: bool,
}

impl Default for Options<'_> {
    /// No macros; no file can be included.
    fn default() -> Self {
        Options {
            defines: Vec::new(),
            include: &|_| None,
            ignore_c: false,
        }
    }
}

/// A model that has been read.
#[derive(Debug)]
pub struct Loaded {
    /// The model and what it includes.
    pub sources: SourceMap,
    /// What was found, by place.
    pub diagnostics: Vec<Diagnostic>,
    /// The program with its properties; `None` if there is an error.
    pub program: Option<Program>,
    /// Never claims: each stands beside the program and accepts the runs that must not be.
    pub claims: Vec<NeverClaim>,
}

/// A never claim.
#[derive(Clone, Debug)]
pub struct NeverClaim {
    /// Its name.
    pub name: String,
    /// Where it is.
    pub span: Span,
    /// Accepts the runs that must not be; letters as for [`model::Claim::Ltl`].
    pub automaton: Buchi<ExprId>,
}

/// Reads a model, checks it, and lowers it.
#[must_use]
pub fn load(name: &str, text: &str, options: &Options<'_>) -> Loaded {
    let mut diagnostics = Diagnostics::new();
    let mut sources = SourceMap::new();
    let file = sources.add(name, text);
    let tokens = preprocess::preprocess(
        file,
        &options.defines,
        options.include,
        &mut sources,
        &mut diagnostics,
    );
    let tree = parser::parse(tokens, options.ignore_c, &mut diagnostics);
    let lowered = lower::lower(name, &tree, &sources, &mut diagnostics);
    let failed = diagnostics.has_errors();
    diagnostics.sort();
    let (program, claims) = if failed {
        (None, Vec::new())
    } else {
        (Some(lowered.0), lowered.1)
    };
    Loaded {
        sources,
        diagnostics: diagnostics.into_iter().collect(),
        program,
        claims,
    }
}
