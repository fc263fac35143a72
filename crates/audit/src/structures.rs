//! Whether a set of structures is all that can be reached, and none of them gives a message.
//!
//! Each action is applied to each structure anew: values that are to be known are made so by cases, one
//! unknown value at a time, rules are applied, and what comes out must be what some structure of the set
//! stands for. Formulas are evaluated by the plain definition. Nothing is shared with the engine that
//! found the set but the program.

use std::collections::HashMap;

use model::predicates::{Formula, Kleene, Onward, PredicateAction, PredicateProgram, Structure};
use model::{Budget, MessageId, PredicateId};

use crate::Rejected;
use crate::conclusions::tuples;
use crate::conditions::Condition;
use crate::differences::Differences;
use crate::individuals::{Part, parts};
use crate::rules::Rules;
use crate::sharpening::{Change, sharpened};

struct Audit<'a> {
    program: &'a PredicateProgram,
    rules: Rules,
    /// When each action happens.
    conditions: Vec<Condition>,
    /// The predicates that keep individuals apart, by their positions.
    apart: Vec<usize>,
    budget: &'a Budget,
    /// The structures, by their canonical abstractions.
    known: HashMap<Structure, usize>,
    /// The structures by what keeps individuals and structures apart.
    named: HashMap<Vec<Kleene>, Vec<usize>>,
    structures: &'a [Structure],
}

/// A set of structures that stands for every configuration that can be reached.
#[derive(Clone, PartialEq, Debug)]
pub struct Closed<'a> {
    pub(crate) program: &'a PredicateProgram,
    pub(crate) structures: &'a [Structure],
    /// Those that stand for initial configurations.
    pub(crate) initial: Vec<usize>,
    /// Where actions that are steps of runs lead from each.
    pub(crate) steps: Vec<Vec<(usize, usize)>>,
}

/// Checks that structures stand for every configuration that can be reached, and that none of them
/// gives one of these messages.
///
/// # Errors
/// Why that is not so, as far as can be told.
pub fn check_structures<'a>(
    program: &'a PredicateProgram,
    structures: &'a [Structure],
    silent: &[MessageId],
    budget: &Budget,
) -> Result<Closed<'a>, Rejected> {
    let mut audit = Audit {
        program,
        rules: Rules::new(program),
        conditions: program.actions.iter().map(condition).collect(),
        apart: (0..program.predicates.len())
            .filter(|&one| {
                let predicate = &program.predicates[one];
                predicate.abstraction && predicate.arity == 1
            })
            .collect(),
        budget,
        known: HashMap::new(),
        named: HashMap::new(),
        structures,
    };
    for (number, structure) in structures.iter().enumerate() {
        let blurred = audit.blurred(structure);
        let name = audit.name(&blurred);
        audit.named.entry(name).or_default().push(number);
        audit.known.insert(blurred, number);
    }
    let mut closed = Closed {
        program,
        structures,
        initial: Vec::new(),
        steps: Vec::new(),
    };
    for initial in &program.initial {
        if let Some(initial) = sharpened(&audit.rules, initial.clone(), vec![Change::Any]) {
            let covered = audit.covering(&initial);
            let covered = covered.ok_or_else(|| not_covered("an initial configuration"))?;
            closed.initial.push(covered);
        }
    }
    for structure in structures {
        let mut leads = Vec::new();
        for (number, action) in program.actions.iter().enumerate() {
            let mut to = audit.action(structure, number, silent)?;
            to.sort_unstable();
            to.dedup();
            if !program.is_observer(action) {
                leads.extend(to.into_iter().map(|to| (number, to)));
            }
        }
        closed.steps.push(leads);
    }
    Ok(closed)
}

