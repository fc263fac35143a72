//! The values of data variables, and of expressions over them.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::sync::Arc;

use super::beyond::Datum;
use super::error::InstantiateError;
use super::formula::{
    Comparison, Condition, DataId, Happening, Operand, Operation, Pattern, Patterns, Values,
};

/// What the variables around a formula stand for.
pub(super) struct Data<'v, S: Values> {
    values: &'v S,
    known: HashMap<DataId, Datum<S::Value>>,
    names: HashMap<DataId, Arc<str>>,
}

impl<'v, S: Values> Data<'v, S> {
    pub(super) fn new(values: &'v S) -> Self {
        Data {
            values,
            known: HashMap::new(),
            names: HashMap::new(),
        }
    }

    /// What variables stand for.
    pub(super) fn known(&self) -> &HashMap<DataId, Datum<S::Value>> {
        &self.known
    }

    /// Gives all variables other values; what they had is handed back.
    pub(super) fn replace(
        &mut self,
        known: HashMap<DataId, Datum<S::Value>>,
    ) -> HashMap<DataId, Datum<S::Value>> {
        std::mem::replace(&mut self.known, known)
    }

    /// Gives a variable a value; the one that it had is handed back.
    pub(super) fn set(
        &mut self,
        variable: DataId,
        name: &Arc<str>,
        datum: Datum<S::Value>,
    ) -> Option<Datum<S::Value>> {
        self.names.entry(variable).or_insert_with(|| name.clone());
        self.known.insert(variable, datum)
    }

    /// Gives a variable back what it had.
    pub(super) fn restore(&mut self, variable: DataId, outer: Option<Datum<S::Value>>) {
        match outer {
            Some(outer) => self.known.insert(variable, outer),
            None => self.known.remove(&variable),
        };
    }

    /// The value of an expression.
    pub(super) fn value(&self, operand: &Operand<S::Value>) -> Result<S::Value, InstantiateError> {
        match operand {
            Operand::Value(value) => Ok(value.clone()),
            Operand::Variable(variable) => match &self.known[variable] {
                Datum::Known(value) => Ok(value.clone()),
                _ => Err(self.unfollowed(*variable)),
            },
            Operand::Truth(_) => Err(InstantiateError::NoValue),
            Operand::Apply(Operation::If, operands) => {
                let [condition, then, otherwise] = &**operands else {
                    return Err(InstantiateError::NoValue);
                };
                self.value(if self.truth(condition)? {
                    then
                } else {
                    otherwise
                })
            }
            Operand::Apply(operation, operands) => self.compute(*operation, operands),
        }
    }

    fn compute(
        &self,
        operation: Operation,
        operands: &[Operand<S::Value>],
    ) -> Result<S::Value, InstantiateError> {
        let values: Result<Vec<S::Value>, _> = operands.iter().map(|o| self.value(o)).collect();
        let values = values?;
        let numbers: Option<Vec<i128>> = values.iter().map(|v| self.values.number(v)).collect();
        let result = match (operation, numbers.as_deref()) {
            (Operation::Add, Some([a, b])) => a.checked_add(*b),
            (Operation::Subtract, Some([a, b])) => a.checked_sub(*b),
            (Operation::Multiply, Some([a, b])) => a.checked_mul(*b),
            (Operation::Divide, Some([a, b])) if *b > 0 => a.checked_div_euclid(*b),
            (Operation::Remainder, Some([a, b])) if *b > 0 => a.checked_rem_euclid(*b),
            (Operation::Minimum, Some([a, b])) => Some(*a.min(b)),
            (Operation::Maximum, Some([a, b])) => Some(*a.max(b)),
            (Operation::Absolute, Some([a])) => a.checked_abs(),
            (Operation::Number, Some([a])) => Some(*a),
            _ => None,
        };
        let value = result.and_then(|number| self.values.like(values.first()?, number));
        value.ok_or(InstantiateError::NoValue)
    }

    fn truth(&self, operand: &Operand<S::Value>) -> Result<bool, InstantiateError> {
        if let Operand::Truth(condition) = operand {
            return self.condition(condition);
        }
        let value = self.value(operand)?;
        self.values.truth(&value).ok_or(InstantiateError::NoValue)
    }

