//! From text to tokens.
//!
//! The longest token wins, and names may contain `-`, `$`, `#` and `\`: `a-b` is one name, and
//! so is `x--y`.

use std::rc::Rc;

use source::{Diagnostic, Diagnostics, FileId, SourceFile, Span, Token, TokenKind};

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
    let mut lexer = Lexer {
        file: file.id(),
        text: file.text(),
        at: 0,
        spaced: false,
        first_on_line: true,
        directive: false,
        tokens: Vec::new(),
        diagnostics,
    };
    while lexer.token() {}
    let end = lexer.text.len();
    lexer.push(TokenKind::End, end);
    lexer.tokens
}

struct Lexer<'a, 'd> {
    file: FileId,
    text: &'a str,
    at: usize,
    spaced: bool,
    first_on_line: bool,
    /// Whether this is a line of the preprocessor.
    directive: bool,
    tokens: Vec<Token>,
    diagnostics: &'d mut Diagnostics,
}

impl Lexer<'_, '_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn push(&mut self, kind: TokenKind, end: usize) {
        let text: Rc<str> = self.text[self.at..end].into();
        let offset = |at: usize| u32::try_from(at).expect("files are shorter than 2^32 bytes");
        let span = Span::new(self.file, offset(self.at), offset(end));
        self.directive |= self.first_on_line && &*text == "#";
        self.tokens.push(Token {
            kind,
            text,
            span,
            spaced: self.spaced,
            first_on_line: self.first_on_line,
            expansion: None,
        });
        (self.spaced, self.first_on_line) = (false, false);
        self.at = end;
    }

    /// Takes one token or one stretch of white space; false at the end.
    fn token(&mut self) -> bool {
        let rest = self.rest();
        let Some(first) = rest.chars().next() else {
            return false;
        };
        if first.is_whitespace() {
            self.spaced = true;
            if first == '\n' {
                self.first_on_line = true;
                self.directive = false;
            }
            self.at += first.len_utf8();
        } else if self.directive && (rest.starts_with("\\\n") || rest.starts_with("\\\r\n")) {
            // The line goes on.
            self.at += rest.find('\n').map_or(1, |end| end + 1);
            self.spaced = true;
        } else if self.directive && first == '"' {
            let length = rest[1..]
                .find(['"', '\n'])
                .map_or(rest.len(), |end| end + 2);
            self.push(TokenKind::Text, self.at + length);
        } else if rest.starts_with("/--") {
            self.comment();
        } else if rest.starts_with("--") {
            self.at += rest.find('\n').unwrap_or(rest.len());
        } else if first.is_ascii_digit() {
            let (kind, length) = number(rest);
            self.push(kind, self.at + length);
        } else if first.is_ascii_alphabetic() || first == '_' {
            let length = rest.find(|c: char| !in_name(c)).unwrap_or(rest.len());
            self.push(TokenKind::Name, self.at + length);
        } else if let Some(punct) = self.punctuation(rest) {
            self.push(TokenKind::Punct, self.at + punct);
        } else {
            self.push(TokenKind::Stray, self.at + first.len_utf8());
        }
        true
    }

    /// The length of the punctuation that a text begins with.
    fn punctuation(&self, text: &str) -> Option<usize> {
        let find = |all: &[&str]| all.iter().find(|p| text.starts_with(**p)).map(|p| p.len());
        let special = if self.directive {
            find(IN_DIRECTIVES)
        } else {
            None
        };
        special.or_else(|| find(PUNCTUATION))
    }

    fn comment(&mut self) {
        let rest = self.rest();
        let length = match rest[3..].find("--/") {
            Some(at) => at + 6,
            None => {
                let start = self.at;
                let end = rest.len();
                let offset = u32::try_from(start).expect("files are shorter than 2^32 bytes");
                let span = Span::new(self.file, offset, offset + 3);
                self.diagnostics
                    .push(Diagnostic::error(code::OPEN_COMMENT, "comment without end").at(span));
                end
            }
        };
        self.spaced = true;
        self.at += length;
    }
}

fn in_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '#' | '-' | '\\')
}

/// The number or word constant at the beginning of a text, and its length.
fn number(text: &str) -> (TokenKind, usize) {
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
                let end = text[width..]
                    .find(|c: char| !(c.is_ascii_hexdigit() || c == '_'))
                    .map_or(text.len(), |at| width + at);
                return (TokenKind::Number, end);
            }
        }
    }
    (TokenKind::Number, digits(0))
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
    fn open_comments_are_reported() {
        assert_eq!(texts("a /-- b").1, 1);
        assert_eq!(texts("a /-").1, 0);
    }
}
