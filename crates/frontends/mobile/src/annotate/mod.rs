//! The annotated program of the paper: the text of the program with a wrapper around each function
//! that the policy names, which asserts that no rule denies the call.
//!
//! The text stays as it is but for the names of these functions, wherever they are used, and so do
//! its directives, so that any compiler and any checker of C reads the result.

mod declared;
mod host;
mod monitor;
mod uses;

use std::collections::BTreeSet;

use language::Decision;
use source::{Diagnostic, Diagnostics, FileId, Loaded, SourceMap, Span};

use self::host::Host;
use crate::codes::notes;
use crate::load::{Options, rules};
use crate::lower::{Declared, Input, declared};
use crate::text;

/// Writes the annotated program; with a host that plays a run, if what the world decides in one is
/// given.
pub(crate) fn annotate(
    name: &str,
    text: &str,
    options: &Options<'_>,
    decisions: Option<&[Decision]>,
) -> Loaded<String> {
    let mut diagnostics = Diagnostics::new();
    let mut sources = SourceMap::new();
    let written = write(
        name,
        text,
        options,
        decisions,
        &mut sources,
        &mut diagnostics,
    );
    Loaded::new(sources, diagnostics, written)
}

fn write(
    name: &str,
    text: &str,
    options: &Options<'_>,
    decisions: Option<&[Decision]>,
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
    if let Some(order) = policy.orders.first() {
        diagnostics.push(*cannot("orders of moves and calls", order.span));
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
    match annotated(&input, file, text, decisions) {
        Ok(written) => Some(written),
        Err(problem) => {
            diagnostics.push(*problem);
            None
        }
    }
}

fn annotated(
    input: &Input<'_>,
    file: FileId,
    text: &str,
    decisions: Option<&[Decision]>,
) -> Result<String, Box<Diagnostic>> {
    let known: Declared = declared(input);
    let Some(decisions) = decisions else {
        let uses = uses::find(input, file, &known, &BTreeSet::new())?;
        let monitor = monitor::text(input, &uses, &known, None)?;
        return Ok(uses::put(text, &monitor, &uses));
    };
    let host = Host::new(decisions, &known);
    let played = host.defines(&known);
    let uses = uses::find(input, file, &known, &played)?;
    let used = uses.functions.intersection(&played);
    let names = used.map(|name| (name.clone(), monitor::called(input, name, true)));
    let functions = host.text(&names.collect(), &known)?;
    let monitor = monitor::text(input, &uses, &known, Some(&played))?;
    let program = uses::put(text, &(functions + &monitor), &uses);
    Ok(host.beginning(&known) + &program + &host.end(&known))
}

/// What cannot be written.
fn cannot(what: &str, span: Span) -> Box<Diagnostic> {
    let message = format!("an annotated program cannot have {what}");
    Box::new(Diagnostic::error(notes::NOT_MODELLED, message).at(span))
}
