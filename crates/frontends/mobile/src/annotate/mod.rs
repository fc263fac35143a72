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
use crate::load::Options;
use crate::lower::{Declared, Input, declared};
use crate::{net, policy, text};

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
    let policies: Vec<_> = options
        .policies
        .iter()
        .map(|(name, text)| sources.add(name.as_str(), text.as_str()))
        .collect();
    let policy = policy::parse(policies.iter().map(|&id| sources.file(id)), diagnostics);
    let net = options.net.as_ref().and_then(|(name, text)| {
        let id = sources.add(name.as_str(), text.as_str());
        let parsed = net::parse(sources.file(id));
        parsed.map_err(|error| diagnostics.push(*error)).ok()
    });
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
