//! From text to tokens.
//!
//! As C's preprocessor sees text: comments are white space, a backslash at the end of a line joins
//! it with the next. Directives are left among the tokens; [`crate::preprocess`] finds them by
//! their place at the beginning of a line.

use std::rc::Rc;

use source::{Diagnostic, Diagnostics, FileId, SourceFile, Span};

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
    let mut lexer = Lexer {
        file: file.id(),
        text: file.text(),
        at: 0,
        spaced: false,
        first_on_line: true,
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
    tokens: Vec<Token>,
    diagnostics: &'d mut Diagnostics,
}

impl Lexer<'_, '_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn span(&self, end: usize) -> Span {
        let offset = |at: usize| u32::try_from(at).expect("files are shorter than 2^32 bytes");
        Span::new(self.file, offset(self.at), offset(end))
    }

    fn push(&mut self, kind: TokenKind, end: usize) {
        let text: Rc<str> = self.text[self.at..end].into();
        self.tokens.push(Token {
            kind,
            text,
            span: self.span(end),
            spaced: self.spaced,
            first_on_line: self.first_on_line,
            expansion: None,
        });
        self.at = end;
        self.spaced = false;
        self.first_on_line = false;
    }

    fn blank(&mut self, length: usize) {
        self.at += length;
        self.spaced = true;
    }

    /// Takes one token or one stretch of white space; false at the end.
    fn token(&mut self) -> bool {
        let Some(first) = self.rest().chars().next() else {
            return false;
        };
        match first {
            '\n' => {
                self.blank(1);
                self.first_on_line = true;
            }
            '\\' if self.rest().starts_with("\\\n") => self.blank(2),
            '\\' if self.rest().starts_with("\\\r\n") => self.blank(3),
            c if c.is_whitespace() => self.blank(c.len_utf8()),
            '/' if self.rest().starts_with("//") => {
                let length = self.rest().find('\n').unwrap_or(self.rest().len());
                self.blank(length);
            }
            '/' if self.rest().starts_with("/*") => self.comment(),
            '"' => self.quoted(),
            '\'' => self.character(),
            c if c.is_ascii_digit() => {
                let hex = self.rest().starts_with("0x") || self.rest().starts_with("0X");
                let skip = if hex { 2 } else { 0 };
                let length = self.rest()[skip..]
                    .find(|c: char| !(c.is_ascii_digit() || hex && c.is_ascii_hexdigit()))
                    .map_or(self.rest().len(), |at| at + skip);
                self.push(TokenKind::Number, self.at + length);
            }
            c if c.is_ascii_alphabetic() || c == '_' => {
                let length = self
                    .rest()
                    .find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))
                    .unwrap_or(self.rest().len());
                self.push(TokenKind::Name, self.at + length);
            }
            c => {
                let found = PUNCTUATION.iter().find(|p| self.rest().starts_with(**p));
                match found {
                    Some(punct) => self.push(TokenKind::Punct, self.at + punct.len()),
                    None => self.push(TokenKind::Stray, self.at + c.len_utf8()),
                }
            }
        }
        true
    }

    fn comment(&mut self) {
        let length = match self.rest()[2..].find("*/") {
            Some(at) => at + 4,
            None => {
                let span = self.span(self.at + 2);
                self.diagnostics
                    .push(Diagnostic::error(code::OPEN_COMMENT, "comment without end").at(span));
                self.rest().len()
            }
        };
        self.blank(length);
    }

    fn quoted(&mut self) {
        let mut escaped = false;
        let body = &self.rest()[1..];
        let end = body.char_indices().find(|&(_, c)| {
            let ends = !escaped && (c == '"' || c == '\n');
            escaped = !escaped && c == '\\';
            ends
        });
        match end {
            Some((at, '"')) => self.push(TokenKind::Text, self.at + at + 2),
            other => {
                let length = other.map_or(body.len(), |(at, _)| at) + 1;
                let span = self.span(self.at + length);
                self.diagnostics
                    .push(Diagnostic::error(code::OPEN_TEXT, "text without end").at(span));
                self.push(TokenKind::Text, self.at + length);
            }
        }
    }

    /// A character in single quotes is its number.
    fn character(&mut self) {
        let body = &self.rest()[1..];
        let (value, length) = match body.as_bytes() {
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
                self.push(TokenKind::Stray, self.at + 1);
                return;
            }
        };
        self.push(TokenKind::Number, self.at + length);
        if let Some(token) = self.tokens.last_mut() {
            token.text = value.to_string().into();
        }
    }
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
