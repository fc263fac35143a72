//! From text to tokens, as far as languages do it alike: white space, the beginnings of lines,
//! lines of the [preprocessor](crate::Preprocessor), and where tokens stand. What a token is, and
//! what a comment, each language says.

use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::map::SourceFile;
use crate::span::{FileId, Span};
use crate::token::{Token, TokenKind};

/// Goes through a text.
#[derive(Debug)]
pub struct Scanner<'a, 'd> {
    file: FileId,
    text: &'a str,
    at: usize,
    spaced: bool,
    first_on_line: bool,
    in_directive: bool,
    tokens: Vec<Token>,
    diagnostics: &'d mut Diagnostics,
}

/// Splits a file into tokens; the last is [`TokenKind::End`].
///
/// Where something else than white space stands, `one` is called with its first character, and takes a
/// token or a comment.
pub fn scan(
    file: &SourceFile,
    diagnostics: &mut Diagnostics,
    mut one: impl FnMut(&mut Scanner<'_, '_>, char),
) -> Vec<Token> {
    let mut scanner = Scanner {
        file: file.id(),
        text: file.text(),
        at: 0,
        spaced: false,
        first_on_line: true,
        in_directive: false,
        tokens: Vec::new(),
        diagnostics,
    };
    while let Some(first) = scanner.rest().chars().next() {
        crate::limits::check();
        let before = scanner.at;
        if first == '\n' {
            scanner.blank(1);
            scanner.first_on_line = true;
            scanner.in_directive = false;
        } else if first.is_whitespace() {
            scanner.blank(first.len_utf8());
        } else {
            one(&mut scanner, first);
        }
        debug_assert!(scanner.at > before, "something is taken");
    }
    scanner.token(TokenKind::End, 0);
    scanner.tokens
}

impl<'a> Scanner<'a, '_> {
    /// The text from here on.
    #[must_use]
    pub fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// Whether this is a line that begins with `#`.
    #[must_use]
    pub fn in_directive(&self) -> bool {
        self.in_directive
    }

    /// The next so many bytes are a token.
    pub fn token(&mut self, kind: TokenKind, length: usize) {
        let text = &self.rest()[..length];
        self.token_as(kind, length, text);
    }

    /// The next so many bytes are a token that says something else than they do.
    pub fn token_as(&mut self, kind: TokenKind, length: usize, text: &str) {
        self.in_directive |= self.first_on_line && text == "#";
        self.tokens.push(Token {
            kind,
            text: text.into(),
            span: self.span(length),
            spaced: self.spaced,
            first_on_line: self.first_on_line,
            expansion: None,
            place: None,
        });
        (self.spaced, self.first_on_line) = (false, false);
        self.at += length;
    }

    /// The next bytes are a name: all characters of it that may be in one.
    pub fn name(&mut self, in_name: impl Fn(char) -> bool) {
        let rest = self.rest();
        let length = rest.find(|c| !in_name(c)).unwrap_or(rest.len());
        self.token(TokenKind::Name, length);
    }

    /// The next bytes are the first of these that stands here, or a stray character.
    pub fn punctuation(&mut self, all: impl IntoIterator<Item = &'static str>) {
        let rest = self.rest();
        match all.into_iter().find(|mark| rest.starts_with(*mark)) {
            Some(mark) => self.token(TokenKind::Punct, mark.len()),
            None => {
                let stray = rest.chars().next().map_or(0, char::len_utf8);
                self.token(TokenKind::Stray, stray);
            }
        }
    }

    /// The length of what stands in quotes here, quotes included; a backslash takes a character for
    /// itself. `None` if the line ends first.
    #[must_use]
    pub fn quoted(&self) -> Option<usize> {
        let mut characters = self.rest().char_indices();
        let (_, quote) = characters.next()?;
        let mut escaped = false;
        for (at, c) in characters {
            match c {
                '\n' => return None,
                _ if escaped => escaped = false,
                '\\' => escaped = true,
                c if c == quote => return Some(at + c.len_utf8()),
                _ => {}
            }
        }
        None
    }

    /// The next so many bytes mean nothing.
    pub fn blank(&mut self, length: usize) {
        self.at += length;
        self.spaced = true;
    }

    /// The rest of the line means nothing.
    pub fn blank_line(&mut self) {
        let rest = self.rest();
        self.blank(rest.find('\n').unwrap_or(rest.len()));
    }

    /// If a backslash at the end of a line stands here, the line goes on with the next.
    pub fn joins_lines(&mut self) -> bool {
        let Some(behind) = self.rest().strip_prefix('\\') else {
            return false;
        };
        let line = behind.trim_start_matches([' ', '\t', '\r']);
        let joins = line.starts_with('\n');
        if joins {
            self.blank(2 + behind.len() - line.len());
        }
        joins
    }

    /// Something that begins with so many bytes here has no end.
    pub fn has_no_end(&mut self, code: &'static str, what: &str, length: usize) {
        let span = self.span(length);
        let message = format!("{what} without end");
        self.diagnostics
            .push(Diagnostic::error(code, message).at(span));
    }

    fn span(&self, length: usize) -> Span {
        let offset = |at: usize| u32::try_from(at).expect("files are shorter than 2^32 bytes");
        Span::new(self.file, offset(self.at), offset(self.at + length))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::map::SourceMap;

    #[test]
    fn lines_and_spaces_are_known() {
        let mut sources = SourceMap::new();
        let file = sources.add("t", " #a \\\n b\nc d\u{e9}#");
        let mut diagnostics = Diagnostics::new();
        let tokens = scan(sources.file(file), &mut diagnostics, |scanner, first| {
            if scanner.in_directive() && scanner.joins_lines() {
                return;
            }
            if first.is_ascii_alphabetic() {
                scanner.name(|c| c.is_ascii_alphabetic());
            } else {
                scanner.punctuation(["#"]);
            }
        });
        let seen: Vec<_> = tokens
            .iter()
            .map(|token| (&*token.text, token.spaced, token.first_on_line))
            .collect();
        let expected = [
            ("#", true, true),
            ("a", false, false),
            ("b", true, false),
            ("c", true, true),
            ("d", true, false),
            ("\u{e9}", false, false),
            ("#", false, false),
            ("", false, false),
        ];
        assert_eq!(seen, expected);
        assert_eq!(tokens[5].kind, TokenKind::Stray);
        assert_eq!(diagnostics.errors(), 0);
    }
}
