//! Terms and types, which are written alike.

use source::{Diagnostic, TokenKind};

use super::stream::{Parsed, Parser, is_capital};
use crate::ast::{Term, TermKind};
use crate::codes::syntax as code;
use crate::lexer::unquoted;

impl Parser<'_> {
    pub(crate) fn term(&mut self) -> Parsed<Term> {
        self.deeper(Self::term_inside)
    }

    fn term_inside(&mut self) -> Parsed<Term> {
        let token = self.peek(0).clone();
        let start = token.span;
        let kind = match token.kind {
            TokenKind::Number => {
                self.next();
                if token.text.contains('.') {
                    TermKind::Real(token.text.parse().unwrap_or(0.0))
                } else {
                    match token.text.parse() {
                        Ok(number) => TermKind::Int(number),
                        Err(_) => {
                            let text = &token.text;
                            return self.fail(
                                Diagnostic::error(
                                    code::NUMBER,
                                    format!("`{text}` is out of range"),
                                )
                                .at(start)
                                .help("integers have 64 bits"),
                            );
                        }
                    }
                }
            }
            TokenKind::Text => {
                self.next();
                let mut text = unquoted(&token.text);
                // As in C, texts side by side are one.
                while self.peek(0).kind == TokenKind::Text {
                    text.push_str(&unquoted(&self.next().text));
                }
                TermKind::Str(text)
            }
            TokenKind::Name if is_capital(&token) => {
                self.next();
                let result = self.accept("?");
                TermKind::Var {
                    name: token.text.to_string(),
                    result,
                }
            }
            TokenKind::Name => {
                self.next();
                match &*token.text {
                    "true" if !self.at("(") => TermKind::Bool(true),
                    "false" if !self.at("(") => TermKind::Bool(false),
                    name => {
                        let args = if self.accept("(") {
                            self.terms(")")?
                        } else {
                            Vec::new()
                        };
                        TermKind::Apply(name.to_owned(), args)
                    }
                }
            }
            _ if self.accept("[") => TermKind::List(self.terms("]")?),
            _ if self.accept("<") => {
                let ty = self.term()?;
                self.expect(">", "behind the type")?;
                TermKind::Placeholder(Box::new(ty))
            }
            _ if self.at("-") || self.at("+") => {
                return Err(self.unexpected("a term; there is no arithmetic but `add`, `sub`, ..."));
            }
            _ => return Err(self.unexpected("a term")),
        };
        Ok(Term {
            kind,
            span: self.since(start),
        })
    }

    /// Terms with commas between them, up to `close`.
    pub(super) fn terms(&mut self, close: &str) -> Parsed<Vec<Term>> {
        let open = self.last_span();
        let mut terms = Vec::new();
        if self.accept(close) {
            return Ok(terms);
        }
        loop {
            terms.push(self.term()?);
            if self.accept(close) {
                return Ok(terms);
            }
            if !self.accept(",") {
                let found = self.found();
                let at = self.peek(0).span;
                return self.fail(
                    Diagnostic::error(
                        code::UNEXPECTED,
                        format!("found {found} instead of `,` or `{close}`"),
                    )
                    .at(at)
                    .label(open, "this is open"),
                );
            }
        }
    }
}
