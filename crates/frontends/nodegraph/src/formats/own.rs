//! The reader of this project's own JSON.

use source::Diagnostics;

use super::json::Json;
use crate::graph::Project;

/// Whether a JSON text is in this format.
pub(crate) fn recognise(root: Json<'_>) -> bool {
    root.get("nodegraph").is_some()
}

/// Reads it; none if an error was pushed.
pub(crate) fn read(root: Json<'_>, diagnostics: &mut Diagnostics) -> Option<Project> {
    let _ = (root, diagnostics);
    None
}
