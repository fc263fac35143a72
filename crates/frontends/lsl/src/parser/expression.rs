//! Expressions, by precedence climbing (Richards 1979) with LSL's levels.
//!
//! What differs from C, as Linden Lab's grammar has it (kept in tailslide's
//! `lslmini.y`): `&&` and `||` share a level; unary minus stands at the level
//! of subtraction, so `-a * b` is `-(a * b)`; a cast takes a name, a literal, a
//! call or parentheses, not any operand; an assignment starts wherever a
//! variable may stand and reaches as far right as it can; and the `>` that ends
//! a vector is told from "greater" by the token behind it.

use source::{Diagnostic, Diagnostics, SourceFile, Span};

use super::literal;
use super::stream::{Component, Parser};
use crate::ast::{Ast, BinaryOp, ExprId, ExprKind, UnaryOp};
use crate::codes::syntax as code;
use crate::lexer;
use crate::token::{Token, TokenKind};
use crate::types::Type;

/// Level of `&&` and `||`, the lowest.
const LOGICAL: u8 = 1;
/// Level of `|`.
const BIT_OR: u8 = 2;
/// Level of the comparisons.
const RELATIONAL: u8 = 6;
/// Level of `*`, `/` and `%`, the highest.
const MULTIPLICATIVE: u8 = 9;

/// How to read an expression within a property.
#[derive(Clone, Copy, Debug, Default)]
pub struct ExpressionOptions<'a> {
    /// Words that, directly before a name, make a [`ExprKind::Word`].
    pub words: &'a [&'a str],
    /// Stop before `&&` and `||` outside of parentheses.
    pub stop_at_logical: bool,
}

/// The longest expression that a list of tokens starts with.
#[derive(Clone, Debug)]
pub struct ExpressionPrefix {
    /// The expression; an error node if there is none.
    pub expr: ExprId,
    /// Index of the first token that does not belong to it.
    pub next: usize,
    /// What was wrong with it.
    pub diagnostics: Diagnostics,
}

/// Reads the longest expression that starts at `tokens[at]`, adding its nodes
/// to `ast`. Names are left as they are. `tokens` come from [`lexer`], the last
/// being [`TokenKind::End`], and their offsets count in `source`.
pub fn parse_expression(
    source: &SourceFile,
    ast: &mut Ast,
    tokens: &[Token],
    at: usize,
    options: ExpressionOptions<'_>,
) -> ExpressionPrefix {
    let mut parser = Parser::new(source, ast, tokens, at);
    parser.words = options.words;
    let level = if options.stop_at_logical {
        BIT_OR
    } else {
        LOGICAL
    };
    let expr = parser.binary(level);
    ExpressionPrefix {
        expr,
        next: parser.position(),
        diagnostics: parser.diagnostics,
    }
}

/// Reads the longest expression that the bytes `range` of `source` start with.
/// Returns it with the offset behind its last token.
pub fn parse_expression_at(
    source: &SourceFile,
    ast: &mut Ast,
    range: std::ops::Range<u32>,
    options: ExpressionOptions<'_>,
) -> (ExprId, u32, Diagnostics) {
    let start = range.start;
    let lexed = lexer::lex_range(source, range);
    let prefix = parse_expression(source, ast, &lexed.tokens, 0, options);
    let end = match prefix.next.checked_sub(1) {
        Some(last) => lexed.tokens[last].end,
        None => start,
    };
    let mut diagnostics = lexed.diagnostics;
    diagnostics.append(prefix.diagnostics);
    (prefix.expr, end, diagnostics)
}

/// The operator of a token, and its level.
fn operator(kind: TokenKind) -> Option<(BinaryOp, u8)> {
    use TokenKind as T;
    Some(match kind {
        T::AndAnd => (BinaryOp::And, LOGICAL),
        T::OrOr => (BinaryOp::Or, LOGICAL),
        T::Bar => (BinaryOp::BitOr, BIT_OR),
        T::Caret => (BinaryOp::BitXor, 3),
        T::Ampersand => (BinaryOp::BitAnd, 4),
        T::Equal => (BinaryOp::Equal, 5),
        T::NotEqual => (BinaryOp::NotEqual, 5),
        T::Less => (BinaryOp::Less, RELATIONAL),
        T::LessEqual => (BinaryOp::LessEqual, RELATIONAL),
        T::Greater => (BinaryOp::Greater, RELATIONAL),
        T::GreaterEqual => (BinaryOp::GreaterEqual, RELATIONAL),
        T::ShiftLeft => (BinaryOp::ShiftLeft, 7),
        T::ShiftRight => (BinaryOp::ShiftRight, 7),
        T::Plus => (BinaryOp::Add, 8),
        T::Minus => (BinaryOp::Subtract, 8),
        T::Star => (BinaryOp::Multiply, MULTIPLICATIVE),
        T::Slash => (BinaryOp::Divide, MULTIPLICATIVE),
        T::Percent => (BinaryOp::Remainder, MULTIPLICATIVE),
        _ => return None,
    })
}

