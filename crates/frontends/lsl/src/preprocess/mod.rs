//! Scripts that are written for the preprocessor of a viewer (Firestorm's is the best known): `#include`,
//! `#define`, conditions, `switch`, and lists with subscripts.
//!
//! Second Life itself does not know these: the viewer expands them before it saves the script. Probity does
//! the same: it expands the script to plain LSL and [parses](crate::parser) the result. Each token remembers
//! its [origin](Origins), and all spans in the tree and in diagnostics are mapped back to it. The origin of
//! a token in a macro's body is the place where the macro is used.

mod lex;
mod lists;
mod spans;
mod switch;

use source::{
    Diagnostics, Dialect, FileId, Include, Preprocessor, SourceFile, SourceMap, Span, Token,
    TokenKind,
};

use crate::codes::syntax as code;

const LSL: Dialect = Dialect {
    lex: lex::lex,
    directive: code::DIRECTIVE,
    include: code::INCLUDE,
    macros: code::MACRO,
};

/// A script without directives, and where its parts come from.
#[derive(Debug)]
pub(crate) struct Expanded {
    /// Holds the expanded text alone.
    sources: SourceMap,
    file: FileId,
    /// Where tokens come from.
    pub(crate) origins: Origins,
}

/// Where the tokens of an expanded text come from.
#[derive(Debug)]
pub(crate) struct Origins {
    /// Where a token begins and ends in the expanded text, and where it is from; in order.
    tokens: Vec<(u32, u32, Span)>,
    /// The whole script, for places in no token.
    whole: Span,
}

/// Whether a viewer's preprocessor has to expand a text before it is LSL: whether it has a directive that is
/// no line marker, a `switch`, or a list with a subscript.
pub(crate) fn is_needed(file: &SourceFile) -> bool {
    let text = file.text();
    if !text.contains(['#', '[']) && !text.contains("switch") {
        return false;
    }
    let tokens = lex::lex(file, &mut Diagnostics::new());
    let directive = |pair: &[Token]| {
        let name = matches!(
            &*pair[1].text,
            "include"
                | "define"
                | "undef"
                | "if"
                | "ifdef"
                | "ifndef"
                | "else"
                | "elif"
                | "endif"
                | "error"
                | "pragma"
                | "warning"
        );
        pair[0].first_on_line && pair[0].is("#") && name && !pair[1].first_on_line
    };
    tokens.windows(2).any(directive) || switch::is_there(&tokens) || lists::is_there(&tokens)
}

/// Expands a script with macros that are given as name and value.
pub(crate) fn expand(
    file: FileId,
    defines: &[(String, String)],
    include: Include<'_>,
    sources: &mut SourceMap,
    diagnostics: &mut Diagnostics,
) -> Expanded {
    let (name, whole) = (
        sources.file(file).name().to_owned(),
        sources.file(file).span(),
    );
    let mut preprocessor = Preprocessor::new(LSL, include, sources, diagnostics);
    for (name, value) in defines {
        preprocessor.define_macro(name, value);
    }
    preprocessor.read(file);
    let mut tokens = preprocessor.finish(file);
    tokens.pop();
    let tokens = lists::rewritten(switch::rewritten(tokens));
    let (mut text, mut from) = (String::new(), Vec::new());
    let mut before: Option<&Token> = None;
    for token in &tokens {
        if let Some(before) = before {
            let joined = before.span.file == token.span.file && before.span.end == token.span.start;
            match token.first_on_line {
                true => text.push('\n'),
                false if joined && !token.spaced => {}
                false => text.push(' '),
            }
        }
        let start = offset(text.len());
        text.push_str(&token.text);
        from.push((start, offset(text.len()), token.span));
        before = Some(token);
    }
    text.push('\n');
    let mut alone = SourceMap::new();
    let file = alone.add(name, text);
    Expanded {
        sources: alone,
        file,
        origins: Origins {
            tokens: from,
            whole,
        },
    }
}

impl Expanded {
    /// The expanded text. Places in it mean nothing to others before they are [put](Origins::of) where they
    /// come from.
    pub(crate) fn file(&self) -> &SourceFile {
        self.sources.file(self.file)
    }
}

impl Origins {
    /// Where a place in the expanded text comes from.
    pub(crate) fn of(&self, span: Span) -> Span {
        if span == Span::NONE {
            return span;
        }
        let (first, last) = (
            self.at(span.start),
            self.at(span.end.saturating_sub(1).max(span.start)),
        );
        let (Some(first), Some(last)) = (first, last) else {
            return self.whole.start_point();
        };
        let (start, _) = part(first, (span.start, span.end));
        let (_, end) = part(last, (span.start, span.end));
        let (first, last) = (first.2, last.2);
        if first.file == last.file && start <= end {
            Span::new(first.file, start, end)
        } else {
            first
        }
    }

    /// Whether a place is as it was written: no macro stands for what begins or ends it, and it is as long.
    pub(crate) fn is_verbatim(&self, span: Span) -> bool {
        let as_written = |token: Option<&(u32, u32, Span)>| {
            token.is_some_and(|(start, end, from)| end - start == from.end - from.start)
        };
        let from = self.of(span);
        let last = span.end.saturating_sub(1).max(span.start);
        as_written(self.at(span.start))
            && as_written(self.at(last))
            && from.end - from.start == span.end - span.start
    }

    /// The token at an offset, or the last before it.
    fn at(&self, offset: u32) -> Option<&(u32, u32, Span)> {
        let behind = self.tokens.partition_point(|token| token.0 <= offset);
        self.tokens.get(behind.checked_sub(1)?)
    }
}

/// Where a part of a token comes from: where it begins and ends.
fn part((start, end, from): &(u32, u32, Span), part: (u32, u32)) -> (u32, u32) {
    if end - start != from.end - from.start {
        return (from.start, from.end);
    }
    let clamped = |at: u32| from.start + at.clamp(*start, *end) - start;
    (clamped(part.0), clamped(part.1))
}

fn offset(at: usize) -> u32 {
    u32::try_from(at).expect("expanded texts are shorter than 4 GiB")
}

/// Adds tokens of these texts, all at a place.
fn put(tokens: &mut Vec<Token>, span: Span, texts: &[&str]) {
    for &text in texts {
        let is_name = text.starts_with(|c: char| c.is_ascii_alphabetic());
        tokens.push(Token {
            kind: if is_name {
                TokenKind::Name
            } else {
                TokenKind::Punct
            },
            text: text.into(),
            span,
            spaced: true,
            first_on_line: false,
            expansion: None,
            place: None,
        });
    }
}
