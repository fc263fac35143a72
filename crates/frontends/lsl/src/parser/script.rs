//! Whole scripts: global variables, functions, states and their handlers.

use source::{Diagnostic, Diagnostics, SourceFile, Span};

use super::stream::Parser;
use crate::ast::{Ast, Function, Global, Handler, HandlerId, Name, Parameter, State, StateId};
use crate::codes::syntax as code;
use crate::lexer::lex;
use crate::token::{Token, TokenKind};
use crate::types::Type;

/// Reads a script. The tree holds whatever could be read.
#[must_use]
pub fn parse(source: &SourceFile) -> (Ast, Diagnostics) {
    let lexed = lex(source);
    let (mut ast, diagnostics) = parse_tokens(source, &lexed.tokens);
    ast.annotations = lexed.annotations;
    let mut all = lexed.diagnostics;
    all.append(diagnostics);
    (ast, all)
}

/// Reads a script from its tokens; the last is [`TokenKind::End`].
#[must_use]
pub fn parse_tokens(source: &SourceFile, tokens: &[Token]) -> (Ast, Diagnostics) {
    let mut ast = Ast::new(source.id());
    let mut parser = Parser::new(source, &mut ast, tokens, 0);
    parser.script();
    let diagnostics = parser.diagnostics;
    (ast, diagnostics)
}

