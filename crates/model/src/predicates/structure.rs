//! Logical structures, and what formulas are in them, slowly and obviously.

use source::Span;

use super::concrete::assignments;
use super::formula::{Formula, Kleene, Var};
use super::values::Values;
use super::{Predicate, PredicateProgram};
use crate::ids::PredicateId;

/// A logical structure. It stands for all configurations whose individuals can be mapped to its own,
/// onto all of them, to one that is no summary at most one, so that each value here is that of all
/// that is mapped to it, or unknown.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Structure {
    /// The individuals, each with whether it may stand for several.
    pub summary: Vec<bool>,
    /// The values of each predicate.
    pub values: Values,
}

impl Structure {
    /// A structure in which nothing holds.
    #[must_use]
    pub fn new(predicates: &[Predicate], summary: Vec<bool>) -> Structure {
        let size = summary.len();
        let counts = predicates.iter();
        let counts = counts.map(|predicate| places(size, predicate.arity));
        Structure {
            summary,
            values: Values::new(counts),
        }
    }

    /// How many individuals it has.
    #[must_use]
    pub fn size(&self) -> usize {
        self.summary.len()
    }

    fn place(&self, arguments: impl IntoIterator<Item = usize>) -> usize {
        let size = self.size();
        arguments
            .into_iter()
            .fold(0, |place, one| place * size + one)
    }

    /// A value.
    #[must_use]
    pub fn get(&self, predicate: PredicateId, arguments: &[usize]) -> Kleene {
        self.values[predicate.index()][self.place(arguments.iter().copied())]
    }

    /// Changes a value.
    pub fn set(&mut self, predicate: PredicateId, arguments: &[usize], value: Kleene) {
        let place = self.place(arguments.iter().copied());
        self.values[predicate.index()][place] = value;
    }

    /// The individuals at a place in the values of a predicate.
    #[must_use]
    pub fn arguments(&self, place: usize, arity: usize) -> Vec<usize> {
        digits(place, self.size(), arity)
    }

    /// Whether it stands for one configuration only.
    #[must_use]
    pub fn is_definite(&self) -> bool {
        let known = |value: &Kleene| *value != Kleene::Unknown;
        !self.summary.contains(&true) && self.values.iter().flatten().all(known)
    }

    /// The structure whose individuals are these of this one; one that is named several times is
    /// there as often, with the same values.
    #[must_use]
    pub fn picked(&self, predicates: &[Predicate], individuals: &[usize]) -> Structure {
        let summary = individuals.iter().map(|&one| self.summary[one]).collect();
        let mut result = Structure::new(predicates, summary);
        let mut picked = result.values.iter_mut();
        for (own, predicate) in self.values.iter().zip(predicates) {
            let picked = picked.next().unwrap_or_default();
            match predicate.arity {
                0 => picked.copy_from_slice(own),
                1 => {
                    let values = individuals.iter().map(|&one| own[one]);
                    picked
                        .iter_mut()
                        .zip(values)
                        .for_each(|(to, one)| *to = one);
                }
                2 => {
                    let rows = picked.chunks_mut(individuals.len().max(1));
                    for (to, &first) in rows.zip(individuals) {
                        let row = &own[first * self.size()..];
                        let values = individuals.iter().map(|&second| row[second]);
                        to.iter_mut().zip(values).for_each(|(to, one)| *to = one);
                    }
                }
                arity => {
                    for (place, to) in picked.iter_mut().enumerate() {
                        let arguments = digits(place, individuals.len(), arity);
                        let from = arguments.into_iter().map(|one| individuals[one]);
                        *to = own[self.place(from)];
                    }
                }
            }
        }
        drop(picked);
        result
    }

    /// The same with one more individual, for which nothing holds.
    #[must_use]
    pub fn enlarged(&self, predicates: &[Predicate]) -> Structure {
        let mut summary = self.summary.clone();
        summary.push(false);
        let mut result = Structure::new(predicates, summary);
        for (index, predicate) in predicates.iter().enumerate() {
            for (place, &value) in self.values[index].iter().enumerate() {
                let arguments = self.arguments(place, predicate.arity);
                result.set(PredicateId::new(index), &arguments, value);
            }
        }
        result
    }

