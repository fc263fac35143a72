//! Formulas of PSL (IEEE 1850), as far as NuSMV has them: they become formulas of SMV.
//!
//! Runs are infinite, so a weak `next` is a strong one. The precedences are those of NuSMV's
//! grammar, in which `always` reaches as far as it can. `abort`, `within` and `whilenot` have no
//! translation here.

use std::rc::Rc;

use source::{Span, Token, TokenKind};

use super::stream::{Failed, Parsed, Parser};
use crate::ast::{BinaryOp, Expr, ExprKind, Quantifier, TemporalOp, UnaryOp, UntilOp};
use crate::codes::syntax as code;

/// The levels of precedence, the loosest first.
const LOOSEST: u8 = 0;
const IMPLIES: u8 = 1;
const EVENTUALLY: u8 = 2;
const BEFORE: u8 = 3;
const UNTIL: u8 = 4;
const UNARY: u8 = 5;
const CONDITIONAL: u8 = 6;

/// Operators between formulas that are no temporal ones: sign, level, what it is.
const OPERATORS: &[(&str, u8, BinaryOp)] = &[
    ("->", IMPLIES, BinaryOp::Implies),
    ("<->", IMPLIES, BinaryOp::Iff),
    ("|", 9, BinaryOp::Or),
    ("xor", 10, BinaryOp::Xor),
    ("xnor", 10, BinaryOp::Xnor),
    ("&", 11, BinaryOp::And),
];

/// How many formulas a replicator may make.
const MAX_REPLICAS: i64 = 1000;