impl Parser<'_> {
    fn script(&mut self) {
        if self.kind() == TokenKind::End {
            let span = self.source.span().start_point();
            self.report(
                Diagnostic::error(code::EMPTY_SCRIPT, "the file holds no script")
                    .at(span)
                    .help("the smallest script is `default { state_entry() { } }`"),
            );
            return;
        }
        while self.kind() != TokenKind::End {
            let before = self.position();
            self.definition();
            if self.lost {
                self.recover_definition(before, false);
            }
        }
        self.check_default();
    }

    fn definition(&mut self) {
        let start = self.span();
        match self.kind() {
            TokenKind::Type(ty) => {
                self.bump();
                let Some(name) = self.expect_name("a variable or function") else {
                    return;
                };
                if self.kind() == TokenKind::LeftParen {
                    self.function(start, Some(ty), name);
                } else {
                    self.global(start, ty, name);
                }
            }
            TokenKind::Name => {
                let name = self.name(start);
                self.bump();
                match self.kind() {
                    TokenKind::LeftParen => self.function(start, None, name),
                    // Left out or foreign type words: `void f()`, `int x`.
                    TokenKind::Name => self.foreign_type(start),
                    _ => self.expected("`(` or the type of a variable before its name"),
                }
            }
            TokenKind::Default => {
                self.bump();
                let name = self.name(start);
                self.state(start, name);
            }
            TokenKind::State => {
                self.bump();
                let at = self.span();
                if self.eat(TokenKind::Default) {
                    self.report(
                        Diagnostic::error(code::UNEXPECTED, "`default` is defined without `state`")
                            .at(start.to(at))
                            .fix_it(start.to(at), "default", "remove the word"),
                    );
                    let name = self.name(at);
                    self.state(start, name);
                } else if let Some(name) = self.expect_name("a state") {
                    self.state(start, name);
                }
            }
            TokenKind::RightBrace => {
                self.error(
                    Diagnostic::error(code::UNEXPECTED, "this `}` closes nothing").at(start),
                );
            }
            _ => self.expected("a global variable, a function or a state"),
        }
    }

    /// Skips to where the next definition may start: in a state, not beyond the
    /// brace that closes it. At least one token is taken since `before`.
    fn recover_definition(&mut self, before: usize, in_state: bool) {
        self.found();
        if self.position() == before {
            self.bump();
        }
        let mut open = 0_u32;
        loop {
            match self.kind() {
                TokenKind::End => return,
                TokenKind::Default if self.kind_ahead(1) == TokenKind::LeftBrace => return,
                TokenKind::State
                    if self.kind_ahead(1) == TokenKind::Name
                        && self.kind_ahead(2) == TokenKind::LeftBrace =>
                {
                    return;
                }
                TokenKind::LeftBrace => open += 1,
                TokenKind::RightBrace if open == 0 && in_state => return,
                TokenKind::RightBrace => {
                    if open <= 1 {
                        self.bump();
                        return;
                    }
                    open -= 1;
                }
                TokenKind::Semicolon if open == 0 => {
                    self.bump();
                    return;
                }
                _ => {}
            }
            self.bump();
        }
    }

    /// A word of another language where a type stands, the parser being behind it.
    fn foreign_type(&mut self, word: Span) {
        let text = self.text(word);
        let ours = match text {
            "void" => "",
            "int" | "bool" | "boolean" | "long" => "integer",
            "double" => "float",
            "quat" => "rotation",
            "str" | "char" => "string",
            "uuid" => "key",
            "array" => "list",
            _ => {
                self.error(
                    Diagnostic::error(code::UNEXPECTED, format!("`{text}` is not a type"))
                        .at(word)
                        .help("the types are integer, float, string, key, vector, rotation, list"),
                );
                return;
            }
        };
        let diagnostic =
            Diagnostic::error(code::UNEXPECTED, format!("`{text}` is not a type")).at(word);
        self.error(if ours.is_empty() {
            diagnostic.fix_it(word, "", "a function without a result has no type word")
        } else {
            diagnostic.fix_it(word, ours, format!("LSL calls it `{ours}`"))
        });
    }

    fn global(&mut self, start: Span, ty: Type, name: Name) {
        let value = self.eat(TokenKind::Assign).then(|| self.expression());
        if !self.lost && self.kind() != TokenKind::Semicolon {
            let closes = self.kind() == TokenKind::End;
            self.missing_semicolon(closes);
        } else {
            self.eat(TokenKind::Semicolon);
        }
        let span = self.since(start);
        self.check_order(span, "global variables");
        self.ast.globals.push(Global {
            ty,
            name,
            value,
            span,
        });
    }

    fn function(&mut self, start: Span, result: Option<Type>, name: Name) {
        let parameters = self.parameters();
        if self.lost {
            return;
        }
        let body = self.block();
        let span = self.since(start);
        self.check_order(start.to(name.span), "functions");
        self.ast.functions.push(Function {
            result,
            name,
            parameters,
            body,
            span,
        });
    }

    /// Variables and functions stand before the states.
    fn check_order(&mut self, span: Span, what: &str) {
        let Some(first) = self.ast.states.first() else {
            return;
        };
        let first = first.name.span;
        self.report(
            Diagnostic::error(
                code::GLOBAL_AFTER_STATE,
                format!("{what} must stand before the first state"),
            )
            .at(span)
            .label(first, "the first state"),
        );
    }

    fn parameters(&mut self) -> Box<[Parameter]> {
        let mut parameters = Vec::new();
        self.expect(TokenKind::LeftParen, "`(`");
        if self.lost || self.eat(TokenKind::RightParen) {
            return parameters.into();
        }
        loop {
            let TokenKind::Type(ty) = self.kind() else {
                self.expected("the type of a parameter");
                break;
            };
            self.bump();
            let Some(name) = self.expect_name("a parameter") else {
                break;
            };
            parameters.push(Parameter { ty, name });
            if !self.eat(TokenKind::Comma) {
                break;
            }
        }
        self.expect(TokenKind::RightParen, "`,` or `)`");
        parameters.into()
    }

    fn state(&mut self, start: Span, name: Name) {
        let id = StateId::new(self.ast.states.len());
        let brace = self.span();
        if !self.expect(TokenKind::LeftBrace, "`{`") {
            return;
        }
        // Handlers point to their state, so it takes its place before them.
        self.ast.states.push(State {
            name,
            handlers: Box::default(),
            span: start.to(name.span),
        });
        let mut handlers = Vec::new();
        loop {
            match self.kind() {
                TokenKind::RightBrace => {
                    self.bump();
                    break;
                }
                TokenKind::End | TokenKind::State | TokenKind::Default => {
                    self.unclosed(brace);
                    break;
                }
                _ => {}
            }
            let before = self.position();
            if let Some(handler) = self.handler(id) {
                handlers.push(handler);
            }
            if self.lost {
                self.recover_definition(before, true);
            }
        }
        if handlers.is_empty() && !self.lost {
            let text = self.ast.name_text(name).to_owned();
            self.report(
                Diagnostic::error(code::EMPTY_STATE, format!("state `{text}` has no handler"))
                    .at(name.span)
                    .help("a state needs at least one, if only `state_entry() { }`"),
            );
        }
        let span = self.since(start);
        let state = &mut self.ast.states[id.index()];
        state.handlers = handlers.into();
        state.span = span;
    }

    fn handler(&mut self, state: StateId) -> Option<HandlerId> {
        let start = self.span();
        if let TokenKind::Type(_) = self.kind() {
            self.error(
                Diagnostic::error(
                    code::UNEXPECTED,
                    "a state holds event handlers only, and those have no type",
                )
                .at(start)
                .help("global variables and functions stand before the first state"),
            );
            return None;
        }
        let event = self.expect_name("an event")?;
        let before = self.span();
        let parameters = self.parameters();
        let parameters_span = self.since(before);
        if self.lost {
            return None;
        }
        let body = self.block();
        let id = HandlerId::new(self.ast.handlers.len());
        let span = self.since(start);
        self.ast.handlers.push(Handler {
            state,
            event,
            parameters,
            parameters_span,
            body,
            span,
        });
        Some(id)
    }

    /// `default` is there and comes first.
    fn check_default(&mut self) {
        let default = self
            .ast
            .symbol("default")
            .and_then(|symbol| self.ast.state_named(symbol));
        match default {
            None if self.diagnostics.has_errors() && self.ast.states.is_empty() => {
                // Most likely the state is there but could not be read, unless
                // the word does not occur at all.
                if self.ast.symbol("default").is_none() {
                    self.no_default();
                }
            }
            None => self.no_default(),
            Some(id) if id.index() > 0 => {
                let found = self.ast.state(id).name.span;
                let first = self.ast.states[0].name.span;
                self.report(
                    Diagnostic::error(code::DEFAULT_NOT_FIRST, "`default` must be the first state")
                        .at(found)
                        .label(first, "this state stands before it"),
                );
            }
            Some(_) => {}
        }
    }

    fn no_default(&mut self) {
        let span = match self.ast.states.first() {
            Some(state) => state.name.span,
            None => self.behind(),
        };
        self.report(
            Diagnostic::error(code::NO_DEFAULT, "the script has no `default` state")
                .at(span)
                .saying("`default { ... }` should stand here")
                .help("a script starts in its `default` state"),
        );
    }
}
