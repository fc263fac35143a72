//! The words of a table, line by line.
//!
//! A word may hold `:`, `/`, `.` and `-` where a letter or digit follows, so that
//! `khr:flow/setDelay` is one word and `In:` is two; a name with anything else in it stands in
//! double quotes. A `#` begins a comment. A line that ends with a comma goes on in the next one.

use source::{Diagnostic, Diagnostics, SourceFile, Span};

use crate::codes::table as codes;

/// What stands there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Token {
    /// A name or a number.
    Word(String),
    /// A name in double quotes.
    Quoted(String),
    /// Anything else.
    Sign(&'static str),
}

/// The tokens of a line, and where each stands.
pub(super) type Line = Vec<(Token, Span)>;

const SIGNS: &[&str] = &[
    ":=", "->", "==", "!=", "<=", ">=", "..", ".{", "}", ":", ",", "|", "(", ")", "[", "]", "<",
    ">", "+", "-", "=", "*", "&", "!",
];

/// All lines that are not empty.
pub(super) fn lines(file: &SourceFile, diagnostics: &mut Diagnostics) -> Vec<Line> {
    let mut result: Vec<Line> = Vec::new();
    let mut start = 0;
    for text in file.text().split_inclusive('\n') {
        let line = line(file, start, text, diagnostics);
        match result.last_mut() {
            _ if line.is_empty() => {}
            Some(before) if matches!(before.last(), Some((Token::Sign(","), _))) => {
                before.extend(line);
            }
            _ => result.push(line),
        }
        start += text.len();
    }
    result
}

fn line(file: &SourceFile, start: usize, text: &str, diagnostics: &mut Diagnostics) -> Line {
    let mut tokens = Line::new();
    let mut at = 0;
    let span = |from: usize, to: usize| {
        // A file is no longer than 2^30 bytes.
        Span::new(file.id(), (start + from) as u32, (start + to) as u32)
    };
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        if c.is_whitespace() {
            at += c.len_utf8();
        } else if c == '#' {
            break;
        } else if c == '"' {
            let Some(length) = rest[1..].find('"') else {
                let message = "a name in quotes that never ends";
                let end = at + rest.trim_end().len();
                diagnostics.push(Diagnostic::error(codes::SYNTAX, message).at(span(at, end)));
                break;
            };
            let name = rest[1..=length].to_owned();
            tokens.push((Token::Quoted(name), span(at, at + length + 2)));
            at += length + 2;
        } else if is_word(c) {
            let mut end = at;
            let mut chars = rest.char_indices().peekable();
            while let Some((offset, c)) = chars.next() {
                let next = chars.peek().map(|(_, next)| *next);
                let inside = matches!(c, ':' | '/' | '.' | '-') && next.is_some_and(is_word);
                if !is_word(c) && !inside {
                    break;
                }
                end = at + offset + c.len_utf8();
            }
            tokens.push((Token::Word(text[at..end].to_owned()), span(at, end)));
            at = end;
        } else if let Some(sign) = SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
            tokens.push((Token::Sign(sign), span(at, at + sign.len())));
            at += sign.len();
        } else {
            let message = format!("`{c}` has no meaning in a table");
            let end = at + c.len_utf8();
            diagnostics.push(Diagnostic::error(codes::SYNTAX, message).at(span(at, end)));
            at = end;
        }
    }
    tokens
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$'
}
