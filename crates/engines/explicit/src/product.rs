//! The product of the state graph with a Büchi automaton, and what a fair accepted run needs.
//!
//! A node is a stable state and the automaton's state after it has read the letters up to there.
//! Everything that must be seen again and again is a *mark* on an edge: an accepting edge of the
//! automaton, a justice condition, a weakly fair set of steps taken or not enabled. Conditions of
//! the form "if again and again this, then that" are pairs of marks (Streett acceptance).

use logic::Buchi;
use model::{ExprId, FairnessKind, Program, UnknownReason};

use crate::compile::Demand;
use crate::graph::{Graph, Label, List};
use crate::table::{StateId, Table};

/// The mark of accepting edges.
const ACCEPTING: u64 = 1;

/// A condition on the marks seen infinitely often.
#[derive(Clone, Debug, Default)]
pub(crate) struct Acceptance {
    /// Marks that must be seen.
    pub(crate) needs: u64,
    /// If the first is seen, so must be the second.
    pub(crate) pairs: Vec<(u64, u64)>,
}

impl Acceptance {
    /// Whether a cycle with exactly these marks is fair and accepted.
    pub(crate) fn accepts(&self, marks: u64) -> bool {
        self.needs & !marks == 0
            && self
                .pairs
                .iter()
                .all(|(if_, then)| marks & if_ == 0 || marks & then != 0)
    }

    /// Marks that a cycle inside a component with these marks must not have.
    pub(crate) fn forbidden(&self, marks: u64) -> u64 {
        self.pairs
            .iter()
            .filter(|(_, then)| marks & then == 0)
            .fold(0, |bits, (if_, _)| bits | marks & if_)
    }

    /// Marks that a cycle in a component that is accepted should pass.
    pub(crate) fn wanted(&self, marks: u64) -> u64 {
        self.pairs
            .iter()
            .filter(|(if_, _)| marks & if_ != 0)
            .fold(self.needs, |bits, (_, then)| bits | then)
    }
}

/// Where a mark comes from.
#[derive(Clone, Copy, Debug)]
enum Source {
    /// An outcome holds.
    Outcome(usize),
    /// A step of the set is taken, or none is enabled.
    TakenOrNot(usize),
    Taken(usize),
    Enabled(usize),
}

/// A number of a product node.
pub(crate) type Node = u32;

/// An edge of the product.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Edge {
    pub(crate) to: Node,
    pub(crate) marks: u64,
    pub(crate) label: Label,
}

/// The product, unfolded on demand.
pub(crate) struct Product<'e> {
    pub(crate) graph: Graph<'e>,
    automaton: &'e Buchi<ExprId>,
    pub(crate) acceptance: Acceptance,
    marks: Vec<(u64, Source)>,
    nodes: Table,
    pub(crate) initial: Vec<Node>,
}

/// What has to be known at the ends of macro steps, and how marks come from it.
pub(crate) struct Plan {
    pub(crate) demand: Demand,
    /// How many outcomes make a letter.
    pub(crate) letters: usize,
    acceptance: Acceptance,
    marks: Vec<(u64, Source)>,
}

impl Plan {
    pub(crate) fn new(
        program: &Program,
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
        let mut mark = |source: Source| -> Result<u64, UnknownReason> {
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
                    demand.fair.push(steps.clone());
                }
                FairnessKind::Strong(steps) => {
                    let first = mark(Source::Enabled(demand.fair.len()))?;
                    let second = mark(Source::Taken(demand.fair.len()))?;
                    acceptance.pairs.push((first, second));
                    demand.fair.push(steps.clone());
                }
            }
        }
        let letters = demand.outcomes.len();
        if letters > 64 || demand.fair.len() > 64 {
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
    UnknownReason::Unsupported("more than 64 atoms and fairness constraints".to_owned())
}

impl<'e> Product<'e> {
    pub(crate) fn new(
        graph: Graph<'e>,
        automaton: &'e Buchi<ExprId>,
        plan: &Plan,
        initial: &[Vec<u64>],
    ) -> Result<Self, UnknownReason> {
        let mut product = Product {
            graph,
            automaton,
            acceptance: plan.acceptance.clone(),
            marks: plan.marks.clone(),
            nodes: Table::new(1),
            initial: Vec::new(),
        };
        for stored in initial {
            let (state, letter) = product.graph.add_initial(stored)?;
            for edge in automaton.edges_from(automaton.initial) {
                if edge.label.matches(letter) {
                    let node = product.node(state, edge.target.0);
                    product.initial.push(node);
                }
            }
        }
        product.initial.sort_unstable();
        product.initial.dedup();
        Ok(product)
    }

    fn node(&mut self, state: StateId, automaton: u32) -> Node {
        self.nodes
            .insert(&[u64::from(state.0) << 32 | u64::from(automaton)])
            .id
            .0
    }

    /// How many nodes have been found.
    pub(crate) fn len(&self) -> u32 {
        self.nodes.len()
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.graph.bytes() + self.nodes.bytes()
    }

    #[expect(clippy::cast_possible_truncation, reason = "the two halves of a word")]
    fn halves(&self, node: Node) -> (StateId, u32) {
        let word = self.nodes.word(StateId(node));
        (StateId((word >> 32) as u32), word as u32)
    }

    /// The state of a node.
    pub(crate) fn state(&self, node: Node) -> StateId {
        self.halves(node).0
    }

    /// The automaton's state of a node.
    pub(crate) fn place(&self, node: Node) -> usize {
        self.halves(node).1 as usize
    }

    /// Begins to go through the edges of a node.
    pub(crate) fn edges(&mut self, node: Node) -> Result<Cursor, UnknownReason> {
        let (state, place) = self.halves(node);
        let (list, enabled) = self.graph.transitions(state)?;
        Ok(Cursor {
            list,
            enabled,
            place,
            next: 0,
            edge: 0,
        })
    }

    /// The next edge.
    pub(crate) fn next(&mut self, cursor: &mut Cursor) -> Option<Edge> {
        let automaton = self.automaton;
        let edges = &automaton.edges[cursor.place as usize];
        loop {
            let transition = self.graph.get(&cursor.list, cursor.next)?;
            let label = self.graph.label(transition.label);
            while let Some(edge) = edges.get(cursor.edge) {
                cursor.edge += 1;
                if edge.label.matches(label.letter) {
                    let to = self.node(transition.to, edge.target.0);
                    let accepting = if edge.accepting { ACCEPTING } else { 0 };
                    let marks = accepting | self.marks_of(label, cursor.enabled);
                    return Some(Edge { to, marks, label });
                }
            }
            cursor.edge = 0;
            cursor.next += 1;
        }
    }

    fn marks_of(&self, label: Label, enabled: u64) -> u64 {
        let bit = |bits: u64, index: usize| bits >> index & 1 != 0;
        self.marks
            .iter()
            .filter(|(_, source)| match *source {
                Source::Outcome(index) => bit(label.letter, index),
                Source::TakenOrNot(set) => bit(label.taken, set) || !bit(enabled, set),
                Source::Taken(set) => bit(label.taken, set),
                Source::Enabled(set) => bit(enabled, set),
            })
            .fold(0, |bits, (mark, _)| bits | mark)
    }
}

/// A place among the edges of a node.
#[derive(Clone, Debug)]
pub(crate) struct Cursor {
    list: List,
    enabled: u64,
    place: u32,
    next: usize,
    edge: usize,
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
