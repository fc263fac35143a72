//! Expressions and formulas, by precedence climbing.

use std::rc::Rc;

use source::{Diagnostic, Span, TokenKind};

use super::stream::{MAX_DEPTH, Parsed, Parser};
use crate::ast::{
    BinaryOp, Bounds, Expr, ExprKind, Function, Quantifier, TemporalOp, UnaryOp, UntilOp,
};
use crate::codes::syntax as code;
use crate::limbs::{MAX_BITS, limbs};
use crate::token::is_name;

/// How tightly `->` binds; it alone goes to the right.
pub(super) const IMPLIES: u8 = 1;
/// Conditional expressions, between `<->` and `|`.
const CONDITIONAL: u8 = 3;
/// Until and its like, between `&` and comparisons.
const UNTIL: u8 = 6;
/// Comparisons: an operand of a temporal operator binds at least like this.
pub(super) const COMPARISON: u8 = 7;
/// Ranges: their ends bind tighter.
const RANGE: u8 = 10;
/// What binds tighter than the minus sign before an operand.
const CONCATENATE: u8 = 15;

/// Operators by their signs: how tightly they bind, and what they are.
const OPERATORS: &[(&str, u8, BinaryOp)] = &[
    ("->", IMPLIES, BinaryOp::Implies),
    ("<->", 2, BinaryOp::Iff),
    ("|", 4, BinaryOp::Or),
    ("xor", 4, BinaryOp::Xor),
    ("xnor", 4, BinaryOp::Xnor),
    ("&", 5, BinaryOp::And),
    ("=", COMPARISON, BinaryOp::Equal),
    ("!=", COMPARISON, BinaryOp::NotEqual),
    ("<", COMPARISON, BinaryOp::Less),
    ("<=", COMPARISON, BinaryOp::LessEqual),
    (">", COMPARISON, BinaryOp::Greater),
    (">=", COMPARISON, BinaryOp::GreaterEqual),
    ("in", 8, BinaryOp::In),
    ("union", 9, BinaryOp::Union),
    ("..", RANGE, BinaryOp::Range),
    ("<<", 11, BinaryOp::ShiftLeft),
    (">>", 11, BinaryOp::ShiftRight),
    ("+", 12, BinaryOp::Add),
    ("-", 12, BinaryOp::Subtract),
    ("*", 13, BinaryOp::Multiply),
    ("/", 13, BinaryOp::Divide),
    ("mod", 13, BinaryOp::Remainder),
    ("::", CONCATENATE, BinaryOp::Concatenate),
];

const UNTILS: &[(&str, UntilOp)] = &[
    ("U", UntilOp::Until),
    ("V", UntilOp::Releases),
    ("S", UntilOp::Since),
    ("T", UntilOp::Triggered),
];

const ALL: Option<Quantifier> = Some(Quantifier::All);
const SOME: Option<Quantifier> = Some(Quantifier::Some);

/// Temporal operators before an operand, and whether they have bounds: never, perhaps in
/// brackets, always.
const TEMPORAL: &[(&str, TemporalOp, HasBounds)] = &[
    ("X", TemporalOp::Next(None), HasBounds::Never),
    ("F", TemporalOp::Eventually(None), HasBounds::Perhaps),
    ("G", TemporalOp::Always(None), HasBounds::Perhaps),
    ("Y", TemporalOp::Yesterday, HasBounds::Never),
    ("Z", TemporalOp::WeakYesterday, HasBounds::Never),
    ("O", TemporalOp::Once, HasBounds::Perhaps),
    ("H", TemporalOp::Historically, HasBounds::Perhaps),
    ("EX", TemporalOp::Next(SOME), HasBounds::Never),
    ("AX", TemporalOp::Next(ALL), HasBounds::Never),
    ("EF", TemporalOp::Eventually(SOME), HasBounds::Never),
    ("AF", TemporalOp::Eventually(ALL), HasBounds::Never),
    ("EG", TemporalOp::Always(SOME), HasBounds::Never),
    ("AG", TemporalOp::Always(ALL), HasBounds::Never),
    ("EBF", TemporalOp::Eventually(SOME), HasBounds::Always),
    ("ABF", TemporalOp::Eventually(ALL), HasBounds::Always),
    ("EBG", TemporalOp::Always(SOME), HasBounds::Always),
    ("ABG", TemporalOp::Always(ALL), HasBounds::Always),
];