    /// Whether a condition holds; its parts are looked at from left to right, as far as they matter.
    pub(super) fn condition(
        &self,
        condition: &Condition<S::Value>,
    ) -> Result<bool, InstantiateError> {
        match condition {
            Condition::Constant(holds) => Ok(*holds),
            Condition::Is(operand) => self.truth(operand),
            Condition::Not(p) => self.condition(p).map(|holds| !holds),
            Condition::And(ps) => {
                for p in ps.iter() {
                    if !self.condition(p)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            Condition::Or(ps) => {
                for p in ps.iter() {
                    if self.condition(p)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            Condition::Compare(how, a, b) => self.compare(*how, a, b),
        }
    }

    fn compare(
        &self,
        how: Comparison,
        a: &Operand<S::Value>,
        b: &Operand<S::Value>,
    ) -> Result<bool, InstantiateError> {
        let (a, b) = (self.datum(a)?, self.datum(b)?);
        if let (Datum::Known(a), Datum::Known(b)) = (&a, &b) {
            return Ok(how.holds(a, b, self.values.compare(a, b)));
        }
        let number = |value: &S::Value| self.values.number(value);
        let for_equality = matches!(how, Comparison::Equal | Comparison::Unequal);
        match a.against(&b, &number) {
            Some(Some(order)) => Ok(how.holds(&order, &Ordering::Equal, Some(order))),
            Some(None) if for_equality => Ok(how == Comparison::Unequal),
            _ => {
                let variable = a.variable().or_else(|| b.variable());
                Err(variable.map_or(InstantiateError::NoValue, |v| self.unfollowed(v)))
            }
        }
    }

    fn datum(&self, operand: &Operand<S::Value>) -> Result<Datum<S::Value>, InstantiateError> {
        match operand {
            Operand::Variable(variable) => Ok(self.known[variable].clone()),
            Operand::Apply(Operation::Number, operands) => match self.datum(&operands[0])? {
                Datum::Known(value) if self.values.number(&value).is_none() => {
                    Err(InstantiateError::NoValue)
                }
                datum => Ok(datum),
            },
            _ => self.value(operand).map(Datum::Known),
        }
    }

    fn unfollowed(&self, variable: DataId) -> InstantiateError {
        let name = self.names.get(&variable);
        InstantiateError::Unfollowed(name.map(ToString::to_string).unwrap_or_default())
    }

    /// Whether what happens is of this kind, and looks like this.
    pub(super) fn fits<E: Eq>(
        &self,
        happening: &Happening<E, S::Value>,
        event: &E,
        patterns: &[Pattern<S::Value>],
    ) -> bool {
        happening.event == *event
            && happening.args.len() >= patterns.len()
            && patterns
                .iter()
                .zip(&happening.args)
                .all(|(pattern, value)| self.matches(pattern, value))
    }

    /// Whether these actions happen, each once, and no others.
    pub(super) fn are_all<E: Eq>(
        &self,
        label: &[Happening<E, S::Value>],
        actions: &[(&E, Patterns<S::Value>)],
    ) -> bool {
        let all: Vec<&Happening<E, S::Value>> = label.iter().collect();
        label.len() == actions.len() && self.pair_up(&all, actions)
    }

    /// Whether each action has a happening of its own; there are as many of the ones as of the others.
    fn pair_up<E: Eq>(
        &self,
        left: &[&Happening<E, S::Value>],
        actions: &[(&E, Patterns<S::Value>)],
    ) -> bool {
        let Some(((event, patterns), rest)) = actions.split_first() else {
            return true;
        };
        (0..left.len()).any(|at| {
            self.fits(left[at], event, patterns) && {
                let mut others = left.to_vec();
                others.swap_remove(at);
                self.pair_up(&others, rest)
            }
        })
    }

    /// Patterns with what is computed in them replaced by its value.
    pub(super) fn settled(
        &self,
        patterns: &[Pattern<S::Value>],
    ) -> Result<Patterns<S::Value>, InstantiateError> {
        let one = |pattern: &Pattern<S::Value>| match pattern {
            Pattern::Computed(operand) => self.value(operand).map(Pattern::Value),
            Pattern::Term(functor, parts) => {
                Ok(Pattern::Term(functor.clone(), self.settled(parts)?))
            }
            other => Ok(other.clone()),
        };
        patterns.iter().map(one).collect()
    }

    fn matches(&self, pattern: &Pattern<S::Value>, value: &S::Value) -> bool {
        match pattern {
            Pattern::Any => true,
            // What occurs nowhere is no argument.
            Pattern::Variable(variable) => {
                matches!(&self.known[variable], Datum::Known(known) if known == value)
            }
            Pattern::Value(wanted) => wanted == value,
            Pattern::Computed(_) => unreachable!("it has been replaced by its value"),
            Pattern::Term(functor, patterns) => {
                self.values.term(value).is_some_and(|(name, args)| {
                    *name == **functor
                        && args.len() == patterns.len()
                        && patterns.iter().zip(&args).all(|(p, v)| self.matches(p, v))
                })
            }
        }
    }
}
