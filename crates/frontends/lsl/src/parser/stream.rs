//! The parser's place among the tokens, and its way out of errors.
//!
//! One error is reported; then the parser is lost (`panic mode`) and reports
//! nothing more until it has found its feet at a statement's end.

use source::{Diagnostic, Diagnostics, FileId, SourceFile, Span};

use crate::ast::{Ast, Name};
use crate::codes::syntax as code;
use crate::token::{Token, TokenKind};

/// How deep constructs may nest. Every construct that makes the parser call
/// itself counts, parentheses and blocks twice, so the figure bounds the stack
/// of whoever walks the tree and stays far below the two megabytes of a thread.
pub(super) const MAX_DEPTH: u32 = 400;

/// Where in a vector literal the parser is, brackets closed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Component {
    /// Not in a vector.
    None,
    /// In the first or second component: too early for an end.
    Early,
    /// In the third or fourth.
    Last,
}

pub(super) struct Parser<'a> {
    pub(super) source: &'a SourceFile,
    pub(super) ast: &'a mut Ast,
    pub(super) diagnostics: Diagnostics,
    tokens: &'a [Token],
    at: usize,
    depth: u32,
    /// The parser is lost and stays silent.
    pub(super) lost: bool,
    /// Words that, before a name, are operators of the property language.
    pub(super) words: &'a [&'a str],
    /// Which part of a vector is being read, where `>` may end it.
    pub(super) component: Component,
    /// The first half of a `>>` has been taken as the end of a vector.
    half: bool,
    /// Deep nesting has been reported; once is enough.
    too_deep: bool,
    /// Where a block last turned out to be unclosed. The blocks around it end
    /// at the same token and would only repeat the message.
    unclosed_at: Option<usize>,
}