    /// The value of a formula under an assignment, which must have a place for each variable. The
    /// places of bound variables are overwritten.
    #[must_use]
    pub fn value(&self, formula: &Formula, assignment: &mut Vec<usize>) -> Kleene {
        match formula {
            Formula::Value(value) => *value,
            Formula::Holds(predicate, variables) => {
                let place = self.place(variables.iter().map(|&v| assignment[v]));
                self.values[predicate.index()][place]
            }
            Formula::Equal(a, b) if a == b => Kleene::True,
            Formula::Equal(a, b) => match (assignment[*a], assignment[*b]) {
                (one, other) if one != other => Kleene::False,
                (one, _) if self.summary[one] => Kleene::Unknown,
                _ => Kleene::True,
            },
            Formula::Not(inner) => self.value(inner, assignment).not(),
            Formula::And(all) => least(all.iter().map(|one| self.value(one, assignment))),
            Formula::Or(all) => greatest(all.iter().map(|one| self.value(one, assignment))),
            Formula::If(parts) => {
                let [test, then, otherwise] = &**parts;
                match self.value(test, assignment) {
                    Kleene::True => self.value(then, assignment),
                    Kleene::False => self.value(otherwise, assignment),
                    Kleene::Unknown => {
                        let then = self.value(then, assignment);
                        then.join(self.value(otherwise, assignment))
                    }
                }
            }
            Formula::Exists(variable, inner) => {
                self.each(*variable, inner, assignment, |values| greatest(values))
            }
            Formula::Forall(variable, inner) => {
                self.each(*variable, inner, assignment, |values| least(values))
            }
            Formula::Closure { ends, step, edge } => {
                let (from, to) = (assignment[ends[0]], assignment[ends[1]]);
                self.closure(from, *step, edge, assignment)[to]
            }
        }
    }

    /// What becomes of the values of a formula, one for each individual that a variable may be.
    fn each<T>(
        &self,
        variable: Var,
        inner: &Formula,
        assignment: &mut Vec<usize>,
        of: impl FnOnce(&mut dyn Iterator<Item = Kleene>) -> T,
    ) -> T {
        let before = assignment[variable];
        let value = of(&mut (0..self.size()).map(|one| {
            assignment[variable] = one;
            self.value(inner, assignment)
        }));
        assignment[variable] = before;
        value
    }

    /// The ways from one individual to each. What is reached by the surest way goes on first (Dijkstra,
    /// *A note on two problems in connexion with graphs*, 1959; here a way is as sure as its least
    /// sure edge).
    fn closure(
        &self,
        from: usize,
        step: [Var; 2],
        edge: &Formula,
        assignment: &mut Vec<usize>,
    ) -> Vec<Kleene> {
        let before = assignment[step[0]];
        let mut edges = |from: usize| -> Vec<Kleene> {
            assignment[step[0]] = from;
            self.each(step[1], edge, assignment, |values| values.collect())
        };
        let mut ways = edges(from);
        let mut left: Vec<usize> = (0..self.size()).collect();
        while let Some(place) = (0..left.len()).max_by_key(|&place| ways[left[place]]) {
            let middle = left.swap_remove(place);
            let surest = ways[middle];
            if surest == Kleene::False {
                break;
            }
            for (way, edge) in ways.iter_mut().zip(edges(middle)) {
                *way = (*way).max(surest.min(edge));
            }
        }
        assignment[step[0]] = before;
        ways
    }

    /// Gives each predicate that has a definition the value of it.
    pub fn define(&mut self, program: &PredicateProgram) {
        let slots = program.slots();
        for (predicate, arity, definition) in program.defined() {
            for place in 0..self.values[predicate.index()].len() {
                let mut assignment = self.arguments(place, arity);
                assignment.resize(slots.max(arity), 0);
                let value = self.value(definition, &mut assignment);
                self.values[predicate.index()][place] = value;
            }
        }
    }
}

/// The least of some values; what comes after a `False` is not looked at.
fn least(values: impl Iterator<Item = Kleene>) -> Kleene {
    let mut least = Kleene::True;
    for value in values {
        least = least.min(value);
        if least == Kleene::False {
            break;
        }
    }
    least
}

/// The greatest of some values; what comes after a `True` is not looked at.
fn greatest(values: impl Iterator<Item = Kleene>) -> Kleene {
    least(values.map(Kleene::not)).not()
}

impl PredicateProgram {
    /// How many variables definitions have at most.
    #[must_use]
    pub fn slots(&self) -> usize {
        let definitions = self.predicates.iter();
        let definitions = definitions.filter_map(|one| Some(one.definition.as_ref()?.slots()));
        definitions.max().unwrap_or(0)
    }

