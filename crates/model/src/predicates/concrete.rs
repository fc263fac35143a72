//! What a program over structures does: an interpreter of configurations in which everything is
//! known.
//!
//! A configuration's successors come of each action, each assignment of individuals to its free
//! variables under which the precondition holds, and each choice for a value that an update leaves
//! unknown. Those that break a rule do not exist.

use super::formula::{Formula, Kleene};
use super::structure::Structure;
use super::{Constraint, PredicateAction, PredicateProgram};
use crate::ids::MessageId;

/// Runs a program on configurations.
#[derive(Clone, Copy, Debug)]
pub struct Concrete<'p> {
    pub(super) program: &'p PredicateProgram,
}

/// A step of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Taken {
    /// The position of the action.
    pub action: usize,
    /// The individuals that its free variables stand for.
    pub assignment: Vec<usize>,
    /// The values chosen, in the order of updates and of their arguments.
    pub choices: Vec<bool>,
    /// What is reported before it.
    pub reported: Vec<MessageId>,
    /// What is reported where it leads.
    pub reported_after: Vec<MessageId>,
    /// Of each individual of the configuration that it leads to, its number before, or a greater
    /// one if it is new.
    pub origins: Vec<usize>,
    /// The configuration that it leads to.
    pub state: Structure,
}

/// At most so many values are chosen in one step, or in the beginning.
const MOST_CHOICES: usize = 16;

impl<'p> Concrete<'p> {
    /// An interpreter.
    #[must_use]
    pub fn new(program: &'p PredicateProgram) -> Self {
        Concrete { program }
    }

    /// Whether a configuration obeys all rules.
    #[must_use]
    pub fn exists(&self, state: &Structure) -> bool {
        let mut rules = self.program.constraints.iter();
        rules.all(|rule| !breaks(state, rule, |head| head != Kleene::True))
    }

    /// The configurations that a structure stands for in which its individuals are so many each.
    /// `None`: more than are gone through.
    #[must_use]
    pub fn concretisations(
        &self,
        structure: &Structure,
        counts: &[usize],
    ) -> Option<Vec<(Vec<bool>, Structure)>> {
        let individuals: Vec<usize> = (0..counts.len())
            .flat_map(|one| std::iter::repeat_n(one, counts[one]))
            .collect();
        let mut many = structure.picked(&self.program.predicates, &individuals);
        many.summary.fill(false);
        let all = self.chosen(&many)?;
        // What is defined is as it is defined: the structure must allow it.
        let agrees = |state: &Structure| {
            let values = state.values.iter().flatten();
            let allowed = many.values.iter().flatten();
            values
                .zip(allowed)
                .all(|(value, allowed)| allowed.covers(*value))
        };
        let all = all.into_iter().filter(|(_, state)| agrees(state));
        Some(all.collect())
    }

    /// The configuration that a structure stands for with these choices.
    fn with_choices(&self, structure: &Structure, choices: &[bool]) -> Structure {
        let mut state = structure.clone();
        let mut choices = choices.iter();
        for (values, predicate) in state.values.iter_mut().zip(&self.program.predicates) {
            if predicate.definition.is_some() {
                continue;
            }
            for value in values.iter_mut().filter(|value| **value == Kleene::Unknown) {
                *value = Kleene::of(choices.next().copied().unwrap_or(false));
            }
        }
        state.define(self.program);
        state
    }

    /// The configurations that a structure stands for whose individuals are its own, by choices in
    /// the order of binary numbers, the first choice the lowest digit.
    fn chosen(&self, structure: &Structure) -> Option<Vec<(Vec<bool>, Structure)>> {
        let search = Choosing::new(self, structure)?;
        let mut partial = structure.clone();
        for (values, predicate) in partial.values.iter_mut().zip(&self.program.predicates) {
            if predicate.definition.is_some() {
                values.fill(Kleene::Unknown);
            }
        }
        let mut found = Vec::new();
        if self
            .program
            .constraints
            .iter()
            .all(|rule| !broken(&partial, rule))
        {
            let mut choices = vec![false; search.open.len()];
            search.choose(search.open.len(), &mut partial, &mut choices, &mut found);
        }
        Some(found)
    }

