//! The annotated program of the paper: the text of the program with a wrapper around each function
//! that the policy names, which asserts that no rule denies the call.
//!
//! The text stays as it is but for the names of these functions, wherever they are used, and so do
//! its directives, so that any compiler and any checker of C reads the result.

mod declared;
mod monitor;
mod uses;

use source::{Diagnostic, Diagnostics, Loaded, SourceMap, Span};

use crate::codes::notes;
use crate::load::{Options, rules};
use crate::lower::{Declared, Input, declared};
use crate::text;

/// Writes the annotated program.
pub(crate) fn annotate(name: &str, text: &str, options: &Options<'_>) -> Loaded<String> {
    let mut diagnostics = Diagnostics::new();
    let mut sources = SourceMap::new();
    let written = write(name, text, options, &mut sources, &mut diagnostics);
    Loaded::new(sources, diagnostics, written)
}

fn write(
    name: &str,
    text: &str,
    options: &Options<'_>,
    sources: &mut SourceMap,
    diagnostics: &mut Diagnostics,
) -> Option<String> {
    let file = sources.add(name, text);
    let (policy, net) = rules(options, sources, diagnostics);
    let (defines, include) = (&options.defines, options.include);
    let (unit, origins) = text::parse(file, defines, include, sources, diagnostics)?;
    if diagnostics.has_errors() {
        return None;
    }
    let input = Input {
        name,
        unit: &unit,
        origins: &origins,
        sources,
        policy: &policy,
        net: net.as_ref(),
    };
    let known: Declared = declared(&input);
    let uses = uses::find(&input, file, &known);
    let monitor = uses.and_then(|uses| Ok((monitor::text(&input, &uses, &known)?, uses)));
    match monitor {
        Ok((monitor, uses)) => Some(uses::put(text, &monitor, &uses)),
        Err(problem) => {
            diagnostics.push(*problem);
            None
        }
    }
}

/// What cannot be written.
fn cannot(what: &str, span: Span) -> Box<Diagnostic> {
    let message = format!("an annotated program cannot have {what}");
    Box::new(Diagnostic::error(notes::NOT_MODELLED, message).at(span))
}
