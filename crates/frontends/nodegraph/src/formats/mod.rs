//! Readers of the formats that node scripts are kept in, told apart by content.
//!
//! A reader does not fail on kinds of nodes that it does not know: what a kind means is the lowering's
//! question. It fails where a file is no such graph, or is damaged.

mod behave;
pub mod beside;
mod blueprint;
mod breaks;
pub(crate) mod builder;
mod foreign;
mod interactivity;
pub(crate) mod json;
pub(crate) mod naming;
mod orchestrator;
pub mod own;
mod script_canvas;
mod unity;
mod yaml;

use source::{Diagnostic, Diagnostics, FileId, SourceFile, SourceMap};

use crate::codes::files as codes;
use crate::graph::{Origin, Project};
use beside::Beside;
use json::{Document, Json};

pub use interactivity::unpack;
pub(crate) use orchestrator::is_orchestration;
pub(crate) use unity::recognise as is_of_unity;

/// Reads a file, whatever its format, with what it calls in other files of its project. These are added to the
/// map.
///
/// The answer is none if, and only if, an error was pushed.
#[must_use]
pub fn read_beside(
    file: FileId,
    sources: &mut SourceMap,
    beside: &Beside<'_>,
    diagnostics: &mut Diagnostics,
) -> Option<Project> {
    if unity::recognise(sources.file(file).text()) {
        let elsewhere = unity::gather(file, sources, beside);
        return unity::read(sources.file(file), &elsewhere, diagnostics);
    }
    read(sources.file(file), diagnostics)
}

/// Reads a file, whatever its format, and no other file.
///
/// The answer is none if, and only if, an error was pushed.
#[must_use]
pub fn read(file: &SourceFile, diagnostics: &mut Diagnostics) -> Option<Project> {
    let text = file.text().trim_start();
    if orchestrator::recognise(text) {
        return orchestrator::read(file, diagnostics);
    }
    if text.starts_with('{') || text.starts_with('[') {
        let document = Document::parse(file, diagnostics)?;
        let root = document.root();
        if let Some(refused) = foreign::refuse(root) {
            diagnostics.push(refused);
            return None;
        }
        return match recognise(root) {
            Some(Origin::ScriptCanvas) => script_canvas::read(root, diagnostics),
            Some(Origin::Interactivity) => interactivity::read(root, diagnostics),
            Some(Origin::Behave) => behave::read(root, diagnostics),
            Some(Origin::Own) => own::read(root, diagnostics),
            Some(Origin::Blueprint | Origin::Unity | Origin::Orchestrator) | None => {
                let message = if root.get("asset").is_some() {
                    "this glTF file has no KHR_interactivity graph"
                } else {
                    "this JSON is no node graph of a format that is read"
                };
                diagnostics.push(Diagnostic::error(codes::NOT_A_GRAPH, message));
                None
            }
        };
    }
    if blueprint::recognise(text) {
        return blueprint::read(file, diagnostics);
    }
    if unity::recognise(text) {
        return unity::read(file, &unity::Elsewhere::default(), diagnostics);
    }
    let diagnostic = if text.starts_with("<ObjectStream") {
        Diagnostic::error(
            codes::OTHER_GRAPH,
            "this Script Canvas file is older than the JSON form",
        )
        .help("open it in the editor and save it")
    } else if text.starts_with("version https://git-lfs") {
        Diagnostic::error(
            codes::NOT_A_GRAPH,
            "this text only stands for the file: it is kept in large file storage",
        )
    } else {
        Diagnostic::error(codes::NOT_A_GRAPH, "this is no node graph")
    };
    diagnostics.push(diagnostic);
    None
}

/// The format of a JSON text.
fn recognise(root: Json<'_>) -> Option<Origin> {
    if root.path(&["ClassData", "m_scriptCanvas"]).is_some() {
        return Some(Origin::ScriptCanvas);
    }
    if root.path(&["extensions", "KHR_interactivity"]).is_some() {
        return Some(Origin::Interactivity);
    }
    if root.get("asset").is_some() {
        return None;
    }
    if own::recognise(root) {
        return Some(Origin::Own);
    }
    let first = root.get("nodes")?.items().next();
    first
        .is_none_or(|node| node.get("type").is_some())
        .then_some(Origin::Behave)
}