    /// The assignments under which an action happens in a configuration.
    pub fn enabled<'s>(
        &self,
        state: &'s Structure,
        action: &'s PredicateAction,
    ) -> impl Iterator<Item = Vec<usize>> + 's {
        let mut parts = Vec::new();
        conjuncts(&action.precondition, &mut parts);
        let mut found = Vec::new();
        let mut assignment = vec![0; action.variables.len().max(action.free)];
        satisfying(state, &parts, (0, action.free), &mut assignment, &mut found);
        found.into_iter()
    }

    /// What an action reports where it happens.
    fn reported(
        state: &Structure,
        action: &PredicateAction,
        individuals: &[usize],
    ) -> Vec<MessageId> {
        let mut assignment = individuals.to_vec();
        assignment.resize(action.variables.len(), 0);
        let reports = action.reports.iter();
        let reports = reports
            .filter(|(_, condition)| state.value(condition, &mut assignment) != Kleene::False);
        reports.map(|(message, _)| *message).collect()
    }

    /// What an action leads to, with values that are unknown where they are chosen, and the origin
    /// of each individual: its number before the action, or a greater one if it is new.
    #[must_use]
    pub fn updated(
        &self,
        state: &Structure,
        action: &PredicateAction,
        individuals: &[usize],
    ) -> (Structure, Vec<usize>) {
        let predicates = &self.program.predicates;
        let mut assignment = individuals.to_vec();
        assignment.resize(action.variables.len(), 0);
        let before = self.with_new(state, action, &mut assignment);
        let mut after = self.without_marks(before.clone());
        for update in &action.updates {
            for place in 0..before.values[update.predicate.index()].len() {
                let arguments = before.arguments(place, update.parameters.len());
                for (&parameter, argument) in update.parameters.iter().zip(arguments) {
                    assignment[parameter] = argument;
                }
                let value = before.value(&update.value, &mut assignment);
                after.values[update.predicate.index()][place] = value;
            }
        }
        let mut origins: Vec<usize> = (0..after.size()).collect();
        if let Some((variable, retained)) = &action.retains {
            origins.retain(|&one| {
                one >= state.size() || {
                    assignment[*variable] = one;
                    state.value(retained, &mut assignment) == Kleene::True
                }
            });
            after = after.picked(predicates, &origins);
        }
        (after, origins)
    }

    /// What is reported where an action leads.
    fn reported_after(state: &Structure, action: &PredicateAction) -> Vec<MessageId> {
        let mut assignment = vec![0; action.variables.len()];
        let reports = action.reports_after.iter();
        let reports = reports
            .filter(|(_, condition)| state.value(condition, &mut assignment) != Kleene::False);
        reports.map(|(message, _)| *message).collect()
    }

    /// All that can happen in a configuration. `None`: more than is gone through.
    #[must_use]
    pub fn successors(&self, state: &Structure) -> Option<Vec<Taken>> {
        let mut found = Vec::new();
        for action in 0..self.program.actions.len() {
            found.extend(self.successors_by(state, action)?);
        }
        Some(found)
    }

    /// Those by one action, by its position; `None`: too many values are chosen at once.
    #[must_use]
    pub fn successors_by(&self, state: &Structure, number: usize) -> Option<Vec<Taken>> {
        let mut found = Vec::new();
        let action = self.program.actions.get(number)?;
        for assignment in self.enabled(state, action) {
            let reported = Self::reported(state, action, &assignment);
            let (after, origins) = self.updated(state, action, &assignment);
            for (choices, state) in self.chosen(&after)? {
                found.push(Taken {
                    action: number,
                    assignment: assignment.clone(),
                    choices,
                    reported: reported.clone(),
                    reported_after: Self::reported_after(&state, action),
                    origins: origins.clone(),
                    state,
                });
            }
        }
        Some(found)
    }

    /// What is reported in a configuration, by the first action and assignment that do so.
    #[must_use]
    pub fn report(&self, state: &Structure, message: MessageId) -> Option<(usize, Vec<usize>)> {
        let actions = self.program.actions.iter().enumerate();
        let mut found = actions.filter_map(|(number, action)| {
            let mut enabled = self.enabled(state, action);
            let individuals =
                enabled.find(|all| Self::reported(state, action, all).contains(&message))?;
            Some((number, individuals))
        });
        found.next()
    }

    /// Takes a step that somebody says can be taken, if it can.
    #[must_use]
    pub fn accept(
        &self,
        state: &Structure,
        action: usize,
        assignment: &[usize],
        choices: &[bool],
    ) -> Option<Taken> {
        let number = action;
        let action = self.program.actions.get(number)?;
        let fits = assignment.len() == action.free;
        if !fits || assignment.iter().any(|&one| one >= state.size()) {
            return None;
        }
        let mut all = assignment.to_vec();
        all.resize(action.variables.len(), 0);
        if state.value(&action.precondition, &mut all) == Kleene::False {
            return None;
        }
        let (after, origins) = self.updated(state, action, assignment);
        let after = self.with_choices(&after, choices);
        self.exists(&after).then(|| Taken {
            action: number,
            assignment: assignment.to_vec(),
            choices: choices.to_vec(),
            reported: Self::reported(state, action, assignment),
            reported_after: Self::reported_after(&after, action),
            origins,
            state: after,
        })
    }

    /// The configuration that a structure stands for with so many individuals and these choices, if
    /// there is one.
    #[must_use]
    pub fn accept_initial(
        &self,
        number: usize,
        counts: &[usize],
        choices: &[bool],
    ) -> Option<Structure> {
        let structure = self.program.initial.get(number)?;
        let single = structure.summary.iter().zip(counts);
        let right = counts.len() == structure.size()
            && single
                .clone()
                .all(|(&summary, &count)| count == 1 || summary && count > 1);
        if !right {
            return None;
        }
        let all = self.concretisations(structure, counts)?;
        let found = all.into_iter().find(|(chosen, _)| chosen == choices);
        found.map(|(_, state)| state)
    }
}

