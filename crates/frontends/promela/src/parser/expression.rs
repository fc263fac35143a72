//! Expressions, by precedence climbing; in `ltl` blocks with the temporal operators.

use std::rc::Rc;

use source::{Diagnostic, Span};

use crate::ast::{BinaryOp, Expr, ExprKind, ProbeOp, Reference, UnaryOp};
use crate::codes::{lints, rules, syntax};
use crate::token::TokenKind;

use super::stream::{Failed, Parsed, Parser, is_name};

/// How deep a tree may get by chains of operators.
const MAX_TREE: u32 = 600;

/// Operators by their signs: how tightly they bind, and what they are.
const OPERATORS: &[(&str, u8, BinaryOp)] = &[
    ("||", 3, BinaryOp::Or),
    ("&&", 4, BinaryOp::And),
    ("|", 7, BinaryOp::BitOr),
    ("^", 8, BinaryOp::BitXor),
    ("&", 9, BinaryOp::BitAnd),
    ("==", 10, BinaryOp::Equal),
    ("!=", 10, BinaryOp::NotEqual),
    ("<", 11, BinaryOp::Less),
    ("<=", 11, BinaryOp::LessEqual),
    (">", 11, BinaryOp::Greater),
    (">=", 11, BinaryOp::GreaterEqual),
    ("<<", 12, BinaryOp::ShiftLeft),
    (">>", 12, BinaryOp::ShiftRight),
    ("+", 13, BinaryOp::Add),
    ("-", 13, BinaryOp::Subtract),
    ("*", 14, BinaryOp::Multiply),
    ("/", 14, BinaryOp::Divide),
    ("%", 14, BinaryOp::Remainder),
];

/// Operators that bind at least like this bind tighter than temporal ones.
const ABOVE_TEMPORAL: u8 = 7;

/// Temporal operators by their words.
const TEMPORAL: &[(&str, u8, BinaryOp)] = &[
    ("implies", 2, BinaryOp::Implies),
    ("equivalent", 2, BinaryOp::Iff),
    ("U", 6, BinaryOp::Until),
    ("until", 6, BinaryOp::Until),
    ("stronguntil", 6, BinaryOp::Until),
    ("W", 6, BinaryOp::WeakUntil),
    ("weakuntil", 6, BinaryOp::WeakUntil),
    ("V", 6, BinaryOp::Release),
    ("R", 6, BinaryOp::Release),
    ("release", 6, BinaryOp::Release),
];

const PREFIXES: &[(&str, UnaryOp)] = &[
    ("always", UnaryOp::Always),
    ("eventually", UnaryOp::Eventually),
    ("next", UnaryOp::Next),
    ("X", UnaryOp::Next),
];

