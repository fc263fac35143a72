//! A diagnostic as text for a terminal.
//!
//! The layout is `annotate-snippets`' (the look of `rustc`); this module picks
//! what it gets to see: excerpts instead of whole files, so that the cost
//! follows the message and not the file.

use std::collections::HashMap;

use annotate_snippets::{
    Annotation, AnnotationKind, Element, Group, Level, Origin, Patch, Renderer, Snippet,
};

use crate::diagnostic::{Diagnostic, FixIt, Severity};
use crate::excerpt::Excerpt;
use crate::map::{SourceFile, SourceMap};
use crate::shown::shown;
use crate::span::{FileId, Span};

/// So many diagnostics that say the same are laid out as one.
const ALIKE: usize = 3;

/// So many lines of the others are listed.
const LINES: usize = 12;

/// Lays out `diagnostic` over several lines, without a final line break.
///
/// Control characters are shown as symbols. Spans outside of `sources` are left
/// out. `color` adds ANSI escapes.
#[must_use]
pub fn render(diagnostic: &Diagnostic, sources: &SourceMap, color: bool) -> String {
    render_with(diagnostic, None, sources, color)
}

/// Lays out each diagnostic as [`render`] does. Of warnings and notes that say the same of many places
/// of a file, the first is laid out, with the lines of the others, whose texts are empty.
#[must_use]
pub fn render_all(diagnostics: &[Diagnostic], sources: &SourceMap, color: bool) -> Vec<String> {
    let mut alike: HashMap<_, Vec<&Diagnostic>> = HashMap::new();
    for diagnostic in diagnostics {
        if let Some(key) = what_it_says(diagnostic)
            && sources.get(diagnostic.span.file).is_some()
        {
            alike.entry(key).or_default().push(diagnostic);
        }
    }
    alike.retain(|_, places| places.len() >= ALIKE);
    let laid_out = |diagnostic| {
        let places = what_it_says(diagnostic).and_then(|key| alike.get(&key));
        let others = match places.map(Vec::as_slice) {
            Some([first, others @ ..]) if std::ptr::eq(*first, diagnostic) => {
                Some(lines(others, sources))
            }
            Some(_) => return String::new(),
            None => None,
        };
        render_with(diagnostic, others.as_deref(), sources, color)
    };
    diagnostics.iter().map(laid_out).collect()
}

/// What a warning or a note says, apart from where; `None` if it should be laid out by itself.
fn what_it_says(diagnostic: &Diagnostic) -> Option<(FileId, &str, &str, &str, &[String])> {
    let is_plain = diagnostic.labels.is_empty() && diagnostic.fix_its.is_empty();
    (is_plain && !diagnostic.is_error() && diagnostic.span != Span::NONE).then_some((
        diagnostic.span.file,
        diagnostic.code,
        &diagnostic.message,
        &diagnostic.span_text,
        &diagnostic.help,
    ))
}

/// In which lines diagnostics of one file are.
fn lines(diagnostics: &[&Diagnostic], sources: &SourceMap) -> String {
    let line = |diagnostic: &&Diagnostic| {
        let file = sources.file(diagnostic.span.file);
        let (_, line) = file.written(file.line_col(diagnostic.span.start).line);
        line.to_string()
    };
    let shown: Vec<String> = diagnostics.iter().take(LINES).map(line).collect();
    let more = match diagnostics.len() - shown.len() {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!("the same in lines {}{more}", shown.join(", "))
}

/// A diagnostic, with where else it is so.
fn render_with(
    diagnostic: &Diagnostic,
    others: Option<&str>,
    sources: &SourceMap,
    color: bool,
) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    };
    let mut group = level
        .primary_title(shown(&diagnostic.message))
        .id(diagnostic.code)
        .elements(places(diagnostic, sources));
    for help in &diagnostic.help {
        group = group.element(Level::HELP.message(shown(help)));
    }
    if let Some(others) = others {
        group = group.element(Level::NOTE.message(others));
    }
    let mut groups = vec![group];
    groups.extend(
        diagnostic
            .fix_its
            .iter()
            .filter_map(|fix| suggestion(fix, sources)),
    );
    let renderer = if color {
        Renderer::styled()
    } else {
        Renderer::plain()
    };
    renderer.render(&groups)
}

