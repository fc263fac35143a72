//! From text to tokens, as C's preprocessor sees them.

use source::{Diagnostics, Scanner, SourceFile, Token, TokenKind, scan};

use crate::codes::syntax as code;

/// Punctuation, the longest first.
const PUNCTUATION: &[&str] = &[
    "...", "<<=", ">>=", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "->", "++", "--", "+=",
    "-=", "*=", "/=", "%=", "&=", "|=", "^=", "##", "{", "}", "(", ")", "[", "]", ";", ":", ",",
    ".", "=", "<", ">", "!", "?", "&", "|", "^", "~", "+", "-", "*", "/", "%", "#",
];

/// Splits a file into tokens; the last is [`TokenKind::End`].
pub(crate) fn lex(file: &SourceFile, diagnostics: &mut Diagnostics) -> Vec<Token> {
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
        '.' if rest[1..].starts_with(|c: char| c.is_ascii_digit()) => number(scanner),
        c if c.is_ascii_digit() => number(scanner),
        c if c.is_ascii_alphabetic() || c == '_' => {
            scanner.name(|c| c.is_ascii_alphanumeric() || c == '_');
        }
        _ => scanner.punctuation(PUNCTUATION.iter().copied()),
    }
}

fn comment(scanner: &mut Scanner<'_, '_>) {
    let rest = scanner.rest();
    match rest[2..].find("*/") {
        Some(at) => scanner.blank(at + 4),
        None => {
            scanner.has_no_end(code::OPEN, "comment", 2);
            scanner.blank(rest.len());
        }
    }
}

/// A number as the preprocessor sees it: signs belong to it behind the letter of an exponent.
fn number(scanner: &mut Scanner<'_, '_>) {
    let rest = scanner.rest();
    let hex = rest.starts_with("0x") || rest.starts_with("0X");
    let mut before = ' ';
    let end = rest.find(|c: char| {
        let exponent = match hex {
            true => matches!(before, 'p' | 'P'),
            false => matches!(before, 'e' | 'E'),
        };
        before = c;
        !(c.is_ascii_alphanumeric() || c == '.' || exponent && matches!(c, '+' | '-'))
    });
    scanner.token(TokenKind::Number, end.unwrap_or(rest.len()));
}

fn quoted(scanner: &mut Scanner<'_, '_>) {
    let length = match scanner.quoted() {
        Some(length) => length,
        None => {
            let line = scanner.rest().find('\n').unwrap_or(scanner.rest().len());
            scanner.has_no_end(code::OPEN, "text", line);
            line
        }
    };
    scanner.token(TokenKind::Text, length);
}

/// A character in single quotes is its number.
fn character(scanner: &mut Scanner<'_, '_>) {
    let value = scanner.quoted().and_then(|length| {
        let bytes = crate::literal::bytes(&scanner.rest()[1..length - 1])?;
        match bytes.as_slice() {
            [one] => Some((length, one.cast_signed())),
            _ => None,
        }
    });
    match value {
        Some((length, value)) if value >= 0 => {
            scanner.token_as(TokenKind::Number, length, &value.to_string());
        }
        // A negative number would be two tokens; parentheses keep it together.
        Some((length, value)) => {
            scanner.token_as(TokenKind::Number, length, &format!("({value})"));
        }
        None => scanner.token(TokenKind::Stray, 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> (Vec<String>, usize) {
        let mut sources = source::SourceMap::new();
        let file = sources.add("t.c", text);
        let mut diagnostics = Diagnostics::new();
        let tokens = lex(sources.file(file), &mut diagnostics);
        let texts = tokens.iter().map(|t| t.text.to_string()).collect();
        (texts, diagnostics.errors())
    }

    #[test]
    fn numbers_characters_and_texts_are_whole() {
        let (tokens, errors) = texts("1.5e-3f+.5 0x1Fu-'a''\\n''\\xff' \"a\\\"b\" a->b>>=1");
        let expected = [
            "1.5e-3f",
            "+",
            ".5",
            "0x1Fu",
            "-",
            "97",
            "10",
            "(-1)",
            "\"a\\\"b\"",
            "a",
            "->",
            "b",
            ">>=",
            "1",
            "",
        ];
        assert_eq!(tokens, expected);
        assert_eq!(errors, 0);
    }

    #[test]
    fn what_has_no_end_is_reported() {
        assert_eq!(texts("a /* b").1, 1);
        assert_eq!(texts("f(\"a\nb").1, 1);
    }
}
