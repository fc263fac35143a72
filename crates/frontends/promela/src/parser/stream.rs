//! The parser's tokens: looking ahead, expecting, recovering.

use std::collections::{HashMap, HashSet};
use std::ops::{Deref, DerefMut};
use std::rc::Rc;

use source::{Diagnostic, Diagnostics, Span, TokenStream};

use super::inline::Inline;
use crate::ast::{Ident, Reference};
use crate::codes::syntax as code;
use crate::token::{Token, TokenKind};

/// Something could not be read, and that has been reported.
#[derive(Clone, Copy, Debug)]
pub(super) struct Failed;

/// What was read, if it could be.
pub(super) type Parsed<T> = Result<T, Failed>;

/// How deep statements and expressions may nest.
pub(super) const MAX_DEPTH: u32 = 120;

/// Words that are no names.
const KEYWORDS: &[&str] = &[
    "active",
    "assert",
    "atomic",
    "bit",
    "bool",
    "break",
    "byte",
    "chan",
    "d_step",
    "D_proctype",
    "do",
    "else",
    "empty",
    "enabled",
    "eval",
    "fi",
    "for",
    "full",
    "get_priority",
    "goto",
    "hidden",
    "if",
    "init",
    "inline",
    "int",
    "len",
    "local",
    "ltl",
    "mtype",
    "nempty",
    "never",
    "nfull",
    "notrace",
    "np_",
    "od",
    "of",
    "pc_value",
    "pid",
    "printf",
    "printm",
    "priority",
    "proctype",
    "provided",
    "return",
    "run",
    "select",
    "set_priority",
    "short",
    "show",
    "timeout",
    "trace",
    "typedef",
    "unless",
    "unsigned",
    "xr",
    "xs",
    "c_code",
    "c_expr",
    "c_decl",
    "c_state",
    "c_track",
];

pub(super) struct Parser<'d> {
    tokens: TokenStream,
    pub(super) diagnostics: &'d mut Diagnostics,
    pub(super) processes: HashSet<Rc<str>>,
    /// The process types that some `run` names.
    pub(super) run_names: HashSet<Rc<str>>,
    /// Whether embedded C code without effect is passed over.
    pub(super) ignore_c: bool,
    /// Whether the process type that is being read is never started.
    pub(super) in_dead_process: bool,
    pub(super) typedefs: HashSet<Rc<str>>,
    pub(super) inlines: HashMap<Rc<str>, Rc<Inline>>,
    /// Where the results of the inline definitions that are being read go.
    pub(super) results: Vec<Option<Reference>>,
    /// Labels that are referred to from elsewhere, with their process types.
    pub(super) remote_labels: Vec<(Rc<str>, Rc<str>)>,
    /// Whether `_last` has been met.
    pub(super) uses_last: bool,
    /// Whether `timeout` has been met.
    pub(super) uses_timeout: bool,
    pub(super) depth: u32,
    /// Open parentheses: inside of them the end of a line means nothing.
    pub(super) parentheses: u32,
    /// Whether temporal operators are understood.
    pub(super) formula: bool,
    last_closes: bool,
    /// Whether the rest of the text was passed over, because it nests too deeply.
    passed_over: bool,
    /// Tokens that inline definitions may still bring in.
    pub(super) fuel: usize,
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
        ignore_c: bool,
        diagnostics: &'d mut Diagnostics,
    ) -> Self {
        let processes = super::names_behind(&tokens, &["proctype", "D_proctype"]);
        let run_names = super::names_behind(&tokens, &["run"]);
        Parser {
            tokens: TokenStream::new(tokens),
            diagnostics,
            processes,
            run_names,
            ignore_c,
            in_dead_process: false,
            typedefs: HashSet::new(),
            inlines: HashMap::new(),
            results: Vec::new(),
            remote_labels: Vec::new(),
            uses_last: false,
            uses_timeout: false,
            depth: 0,
            parentheses: 0,
            formula: false,
            last_closes: false,
            passed_over: false,
            fuel: 4_000_000,
        }
    }

    pub(super) fn next(&mut self) -> Token {
        let token = self.tokens.next();
        self.last_closes = token.is("}") || token.is_word("fi") || token.is_word("od");
        token
    }

    pub(super) fn accept(&mut self, text: &str) -> bool {
        let found = self.at(text);
        if found {
            self.next();
        }
        found
    }

    pub(super) fn accept_word(&mut self, text: &str) -> bool {
        let found = self.at_word(text);
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

    /// Whether the next token is a name that is no keyword.
    pub(super) fn at_name(&self) -> bool {
        is_name(self.peek(0))
    }

    pub(super) fn name(&mut self, what: &str) -> Parsed<Ident> {
        if self.at_name() {
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
        if self.passed_over {
            return Failed;
        }
        let token = self.peek(0).clone();
        let found = self.found();
        let mut diagnostic =
            Diagnostic::error(code::UNEXPECTED, format!("expected {what}, found {found}"))
                .at(token.span);
        if token.kind == TokenKind::Name
            && KEYWORDS.contains(&&*token.text)
            && what.contains("name")
        {
            diagnostic = diagnostic.help(format!("`{}` is a keyword", token.text));
        }
        if let Some(expansion) = &token.expansion {
            diagnostic = diagnostic.help(format!("in the inline definition `{}`", expansion.name));
        }
        self.diagnostics.push(diagnostic);
        Failed
    }

    pub(super) fn error(&mut self, code: &'static str, span: Span, message: impl Into<String>) {
        self.diagnostics
            .push(Diagnostic::error(code, message).at(span));
    }

    /// Whether statements may follow each other here without a separator.
    pub(super) fn after_closing(&self) -> bool {
        self.last_closes
    }

    /// What was just read needs no separator behind it.
    pub(super) fn close_statement(&mut self) {
        self.last_closes = true;
    }

    /// Runs `read` one level deeper, unless that is too deep.
    pub(super) fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= MAX_DEPTH {
            let span = self.peek(0).span;
            let message = format!("nested more than {MAX_DEPTH} levels deep");
            self.error(code::TOO_DEEP, span, message);
            // Nothing inside can be made sense of any more.
            self.passed_over = true;
            while !self.at_end() {
                self.next();
            }
            return Err(Failed);
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    /// Skips to where the next statement may begin.
    pub(super) fn recover(&mut self) {
        let mut depth = 0usize;
        while !self.at_end() {
            let token = self.peek(0);
            let inner = token.is("{") || token.is_word("if") || token.is_word("do");
            let outer = token.is("}") || token.is_word("fi") || token.is_word("od");
            if depth == 0 && (outer || token.is(";") || token.is("::")) {
                return;
            }
            depth += usize::from(inner);
            depth = depth.saturating_sub(usize::from(outer));
            self.next();
        }
    }
}

pub(super) fn is_name(token: &Token) -> bool {
    token.kind == TokenKind::Name && !KEYWORDS.contains(&&*token.text)
}
