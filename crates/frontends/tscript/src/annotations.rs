//! `%%@` comments: what a script says to Probity.
//!
//! ```text
//! %%@ bound bidder = 2
//! %%@ property quiet: [true* . bid(_)] false
//! %%@ observer Quiet
//! ```
//!
//! A property goes on in the following `%%@` lines that begin with white space.

use source::{Diagnostic, Diagnostics, FileId, SourceMap, Span};

use crate::codes::notes as code;

/// What the comments say.
#[derive(Default, Debug)]
pub(crate) struct Annotations {
    pub(crate) bounds: Vec<StatedBound>,
    pub(crate) properties: Vec<StatedProperty>,
    /// Processes that only look on.
    pub(crate) observers: Vec<(String, Span)>,
}

/// `bound NAME = V`.
#[derive(Debug)]
pub(crate) struct StatedBound {
    pub(crate) name: String,
    pub(crate) value: String,
    pub(crate) span: Span,
}

/// `property NAME: FORMULA`.
#[derive(Debug)]
pub(crate) struct StatedProperty {
    pub(crate) name: String,
    pub(crate) text: String,
    pub(crate) span: Span,
}

impl Annotations {
    /// A property of the command line.
    pub(crate) fn add_property(&mut self, sources: &SourceMap, file: FileId, number: usize) {
        let file = sources.file(file);
        let text = file.text().trim();
        let (name, text) = name_and_formula(text.strip_prefix("property ").unwrap_or(text));
        let name = name.map_or_else(
            || match number {
                1 => "property".to_owned(),
                _ => format!("property_{number}"),
            },
            str::to_owned,
        );
        self.properties.push(StatedProperty {
            name,
            text: text.to_owned(),
            span: file.span(),
        });
    }
}

/// A name before a colon, if there is one, and the formula.
fn name_and_formula(text: &str) -> (Option<&str>, &str) {
    match text.split_once(':') {
        Some((name, rest)) if is_name(name.trim()) && !rest.starts_with('=') => {
            (Some(name.trim()), rest.trim())
        }
        _ => (None, text.trim()),
    }
}

fn is_name(text: &str) -> bool {
    !text.is_empty()
        && text
            .chars()
            .all(|c| c.is_alphanumeric() || c == '_' || c == '-' || c == '\'')
}

/// Reads the comments of a file.
pub(crate) fn of_file(
    sources: &SourceMap,
    file: FileId,
    diagnostics: &mut Diagnostics,
) -> Annotations {
    let file = sources.file(file);
    let mut found = Annotations::default();
    let mut goes_on = false;
    let mut start = 0usize;
    for line in file.text().split_inclusive('\n') {
        let at = start;
        start += line.len();
        let Some(comment) = line.trim_start().strip_prefix("%%@") else {
            goes_on = false;
            continue;
        };
        let offset = |at: usize| u32::try_from(at).expect("files are shorter than 2^32 bytes");
        let indent = line.len() - line.trim_start().len();
        let span = Span::new(
            file.id(),
            offset(at + indent),
            offset(at + line.trim_end().len()),
        );
        let said = comment.trim();
        let (word, rest) = said.split_once(char::is_whitespace).unwrap_or((said, ""));
        match word {
            "bound" => match rest.split_once('=') {
                Some((name, value)) => found.bounds.push(StatedBound {
                    name: name.trim().to_owned(),
                    value: value.trim().to_owned(),
                    span,
                }),
                None => diagnostics.push(
                    Diagnostic::error(code::BOUND, "a bound needs a name and a value")
                        .at(span)
                        .help("write `%%@ bound NAME = V`"),
                ),
            },
            "property" => {
                let (name, text) = name_and_formula(rest);
                let number = found.properties.len() + 1;
                found.properties.push(StatedProperty {
                    name: name.map_or_else(|| format!("property_{number}"), str::to_owned),
                    text: text.to_owned(),
                    span,
                });
                goes_on = true;
                continue;
            }
            "observer" => found.observers.push((rest.trim().to_owned(), span)),
            _ if goes_on && comment.starts_with([' ', '\t']) && !said.is_empty() => {
                let last = found.properties.last_mut().expect("one goes on");
                last.text.push(' ');
                last.text.push_str(said);
                last.span = last.span.to(span);
                continue;
            }
            "" => {}
            _ => diagnostics.push(
                Diagnostic::error(code::UNKNOWN_NOTE, format!("`{word}` is not understood"))
                    .at(span)
                    .help(
                        "write `%%@ bound NAME = V`, `%%@ property NAME: FORMULA` or \
                         `%%@ observer PROCESS`",
                    ),
            ),
        }
        goes_on = false;
    }
    found
}
