//! Words of the script in comments of the model.

use source::{SourceMap, Span};

/// Longer pieces of the script are cut.
const LONGEST: usize = 70;

/// A text that can stand in a comment, on one line.
pub(super) fn comment(text: &str) -> String {
    let mut line: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() > LONGEST {
        line = line.chars().take(LONGEST).collect::<String>() + "...";
    }
    line.replace("*/", "* /")
        .replace("/*", "/ *")
        .replace('\\', "/")
}

/// A text that can stand in a `printf` without arguments.
pub(super) fn printed(text: &str) -> String {
    let ascii: String = text
        .chars()
        .map(|c| {
            if c.is_ascii() && !c.is_ascii_control() {
                c
            } else {
                '?'
            }
        })
        .collect();
    ascii
        .replace('\\', "/")
        .replace('"', "'")
        .replace('%', "%%")
}

/// The line of a span and what stands there.
pub(super) fn place(sources: &SourceMap, span: Span) -> Option<String> {
    if span.is_none() {
        return None;
    }
    let file = sources.get(span.file)?;
    let line = file.line(span.start);
    Some(format!("line {line}: {}", file.line_text(line).trim()))
}
