//! From a formula to a system: for the labels that there are.
//!
//! A quantifier becomes a conjunction or disjunction over its values, an action formula the set of
//! labels that satisfy it, a regular formula modalities and fixpoints (`[R*] p` is
//! `nu X. (p && [R] X)`), a negation the dual.

use std::collections::HashMap;
use std::hash::Hash;

use thiserror::Error;

use super::system::{NodeId, System};
use super::{
    Action, Binder, Condition, DataId, Domain, Happening, Label, Mu, Operand, Pattern, Regular,
    StateSetId, Values,
};
use crate::mu::Node;

/// Formulas and values that are tried before a formula is given up.
const MOST: usize = 1 << 20;

/// Why there is no system.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum InstantiateError {
    /// Quantifiers over many values inside each other.
    #[error("the quantifiers of the formula have too many values")]
    TooLarge,
}

impl<A: Clone + Eq + Hash> System<A> {
    /// The system of a formula, for these labels.
    ///
    /// # Errors
    /// If quantifiers make it too large.
    pub fn of<E, S>(
        formula: &Mu<A, E, S::Value>,
        labels: &[Label<E, S::Value>],
        values: &S,
    ) -> Result<System<A>, InstantiateError>
    where
        E: Eq,
        S: Values,
    {
        let mut work = Work {
            system: System::empty(),
            labels,
            values,
            atoms: HashMap::new(),
            data: HashMap::new(),
            sets: HashMap::new(),
            spent: 0,
        };
        work.system.root = work.formula(formula, true)?;
        Ok(work.system)
    }
}

struct Work<'w, A, E, S: Values> {
    system: System<A>,
    labels: &'w [Label<E, S::Value>],
    values: &'w S,
    atoms: HashMap<A, u32>,
    data: HashMap<DataId, S::Value>,
    sets: HashMap<StateSetId, NodeId>,
    spent: usize,
}

