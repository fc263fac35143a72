//! Inline definitions: named text with parameters.
//!
//! A call stands for the definition's text, each parameter replaced by the text of its argument
//! (not behind a `.`, where it is a field's name).

use std::rc::Rc;

use source::Span;

use crate::ast::{Reference, Statement, StatementKind};
use crate::codes::{names, rules, syntax};
use crate::token::{Expansion, Token, TokenKind};

use super::stream::{Failed, Parsed, Parser};

/// An inline definition.
#[derive(Clone, Debug)]
pub(super) struct Inline {
    parameters: Vec<Rc<str>>,
    /// Its text, with the braces.
    body: Vec<Token>,
}

impl Parser<'_> {
    /// Reads parameters and body.
    pub(super) fn inline_definition(&mut self) -> Parsed<Inline> {
        self.expect("(")?;
        let mut parameters = Vec::new();
        while !self.accept(")") {
            if self.accept(",") {
                continue;
            }
            parameters.push(self.name("a parameter's name")?.name);
        }
        if !self.at("{") {
            return Err(self.unexpected("`{`"));
        }
        let mut body = Vec::new();
        let mut depth = 0usize;
        loop {
            if self.at_end() {
                return Err(self.unexpected("`}`"));
            }
            let token = self.next();
            depth += usize::from(token.is("{"));
            depth -= usize::from(token.is("}"));
            body.push(token);
            if depth == 0 {
                return Ok(Inline { parameters, body });
            }
        }
    }

    /// Whether a call of an inline definition begins here.
    pub(super) fn at_call(&self) -> bool {
        self.peek(1).is("(") && self.inlines.contains_key(&self.peek(0).text)
    }

    /// A call, as the block that it stands for.
    pub(super) fn call(&mut self, result: Option<Reference>) -> Parsed<Statement> {
        let call = self.next();
        let definition = Rc::clone(&self.inlines[&call.text]);
        self.expect("(")?;
        let (arguments, end) = self.arguments()?;
        if call.is_inside(&call.text) {
            let message = format!("inline definition `{}` calls itself", call.text);
            self.error(names::INLINE_RECURSION, call.span, message);
            return Err(Failed);
        }
        if arguments.len() != definition.parameters.len() {
            let message = format!(
                "`{}` takes {} arguments, not {}",
                call.text,
                definition.parameters.len(),
                arguments.len()
            );
            self.error(rules::ARGUMENTS, call.span, message);
            return Err(Failed);
        }
        let expansion = Rc::new(Expansion {
            name: Rc::clone(&call.text),
            outer: call.expansion.clone(),
        });
        let mut text: Vec<Token> = Vec::new();
        for token in &definition.body {
            let field = text.last().is_some_and(|before| before.is("."));
            let parameter = definition.parameters.iter().position(|p| *p == token.text);
            match parameter {
                Some(index) if token.kind == TokenKind::Name && !field => {
                    let argument = arguments[index].iter().enumerate();
                    text.extend(argument.map(|(at, argument)| Token {
                        // What ends a line in the definition ends a statement, not what does in a call.
                        first_on_line: at == 0 && token.first_on_line,
                        place: Some(token.span),
                        ..argument.clone()
                    }));
                }
                _ => text.push(Token {
                    expansion: Some(Rc::clone(&expansion)),
                    ..token.clone()
                }),
            }
        }
        if text.len() > self.fuel {
            let message = "inline definitions expand to too much text";
            self.error(syntax::MACRO, call.span, message);
            return Err(Failed);
        }
        self.fuel -= text.len();
        self.prepend(text);
        self.results.push(result);
        let body = self.deeper(Self::braces);
        self.results.pop();
        let one_file = call.span.file == end.file && call.span.start <= end.end;
        Ok(Statement {
            kind: StatementKind::Call(body?),
            span: if one_file {
                call.span.to(end)
            } else {
                call.span
            },
        })
    }

    /// The texts between commas, up to the closing parenthesis, and where that is.
    fn arguments(&mut self) -> Parsed<(Vec<Vec<Token>>, Span)> {
        let mut arguments = vec![Vec::new()];
        let end;
        let mut depth = 0usize;
        loop {
            if self.at_end() {
                return Err(self.unexpected("`)`"));
            }
            let token = self.next();
            if depth == 0 && token.is(")") {
                end = token.span;
                break;
            }
            if depth == 0 && token.is(",") {
                arguments.push(Vec::new());
                continue;
            }
            let opens = ["(", "[", "{"].iter().any(|p| token.is(p));
            let closes = [")", "]", "}"].iter().any(|p| token.is(p));
            depth += usize::from(opens);
            depth = depth.saturating_sub(usize::from(closes));
            arguments
                .last_mut()
                .expect("there is always a last argument")
                .push(token);
        }
        if arguments.len() == 1 && arguments[0].is_empty() {
            arguments.clear();
        }
        Ok((arguments, end))
    }
}