/// The excerpts with the diagnostic's place and its labels.
fn places<'a>(diagnostic: &'a Diagnostic, sources: &'a SourceMap) -> Vec<Element<'a>> {
    let mut marks: Vec<(Span, &str)> = vec![(diagnostic.span, &diagnostic.span_text)];
    marks.extend(
        diagnostic
            .labels
            .iter()
            .map(|label| (label.span, label.text.as_str())),
    );
    let mut files: Vec<FileId> = Vec::new();
    for (span, _) in &marks {
        if sources.get(span.file).is_some() && !files.contains(&span.file) {
            files.push(span.file);
        }
    }
    let mut elements: Vec<Element<'a>> = Vec::new();
    for id in files {
        let file = sources.file(id);
        let in_file: Vec<usize> = (0..marks.len())
            .filter(|&i| marks[i].0.file == id)
            .collect();
        let spans: Vec<Span> = in_file.iter().map(|&i| marks[i].0).collect();
        // The excerpt with the finding itself comes first, whatever the order
        // in the file; the message's head line names the finding's place.
        let mut excerpts = Excerpt::cover(file, &spans);
        excerpts.sort_by_key(|(_, members)| !members.iter().any(|&m| in_file[m] == 0));
        for (excerpt, members) in excerpts {
            let annotations: Vec<Annotation<'a>> = members
                .iter()
                .map(|&member| {
                    let index = in_file[member];
                    let (span, text) = marks[index];
                    let kind = if index == 0 {
                        AnnotationKind::Primary
                    } else {
                        AnnotationKind::Context
                    };
                    let text = (!text.is_empty()).then(|| shown(text));
                    kind.span(excerpt.locate(file, span)).label(text)
                })
                .collect();
            let (name, first_line) = file.written(excerpt.first_line);
            let snippet = Snippet::source(excerpt.text)
                .line_start(first_line as usize)
                .annotations(annotations);
            if excerpt.cut {
                let head = members
                    .iter()
                    .map(|&member| spans[member])
                    .min_by_key(|span| (*span != diagnostic.span, *span))
                    .expect("an excerpt shows at least one place");
                elements.push(origin(file, head).into());
                elements.push(snippet.into());
            } else {
                elements.push(snippet.path(shown(name)).into());
            }
        }
    }
    elements
}

/// The `--> name:line:column` line for an excerpt with cut lines, where the
/// renderer would count columns from the cut.
fn origin(file: &SourceFile, span: Span) -> Origin<'_> {
    let at = file.line_col(span.start);
    let (name, line) = file.written(at.line);
    Origin::path(shown(name))
        .line(line as usize)
        .char_column(at.column as usize)
}

