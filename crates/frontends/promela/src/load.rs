//! From a model's text to a program with its properties: the front end as one function.

use model::Program;
use source::{Diagnostics, SourceMap, command_line_title};

use crate::{lower, parser, preprocess};

/// What the caller adds to a model.
pub struct Options<'a> {
    /// Macros, as with `-D`: name and value.
    pub defines: Vec<(String, String)>,
    /// Gives the text of an included file.
    pub include: &'a dyn Fn(&str) -> Option<String>,
    /// Passes over embedded C code that only prints or never runs, with a warning.
    pub ignore_c: bool,
    /// A message that is sent to a full channel is lost, as with `-m` of SPIN.
    pub lossy: bool,
    /// Files with claims, by name and text: read behind the model, its macros known.
    pub claims: Vec<(String, String)>,
    /// More properties: formulas as in `ltl` blocks, read behind the model, its macros known.
    pub extra_properties: Vec<String>,
}

impl Default for Options<'_> {
    /// No macros, no more properties; no file can be included.
    fn default() -> Self {
        Options {
            defines: Vec::new(),
            include: &|_| None,
            ignore_c: false,
            lossy: false,
            claims: Vec::new(),
            extra_properties: Vec::new(),
        }
    }
}

/// A model that has been read.
pub type Loaded = source::Loaded<Program>;

/// Reads a model, checks it, and lowers it.
#[must_use]
pub fn load(name: &str, text: &str, options: &Options<'_>) -> Loaded {
    let mut diagnostics = Diagnostics::new();
    let mut sources = SourceMap::new();
    let file = sources.add(name, text);
    let claims = options.claims.iter();
    let files: Vec<_> = std::iter::once(file)
        .chain(claims.map(|(name, text)| sources.add(name.as_str(), text.as_str())))
        .collect();
    let formulas: Vec<_> = (1..)
        .zip(&options.extra_properties)
        .map(|(number, text)| sources.add(command_line_title(number), text.as_str()))
        .collect();
    let tokens = preprocess::preprocess(
        &files,
        &formulas,
        &options.defines,
        options.include,
        &mut sources,
        &mut diagnostics,
    );
    let tree = parser::parse(tokens, options.ignore_c, &mut diagnostics);
    let program = lower::lower(
        name,
        &tree,
        (formulas.len(), options.lossy),
        &sources,
        &mut diagnostics,
    );
    Loaded::new(sources, diagnostics, Some(program))
}