impl Audit<'_> {
    /// The structure in which individuals with the same values of what keeps them apart are one, in the
    /// order of these values (canonical abstraction, Sagiv, Reps and Wilhelm 2002, section 4.3).
    fn blurred(&self, structure: &Structure) -> Structure {
        let predicates = &self.program.predicates;
        // Two bits a value.
        let mut own = vec![Vec::new(); structure.size()];
        for some in self.apart.chunks(32) {
            for (one, name) in own.iter_mut().enumerate() {
                let values = some
                    .iter()
                    .map(|&index| structure.values[index][one] as u64);
                name.push(values.fold(0, |all, value| all << 2 | value));
            }
        }
        let mut names: Vec<&Vec<u64>> = own.iter().collect();
        names.sort_unstable();
        names.dedup();
        let image = |one: usize| names.binary_search(&&own[one]).unwrap_or_default();
        let images: Vec<usize> = (0..structure.size()).map(image).collect();
        let first = |place: usize| images.iter().position(|&one| one == place);
        let firsts: Vec<usize> = (0..names.len()).filter_map(first).collect();
        let mut blurred = structure.picked(predicates, &firsts);
        if names.len() == structure.size() {
            return blurred;
        }
        for (one, &place) in images.iter().enumerate() {
            blurred.summary[place] |= structure.summary[one] || firsts[place] != one;
        }
        for (index, predicate) in predicates.iter().enumerate() {
            let joined = &mut blurred.values[index];
            for (place, &value) in structure.values[index].iter().enumerate() {
                // The last individual is the lowest digit.
                let (mut rest, mut to, mut digit) = (place, 0, 1);
                for _ in 0..predicate.arity {
                    to += images[rest % images.len()] * digit;
                    (rest, digit) = (rest / images.len(), digit * names.len());
                }
                joined[to] = joined[to].join(value);
            }
        }
        blurred
    }

    /// The values in a canonical abstraction of the predicates that keep individuals and structures apart.
    fn name(&self, blurred: &Structure) -> Vec<Kleene> {
        let all = blurred.values.iter().zip(&self.program.predicates);
        let apart = all.filter(|(_, predicate)| predicate.abstraction && predicate.arity < 2);
        apart
            .flat_map(|(values, _)| values.iter().copied())
            .collect()
    }

    /// A structure of the set that stands for all that this one stands for. As a rule it is its canonical
    /// abstraction, or one with the same individuals; in another one less is known.
    fn covering(&self, structure: &Structure) -> Option<usize> {
        let predicates = &self.program.predicates;
        let covers = |one: &usize| self.structures[*one].stands_for(structure, predicates);
        let blurred = self.blurred(structure);
        let same = self.known.get(&blurred).copied().filter(covers);
        let alike = || {
            let mut alike = self
                .named
                .get(&self.name(&blurred))
                .into_iter()
                .flatten()
                .copied();
            alike.find(covers)
        };
        same.or_else(alike)
            .or_else(|| (0..self.structures.len()).find(covers))
    }

    /// The structures of the set that an action leads to from one. Where rules have more to say of it, less
    /// is known than could be, and more structures must cover what it leads to.
    fn action(
        &self,
        structure: &Structure,
        number: usize,
        silent: &[MessageId],
    ) -> Result<Vec<usize>, Rejected> {
        let (action, condition) = (&self.program.actions[number], &self.conditions[number]);
        let mut leads = Vec::new();
        if !condition.may_hold(structure) {
            return Ok(leads);
        }
        let mut cases: Vec<Structure> = vec![structure.clone()];
        for focus in &action.focus {
            cases = self.known(cases, condition, &|_| Some((focus.of.into(), Vec::new())))?;
            for (step, &onward) in focus.then.iter().enumerate() {
                if !onward.is_unique(self.program) {
                    break;
                }
                let way = &focus.then[..step];
                cases = self.known(cases, condition, &|case| {
                    let from = led(case, focus.of, way)?;
                    Some((onward, vec![from]))
                })?;
            }
        }
        for case in cases {
            for assignment in condition.assignments(&case) {
                self.within()?;
                let mut variables = assignment.clone();
                variables.resize(action.variables.len(), 0);
                self.silence(&case, &action.reports, &mut variables, silent)?;
                for part in parts(self.program, &case, action, &assignment) {
                    self.within()?;
                    let after = self.after(&part, action);
                    let after = after.and_then(|(after, mut changes)| {
                        if part.old != case.size() {
                            // What was one individual is two, of which no rule has been asked.
                            changes.push(Change::Any);
                        }
                        sharpened(&self.rules, after, changes)
                    });
                    let Some(after) = after else {
                        continue;
                    };
                    self.silence(&after, &action.reports_after, &mut variables, silent)?;
                    let covered = self.covering(&after);
                    leads.push(
                        covered.ok_or_else(|| {
                            not_covered(&format!("what `{}` leads to", action.name))
                        })?,
                    );
                }
            }
        }
        Ok(leads)
    }

    /// Says if a limit is reached.
    fn within(&self) -> Result<(), Rejected> {
        match self.budget.exhausted(0) {
            Some(_) => Err(Rejected::Limit),
            None => Ok(()),
        }
    }

    /// Checks that no message that is to be silent may be given.
    fn silence(
        &self,
        structure: &Structure,
        reports: &[(MessageId, Formula)],
        variables: &mut Vec<usize>,
        silent: &[MessageId],
    ) -> Result<(), Rejected> {
        let mut asked = reports
            .iter()
            .filter(|(message, _)| silent.contains(message));
        let said = asked.any(|(_, said)| structure.value(said, variables) != Kleene::False);
        if said {
            return Err(Rejected::Violated);
        }
        Ok(())
    }

    /// Structures by cases in which what is asked is known, and a condition may hold; `None`: nothing is
    /// asked of one.
    fn known(
        &self,
        all: Vec<Structure>,
        condition: &Condition,
        asked: Asked<'_>,
    ) -> Result<Vec<Structure>, Rejected> {
        let mut known = Vec::new();
        for structure in all {
            match asked(&structure) {
                Some((onward, given)) => {
                    known.extend(self.cases(structure, condition, onward, &given)?);
                }
                None => known.push(structure),
            }
        }
        Ok(known)
    }

    /// A structure by cases in which a predicate is known for any individual beside the given ones, or
    /// a predicate of none is. Where the condition does not hold it never does when more is known.
    fn cases(
        &self,
        structure: Structure,
        condition: &Condition,
        asked: Onward,
        given: &[usize],
    ) -> Result<Vec<Structure>, Rejected> {
        self.within()?;
        let predicate = asked.predicate;
        let arity = self.program.predicate(predicate).arity;
        let tuple = |other: usize| match asked.back {
            true => [&[other], given].concat(),
            false => [given, &[other]].concat(),
        };
        let unknown = |tuple: &[usize]| structure.get(predicate, tuple) == Kleene::Unknown;
        let open = match arity {
            0 => unknown(&[]).then_some((Vec::new(), None)),
            _ if given.len() + 1 == arity => (0..structure.size())
                .map(|other| (tuple(other), Some(other)))
                .find(|(tuple, _)| unknown(tuple)),
            _ => None,
        };
        let Some((open, other)) = open else {
            return Ok(vec![structure]);
        };
        let mut cases = Vec::new();
        let mut case = |structure: Structure, changes: Vec<Change>| {
            if !condition.may_hold(&structure) {
                return Ok(());
            }
            if let Some(case) = sharpened(&self.rules, structure, changes) {
                cases.extend(self.cases(case, condition, asked, given)?);
            }
            Ok(())
        };
        for value in [Kleene::False, Kleene::True] {
            let mut next = structure.clone();
            next.set(predicate, &open, value);
            case(next, vec![Change::Value(predicate, open.clone())])?;
        }
        if let Some(other) = other.filter(|&one| structure.summary[one]) {
            let copy = structure.size();
            let individuals: Vec<usize> = (0..copy).chain([other]).collect();
            let mut next = structure.picked(&self.program.predicates, &individuals);
            next.set(predicate, &open, Kleene::False);
            next.set(predicate, &tuple(copy), Kleene::True);
            let values = [open, tuple(copy)].map(|one| Change::Value(predicate, one));
            // Of two that were one it is known now that they are not the same.
            let apart = [[other, copy], [copy, other]].map(Change::Identity);
            case(next, [values.as_slice(), &apart].concat())?;
        }
        Ok(cases)
    }

    /// Where an action leads, and what changes; `None`: nowhere. A definition that reads what may have
    /// changed is looked at anew.
    fn after(&self, part: &Part, action: &PredicateAction) -> Option<(Structure, Vec<Change>)> {
        let before = &part.before;
        let mut after = before.clone();
        let marks = [self.program.is_new, self.program.instance];
        for mark in marks.into_iter().flatten() {
            after.values[mark.index()].fill(Kleene::False);
        }
        let mut changed: Vec<PredicateId> = marks.into_iter().flatten().collect();
        let mut variables = part.assignment.clone();
        variables.resize(action.variables.len(), 0);
        for update in &action.updates {
            changed.push(update.predicate);
            for tuple in tuples(before.size(), update.parameters.len()) {
                for (&parameter, &one) in update.parameters.iter().zip(&tuple) {
                    variables[parameter] = one;
                }
                let value = before.value(&update.value, &mut variables);
                after.set(update.predicate, &tuple, value);
            }
        }
        let mut differences = None;
        let (grows, shrinks) = (!action.creates.is_empty(), action.retains.is_some());
        for (predicate, arity, definition) in self.program.defined() {
            let mut reads = Vec::new();
            definition.reads(&mut reads);
            let quantified = definition.is_quantified();
            let others = (grows || shrinks) && quantified || grows && arity > 0;
            if !others && !reads.iter().any(|one| changed.contains(one)) {
                continue;
            }
            changed.push(predicate);
            let own = || Differences::new(self.program, part, action);
            let differences = differences.get_or_insert_with(own);
            let values = differences.define(predicate, definition, arity)?;
            after.values[predicate.index()].copy_from_slice(&values);
        }
        let mut changes = Vec::new();
        for predicate in changed {
            let arity = self.program.predicate(predicate).arity;
            let (was, is) = (
                &before.values[predicate.index()],
                &after.values[predicate.index()],
            );
            for place in (0..is.len()).filter(|&place| was[place] != is[place]) {
                let individuals = after.arguments(place, arity).into_iter();
                let place_of = |one| part.staying.iter().position(|&staying| staying == one);
                let individuals: Option<Vec<usize>> = individuals.map(place_of).collect();
                changes.extend(individuals.map(|all| Change::Value(predicate, all)));
            }
        }
        if grows || shrinks {
            changes.push(Change::Others);
            let all = part.staying.iter().enumerate();
            let new = all.filter(|(_, one)| **one >= part.old);
            changes.extend(new.map(|(place, _)| Change::New(place)));
            after = after.picked(&self.program.predicates, &part.staying);
        }
        Some((after, changes))
    }
}

/// When an action happens.
fn condition(action: &PredicateAction) -> Condition {
    Condition::new(action.free, &action.precondition)
}

/// A predicate and the individuals that are given of those that it is about, in a structure.
type Asked<'a> = &'a dyn Fn(&Structure) -> Option<(Onward, Vec<usize>)>;

/// The individual that functions lead to from the one that has a predicate, if that is known.
fn led(structure: &Structure, from: PredicateId, way: &[Onward]) -> Option<usize> {
    let only = |onward: Onward, given: &[usize]| {
        let value = |one: usize| match onward.back {
            true => structure.get(onward.predicate, &[&[one], given].concat()),
            false => structure.get(onward.predicate, &[given, &[one]].concat()),
        };
        let mut having = (0..structure.size()).filter(|&one| value(one) != Kleene::False);
        let one = having.next().filter(|&one| value(one) == Kleene::True)?;
        (having.next().is_none() && !structure.summary[one]).then_some(one)
    };
    way.iter()
        .try_fold(only(from.into(), &[])?, |at, &onward| only(onward, &[at]))
}

fn not_covered(what: &str) -> Rejected {
    Rejected::NotInductive(format!("no structure stands for {what}"))
}
