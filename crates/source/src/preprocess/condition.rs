//! The conditions of `#if`: integer expressions in which names that are no macros are 0.

use crate::span::Span;

use super::Preprocessor;
use crate::token::{Token, TokenKind};

/// How deep conditions may nest.
const MAX_DEPTH: usize = 100;

const LEVELS: &[&[&str]] = &[
    &["||"],
    &["&&"],
    &["|"],
    &["^"],
    &["&"],
    &["==", "!="],
    &["<", "<=", ">", ">="],
    &["<<", ">>"],
    &["+", "-"],
    &["*", "/", "%"],
];

impl Preprocessor<'_, '_> {
    /// Whether the condition holds; a bad one is reported and does not.
    pub(super) fn holds(&mut self, line: &[Token], whole: Span) -> bool {
        let mut tokens = Vec::new();
        let mut at = 0;
        while at < line.len() {
            if !line[at].is_word("defined") {
                tokens.push(line[at].clone());
                at += 1;
                continue;
            }
            let (name, length) = match &line[at + 1..] {
                [open, name, close, ..] if open.is("(") && close.is(")") => (Some(name), 4),
                [name, ..] => (Some(name), 2),
                [] => (None, 1),
            };
            let known = name.is_some_and(|name| self.macros.contains_key(&name.text));
            let mut number = line[at].clone();
            number.kind = TokenKind::Number;
            number.text = if known { "1" } else { "0" }.into();
            tokens.push(number);
            at += length;
        }
        let tokens = self.expand(tokens);
        let mut reader = Reader {
            tokens: &tokens,
            at: 0,
        };
        match reader.level(0, 0) {
            Some(value) if reader.at == tokens.len() => value != 0,
            _ => {
                self.error(
                    self.dialect.directive,
                    whole,
                    "the condition cannot be evaluated",
                );
                false
            }
        }
    }
}

struct Reader<'a> {
    tokens: &'a [Token],
    at: usize,
}

impl Reader<'_> {
    fn accept(&mut self, text: &str) -> bool {
        let found = self.tokens.get(self.at).is_some_and(|t| t.is(text));
        self.at += usize::from(found);
        found
    }

    fn level(&mut self, level: usize, depth: usize) -> Option<i64> {
        if depth > MAX_DEPTH {
            return None;
        }
        let Some(operators) = LEVELS.get(level) else {
            return self.operand(depth);
        };
        let mut left = self.level(level + 1, depth)?;
        while let Some(operator) = operators.iter().find(|o| self.accept(o)) {
            let right = self.level(level + 1, depth)?;
            left = apply(operator, left, right)?;
        }
        Some(left)
    }

    fn operand(&mut self, depth: usize) -> Option<i64> {
        if self.accept("!") {
            return Some(i64::from(self.below(depth)? == 0));
        }
        if self.accept("-") {
            return self.below(depth)?.checked_neg();
        }
        if self.accept("~") {
            return Some(!self.below(depth)?);
        }
        if self.accept("(") {
            let value = self.level(0, depth + 1)?;
            return self.accept(")").then_some(value);
        }
        let token = self.tokens.get(self.at)?;
        self.at += 1;
        match token.kind {
            TokenKind::Number => token.text.parse().ok(),
            TokenKind::Name => Some(0),
            _ => None,
        }
    }

    fn below(&mut self, depth: usize) -> Option<i64> {
        if depth > MAX_DEPTH {
            return None;
        }
        self.operand(depth + 1)
    }
}

fn apply(operator: &str, a: i64, b: i64) -> Option<i64> {
    Some(match operator {
        "||" => i64::from(a != 0 || b != 0),
        "&&" => i64::from(a != 0 && b != 0),
        "|" => a | b,
        "^" => a ^ b,
        "&" => a & b,
        "==" => i64::from(a == b),
        "!=" => i64::from(a != b),
        "<" => i64::from(a < b),
        "<=" => i64::from(a <= b),
        ">" => i64::from(a > b),
        ">=" => i64::from(a >= b),
        "<<" => a.checked_shl(u32::try_from(b).ok()?)?,
        ">>" => a.checked_shr(u32::try_from(b).ok()?)?,
        "+" => a.checked_add(b)?,
        "-" => a.checked_sub(b)?,
        "*" => a.checked_mul(b)?,
        "/" => a.checked_div(b)?,
        "%" => a.checked_rem(b)?,
        _ => return None,
    })
}
