//! The parser's tokens: expecting, and going on after an error.

use std::ops::{Deref, DerefMut};

use source::{Diagnostic, Diagnostics, Span, Token, TokenKind, TokenStream};

use crate::codes::syntax as code;

/// Something could not be read, and that has been reported.
#[derive(Clone, Copy, Debug)]
pub(super) struct Failed;

/// What was read, if it could be.
pub(super) type Parsed<T> = Result<T, Failed>;

/// How deep processes and terms may nest.
const MAX_DEPTH: u32 = 100;

pub(crate) struct Parser<'d> {
    tokens: TokenStream,
    pub(super) diagnostics: &'d mut Diagnostics,
    pub(super) disrupt_is_tight: bool,
    depth: u32,
}

impl Deref for Parser<'_> {
    type Target = TokenStream;

    fn deref(&self) -> &TokenStream {
        &self.tokens
    }
}

impl DerefMut for Parser<'_> {
    fn deref_mut(&mut self) -> &mut TokenStream {
        &mut self.tokens
    }
}

impl<'d> Parser<'d> {
    pub(super) fn new(
        tokens: Vec<Token>,
        disrupt_is_tight: bool,
        diagnostics: &'d mut Diagnostics,
    ) -> Self {
        Parser {
            tokens: TokenStream::new(tokens),
            diagnostics,
            disrupt_is_tight,
            depth: 0,
        }
    }

    /// Reads something one level deeper.
    pub(super) fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= MAX_DEPTH {
            let at = self.peek(0).span;
            return self.fail(
                Diagnostic::error(code::TOO_DEEP, "nested too deeply")
                    .at(at)
                    .help(format!("at most {MAX_DEPTH} levels are read")),
            );
        }
        self.depth += 1;
        let read = read(self);
        self.depth -= 1;
        read
    }

    pub(super) fn fail<T>(&mut self, diagnostic: Diagnostic) -> Parsed<T> {
        self.diagnostics.push(diagnostic);
        Err(Failed)
    }

    /// Reports what comes, where something else had to.
    pub(super) fn unexpected(&mut self, expected: &str) -> Failed {
        let found = self.found();
        let at = self.peek(0).span;
        self.diagnostics.push(
            Diagnostic::error(
                code::UNEXPECTED,
                format!("found {found} instead of {expected}"),
            )
            .at(at),
        );
        Failed
    }

    /// Takes punctuation that has to come.
    pub(super) fn expect(&mut self, text: &str, why: &str) -> Parsed<()> {
        if self.accept(text) {
            return Ok(());
        }
        Err(self.unexpected(&format!("`{text}` {why}")))
    }

    /// Takes a keyword that has to come; `open` is what it belongs to.
    pub(super) fn expect_word(&mut self, text: &str, open: Option<Span>) -> Parsed<()> {
        if self.accept_word(text) {
            return Ok(());
        }
        let found = self.found();
        let at = self.peek(0).span;
        let mut diagnostic = Diagnostic::error(
            code::UNEXPECTED,
            format!("found {found} instead of `{text}`"),
        )
        .at(at);
        if let Some(open) = open {
            diagnostic = diagnostic.label(open, format!("`{text}` is to close this"));
        }
        self.fail(diagnostic)
    }

    /// Takes a name that begins with a capital letter.
    pub(super) fn capital(&mut self, what: &str) -> Parsed<Token> {
        let token = self.peek(0);
        if is_capital(token) {
            return Ok(self.next());
        }
        if token.kind == TokenKind::Name {
            let text = token.text.to_string();
            let at = token.span;
            return self.fail(
                Diagnostic::error(code::UNEXPECTED, format!("`{text}` is no name of {what}"))
                    .at(at)
                    .help("names of processes and variables begin with a capital letter"),
            );
        }
        Err(self.unexpected(&format!("the name of {what}")))
    }

    /// Goes on to where a definition may begin.
    pub(super) fn recover(&mut self) {
        while !self.at_end() && !self.at_definition() {
            self.next();
        }
    }

    /// Whether a definition begins here.
    pub(super) fn at_definition(&self) -> bool {
        let ahead = self.peek(1);
        (self.at_word("process") && is_capital(ahead))
            || (self.at_word("tool") && ahead.kind == TokenKind::Name)
            || (self.at_word("toolbus") && ahead.is("("))
    }
}

/// Whether a token is the name of a process or a variable.
pub(super) fn is_capital(token: &Token) -> bool {
    token.kind == TokenKind::Name
        && token
            .text
            .starts_with(|c: char| c.is_ascii_uppercase() || c == '_')
}