fn suggestion<'a>(fix: &'a FixIt, sources: &'a SourceMap) -> Option<Group<'a>> {
    let file = sources.get(fix.span.file)?;
    let (excerpt, _) = Excerpt::cover(file, &[fix.span]).pop()?;
    let patch = Patch::new(excerpt.locate(file, fix.span), shown(&fix.replacement));
    Some(
        Level::HELP.secondary_title(shown(&fix.message)).element(
            Snippet::source(excerpt.text)
                .line_start(excerpt.first_line as usize)
                .patch(patch),
        ),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(text: &str) -> (SourceMap, FileId) {
        let mut map = SourceMap::new();
        let id = map.add("a.lsl", text);
        (map, id)
    }

    #[test]
    fn shows_place_labels_help_and_patch() {
        let (map, id) = one("integer a;\n\nstring s = string(a);\n");
        let file = map.file(id);
        let cast = file.span_of("string(a)").unwrap();
        let declared = file.span_of("a;").unwrap();
        let diagnostic = Diagnostic::error("LSL0042", "not a cast")
            .at(cast)
            .saying("written as a call")
            .label(declared, "`a` stands here")
            .help("LSL writes the type in parentheses")
            .fix_it(cast, "(string)a", "write the cast as");
        let text = render(&diagnostic, &map, false);
        for part in [
            "error[LSL0042]: not a cast",
            "a.lsl:3:12",
            "^^^^^^^^^ written as a call",
            "- `a` stands here",
            "= help: LSL writes the type in parentheses",
            "help: write the cast as",
            "(string)a",
        ] {
            assert!(text.contains(part), "{part:?} not in\n{text}");
        }
        assert!(render(&diagnostic, &map, true).contains("\x1b["));
    }

    #[test]
    fn works_without_a_place_and_at_the_ends_of_files() {
        let nowhere = Diagnostic::error("T1", "nothing");
        assert_eq!(
            render(&nowhere, &SourceMap::new(), false),
            "error[T1]: nothing"
        );
        for text in ["", "\n", "abc", "abc\n", "é", "\r\n"] {
            let (map, id) = one(text);
            let end = map.file(id).span().end_point();
            let diagnostic = Diagnostic::warning("T2", "ends here")
                .at(end)
                .fix_it(end, "}", "close it");
            let shown = render(&diagnostic, &map, false);
            assert!(shown.contains("a.lsl:"), "{text:?}: {shown}");
        }
        let (map, id) = one("abc");
        let beyond = Diagnostic::note("T3", "far").at(Span::new(id, 90, 99));
        assert!(render(&beyond, &map, false).contains("a.lsl:1:4"));
    }

    #[test]
    fn what_is_said_of_many_places_is_laid_out_once() {
        let (map, id) = one(&"bad\n".repeat(30));
        let at = |line: usize| Span::new(id, line as u32 * 4, line as u32 * 4 + 3);
        let warn = |line| Diagnostic::warning("T1", "is bad").at(at(line));
        let two = render_all(&[warn(0), warn(1)], &map, false).concat();
        assert_eq!(two.matches("T1").count(), 2, "{two}");
        let mut all: Vec<Diagnostic> = (0..20).map(warn).collect();
        all.insert(3, warn(25).help("look away"));
        all.insert(7, Diagnostic::error("T2", "is wrong").at(at(26)));
        let shown = render_all(&all, &map, false);
        assert_eq!(shown.len(), all.len());
        let shown = shown.concat();
        assert_eq!(shown.matches("T1").count(), 2, "{shown}");
        let others = "the same in lines 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13 and 7 more";
        assert!(shown.contains(others), "{shown}");
        // Nor is a file looked for that is not there.
        let nowhere = render_all(&all, &SourceMap::new(), false).concat();
        assert_eq!(nowhere.matches("T1").count(), 21);
        let errors: Vec<Diagnostic> = (0..5)
            .map(|line| Diagnostic::error("T3", "no").at(at(line)))
            .collect();
        assert_eq!(
            render_all(&errors, &map, false)
                .concat()
                .matches("T3")
                .count(),
            5
        );
    }

    #[test]
    fn long_lines_keep_their_column_and_are_cut() {
        let text = format!("{}bad{}", "x".repeat(3_000_000), "y".repeat(3_000_000));
        let (map, id) = one(&text);
        let span = map.file(id).span_of("bad").unwrap();
        let diagnostic = Diagnostic::error("T1", "here").at(span);
        let shown = render(&diagnostic, &map, false);
        assert!(shown.contains("a.lsl:1:3000001"), "{shown}");
        assert!(shown.contains("bad") && shown.len() < 4000, "{shown}");
    }

    #[test]
    fn a_place_of_many_lines_and_control_characters_do_no_harm() {
        let (map, id) = one(&"\u{1b}[31m\u{7}x\n".repeat(100_000));
        let whole = map.file(id).span();
        let diagnostic = Diagnostic::error("T1", "all of \u{1b}[31m it").at(whole);
        let shown = render(&diagnostic, &map, false);
        assert!(shown.len() < 10_000);
        assert!(!shown.contains('\u{1b}'), "{shown:?}");
    }
}
