//! A run that shows why a state does not satisfy a formula of the mu-calculus, as far as one run can.
//!
//! Where a formula says that something is so behind all transitions, one is enough to refute it;
//! where it says that there is some transition, none is, and the run ends there. Looked for
//! breadth-first among the formulas that do not hold: first for a place where nothing more can be
//! shown, then for a run that goes round for ever.

use std::collections::{HashMap, VecDeque};

use logic::mu::{Node, NodeId, System};
use model::{LabelId, Vertex};

use crate::graph::Graph;
use crate::solve::{Reason, Solution};

/// A run.
#[derive(Debug)]
pub(crate) struct Walk {
    pub(crate) from: Vertex,
    pub(crate) steps: Vec<(LabelId, Vertex)>,
    pub(crate) loop_start: Option<usize>,
    /// Whether it refutes the formula on its own, whatever other transitions there are.
    pub(crate) suffices: bool,
}

/// A formula at a state.
type Place = (NodeId, Vertex);

/// Refutes the formula of a system in a state where it does not hold.
pub(crate) fn refute<A>(
    system: &System<A>,
    graph: &Graph<'_>,
    solution: &Solution,
    from: Vertex,
) -> Walk {
    let refutation = Refutation {
        system,
        graph,
        solution,
    };
    let start = (system.root, from);
    let mut came: HashMap<Place, (Place, Option<LabelId>)> = HashMap::new();
    let mut waiting = VecDeque::from([start]);
    let mut nexts = Vec::new();
    while let Some(place) = waiting.pop_front() {
        if !refutation.goes_on(place, &mut nexts) {
            return walk(start, place, &came, refutation.is_plain(place.0));
        }
        for &(label, next) in &nexts {
            if next != start && !came.contains_key(&next) {
                came.insert(next, (place, label));
                waiting.push_back(next);
            }
        }
    }
    refutation.round(start)
}

struct Refutation<'r, A> {
    system: &'r System<A>,
    graph: &'r Graph<'r>,
    solution: &'r Solution,
}

impl<A> Refutation<'_, A> {
    /// From a formula that does not hold, those one of which is enough to refute it; says whether
    /// there are any.
    fn goes_on(&self, (node, vertex): Place, to: &mut Vec<(Option<LabelId>, Place)>) -> bool {
        to.clear();
        let fails = |part: &NodeId, at: Vertex| !self.solution.holds(*part, at);
        match self.system.node(node) {
            Node::And(parts) => {
                let failing = parts.iter().filter(|part| fails(part, vertex));
                to.extend(failing.map(|part| (None, (*part, vertex))));
            }
            Node::Box(set, part) => {
                let labels = self.system.label_set(*set);
                let edges = self.graph.forward().edges(vertex);
                let failing =
                    edges.filter(|(label, next)| labels.has(*label) && fails(part, *next));
                to.extend(failing.map(|(label, next)| (Some(label), (*part, next))));
            }
            Node::Fixpoint(id) => {
                to.push((None, (self.system.fixpoint(*id).body, vertex)));
            }
            // All of them must be refuted; propositions are, by the state.
            Node::Or(parts) => {
                let mut open = parts
                    .iter()
                    .filter(|part| !matches!(self.system.node(**part), Node::Literal(..)));
                if let (Some(only), None) = (open.next(), open.next()) {
                    to.push((None, (*only, vertex)));
                }
            }
            Node::True | Node::False | Node::Literal(..) | Node::Diamond(..) => {}
        }
        !to.is_empty()
    }

    /// Whether a formula is about one state only.
    fn is_plain(&self, node: NodeId) -> bool {
        match self.system.node(node) {
            Node::True | Node::False | Node::Literal(..) => true,
            Node::And(parts) | Node::Or(parts) => parts.iter().all(|part| self.is_plain(*part)),
            Node::Box(..) | Node::Diamond(..) | Node::Fixpoint(_) => false,
        }
    }

    /// A run that goes round, if the formulas on its way are all of least fixpoints.
    fn round(&self, start: Place) -> Walk {
        let mixed = self
            .solution
            .reasons
            .iter()
            .any(|reason| matches!(reason, Reason::Won(_)));
        let mut way = vec![(None, start)];
        let mut seen: HashMap<Place, usize> = HashMap::from([(start, 0)]);
        let mut nexts = Vec::new();
        let back = loop {
            let (_, place) = *way.last().expect("it begins somewhere");
            if !self.goes_on(place, &mut nexts) {
                break None;
            }
            let (label, next) = nexts[0];
            way.push((label, next));
            if let Some(&at) = seen.get(&next) {
                break Some(at);
            }
            seen.insert(next, way.len() - 1);
        };
        let steps_before = |at: usize| way[1..=at].iter().filter(|(l, _)| l.is_some()).count();
        let loop_start = back.filter(|_| !mixed).map(steps_before);
        let steps = way
            .iter()
            .filter_map(|(label, (_, vertex))| Some(((*label)?, *vertex)))
            .collect();
        Walk {
            from: start.1,
            steps,
            loop_start,
            suffices: loop_start.is_some(),
        }
    }
}

fn walk(
    start: Place,
    end: Place,
    came: &HashMap<Place, (Place, Option<LabelId>)>,
    suffices: bool,
) -> Walk {
    let mut steps = Vec::new();
    let mut at = end;
    while let Some((before, label)) = came.get(&at) {
        if let Some(label) = label {
            steps.push((*label, at.1));
        }
        at = *before;
    }
    steps.reverse();
    Walk {
        from: start.1,
        steps,
        loop_start: None,
        suffices,
    }
}
