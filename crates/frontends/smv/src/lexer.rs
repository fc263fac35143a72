//! From text to tokens.
//!
//! The longest token wins, and names may contain `-`, `$`, `#` and `\`: `a-b` is one name, and
//! so is `x--y`. Between quotation marks, which are part of it, a name may contain anything.

use source::{Diagnostics, Scanner, SourceFile, Token, TokenKind, scan};

use crate::codes::syntax as code;

/// Punctuation, the longest first.
const PUNCTUATION: &[&str] = &[
    "<->", ":=", "..", "->", "<=", ">=", "<<", ">>", "!=", "::", "(", ")", "[", "]", "{", "}", ",",
    ";", ":", ".", "=", "<", ">", "!", "&", "|", "+", "-", "*", "/", "?", "@", "#",
];

/// What stands in the lines of the preprocessor besides that.
const IN_DIRECTIVES: &[&str] = &["##", "&&", "||", "==", "%", "^", "~", ","];

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
    } else if in_directive && first == '"' {
        let length = rest[1..]
            .find(['"', '\n'])
            .map_or(rest.len(), |end| end + 2);
        scanner.token(TokenKind::Text, length);
    } else if first == '"'
        && let Some(end) = rest[1..].find(['"', '\n'])
        && rest[1 + end..].starts_with('"')
    {
        scanner.token(TokenKind::Name, end + 2);
    } else if rest.starts_with("/--") {
        comment(scanner);
    } else if rest.starts_with("--") {
        scanner.blank_line();
    } else if first.is_ascii_digit() {
        scanner.token(TokenKind::Number, number_length(rest));
    } else if first.is_ascii_alphabetic() || first == '_' {
        scanner.name(in_name);
    } else {
        let special = if in_directive { IN_DIRECTIVES } else { &[] };
        scanner.punctuation(special.iter().chain(PUNCTUATION).copied());
    }
}

fn comment(scanner: &mut Scanner<'_, '_>) {
    let rest = scanner.rest();
    match rest[3..].find("--/") {
        Some(at) => scanner.blank(at + 6),
        None => {
            scanner.has_no_end(code::OPEN_COMMENT, "comment", 3);
            scanner.blank(rest.len());
        }
    }
}

fn in_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '#' | '-' | '\\')
}

/// The length of the number or word constant at the beginning of a text.
fn number_length(text: &str) -> usize {
    let digits = |from: usize| {
        text[from..]
            .find(|c: char| !c.is_ascii_digit())
            .map_or(text.len(), |at| from + at)
    };
    let bytes = text.as_bytes();
    if bytes[0] == b'0' {
        let sign = usize::from(matches!(bytes.get(1), Some(b'u' | b's')));
        let base = bytes.get(1 + sign).map(u8::to_ascii_lowercase);
        if matches!(base, Some(b'b' | b'o' | b'd' | b'h')) {
            let width = digits(2 + sign);
            if bytes.get(width) == Some(&b'_') {
                return text[width..]
                    .find(|c: char| !(c.is_ascii_hexdigit() || c == '_'))
                    .map_or(text.len(), |at| width + at);
            }
        }
    }
    digits(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> (Vec<String>, usize) {
        let mut sources = source::SourceMap::new();
        let file = sources.add("t.smv", text);
        let mut diagnostics = Diagnostics::new();
        let tokens = lex(sources.file(file), &mut diagnostics);
        let texts = tokens.iter().map(|t| t.text.to_string()).collect();
        (texts, diagnostics.errors())
    }

    #[test]
    fn names_contain_what_looks_like_operators() {
        let (tokens, errors) = texts("a-b - c$1#:=0ud4_15..3 <-> -- rest\n/-- x\ny --/ x[0::1]");
        let expected = [
            "a-b", "-", "c$1#", ":=", "0ud4_15", "..", "3", "<->", "x", "[", "0", "::", "1", "]",
            "",
        ];
        assert_eq!(tokens, expected);
        assert_eq!(errors, 0);
    }

    #[test]
    fn quoted_names_contain_anything() {
        let (tokens, errors) = texts("\"a b\" = \"--\" & \"\"");
        assert_eq!(
            (tokens, errors),
            (
                ["\"a b\"", "=", "\"--\"", "&", "\"\"", ""]
                    .map(str::to_owned)
                    .to_vec(),
                0
            )
        );
        // One that does not end on its line is none.
        assert_eq!(texts("\"a\n\"").0, ["\"", "a", "\"", ""]);
    }

    #[test]
    fn open_comments_are_reported() {
        assert_eq!(texts("a /-- b").1, 1);
        assert_eq!(texts("a /-").1, 0);
    }
}
