//! The parser's tokens: looking ahead, expecting, recovering.

use std::ops::{Deref, DerefMut};
use std::rc::Rc;

use source::{Diagnostic, Diagnostics, Span, Token, TokenStream};

use crate::ast::{ExprKind, Ident};
use crate::codes::syntax as code;
use crate::token::{begins_section, is_name, is_reserved};

/// Something could not be read, and that has been reported.
#[derive(Clone, Copy, Debug)]
pub(super) struct Failed;

/// What was read, if it could be.
pub(super) type Parsed<T> = Result<T, Failed>;

/// How deep the text of expressions and types may nest. A conjunction that is written by a program has a pair
/// of parentheses for each operand.
const MAX_NESTING: u32 = 400;

/// How deep expressions may be; chains of an associative operator are as deep as their operands.
pub(super) const MAX_DEPTH: u32 = 150;

pub(super) struct Parser<'d> {
    tokens: TokenStream,
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
    pub(super) fn new(tokens: Vec<Token>, diagnostics: &'d mut Diagnostics) -> Self {
        Parser {
            tokens: TokenStream::new(tokens),
            diagnostics,
            depth: 0,
            no_until: false,
            psl: false,
            replicas: Vec::new(),
            copied: 0,
        }
    }

    /// Takes a word or punctuation, if it comes.
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
        if is_name(self.peek(0)) {
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
        let found = self.found();
        let mut diagnostic =
            Diagnostic::error(code::UNEXPECTED, format!("expected {what}, found {found}"))
                .at(token.span);
        if let Some(help) = self.known_mistake(what) {
            diagnostic = diagnostic.help(help);
        } else if is_reserved(&token) && !begins_section(&token) {
            diagnostic = diagnostic.help(format!(
                "`{}` is a reserved word of SMV and cannot be a name",
                token.text
            ));
        }
        self.diagnostics.push(diagnostic);
        Failed
    }

    /// What to write instead, where the text is what other languages have.
    fn known_mistake(&self, expected: &str) -> Option<&'static str> {
        let token = self.peek(0);
        match expected {
            "`;`" if token.is_word("esac") => Some("each branch of `case` ends with `;`"),
            "an expression" if token.is("=") => Some("equality is written with one `=`"),
            "an expression" if token.is("&") => Some("\"and\" is written with one `&`"),
            "an expression" if token.is("|") => Some("\"or\" is written with one `|`"),
            _ => None,
        }
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

    /// Runs `read` one level deeper, unless that is too deep.
    pub(super) fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= MAX_NESTING {
            return Err(self.too_deep(MAX_NESTING));
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    /// Reports that it goes on too deep here; nothing behind can be made sense of any more.
    pub(super) fn too_deep(&mut self, limit: u32) -> Failed {
        let message = format!("nested more than {limit} levels deep");
        let span = self.peek(0).span;
        self.diagnostics
            .push(Diagnostic::error(code::TOO_DEEP, message).at(span));
        self.tokens.skip_all();
        Failed
    }

    /// Skips to the next part of a module, or behind the next semicolon.
    pub(super) fn recover(&mut self) {
        while !self.at_end() && !begins_section(self.peek(0)) {
            if self.next().is(";") {
                return;
            }
        }
    }
}
