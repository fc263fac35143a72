//! What can go wrong beside the policy: one property for each kind of undefined behaviour that the
//! program could have.

use std::collections::BTreeMap;

use model::{Check, CheckId, Claim, ExprId, Property, Stmt};
use source::Span;

use super::Lowering;

/// A kind of undefined behaviour.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Kind {
    /// A failed `assert`.
    Assertion,
    /// Division by zero.
    Division,
    /// Signed arithmetic leaves its type.
    Overflow,
    /// A shift by a negative number, or by the width or more.
    Shift,
    /// An access outside of its object.
    Index,
    /// A null pointer is followed.
    Null,
    /// A pointer to an object that is gone is followed.
    Dangling,
    /// What was not allocated, or is gone, is freed.
    Free,
}

impl Kind {
    /// The name of its property, what is claimed, and what a failure means.
    fn words(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Kind::Assertion => ("assert", "no assertion fails", "an assertion fails"),
            Kind::Division => ("division", "nothing is divided by zero", "division by zero"),
            Kind::Overflow => (
                "overflow",
                "signed arithmetic stays within its type",
                "signed arithmetic overflows",
            ),
            Kind::Shift => (
                "shift",
                "shifts are by less than the width",
                "shift by a negative number, or by the width or more",
            ),
            Kind::Index => (
                "index",
                "accesses stay within their objects",
                "access outside of its object",
            ),
            Kind::Null => (
                "null",
                "no null pointer is followed",
                "a null pointer is followed",
            ),
            Kind::Dangling => (
                "dangling",
                "no pointer to what is gone is followed",
                "a pointer to an object that is gone is followed",
            ),
            Kind::Free => (
                "free",
                "only what was allocated is freed, and once",
                "what is freed was not allocated, or has been freed",
            ),
        }
    }
}

/// The checks that the program has.
pub(super) type Checks = BTreeMap<Kind, CheckId>;

impl Lowering<'_> {
    /// The check of a kind, of which there is now at least one.
    fn check(&mut self, kind: Kind) -> CheckId {
        if let Some(&check) = self.checks.get(&kind) {
            return check;
        }
        let (name, claim, failure) = kind.words();
        let check = self.program.add_check(Check {
            name: name.to_owned(),
            failure: failure.to_owned(),
            span: Span::NONE,
        });
        self.program.add_property(Property {
            name: name.to_owned(),
            text: claim.to_owned(),
            span: Span::NONE,
            claim: Claim::Check(check),
            trigger: None,
            observers: Vec::new(),
            assumptions: Vec::new(),
        });
        self.checks.insert(kind, check);
        check
    }

    /// The check fails under a condition, and the run goes on with a defined value.
    pub(super) fn report_if(&mut self, bad: ExprId, kind: Kind, span: Span) {
        if self.is_false(bad) || !self.is_live() {
            return;
        }
        let check = self.check(kind);
        let cond = self.pool().not(bad);
        self.emit(Stmt::Assert { cond, check, span });
    }

    /// The check fails under a condition, and nobody knows what follows then.
    pub(super) fn fail_if(&mut self, bad: ExprId, kind: Kind, span: Span) {
        if self.is_false(bad) || !self.is_live() {
            return;
        }
        let (yes, no) = self.branch(bad, span);
        self.start(yes);
        let all = self.pool().bool(true);
        self.report_if(all, kind, span);
        self.seal(span);
        let (_, _, failure) = kind.words();
        self.undefined(failure, span);
        self.start(no);
    }

    /// Where runs go that are not followed, everything fails.
    pub(super) fn finish_sink(&mut self) {
        let Some(sink) = self.sink else {
            return;
        };
        self.here = Some(sink);
        let never = self.pool().bool(false);
        for check in 0..self.program.checks.len() {
            self.emit(Stmt::Assert {
                cond: never,
                check: CheckId::new(check),
                span: Span::NONE,
            });
        }
        self.end(Span::NONE);
    }
}