impl<A: Clone + Eq + Hash, E: Eq, S: Values> Work<'_, A, E, S> {
    fn spend(&mut self) -> Result<(), InstantiateError> {
        self.spent += 1;
        if self.spent > MOST {
            Err(InstantiateError::TooLarge)
        } else {
            Ok(())
        }
    }

    /// A formula, or its negation.
    fn formula(
        &mut self,
        formula: &Mu<A, E, S::Value>,
        positive: bool,
    ) -> Result<NodeId, InstantiateError> {
        self.spend()?;
        let constant = |holds: bool| match holds {
            true => System::<A>::TRUE,
            false => System::<A>::FALSE,
        };
        Ok(match formula {
            Mu::True => constant(positive),
            Mu::False => constant(!positive),
            Mu::Data(condition) => constant(self.condition(condition) == positive),
            Mu::Atom(atom) => {
                let number = match self.atoms.get(atom) {
                    Some(&number) => number,
                    None => {
                        let number = u32::try_from(self.atoms.len()).expect("atoms are few");
                        self.atoms.insert(atom.clone(), number);
                        self.system.atoms.push(atom.clone());
                        number
                    }
                };
                self.system.intern(Node::Literal(number, positive))
            }
            Mu::Not(p) => self.formula(p, !positive)?,
            Mu::And(ps) => self.all(ps, positive, positive)?,
            Mu::Or(ps) => self.all(ps, positive, !positive)?,
            Mu::Implies(p, q) => {
                let parts = vec![self.formula(p, !positive)?, self.formula(q, positive)?];
                self.system.junction(!positive, parts)
            }
            Mu::Box(regular, p) => {
                let p = self.formula(p, positive)?;
                self.behind(regular, p, positive)?
            }
            Mu::Diamond(regular, p) => {
                let p = self.formula(p, positive)?;
                self.behind(regular, p, !positive)?
            }
            Mu::Least(variable, p) => self.fixpoint(*variable, p, positive, positive)?,
            Mu::Greatest(variable, p) => self.fixpoint(*variable, p, positive, !positive)?,
            Mu::Variable(variable) => self.sets[variable],
            Mu::ForAll(binder, p) => self.quantified(binder, p, positive, positive)?,
            Mu::Exists(binder, p) => self.quantified(binder, p, positive, !positive)?,
        })
    }

    fn all(
        &mut self,
        parts: &[Mu<A, E, S::Value>],
        positive: bool,
        all: bool,
    ) -> Result<NodeId, InstantiateError> {
        let parts: Result<Vec<NodeId>, _> = parts
            .iter()
            .map(|part| self.formula(part, positive))
            .collect();
        Ok(self.system.junction(all, parts?))
    }

    fn fixpoint(
        &mut self,
        variable: StateSetId,
        body: &Mu<A, E, S::Value>,
        positive: bool,
        least: bool,
    ) -> Result<NodeId, InstantiateError> {
        let (id, node) = self.system.begin_fixpoint(least);
        let outer = self.sets.insert(variable, node);
        let body = self.formula(body, positive)?;
        if let Some(outer) = outer {
            self.sets.insert(variable, outer);
        }
        Ok(self.system.end_fixpoint(id, node, body))
    }

    fn quantified(
        &mut self,
        binder: &Binder<S::Value>,
        body: &Mu<A, E, S::Value>,
        positive: bool,
        all: bool,
    ) -> Result<NodeId, InstantiateError> {
        let domain = match &binder.domain {
            Domain::Stated(values) => values.to_vec(),
            Domain::Occurring => {
                let mut found = Found::new(self.values, binder.variable);
                found.in_formula(body, self.labels);
                found.values
            }
        };
        let outer = self.data.remove(&binder.variable);
        let mut parts = Vec::new();
        for value in domain {
            self.data.insert(binder.variable, value);
            parts.push(self.formula(body, positive)?);
        }
        self.data.remove(&binder.variable);
        if let Some(outer) = outer {
            self.data.insert(binder.variable, outer);
        }
        Ok(self.system.junction(all, parts))
    }

    /// What holds where `p` holds behind all paths of a regular formula, or behind one.
    fn behind(
        &mut self,
        regular: &Regular<E, S::Value>,
        p: NodeId,
        all: bool,
    ) -> Result<NodeId, InstantiateError> {
        self.spend()?;
        Ok(match regular {
            Regular::Action(action) => {
                let set = self.label_set(action)?;
                let set = self.system.intern_set(set);
                self.system.modality(all, set, p)
            }
            Regular::Sequence(parts) => {
                let mut p = p;
                for part in parts.iter().rev() {
                    p = self.behind(part, p, all)?;
                }
                p
            }
            Regular::Choice(parts) => {
                let parts: Result<Vec<NodeId>, _> =
                    parts.iter().map(|part| self.behind(part, p, all)).collect();
                self.system.junction(all, parts?)
            }
            Regular::Star(part) => {
                let (id, node) = self.system.begin_fixpoint(!all);
                let more = self.behind(part, node, all)?;
                let body = self.system.junction(all, vec![p, more]);
                self.system.end_fixpoint(id, node, body)
            }
            Regular::Plus(part) => {
                let (id, node) = self.system.begin_fixpoint(!all);
                let more = self.behind(part, node, all)?;
                let body = self.system.junction(all, vec![p, more]);
                let star = self.system.end_fixpoint(id, node, body);
                self.behind(part, star, all)?
            }
        })
    }

    /// The labels that satisfy an action formula.
    fn label_set(&mut self, action: &Action<E, S::Value>) -> Result<Vec<bool>, InstantiateError> {
        self.spend()?;
        let count = self.labels.len();
        Ok(match action {
            Action::Any => vec![true; count],
            Action::None => vec![false; count],
            Action::Silent => self.labels.iter().map(|label| label.is_empty()).collect(),
            Action::Data(condition) => vec![self.condition(condition); count],
            Action::Happens(event, patterns) => self
                .labels
                .iter()
                .map(|label| {
                    label
                        .iter()
                        .any(|happening| self.fits(happening, event, patterns))
                })
                .collect(),
            Action::Not(p) => {
                let mut set = self.label_set(p)?;
                set.iter_mut().for_each(|has| *has = !*has);
                set
            }
            Action::And(ps) => {
                let mut set = vec![true; count];
                for p in ps.iter() {
                    let part = self.label_set(p)?;
                    set.iter_mut()
                        .zip(part)
                        .for_each(|(has, part)| *has &= part);
                }
                set
            }
            Action::Or(ps) => {
                let mut set = vec![false; count];
                for p in ps.iter() {
                    let part = self.label_set(p)?;
                    set.iter_mut()
                        .zip(part)
                        .for_each(|(has, part)| *has |= part);
                }
                set
            }
            Action::ForAll(binder, p) => self.quantified_set(binder, p, true)?,
            Action::Exists(binder, p) => self.quantified_set(binder, p, false)?,
        })
    }

    fn quantified_set(
        &mut self,
        binder: &Binder<S::Value>,
        p: &Action<E, S::Value>,
        all: bool,
    ) -> Result<Vec<bool>, InstantiateError> {
        let domain = match &binder.domain {
            Domain::Stated(values) => values.to_vec(),
            Domain::Occurring => {
                let mut found = Found::new(self.values, binder.variable);
                found.in_action(p, self.labels);
                found.values
            }
        };
        let mut set = vec![all; self.labels.len()];
        let outer = self.data.remove(&binder.variable);
        for value in domain {
            self.data.insert(binder.variable, value);
            let part = self.label_set(p)?;
            set.iter_mut().zip(part).for_each(|(has, part)| match all {
                true => *has &= part,
                false => *has |= part,
            });
        }
        self.data.remove(&binder.variable);
        if let Some(outer) = outer {
            self.data.insert(binder.variable, outer);
        }
        Ok(set)
    }

    fn fits(
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

    fn matches(&self, pattern: &Pattern<S::Value>, value: &S::Value) -> bool {
        match pattern {
            Pattern::Any => true,
            Pattern::Variable(variable) => self.data.get(variable) == Some(value),
            Pattern::Value(wanted) => wanted == value,
            Pattern::Term(functor, patterns) => {
                self.values.term(value).is_some_and(|(name, args)| {
                    *name == **functor
                        && args.len() == patterns.len()
                        && patterns.iter().zip(&args).all(|(p, v)| self.matches(p, v))
                })
            }
        }
    }

    fn condition(&self, condition: &Condition<S::Value>) -> bool {
        match condition {
            Condition::Constant(holds) => *holds,
            Condition::Not(p) => !self.condition(p),
            Condition::And(ps) => ps.iter().all(|p| self.condition(p)),
            Condition::Or(ps) => ps.iter().any(|p| self.condition(p)),
            Condition::Compare(how, a, b) => {
                let value = |operand: &Operand<S::Value>| match operand {
                    Operand::Value(value) => Some(value.clone()),
                    Operand::Variable(variable) => self.data.get(variable).cloned(),
                };
                match (value(a), value(b)) {
                    (Some(a), Some(b)) => how.holds(&a, &b, self.values.compare(&a, &b)),
                    _ => false,
                }
            }
        }
    }
}

