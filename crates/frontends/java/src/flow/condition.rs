//! Conditions: where control goes if they hold, and if they do not.

use source::Span;

use super::{Flow, Val};
use crate::code::{Label, Op, Ref, Test, Value};
use crate::tree::{Expr, ExprKind};

/// Where control goes if a condition holds, and if it does not.
type Ways = (Option<Label>, Option<Label>);

impl<'a> Flow<'a, '_> {
    /// Goes on to one of two labels by a condition.
    pub(super) fn branch(&mut self, test: &'a Expr) -> Ways {
        let span = test.span;
        match &test.kind {
            ExprKind::Bool(true) => (self.here, None),
            ExprKind::Bool(false) => (None, self.here),
            ExprKind::Not(inner) => {
                let (yes, no) = self.branch(inner);
                (no, yes)
            }
            ExprKind::And(both) => {
                let (yes, no) = self.branch(&both[0]);
                self.here = yes;
                let (yes, other) = self.branch(&both[1]);
                (yes, self.joined([no, other], span))
            }
            ExprKind::Or(both) => {
                let (yes, no) = self.branch(&both[0]);
                self.here = no;
                let (other, no) = self.branch(&both[1]);
                (self.joined([yes, other], span), no)
            }
            ExprKind::Equal(positive, both) => {
                let (yes, no) = self.equal(&both[0], &both[1], span);
                if *positive { (yes, no) } else { (no, yes) }
            }
            ExprKind::InstanceOf(value, ty) => {
                let value = self.value(value, "");
                match (value, self.classes.named(&ty.name)) {
                    (Val::Reference(reference, ..), Some(class)) if ty.dimensions == 0 => {
                        let classes = self.classes;
                        let below = classes.ids().filter(|one| classes.is(*one, class));
                        self.tested(&Test::Is(reference, below.collect()), span)
                    }
                    _ => self.chosen(span),
                }
            }
            _ => match self.value(test, "") {
                Val::Flag(value) => self.flagged(value, span),
                Val::Reference(..) | Val::Data => self.chosen(span),
            },
        }
    }

    /// A condition that is not followed.
    fn chosen(&mut self, span: Span) -> Ways {
        self.choice(span, "this condition");
        self.tested(&Test::Chosen, span)
    }

    fn flagged(&mut self, value: Value, span: Span) -> Ways {
        match value {
            Value::Bool(true) => (self.here, None),
            Value::Bool(false) => (None, self.here),
            Value::Flag(variable) => self.tested(&Test::Flag(variable), span),
            _ => self.chosen(span),
        }
    }

    /// Two steps, of which one is taken.
    pub(super) fn tested(&mut self, test: &Test, span: Span) -> Ways {
        if self.here.is_none() {
            return (None, None);
        }
        let approximate = *test == Test::Chosen;
        let ways = [true, false].map(|holds| {
            let to = self.label(span);
            self.edge(Some(to), Op::Test(test.clone(), holds), span, approximate);
            Some(to)
        });
        (ways[0], ways[1])
    }

    fn equal(&mut self, left: &'a Expr, right: &'a Expr, span: Span) -> Ways {
        let (one, other) = self.two(left, right);
        match (one, other) {
            (Val::Reference(Ref::Null, ..), Val::Reference(Ref::Null, ..)) => (self.here, None),
            (Val::Reference(a, ..), Val::Reference(Ref::Null, ..))
            | (Val::Reference(Ref::Null, ..), Val::Reference(a, ..)) => {
                self.tested(&Test::Null(a), span)
            }
            (Val::Reference(a, ..), Val::Reference(b, ..)) if a == b => (self.here, None),
            (Val::Reference(a, ..), Val::Reference(b, ..)) => self.tested(&Test::Same(a, b), span),
            (Val::Flag(a), Val::Flag(b)) => {
                let (a_holds, a_fails) = self.flagged(a, span);
                self.here = a_holds;
                let (both, a_only) = self.flagged(b, span);
                self.here = a_fails;
                let (b_only, none) = self.flagged(b, span);
                let same = self.joined([both, none], span);
                (same, self.joined([a_only, b_only], span))
            }
            _ => self.chosen(span),
        }
    }

    /// The value of a condition, as a variable.
    pub(super) fn condition_value(&mut self, test: &'a Expr, name: &str) -> Val {
        let (yes, no) = self.branch(test);
        match (yes, no) {
            (None, None) => {
                self.here = None;
                return Val::Flag(Value::Bool(false));
            }
            (yes, None) => {
                self.here = yes;
                return Val::Flag(Value::Bool(true));
            }
            (None, no) => {
                self.here = no;
                return Val::Flag(Value::Bool(false));
            }
            _ => {}
        }
        let name = if name.is_empty() { "condition" } else { name };
        let variable = self.variable(name, true);
        let ends = [(yes, true), (no, false)].map(|(from, holds)| {
            self.here = from;
            self.step(Op::Set(variable, Value::Bool(holds)), test.span);
            self.here
        });
        self.here = self.joined(ends, test.span);
        Val::Flag(Value::Flag(variable))
    }
}
