//! What may go wrong where a value is worked out: no case holds, an index is outside of its array, a
//! divisor is zero, a word is shifted too far.
//!
//! As in NuSMV that is a mistake only where the value counts: `i < 3 & a[i] = 0` may look beyond
//! an array of three, since the other operand decides there; so may a definition that is used only
//! where `i < 3`. So what may go wrong is a doubt at first, with the conditions under which it
//! counts. Operands of `&`, `|` and `->` add to them, and what uses a definition adds those of its
//! own place. What is still in doubt when the whole expression is known is reported.

use model::ExprId;
use source::{Diagnostic, Span};

use super::check::Search;
use super::value::{Choices, Ty, Val};
use super::{Lowered, Lowering};
use crate::codes::rules;

/// Beyond so many doubts those of a definition are taken to count wherever it is used.
const MAX_DOUBTS: usize = 32;

/// Something that may go wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Doubt {
    what: Trouble,
    /// The conditions under which it counts.
    path: Vec<ExprId>,
    span: Span,
}

/// What may go wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Trouble {
    /// No case holds; whether one does.
    Cases(ExprId),
    /// A number is outside of bounds.
    Outside {
        number: ExprId,
        low: i128,
        high: i128,
        what: &'static str,
    },
    /// A divisor is zero.
    Zero(ExprId),
}

impl Lowering<'_, '_> {
    /// Notes what may go wrong here, if it can.
    fn doubt(&mut self, what: Trouble, span: Span) {
        let doubt = Doubt {
            what,
            path: self.path.clone(),
            span,
        };
        if self.objection(&doubt).is_some() {
            self.doubts.push(doubt);
        }
    }

    /// What is to be said of a doubt; nothing if nothing can go wrong.
    fn objection(&self, doubt: &Doubt) -> Option<Diagnostic> {
        let path = doubt.path.as_slice();
        let (search, code) = match &doubt.what {
            Trouble::Cases(any) => {
                let search = self.search_under(*any, path, &|value| value == 0);
                (search, rules::CASES)
            }
            Trouble::Outside {
                number, low, high, ..
            } => {
                let outside = |n: i128| n < *low || n > *high;
                (self.search_under(*number, path, &outside), rules::INDEX)
            }
            Trouble::Zero(divisor) => {
                let search = self.search_under(*divisor, path, &|n| n == 0);
                (search, rules::DIVISION)
            }
        };
        let at = match search {
            Search::Nowhere => return None,
            Search::Found(at) => Some(at),
            Search::TooMany => None,
        };
        let where_ = |before: &str| match &at {
            Some(at) if at.is_empty() => String::new(),
            Some(at) => format!("{before}{at}"),
            None => ": that cannot be excluded".to_owned(),
        };
        let message = match &doubt.what {
            Trouble::Cases(_) if at.is_none() => {
                "the cases cannot be shown to be exhaustive: there are too many values".to_owned()
            }
            Trouble::Cases(_) => {
                let at = where_(": none holds for ");
                format!("the cases are not exhaustive{at}")
            }
            Trouble::Outside {
                low, high, what, ..
            } => format!("{what} {low}..{high}{}", where_(", where ")),
            Trouble::Zero(_) => format!("the divisor can be zero{}", where_(", where ")),
        };
        let diagnostic = Diagnostic::error(code, message).at(doubt.span);
        Some(match doubt.what {
            Trouble::Cases(_) => diagnostic.help("add a last branch `TRUE : ...;`"),
            _ => diagnostic,
        })
    }

    /// Reports the first doubt that is left.
    pub(super) fn settle_doubts(&mut self) -> Lowered<()> {
        for doubt in std::mem::take(&mut self.doubts) {
            if let Some(diagnostic) = self.objection(&doubt) {
                return Err(self.report(diagnostic));
            }
        }
        Ok(())
    }

    /// Doubts since a number of them count only under more conditions; forgets those that do not
    /// count at all then.
    pub(super) fn doubts_count_if(&mut self, since: usize, conditions: &[ExprId]) {
        for mut doubt in self.doubts.split_off(since) {
            doubt.path.extend_from_slice(conditions);
            if self.objection(&doubt).is_some() {
                self.doubts.push(doubt);
            }
        }
    }