/// Whether a rule is surely broken.
fn broken(state: &Structure, rule: &Constraint) -> bool {
    breaks(state, rule, |head| head == Kleene::False)
}

/// Whether a rule surely applies somewhere where its head is like this.
fn breaks(state: &Structure, rule: &Constraint, is: fn(Kleene) -> bool) -> bool {
    let head = rule.head.formula();
    assignments(state.size(), rule.free).any(|mut assignment| {
        assignment.resize(rule.variables.max(rule.free), 0);
        state.value(&rule.body, &mut assignment) == Kleene::True
            && is(state.value(&head, &mut assignment))
    })
}

/// The choices for the unknown values of a structure. Once a rule is broken whatever the rest is, no
/// further choices are made.
struct Choosing<'c, 'p> {
    concrete: &'c Concrete<'p>,
    /// The unknown values: of which predicate, and where.
    open: Vec<(usize, usize)>,
    /// The rules that read each predicate.
    readers: Vec<Vec<&'p Constraint>>,
}

impl<'c, 'p> Choosing<'c, 'p> {
    fn new(concrete: &'c Concrete<'p>, structure: &Structure) -> Option<Self> {
        let program = concrete.program;
        let mut open = Vec::new();
        let values = structure.values.iter().zip(&program.predicates).enumerate();
        for (index, (values, predicate)) in values {
            if predicate.definition.is_none() {
                let places = (0..values.len()).filter(|&one| values[one] == Kleene::Unknown);
                open.extend(places.map(|place| (index, place)));
            }
        }
        if open.len() > MOST_CHOICES {
            return None;
        }
        let mut readers: Vec<Vec<&Constraint>> = vec![Vec::new(); program.predicates.len()];
        for rule in &program.constraints {
            let mut reads = Vec::new();
            rule.body.reads(&mut reads);
            rule.head.formula().reads(&mut reads);
            reads.sort_unstable();
            reads.dedup();
            for predicate in reads {
                readers[predicate.index()].push(rule);
            }
        }
        Some(Choosing {
            concrete,
            open,
            readers,
        })
    }

    /// Chooses the first `left` values; the others are chosen.
    fn choose(
        &self,
        left: usize,
        partial: &mut Structure,
        choices: &mut Vec<bool>,
        found: &mut Vec<(Vec<bool>, Structure)>,
    ) {
        let Some(next) = left.checked_sub(1) else {
            let mut state = partial.clone();
            state.define(self.concrete.program);
            if self.concrete.exists(&state) {
                found.push((choices.clone(), state));
            }
            return;
        };
        let (predicate, place) = self.open[next];
        for choice in [false, true] {
            choices[next] = choice;
            partial.values[predicate][place] = Kleene::of(choice);
            let mut rules = self.readers[predicate].iter();
            if rules.all(|rule| !broken(partial, rule)) {
                self.choose(next, partial, choices, found);
            }
        }
        partial.values[predicate][place] = Kleene::Unknown;
    }
}

