//! What a front end makes of a text.

use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::map::SourceMap;

/// A text that has been read, and the program that it means.
#[derive(Debug)]
pub struct Loaded<P> {
    /// The text, what it includes, and the texts of the command line.
    pub sources: SourceMap,
    /// What was found, by place.
    pub diagnostics: Vec<Diagnostic>,
    /// The program with its properties; `None` if there is an error.
    pub program: Option<P>,
}

impl<P> Loaded<P> {
    /// Sorts what was found; a program with errors is none.
    #[must_use]
    pub fn new(sources: SourceMap, mut diagnostics: Diagnostics, program: Option<P>) -> Self {
        let failed = diagnostics.has_errors();
        diagnostics.sort();
        Loaded {
            sources,
            diagnostics: diagnostics.into_iter().collect(),
            program: program.filter(|_| !failed),
        }
    }

    /// What could not be read at all.
    #[must_use]
    pub fn refused(diagnostic: Diagnostic) -> Self {
        Loaded {
            sources: SourceMap::new(),
            diagnostics: vec![diagnostic],
            program: None,
        }
    }
}

/// The name of a property's text from the command line, for messages: `--property`,
/// `--property 2`, ...
#[must_use]
pub fn command_line_title(number: usize) -> String {
    match number {
        1 => "--property".to_owned(),
        _ => format!("--property {number}"),
    }
}
