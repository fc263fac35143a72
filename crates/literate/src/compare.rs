//! What a front end found in a snippet, beside what was expected.

use std::fmt::Write as _;

use source::{Diagnostic, SourceMap};

use crate::block::{Block, Expected};

/// A diagnostic as far as a rule speaks of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Found {
    /// Its code.
    pub code: String,
    /// The file it is in; empty if it has no place.
    pub file: String,
    /// The line where it begins, from 1; 0 if it has no place.
    pub line: usize,
    /// Its message.
    pub message: String,
    /// Its help.
    pub help: Vec<String>,
}

impl Found {
    /// A diagnostic and its place.
    #[must_use]
    pub fn new(diagnostic: &Diagnostic, sources: &SourceMap) -> Found {
        let file = sources.get(diagnostic.span.file);
        let line = file.map_or(0, |file| file.line(diagnostic.span.start) as usize);
        Found {
            code: diagnostic.code.to_owned(),
            file: file.map_or_else(String::new, |file| file.name().to_owned()),
            line,
            message: diagnostic.message.clone(),
            help: diagnostic.help.clone(),
        }
    }

    /// Several diagnostics and their places.
    pub fn all<'a>(
        diagnostics: impl IntoIterator<Item = &'a Diagnostic>,
        sources: &SourceMap,
    ) -> Vec<Found> {
        let diagnostics = diagnostics.into_iter();
        diagnostics.map(|one| Found::new(one, sources)).collect()
    }
}

/// What is wrong with a snippet, a line each that begins with the place in the Markdown file.
///
/// Two diagnostics of one code at one line count as one, unless the snippet says what each tells.
pub(crate) fn differences(document: &str, block: &Block, found: &[Found]) -> String {
    let mut text = String::new();
    let surplus = found
        .iter()
        .filter(|one| !block.expected.iter().any(|e| matches(block, e, one)));
    for one in surplus {
        let (file, line) = place(block, one);
        let at = block.line_in_document(file, line);
        let shown = describe(&one.code, file, line);
        let _ = writeln!(text, "{document}:{at}: found {shown}: {}", one.message);
    }
    let missing = block
        .expected
        .iter()
        .filter(|e| !found.iter().any(|one| matches(block, e, one)));
    for e in missing {
        let at = block.line_in_document(&e.file, e.line);
        let shown = describe(&e.code, &e.file, e.line);
        let says = match e.says.as_str() {
            "" => String::new(),
            says => format!(" saying `{says}`"),
        };
        let _ = writeln!(text, "{document}:{at}: expected {shown}{says}, not found");
    }
    text
}

fn matches(block: &Block, expected: &Expected, found: &Found) -> bool {
    expected.code == found.code
        && place(block, found) == (expected.file.as_str(), expected.line)
        && (found.message.contains(&expected.says)
            || found.help.iter().any(|help| help.contains(&expected.says)))
}

/// The place as a snippet states it: what is in no file of the snippet has none.
fn place<'a>(block: &Block, found: &'a Found) -> (&'a str, usize) {
    match found.file == block.name || block.file(&found.file).is_some() {
        true => (found.file.as_str(), found.line),
        false => ("", 0),
    }
}

fn describe(code: &str, file: &str, line: usize) -> String {
    match line {
        0 => format!("{code} without a place"),
        _ => format!("{code} at line {line} of {file}"),
    }
}
