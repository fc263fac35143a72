//! What a fair accepted run needs.
//!
//! A node of the product is a stable state and a state of the automaton. Everything that must be
//! seen again and again is a *mark* on an edge: an accepting edge of the automaton, a justice
//! condition, a weakly fair set of steps taken or not enabled. Conditions of the form "if again
//! and again this, then that" are pairs of marks (Streett acceptance).

use logic::Buchi;
use model::{ExprId, FairnessKind, Program, UnknownReason};

use crate::ir::compile::{Demand, FairSet};
use crate::liveness::automaton_labels::{ACCEPTING, Letter, Marks};

/// A condition on the marks seen infinitely often.
#[derive(Clone, Debug, Default)]
pub(crate) struct Acceptance {
    /// Marks that must be seen.
    pub(crate) needs: Marks,
    /// If the first is seen, so must be the second.
    pub(crate) pairs: Vec<(Marks, Marks)>,
}

impl Acceptance {
    /// Whether a cycle with exactly these marks is fair and accepted.
    pub(crate) fn accepts(&self, marks: Marks) -> bool {
        self.needs & !marks == 0
            && self
                .pairs
                .iter()
                .all(|(if_, then)| marks & if_ == 0 || marks & then != 0)
    }

    /// Marks that a cycle inside a component with these marks must not have.
    pub(crate) fn forbidden(&self, marks: Marks) -> Marks {
        self.pairs
            .iter()
            .filter(|(_, then)| marks & then == 0)
            .fold(0, |bits, (if_, _)| bits | marks & if_)
    }

    /// Marks that a cycle in a component that is accepted should pass.
    pub(crate) fn wanted(&self, marks: Marks) -> Marks {
        self.pairs
            .iter()
            .filter(|(if_, _)| marks & if_ != 0)
            .fold(self.needs, |bits, (_, then)| bits | then)
    }
}

/// Where a mark comes from.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Source {
    /// An outcome holds.
    Outcome(usize),
    /// A step of the set is taken, or none is enabled.
    TakenOrNot(usize),
    Taken(usize),
    Enabled(usize),
}

/// What has to be known at the ends of macro steps, and how marks come from it.
pub(crate) struct Plan {
    pub(crate) demand: Demand,
    /// How many outcomes make a letter.
    pub(crate) letters: usize,
    pub(crate) acceptance: Acceptance,
    pub(crate) marks: Vec<(Marks, Source)>,
}

impl Plan {
    /// For a program with so many instances at most.
    pub(crate) fn new(
        program: &Program,
        instances: usize,
        automaton: &Buchi<ExprId>,
        watch: &[ExprId],
    ) -> Result<Plan, UnknownReason> {
        let mut demand = Demand {
            outcomes: automaton.atoms.clone(),
            ..Demand::default()
        };
        let mut acceptance = Acceptance {
            needs: ACCEPTING,
            pairs: Vec::new(),
        };
        let mut marks = Vec::new();
        let mut next = ACCEPTING;
        let mut mark = |source: Source| -> Result<Marks, UnknownReason> {
            next = next
                .checked_shl(1)
                .filter(|&bit| bit != 0)
                .ok_or_else(too_many)?;
            marks.push((next, source));
            Ok(next)
        };
        for fairness in &program.fairness {
            match &fairness.kind {
                FairnessKind::Justice(expr) => {
                    acceptance.needs |= mark(Source::Outcome(demand.outcomes.len()))?;
                    demand.outcomes.push(*expr);
                }
                FairnessKind::Compassion(if_, then) => {
                    let first = mark(Source::Outcome(demand.outcomes.len()))?;
                    let second = mark(Source::Outcome(demand.outcomes.len() + 1))?;
                    acceptance.pairs.push((first, second));
                    demand.outcomes.extend([*if_, *then]);
                }
                FairnessKind::Weak(steps) => {
                    acceptance.needs |= mark(Source::TakenOrNot(demand.fair.len()))?;
                    demand.fair.push(FairSet::Steps(steps.clone()));
                }
                FairnessKind::Strong(steps) => {
                    let first = mark(Source::Enabled(demand.fair.len()))?;
                    let second = mark(Source::Taken(demand.fair.len()))?;
                    acceptance.pairs.push((first, second));
                    demand.fair.push(FairSet::Steps(steps.clone()));
                }
                FairnessKind::WeakInstances => {
                    for number in 0..instances {
                        acceptance.needs |= mark(Source::TakenOrNot(demand.fair.len()))?;
                        demand.fair.push(FairSet::Instance(number));
                    }
                }
            }
        }
        let letters = demand.outcomes.len();
        if letters > Letter::BITS as usize || demand.fair.len() > 64 {
            return Err(too_many());
        }
        demand.outcomes.extend_from_slice(watch);
        Ok(Plan {
            demand,
            letters,
            acceptance,
            marks,
        })
    }
}

fn too_many() -> UnknownReason {
    UnknownReason::Unsupported("so many atoms and fairness constraints at once".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_ask_only_when_their_first_mark_is_seen() {
        let acceptance = Acceptance {
            needs: 0b1,
            pairs: vec![(0b10, 0b100)],
        };
        assert!(acceptance.accepts(0b1));
        assert!(!acceptance.accepts(0b0));
        assert!(!acceptance.accepts(0b11));
        assert!(acceptance.accepts(0b111));
        assert_eq!(acceptance.forbidden(0b11), 0b10);
        assert_eq!(acceptance.forbidden(0b111), 0);
        assert_eq!(acceptance.wanted(0b1), 0b1);
        assert_eq!(acceptance.wanted(0b111), 0b101);
    }
}
