//! Expressions of tables, evaluated for one node.

use std::collections::HashMap;

use super::cases::{Cases, combine, constant, of_var, truth};
use super::{Net, Test, Value, VarId};
use crate::table::{Comparison, Expr};

/// What the words of an expression mean.
pub(super) struct Scope<'a> {
    pub(super) net: &'a Net,
    /// The node's own variables.
    pub(super) own: &'a HashMap<String, VarId>,
    /// Its settings.
    pub(super) settings: &'a HashMap<String, Value>,
    /// All flags.
    pub(super) flags: &'a HashMap<String, VarId>,
    /// What data inputs hold, where that is followed.
    pub(super) pin: &'a dyn Fn(&str) -> Option<Cases>,
    /// The marks of a name: each with the input that it belongs to.
    pub(super) marks: &'a HashMap<String, Vec<(usize, VarId)>>,
    /// The input that the signal came in by.
    pub(super) this: Option<usize>,
    pub(super) inputs: usize,
    pub(super) outputs: usize,
    /// What was assigned before, in the same line.
    pub(super) assigned: &'a HashMap<VarId, Option<Cases>>,
}

impl Scope<'_> {
    /// The value; none if it is not followed.
    pub(super) fn value(&self, expr: &Expr) -> Option<Cases> {
        let bool = |test: Test| {
            Some(vec![
                (test.clone(), Value::Bool(true)),
                (Test::not(test), Value::Bool(false)),
            ])
        };
        match expr {
            Expr::Int(number) => Some(constant(Value::Int(*number))),
            Expr::Bool(value) => Some(constant(Value::Bool(*value))),
            Expr::Word(word) => self.word(word),
            Expr::Pin(pin) => (self.pin)(pin),
            Expr::FlagOf(setting) => self.load(self.flag_of(setting)?),
            Expr::Mark(name) => self.load(self.mark(name)?),
            Expr::AllMarked(name, this_too) => {
                let marks = self.marks.get(name)?.iter();
                let marks = marks.filter(|(input, _)| *this_too || Some(*input) != self.this);
                bool(Test::all(marks.map(|(_, var)| Test::Is(*var, 1)).collect()))
            }
            Expr::NoneMarked(name) => {
                let marks = self.marks.get(name)?.iter();
                bool(Test::all(marks.map(|(_, var)| Test::Is(*var, 0)).collect()))
            }
            Expr::Inputs => Some(constant(Value::Int(self.inputs as i64))),
            Expr::Outputs => Some(constant(Value::Int(self.outputs as i64))),
            Expr::Not(inner) => bool(Test::not(truth(&self.value(inner)?)?)),
            Expr::And(a, b) => match (self.truth(a), self.truth(b)) {
                (Some(a), Some(b)) => bool(Test::and(a, b)),
                (Some(Test::Never), _) | (_, Some(Test::Never)) => bool(Test::Never),
                _ => None,
            },
            Expr::Or(a, b) => match (self.truth(a), self.truth(b)) {
                (Some(a), Some(b)) => bool(Test::any(vec![a, b])),
                (Some(Test::Always), _) | (_, Some(Test::Always)) => bool(Test::Always),
                _ => None,
            },
            Expr::Compare(comparison, a, b) => {
                let (a, b) = (self.value(a)?, self.value(b)?);
                combine(&a, &b, |a, b| {
                    Some(Value::Bool(match comparison {
                        Comparison::Equal => a == b,
                        Comparison::Different => a != b,
                        Comparison::Less => number(a)? < number(b)?,
                        Comparison::LessEqual => number(a)? <= number(b)?,
                    }))
                })
            }
            Expr::Add(a, b) => {
                let (a, b) = (self.value(a)?, self.value(b)?);
                let sum = |a: &_, b: &_| number(a)?.checked_add(number(b)?).map(Value::Int);
                combine(&a, &b, sum)
            }
            Expr::Sub(a, b) => {
                let (a, b) = (self.value(a)?, self.value(b)?);
                let difference = |a: &_, b: &_| number(a)?.checked_sub(number(b)?).map(Value::Int);
                combine(&a, &b, difference)
            }
        }
    }

    /// When a condition holds; none if that is not followed.
    pub(super) fn truth(&self, expr: &Expr) -> Option<Test> {
        truth(&self.value(expr)?)
    }

    /// A number that is known beforehand.
    pub(super) fn number(&self, expr: &Expr) -> Option<i64> {
        match self.value(expr)?.as_slice() {
            [(_, Value::Int(number))] => Some(*number),
            _ => None,
        }
    }

    fn word(&self, word: &str) -> Option<Cases> {
        if let Some(&var) = self.own.get(word) {
            return self.load(var);
        }
        if let Some(value) = self.settings.get(word) {
            return Some(constant(value.clone()));
        }
        if let Some(&var) = self.flags.get(word) {
            return self.load(var);
        }
        Some(constant(Value::Name(word.to_owned())))
    }

    fn load(&self, var: VarId) -> Option<Cases> {
        match self.assigned.get(&var) {
            Some(value) => value.clone(),
            None => Some(of_var(self.net, var)),
        }
    }

    /// The flag that a setting names.
    pub(super) fn flag_of(&self, setting: &str) -> Option<VarId> {
        match self.settings.get(setting)? {
            Value::Name(name) => self.flags.get(name).copied(),
            _ => None,
        }
    }

    /// The mark of the input that the signal came in by.
    pub(super) fn mark(&self, name: &str) -> Option<VarId> {
        let mut marks = self.marks.get(name)?.iter();
        let (_, var) = marks.find(|(input, _)| Some(*input) == self.this)?;
        Some(*var)
    }
}

fn number(value: &Value) -> Option<i64> {
    match value {
        Value::Int(number) => Some(*number),
        Value::Bool(value) => Some(i64::from(*value)),
        Value::Name(_) => None,
    }
}
