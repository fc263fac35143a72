//! Whether a set of structures is all that can be reached, and none of them gives a message.
//!
//! Each action is applied to each structure anew: values that are to be known are made so by cases, one
//! unknown value at a time, rules are applied, and what comes out must be what some structure of the set
//! stands for. Formulas are evaluated by the plain definition. Nothing is shared with the engine that
//! found the set but the program.

use std::collections::HashMap;

use model::predicates::{
    Formula, Head, Kleene, Onward, PredicateAction, PredicateProgram, Structure,
};
use model::{Budget, MessageId, PredicateId};

use crate::Rejected;
use crate::conclusions::{conclude, digits, is_known, tuples};
use crate::definitions;
use crate::differences::Differences;
use crate::individuals::{Part, parts};

/// A rule: how many variables it has and how many of them are free, when it applies, and what it says.
type Rule = (usize, u32, Formula, Head);

struct Audit<'a> {
    program: &'a PredicateProgram,
    rules: Vec<Rule>,
    budget: &'a Budget,
    /// The structures, by the values that keep individuals apart, in order.
    known: HashMap<Vec<Vec<Kleene>>, Vec<usize>>,
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
        rules: rules(program),
        budget,
        known: HashMap::new(),
        structures,
    };
    for (number, structure) in structures.iter().enumerate() {
        let names = audit.names(structure);
        audit.known.entry(names).or_default().push(number);
    }
    let mut closed = Closed {
        program,
        structures,
        initial: Vec::new(),
        steps: Vec::new(),
    };
    for initial in &program.initial {
        if let Some(initial) = audit.sharpened(initial.clone()) {
            let covered = audit.covering(&initial);
            let covered = covered.ok_or_else(|| not_covered("an initial configuration"))?;
            closed.initial.push(covered);
        }
    }
    for structure in structures {
        let mut leads = Vec::new();
        let sharpened = audit.sharpened(structure.clone());
        for (number, action) in program.actions.iter().enumerate() {
            let mut to = match &sharpened {
                Some(structure) if is_possible(structure, action) => {
                    audit.action(structure, action, silent)?
                }
                _ => Vec::new(),
            };
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

/// All rules: those that are stated, and what definitions say.
fn rules(program: &PredicateProgram) -> Vec<Rule> {
    let stated = program.constraints.iter().map(|rule| {
        let variables = rule.variables.max(rule.free);
        let free = u32::try_from(rule.free).expect("a rule has few variables");
        (variables, free, rule.body.clone(), rule.head.clone())
    });
    let mut rules: Vec<Rule> = stated.collect();
    for (predicate, arity, definition) in program.defined() {
        for positive in [true, false] {
            let head = Head::Literal(predicate, (0..arity).collect(), positive);
            let body = match positive {
                true => definition.clone(),
                false => Formula::not(definition.clone()),
            };
            let free = u32::try_from(arity).expect("a predicate has few arguments");
            rules.push((definition.slots().max(arity), free, body, head));
        }
    }
    rules
}

impl Audit<'_> {
    /// The values that keep each individual apart, in order.
    fn names(&self, structure: &Structure) -> Vec<Vec<Kleene>> {
        let name = |one: usize| {
            let all = self.program.predicates.iter().enumerate();
            let apart = all.filter(|(_, predicate)| predicate.abstraction && predicate.arity == 1);
            apart
                .map(|(index, _)| structure.values[index][one])
                .collect()
        };
        let mut names: Vec<Vec<Kleene>> = (0..structure.size()).map(name).collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    /// A structure of the set that stands for all that this one stands for. As a rule it is one with
    /// the same values of what keeps individuals apart; in another one less is known.
    fn covering(&self, structure: &Structure) -> Option<usize> {
        let predicates = &self.program.predicates;
        let covers = |one: &usize| self.structures[*one].stands_for(structure, predicates);
        let same = self.known.get(&self.names(structure));
        let same = same.and_then(|same| same.iter().copied().find(covers));
        same.or_else(|| (0..self.structures.len()).find(covers))
    }

    /// All that rules say is made known; `None`: no configuration is left.
    fn sharpened(&self, mut structure: Structure) -> Option<Structure> {
        loop {
            let before = structure.clone();
            for (variables, free, body, head) in &self.rules {
                let mut assignment = vec![0; *variables];
                for number in 0..structure.size().pow(*free) {
                    digits(number, structure.size(), &mut assignment[..*free as usize]);
                    // Where it is known what a rule says, the rule adds nothing.
                    if is_known(&structure, head, &assignment) {
                        continue;
                    }
                    if structure.value(body, &mut assignment) == Kleene::True {
                        conclude(&mut structure, head, &assignment)?;
                    }
                }
            }
            definitions::apply(self.program, &mut structure)?;
            if structure == before {
                return Some(structure);
            }
        }
    }

    /// The structures of the set that an action leads to from one that is as sharp as rules make it.
    fn action(
        &self,
        structure: &Structure,
        action: &PredicateAction,
        silent: &[MessageId],
    ) -> Result<Vec<usize>, Rejected> {
        let mut leads = Vec::new();
        let mut cases: Vec<Structure> = vec![structure.clone()];
        for focus in &action.focus {
            cases = self.known(cases, &|_| Some((focus.of.into(), Vec::new())))?;
            for (step, &onward) in focus.then.iter().enumerate() {
                if !onward.is_unique(self.program) {
                    break;
                }
                let way = &focus.then[..step];
                cases = self.known(cases, &|case| {
                    let from = led(case, focus.of, way)?;
                    Some((onward, vec![from]))
                })?;
            }
        }
        for case in cases {
            for assignment in tuples(case.size(), action.free) {
                self.within()?;
                let mut variables = assignment.clone();
                variables.resize(action.variables.len(), 0);
                if case.value(&action.precondition, &mut variables) == Kleene::False {
                    continue;
                }
                self.silence(&case, &action.reports, &mut variables, silent)?;
                for part in parts(self.program, &case, action, &assignment) {
                    self.within()?;
                    let after = self.after(&part, action);
                    let Some(after) = after.and_then(|after| self.sharpened(after)) else {
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

    /// Structures by cases in which what is asked is known; `None`: nothing is asked of one.
    fn known(&self, all: Vec<Structure>, asked: Asked<'_>) -> Result<Vec<Structure>, Rejected> {
        let mut known = Vec::new();
        for structure in all {
            match asked(&structure) {
                Some((onward, given)) => {
                    known.extend(self.cases(structure, onward, &given)?);
                }
                None => known.extend(self.sharpened(structure)),
            }
        }
        Ok(known)
    }

    /// A structure by cases in which a predicate is known for any individual beside the given ones, or
    /// a predicate of none is.
    fn cases(
        &self,
        structure: Structure,
        asked: Onward,
        given: &[usize],
    ) -> Result<Vec<Structure>, Rejected> {
        self.within()?;
        let Some(structure) = self.sharpened(structure) else {
            return Ok(Vec::new());
        };
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
        for value in [Kleene::False, Kleene::True] {
            let mut case = structure.clone();
            case.set(predicate, &open, value);
            cases.extend(self.cases(case, asked, given)?);
        }
        if let Some(other) = other.filter(|&one| structure.summary[one]) {
            let mut individuals: Vec<usize> = (0..structure.size()).collect();
            individuals.push(other);
            let mut case = structure.picked(&self.program.predicates, &individuals);
            case.set(predicate, &open, Kleene::False);
            case.set(predicate, &tuple(structure.size()), Kleene::True);
            cases.extend(self.cases(case, asked, given)?);
        }
        Ok(cases)
    }

    /// Where an action leads; `None`: nowhere. A definition that reads what may have changed is looked
    /// at anew.
    fn after(&self, part: &Part, action: &PredicateAction) -> Option<Structure> {
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
            after.values[predicate.index()] = differences.define(predicate, definition, arity)?;
        }
        Some(after.picked(&self.program.predicates, &part.staying))
    }
}

/// Whether an action may happen in what a structure stands for, before anything is looked at by cases.
fn is_possible(structure: &Structure, action: &PredicateAction) -> bool {
    tuples(structure.size(), action.free)
        .into_iter()
        .any(|mut variables| {
            variables.resize(action.variables.len(), 0);
            structure.value(&action.precondition, &mut variables) != Kleene::False
        })
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