/// Whether a token is `=` or `op=`, and the operator.
fn assignment(kind: TokenKind) -> Option<Option<BinaryOp>> {
    Some(match kind {
        TokenKind::Assign => None,
        TokenKind::PlusAssign => Some(BinaryOp::Add),
        TokenKind::MinusAssign => Some(BinaryOp::Subtract),
        TokenKind::StarAssign => Some(BinaryOp::Multiply),
        TokenKind::SlashAssign => Some(BinaryOp::Divide),
        TokenKind::PercentAssign => Some(BinaryOp::Remainder),
        _ => return None,
    })
}

/// Whether a `>` before this token is "greater" rather than a vector's end: no
/// vector is followed by something that starts an operand, except by a sign.
fn starts_operand(kind: TokenKind) -> bool {
    matches!(
        kind,
        TokenKind::Name
            | TokenKind::Integer
            | TokenKind::Float
            | TokenKind::String
            | TokenKind::LeftParen
            | TokenKind::LeftBracket
            | TokenKind::Print
    )
}

/// Whether a token can stand before an operand, as an operator or as the start
/// of a vector.
fn starts_with_operator(kind: TokenKind) -> bool {
    matches!(
        kind,
        TokenKind::Minus
            | TokenKind::Bang
            | TokenKind::Tilde
            | TokenKind::PlusPlus
            | TokenKind::MinusMinus
            | TokenKind::Less
    )
}

