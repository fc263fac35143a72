//! The preprocessor: C's, as far as models use it.
//!
//! Directives are taken in order; the text between two definitions is expanded with the macros
//! known there (Prosser's algorithm, in `expand`). Every token keeps a span into the user's file:
//! its own, or that of the macro's name where the macro is used.

mod condition;
mod directive;
mod expand;

use std::collections::HashMap;
use std::rc::Rc;

use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::map::{SourceFile, SourceMap};
use crate::span::{FileId, Span};
use crate::token::{Token, TokenKind};

/// Gives the text of a file that is included by this name.
pub type Include<'a> = &'a dyn Fn(&str) -> Option<String>;

/// How deep files may include each other.
const MAX_INCLUDES: usize = 40;
/// How many files may be included in all: a file that includes itself twice would be read as often
/// as two to the power of the depth.
const MAX_FILES: usize = 5_000;
/// How many bytes may be included in all.
const MAX_BYTES: usize = 64 << 20;

/// What the language around the directives is like.
#[derive(Clone, Copy)]
pub struct Dialect {
    /// Splits a file into tokens, the last of which is [`TokenKind::End`]. Directives are left
    /// among them; they are found by their place at the beginning of a line.
    pub lex: fn(&SourceFile, &mut Diagnostics) -> Vec<Token>,
    /// The code for bad directives.
    pub directive: &'static str,
    /// The code for files that cannot be included.
    pub include: &'static str,
    /// The code for macros used badly.
    pub macros: &'static str,
}

/// A macro.
#[derive(Clone, PartialEq, Debug)]
struct Macro {
    /// Parameters, where it takes arguments.
    parameters: Option<Vec<Rc<str>>>,
    /// What it stands for.
    body: Vec<Token>,
}

/// Reads files and expands what is defined in them.
pub struct Preprocessor<'a, 'd> {
    dialect: Dialect,
    sources: &'d mut SourceMap,
    diagnostics: &'d mut Diagnostics,
    include: Include<'a>,
    macros: HashMap<Rc<str>, Macro>,
    /// Read, but not yet expanded.
    pending: Vec<Token>,
    done: Vec<Token>,
    /// Tokens that expansion may still produce; `None` once there were too many.
    fuel: Option<usize>,
    /// The files that are being read, each included by the one before it.
    chain: Vec<FileId>,
    /// Files and bytes that may still be included; `None` once there were too many.
    room: Option<(usize, usize)>,
}

impl<'a, 'd> Preprocessor<'a, 'd> {
    /// A preprocessor that knows no macros yet.
    #[must_use]
    pub fn new(
        dialect: Dialect,
        include: Include<'a>,
        sources: &'d mut SourceMap,
        diagnostics: &'d mut Diagnostics,
    ) -> Self {
        Preprocessor {
            dialect,
            sources,
            diagnostics,
            include,
            macros: HashMap::new(),
            pending: Vec::new(),
            done: Vec::new(),
            fuel: Some(1_000_000),
            chain: Vec::new(),
            room: Some((MAX_FILES, MAX_BYTES)),
        }
    }
}

impl Preprocessor<'_, '_> {
    /// Defines a macro, as with `-DNAME=VALUE`.
    pub fn define_macro(&mut self, name: &str, value: &str) {
        let text = self.sources.add(format!("-D{name}"), value);
        let mut body = self.lex(text);
        body.pop();
        let parameters = None;
        self.macros.insert(name.into(), Macro { parameters, body });
    }

    /// Reads a file and all that it includes.
    pub fn read(&mut self, file: FileId) {
        self.file(file);
        self.flush();
    }

    /// A file's tokens as they are written, without the end.
    pub fn tokens_of(&mut self, file: FileId) -> Vec<Token> {
        let mut tokens = self.lex(file);
        tokens.pop();
        tokens
    }

    /// Appends tokens, with the macros in them expanded.
    pub fn push_expanded(&mut self, tokens: Vec<Token>) {
        self.pending = tokens;
        self.flush();
    }

    /// Appends a token as it is.
    pub fn push(&mut self, token: Token) {
        self.done.push(token);
    }

    /// What the reading of files goes through.
    #[must_use]
    pub fn sources(&self) -> &SourceMap {
        self.sources
    }

    /// Reports something about the text.
    pub fn report(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    /// All tokens; the last is [`TokenKind::End`], behind the end of a file.
    #[must_use]
    pub fn finish(self, file: FileId) -> Vec<Token> {
        let end = self.sources.file(file).span().end_point();
        let mut tokens = self.done;
        tokens.push(Token {
            kind: TokenKind::End,
            text: "".into(),
            span: end,
            spaced: true,
            first_on_line: true,
            expansion: None,
            place: None,
        });
        tokens
    }

    fn lex(&mut self, file: FileId) -> Vec<Token> {
        (self.dialect.lex)(self.sources.file(file), self.diagnostics)
    }

    fn error(&mut self, code: &'static str, span: Span, message: impl Into<String>) {
        self.diagnostics
            .push(Diagnostic::error(code, message).at(span));
    }

    /// Expands what has been read so far with the macros of this moment.
    fn flush(&mut self) {
        let pending = std::mem::take(&mut self.pending);
        let expanded = self.expand(pending);
        self.done.extend(expanded);
    }

    fn file(&mut self, file: FileId) {
        self.chain.push(file);
        self.lines(file);
        self.chain.pop();
    }

    fn lines(&mut self, file: FileId) {
        let mut tokens = self.lex(file);
        tokens.pop();
        let mut conditionals: Vec<directive::Conditional> = Vec::new();
        let mut at = 0;
        while at < tokens.len() {
            let length = tokens[at + 1..]
                .iter()
                .position(|token| token.first_on_line)
                .map_or(tokens.len() - at, |length| length + 1);
            let line = &tokens[at..at + length];
            at += length;
            if line[0].is("#") {
                self.directive(line, &mut conditionals);
            } else if conditionals.iter().all(|c| c.active) {
                self.pending.extend_from_slice(line);
            }
        }
        if let Some(open) = conditionals.last() {
            let span = open.span;
            self.error(self.dialect.directive, span, "`#if` without `#endif`");
        }
    }
}