#[derive(Clone, Copy, PartialEq)]
enum HasBounds {
    Never,
    Perhaps,
    Always,
}

const FUNCTIONS: &[(&str, Function)] = &[
    ("count", Function::Count),
    ("abs", Function::Abs),
    ("min", Function::Min),
    ("max", Function::Max),
    ("bool", Function::Bool),
    ("toint", Function::ToInt),
    ("word1", Function::Word1),
    ("signed", Function::Signed),
    ("unsigned", Function::Unsigned),
    ("uwconst", Function::UnsignedConst),
    ("swconst", Function::SignedConst),
    ("extend", Function::Extend),
    ("resize", Function::Resize),
    ("sizeof", Function::SizeOf),
    ("READ", Function::Read),
    ("WRITE", Function::Write),
];

impl Parser<'_> {
    pub(super) fn expression(&mut self) -> Parsed<Expr> {
        let outside = std::mem::take(&mut self.no_until);
        let read = self.deeper(|parser| parser.climb(IMPLIES));
        self.no_until = outside;
        read
    }

    /// One end of a range.
    pub(super) fn bound(&mut self) -> Parsed<Expr> {
        self.deeper(|parser| parser.climb(RANGE + 1))
    }

    pub(super) fn make(&mut self, start: Span, kind: ExprKind) -> Parsed<Expr> {
        let mut expr = Expr {
            kind,
            span: self.since(start),
            depth: 0,
        };
        expr.depth = 1 + expr.children().iter().map(|e| e.depth).max().unwrap_or(0);
        if expr.depth > MAX_DEPTH {
            return Err(self.too_deep(MAX_DEPTH));
        }
        Ok(expr)
    }

    /// An expression of operators that bind at least so tightly.
    pub(super) fn climb(&mut self, least: u8) -> Parsed<Expr> {
        let start = self.peek(0).span;
        let mut left = self.operand()?;
        loop {
            let token = self.peek(0).clone();
            let known = matches!(token.kind, TokenKind::Punct | TokenKind::Name);
            if known && token.is("?") && CONDITIONAL >= least {
                self.next();
                let then = self.deeper(|parser| parser.climb(IMPLIES))?;
                self.expect(":")?;
                let otherwise = self.deeper(|parser| parser.climb(CONDITIONAL))?;
                let parts = (Box::new(left), Box::new(then), Box::new(otherwise));
                left = self.make(start, ExprKind::Conditional(parts.0, parts.1, parts.2))?;
                continue;
            }
            let until = UNTILS.iter().find(|(text, _)| token.is_word(text));
            if let Some((_, op)) = until.filter(|_| UNTIL >= least && !self.no_until) {
                self.next();
                let bounds = self.bracketed_bounds()?;
                let right = self.deeper(|parser| parser.climb(UNTIL + 1))?;
                let operands = (Box::new(left), Box::new(right));
                left = self.make(
                    start,
                    ExprKind::Until(*op, None, bounds, operands.0, operands.1),
                )?;
                continue;
            }
            let operator = OPERATORS
                .iter()
                .find(|(text, _, _)| token.is(text) || token.is_word(text));
            let Some(&(_, binds, op)) = operator.filter(|(_, binds, _)| known && *binds >= least)
            else {
                return Ok(left);
            };
            if self.at_suffix_implication() {
                return Ok(left);
            }
            self.next();
            if self.psl && op == BinaryOp::Equal {
                // PSL writes `==`, too.
                self.accept("=");
            }
            let tighter = if op == BinaryOp::Implies {
                binds
            } else {
                binds + 1
            };
            let right = self.deeper(|parser| parser.climb(tighter))?;
            left = self.join(start, op, left, right)?;
        }
    }

    /// Two operands; chains of an associative operator become one node.
    pub(super) fn join(
        &mut self,
        start: Span,
        op: BinaryOp,
        left: Expr,
        right: Expr,
    ) -> Parsed<Expr> {
        let associative = matches!(
            op,
            BinaryOp::And | BinaryOp::Or | BinaryOp::Add | BinaryOp::Union
        );
        if !associative {
            return self.make(start, ExprKind::Binary(op, Box::new(left), Box::new(right)));
        }
        let span = self.since(start);
        // Parentheses between its operands make no difference to an associative operator.
        let flat = |side: Expr| match side.kind {
            ExprKind::Chain(same, operands) if same == op => (operands, side.depth),
            _ => {
                let depth = side.depth + 1;
                (vec![side], depth)
            }
        };
        let (mut operands, left_depth) = flat(left);
        let (more, right_depth) = flat(right);
        operands.extend(more);
        let depth = left_depth.max(right_depth);
        if depth > MAX_DEPTH {
            return Err(self.too_deep(MAX_DEPTH));
        }
        Ok(Expr {
            kind: ExprKind::Chain(op, operands),
            span,
            depth,
        })
    }

    /// Bounds in brackets behind a temporal operator: `[2,5]`.
    fn bracketed_bounds(&mut self) -> Parsed<Option<Bounds>> {
        if !self.at("[") {
            return Ok(None);
        }
        self.next();
        let low = self.expression()?;
        self.expect(",")?;
        let high = self.expression()?;
        self.expect("]")?;
        Ok(Some(Bounds(Box::new(low), Box::new(high))))
    }

    fn operand(&mut self) -> Parsed<Expr> {
        let token = self.peek(0).clone();
        let start = token.span;
        if token.is("!") {
            self.next();
            let inner = self.deeper(Self::operand)?;
            return self.make(start, ExprKind::Unary(UnaryOp::Not, Box::new(inner)));
        }
        if token.is("-") {
            self.next();
            let inner = self.deeper(|parser| parser.climb(CONCATENATE))?;
            return match inner.kind {
                ExprKind::Int(n) => self.make(start, ExprKind::Int(-n)),
                kind => {
                    let inner = Expr { kind, ..inner };
                    self.make(start, ExprKind::Unary(UnaryOp::Minus, Box::new(inner)))
                }
            };
        }
        if token.kind == TokenKind::Name {
            let temporal = TEMPORAL.iter().find(|(text, _, _)| token.is_word(text));
            if let Some(&(_, op, has_bounds)) = temporal {
                self.next();
                let bounds = match has_bounds {
                    HasBounds::Never => None,
                    HasBounds::Perhaps => self.bracketed_bounds()?,
                    HasBounds::Always => {
                        let low = self.bound()?;
                        self.expect("..")?;
                        let high = self.bound()?;
                        Some(Bounds(Box::new(low), Box::new(high)))
                    }
                };
                let inner = self.deeper(|parser| parser.climb(COMPARISON))?;
                return self.make(start, ExprKind::Temporal(op, bounds, Box::new(inner)));
            }
            if (token.is_word("A") || token.is_word("E")) && self.peek(1).is("[") {
                return self.quantified_until();
            }
        }
        self.postfix()
    }

    /// `A [p U q]`, `E [p BU 1..3 q]`.
    fn quantified_until(&mut self) -> Parsed<Expr> {
        let token = self.next();
        let quantifier = if token.is_word("A") { ALL } else { SOME };
        self.next();
        // The `U` that is awaited belongs to the quantifier.
        let outside = std::mem::replace(&mut self.no_until, true);
        let left = self.deeper(|parser| parser.climb(IMPLIES));
        self.no_until = outside;
        let left = left?;
        let bounds = if self.accept("BU") {
            let low = self.bound()?;
            self.expect("..")?;
            let high = self.bound()?;
            Some(Bounds(Box::new(low), Box::new(high)))
        } else {
            self.expect("U")?;
            None
        };
        let right = self.expression()?;
        self.expect("]")?;
        let operands = (Box::new(left), Box::new(right));
        let kind = ExprKind::Until(UntilOp::Until, quantifier, bounds, operands.0, operands.1);
        self.make(token.span, kind)
    }

    /// An operand with what stands behind it: fields, indices, bits.
    fn postfix(&mut self) -> Parsed<Expr> {
        let start = self.peek(0).span;
        let mut expr = self.primary()?;
        loop {
            if self.at(".") {
                self.next();
                let token = self.peek(0).clone();
                let field = if token.kind == TokenKind::Number {
                    self.next();
                    crate::ast::Ident {
                        name: token.text,
                        span: token.span,
                    }
                } else {
                    self.name("the name of a part")?
                };
                expr = self.make(start, ExprKind::Field(Box::new(expr), field))?;
            } else if self.at("[") && !(self.psl && self.at_repetition()) {
                self.next();
                let index = self.expression()?;
                expr = if self.accept(":") {
                    let low = self.expression()?;
                    let parts = (Box::new(expr), Box::new(index), Box::new(low));
                    self.expect("]")?;
                    self.make(start, ExprKind::Bits(parts.0, parts.1, parts.2))?
                } else {
                    self.expect("]")?;
                    self.make(start, ExprKind::Index(Box::new(expr), Box::new(index)))?
                };
            } else {
                return Ok(expr);
            }
        }
    }

    /// What can be assigned to.
    pub(super) fn reference(&mut self) -> Parsed<Expr> {
        if !is_name(self.peek(0)) && !self.at_word("self") {
            return Err(self.unexpected("a variable"));
        }
        self.postfix()
    }

    fn primary(&mut self) -> Parsed<Expr> {
        let token = self.peek(0).clone();
        let start = token.span;
        match token.kind {
            TokenKind::Number if token.text.contains('_') => {
                self.next();
                let kind = self.word(&token.text, start);
                self.make(start, kind)
            }
            TokenKind::Number => {
                self.next();
                let value = token.text.parse::<i64>().ok().filter(|n| *n <= 1 << 32);
                if value.is_none() {
                    let message = format!("`{}` does not fit 32 bits", token.text);
                    self.number_error(start, message);
                }
                self.make(start, ExprKind::Int(value.unwrap_or(0)))
            }
            TokenKind::Punct if token.is("(") => {
                self.next();
                let mut inner = if self.psl {
                    self.psl_formula()?
                } else {
                    self.expression()?
                };
                self.expect(")")?;
                inner.span = self.since(start);
                Ok(inner)
            }
            TokenKind::Punct if token.is("{") => {
                self.next();
                let members = self.list("}")?;
                self.make(start, ExprKind::Set(members))
            }
            TokenKind::Punct if token.is("[") => {
                self.next();
                let members = self.list("]")?;
                self.make(start, ExprKind::Array(members))
            }
            TokenKind::Name => self.named(&token.text, start),
            _ => Err(self.unexpected("an expression")),
        }
    }

    /// Expressions with commas between them, up to the closing sign.
    fn list(&mut self, close: &str) -> Parsed<Vec<Expr>> {
        let mut members = vec![self.expression()?];
        while !self.accept(close) {
            if !self.accept(",") {
                return Err(self.unexpected(&format!("`,` or `{close}`")));
            }
            members.push(self.expression()?);
        }
        Ok(members)
    }

    fn named(&mut self, word: &Rc<str>, start: Span) -> Parsed<Expr> {
        match &**word {
            "TRUE" | "FALSE" => {
                self.next();
                self.make(start, ExprKind::Bool(&**word == "TRUE"))
            }
            "self" => {
                self.next();
                self.make(start, ExprKind::SelfRef)
            }
            "next" => {
                self.next();
                self.expect("(")?;
                let inner = self.expression()?;
                self.expect(")")?;
                self.make(start, ExprKind::Next(Box::new(inner)))
            }
            "case" => self.case(),
            "CONSTARRAY" if self.peek(1).is("(") => {
                self.next();
                self.expect("(")?;
                let ty = Box::new(self.type_or_typeof()?);
                self.expect(",")?;
                let value = Box::new(self.expression()?);
                self.expect(")")?;
                self.make(start, ExprKind::ConstantArray(ty, value))
            }
            _ => {
                let function = FUNCTIONS.iter().find(|(text, _)| *text == &**word);
                // `READ` and `WRITE` may be names, too.
                let is_called = |function: Function| {
                    let younger = matches!(function, Function::Read | Function::Write);
                    !younger || self.peek(1).is("(")
                };
                if let Some(&(_, function)) = function.filter(|(_, f)| is_called(*f)) {
                    self.next();
                    self.expect("(")?;
                    let arguments = self.list(")")?;
                    return self.make(start, ExprKind::Call(function, arguments));
                }
                if !is_name(self.peek(0)) {
                    return Err(self.unexpected("an expression"));
                }
                self.next();
                let replica = self.replicas.iter().rev().find(|(name, _)| name == word);
                if let Some((_, value)) = replica {
                    let value = value.clone();
                    return self.make(start, value);
                }
                self.make(start, ExprKind::Name(Rc::clone(word)))
            }
        }
    }

    fn case(&mut self) -> Parsed<Expr> {
        let start = self.next().span;
        let mut branches = Vec::new();
        while !self.accept("esac") {
            let condition = self.expression()?;
            self.expect(":")?;
            let value = self.expression()?;
            self.expect(";")?;
            branches.push((condition, value));
        }
        if branches.is_empty() {
            return Err(self.unexpected("a branch of `case`"));
        }
        self.make(start, ExprKind::Case(branches))
    }

    fn number_error(&mut self, span: Span, message: String) {
        self.diagnostics
            .push(Diagnostic::error(code::NUMBER, message).at(span));
    }

    /// A word constant: `0`, perhaps a sign, a base, perhaps a width, `_`, digits.
    fn word(&mut self, text: &str, span: Span) -> ExprKind {
        let (head, digits) = text.split_once('_').expect("the lexer saw an underscore");
        let signed = head.contains('s');
        let head = head[1..].trim_start_matches(['u', 's']);
        let (base, width) = head.split_at(1);
        let digits: String = digits.chars().filter(|c| *c != '_').collect();
        let (radix, per_digit) = match base.to_ascii_lowercase().as_str() {
            "b" => (2, 1),
            "o" => (8, 3),
            "h" => (16, 4),
            _ => (10, 0),
        };
        let implied = digits.len().saturating_mul(per_digit);
        let wanted = match width {
            "" => implied,
            _ => width.parse().unwrap_or(usize::MAX),
        };
        let bits = u16::try_from(wanted).unwrap_or(u16::MAX);
        // The minus sign of `-0sd4_8` stands outside, so that 8 itself must be readable.
        let limbs = match bits {
            1..=MAX_BITS => limbs(&digits, radix, bits),
            _ => None,
        };
        if limbs.is_none() {
            let message = match bits {
                0 => format!("`{text}` does not say how many bits it has"),
                1..=MAX_BITS => format!("`{text}` does not fit its {bits} bits"),
                _ => format!("`{text}` has more than {MAX_BITS} bits"),
            };
            self.number_error(span, message);
        }
        ExprKind::Word {
            bits: bits.clamp(1, MAX_BITS),
            signed,
            limbs: limbs.unwrap_or_default(),
        }
    }
}
