//! Sequences of PSL: regular expressions over states, as formulas of linear time.
//!
//! What all matches of a sequence must lead to is a formula by recursion over the sequence, as
//! long as only conditions on one state are repeated without bound: `{a; b[*]; c} |-> {d}` is
//! `a -> X (!b V (c -> d))` but for the letter that is shared. A sequence matches weakly if no
//! prefix of the run rules it out.

use source::Span;

use super::stream::{Parsed, Parser};
use crate::ast::{BinaryOp, Expr, ExprKind, TemporalOp, UntilOp};
use crate::codes::syntax as code;

/// How many expressions may be made by copying.
pub(super) const MAX_COPIED: usize = 20_000;

/// How often a sequence may be repeated by a number.
const MAX_REPEATS: u32 = 200;

/// A sequence.
#[derive(Clone, Debug)]
pub(super) enum Sere {
    /// Nothing.
    Empty,
    /// One state that satisfies a condition.
    Letter(Expr),
    /// One behind the other.
    Concat(Box<Sere>, Box<Sere>),
    /// One behind the other; the last state of the first is the first of the second.
    Fusion(Box<Sere>, Box<Sere>),
    Or(Box<Sere>, Box<Sere>),
    /// Any number of states that satisfy a condition.
    Star(Expr),
}

impl Sere {
    fn is_nullable(&self) -> bool {
        match self {
            Sere::Empty | Sere::Star(_) => true,
            Sere::Letter(_) | Sere::Fusion(..) => false,
            Sere::Concat(a, b) => a.is_nullable() && b.is_nullable(),
            Sere::Or(a, b) => a.is_nullable() || b.is_nullable(),
        }
    }

    /// How many parts it has.
    fn size(&self) -> usize {
        match self {
            Sere::Empty => 1,
            Sere::Letter(condition) | Sere::Star(condition) => condition.size(),
            Sere::Concat(a, b) | Sere::Fusion(a, b) | Sere::Or(a, b) => 1 + a.size() + b.size(),
        }
    }

    fn then(self, other: Sere) -> Sere {
        match (self, other) {
            (Sere::Empty, other) | (other, Sere::Empty) => other,
            (a, b) => Sere::Concat(Box::new(a), Box::new(b)),
        }
    }
}

/// Whether all matches must lead to something, or some match weakly.
#[derive(Clone, Copy, PartialEq)]
enum Mode {
    Every,
    Weakly,
}

