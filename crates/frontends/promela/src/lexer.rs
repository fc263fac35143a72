//! From text to tokens.
//!
//! As C's preprocessor sees text: comments are white space, a backslash at the end of a line joins
//! it with the next. Directives are left among the tokens; [`crate::preprocess`] finds them by
//! their place at the beginning of a line.

use source::{Diagnostics, Scanner, SourceFile, scan};

use crate::codes::syntax as code;
use crate::token::{Token, TokenKind};

/// Punctuation, the longest first.
const PUNCTUATION: &[&str] = &[
    "...", "<<", ">>", "<=", ">=", "==", "!=", "!!", "??", "&&", "||", "->", "++", "--", "::",
    "..", "##", "{", "}", "(", ")", "[", "]", ";", ":", ",", ".", "=", "<", ">", "!", "?", "&",
    "|", "^", "~", "+", "-", "*", "/", "%", "@", "#",
];

/// Splits a file into tokens; the last is [`TokenKind::End`].
pub fn lex(file: &SourceFile, diagnostics: &mut Diagnostics) -> Vec<Token> {
    scan(file, diagnostics, one)
}

/// Takes one token or comment.
fn one(scanner: &mut Scanner<'_, '_>, first: char) {
    let rest = scanner.rest();
    match first {
        '\\' if scanner.joins_lines() => {}
        '/' if rest.starts_with("//") => scanner.blank_line(),
        '/' if rest.starts_with("/*") => comment(scanner),
        '"' => quoted(scanner),
        '\'' => character(scanner),
        c if c.is_ascii_digit() => {
            let hex = rest.starts_with("0x") || rest.starts_with("0X");
            let skip = if hex { 2 } else { 0 };
            let length = rest[skip..]
                .find(|c: char| !(c.is_ascii_digit() || hex && c.is_ascii_hexdigit()))
                .map_or(rest.len(), |at| at + skip);
            scanner.token(TokenKind::Number, length);
        }
        c if c.is_ascii_alphabetic() || c == '_' => {
            scanner.name(|c| c.is_ascii_alphanumeric() || c == '_');
        }
        // SPIN reads this as one arrow, not as a decrement before `>`.
        '-' if rest.starts_with("-->") => scanner.token_as(TokenKind::Punct, 3, "->"),
        _ => scanner.punctuation(PUNCTUATION.iter().copied()),
    }
}

fn comment(scanner: &mut Scanner<'_, '_>) {
    let rest = scanner.rest();
    match rest[2..].find("*/") {
        Some(at) => scanner.blank(at + 4),
        None => {
            scanner.has_no_end(code::OPEN_COMMENT, "comment", 2);
            scanner.blank(rest.len());
        }
    }
}

fn quoted(scanner: &mut Scanner<'_, '_>) {
    let mut escaped = false;
    let body = &scanner.rest()[1..];
    let end = body.char_indices().find(|&(_, c)| {
        let ends = !escaped && (c == '"' || c == '\n');
        escaped = !escaped && c == '\\';
        ends
    });
    let length = match end {
        Some((at, '"')) => at + 2,
        other => {
            let length = other.map_or(body.len(), |(at, _)| at) + 1;
            scanner.has_no_end(code::OPEN_TEXT, "text", length);
            length
        }
    };
    scanner.token(TokenKind::Text, length);
}

/// A character in single quotes is its number.
fn character(scanner: &mut Scanner<'_, '_>) {
    let (value, length) = match &scanner.rest().as_bytes()[1..] {
        [b'\\', c, b'\'', ..] => {
            let value = match c {
                b'n' => b'\n',
                b't' => b'\t',
                b'r' => b'\r',
                b'f' => 12,
                b'0' => 0,
                other => *other,
            };
            (value, 4)
        }
        [c, b'\'', ..] if c.is_ascii() => (*c, 3),
        _ => {
            scanner.token(TokenKind::Stray, 1);
            return;
        }
    };
    scanner.token_as(TokenKind::Number, length, &value.to_string());
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> (Vec<String>, usize) {
        let mut sources = source::SourceMap::new();
        let file = sources.add("t.pml", text);
        let mut diagnostics = Diagnostics::new();
        let tokens = lex(sources.file(file), &mut diagnostics);
        let texts = tokens.iter().map(|t| t.text.to_string()).collect();
        (texts, diagnostics.errors())
    }

    #[test]
    fn the_longest_punctuation_wins_and_characters_are_numbers() {
        let (tokens, errors) = texts("q??[a]->x=='\\n';i++..0x1F/*c*/// d\n\\\n@");
        let expected = [
            "q", "??", "[", "a", "]", "->", "x", "==", "10", ";", "i", "++", "..", "0x1F", "@", "",
        ];
        assert_eq!(tokens, expected);
        assert_eq!(errors, 0);
    }

    #[test]
    fn a_long_arrow_is_an_arrow() {
        assert_eq!(texts("a-->b--;c").0, ["a", "->", "b", "--", ";", "c", ""]);
    }

    #[test]
    fn open_comments_and_texts_are_reported() {
        assert_eq!(texts("a /* b").1, 1);
        assert_eq!(texts("printf(\"a\\\"b\nc").1, 1);
        assert_eq!(texts("printf(\"").1, 1);
        assert_eq!(
            texts("'").1,
            0,
            "a stray character is for the parser to report"
        );
    }
}
