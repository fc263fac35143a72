//! All that rules say of a structure is made known, for the audit of sets of structures.
//!
//! A work list holds the values that changed; what is made known is put there too.

use model::PredicateId;
use model::predicates::{Head, Kleene, Structure};

use crate::conclusions::{conclude, is_known};
use crate::rules::{Reading, Rules};

/// What makes rules say something new.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Change {
    /// The value of a predicate for some individuals.
    Value(PredicateId, Vec<usize>),
    /// Whether these two are the same.
    Identity([usize; 2]),
    /// There is a new individual.
    New(usize),
    /// There are other individuals than before.
    Others,
    /// Anything.
    Any,
}

/// A structure with changes that rules have not been asked about.
struct Sharpening<'r> {
    rules: &'r Rules,
    structure: Structure,
    changes: Vec<Change>,
    /// The rules to look at for all individuals.
    whole: Vec<bool>,
}

/// A structure of which rules have said all before these changes, with what they say now; `None`: no
/// configuration is left.
pub(crate) fn sharpened(
    rules: &Rules,
    structure: Structure,
    changes: Vec<Change>,
) -> Option<Structure> {
    let any = changes.contains(&Change::Any);
    let mut sharpening = Sharpening {
        rules,
        structure,
        changes,
        whole: vec![any; rules.rules.len()],
    };
    loop {
        if let Some(change) = sharpening.changes.pop() {
            sharpening.heed(&change)?;
        } else if let Some(rule) = sharpening.whole.iter().position(|&one| one) {
            sharpening.whole[rule] = false;
            sharpening.apply(&rules.whole[rule], &[])?;
        } else {
            return Some(sharpening.structure);
        }
    }
}

impl Sharpening<'_> {
    /// Asks the rules that read what changed.
    fn heed(&mut self, change: &Change) -> Option<()> {
        let rules = self.rules;
        let (readers, individuals) = match change {
            Change::Value(predicate, individuals) => {
                (&rules.readers[predicate.index()], individuals.as_slice())
            }
            Change::Identity(individuals) => (&rules.identity, individuals.as_slice()),
            Change::New(individual) => {
                let mut fresh = rules.fresh.iter();
                return fresh.try_for_each(|reading| self.apply(reading, &[*individual]));
            }
            Change::Others => {
                let quantified = rules.quantified.iter();
                quantified.for_each(|&rule| self.whole[rule] = true);
                return Some(());
            }
            Change::Any => return Some(()),
        };
        for reading in readers {
            if reading.given.iter().all(Option::is_none) {
                self.whole[reading.rule] = true;
            } else {
                self.apply(reading, individuals)?;
            }
        }
        Some(())
    }

    /// Asks a rule where its variables stand for these individuals.
    fn apply(&mut self, reading: &Reading, individuals: &[usize]) -> Option<()> {
        let rule = &self.rules.rules[reading.rule];
        let mut assignment = vec![usize::MAX; rule.slots];
        for (variable, &individual) in reading.given.iter().zip(individuals) {
            let Some(variable) = *variable else {
                continue;
            };
            let before = std::mem::replace(&mut assignment[variable], individual);
            if before != usize::MAX && before != individual {
                return Some(());
            }
        }
        self.stage(reading, 0, &mut assignment)
    }

    fn stage(
        &mut self,
        reading: &Reading,
        number: usize,
        assignment: &mut Vec<usize>,
    ) -> Option<()> {
        let rules = self.rules;
        let rule = &rules.rules[reading.rule];
        let Some(stage) = reading.stages.get(number) else {
            return self.conclude(&rule.head, assignment);
        };
        for one in 0..stage.choices(&self.structure) {
            stage.choose(one, assignment);
            if stage.head && is_known(&self.structure, &rule.head, assignment) {
                continue;
            }
            let mut parts = stage.parts.iter().map(|&part| &rule.body[part]);
            if parts.all(|part| self.structure.value(part, assignment) == Kleene::True) {
                self.stage(reading, number + 1, assignment)?;
            }
        }
        Some(())
    }

    /// Makes known what a rule says, and keeps in mind what changes by it.
    fn conclude(&mut self, head: &Head, assignment: &[usize]) -> Option<()> {
        match head {
            Head::Never => return None,
            Head::Literal(predicate, variables, _) => {
                let individuals: Vec<usize> = variables.iter().map(|&v| assignment[v]).collect();
                let before = self.structure.get(*predicate, &individuals);
                conclude(&mut self.structure, head, assignment)?;
                if self.structure.get(*predicate, &individuals) != before {
                    self.changes.push(Change::Value(*predicate, individuals));
                }
            }
            Head::Equal(a, ..) => {
                let one = assignment[*a];
                let before = self.structure.summary[one];
                conclude(&mut self.structure, head, assignment)?;
                if self.structure.summary[one] != before {
                    self.changes.push(Change::Identity([one, one]));
                }
            }
        }
        Some(())
    }
}
