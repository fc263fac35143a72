//! Tokens of scripts as the [preprocessor](source::Preprocessor) wants them.

use source::{Diagnostics, Scanner, SourceFile, SourceMap, Span, Token, TokenKind, scan};

/// Punctuation of more than one character, the longest first, then that of one.
const PUNCTUATION: &[&str] = &[
    "<->", "++", "--", "->", "+=", "-=", "*=", "/=", "%=", "==", "!=", "<=", ">=", "<<", ">>",
    "&&", "||", "##", "{", "}", "(", ")", "[", "]", ";", ",", ".", ":", "@", "=", "+", "-", "*",
    "/", "%", "!", "~", "&", "|", "^", "<", ">", "#",
];

/// What begins a line of property text.
pub(super) const ANNOTATION: &str = "//@";

/// Splits a file into tokens. Annotations are among them: a mark, then what follows on the line.
pub(super) fn lex(file: &SourceFile, diagnostics: &mut Diagnostics) -> Vec<Token> {
    scan(file, diagnostics, one)
}

/// The tokens of a text of ours, all at a place.
pub(super) fn tokens_at(text: &str, span: Span) -> Vec<Token> {
    let mut sources = SourceMap::new();
    let file = sources.add("", text);
    let mut tokens = lex(sources.file(file), &mut Diagnostics::new());
    tokens.pop();
    for token in &mut tokens {
        (token.span, token.spaced) = (span, true);
    }
    tokens
}

fn one(scanner: &mut Scanner<'_, '_>, first: char) {
    let rest = scanner.rest();
    match first {
        '\\' if scanner.in_directive() && scanner.joins_lines() => {}
        '/' if rest.starts_with(ANNOTATION) && !scanner.in_directive() => {
            scanner.token(TokenKind::Stray, ANNOTATION.len());
        }
        '/' if rest.starts_with("//") => scanner.blank_line(),
        '/' if rest.starts_with("/*") => {
            let length = rest[2..].find("*/").map_or(rest.len(), |at| at + 4);
            scanner.blank(length);
        }
        '"' => {
            let length = string(rest);
            scanner.token(TokenKind::Text, length);
        }
        c if c.is_ascii_alphabetic() || c == '_' => {
            scanner.name(|c| c.is_ascii_alphanumeric() || c == '_');
        }
        c if c.is_ascii_digit()
            || c == '.' && rest[1..].starts_with(|c: char| c.is_ascii_digit()) =>
        {
            scanner.token(TokenKind::Number, number(rest));
        }
        _ => scanner.punctuation(PUNCTUATION.iter().copied()),
    }
}

/// The length of a string, which may span lines. One without an end goes to the end of its line.
fn string(rest: &str) -> usize {
    let mut escaped = false;
    for (at, byte) in rest.bytes().enumerate().skip(1) {
        match byte {
            b'"' if !escaped => return at + 1,
            _ => escaped = !escaped && byte == b'\\',
        }
    }
    rest.find('\n').unwrap_or(rest.len())
}

/// The length of a number, with all that C's preprocessor takes for a part of one but a dot that a name
/// follows.
fn number(rest: &str) -> usize {
    let bytes = rest.as_bytes();
    let is_hexadecimal = rest.starts_with("0x") || rest.starts_with("0X");
    let mut length = 1;
    while let Some(&byte) = bytes.get(length) {
        let sign = matches!(byte, b'+' | b'-')
            && matches!(bytes[length - 1], b'e' | b'E')
            && !is_hexadecimal;
        if !byte.is_ascii_alphanumeric() && byte != b'.' && !sign {
            break;
        }
        length += 1;
    }
    length
}
