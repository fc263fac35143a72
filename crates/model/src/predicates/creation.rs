//! New individuals in a configuration.

use super::concrete::Concrete;
use super::formula::Kleene;
use super::structure::Structure;
use super::{Creation, PredicateAction};
use crate::ids::PredicateId;

impl Concrete<'_> {
    /// A configuration with the individuals that an action makes.
    pub(super) fn with_new(
        &self,
        state: &Structure,
        action: &PredicateAction,
        assignment: &mut Vec<usize>,
    ) -> Structure {
        let mut result = state.clone();
        for creation in &action.creates {
            let Some((variable, condition)) = &creation.each else {
                self.add(&mut result, creation);
                continue;
            };
            let mut copied = Vec::new();
            for one in 0..state.size() {
                assignment[*variable] = one;
                if state.value(condition, assignment) == Kleene::True {
                    copied.push((one, self.add(&mut result, creation)));
                }
            }
            for &(old, new) in &copied {
                if let Some(instance) = self.program.instance {
                    result.set(instance, &[new, old], Kleene::True);
                }
            }
            if creation.copies {
                self.copy(&mut result, &copied);
            }
        }
        result
    }

    fn add(&self, state: &mut Structure, creation: &Creation) -> usize {
        let new = state.size();
        *state = state.enlarged(&self.program.predicates);
        for &predicate in self.program.is_new.iter().chain(&creation.holds) {
            state.set(predicate, &[new], Kleene::True);
        }
        new
    }

    /// Gives new individuals the values of old ones.
    fn copy(&self, state: &mut Structure, copied: &[(usize, usize)]) {
        for (index, predicate) in self.program.predicates.iter().enumerate() {
            let id = PredicateId::new(index);
            if self.program.is_new == Some(id) || self.program.instance == Some(id) {
                continue;
            }
            for &(old, new) in copied {
                match predicate.arity {
                    1 => state.set(id, &[new], state.get(id, &[old])),
                    2 => {
                        for &(other, second) in copied {
                            state.set(id, &[new, second], state.get(id, &[old, other]));
                        }
                    }
                    _ => {}
                }
            }
        }
    }

    /// The same; nobody is new any more.
    pub(super) fn without_marks(&self, mut state: Structure) -> Structure {
        for mark in self.program.is_new.iter().chain(&self.program.instance) {
            state.values[mark.index()].fill(Kleene::False);
        }
        state
    }
}
