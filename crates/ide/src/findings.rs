//! What is wrong with a text, as an editor shows it.

use std::ops::Range;

use source::{Diagnostic, FileId, Severity, SourceMap, Span};

use crate::document::{Document, Edit, Encoding, Position};

/// How much a finding matters.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Level {
    /// Worth knowing.
    Information,
    /// Probably not what was meant.
    Warning,
    /// The text has no meaning, or a property fails.
    Error,
}

/// A place that a finding refers to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Place {
    /// In the document.
    Here(Range<usize>),
    /// In another file, by its name: from one place to another, in the encoding that was asked for.
    Elsewhere(String, Position, Position),
}

/// A second place that explains a finding.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Related {
    /// Where.
    pub place: Place,
    /// What to say about it.
    pub message: String,
}

/// An edit that mends a finding.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fix {
    /// What it does.
    pub title: String,
    /// What is replaced.
    pub range: Range<usize>,
    /// What stands there afterwards.
    pub replacement: String,
}

/// A finding about a part of a document.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// The part.
    pub range: Range<usize>,
    /// How much it matters.
    pub level: Level,
    /// The code that `probity explain` knows, or the name of a property.
    pub code: String,
    /// What is the matter; may have several lines.
    pub message: String,
    /// Places that explain it.
    pub related: Vec<Related>,
    /// Edits that mend it, one by one.
    pub fixes: Vec<Fix>,
}

impl Finding {
    /// Moves it with an edit; none if what it is about was changed. Fixes and places that were changed
    /// are left out.
    #[must_use]
    pub fn moved(self, edit: &Edit) -> Option<Finding> {
        let range = edit.moved_range(&self.range)?;
        let related = self.related.into_iter().filter_map(|related| {
            let place = match related.place {
                Place::Here(range) => Place::Here(edit.moved_range(&range)?),
                elsewhere => elsewhere,
            };
            Some(Related { place, ..related })
        });
        let fixes = self.fixes.into_iter().filter_map(|fix| {
            let range = edit.moved_range(&fix.range)?;
            Some(Fix { range, ..fix })
        });
        Some(Finding {
            range,
            related: related.collect(),
            fixes: fixes.collect(),
            ..self
        })
    }
}

/// The findings of a reader, at most one for each place, code and message. Those of another file stand at
/// the first line of the document; what a reader says about the command line is left out.
#[must_use]
pub fn findings(
    diagnostics: &[Diagnostic],
    sources: &SourceMap,
    document: &Document,
    encoding: Encoding,
) -> Vec<Finding> {
    let own = sources.files().next().map(source::SourceFile::id);
    let mut all: Vec<Finding> = Vec::new();
    for diagnostic in diagnostics {
        let found = finding(diagnostic, (sources, own), document, encoding);
        let same = |other: &Finding| {
            (&other.range, &other.code, &other.message)
                == (&found.range, &found.code, &found.message)
        };
        if !all.iter().rev().take(8).any(same) {
            all.push(found);
        }
    }
    all
}

fn finding(
    diagnostic: &Diagnostic,
    (sources, own): (&SourceMap, Option<FileId>),
    document: &Document,
    encoding: Encoding,
) -> Finding {
    let here =
        |span: Span| (!span.is_none() && Some(span.file) == own).then(|| part(span, document));
    let place = |span: Span| match here(span) {
        Some(range) => Some(Place::Here(range)),
        None => elsewhere(span, sources, encoding),
    };
    let mut message = diagnostic.message.clone();
    if !diagnostic.span_text.is_empty() {
        message.push_str(": ");
        message.push_str(&diagnostic.span_text);
    }
    for help in &diagnostic.help {
        message.push_str("\nhelp: ");
        message.push_str(help);
    }
    let mut related = Vec::new();
    let range = here(diagnostic.span);
    if range.is_none()
        && let Some(place) = place(diagnostic.span)
    {
        related.push(Related {
            place,
            message: "it is here".to_owned(),
        });
    }
    related.extend(diagnostic.labels.iter().filter_map(|label| {
        let message = match label.text.as_str() {
            "" => "see here".to_owned(),
            text => text.to_owned(),
        };
        let place = place(label.span)?;
        Some(Related { place, message })
    }));
    let fixes = diagnostic.fix_its.iter().filter_map(|fix| {
        Some(Fix {
            title: fix.message.clone(),
            range: here(fix.span)?,
            replacement: fix.replacement.clone(),
        })
    });
    Finding {
        range: range.map_or_else(|| document.line_range(0), |range| visible(range, document)),
        level: match diagnostic.severity {
            Severity::Error => Level::Error,
            Severity::Warning => Level::Warning,
            Severity::Note => Level::Information,
        },
        code: diagnostic.code.to_owned(),
        message,
        related,
        fixes: fixes.collect(),
    }
}

