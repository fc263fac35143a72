//! The programs for the checks: the script followed more and less closely.

use std::sync::Arc;

use model::{Origin, Program};
use source::{Diagnostics, FileId, SourceMap, Span};

use super::money::{Checks, checks};
use crate::abstraction::localize;
use crate::check::{self, Checked};
use crate::lexer;
use crate::lower::{self, Delivery, Hazards};
use crate::property::{directives, prepare};

/// The name of the text of the checks.
const TITLE: &str = "the checks of Probity";

/// The program of a script without properties, with the checks that apply to it, and the coarser one
/// beside it. `None` if the script calls itself without end, or cannot be followed so: then it is
/// looked at as it is.
pub(crate) fn unasked(
    name: &str,
    checked: &Checked,
    hazards: Hazards,
    sources: &mut SourceMap,
) -> Option<Program> {
    if hazards.recurs {
        // Calls of functions without an effect are left out, and with them how deep they nest.
        return None;
    }
    let checks = checks(checked);
    let file = sources.add(TITLE, checks.text.as_str());
    let level = |finite| level(name, checked, (&checks, hazards, finite), (file, sources));
    let mut program = level(false)?;
    program.coarse = level(true)
        .filter(|coarse| names(coarse) == names(&program))
        .map(Arc::new);
    Some(program)
}

fn names(program: &Program) -> Vec<&str> {
    let properties = program.properties.iter();
    properties.map(|property| property.name.as_str()).collect()
}

/// One of the two.
fn level(
    name: &str,
    script: &Checked,
    (checks, hazards, finite): (&Checks, Hazards, bool),
    (file, sources): (FileId, &SourceMap),
) -> Option<Program> {
    let mut tree = localize(script, &checks.seen, finite);
    tree.annotations = lexer::lex(sources.file(file)).annotations;
    let mut diagnostics = Diagnostics::new();
    let (annotations, found) = directives::parse(sources.file(file), &mut tree);
    diagnostics.append(found);
    let (mut checked, found) = check::check(tree);
    diagnostics.append(found);
    if diagnostics.has_errors() {
        return None;
    }
    let prepared = prepare(annotations, &[], &mut checked, &mut diagnostics).with_hazards(hazards);
    let (watch, bounds) = (prepared.watch(), &prepared.bounds);
    let mut lowered = lower::lower(name, &checked, watch, bounds, Delivery::Lazy);
    prepared.weave(&mut lowered, &checked);
    diagnostics.extend(lowered.diagnostics);
    if diagnostics.has_errors() {
        return None;
    }
    let mut program = lowered.program;
    for property in &mut program.properties {
        property.name = property.name.replace('_', "-");
        property.span = Span::NONE;
    }
    for assumption in &mut program.assumptions {
        assumption.span = Span::NONE;
        if assumption.origin == Origin::Stated {
            // Not by the file, nor by the command line: it belongs to what is asked.
            assumption.origin = Origin::Semantics;
        }
    }
    Some(program)
}
