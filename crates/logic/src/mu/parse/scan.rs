//! The place in the text: blanks, symbols, names, how deep it is.

use std::ops::Range;

use super::{MuError, MuSyntax, Parsed, Parser, Vocabulary, WORDS};
use crate::ltl::MAX_DEPTH;

impl<'t, V: Vocabulary> Parser<'t, V> {
    pub(super) fn deeper<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Parsed<T, V::Error>,
    ) -> Parsed<T, V::Error> {
        self.deepen()?;
        let result = read(self);
        self.depth -= 1;
        result
    }

    pub(super) fn deepen(&mut self) -> Parsed<(), V::Error> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(self.wrong(MuSyntax::TooDeep, self.at..self.character_end(self.at)));
        }
        Ok(())
    }

    pub(super) fn wrong(&self, error: MuSyntax, range: Range<usize>) -> MuError<V::Error> {
        MuError::Syntax { error, range }
    }

    pub(super) fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    pub(super) fn blanks(&mut self) {
        loop {
            let rest = self.rest();
            self.at += rest.len() - rest.trim_start().len();
            if !self.rest().starts_with('%') {
                return;
            }
            self.at += self.rest().find('\n').unwrap_or(self.rest().len());
        }
    }

    pub(super) fn peek(&mut self) -> Option<u8> {
        self.blanks();
        self.rest().bytes().next()
    }

    pub(super) fn eat(&mut self, symbol: &str) -> bool {
        self.blanks();
        let found = self.rest().starts_with(symbol);
        if found {
            self.at += symbol.len();
        }
        found
    }

    pub(super) fn eat_word(&mut self, word: &str) -> bool {
        self.blanks();
        let rest = self.rest();
        let found = rest.starts_with(word) && self.name_length(rest) == word.len();
        if found {
            self.at += word.len();
        }
        found
    }

    /// The name that begins here; empty if there is none.
    pub(super) fn word(&mut self) -> &'t str {
        self.blanks();
        let rest = self.rest();
        let length = match rest.bytes().next() {
            Some(first) if is_name_start(first) => self.name_length(rest),
            _ => 0,
        };
        self.at += length;
        &rest[..length]
    }

    /// How long the name is that begins a text; for mCRL2, it may have primes but no hyphens.
    #[expect(clippy::unused_self, reason = "the vocabulary is the parser's")]
    pub(super) fn name_length(&self, text: &str) -> usize {
        name_length(text, !V::AS_MCRL2, V::AS_MCRL2)
    }

    /// The name of an action that begins here, where a hyphen cannot be a minus; empty if there is none.
    pub(super) fn action_word(&mut self) -> &'t str {
        self.blanks();
        let rest = self.rest();
        let length = match rest.bytes().next() {
            Some(first) if is_name_start(first) => name_length(rest, true, V::AS_MCRL2),
            _ => 0,
        };
        self.at += length;
        &rest[..length]
    }

    pub(super) fn name(&mut self) -> Parsed<&'t str, V::Error> {
        let begin = self.at;
        match self.word() {
            name if name.is_empty() || WORDS.contains(&name) => {
                Err(self.wrong(MuSyntax::MissingName, begin..self.at.max(begin)))
            }
            name => Ok(name),
        }
    }

    pub(super) fn need(&mut self, symbol: &'static str) -> Parsed<(), V::Error> {
        if self.eat(symbol) {
            return Ok(());
        }
        let range = self.at..self.character_end(self.at);
        Err(self.wrong(MuSyntax::Missing(symbol), range))
    }

    pub(super) fn close(&mut self, symbol: &'static str, open: usize) -> Parsed<(), V::Error> {
        if self.eat(symbol) {
            return Ok(());
        }
        if self.at >= self.text.len() {
            return Err(self.wrong(MuSyntax::Unclosed, open..open + 1));
        }
        let range = self.at..self.character_end(self.at);
        Err(self.wrong(MuSyntax::Missing(symbol), range))
    }

    pub(super) fn character_end(&self, at: usize) -> usize {
        at + self.text[at..].chars().next().map_or(0, char::len_utf8)
    }
}

pub(super) fn is_name_start(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_' || byte >= 0x80
}

pub(super) fn is_name_byte(byte: u8) -> bool {
    is_name_start(byte) || byte.is_ascii_digit()
}

/// How long the name is that begins a text: hyphens before letters may belong to it, and primes.
fn name_length(text: &str, hyphens: bool, primes: bool) -> usize {
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let is_hyphen = hyphens
            && byte == b'-'
            && at > 0
            && bytes.get(at + 1).is_some_and(u8::is_ascii_alphabetic)
            && is_name_byte(bytes[at - 1]);
        let is_prime = primes && byte == b'\'' && at > 0;
        if !is_name_byte(byte) && !is_hyphen && !is_prime {
            break;
        }
        at += 1;
    }
    at
}

/// How long the text in quotes is that begins a text.
pub(super) fn quoted_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut at = 1;
    while at < bytes.len() {
        match bytes[at] {
            b'\\' => at += 1,
            b'"' => return at + 1,
            _ => {}
        }
        at += 1;
    }
    bytes.len()
}

/// How long the text is that begins with a bracket, up to the one that closes it.
pub(super) fn bracketed_length(text: &str) -> usize {
    let mut open = 0usize;
    let mut at = 0;
    let bytes = text.as_bytes();
    while at < bytes.len() {
        match bytes[at] {
            b'(' | b'[' | b'{' => open += 1,
            b')' | b']' | b'}' => {
                open = open.saturating_sub(1);
                if open == 0 {
                    return at + 1;
                }
            }
            b'"' => at += quoted_length(&text[at..]) - 1,
            _ => {}
        }
        at += 1;
    }
    bytes.len()
}
