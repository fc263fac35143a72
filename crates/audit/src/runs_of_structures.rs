//! Whether no run through configurations is accepted by an automaton, by a set of structures that
//! stands for all of them.
//!
//! The product of the structures with the automaton is made anew, and what cannot be on a cycle that
//! is accepted, and fair if that is asked, is taken away until nothing more is (E. Emerson,
//! C.-L. Lei, *Efficient Model Checking in Fragments of the Propositional Mu-Calculus*, 1986). Nothing
//! may be left.

use std::collections::BTreeSet;

use logic::Buchi;
use model::Budget;
use model::predicates::{Formula, Kleene, Structure, Waiting};

use crate::Rejected;
use crate::structures::Closed;

/// A structure and a state of the automaton.
type Node = (usize, usize);

/// A step of the product: from where, by which action if the run goes on, whether it counts, to where.
type Step = (Node, Option<usize>, bool, Node);

impl Closed<'_> {
    /// Checks that the automaton accepts no run.
    ///
    /// # Errors
    /// If it may accept one, as far as can be told; or if a limit is reached.
    pub fn check_runs(&self, automaton: &Buchi<Formula>, budget: &Budget) -> Result<(), Rejected> {
        let steps = self.product(automaton, budget)?;
        let waiting = match self.program.fair {
            true => self.program.waiting(),
            false => Vec::new(),
        };
        let mut left: BTreeSet<Node> = steps.iter().map(|step| step.0).collect();
        loop {
            let before = left.len();
            // Who has a way, among those that are left, to a step that counts.
            keep(&mut left, &steps, budget, |step| step.2)?;
            for place in &waiting {
                let calm = self.calm(place);
                keep(&mut left, &steps, budget, |&((at, _), action, _, _)| {
                    let disturbs = |number: usize| {
                        self.program
                            .disturbs(&self.program.actions[number], place.at)
                    };
                    !calm[at] || action.is_some_and(disturbs)
                })?;
            }
            if left.is_empty() {
                return Ok(());
            }
            if left.len() == before {
                return Err(Rejected::Violated);
            }
        }
    }

    /// Where nobody can be sure to have the turn who can have it.
    fn open(&self) -> Vec<bool> {
        let program = self.program;
        let starts_open = program.initial.iter().all(|structure| {
            let (Some(turn), Some(can)) = (program.turn, &program.schedulable) else {
                return false;
            };
            (0..structure.size()).all(|one| {
                let can = structure.value(can, &mut vec![one; can.slots().max(1)]);
                let expected = match can {
                    Kleene::False => Kleene::False,
                    Kleene::True | Kleene::Unknown => Kleene::Unknown,
                };
                structure.get(turn, &[one]) == expected
            })
        });
        let mut open = vec![true; self.structures.len()];
        for &one in &self.initial {
            open[one] = starts_open;
        }
        for &(action, to) in self.steps.iter().flatten() {
            if !program.actions[action].opens_turn {
                open[to] = false;
            }
        }
        open
    }

    /// Where all threads at a place surely can go on.
    fn calm(&self, place: &Waiting) -> Vec<bool> {
        let open = self.open().into_iter();
        let all = self.structures.iter().zip(open);
        all.map(|(structure, open)| open && surely(structure, &place.all_can))
            .collect()
    }

    /// The steps of the product that can be reached.
    fn product(&self, automaton: &Buchi<Formula>, budget: &Budget) -> Result<Vec<Step>, Rejected> {
        let open = self.open();
        let progress = self.program.progress();
        let ends = self.structures.iter().zip(&open).map(|(structure, &open)| {
            !progress
                .iter()
                .any(|one| (open || !one.by_turn) && surely(structure, &one.condition))
        });
        let ends: Vec<bool> = ends.collect();
        let begin = self
            .initial
            .iter()
            .map(|&one| (one, automaton.initial.index()));
        let mut open: Vec<Node> = begin.collect();
        let mut known: BTreeSet<Node> = open.iter().copied().collect();
        let mut steps = Vec::new();
        while let Some(node) = open.pop() {
            if budget.exhausted(0).is_some() {
                return Err(Rejected::Limit);
            }
            let (at, state) = node;
            for edge in &automaton.edges[state] {
                let may = |bits: u64, wanted: Kleene| {
                    let atoms = automaton.atoms.iter().enumerate();
                    let mut atoms = atoms.filter(|(index, _)| bits >> index & 1 != 0);
                    atoms.all(|(_, atom)| value(&self.structures[at], atom) != wanted.not())
                };
                if !may(edge.label.pos, Kleene::True) || !may(edge.label.neg, Kleene::False) {
                    continue;
                }
                let goes = self.steps[at]
                    .iter()
                    .map(|&(action, to)| (Some(action), to));
                let ended = ends[at].then_some((None, at));
                for (action, to) in goes.chain(ended) {
                    let to = (to, edge.target.index());
                    if known.insert(to) {
                        open.push(to);
                    }
                    steps.push((node, action, edge.accepting, to));
                }
            }
        }
        Ok(steps)
    }
}

/// Keeps who has a way of one step at least, among those that are left, to a step that is wanted and
/// stays among them.
fn keep(
    left: &mut BTreeSet<Node>,
    steps: &[Step],
    budget: &Budget,
    wanted: impl Fn(&Step) -> bool,
) -> Result<(), Rejected> {
    let inside = |step: &&Step| left.contains(&step.0) && left.contains(&step.3);
    let steps: Vec<&Step> = steps.iter().filter(inside).collect();
    let first = steps.iter().filter(|step| wanted(step));
    let mut kept: BTreeSet<Node> = first.map(|step| step.0).collect();
    loop {
        if budget.exhausted(0).is_some() {
            return Err(Rejected::Limit);
        }
        let more = steps.iter().filter(|step| kept.contains(&step.3));
        let more: Vec<Node> = more.map(|step| step.0).collect();
        let before = kept.len();
        kept.extend(more);
        if kept.len() == before {
            break;
        }
    }
    *left = kept;
    Ok(())
}

fn value(structure: &Structure, formula: &Formula) -> Kleene {
    structure.value(formula, &mut vec![0; formula.slots()])
}

fn surely(structure: &Structure, formula: &Formula) -> bool {
    value(structure, formula) == Kleene::True
}