    /// What a structure surely breaks, if it breaks something, and where that is stated: then it stands
    /// for no configuration.
    #[must_use]
    pub fn broken_rule(&self, structure: &Structure) -> Option<(String, Span)> {
        let size = structure.size();
        for rule in &self.constraints {
            let head = rule.head.formula();
            for mut assignment in assignments(size, rule.free) {
                assignment.resize(rule.variables.max(rule.free), 0);
                if structure.value(&rule.body, &mut assignment) == Kleene::True
                    && structure.value(&head, &mut assignment) == Kleene::False
                {
                    return Some((rule.text.clone(), rule.span));
                }
            }
        }
        for (predicate, arity, definition) in self.defined() {
            for tuple in assignments(size, arity) {
                let mut assignment = tuple.clone();
                assignment.resize(self.slots().max(arity), 0);
                let (said, is) = (
                    structure.get(predicate, &tuple),
                    structure.value(definition, &mut assignment),
                );
                if said != is && said != Kleene::Unknown && is != Kleene::Unknown {
                    let predicate = self.predicate(predicate);
                    let what = format!("`{}` is not what its definition says", predicate.name);
                    return Some((what, predicate.span));
                }
            }
        }
        None
    }
}

impl Formula {
    /// How many places an assignment needs for its variables.
    #[must_use]
    pub fn slots(&self) -> usize {
        let after = |all: &[Var]| all.iter().map(|v| v + 1).max().unwrap_or(0);
        match self {
            Formula::Value(_) => 0,
            Formula::Holds(_, variables) => after(variables),
            Formula::Equal(a, b) => after(&[*a, *b]),
            Formula::Not(inner) => inner.slots(),
            Formula::And(all) | Formula::Or(all) => {
                all.iter().map(Formula::slots).max().unwrap_or(0)
            }
            Formula::If(all) => all.iter().map(Formula::slots).max().unwrap_or(0),
            Formula::Exists(v, inner) | Formula::Forall(v, inner) => inner.slots().max(v + 1),
            Formula::Closure { ends, step, edge } => edge.slots().max(after(ends)).max(after(step)),
        }
    }
}

/// The last digits of a number in a system of so many.
fn digits(mut number: usize, base: usize, count: usize) -> Vec<usize> {
    let mut found = vec![0; count];
    for digit in found.iter_mut().rev() {
        *digit = number % base;
        number /= base;
    }
    found
}

/// How many tuples of individuals there are.
fn places(size: usize, arity: usize) -> usize {
    size.pow(u32::try_from(arity).expect("a predicate has few arguments"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn next() -> Vec<Predicate> {
        vec![Predicate {
            name: "next".into(),
            arity: 2,
            abstraction: false,
            unique: false,
            injective: false,
            definition: None,
            span: source::Span::NONE,
        }]
    }

    #[test]
    fn closure_follows_known_and_unknown_steps() {
        let predicate = PredicateId::new(0);
        let mut list = Structure::new(&next(), vec![false, false, false, false]);
        list.set(predicate, &[0, 1], Kleene::True);
        list.set(predicate, &[1, 2], Kleene::True);
        list.set(predicate, &[2, 3], Kleene::Unknown);
        let way = Formula::Closure {
            ends: [0, 1],
            step: [2, 3],
            edge: Box::new(Formula::Holds(predicate, vec![2, 3])),
        };
        let at = |from, to| list.value(&way, &mut vec![from, to, 0, 0]);
        assert_eq!(at(0, 2), Kleene::True);
        assert_eq!(at(0, 3), Kleene::Unknown);
        assert_eq!(at(0, 0), Kleene::False);
        assert_eq!(at(3, 0), Kleene::False);
    }

    #[test]
    fn two_of_a_summary_may_be_the_same() {
        let some = Structure::new(&[], vec![true, false]);
        let same = Formula::Equal(0, 1);
        assert_eq!(some.value(&same, &mut vec![0, 0]), Kleene::Unknown);
        assert_eq!(some.value(&same, &mut vec![1, 1]), Kleene::True);
        assert_eq!(some.value(&same, &mut vec![0, 1]), Kleene::False);
        // An individual is itself, whichever of several it is.
        assert_eq!(
            some.value(&Formula::Equal(0, 0), &mut vec![0]),
            Kleene::True
        );
    }
}