impl Parser<'_> {
    /// What begins with a sequence: `{..} |-> {..}!`, `{..} |=> {..}`, `{..}(p)`, or it alone.
    pub(super) fn sequence_property(&mut self) -> Parsed<Expr> {
        let start = self.peek(0).span;
        let sequence = self.sequence()?;
        if self.accept("(") {
            let inner = self.psl(0)?;
            self.expect(")")?;
            return self.at_last(start, Mode::Every, &sequence, Some(inner));
        }
        if !self.at_suffix_implication() {
            return self.at_last(start, Mode::Weakly, &sequence, None);
        }
        let shared = self.peek(1).is("->");
        self.next();
        self.next();
        if !shared {
            self.next();
        }
        let start_of_right = self.peek(0).span;
        let right = self.sequence()?;
        let strong = self.accept("!");
        let right = if strong {
            let none = self.no_match(start_of_right, &right)?;
            self.negation(start_of_right, none)?
        } else {
            self.at_last(start_of_right, Mode::Weakly, &right, None)?
        };
        if shared {
            self.at_last(start, Mode::Every, &sequence, Some(right))
        } else {
            self.after(start, Mode::Every, &sequence, Some(right))
        }
    }

    /// Whether `|->` or `|=>` comes.
    pub(super) fn at_suffix_implication(&self) -> bool {
        self.at("|")
            && (self.peek(1).is("->") || self.peek(1).is("=") && self.peek(2).is(">"))
            && self.peek(0).span.end_point() == self.peek(1).span.start_point()
    }

    /// That no match of a sequence begins here.
    pub(super) fn no_match(&mut self, start: Span, sequence: &Sere) -> Parsed<Expr> {
        let never = self.make(start, ExprKind::Bool(false))?;
        self.at_last(start, Mode::Every, sequence, Some(never))
    }

    /// `{...}`
    pub(super) fn sequence(&mut self) -> Parsed<Sere> {
        self.expect("{")?;
        let mut whole = self.deeper(Self::repeated)?;
        while self.accept(";") {
            let next = self.deeper(Self::repeated)?;
            whole = whole.then(next);
        }
        self.expect("}")?;
        Ok(whole)
    }

    /// Whether a repetition such as `[*3]` comes.
    pub(super) fn at_repetition(&self) -> bool {
        let next = self.peek(1);
        self.at("[") && (next.is("*") || next.is("+") || next.is("=") || next.is("->"))
    }

    fn repeated(&mut self) -> Parsed<Sere> {
        let start = self.peek(0).span;
        let mut one = if self.at("{") {
            let mut whole = self.sequence()?;
            loop {
                if self.accept(":") {
                    let other = self.sequence()?;
                    whole = Sere::Fusion(Box::new(whole), Box::new(other));
                } else if self.accept("|") {
                    let other = self.sequence()?;
                    whole = Sere::Or(Box::new(whole), Box::new(other));
                } else if self.at("&") {
                    return Err(self.unexpected("`:`, `|`, `;` or `}` (`&` is not supported)"));
                } else {
                    break whole;
                }
            }
        } else if self.at_repetition() {
            let all = self.make(start, ExprKind::Bool(true))?;
            Sere::Letter(all)
        } else {
            Sere::Letter(self.climb(super::expression::IMPLIES)?)
        };
        while self.at_repetition() {
            self.next();
            let sign = self.next();
            let counted = !self.at("]");
            let (low, high) = if counted && !sign.is("+") {
                let low = self.count()?;
                let high = if !self.accept(":") {
                    Some(low)
                } else if self.accept("inf") {
                    None
                } else {
                    Some(self.count()?)
                };
                (low, high)
            } else {
                match &*sign.text {
                    "*" => (0, None),
                    "+" => (1, None),
                    _ => (1, Some(1)),
                }
            };
            self.expect("]")?;
            one = match &*sign.text {
                "*" | "+" => self.times(start, &one, low, high)?,
                _ => {
                    let Sere::Letter(condition) = &one else {
                        return Err(self.unexpected("a condition before it"));
                    };
                    let (here, other) = (self.copy(condition)?, self.copy(condition)?);
                    let not = self.negation(start, other)?;
                    let gap = Sere::Star(not);
                    let once = gap.clone().then(Sere::Letter(here));
                    let whole = self.times(start, &once, low, high)?;
                    if sign.is("=") { whole.then(gap) } else { whole }
                }
            };
        }
        Ok(one)
    }

    fn times(&mut self, start: Span, one: &Sere, low: u32, high: Option<u32>) -> Parsed<Sere> {
        if low.max(high.unwrap_or(0)) > MAX_REPEATS || high.is_some_and(|high| high < low) {
            let message = format!("a sequence is repeated at most {MAX_REPEATS} times");
            return Err(self.error(code::UNEXPECTED, start, message));
        }
        self.copied += one.size() * low.max(high.unwrap_or(0)) as usize;
        if self.copied > MAX_COPIED {
            return Err(self.too_large(start));
        }
        let mut whole = Sere::Empty;
        for _ in 0..low {
            whole = whole.then(one.clone());
        }
        match (high, one) {
            (Some(high), _) => {
                // Each further one is there or not, with all that follow.
                let mut rest = Sere::Empty;
                for _ in low..high {
                    let more = one.clone().then(rest);
                    rest = Sere::Or(Box::new(Sere::Empty), Box::new(more));
                }
                Ok(whole.then(rest))
            }
            (None, Sere::Letter(condition)) => {
                let condition = self.copy(condition)?;
                Ok(whole.then(Sere::Star(condition)))
            }
            (None, Sere::Star(_) | Sere::Empty) => Ok(one.clone()),
            (None, _) => {
                let message = "only one condition can be repeated without bound";
                Err(self.error(code::UNEXPECTED, start, message))
            }
        }
    }

    /// What follows a match holds in the state behind it; `None` is true.
    fn after(
        &mut self,
        start: Span,
        mode: Mode,
        sequence: &Sere,
        then: Option<Expr>,
    ) -> Parsed<Expr> {
        match sequence {
            Sere::Empty => self.or_true(start, then),
            Sere::Letter(condition) => {
                let condition = self.copy(condition)?;
                let then = match then {
                    Some(then) => Some(self.temporal(start, TemporalOp::Next(None), then)?),
                    None => None,
                };
                self.guarded(start, mode, condition, then)
            }
            Sere::Concat(a, b) => {
                let then = self.after(start, mode, b, then)?;
                self.after(start, mode, a, Some(then))
            }
            Sere::Fusion(a, b) => {
                let then = self.after(start, mode, b, then)?;
                self.at_last(start, mode, a, Some(then))
            }
            Sere::Or(a, b) => {
                let copy = self.copy_of(then.as_ref())?;
                let a = self.after(start, mode, a, copy)?;
                let b = self.after(start, mode, b, then)?;
                self.both(start, mode, a, b)
            }
            Sere::Star(condition) => {
                let condition = self.copy(condition)?;
                let then = self.or_true(start, then)?;
                self.repeat(start, mode, condition, then)
            }
        }
    }

    /// What follows a match of at least one state holds in its last state.
    fn at_last(
        &mut self,
        start: Span,
        mode: Mode,
        sequence: &Sere,
        then: Option<Expr>,
    ) -> Parsed<Expr> {
        match sequence {
            // It has no last state.
            Sere::Empty => self.make(start, ExprKind::Bool(mode == Mode::Every)),
            Sere::Letter(condition) => {
                let condition = self.copy(condition)?;
                self.guarded(start, mode, condition, then)
            }
            Sere::Concat(a, b) => {
                let alone = match b.is_nullable() {
                    true => {
                        let copy = self.copy_of(then.as_ref())?;
                        Some(self.at_last(start, mode, a, copy)?)
                    }
                    false => None,
                };
                let then = self.at_last(start, mode, b, then)?;
                let joined = self.after(start, mode, a, Some(then))?;
                match alone {
                    Some(alone) => self.both(start, mode, alone, joined),
                    None => Ok(joined),
                }
            }
            Sere::Fusion(a, b) => {
                let then = self.at_last(start, mode, b, then)?;
                self.at_last(start, mode, a, Some(then))
            }
            Sere::Or(a, b) => {
                let copy = self.copy_of(then.as_ref())?;
                let a = self.at_last(start, mode, a, copy)?;
                let b = self.at_last(start, mode, b, then)?;
                self.both(start, mode, a, b)
            }
            Sere::Star(condition) => {
                let (more, here) = (self.copy(condition)?, self.copy(condition)?);
                let last = self.guarded(start, mode, here, then)?;
                self.repeat(start, mode, more, last)
            }
        }
    }

    fn copy_of(&mut self, expr: Option<&Expr>) -> Parsed<Option<Expr>> {
        expr.map(|expr| self.copy(expr)).transpose()
    }

    fn or_true(&mut self, start: Span, expr: Option<Expr>) -> Parsed<Expr> {
        match expr {
            Some(expr) => Ok(expr),
            None => self.make(start, ExprKind::Bool(true)),
        }
    }

    /// If all matches count, both; if one is enough, one of them.
    fn both(&mut self, start: Span, mode: Mode, a: Expr, b: Expr) -> Parsed<Expr> {
        let op = match mode {
            Mode::Every => BinaryOp::And,
            Mode::Weakly => BinaryOp::Or,
        };
        self.join(start, op, a, b)
    }

    fn guarded(
        &mut self,
        start: Span,
        mode: Mode,
        condition: Expr,
        then: Option<Expr>,
    ) -> Parsed<Expr> {
        match (mode, then) {
            (Mode::Weakly, None) => Ok(condition),
            (Mode::Weakly, Some(then)) => self.join(start, BinaryOp::And, condition, then),
            (Mode::Every, then) => {
                let then = self.or_true(start, then)?;
                self.join(start, BinaryOp::Implies, condition, then)
            }
        }
    }

    /// After any number of states with a condition.
    fn repeat(&mut self, start: Span, mode: Mode, condition: Expr, then: Expr) -> Parsed<Expr> {
        match mode {
            Mode::Weakly => self.until(start, condition, then, false, false),
            Mode::Every => {
                let ends = self.negation(start, condition)?;
                let operands = (Box::new(ends), Box::new(then));
                self.make(
                    start,
                    ExprKind::Until(UntilOp::Releases, None, None, operands.0, operands.1),
                )
            }
        }
    }

    /// A copy of an expression; there may not be too many.
    pub(super) fn copy(&mut self, expr: &Expr) -> Parsed<Expr> {
        self.copied += expr.size();
        if self.copied > MAX_COPIED {
            return Err(self.too_large(expr.span));
        }
        Ok(expr.clone())
    }
}
