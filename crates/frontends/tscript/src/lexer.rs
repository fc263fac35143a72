//! From text to tokens.
//!
//! Names contain hyphens: `rec-msg` is one word, and so is `no-such-atom`. Comments go from `%%` to
//! the end of the line, or stand between `/*` and `*/`; they are gone before the preprocessor looks
//! at a line. A tool's details stand between `<<` and `>>`.

use std::rc::Rc;

use source::{Diagnostic, Diagnostics, FileId, SourceFile, Span, Token, TokenKind};

use crate::codes::syntax as code;

/// Punctuation, the longest first.
const PUNCTUATION: &[&str] = &[
    "||", "+>", "<+", ">>", ":=", "(", ")", "[", "]", "{", "}", ",", ":", ".", "=", "<", ">", "+",
    "-", "*", "?", "#", ";", "/", "&", "!", "|", "%",
];

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

    fn span(&self, from: usize, to: usize) -> Span {
        let offset = |at: usize| u32::try_from(at).expect("files are shorter than 2^32 bytes");
        Span::new(self.file, offset(from), offset(to))
    }

    fn push(&mut self, kind: TokenKind, end: usize) {
        let text: Rc<str> = self.text[self.at..end].into();
        self.directive |= self.first_on_line && &*text == "#";
        self.tokens.push(Token {
            kind,
            text,
            span: self.span(self.at, end),
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
            self.at += rest.find('\n').map_or(1, |end| end + 1);
            self.spaced = true;
        } else if rest.starts_with("%%") {
            self.at += rest.find('\n').unwrap_or(rest.len());
        } else if rest.starts_with("/*") {
            let found = rest.find("*/").map(|end| end + 2);
            let end = self.closed(found, "comment", code::OPEN_COMMENT);
            self.spaced = true;
            self.at = end;
        } else if first == '"' {
            let found = text_length(rest);
            let end = self.closed(found, "text", code::OPEN_TEXT);
            self.push(TokenKind::Text, end);
        } else if rest.starts_with("<<") && !self.directive {
            let found = rest.find(">>").map(|end| end + 2);
            let end = self.closed(found, "`<<`", code::OPEN_TEXT);
            self.push(TokenKind::Text, end);
        } else if first.is_ascii_digit()
            || (first == '-' && rest[1..].starts_with(|c: char| c.is_ascii_digit()))
        {
            let length = number_length(rest);
            self.push(TokenKind::Number, self.at + length);
        } else if first.is_ascii_alphabetic() || first == '_' {
            let in_name = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
            let length = rest.find(|c: char| !in_name(c)).unwrap_or(rest.len());
            self.push(TokenKind::Name, self.at + length);
        } else if let Some(found) = PUNCTUATION.iter().find(|p| rest.starts_with(**p)) {
            self.push(TokenKind::Punct, self.at + found.len());
        } else {
            self.push(TokenKind::Stray, self.at + first.len_utf8());
        }
        true
    }

    /// The end of what has an end; what has none goes on to the end of the text.
    fn closed(&mut self, length: Option<usize>, what: &str, code: &'static str) -> usize {
        match length {
            Some(length) => self.at + length,
            None => {
                let span = self.span(self.at, self.at + 1);
                self.diagnostics
                    .push(Diagnostic::error(code, format!("{what} without end")).at(span));
                self.text.len()
            }
        }
    }
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
