//! For whom a conjunction may hold, for the audit of sets of structures.

use model::predicates::{Formula, Head};

use crate::crowd::{Crowd, Those};
use crate::planes::{Places, Planes};
use crate::rules::{Asked, Reading, Rule};

/// A conjunction.
pub(crate) struct Condition {
    rule: Asked,
    free: usize,
    way: Reading,
}

impl Condition {
    /// Of the individuals that the first `free` variables stand for.
    pub(crate) fn new(free: usize, formula: &Formula, places: &Places) -> Condition {
        let rule = Rule::new(free, std::slice::from_ref(formula), Head::Never);
        Condition {
            way: rule.reading(0, &[]),
            rule: rule.asked(places),
            free,
        }
    }

    /// The assignments for which it may hold.
    pub(crate) fn assignments<C: Crowd>(&self, structure: &Planes<C>) -> Vec<Vec<usize>> {
        let mut found = Vec::new();
        self.stage(structure, 0, &mut vec![0; self.rule.slots], &mut |one| {
            found.push(one.to_vec());
            false
        });
        found
    }

    /// Whether there is one.
    pub(crate) fn may_hold<C: Crowd>(&self, structure: &Planes<C>) -> bool {
        self.stage(structure, 0, &mut vec![0; self.rule.slots], &mut |_| true)
    }

    /// Goes through assignments until `found` says that it is enough, and says whether it did.
    fn stage<C: Crowd>(
        &self,
        structure: &Planes<C>,
        number: usize,
        of: &mut [usize],
        found: &mut dyn FnMut(&[usize]) -> bool,
    ) -> bool {
        let Some(stage) = self.way.stages.get(number) else {
            return found(&of[..self.free]);
        };
        let all = stage.all(structure);
        let choices = stage.choices(structure, &self.rule.body, (all, |line| line.yes), of);
        Those(choices).any(|one| {
            stage.choose(one, of);
            self.stage(structure, number + 1, of, found)
        })
    }
}
