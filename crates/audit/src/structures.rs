//! Whether a set of structures is all that can be reached, and none of them gives a message.
//!
//! Each action is applied to each structure anew: values that are to be known are made so by cases, one
//! unknown value at a time, rules are applied, and what comes out must be what some structure of the set
//! stands for. Formulas are evaluated by the plain definition. Nothing is shared with the engine that
//! found the set but the program.

use std::collections::HashMap;

use model::predicates::{Formula, Head, Kleene, PredicateAction, PredicateProgram, Structure};
use model::{Budget, MessageId, PredicateId};

use crate::Rejected;

/// A rule: how many variables it has and how many of them are free, when it applies, and what it says.
type Rule = (usize, usize, Formula, Head);

struct Audit<'a> {
    program: &'a PredicateProgram,
    rules: Vec<Rule>,
    /// The structures, by the values that keep individuals apart, in order.
    known: HashMap<Vec<Vec<Kleene>>, Vec<&'a Structure>>,
}

/// Checks that structures stand for every configuration that can be reached, and that none of them
/// gives one of these messages.
///
/// # Errors
/// Why that is not so, as far as can be told.
pub fn check_structures(
    program: &PredicateProgram,
    structures: &[Structure],
    silent: &[MessageId],
    budget: &Budget,
) -> Result<(), Rejected> {
    let mut audit = Audit {
        program,
        rules: rules(program),
        known: HashMap::new(),
    };
    for structure in structures {
        let names = audit.names(structure);
        audit.known.entry(names).or_default().push(structure);
    }
    for initial in &program.initial {
        if let Some(initial) = audit.sharpened(initial.clone())
            && !audit.is_covered(&initial)
        {
            return Err(not_covered("an initial configuration"));
        }
    }
    for structure in structures {
        for action in &program.actions {
            if budget.exhausted(0).is_some() {
                return Err(Rejected::Limit);
            }
            audit.action(structure, action, silent)?;
        }
    }
    Ok(())
}