    /// Takes the doubts since a number of them, which are those of a definition.
    pub(super) fn take_doubts(&mut self, since: usize) -> Vec<Doubt> {
        let mut doubts = self.doubts.split_off(since);
        if doubts.len() > MAX_DOUBTS {
            for doubt in &mut doubts {
                doubt.path.clear();
            }
        }
        let mut different: Vec<Doubt> = Vec::new();
        for doubt in doubts {
            if !different.contains(&doubt) {
                different.push(doubt);
            }
        }
        different
    }

    /// Doubts of a definition that is used here.
    pub(super) fn doubts_of_used(&mut self, doubts: &[Doubt]) {
        let path = self.path.clone();
        let since = self.doubts.len();
        self.doubts.extend_from_slice(doubts);
        self.doubts_count_if(since, &path);
    }

    /// Of operands of which each can decide alone, doubts of one count only where the others leave
    /// it open. Where each operand's doubts begin is in `since`; `all` says whether all have to
    /// hold, or one.
    pub(super) fn operands_decide(&mut self, since: &[usize], operands: &[ExprId], all: bool) {
        let first = since.first().copied().unwrap_or(self.doubts.len());
        if first == self.doubts.len() {
            return;
        }
        let open: Vec<ExprId> = match all {
            true => operands.to_vec(),
            false => operands.iter().map(|&operand| self.not(operand)).collect(),
        };
        let mut by_operand = Vec::new();
        for &begin in since.iter().rev() {
            by_operand.push(self.doubts.split_off(begin));
        }
        for (number, doubts) in by_operand.into_iter().rev().enumerate() {
            let others = (0..).zip(&open).filter(|(other, _)| *other != number);
            let others: Vec<ExprId> = others.map(|(_, &open)| open).collect();
            let begin = self.doubts.len();
            self.doubts.extend(doubts);
            self.doubts_count_if(begin, &others);
        }
    }

    /// Whether one of the conditions always holds.
    pub(super) fn check_exhaustive(&mut self, conditions: &[ExprId], span: Span) {
        let any = self.any(conditions.to_vec());
        let holds = self.program.exprs.constant(any).map(model::Value::truth);
        if holds != Some(true) {
            self.doubt(Trouble::Cases(any), span);
        }
    }

    /// Whether a number is never outside of bounds.
    fn check_bounds(&mut self, number: Val, bounds: (i128, i128), what: &'static str, span: Span) {
        let (low, high) = bounds;
        let range = self.range_of(number.id);
        if range.is_none_or(|(least, greatest)| least < low || greatest > high) {
            let number = number.id;
            let outside = Trouble::Outside {
                number,
                low,
                high,
                what,
            };
            self.doubt(outside, span);
        }
    }

    pub(super) fn check_index(
        &mut self,
        index: Val,
        low: i64,
        high: i64,
        span: Span,
    ) -> Lowered<()> {
        if !matches!(index.ty, Ty::Int | Ty::Word { .. }) {
            let message = format!("an index that is {}", self.type_name(index.ty));
            return Err(self.error(rules::TYPES, span, message));
        }
        let index = self.as_index(index);
        let what = "the index can be outside of the array's";
        self.check_bounds(index, (low.into(), high.into()), what, span);
        Ok(())
    }

    pub(super) fn check_shift(&mut self, count: Val, bits: u16, span: Span) {
        let what = "the word can be shifted by a number outside of";
        self.check_bounds(count, (0, bits.into()), what, span);
    }

    /// What to divide by: where it would be zero, which counts nowhere, something else.
    pub(super) fn divisor(&mut self, divisor: Val, span: Span) -> Val {
        if let Some((low, high)) = self.range_of(divisor.id)
            && (low > 0 || high < 0)
        {
            return divisor;
        }
        let before = self.doubts.len();
        let path = std::mem::take(&mut self.path);
        self.doubt(Trouble::Zero(divisor.id), span);
        self.path = path;
        if self.doubts.len() == before {
            return divisor;
        }
        let path = self.path.clone();
        self.doubts_count_if(before, &path);
        let ty = Self::model_type(divisor.ty);
        let zero = self.known(0, ty.clone());
        let one = self.known(1, ty.clone());
        let is_zero = self.same(divisor.id, zero);
        Val {
            id: self.if_then_else(is_zero, one, divisor.id, ty),
            ty: divisor.ty,
        }
    }

    /// Truth values of operands, if all are such.
    pub(super) fn truths(operands: &[Choices]) -> Option<Vec<ExprId>> {
        let truths = operands.iter().map(|operand| match operand {
            Choices::One(Val { id, ty: Ty::Bool }) => Some(*id),
            _ => None,
        });
        truths.collect()
    }
}
