//! For whom a conjunction may hold, for the audit of sets of structures.

use model::predicates::{Formula, Head, Kleene, Structure};

use crate::rules::{Reading, Rule};

/// A conjunction.
pub(crate) struct Condition {
    rule: Rule,
    way: Reading,
}

impl Condition {
    /// Of the individuals that the first `free` variables stand for.
    pub(crate) fn new(free: usize, formula: &Formula) -> Condition {
        let rule = Rule::new(free, std::slice::from_ref(formula), Head::Never);
        let way = rule.reading(0, &[]);
        Condition { rule, way }
    }

    /// The assignments for which it may hold.
    pub(crate) fn assignments(&self, structure: &Structure) -> Vec<Vec<usize>> {
        let mut found = Vec::new();
        let mut assignment = vec![0; self.rule.slots];
        self.stage(structure, 0, &mut assignment, &mut |one| {
            found.push(one.to_vec());
            false
        });
        found
    }

    /// Whether there is one.
    pub(crate) fn may_hold(&self, structure: &Structure) -> bool {
        let mut assignment = vec![0; self.rule.slots];
        self.stage(structure, 0, &mut assignment, &mut |_| true)
    }

    /// Goes through assignments until `found` says that it is enough, and says whether it did.
    fn stage(
        &self,
        structure: &Structure,
        number: usize,
        assignment: &mut Vec<usize>,
        found: &mut dyn FnMut(&[usize]) -> bool,
    ) -> bool {
        let Some(stage) = self.way.stages.get(number) else {
            return found(&assignment[..self.rule.free]);
        };
        for one in 0..stage.choices(structure) {
            stage.choose(one, assignment);
            let mut parts = stage.parts.iter().map(|&part| &self.rule.body[part]);
            let may = parts.all(|part| structure.value(part, assignment) != Kleene::False);
            if may && self.stage(structure, number + 1, assignment, found) {
                return true;
            }
        }
        false
    }
}