/// The parts of a conjunction.
fn conjuncts<'f>(formula: &'f Formula, found: &mut Vec<&'f Formula>) {
    match formula {
        Formula::And(all) => all.iter().for_each(|one| conjuncts(one, found)),
        other => found.push(other),
    }
}

/// The assignments of individuals to free variables under which no part of a conjunction is false. A part
/// is looked at as soon as its variables have individuals. Where it is unknown even then, it is chosen.
fn satisfying(
    state: &Structure,
    parts: &[&Formula],
    (next, free): (usize, usize),
    assignment: &mut Vec<usize>,
    found: &mut Vec<Vec<usize>>,
) {
    let decided = |part: &&&Formula| part.first_unassigned(free) == next;
    let mut decided = parts.iter().filter(decided);
    if decided.any(|part| state.value(part, assignment) == Kleene::False) {
        return;
    }
    if next == free {
        found.push(assignment[..free].to_vec());
        return;
    }
    for individual in 0..state.size() {
        assignment[next] = individual;
        satisfying(state, parts, (next + 1, free), assignment, found);
    }
}

/// All ways to give so many variables individuals.
pub(crate) fn assignments(size: usize, free: usize) -> impl Iterator<Item = Vec<usize>> {
    let all = size.pow(u32::try_from(free).expect("an action has few variables"));
    (0..all).map(move |mut number| {
        let mut assignment = vec![0; free];
        for one in assignment.iter_mut().rev() {
            *one = number % size;
            number /= size;
        }
        assignment
    })
}

impl Formula {
    /// The first variable such that all of the first `free` ones that a formula speaks of come before it.
    fn first_unassigned(&self, free: usize) -> usize {
        let of = |all: &[usize]| {
            let own = all.iter().filter(|&&variable| variable < free);
            own.max().map_or(0, |last| last + 1)
        };
        let most = |all: &[Formula]| {
            let each = all.iter().map(|one| one.first_unassigned(free));
            each.max().unwrap_or(0)
        };
        match self {
            Formula::Value(_) => 0,
            Formula::Holds(_, variables) => of(variables),
            Formula::Equal(a, b) => of(&[*a, *b]),
            Formula::Not(inner) | Formula::Exists(_, inner) | Formula::Forall(_, inner) => {
                inner.first_unassigned(free)
            }
            Formula::And(all) | Formula::Or(all) => most(all),
            Formula::If(all) => most(&all[..]),
            Formula::Closure { ends, edge, .. } => of(ends).max(edge.first_unassigned(free)),
        }
    }

    /// The conjunction of some; of one, that one.
    #[must_use]
    pub fn all(mut all: Vec<Formula>) -> Formula {
        if all.len() == 1 {
            all.remove(0)
        } else {
            Formula::And(all)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::predicates::{Formula, Kleene};

    fn looking(precondition: Formula) -> PredicateProgram {
        let action = PredicateAction {
            name: "look".into(),
            span: source::Span::NONE,
            variables: Vec::new(),
            free: 0,
            scheduled: None,
            focus: Vec::new(),
            precondition,
            opens_turn: false,
            reports: Vec::new(),
            creates: Vec::new(),
            updates: Vec::new(),
            retains: None,
            reports_after: Vec::new(),
        };
        PredicateProgram {
            actions: vec![action],
            initial: vec![Structure::default()],
            ..PredicateProgram::default()
        }
    }

    #[test]
    fn what_is_unknown_in_a_precondition_is_taken() {
        for (value, taken) in [(Kleene::True, 1), (Kleene::Unknown, 1), (Kleene::False, 0)] {
            let program = looking(Formula::Value(value));
            let concrete = Concrete::new(&program);
            let state = &program.initial[0];
            let successors = concrete.successors(state).expect("there are few");
            assert_eq!(successors.len(), taken, "{value:?}");
            let accepted = concrete.accept(state, 0, &[], &[]);
            assert_eq!(accepted.is_some(), taken == 1, "{value:?}");
        }
    }
}