/// The part of a document that a span covers.
fn part(span: Span, document: &Document) -> Range<usize> {
    let start = document.boundary(span.start as usize);
    let end = document.boundary(span.end as usize);
    start..end.max(start)
}

/// A point is shown as the character that it stands before, or behind at the end of a line.
fn visible(range: Range<usize>, document: &Document) -> Range<usize> {
    if !range.is_empty() {
        return range;
    }
    let line = document.line_range(document.line(range.start));
    let text = document.text();
    if range.start < line.end {
        let next = text[range.start..].chars().next();
        return range.start..range.start + next.map_or(0, char::len_utf8);
    }
    let before = text[line.start..range.start.max(line.start)]
        .chars()
        .next_back();
    range.start - before.map_or(0, char::len_utf8)..range.start
}

/// A place in another file.
fn elsewhere(span: Span, sources: &SourceMap, encoding: Encoding) -> Option<Place> {
    let file = (!span.is_none()).then(|| sources.get(span.file))??;
    // Only the lines up to there matter, and such places are few.
    let text = Document::new(file.text());
    let at = |offset: u32| text.position(offset as usize, encoding);
    Some(Place::Elsewhere(
        file.name().to_owned(),
        at(span.start),
        at(span.end),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sources(text: &str) -> (SourceMap, Span) {
        let mut sources = SourceMap::new();
        let file = sources.add("t.lsl", text);
        let span = sources.file(file).span();
        (sources, span)
    }

    #[test]
    fn points_are_shown_and_fixes_keep_their_place() {
        let text = "a = 1\n\nb";
        let (sources, whole) = sources(text);
        let at = |start, end| Span::new(whole.file, start, end);
        let document = Document::new(text);
        let diagnostics = [
            Diagnostic::error("X0001", "a semicolon is missing")
                .at(at(5, 5))
                .help("put one")
                .fix_it(at(5, 5), ";", "insert `;`"),
            Diagnostic::warning("X0002", "here")
                .at(at(6, 6))
                .label(at(7, 8), ""),
            Diagnostic::note("X0003", "nowhere"),
        ];
        let found = findings(&diagnostics, &sources, &document, Encoding::Utf16);
        assert_eq!(found[0].range, 4..5, "the character before the line's end");
        assert_eq!(found[0].message, "a semicolon is missing\nhelp: put one");
        assert_eq!(
            found[0].fixes[0].range,
            5..5,
            "the edit is where it belongs"
        );
        assert_eq!(found[1].range, 6..6, "an empty line has no character");
        assert_eq!(found[1].related[0].place, Place::Here(7..8));
        assert_eq!(found[2].range, 0..5, "the first line");
        let edit = Edit {
            removed: 0..1,
            inserted: 3,
        };
        let moved = found[1]
            .clone()
            .moved(&edit)
            .expect("it is behind the edit");
        assert_eq!(moved.range, 8..8);
        assert_eq!(moved.related[0].place, Place::Here(9..10));
        assert!(found[2].clone().moved(&edit).is_none());
    }

    #[test]
    fn findings_of_other_files_say_where() {
        let (mut sources, _) = sources("x");
        let other = sources.add("inc.lsl", "\n\u{1F600}y");
        let found = Diagnostic::error("X0001", "no").at(Span::new(other, 5, 6));
        let document = Document::new("x");
        let found = findings(
            &[found.clone(), found],
            &sources,
            &document,
            Encoding::Utf16,
        );
        assert_eq!(found.len(), 1, "the same thing is said once");
        let at = |column| Position { line: 1, column };
        let place = Place::Elsewhere("inc.lsl".to_owned(), at(2), at(3));
        assert_eq!(found[0].related[0].place, place);
    }
}
