//! Readers of the formats that node scripts are kept in, told apart by content.
//!
//! A reader never fails on what it does not know: a kind of node without a meaning is the
//! lowering's question. It fails where a file is no such graph at all.

use source::{Diagnostics, SourceFile};

use crate::graph::{Origin, Project};

/// Which format a text is in, if it is one of a node graph.
#[must_use]
pub fn recognise(text: &str) -> Option<Origin> {
    let _ = text;
    None
}

/// Reads a file of the format.
///
/// The answer is none if, and only if, an error was pushed.
#[must_use]
pub fn read(file: &SourceFile, origin: Origin, diagnostics: &mut Diagnostics) -> Option<Project> {
    let _ = (file, origin, diagnostics);
    None
}