impl Parser<'_> {
    /// A formula of PSL.
    pub(super) fn psl_formula(&mut self) -> Parsed<Expr> {
        let outside = std::mem::replace(&mut self.psl, true);
        let read = self.psl(LOOSEST);
        self.psl = outside;
        read
    }

    /// A formula of operators that bind at least so tightly.
    pub(super) fn psl(&mut self, least: u8) -> Parsed<Expr> {
        self.deeper(|parser| parser.psl_here(least))
    }

    fn psl_here(&mut self, least: u8) -> Parsed<Expr> {
        let start = self.peek(0).span;
        let mut left = self.psl_operand()?;
        loop {
            let token = self.peek(0).clone();
            if token.is("?") && CONDITIONAL >= least {
                self.next();
                let then = self.psl(LOOSEST)?;
                self.expect(":")?;
                let otherwise = self.psl(CONDITIONAL)?;
                let parts = (Box::new(left), Box::new(then), Box::new(otherwise));
                left = self.make(start, ExprKind::Conditional(parts.0, parts.1, parts.2))?;
                continue;
            }
            let word = match &*token.text {
                "until" | "until_" if UNTIL >= least => UNTIL,
                "before" | "before_" if BEFORE >= least => BEFORE,
                "abort" => return Err(self.not_in_psl("abort")),
                _ => 0,
            };
            if word > 0 && token.kind == TokenKind::Name {
                self.next();
                let strong = self.bang();
                let overlapping = token.text.ends_with('_') || (strong && self.accept("_"));
                let right = self.psl(word + 1)?;
                left = if word == UNTIL {
                    self.until(start, left, right, strong, overlapping)?
                } else {
                    self.before(start, left, right, strong, overlapping)?
                };
                continue;
            }
            let double = (token.is("|") || token.is("&")) && self.is_doubled();
            let operator = OPERATORS
                .iter()
                .find(|(text, _, _)| token.is(text) || token.is_word(text));
            let Some(&(_, binds, op)) = operator else {
                return Ok(left);
            };
            // `||` and `&&` bind looser than `|`.
            let binds = match (double, op) {
                (true, BinaryOp::Or) => 7,
                (true, _) => 8,
                _ => binds,
            };
            if binds < least || self.at_suffix_implication() {
                return Ok(left);
            }
            self.next();
            if double {
                self.next();
            }
            let right = self.psl(binds + 1)?;
            left = self.join(start, op, left, right)?;
        }
    }

    /// Whether the next sign stands twice, without a blank.
    fn is_doubled(&self) -> bool {
        let (first, second) = (self.peek(0), self.peek(1));
        first.text == second.text && first.span.end_point() == second.span.start_point()
    }

    /// `!` that stands directly behind a word.
    fn bang(&mut self) -> bool {
        let adjacent = self.last_span().end_point() == self.peek(0).span.start_point();
        adjacent && self.accept("!")
    }

    fn not_in_psl(&mut self, what: &str) -> Failed {
        let message = format!("`{what}` of PSL is not supported");
        let span = self.peek(0).span;
        self.error(code::UNEXPECTED, span, message)
    }

    fn psl_operand(&mut self) -> Parsed<Expr> {
        let token = self.peek(0).clone();
        let start = token.span;
        if token.is("{") {
            return self.sequence_property();
        }
        if token.is("[") {
            return self.bracketed_until();
        }
        if token.kind != TokenKind::Name {
            return self.climb(super::expression::COMPARISON);
        }
        match &*token.text {
            "always" | "G" => {
                self.next();
                let inner = self.psl(LOOSEST)?;
                self.temporal(start, TemporalOp::Always(None), inner)
            }
            "never" => {
                self.next();
                if self.at("{") {
                    let sequence = self.sequence()?;
                    let inner = self.no_match(start, &sequence)?;
                    return self.temporal(start, TemporalOp::Always(None), inner);
                }
                let inner = self.psl(LOOSEST)?;
                let not = self.negation(start, inner)?;
                self.temporal(start, TemporalOp::Always(None), not)
            }
            "eventually" => {
                self.next();
                self.expect("!")?;
                let inner = if self.at("{") {
                    let sequence = self.sequence()?;
                    let none = self.no_match(start, &sequence)?;
                    self.negation(start, none)?
                } else {
                    self.psl(EVENTUALLY + 1)?
                };
                self.temporal(start, TemporalOp::Eventually(None), inner)
            }
            "F" => {
                self.next();
                let inner = self.psl(UNARY)?;
                self.temporal(start, TemporalOp::Eventually(None), inner)
            }
            "X" | "next" => self.next_times(),
            "next_a" | "next_e" => self.next_range(),
            "next_event" | "next_event_a" | "next_event_e" => self.next_event(),
            "forall" => self.replicated(),
            "within" | "within_" | "whilenot" | "whilenot_" => Err(self.not_in_psl(&token.text)),
            "AX" | "AF" | "AG" | "EX" | "EF" | "EG" => {
                self.next();
                let over = Some(match token.text.starts_with('A') {
                    true => Quantifier::All,
                    false => Quantifier::Some,
                });
                let op = match &token.text[1..] {
                    "X" => TemporalOp::Next(over),
                    "F" => TemporalOp::Eventually(over),
                    _ => TemporalOp::Always(over),
                };
                let inner = self.psl(UNARY)?;
                self.temporal(start, op, inner)
            }
            "A" | "E" if self.peek(1).is("[") => {
                self.next();
                self.next();
                let over = match &*token.text {
                    "A" => Quantifier::All,
                    _ => Quantifier::Some,
                };
                let left = self.psl(LOOSEST)?;
                self.expect("U")?;
                let right = self.psl(LOOSEST)?;
                self.expect("]")?;
                let operands = (Box::new(left), Box::new(right));
                let kind =
                    ExprKind::Until(UntilOp::Until, Some(over), None, operands.0, operands.1);
                self.make(start, kind)
            }
            _ => self.climb(super::expression::COMPARISON),
        }
    }

    /// `[p U q]`, `[p W q]`.
    fn bracketed_until(&mut self) -> Parsed<Expr> {
        let start = self.next().span;
        let left = self.psl(LOOSEST)?;
        let strong = self.accept("U");
        if !strong {
            self.expect("W")?;
        }
        let right = self.psl(LOOSEST)?;
        self.expect("]")?;
        self.until(start, left, right, strong, false)
    }

    /// `next p`, `next! p`, `X[3](p)`.
    fn next_times(&mut self) -> Parsed<Expr> {
        let token = self.next();
        let start = token.span;
        self.bang();
        if self.accept("[") {
            let count = self.count()?;
            self.expect("]")?;
            let inner = self.in_parentheses()?;
            return self.later(start, count, inner);
        }
        let least = if token.is_word("X") { UNARY } else { LOOSEST };
        let inner = self.psl(least)?;
        self.later(start, 1, inner)
    }

    /// `next_a[1:3](p)`: each time; `next_e`: once at least.
    fn next_range(&mut self) -> Parsed<Expr> {
        let token = self.next();
        let start = token.span;
        self.bang();
        let (low, high) = self.bounds_in_brackets()?;
        let inner = self.in_parentheses()?;
        let mut parts = Vec::new();
        for count in low..=high {
            let copy = self.copy(&inner)?;
            parts.push(self.later(start, count, copy)?);
        }
        self.several(start, token.is_word("next_a"), parts)
    }

    /// `next_event(b)(p)`, `next_event(b)[2](p)`, `next_event_a!(b)[1:2](p)`.
    fn next_event(&mut self) -> Parsed<Expr> {
        let token = self.next();
        let start = token.span;
        let strong = self.bang();
        let event = self.in_parentheses()?;
        let (low, high) = if !token.is_word("next_event") {
            self.bounds_in_brackets()?
        } else if self.accept("[") {
            let count = self.count()?;
            self.expect("]")?;
            (count, count)
        } else {
            (1, 1)
        };
        if low == 0 {
            return Err(self.error(code::UNEXPECTED, start, "events are counted from 1"));
        }
        let inner = self.in_parentheses()?;
        let mut parts = Vec::new();
        for count in low..=high {
            let mut formula = self.copy(&inner)?;
            for nth in 0..count {
                if nth > 0 {
                    formula = self.later(start, 1, formula)?;
                }
                // Nothing happens until the event comes, and then it holds.
                let (first, second) = (self.copy(&event)?, self.copy(&event)?);
                let not_yet = self.negation(start, first)?;
                let then = self.join(start, BinaryOp::And, second, formula)?;
                formula = self.until(start, not_yet, then, strong, false)?;
            }
            parts.push(formula);
        }
        self.several(start, !token.is_word("next_event_e"), parts)
    }

    /// `forall i in {1, 2:4}: p`: the conjunction.
    fn replicated(&mut self) -> Parsed<Expr> {
        let start = self.next().span;
        let name = self.name("the name of a replicated parameter")?;
        if self.at("[") {
            return Err(self.not_in_psl("forall with an index range"));
        }
        self.expect("in")?;
        let mut values = Vec::new();
        if self.accept("boolean") {
            values.extend([ExprKind::Bool(false), ExprKind::Bool(true)]);
        } else {
            self.expect("{")?;
            loop {
                let value = self.climb(super::expression::COMPARISON)?;
                if self.accept(":") {
                    let high = self.climb(super::expression::COMPARISON)?;
                    let (ExprKind::Int(low), ExprKind::Int(high)) = (&value.kind, &high.kind)
                    else {
                        return Err(self.not_in_psl("a range that is not constant"));
                    };
                    if high - low > MAX_REPLICAS {
                        return Err(self.too_large(start));
                    }
                    values.extend((*low..=*high).map(ExprKind::Int));
                } else {
                    values.push(value.kind);
                }
                if self.accept("}") {
                    break;
                }
                self.expect(",")?;
            }
        }
        self.expect(":")?;
        let body: Vec<Token> = (0..)
            .map(|ahead| self.peek(ahead).clone())
            .take_while(|token| !token.is(";") && token.kind != TokenKind::End)
            .take(super::sere::MAX_COPIED)
            .collect();
        let left = self.left();
        let mut parts = Vec::new();
        for value in values {
            let taken = left - self.left();
            self.prepend(body[..taken].to_vec());
            self.replicas.push((Rc::clone(&name.name), value));
            let part = self.psl(LOOSEST);
            self.replicas.pop();
            parts.push(part?);
            self.copied += left - self.left();
            if self.copied > super::sere::MAX_COPIED {
                return Err(self.too_large(start));
            }
        }
        self.several(start, true, parts)
    }

    fn in_parentheses(&mut self) -> Parsed<Expr> {
        self.expect("(")?;
        let inner = self.psl(LOOSEST)?;
        self.expect(")")?;
        Ok(inner)
    }

    /// A number of steps.
    pub(super) fn count(&mut self) -> Parsed<u32> {
        let token = self.peek(0).clone();
        let number = match token.kind {
            TokenKind::Number => token.text.parse().ok().filter(|n| *n <= 1000),
            _ => None,
        };
        match number {
            Some(number) => {
                self.next();
                Ok(number)
            }
            None => Err(self.unexpected("a number up to 1000")),
        }
    }

    fn bounds_in_brackets(&mut self) -> Parsed<(u32, u32)> {
        self.expect("[")?;
        let low = self.count()?;
        self.expect(":")?;
        let high = self.count()?;
        self.expect("]")?;
        if low > high {
            let span = self.peek(0).span;
            return Err(self.error(code::UNEXPECTED, span, "the range is empty"));
        }
        Ok((low, high))
    }

    pub(super) fn too_large(&mut self, span: Span) -> Failed {
        self.error(code::TOO_DEEP, span, "the formula becomes too large")
    }

    /// The conjunction or disjunction of some formulas, of which there is one.
    fn several(&mut self, start: Span, all: bool, parts: Vec<Expr>) -> Parsed<Expr> {
        let op = if all { BinaryOp::And } else { BinaryOp::Or };
        let mut parts = parts.into_iter();
        let mut result = parts
            .next()
            .ok_or_else(|| self.unexpected("at least one value"))?;
        for part in parts {
            result = self.join(start, op, result, part)?;
        }
        Ok(result)
    }

    pub(super) fn temporal(&mut self, start: Span, op: TemporalOp, inner: Expr) -> Parsed<Expr> {
        self.make(start, ExprKind::Temporal(op, None, Box::new(inner)))
    }

    pub(super) fn negation(&mut self, start: Span, inner: Expr) -> Parsed<Expr> {
        self.make(start, ExprKind::Unary(UnaryOp::Not, Box::new(inner)))
    }

    pub(super) fn later(&mut self, start: Span, count: u32, inner: Expr) -> Parsed<Expr> {
        let mut result = inner;
        for _ in 0..count {
            result = self.temporal(start, TemporalOp::Next(None), result)?;
        }
        Ok(result)
    }

    /// `left` holds until `right` does; with `overlapping` also then.
    pub(super) fn until(
        &mut self,
        start: Span,
        left: Expr,
        right: Expr,
        strong: bool,
        overlapping: bool,
    ) -> Parsed<Expr> {
        let right = if overlapping {
            let copy = self.copy(&left)?;
            self.join(start, BinaryOp::And, copy, right)?
        } else {
            right
        };
        let (op, left, right) = if strong {
            (UntilOp::Until, left, right)
        } else {
            // Weak until is a release: `right V (left | right)`.
            let copy = self.copy(&right)?;
            let either = self.join(start, BinaryOp::Or, left, copy)?;
            (UntilOp::Releases, right, either)
        };
        let operands = (Box::new(left), Box::new(right));
        self.make(
            start,
            ExprKind::Until(op, None, None, operands.0, operands.1),
        )
    }

    /// `left` holds before `right` does; with `overlapping` at the latest then.
    fn before(
        &mut self,
        start: Span,
        left: Expr,
        right: Expr,
        strong: bool,
        overlapping: bool,
    ) -> Parsed<Expr> {
        let first = if overlapping {
            left
        } else {
            let copy = self.copy(&right)?;
            let not = self.negation(start, copy)?;
            self.join(start, BinaryOp::And, left, not)?
        };
        let not_yet = self.negation(start, right)?;
        self.until(start, not_yet, first, strong, false)
    }
}
