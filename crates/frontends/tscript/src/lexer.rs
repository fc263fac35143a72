//! From text to tokens.
//!
//! Names contain hyphens: `rec-msg` is one word, and so is `no-such-atom`. Comments go from `%%` to
//! the end of the line, or stand between `/*` and `*/`; they are gone before the preprocessor looks
//! at a line. A tool's details stand between `<<` and `>>`.

use source::{Diagnostics, Scanner, SourceFile, Token, TokenKind, scan};

use crate::codes::syntax as code;

/// Punctuation, the longest first.
const PUNCTUATION: &[&str] = &[
    "||", "+>", "<+", ">>", ":=", "(", ")", "[", "]", "{", "}", ",", ":", ".", "=", "<", ">", "+",
    "-", "*", "?", "#", ";", "/", "&", "!", "|", "%",
];

/// Splits a file into tokens; the last is [`TokenKind::End`].
pub(crate) fn lex(file: &SourceFile, diagnostics: &mut Diagnostics) -> Vec<Token> {
    scan(file, diagnostics, one)
}

/// Takes one token or comment.
fn one(scanner: &mut Scanner<'_, '_>, first: char) {
    let rest = scanner.rest();
    let in_directive = scanner.in_directive();
    if in_directive && scanner.joins_lines() {
        // The line goes on.
    } else if rest.starts_with("%%") {
        scanner.blank_line();
    } else if rest.starts_with("/*") {
        let found = rest.find("*/").map(|end| end + 2);
        let length = closed(scanner, found, "comment", code::OPEN_COMMENT);
        scanner.blank(length);
    } else if first == '"' {
        let length = closed(scanner, text_length(rest), "text", code::OPEN_TEXT);
        scanner.token(TokenKind::Text, length);
    } else if rest.starts_with("<<") && !in_directive {
        let found = rest.find(">>").map(|end| end + 2);
        let length = closed(scanner, found, "`<<`", code::OPEN_TEXT);
        scanner.token(TokenKind::Text, length);
    } else if first.is_ascii_digit()
        || (first == '-' && rest[1..].starts_with(|c: char| c.is_ascii_digit()))
    {
        scanner.token(TokenKind::Number, number_length(rest));
    } else if first.is_ascii_alphabetic() || first == '_' {
        scanner.name(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-');
    } else {
        scanner.punctuation(PUNCTUATION.iter().copied());
    }
}

/// The length of what has an end; what has none goes on to the end of the text.
fn closed(
    scanner: &mut Scanner<'_, '_>,
    length: Option<usize>,
    what: &str,
    code: &'static str,
) -> usize {
    length.unwrap_or_else(|| {
        scanner.has_no_end(code, what, 1);
        scanner.rest().len()
    })
}

/// The length of the text in quotes with which `rest` begins.
fn text_length(rest: &str) -> Option<usize> {
    let mut escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return Some(at + 1),
            _ => {}
        }
    }
    None
}

fn number_length(rest: &str) -> usize {
    let digits = |from: usize| {
        rest[from..]
            .find(|c: char| !c.is_ascii_digit())
            .map_or(rest.len(), |at| from + at)
    };
    let whole = digits(1);
    let is_digit = |at: usize| {
        rest.as_bytes()
            .get(at)
            .is_some_and(|byte| byte.is_ascii_digit())
    };
    if !rest[whole..].starts_with('.') || !is_digit(whole + 1) {
        return whole;
    }
    let fraction = digits(whole + 1);
    let exponent = rest[fraction..].strip_prefix(['e', 'E']);
    match exponent {
        Some(exponent) => {
            let sign = usize::from(exponent.starts_with(['+', '-']));
            let first = fraction + 1 + sign;
            if is_digit(first) {
                digits(first)
            } else {
                fraction
            }
        }
        None => fraction,
    }
}

/// What a text token says, without its quotes.
pub(crate) fn unquoted(text: &str) -> String {
    let inner = text
        .strip_prefix('"')
        .map_or(text, |inner| inner.strip_suffix('"').unwrap_or(inner));
    let mut out = String::new();
    let mut chars = inner.chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        match chars.next() {
            Some('n') => out.push('\n'),
            Some('t') => out.push('\t'),
            Some('r') => out.push('\r'),
            Some('\n') | None => {}
            Some(other) => out.push(other),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> (Vec<String>, usize) {
        let mut sources = source::SourceMap::new();
        let file = sources.add("t.tb", text);
        let mut diagnostics = Diagnostics::new();
        let tokens = lex(sources.file(file), &mut diagnostics);
        let texts = tokens.iter().map(|t| t.text.to_string()).collect();
        (texts, diagnostics.errors())
    }

    #[test]
    fn words_hold_hyphens_and_numbers_signs() {
        let (tokens, errors) =
            texts("rec-msg(X?, -3, 4.5e-2.b) %% out\n +> /* no */ <+ \"a\\\"b\" <list(int)>");
        let expected = [
            "rec-msg",
            "(",
            "X",
            "?",
            ",",
            "-3",
            ",",
            "4.5e-2",
            ".",
            "b",
            ")",
            "+>",
            "<+",
            "\"a\\\"b\"",
            "<",
            "list",
            "(",
            "int",
            ")",
            ">",
            "",
        ];
        assert_eq!(tokens, expected);
        assert_eq!(errors, 0);
    }

    #[test]
    fn what_is_open_is_reported() {
        assert_eq!(texts("a /* b").1, 1);
        assert_eq!(texts("a \"b").1, 1);
        assert_eq!(texts("<<").1, 1);
    }

    #[test]
    fn escapes_are_undone() {
        assert_eq!(unquoted(r#""a\n\"b\\""#), "a\n\"b\\");
    }
}