/// The values that labels have where a variable stands in patterns.
struct Found<'v, S: Values> {
    structure: &'v S,
    variable: DataId,
    values: Vec<S::Value>,
    known: std::collections::HashSet<S::Value>,
}

impl<'v, S: Values> Found<'v, S> {
    fn new(structure: &'v S, variable: DataId) -> Self {
        Found {
            structure,
            variable,
            values: Vec::new(),
            known: std::collections::HashSet::new(),
        }
    }

    fn in_formula<A, E: Eq>(
        &mut self,
        formula: &Mu<A, E, S::Value>,
        labels: &[Label<E, S::Value>],
    ) {
        if let Mu::Box(regular, _) | Mu::Diamond(regular, _) = formula {
            self.in_regular(regular, labels);
        }
        for operand in formula.operands() {
            self.in_formula(operand, labels);
        }
    }

    fn in_regular<E: Eq>(&mut self, regular: &Regular<E, S::Value>, labels: &[Label<E, S::Value>]) {
        match regular {
            Regular::Action(action) => self.in_action(action, labels),
            Regular::Sequence(parts) | Regular::Choice(parts) => {
                parts.iter().for_each(|part| self.in_regular(part, labels));
            }
            Regular::Star(part) | Regular::Plus(part) => self.in_regular(part, labels),
        }
    }

    fn in_action<E: Eq>(&mut self, action: &Action<E, S::Value>, labels: &[Label<E, S::Value>]) {
        match action {
            Action::Happens(event, patterns) => {
                if !patterns.iter().any(|pattern| self.stands_in(pattern)) {
                    return;
                }
                for happening in labels.iter().flatten().filter(|h| h.event == *event) {
                    for (pattern, value) in patterns.iter().zip(&happening.args) {
                        self.in_pattern(pattern, value);
                    }
                }
            }
            Action::Not(p) | Action::ForAll(_, p) | Action::Exists(_, p) => {
                self.in_action(p, labels);
            }
            Action::And(ps) | Action::Or(ps) => {
                ps.iter().for_each(|p| self.in_action(p, labels));
            }
            Action::Any | Action::None | Action::Silent | Action::Data(_) => {}
        }
    }

    fn stands_in(&self, pattern: &Pattern<S::Value>) -> bool {
        match pattern {
            Pattern::Any | Pattern::Value(_) => false,
            Pattern::Variable(variable) => *variable == self.variable,
            Pattern::Term(_, parts) => parts.iter().any(|part| self.stands_in(part)),
        }
    }

    fn in_pattern(&mut self, pattern: &Pattern<S::Value>, value: &S::Value) {
        match pattern {
            Pattern::Variable(variable)
                if *variable == self.variable && self.known.insert(value.clone()) =>
            {
                self.values.push(value.clone());
            }
            Pattern::Term(functor, parts) => {
                if let Some((name, args)) = self.structure.term(value)
                    && *name == **functor
                    && args.len() == parts.len()
                {
                    for (part, arg) in parts.iter().zip(&args) {
                        self.in_pattern(part, arg);
                    }
                }
            }
            _ => {}
        }
    }
}