impl Parser<'_> {
    pub(super) fn expression(&mut self) -> Parsed<Expr> {
        let first = self.operand()?;
        self.expression_from(first)
    }

    /// Goes on behind a first operand.
    pub(super) fn expression_from(&mut self, first: Expr) -> Parsed<Expr> {
        self.climb(first, 0)
    }

    fn climb(&mut self, mut left: Expr, least: u8) -> Parsed<Expr> {
        while let Some((tokens, binds, op)) = self.operator() {
            if binds < least {
                break;
            }
            for _ in 0..tokens {
                self.next();
            }
            let mut right = self.deeper(Self::operand)?;
            while let Some((_, next, _)) = self.operator() {
                if next <= binds {
                    break;
                }
                right = self.deeper(|parser| parser.climb(right, next))?;
            }
            let span = left.span.to(right.span);
            let depth = left.depth.max(right.depth) + 1;
            if depth > MAX_TREE {
                let message = format!("an expression of more than {MAX_TREE} operators in a row");
                self.error(syntax::TOO_DEEP, left.span.start_point(), message);
                return Err(Failed);
            }
            left = Expr {
                kind: ExprKind::Binary(op, Box::new(left), Box::new(right)),
                span,
                depth,
            };
        }
        Ok(left)
    }

    /// The operator that stands here: how many tokens it has, how it binds, what it is.
    fn operator(&self) -> Option<(usize, u8, BinaryOp)> {
        let token = self.peek(0);
        if self.formula {
            let close = |at: usize| !self.peek(at).spaced;
            if token.is("->") {
                return Some((1, 2, BinaryOp::Implies));
            }
            if token.is("<") && self.peek(1).is("->") && close(1) {
                return Some((2, 2, BinaryOp::Iff));
            }
            if token.kind == TokenKind::Name {
                let found = TEMPORAL.iter().find(|(word, ..)| *word == &*token.text);
                return found.map(|&(_, binds, op)| (1, binds, op));
            }
        }
        if token.kind != TokenKind::Punct {
            return None;
        }
        // A minus sign on a new line begins a new statement, as in SPIN.
        if token.is("-") && token.first_on_line && self.parentheses == 0 && !self.formula {
            return None;
        }
        let found = OPERATORS.iter().find(|(sign, ..)| *sign == &*token.text);
        found.map(|&(_, binds, op)| (1, binds, op))
    }

    /// An expression without operators on two operands outside of parentheses.
    pub(super) fn operand(&mut self) -> Parsed<Expr> {
        let start = self.here();
        let Some((tokens, ops)) = self.prefix() else {
            return self.primary();
        };
        for _ in 0..tokens {
            self.next();
        }
        let mut inner = self.deeper(Self::operand)?;
        if matches!(ops, [UnaryOp::Always | UnaryOp::Eventually | UnaryOp::Next]) {
            // `<> x == 1` can only mean one thing, although SPIN wants parentheses.
            inner = self.climb(inner, ABOVE_TEMPORAL)?;
        }
        for &op in ops.iter().rev() {
            inner = match (op, &inner.kind) {
                (UnaryOp::Minus, ExprKind::Number(n)) => self.expr(start, ExprKind::Number(-n), 0),
                _ => {
                    let depth = inner.depth + 1;
                    self.expr(start, ExprKind::Unary(op, Box::new(inner)), depth)
                }
            };
        }
        Ok(inner)
    }

    /// Operators that stand before an operand: how many tokens they have, and which they are.
    fn prefix(&self) -> Option<(usize, &'static [UnaryOp])> {
        let token = self.peek(0);
        if self.formula {
            let next = self.peek(1);
            if token.is("[") && next.is("]") {
                return Some((2, &[UnaryOp::Always]));
            }
            if token.is("<") && next.is(">") {
                return Some((2, &[UnaryOp::Eventually]));
            }
            if let Some((_, op)) = PREFIXES.iter().find(|(word, _)| token.is_word(word)) {
                return Some((1, std::slice::from_ref(op)));
            }
        }
        if token.is("!") {
            Some((1, &[UnaryOp::Not]))
        } else if token.is("!!") {
            Some((1, &[UnaryOp::Not, UnaryOp::Not]))
        } else if token.is("-") {
            Some((1, &[UnaryOp::Minus]))
        } else if token.is("--") {
            Some((1, &[UnaryOp::Minus, UnaryOp::Minus]))
        } else if token.is("~") {
            Some((1, &[UnaryOp::Complement]))
        } else {
            None
        }
    }

    pub(super) fn expr(&self, start: Span, kind: ExprKind, depth: u32) -> Expr {
        Expr {
            kind,
            span: self.since(start),
            depth,
        }
    }

    fn primary(&mut self) -> Parsed<Expr> {
        let token = self.peek(0).clone();
        let start = token.extent();
        match token.kind {
            TokenKind::Number => {
                self.next();
                let value = match token.text.strip_prefix("0x") {
                    Some(hex) => i64::from_str_radix(hex, 16).ok(),
                    None => token.text.parse().ok(),
                };
                let value = self.number_of_32_bits(value, &token.text, start);
                Ok(self.expr(start, ExprKind::Number(value), 0))
            }
            TokenKind::Punct if token.is("(") => {
                self.parentheses += 1;
                let inner = self.deeper(Self::parenthesised);
                self.parentheses -= 1;
                inner
            }
            TokenKind::Name => self.word(&token.text, start),
            _ => Err(self.unexpected("an expression")),
        }
    }

    /// What a number stands for; 2^31 may have a minus before it.
    fn number_of_32_bits(&mut self, value: Option<i64>, text: &str, span: Span) -> i64 {
        match value {
            Some(n) if n <= 1 << 31 => n,
            Some(n) if n < 1 << 32 => {
                let wrapped = n - (1 << 32);
                let message = format!("`{text}` does not fit an `int`: it stands for {wrapped}");
                self.diagnostics
                    .push(Diagnostic::warning(lints::WRAPPED, message).at(span));
                wrapped
            }
            _ => {
                self.error(
                    syntax::NUMBER,
                    span,
                    format!("`{text}` does not fit 32 bits"),
                );
                0
            }
        }
    }

    fn parenthesised(&mut self) -> Parsed<Expr> {
        let start = self.next().extent();
        let mut inner = self.expression()?;
        if self.accept("->") {
            let then = self.expression()?;
            self.expect(":")?;
            let otherwise = self.expression()?;
            let depth = inner.depth.max(then.depth).max(otherwise.depth) + 1;
            let parts = (Box::new(inner), Box::new(then), Box::new(otherwise));
            inner = self.expr(
                start,
                ExprKind::Conditional(parts.0, parts.1, parts.2),
                depth,
            );
        }
        self.expect(")")?;
        inner.span = self.since(start);
        Ok(inner)
    }

    fn word(&mut self, word: &str, start: Span) -> Parsed<Expr> {
        let probe = match word {
            "len" => Some(ProbeOp::Len),
            "full" => Some(ProbeOp::Full),
            "empty" => Some(ProbeOp::Empty),
            "nfull" => Some(ProbeOp::NotFull),
            "nempty" => Some(ProbeOp::NotEmpty),
            _ => None,
        };
        if let Some(op) = probe {
            self.next();
            self.expect("(")?;
            let channel = self.reference()?;
            self.expect(")")?;
            return Ok(self.expr(start, ExprKind::Probe(op, channel), 0));
        }
        match word {
            "run" => self.run(),
            "timeout" => {
                self.next();
                self.uses_timeout = true;
                Ok(self.expr(start, ExprKind::Timeout, 0))
            }
            "np_" => {
                self.next();
                Ok(self.expr(start, ExprKind::NonProgress, 0))
            }
            "enabled" => self.question(ExprKind::Enabled),
            "pc_value" => self.question(ExprKind::PcValue),
            "get_priority" => self.question(ExprKind::Priority),
            "c_expr" | "c_code" => {
                self.embedded_c();
                Ok(self.expr(start, ExprKind::Number(1), 0))
            }
            _ if !is_name(self.peek(0)) => Err(self.unexpected("an expression")),
            _ if self.at_remote() => self.remote(),
            _ => {
                let reference = self.reference()?;
                self.variable_or_poll(reference)
            }
        }
    }

    fn question(&mut self, make: fn(Box<Expr>) -> ExprKind) -> Parsed<Expr> {
        let start = self.next().extent();
        self.expect("(")?;
        let inner = self.deeper(Self::expression)?;
        self.expect(")")?;
        let depth = inner.depth + 1;
        Ok(self.expr(start, make(Box::new(inner)), depth))
    }

    fn run(&mut self) -> Parsed<Expr> {
        let start = self.next().extent();
        let process = self.name("a process type's name")?;
        self.expect("(")?;
        let mut arguments = Vec::new();
        while !self.accept(")") {
            arguments.push(self.deeper(Self::expression)?);
            if !self.accept(",") && !self.at(")") {
                return Err(self.unexpected("`,` or `)`"));
            }
        }
        let mut priority = None;
        if self.accept_word("priority") {
            priority = Some(Box::new(self.operand()?));
        }
        let depth = arguments.iter().map(|a| a.depth).max().unwrap_or(0) + 1;
        let kind = ExprKind::Run {
            process,
            arguments,
            priority,
        };
        Ok(self.expr(start, kind, depth))
    }

    /// A variable as an expression, or the poll of a channel.
    pub(super) fn variable_or_poll(&mut self, reference: Reference) -> Parsed<Expr> {
        let start = reference.span;
        if (self.at("?") || self.at("??")) && self.peek(1).is("[") {
            let anywhere = self.next().is("??");
            self.next();
            let fields = self.receive_fields()?;
            self.expect("]")?;
            let kind = ExprKind::Poll {
                channel: reference,
                fields,
                anywhere,
            };
            return Ok(self.expr(start, kind, 0));
        }
        Ok(self.expr(start, ExprKind::Reference(reference), 0))
    }

    pub(super) fn reference(&mut self) -> Parsed<Reference> {
        let start = self.here();
        let mut parts = Vec::new();
        loop {
            let name = self.name("a variable's name")?;
            self.uses_last |= &*name.name == "_last";
            let index = if self.at("[") {
                self.next();
                let formula = std::mem::take(&mut self.formula);
                let index = self.deeper(Self::expression);
                self.formula = formula;
                self.expect("]")?;
                Some(index?)
            } else {
                None
            };
            parts.push((name, index));
            if parts.len() > 50 {
                let message = "more than 50 fields in a row";
                self.error(rules::STRUCTURE, start, message);
                return Err(Failed);
            }
            if !self.accept(".") {
                break;
            }
        }
        Ok(Reference {
            parts,
            span: self.since(start),
        })
    }

    /// Whether a reference into another process begins here.
    pub(super) fn at_remote(&self) -> bool {
        let next = self.peek(1);
        if next.is("@") {
            return is_name(self.peek(0));
        }
        let known = self.processes.contains(&self.peek(0).text);
        known && (next.is("[") || next.is(":") && is_name(self.peek(2)))
    }

    fn remote(&mut self) -> Parsed<Expr> {
        let start = self.here();
        let process = self.name("a process type's name")?;
        let mut instance = None;
        if self.accept("[") {
            let formula = std::mem::take(&mut self.formula);
            let inner = self.deeper(Self::expression);
            self.formula = formula;
            instance = Some(Box::new(inner?));
            self.expect("]")?;
        }
        let depth = instance.as_ref().map_or(0, |e| e.depth + 1);
        if self.accept("@") {
            let label = self.name("a label")?;
            self.remote_labels
                .push((Rc::clone(&process.name), Rc::clone(&label.name)));
            return Ok(self.expr(
                start,
                ExprKind::RemoteLabel(process, instance, label),
                depth,
            ));
        }
        self.expect(":")?;
        let variable = self.reference()?;
        let kind = ExprKind::RemoteVariable(process, instance, variable);
        Ok(self.expr(start, kind, depth))
    }
}