impl<'a> Parser<'a> {
    pub(super) fn new(
        source: &'a SourceFile,
        ast: &'a mut Ast,
        tokens: &'a [Token],
        at: usize,
    ) -> Parser<'a> {
        debug_assert!(
            tokens
                .last()
                .is_some_and(|last| last.kind == TokenKind::End),
            "token lists end with `End`"
        );
        Parser {
            source,
            ast,
            diagnostics: Diagnostics::new(),
            tokens,
            at,
            depth: 0,
            lost: false,
            words: &[],
            component: Component::None,
            half: false,
            too_deep: false,
            unclosed_at: None,
        }
    }

    pub(super) fn file(&self) -> FileId {
        self.source.id()
    }

    pub(super) fn position(&self) -> usize {
        self.at
    }

    /// The token `ahead` places further on; `End` behind the last.
    fn token(&self, ahead: usize) -> Token {
        let last = self.tokens.len() - 1;
        let token = self.tokens[(self.at + ahead).min(last)];
        if ahead == 0 && self.half {
            return Token {
                kind: TokenKind::Greater,
                start: token.start + 1,
                end: token.end,
            };
        }
        token
    }

    pub(super) fn kind(&self) -> TokenKind {
        self.token(0).kind
    }

    pub(super) fn kind_ahead(&self, ahead: usize) -> TokenKind {
        self.token(ahead).kind
    }

    /// The place of the current token.
    pub(super) fn span(&self) -> Span {
        self.token(0).span(self.file())
    }

    pub(super) fn span_ahead(&self, ahead: usize) -> Span {
        self.token(ahead).span(self.file())
    }

    /// The point behind the token taken last.
    pub(super) fn behind(&self) -> Span {
        match self.at.checked_sub(1) {
            Some(before) => self.tokens[before].span(self.file()).end_point(),
            None => self.span().start_point(),
        }
    }

    /// From `start` to the end of the token taken last.
    pub(super) fn since(&self, start: Span) -> Span {
        start.to(self.behind())
    }

    pub(super) fn text(&self, span: Span) -> &'a str {
        &self.source.text()[span.range()]
    }

    /// Takes the current token.
    pub(super) fn bump(&mut self) -> Token {
        let token = self.token(0);
        self.half = false;
        if self.at + 1 < self.tokens.len() {
            self.at += 1;
        }
        token
    }

    /// Takes the first character of a `>>`.
    pub(super) fn bump_half(&mut self) {
        debug_assert_eq!(self.kind(), TokenKind::ShiftRight);
        self.half = true;
    }

    /// Takes the current token if it is `kind`.
    pub(super) fn eat(&mut self, kind: TokenKind) -> bool {
        let found = self.kind() == kind;
        if found {
            self.bump();
        }
        found
    }

    /// Takes the current token, which should be `kind`; otherwise reports that
    /// `what` is missing.
    pub(super) fn expect(&mut self, kind: TokenKind, what: &str) -> bool {
        if self.eat(kind) {
            return true;
        }
        self.expected(what);
        false
    }

    /// A name where one has to stand.
    pub(super) fn expect_name(&mut self, what: &str) -> Option<Name> {
        let span = self.span();
        match self.kind() {
            TokenKind::Name => {
                self.bump();
                Some(self.name(span))
            }
            kind if kind.is_keyword() => {
                let word = self.text(span);
                let message = format!("`{word}` is a reserved word and cannot name {what}");
                self.error(
                    Diagnostic::error(code::RESERVED_WORD, message)
                        .at(span)
                        .fix_it(span, format!("{word}_"), "choose another name"),
                );
                None
            }
            _ => {
                self.expected(&format!("the name of {what}"));
                None
            }
        }
    }

    /// The name that stands at `span`.
    pub(super) fn name(&mut self, span: Span) -> Name {
        let symbol = self.ast.intern(&self.source.text()[span.range()]);
        Name { symbol, span }
    }

    /// Reports an error, unless the parser is lost already, and loses itself.
    pub(super) fn error(&mut self, diagnostic: Diagnostic) {
        if !self.lost {
            self.diagnostics.push(diagnostic);
            self.lost = true;
        }
    }

    /// The parser knows again where it is.
    pub(super) fn found(&mut self) {
        self.lost = false;
        self.component = Component::None;
    }

    /// Reports a finding from which the parser knows how to go on.
    pub(super) fn report(&mut self, diagnostic: Diagnostic) {
        if !self.lost {
            self.diagnostics.push(diagnostic);
        }
    }

    /// Reports that `what` should stand here.
    pub(super) fn expected(&mut self, what: &str) {
        let found = self.describe();
        let diagnostic =
            Diagnostic::error(code::UNEXPECTED, format!("expected {what}, found {found}"))
                .at(self.span())
                .saying(format!("expected {what}"));
        let diagnostic = self.advise(diagnostic);
        self.error(diagnostic);
    }

    /// Habits of other languages, recognised by the token where they fail.
    fn advise(&self, diagnostic: Diagnostic) -> Diagnostic {
        let before = self.at.checked_sub(1).map(|before| self.tokens[before]);
        match self.kind() {
            TokenKind::Colon => diagnostic.help("LSL has no `? :`; use `if` and `else`"),
            TokenKind::String if before.is_some_and(|t| t.kind == TokenKind::String) => {
                diagnostic.help("strings are joined with `+`")
            }
            TokenKind::Assign if before.is_some_and(|t| t.end == self.span().start) => {
                match before.map(|token| self.text(token.span(self.file()))) {
                    Some(op @ ("|" | "&" | "^" | "<<" | ">>" | "||" | "&&")) => {
                        diagnostic.help(format!("LSL has no `{op}=`; write `a = a {op} b`"))
                    }
                    _ => diagnostic,
                }
            }
            _ => diagnostic,
        }
    }

    /// The current token in words.
    pub(super) fn describe(&self) -> String {
        let span = self.span();
        match self.kind() {
            TokenKind::End if span.end == self.source.len() => "the end of the file".to_owned(),
            TokenKind::End => "the end of the text".to_owned(),
            TokenKind::String => "a string".to_owned(),
            TokenKind::Integer | TokenKind::Float => format!("the number `{}`", self.text(span)),
            TokenKind::Name => format!("the name `{}`", self.text(span)),
            kind if kind.is_keyword() => format!("the reserved word `{}`", self.text(span)),
            _ => format!("`{}`", self.text(span)),
        }
    }

    /// One level deeper. On false, which has been reported, turn back.
    pub(super) fn enter(&mut self) -> bool {
        if self.depth < MAX_DEPTH {
            self.depth += 1;
            return true;
        }
        let span = self.span();
        if self.too_deep {
            self.lost = true;
            return false;
        }
        self.too_deep = true;
        self.error(
            Diagnostic::error(
                code::TOO_DEEP,
                format!("nested more than {MAX_DEPTH} levels deep"),
            )
            .at(span)
            .saying("this is one level too many")
            .help("name parts of the expression, or move statements into functions"),
        );
        false
    }

    /// Back from [`Parser::enter`].
    pub(super) fn leave(&mut self) {
        self.depth -= 1;
    }

    /// Reports that the block opened at `brace` ends without being closed. What
    /// follows is read as if it had been.
    pub(super) fn unclosed(&mut self, brace: Span) {
        if !self.lost && self.unclosed_at != Some(self.at) {
            let here = self.behind();
            self.report(
                Diagnostic::error(code::UNCLOSED, "this `{` is never closed")
                    .at(brace)
                    .label(here, "a `}` is missing, here at the latest")
                    .fix_it(here, "\n}", "close it"),
            );
        }
        self.unclosed_at = Some(self.at);
    }

    /// Skips a balanced group if one opens here, or else one token.
    pub(super) fn skip_group(&mut self) {
        use TokenKind as T;
        let mut open = 0_u32;
        loop {
            match self.kind() {
                T::LeftBrace | T::LeftParen | T::LeftBracket => open += 1,
                T::RightBrace | T::RightParen | T::RightBracket => open = open.saturating_sub(1),
                T::End => return,
                _ => {}
            }
            self.bump();
            if open == 0 {
                return;
            }
        }
    }
}