/// All rules: those that are stated, and what definitions say.
fn rules(program: &PredicateProgram) -> Vec<Rule> {
    let stated = program.constraints.iter().map(|rule| {
        let variables = rule.variables.max(rule.free);
        (variables, rule.free, rule.body.clone(), rule.head.clone())
    });
    let mut rules: Vec<Rule> = stated.collect();
    for (predicate, arity, definition) in program.defined() {
        for positive in [true, false] {
            let head = Head::Literal(predicate, (0..arity).collect(), positive);
            let body = match positive {
                true => definition.clone(),
                false => Formula::not(definition.clone()),
            };
            rules.push((definition.slots().max(arity), arity, body, head));
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

    fn is_covered(&self, structure: &Structure) -> bool {
        let same = self.known.get(&self.names(structure));
        same.is_some_and(|all| {
            let mut all = all.iter();
            all.any(|one| one.stands_for(structure, &self.program.predicates))
        })
    }

    /// All that rules say is made known; `None`: no configuration is left.
    fn sharpened(&self, mut structure: Structure) -> Option<Structure> {
        loop {
            let before = structure.clone();
            for (variables, free, body, head) in &self.rules {
                for mut assignment in tuples(structure.size(), *free) {
                    assignment.resize(*variables, 0);
                    if structure.value(body, &mut assignment) == Kleene::True {
                        conclude(&mut structure, head, &assignment)?;
                    }
                }
            }
            if structure == before {
                return Some(structure);
            }
        }
    }

    fn action(
        &self,
        structure: &Structure,
        action: &PredicateAction,
        silent: &[MessageId],
    ) -> Result<(), Rejected> {
        let mut cases = vec![structure.clone()];
        for &predicate in &action.focus {
            let split = cases
                .into_iter()
                .flat_map(|case| self.cases(case, predicate));
            cases = split.collect();
        }
        for case in cases {
            for assignment in tuples(case.size(), action.free) {
                let mut variables = assignment.clone();
                variables.resize(action.variables.len(), 0);
                if case.value(&action.precondition, &mut variables) == Kleene::False {
                    continue;
                }
                for (message, condition) in &action.reports {
                    let said = case.value(condition, &mut variables) != Kleene::False;
                    if said && silent.contains(message) {
                        return Err(Rejected::Violated);
                    }
                }
                let after = self.after(&case, action, &assignment);
                if let Some(after) = self.sharpened(after)
                    && !self.is_covered(&after)
                {
                    return Err(not_covered(&format!("what `{}` leads to", action.name)));
                }
            }
        }
        Ok(())
    }

    /// A structure by cases in which a predicate of none or one is known.
    fn cases(&self, structure: Structure, predicate: PredicateId) -> Vec<Structure> {
        let Some(structure) = self.sharpened(structure) else {
            return Vec::new();
        };
        let arity = self.program.predicate(predicate).arity;
        let values = &structure.values[predicate.index()];
        let open = values.iter().position(|value| *value == Kleene::Unknown);
        let Some(place) = open.filter(|_| arity < 2) else {
            return vec![structure];
        };
        let mut cases = Vec::new();
        for value in [Kleene::False, Kleene::True] {
            let mut case = structure.clone();
            case.values[predicate.index()][place] = value;
            cases.extend(self.cases(case, predicate));
        }
        if arity == 1 && structure.summary[place] {
            let mut individuals: Vec<usize> = (0..structure.size()).collect();
            individuals.push(place);
            let mut case = structure.picked(&self.program.predicates, &individuals);
            case.set(predicate, &[place], Kleene::False);
            case.set(predicate, &[structure.size()], Kleene::True);
            cases.extend(self.cases(case, predicate));
        }
        cases
    }

    /// Where an action leads. A definition that reads what may have changed is evaluated anew.
    fn after(&self, case: &Structure, action: &PredicateAction, assignment: &[usize]) -> Structure {
        let predicates = &self.program.predicates;
        let mut before = case.clone();
        if let Some(is_new) = action.creates {
            before = case.enlarged(predicates);
            before.set(is_new, &[case.size()], Kleene::True);
        }
        let mut after = before.clone();
        if let Some(is_new) = action.creates {
            after.set(is_new, &[case.size()], Kleene::False);
        }
        let mut changed: Vec<PredicateId> = action.creates.into_iter().collect();
        let mut variables = assignment.to_vec();
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
        for (predicate, arity, definition) in self.program.defined() {
            let mut reads = Vec::new();
            definition.reads(&mut reads);
            if action.creates.is_none() && !reads.iter().any(|one| changed.contains(one)) {
                continue;
            }
            changed.push(predicate);
            for tuple in tuples(after.size(), arity) {
                let mut variables = tuple.clone();
                variables.resize(definition.slots().max(arity), 0);
                let value = after.value(definition, &mut variables);
                after.set(predicate, &tuple, value);
            }
        }
        after
    }
}

/// Makes known what a rule says; `None`: it contradicts what is known.
fn conclude(structure: &mut Structure, head: &Head, assignment: &[usize]) -> Option<()> {
    match head {
        Head::Never => None,
        Head::Literal(predicate, variables, positive) => {
            let tuple: Vec<usize> = variables.iter().map(|&v| assignment[v]).collect();
            let said = Kleene::of(*positive);
            let known = structure.get(*predicate, &tuple);
            if known != said && known != Kleene::Unknown {
                return None;
            }
            // What is said of an individual and itself is not said of two that one stands for.
            let repeated = variables.len() == 2 && variables[0] == variables[1];
            if !(repeated && structure.summary[tuple[0]]) {
                structure.set(*predicate, &tuple, said);
            }
            Some(())
        }
        Head::Equal(a, b, positive) => {
            let (one, other) = (assignment[*a], assignment[*b]);
            if (one == other) != *positive {
                return None;
            }
            if *positive && a != b {
                structure.summary[one] = false;
            }
            Some(())
        }
    }
}

fn not_covered(what: &str) -> Rejected {
    Rejected::NotInductive(format!("no structure stands for {what}"))
}

/// All tuples of so many individuals.
fn tuples(size: usize, length: usize) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new()];
    for _ in 0..length {
        let longer = all.iter().flat_map(|tuple: &Vec<usize>| {
            (0..size).map(move |one| [tuple.as_slice(), &[one]].concat())
        });
        all = longer.collect();
    }
    all
}
