//! todo
use model::Program;
use source::{Diagnostic, Diagnostics, SourceMap};

use crate::ast::{Declaration, Model};
use crate::codes::lints;
use crate::load::NeverClaim;

pub(crate) fn note_hidden(declaration: &Declaration, diagnostics: &mut Diagnostics) {
    for declarator in &declaration.variables {
        diagnostics.push(
            Diagnostic::note(
                lints::HIDDEN,
                format!(
                    "`{}` is hidden, but counts as part of the state",
                    declarator.name.name
                ),
            )
            .at(declarator.name.span),
        );
    }
}

pub fn lower(
    name: &str,
    _: &Model,
    _: &SourceMap,
    _: &mut Diagnostics,
) -> (Program, Vec<NeverClaim>) {
    (Program::new(name, "Promela"), Vec::new())
}
