//! Statements.

use source::{Diagnostic, Diagnostics, SourceFile};

use super::stream::Parser;
use crate::ast::{Ast, ExprId, StmtId, StmtKind};
use crate::codes::syntax as code;
use crate::facts;
use crate::token::{Token, TokenKind};

/// Reads statements from `tokens[at]` up to the first token that cannot belong
/// to one more (a `}` or the end), adding their nodes to `ast`. Returns the
/// statements and the index of that token.
///
/// This is the entry for statements that stand in property text; a script's own
/// are read by [`crate::parser::parse`].
pub fn parse_statements(
    source: &SourceFile,
    ast: &mut Ast,
    tokens: &[Token],
    at: usize,
) -> (Vec<StmtId>, usize, Diagnostics) {
    let mut parser = Parser::new(source, ast, tokens, at);
    let statements = parser.statements();
    (statements, parser.position(), parser.diagnostics)
}

impl Parser<'_> {
    /// `{ ... }`
    pub(super) fn block(&mut self) -> StmtId {
        let start = self.span();
        if !self.expect(TokenKind::LeftBrace, "`{`") {
            return self.ast.add_stmt(StmtKind::Error, start.start_point());
        }
        let statements = self.statements();
        if !self.eat(TokenKind::RightBrace) {
            self.unclosed(start);
        }
        let span = self.since(start);
        self.ast.add_stmt(StmtKind::Block(statements.into()), span)
    }

    /// Statements up to a `}`, the end of the file, or the head of a state or
    /// handler, before which a `}` must be missing.
    fn statements(&mut self) -> Vec<StmtId> {
        let mut statements = Vec::new();
        loop {
            match self.kind() {
                TokenKind::RightBrace | TokenKind::End => return statements,
                TokenKind::Default if self.kind_ahead(1) == TokenKind::LeftBrace => {
                    return statements;
                }
                TokenKind::State
                    if self.kind_ahead(1) == TokenKind::Name
                        && self.kind_ahead(2) == TokenKind::LeftBrace =>
                {
                    return statements;
                }
                TokenKind::Name if self.at_handler() => return statements,
                _ => {}
            }
            let before = self.position();
            statements.push(self.statement());
            if self.lost {
                self.recover(before);
            }
        }
    }

    /// Whether a handler starts here: an event's name and typed parameters, or
    /// none and a `{`. No statement looks like that.
    fn at_handler(&self) -> bool {
        use TokenKind as T;
        let parameters = matches!(
            (self.kind_ahead(1), self.kind_ahead(2), self.kind_ahead(3)),
            (T::LeftParen, T::Type(_), T::Name) | (T::LeftParen, T::RightParen, T::LeftBrace)
        );
        parameters && facts::event(self.text(self.span())).is_some()
    }

    /// Skips to where the next statement may start. `before` is where the
    /// broken one started: at least one token is taken.
    fn recover(&mut self, before: usize) {
        self.found();
        if self.position() == before && self.kind() != TokenKind::RightBrace {
            self.bump();
        }
        loop {
            match self.kind() {
                TokenKind::Semicolon => {
                    self.bump();
                    return;
                }
                TokenKind::RightBrace
                | TokenKind::LeftBrace
                | TokenKind::End
                | TokenKind::If
                | TokenKind::For
                | TokenKind::While
                | TokenKind::Do
                | TokenKind::Return
                | TokenKind::Jump
                | TokenKind::State
                | TokenKind::Default
                | TokenKind::At => return,
                _ => {
                    self.bump();
                }
            }
        }
    }

    fn statement(&mut self) -> StmtId {
        let start = self.span();
        if self.lost {
            return self.ast.add_stmt(StmtKind::Error, start.start_point());
        }
        if !self.enter() {
            // Not into the group: a thousand braces are skipped by a loop.
            self.skip_group();
            return self.ast.add_stmt(StmtKind::Error, start);
        }
        if self.kind() == TokenKind::LeftBrace {
            let block = self.block();
            self.leave();
            return block;
        }
        let kind = self.statement_kind();
        self.leave();
        let span = self.since(start);
        self.ast.add_stmt(kind, span)
    }

    fn statement_kind(&mut self) -> StmtKind {
        match self.kind() {
            TokenKind::Semicolon => {
                self.bump();
                StmtKind::Empty
            }
            TokenKind::Type(_) if self.kind_ahead(1) != TokenKind::LeftParen => self.declaration(),
            TokenKind::If => self.if_chain(),
            TokenKind::While => {
                self.bump();
                let condition = self.condition();
                let body = self.body();
                StmtKind::While { condition, body }
            }
            TokenKind::Do => {
                self.bump();
                let body = self.body();
                self.expect(TokenKind::While, "`while`");
                let condition = self.condition();
                self.semicolon();
                StmtKind::DoWhile { body, condition }
            }
            TokenKind::For => self.for_loop(),
            TokenKind::At => {
                self.bump();
                let name = self.expect_name("a label");
                self.semicolon();
                name.map_or(StmtKind::Error, StmtKind::Label)
            }
            TokenKind::Jump => {
                self.bump();
                let name = self.expect_name("a label");
                self.semicolon();
                name.map_or(StmtKind::Error, StmtKind::Jump)
            }
            TokenKind::Return => {
                self.bump();
                let value = match self.kind() {
                    TokenKind::Semicolon | TokenKind::RightBrace => None,
                    _ => Some(self.expression()),
                };
                self.semicolon();
                StmtKind::Return(value)
            }
            TokenKind::State => {
                self.bump();
                let at = self.span();
                let name = if self.eat(TokenKind::Default) {
                    Some(self.name(at))
                } else {
                    self.expect_name("a state")
                };
                self.semicolon();
                name.map_or(StmtKind::Error, StmtKind::State)
            }
            TokenKind::Else => {
                self.error(
                    Diagnostic::error(code::UNEXPECTED, "`else` without an `if`")
                        .at(self.span())
                        .help("a `;` behind the `if`'s condition, or a missing `{`, ends the `if`"),
                );
                StmtKind::Error
            }
            _ => {
                let expr = self.expression();
                self.semicolon();
                StmtKind::Expr(expr)
            }
        }
    }

    /// The `;` of a statement.
    fn semicolon(&mut self) {
        if self.eat(TokenKind::Semicolon) {
            // Whatever went wrong before, the next statement starts here.
            self.found();
            return;
        }
        if self.lost {
            return;
        }
        let closes = matches!(self.kind(), TokenKind::RightBrace | TokenKind::End);
        self.missing_semicolon(closes);
    }

    /// Says that `;` is missing. It shows at the next token, often a line further down: the
    /// message points behind the statement. Anything on the same line is a broken expression
    /// rather than a forgotten `;`, unless it `closes` what the statement stands in.
    pub(super) fn missing_semicolon(&mut self, closes: bool) {
        let behind = self.behind();
        let between = &self.source.text()[behind.start as usize..self.span().start as usize];
        if closes || between.contains('\n') {
            self.report(
                Diagnostic::error(code::MISSING_SEMICOLON, "expected `;`")
                    .at(behind)
                    .saying("expected `;`")
                    .fix_it(behind, ";", "add it"),
            );
        } else {
            self.expected("`;`");
        }
    }

    /// `( expression )`
    fn condition(&mut self) -> ExprId {
        self.expect(TokenKind::LeftParen, "`(`");
        let condition = self.expression();
        self.close_header();
        condition
    }

    /// The `)` before a body. If it is not there, the body usually still is:
    /// skip to it, so that a mistake in a condition does not cost the `else`.
    fn close_header(&mut self) {
        if self.expect(TokenKind::RightParen, "`)`") {
            self.found();
            return;
        }
        let mut open = 0_u32;
        loop {
            match self.kind() {
                TokenKind::LeftParen => open += 1,
                TokenKind::RightParen if open == 0 => {
                    self.bump();
                    break;
                }
                TokenKind::RightParen => open -= 1,
                TokenKind::LeftBrace => break,
                TokenKind::Semicolon | TokenKind::RightBrace | TokenKind::End => return,
                _ => {}
            }
            self.bump();
        }
        self.found();
    }

    fn declaration(&mut self) -> StmtKind {
        let TokenKind::Type(ty) = self.kind() else {
            return StmtKind::Error;
        };
        self.bump();
        let Some(name) = self.expect_name("a variable") else {
            return StmtKind::Error;
        };
        let value = self.eat(TokenKind::Assign).then(|| self.expression());
        if self.kind() == TokenKind::Comma && !self.lost {
            let comma = self.span();
            self.error(
                Diagnostic::error(code::UNEXPECTED, "a declaration has one variable")
                    .at(comma)
                    .fix_it(comma, format!("; {ty}"), "declare the next on its own"),
            );
        }
        self.semicolon();
        StmtKind::Declare { ty, name, value }
    }

    /// The statement that an `if` or a loop guards.
    fn body(&mut self) -> StmtId {
        let body = self.statement();
        if matches!(self.ast.stmt(body).kind, StmtKind::Declare { .. }) && !self.lost {
            let span = self.ast.stmt(body).span;
            let text = self.text(span);
            self.report(
                Diagnostic::error(
                    code::DECLARATION_NEEDS_BRACES,
                    "a declaration needs braces here",
                )
                .at(span)
                .saying("this variable would be gone at once")
                .fix_it(span, format!("{{ {text} }}"), "put it in braces"),
            );
        }
        body
    }

    /// `if ... else if ... else ...`, by a loop.
    fn if_chain(&mut self) -> StmtKind {
        let mut arms = Vec::new();
        let mut otherwise = None;
        loop {
            self.bump();
            let condition = self.condition();
            let body = self.body();
            arms.push((condition, body));
            if self.lost || !self.eat(TokenKind::Else) {
                break;
            }
            if self.kind() != TokenKind::If {
                otherwise = Some(self.body());
                break;
            }
        }
        StmtKind::If {
            arms: arms.into(),
            otherwise,
        }
    }

    fn for_loop(&mut self) -> StmtKind {
        self.bump();
        self.expect(TokenKind::LeftParen, "`(`");
        if matches!(self.kind(), TokenKind::Type(_))
            && self.kind_ahead(1) == TokenKind::Name
            && !self.lost
        {
            let start = self.span();
            self.bump();
            let name = self.text(self.span());
            self.report(
                Diagnostic::error(
                    code::DECLARATION_IN_FOR,
                    "a `for` header cannot declare a variable",
                )
                .at(self.since(start).to(self.span()))
                .help(format!("declare `{name}` before the loop"))
                .fix_it(
                    start.to(self.span()),
                    name,
                    "use a variable declared before",
                ),
            );
        }
        let before = self.for_expressions(TokenKind::Semicolon);
        self.expect(TokenKind::Semicolon, "`;`");
        let at = self.span();
        let condition = if self.kind() == TokenKind::Semicolon && !self.lost {
            let point = at.start_point();
            self.report(
                Diagnostic::error(code::FOR_CONDITION, "a `for` needs a condition")
                    .at(at)
                    .saying("expected a condition before this `;`")
                    .fix_it(point, "TRUE", "loop for ever"),
            );
            self.ast.add_expr(crate::ast::ExprKind::Integer(1), point)
        } else {
            self.expression()
        };
        self.expect(TokenKind::Semicolon, "`;`");
        let after = self.for_expressions(TokenKind::RightParen);
        self.close_header();
        let body = self.body();
        StmtKind::For {
            before,
            condition,
            after,
            body,
        }
    }

    /// Expressions with commas between them, possibly none, up to `close`.
    fn for_expressions(&mut self, close: TokenKind) -> Box<[ExprId]> {
        let mut expressions = Vec::new();
        if self.kind() == close {
            return expressions.into();
        }
        loop {
            expressions.push(self.expression());
            if self.lost || !self.eat(TokenKind::Comma) {
                return expressions.into();
            }
        }
    }
}
