//! The parser's tokens: looking ahead, expecting, recovering.

use std::rc::Rc;

use source::{Diagnostic, Diagnostics, Span};

use crate::ast::{ExprKind, Ident};
use crate::codes::syntax as code;
use crate::token::{Token, TokenKind};

/// Something could not be read, and that has been reported.
#[derive(Clone, Copy, Debug)]
pub(super) struct Failed;

/// What was read, if it could be.
pub(super) type Parsed<T> = Result<T, Failed>;

/// How deep expressions and types may nest.
pub(super) const MAX_DEPTH: u32 = 150;

pub(super) struct Parser<'d> {
    tokens: Vec<Token>,
    at: usize,
    pub(super) diagnostics: &'d mut Diagnostics,
    pub(super) depth: u32,
    /// Whether `U` ends the expression that is being read.
    pub(super) no_until: bool,
    /// Whether a formula of PSL is being read.
    pub(super) psl: bool,
    /// The values of replicated parameters, the innermost last.
    pub(super) replicas: Vec<(Rc<str>, ExprKind)>,
    /// How many expressions have been copied.
    pub(super) copied: usize,
}

impl<'d> Parser<'d> {
    pub(super) fn new(tokens: Vec<Token>, diagnostics: &'d mut Diagnostics) -> Self {
        Parser {
            tokens,
            at: 0,
            diagnostics,
            depth: 0,
            no_until: false,
            psl: false,
            replicas: Vec::new(),
            copied: 0,
        }
    }

    /// The token `ahead` tokens further on; at the end, the end.
    pub(super) fn peek(&self, ahead: usize) -> &Token {
        &self.tokens[(self.at + ahead).min(self.tokens.len() - 1)]
    }

    pub(super) fn next(&mut self) -> Token {
        let token = self.peek(0).clone();
        self.at = (self.at + 1).min(self.tokens.len() - 1);
        token
    }

    pub(super) fn at(&self, text: &str) -> bool {
        self.peek(0).is(text)
    }

    pub(super) fn at_word(&self, text: &str) -> bool {
        self.peek(0).is_word(text)
    }

    pub(super) fn at_end(&self) -> bool {
        self.peek(0).kind == TokenKind::End
    }

    pub(super) fn accept(&mut self, text: &str) -> bool {
        let found = self.at(text) || self.at_word(text);
        if found {
            self.next();
        }
        found
    }

    pub(super) fn expect(&mut self, text: &str) -> Parsed<Token> {
        if self.at(text) || self.at_word(text) {
            Ok(self.next())
        } else {
            Err(self.unexpected(&format!("`{text}`")))
        }
    }

    pub(super) fn name(&mut self, what: &str) -> Parsed<Ident> {
        if self.peek(0).is_name() {
            let token = self.next();
            Ok(Ident {
                name: token.text,
                span: token.span,
            })
        } else {
            Err(self.unexpected(what))
        }
    }

    /// Reports that something else stands here.
    pub(super) fn unexpected(&mut self, what: &str) -> Failed {
        let token = self.peek(0).clone();
        let found = match token.kind {
            TokenKind::End => "the end of the text".to_owned(),
            _ => format!("`{}`", token.text),
        };
        let mut diagnostic =
            Diagnostic::error(code::UNEXPECTED, format!("expected {what}, found {found}"))
                .at(token.span);
        if token.is_reserved() && !token.begins_section() {
            diagnostic = diagnostic.help(format!(
                "`{}` is a reserved word of SMV and cannot be a name",
                token.text
            ));
        }
        self.diagnostics.push(diagnostic);
        Failed
    }

    pub(super) fn error(
        &mut self,
        code: &'static str,
        span: Span,
        message: impl Into<String>,
    ) -> Failed {
        self.diagnostics
            .push(Diagnostic::error(code, message).at(span));
        Failed
    }

    /// The last token taken.
    pub(super) fn last_span(&self) -> Span {
        self.tokens[self.at.saturating_sub(1)].span
    }

    /// From `start` to the last token taken.
    pub(super) fn since(&self, start: Span) -> Span {
        start.to(self.last_span())
    }

    /// Where reading stands, to go back to.
    pub(super) fn position(&self) -> usize {
        self.at
    }

    pub(super) fn go_back(&mut self, position: usize) {
        self.at = position;
    }

    /// Runs `read` one level deeper, unless that is too deep.
    pub(super) fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= MAX_DEPTH {
            return Err(self.too_deep());
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    /// Reports that it goes on too deep here; nothing behind can be made sense of any more.
    pub(super) fn too_deep(&mut self) -> Failed {
        let message = format!("nested more than {MAX_DEPTH} levels deep");
        let span = self.peek(0).span;
        self.diagnostics
            .push(Diagnostic::error(code::TOO_DEEP, message).at(span));
        self.at = self.tokens.len() - 1;
        Failed
    }

    /// Skips to the next part of a module, or behind the next semicolon.
    pub(super) fn recover(&mut self) {
        while !self.at_end() && !self.peek(0).begins_section() {
            if self.next().is(";") {
                return;
            }
        }
    }
}
