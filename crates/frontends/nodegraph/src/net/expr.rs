//! Expressions of tables, evaluated for one node.

use std::cell::RefCell;
use std::collections::HashMap;

use super::cases::{Cases, Truth, combine, constant, each, of_var, truth, unknown};
use super::value::{Operation, complement, equal, less, less_or_equal, operate, wrapped};
use super::{Net, Test, Value, VarId};
use crate::table::{Comparison, Expr, Function};

/// What the words of an expression mean.
pub(super) struct Scope<'a> {
    pub(super) net: &'a Net,
    /// The node's own variables.
    pub(super) own: &'a HashMap<String, VarId>,
    /// Its settings.
    pub(super) settings: &'a HashMap<String, Cases>,
    /// All flags.
    pub(super) flags: &'a HashMap<String, VarId>,
    /// What data inputs hold.
    pub(super) pin: &'a dyn Fn(&str) -> Cases,
    /// The marks of a name: each with the input that it belongs to.
    pub(super) marks: &'a HashMap<String, Vec<(usize, VarId)>>,
    /// The input that the signal came in by.
    pub(super) this: Option<usize>,
    pub(super) inputs: usize,
    pub(super) outputs: usize,
    /// What was assigned before, in the same line.
    pub(super) assigned: &'a HashMap<VarId, Cases>,
    /// Words that turn out to mean nothing.
    pub(super) strange: &'a RefCell<Vec<String>>,
    /// Flags with bounds that have been read.
    pub(super) bounded: &'a RefCell<Vec<VarId>>,
}

impl Scope<'_> {
    /// The value.
    pub(super) fn value(&self, expr: &Expr) -> Cases {
        match expr {
            Expr::Int(number) => constant(Value::Int(*number)),
            Expr::Bool(value) => constant(Value::Bool(*value)),
            Expr::Word(word) => self.word(word),
            Expr::Pin(pin) => (self.pin)(pin),
            Expr::FlagOf(setting) => self.load(self.flag_of(setting)),
            Expr::Mark(name) => self.load(self.mark(name)),
            Expr::AllMarked(..)
            | Expr::NoneMarked(_)
            | Expr::Not(_)
            | Expr::And(..)
            | Expr::Or(..) => self.truth(expr).cases(),
            Expr::Inputs => constant(Value::Int(self.inputs as i64)),
            Expr::Outputs => constant(Value::Int(self.outputs as i64)),
            Expr::Compare(comparison, a, b) => {
                let (a, b) = self.compared(a, b);
                combine(&a, &b, |a, b| {
                    let holds = match comparison {
                        Comparison::Equal => equal(a, b),
                        Comparison::Different => equal(a, b).map(|same| !same),
                        Comparison::Less => less(a, b),
                        Comparison::LessEqual => less_or_equal(a, b),
                    };
                    holds.map_or(Value::Unknown, Value::Bool)
                })
            }
            Expr::Add(a, b) => self.operate(Operation::Add, a, b),
            Expr::Sub(a, b) => self.operate(Operation::Sub, a, b),
            Expr::Call(function, arguments) => match (function, arguments.as_slice()) {
                (Function::Operation(operation), [a, b]) => self.operate(*operation, a, b),
                (Function::Wrap, [a]) => each(&self.value(a), wrapped),
                (Function::Complement, [a]) => each(&self.value(a), complement),
                (Function::Between, [Expr::Int(low), Expr::Int(high)]) => {
                    let bounds = [*low, *high].map(|bound| i32::try_from(bound).map(f64::from));
                    match bounds {
                        [Ok(low), Ok(high)] => constant(Value::between(low, high)),
                        _ => unknown(),
                    }
                }
                _ => unknown(),
            },
        }
    }

    fn operate(&self, operation: Operation, a: &Expr, b: &Expr) -> Cases {
        let (a, b) = (self.value(a), self.value(b));
        combine(&a, &b, |a, b| operate(operation, a, b))
    }

    /// When a condition holds.
    pub(super) fn truth(&self, expr: &Expr) -> Truth {
        let marks = |name: &String| self.marks.get(name).into_iter().flatten();
        match expr {
            Expr::Not(inner) => self.truth(inner).not(),
            Expr::And(a, b) => Truth::and(&self.truth(a), &self.truth(b)),
            Expr::Or(a, b) => Truth::or(self.truth(a), self.truth(b)),
            Expr::AllMarked(name, this_too) => {
                let others = |(input, _): &&(usize, VarId)| *this_too || Some(*input) != self.this;
                let marks = marks(name).filter(others);
                let tests = marks.map(|(_, var)| Test::Is(*var, 1));
                Truth::known(Test::all(tests.collect()))
            }
            Expr::NoneMarked(name) => {
                let tests = marks(name).map(|(_, var)| Test::Is(*var, 0));
                Truth::known(Test::all(tests.collect()))
            }
            _ => truth(&self.value(expr)),
        }
    }

    /// A number that is known beforehand.
    pub(super) fn number(&self, expr: &Expr) -> Option<i64> {
        match self.value(expr).as_slice() {
            [(_, Value::Int(number))] => Some(*number),
            _ => None,
        }
    }

    /// The largest number that it may be, if that is known beforehand.
    pub(super) fn largest(&self, expr: &Expr) -> Option<i64> {
        let cases = self.value(expr);
        let numbers = cases.iter().map(|(_, value)| match value {
            Value::Int(number) => Some(*number),
            _ => None,
        });
        numbers.collect::<Option<Vec<i64>>>()?.into_iter().max()
    }

    /// Both sides of a comparison. A word that means nothing by itself is a name if what it is
    /// compared with is one.
    fn compared(&self, a: &Expr, b: &Expr) -> (Cases, Cases) {
        let name = |word: &Expr, other: &Expr| match (word, other) {
            (Expr::Word(word), Expr::Word(other)) => {
                let names = !self.has(word) && self.settings.contains_key(other);
                names.then(|| constant(Value::Name(word.clone())))
            }
            _ => None,
        };
        match (name(a, b), name(b, a)) {
            (Some(a), _) => (a, self.value(b)),
            (_, Some(b)) => (self.value(a), b),
            _ => (self.value(a), self.value(b)),
        }
    }

    /// Whether a word is a variable, a setting or a flag that is followed.
    fn has(&self, word: &str) -> bool {
        self.own.contains_key(word)
            || self.settings.contains_key(word)
            || self.flags.contains_key(word)
    }

    fn word(&self, word: &str) -> Cases {
        if let Some(&var) = self.own.get(word) {
            return self.load(Some(var));
        }
        if let Some(value) = self.settings.get(word) {
            return value.clone();
        }
        if let Some(&var) = self.flags.get(word) {
            return self.load(Some(var));
        }
        // It may be one of the values that some variable has; else nothing says what it is.
        let name = Value::Name(word.to_owned());
        if self.net.vars.iter().any(|var| var.values.contains(&name)) {
            return constant(name);
        }
        self.strange.borrow_mut().push(word.to_owned());
        unknown()
    }

    fn load(&self, var: Option<VarId>) -> Cases {
        let Some(var) = var else {
            return unknown();
        };
        if self.net.ranges.contains(&var) {
            self.bounded.borrow_mut().push(var);
        }
        match self.assigned.get(&var) {
            Some(value) => value.clone(),
            None => of_var(self.net, var),
        }
    }

    /// The flag that a setting names.
    pub(super) fn flag_of(&self, setting: &str) -> Option<VarId> {
        match self.settings.get(setting)?.as_slice() {
            [(_, Value::Name(name))] => self.flags.get(name).copied(),
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
