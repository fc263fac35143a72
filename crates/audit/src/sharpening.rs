//! All that rules say of a structure is made known, for the audit of sets of structures.
//!
//! A work list holds the values that changed; what is made known is put there too.

use model::PredicateId;

use crate::conclusions::conclude;
use crate::crowd::{Crowd, Those};
use crate::planes::{Line, Planes};
use crate::rules::{Reading, Rules};

/// What makes rules say something new.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Change {
    /// The value of a predicate for some individuals; one of fewer than two has no use for all places.
    Value(PredicateId, [usize; 2]),
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
struct Sharpening<'r, C> {
    rules: &'r Rules,
    structure: Planes<C>,
    changes: Vec<Change>,
    /// The rules to look at for all individuals.
    whole: Vec<bool>,
}

/// A structure of which rules have said all before these changes, with what they say now; `None`: no
/// configuration is left.
pub(crate) fn sharpened<C: Crowd>(
    rules: &Rules,
    structure: Planes<C>,
    changes: Vec<Change>,
) -> Option<Planes<C>> {
    let any = changes.contains(&Change::Any);
    let mut sharpening = Sharpening {
        rules,
        structure,
        changes,
        whole: vec![any; rules.rules.len()],
    };
    loop {
        if let Some(change) = sharpening.changes.pop() {
            sharpening.heed(change)?;
        } else if let Some(rule) = sharpening.whole.iter().position(|&one| one) {
            sharpening.whole[rule] = false;
            sharpening.apply(&rules.whole[rule], &[])?;
        } else {
            return Some(sharpening.structure);
        }
    }
}

impl<C: Crowd> Sharpening<'_, C> {
    /// Asks the rules that read what changed.
    fn heed(&mut self, change: Change) -> Option<()> {
        let rules = self.rules;
        let (readers, individuals, value) = match change {
            Change::Value(predicate, individuals) => {
                let value = self
                    .structure
                    .get(rules.places[predicate.index()], individuals);
                (&rules.readers[predicate.index()], individuals, Some(value))
            }
            Change::Identity(individuals) => (&rules.identity, individuals, None),
            Change::New(individual) => {
                let mut fresh = rules.fresh.iter();
                return fresh.try_for_each(|reading| self.apply(reading, &[individual]));
            }
            Change::Others => {
                let quantified = rules.quantified.iter();
                quantified.for_each(|&rule| self.whole[rule] = true);
                return Some(());
            }
            Change::Any => return Some(()),
        };
        for reading in readers {
            if value.is_some_and(|value| !reading.values.has(value)) {
                continue;
            }
            if reading.given.iter().all(Option::is_none) {
                self.whole[reading.rule] = true;
            } else {
                self.apply(reading, &individuals)?;
            }
        }
        Some(())
    }

    /// Asks a rule where its variables stand for these individuals.
    fn apply(&mut self, reading: &Reading, individuals: &[usize]) -> Option<()> {
        let rule = &self.rules.rules[reading.rule];
        let mut few = [UNKNOWN; FEW];
        let mut many = Vec::new();
        let of = match few.get_mut(..rule.slots) {
            Some(few) => few,
            None => {
                many.resize(rule.slots, UNKNOWN);
                many.as_mut_slice()
            }
        };
        for (variable, &individual) in reading.given.iter().zip(individuals) {
            let Some(variable) = *variable else {
                continue;
            };
            let before = std::mem::replace(&mut of[variable as usize], individual);
            if before != UNKNOWN && before != individual {
                return Some(());
            }
        }
        self.stage(reading, 0, of)
    }

    fn stage(&mut self, reading: &Reading, number: usize, of: &mut [usize]) -> Option<()> {
        let rules = self.rules;
        let rule = &rules.rules[reading.rule];
        let Some(stage) = reading.stages.get(number) else {
            // What changes is kept in mind.
            let change = conclude(&mut self.structure, rule.head, of).ok()?;
            self.changes.extend(change);
            return Some(());
        };
        let structure = &self.structure;
        let mut left = stage.all(structure);
        if stage.head {
            left &= !structure.line(&rule.said, stage.variable(), of).sure();
        }
        // What surely holds still does when more is known.
        let choices = stage.choices(structure, &rule.body, (left, Line::sure), of);
        for one in Those(choices) {
            stage.choose(one, of);
            self.stage(reading, number + 1, of)?;
        }
        Some(())
    }
}

/// A variable that stands for nobody yet.
const UNKNOWN: usize = usize::MAX;

/// So many variables stand on the stack.
const FEW: usize = 16;