impl Parser<'_> {
    /// A whole expression.
    pub(super) fn expression(&mut self) -> ExprId {
        self.binary(LOGICAL)
    }

    /// An expression that stands between brackets, where `>` cannot end a vector.
    fn enclosed(&mut self) -> ExprId {
        let outer = std::mem::replace(&mut self.component, Component::None);
        let expr = self.expression();
        self.component = outer;
        expr
    }

    fn error_expr(&mut self) -> ExprId {
        let span = self.span().start_point();
        self.ast.add_expr(ExprKind::Error, span)
    }

    fn expr_span(&self, id: ExprId) -> Span {
        self.ast.expr(id).span
    }

    /// Operators of `level` and above.
    fn binary(&mut self, level: u8) -> ExprId {
        if !self.enter() {
            return self.error_expr();
        }
        let mut left = self.unary();
        loop {
            let kind = self.kind();
            if assignment(kind).is_some() && !self.lost {
                left = self.assign_to_value(left);
                continue;
            }
            let Some((op, op_level)) = operator(kind) else {
                break;
            };
            let ends_vector = self.ends_vector(kind);
            if op_level < level || ends_vector || self.lost {
                break;
            }
            let op_span = self.span();
            self.bump();
            let right = self.binary(op_level + 1);
            let span = self.expr_span(left).to(self.expr_span(right));
            let kind = ExprKind::Binary {
                op,
                op_span,
                left,
                right,
            };
            left = self.ast.add_expr(kind, span);
        }
        self.leave();
        left
    }

    /// Whether the current token, of this kind, closes a vector instead of
    /// comparing or shifting: told by the token behind it.
    fn ends_vector(&self, kind: TokenKind) -> bool {
        if !matches!(kind, TokenKind::Greater | TokenKind::ShiftRight) {
            return false;
        }
        let next = self.kind_ahead(1);
        match self.component {
            Component::None => false,
            Component::Last => !starts_operand(next),
            // The vector is too short, which is better said than guessed at.
            Component::Early => !starts_operand(next) && !starts_with_operator(next),
        }
    }

    /// `left = ...` where `left` is no variable.
    fn assign_to_value(&mut self, left: ExprId) -> ExprId {
        let target = self.expr_span(left);
        let operator = self.span();
        let mut diagnostic = Diagnostic::error(
            code::NOT_ASSIGNABLE,
            format!("`{}` needs a variable on its left", self.text(operator)),
        )
        .at(target)
        .saying("this is a value")
        .label(operator, "");
        if operator.start == target.end || self.kind() == TokenKind::Assign {
            diagnostic = diagnostic.help("to compare, write `==`");
        }
        self.report(diagnostic);
        self.bump();
        let value = self.expression();
        let span = target.to(self.expr_span(value));
        self.ast.add_expr(ExprKind::Error, span)
    }

    fn unary(&mut self) -> ExprId {
        if !self.enter() {
            return self.error_expr();
        }
        let start = self.span();
        let expr = match self.kind() {
            TokenKind::Minus => match self.kind_ahead(1) {
                // Linden Lab's grammar has the negated literal as one constant.
                TokenKind::Integer | TokenKind::Float => {
                    self.bump();
                    self.number(start)
                }
                _ => {
                    self.bump();
                    let operand = self.binary(MULTIPLICATIVE);
                    self.unary_node(start, UnaryOp::Negate, operand)
                }
            },
            TokenKind::Bang => self.prefix(start, UnaryOp::Not),
            TokenKind::Tilde => self.prefix(start, UnaryOp::BitNot),
            TokenKind::PlusPlus => self.prefix_step(start, 1),
            TokenKind::MinusMinus => self.prefix_step(start, -1),
            TokenKind::LeftParen => match (self.kind_ahead(1), self.kind_ahead(2)) {
                (TokenKind::Type(to), TokenKind::RightParen) => self.cast(to),
                _ => self.parenthesized(),
            },
            TokenKind::Type(to) if self.kind_ahead(1) == TokenKind::LeftParen => {
                self.function_style_cast(to)
            }
            _ => self.operand(true),
        };
        self.leave();
        expr
    }

    fn unary_node(&mut self, start: Span, op: UnaryOp, operand: ExprId) -> ExprId {
        let span = start.to(self.expr_span(operand));
        self.ast.add_expr(ExprKind::Unary { op, operand }, span)
    }

    fn prefix(&mut self, start: Span, op: UnaryOp) -> ExprId {
        self.bump();
        let operand = self.unary();
        self.unary_node(start, op, operand)
    }

    fn prefix_step(&mut self, start: Span, by: i32) -> ExprId {
        self.bump();
        if self.kind() != TokenKind::Name || self.kind_ahead(1) == TokenKind::LeftParen {
            self.expected("a variable");
            return self.error_expr();
        }
        let place = self.place();
        let kind = ExprKind::Step {
            place,
            by,
            postfix: false,
        };
        let span = self.since(start);
        self.ast.add_expr(kind, span)
    }

    fn parenthesized(&mut self) -> ExprId {
        let start = self.span();
        self.bump();
        let inner = self.enclosed();
        self.expect(TokenKind::RightParen, "`)`");
        let span = self.since(start);
        self.ast.add_expr(ExprKind::Parenthesized(inner), span)
    }

    /// `(type)operand`, the parser being at the first parenthesis.
    fn cast(&mut self, to: Type) -> ExprId {
        let start = self.span();
        self.bump();
        self.bump();
        self.bump();
        let at = self.span();
        let operand = match self.kind() {
            TokenKind::LeftParen => match (self.kind_ahead(1), self.kind_ahead(2)) {
                (TokenKind::Type(_), TokenKind::RightParen) => self.uncastable(at),
                _ => self.parenthesized(),
            },
            TokenKind::Minus => match self.kind_ahead(1) {
                TokenKind::Integer | TokenKind::Float => {
                    self.bump();
                    self.number(at)
                }
                TokenKind::Name
                    if crate::facts::constant(self.text(self.span_ahead(1))).is_some() =>
                {
                    self.bump();
                    let span = self.span();
                    self.bump();
                    let name = self.name(span);
                    let operand = self.ast.add_expr(ExprKind::Name(name), span);
                    self.unary_node(at, UnaryOp::Negate, operand)
                }
                _ => self.uncastable(at),
            },
            TokenKind::Bang
            | TokenKind::Tilde
            | TokenKind::PlusPlus
            | TokenKind::MinusMinus
            | TokenKind::Type(_) => self.uncastable(at),
            _ => self.operand(false),
        };
        let span = self.since(start);
        self.ast.add_expr(ExprKind::Cast { to, operand }, span)
    }

    /// An operand that a cast does not take without parentheses.
    fn uncastable(&mut self, at: Span) -> ExprId {
        let operand = self.unary();
        let span = self.since(at);
        self.report(
            Diagnostic::error(
                code::CAST_OPERAND,
                "a cast needs parentheses around this operand",
            )
            .at(span)
            .fix_it(span, format!("({})", self.text(span)), "add them"),
        );
        operand
    }

    /// `type(operand)`, which is how C++ writes a cast.
    fn function_style_cast(&mut self, to: Type) -> ExprId {
        let start = self.span();
        self.bump();
        let parens = self.span();
        self.bump();
        let operand = if self.kind() == TokenKind::RightParen {
            self.error_expr()
        } else {
            self.enclosed()
        };
        if !self.expect(TokenKind::RightParen, "`)`") {
            return operand;
        }
        let span = self.since(start);
        let word = self.text(start);
        let argument = self.text(self.since(parens));
        let inner = &argument[1..argument.len() - 1];
        let bare = matches!(
            self.ast.expr(operand).kind,
            ExprKind::Name(_)
                | ExprKind::Member { .. }
                | ExprKind::Call { .. }
                | ExprKind::Integer(_)
                | ExprKind::Float(_)
                | ExprKind::String(_)
                | ExprKind::Vector(_)
                | ExprKind::Rotation(_)
                | ExprKind::List(_)
                | ExprKind::Step { postfix: true, .. }
        );
        let operand_text = if bare { inner.trim() } else { argument };
        let diagnostic = Diagnostic::error(
            code::FUNCTION_STYLE_CAST,
            format!("`{word}(...)` is not a cast in LSL"),
        )
        .at(span)
        .saying("written as a call")
        .help("LSL puts the type in parentheses, before the value");
        let diagnostic = match self.ast.expr(operand).kind {
            ExprKind::Error => diagnostic,
            _ => diagnostic.fix_it(span, format!("({word}){operand_text}"), "write the cast as"),
        };
        self.report(diagnostic);
        self.ast.add_expr(ExprKind::Cast { to, operand }, span)
    }

    /// A literal, name, call, vector, list or `print`, with `++` and `--`
    /// behind it and, if `assigns`, an assignment.
    fn operand(&mut self, assigns: bool) -> ExprId {
        let start = self.span();
        match self.kind() {
            TokenKind::Integer | TokenKind::Float => self.number(start),
            TokenKind::String => {
                self.bump();
                let value = literal::string(self.text(start));
                let symbol = self.ast.intern(&value);
                self.ast.add_expr(ExprKind::String(symbol), start)
            }
            TokenKind::Less => self.vector(),
            TokenKind::LeftBracket => {
                self.bump();
                let elements = self.arguments(TokenKind::RightBracket, "`]`");
                let span = self.since(start);
                self.ast.add_expr(ExprKind::List(elements), span)
            }
            TokenKind::Print => {
                self.bump();
                if !self.expect(TokenKind::LeftParen, "`(`") {
                    return self.error_expr();
                }
                let operand = self.enclosed();
                self.expect(TokenKind::RightParen, "`)`");
                let span = self.since(start);
                self.ast.add_expr(ExprKind::Print(operand), span)
            }
            TokenKind::Name => self.named(assigns),
            _ => {
                self.expected("an expression");
                self.error_expr()
            }
        }
    }

    /// The number at the current token; `start` includes a minus before it.
    fn number(&mut self, start: Span) -> ExprId {
        let token = self.span();
        let kind = self.kind();
        self.bump();
        let negative = start != token;
        let text = self.text(token);
        let span = start.to(token);
        if kind == TokenKind::Float {
            let value = literal::float(text);
            let value = if negative { -value } else { value };
            return self.ast.add_expr(ExprKind::Float(value), span);
        }
        let (value, lossy) = literal::integer(text, negative);
        let value = if negative {
            value.wrapping_neg()
        } else {
            value
        };
        if lossy {
            self.report(
                Diagnostic::warning(
                    code::INTEGER_RANGE,
                    format!("`{text}` does not fit into 32 bits"),
                )
                .at(span)
                .saying(format!("the script will hold {value}")),
            );
        }
        self.ast.add_expr(ExprKind::Integer(value), span)
    }

    /// A variable or a component of one: the parser is at a name.
    fn place(&mut self) -> ExprId {
        let start = self.span();
        self.bump();
        let base = self.name(start);
        if self.kind() != TokenKind::Period {
            return self.ast.add_expr(ExprKind::Name(base), start);
        }
        self.bump();
        let Some(field) = self.expect_name("a component") else {
            return self.error_expr();
        };
        let span = self.since(start);
        self.ast.add_expr(ExprKind::Member { base, field }, span)
    }

    fn named(&mut self, assigns: bool) -> ExprId {
        let start = self.span();
        let expr = if self.kind_ahead(1) == TokenKind::LeftParen {
            self.bump();
            let function = self.name(start);
            self.bump();
            let arguments = self.arguments(TokenKind::RightParen, "`)`");
            let kind = ExprKind::Call {
                function,
                arguments,
            };
            let span = self.since(start);
            let call = self.ast.add_expr(kind, span);
            return self.no_suffix(call);
        } else if matches!(self.kind_ahead(1), TokenKind::Name | TokenKind::Default)
            && self.words.contains(&self.text(start))
        {
            self.bump();
            let word = self.name(start);
            let at = self.span();
            self.bump();
            let name = self.name(at);
            return self
                .ast
                .add_expr(ExprKind::Word { word, name }, start.to(at));
        } else {
            self.place()
        };
        let by = match self.kind() {
            TokenKind::PlusPlus => 1,
            TokenKind::MinusMinus => -1,
            kind => {
                return match assignment(kind) {
                    Some(op) if assigns => self.assign(expr, op),
                    _ => self.no_suffix(expr),
                };
            }
        };
        self.bump();
        let kind = ExprKind::Step {
            place: expr,
            by,
            postfix: true,
        };
        let span = self.since(start);
        self.ast.add_expr(kind, span)
    }

    fn assign(&mut self, place: ExprId, op: Option<BinaryOp>) -> ExprId {
        self.bump();
        let value = self.expression();
        let span = self.expr_span(place).to(self.expr_span(value));
        self.ast
            .add_expr(ExprKind::Assign { op, place, value }, span)
    }

    /// Refuses `.x` and `[i]` behind what cannot have them.
    fn no_suffix(&mut self, expr: ExprId) -> ExprId {
        let at = self.span();
        match self.kind() {
            TokenKind::Period => {
                self.bump();
                self.eat(TokenKind::Name);
                self.report(
                    Diagnostic::error(
                        code::MEMBER_OF_VALUE,
                        "components are taken from variables only",
                    )
                    .at(self.since(at))
                    .label(self.expr_span(expr), "this is not the name of a variable")
                    .help("store the value in a variable first"),
                );
            }
            TokenKind::LeftBracket => {
                self.skip_group();
                self.report(
                    Diagnostic::error(code::SUBSCRIPT, "LSL has no subscripts")
                        .at(self.since(at))
                        .help("read an element with `llList2Integer(list, index)` and its kin")
                        .help("replace one with `llListReplaceList(list, [value], index, index)`"),
                );
            }
            _ => return expr,
        }
        let span = self.since(self.expr_span(expr));
        self.ast.add_expr(ExprKind::Error, span)
    }

    /// Expressions up to `close`, which is taken.
    fn arguments(&mut self, close: TokenKind, what: &str) -> Box<[ExprId]> {
        let mut arguments = Vec::new();
        if self.eat(close) {
            return arguments.into();
        }
        loop {
            arguments.push(self.enclosed());
            if self.lost || !self.eat(TokenKind::Comma) {
                break;
            }
        }
        self.expect(close, &format!("`,` or {what}"));
        arguments.into()
    }

    /// `<x, y, z>` or `<x, y, z, s>`, the parser being at the `<`.
    fn vector(&mut self) -> ExprId {
        let start = self.span();
        self.bump();
        let outer = self.component;
        let mut parts = Vec::with_capacity(4);
        loop {
            self.component = if parts.len() < 2 {
                Component::Early
            } else {
                Component::Last
            };
            parts.push(self.expression());
            if self.lost || parts.len() == 4 || !self.eat(TokenKind::Comma) {
                break;
            }
        }
        self.component = outer;
        self.close_vector();
        let span = self.since(start);
        let kind = match *parts {
            [x, y, z] => ExprKind::Vector([x, y, z]),
            [x, y, z, s] => ExprKind::Rotation([x, y, z, s]),
            _ => {
                self.error(
                    Diagnostic::error(
                        code::VECTOR_PARTS,
                        "a vector has three components and a rotation four",
                    )
                    .at(span),
                );
                ExprKind::Error
            }
        };
        self.ast.add_expr(kind, span)
    }

    fn close_vector(&mut self) {
        if self.kind() == TokenKind::ShiftRight {
            let span = self.span();
            self.report(
                Diagnostic::error(code::UNEXPECTED, "`>>` is the shift operator")
                    .at(span)
                    .saying("two vectors end here")
                    .fix_it(span, "> >", "write a space between them"),
            );
            self.bump_half();
            return;
        }
        self.expect(TokenKind::Greater, "`,` or `>`");
    }
}
