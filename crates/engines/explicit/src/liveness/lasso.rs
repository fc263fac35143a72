//! From a component that is fair and accepted to a run: a short way there, and a short loop.

use std::sync::Arc;

use model::{Trace, UnknownReason};

use crate::engine::Engine;
use crate::evidence::trace::{Goal, Recovery};
use crate::liveness::acceptance::Plan;
use crate::liveness::accepting_cycle::Component;
use crate::liveness::automaton_labels::{Class, Marks};
use crate::liveness::owcty::Part;
use crate::liveness::product_exploration::{ProductExploration, read};
use crate::liveness::product_graph::Transition;

/// A node of the whole product: a state times the number of the automaton's states, plus one of
/// these.
type Node = u64;

/// An edge of the whole product.
#[derive(Clone, Copy, Debug)]
struct Edge {
    to: Node,
    marks: Marks,
    class: u32,
}

/// The whole product.
struct Product<'u, 'e> {
    unfolding: &'u ProductExploration<'e>,
    classes: Vec<Arc<Class>>,
    states: u64,
}

/// A set of nodes.
struct Set(Vec<u64>);

impl Set {
    fn insert(&mut self, node: Node) -> bool {
        let (word, bit) = place(node);
        let new = self.0[word] & bit == 0;
        self.0[word] |= bit;
        new
    }

    fn contains(&self, node: Node) -> bool {
        let (word, bit) = place(node);
        self.0[word] & bit != 0
    }
}

fn place(node: Node) -> (usize, u64) {
    let word = usize::try_from(node / 64).expect("the product fits into memory");
    (word, 1 << (node % 64))
}

/// A run through the component: the shortest way to it through what has been unfolded, then around
/// by way of the nearest edge that has a mark still missing, until none is missing.
pub(crate) fn lasso(
    engine: &Engine<'_>,
    unfolding: &ProductExploration<'_>,
    part: &Part,
    component: &Component,
    plan: &Plan,
) -> Result<Trace, UnknownReason> {
    let product = Product {
        unfolding,
        classes: unfolding.letters().classes(),
        states: part.places.len() as u64,
    };
    let mut members = product.none();
    let places = part.states.len();
    for &node in &component.nodes {
        let (row, place) = (node as usize / places, node as usize % places);
        members.insert(row as u64 * product.states + u64::from(part.states[place]));
    }
    let initial: Vec<Node> = unfolding
        .initial
        .iter()
        .map(|&(row, state)| u64::from(row) * product.states + u64::from(state))
        .collect();
    let start = initial.iter().copied().find(|&node| members.contains(node));
    let (start, stem) = if let Some(node) = start {
        (node, Vec::new())
    } else {
        let path = product.search(&initial, |_| true, |edge| members.contains(edge.to))?;
        (path[path.len() - 1].1.to, path)
    };
    let first = stem.first().map_or(start, |(from, _)| *from);
    let allowed = |edge: &Edge| members.contains(edge.to) && edge.marks & component.forbidden == 0;
    let mut missing = plan.acceptance.wanted(component.marks);
    let mut at = start;
    let mut around: Vec<(Node, Edge)> = Vec::new();
    while missing != 0 {
        for (from, edge) in product.search(&[at], allowed, |edge| edge.marks & missing != 0)? {
            missing &= !edge.marks;
            at = edge.to;
            around.push((from, edge));
        }
    }
    if at != start {
        around.extend(product.search(&[at], allowed, |edge| edge.to == start)?);
    }
    let by_state = unfolding.graph().by_state;
    let goal = |edge: &Edge| {
        let stored = product.stored(edge.to);
        let label = product.classes[edge.class as usize].label;
        if by_state {
            Goal::State(stored)
        } else {
            Goal::Exactly {
                stored,
                letter: label.letter,
                letters: plan.letters,
                taken: label.taken,
            }
        }
    };
    let stutter = |edge: &Edge| product.classes[edge.class as usize].label.stutter;
    // A stuttering edge on the way stands for no macro step, and nothing else follows it.
    let mut goals: Vec<Goal> = stem
        .iter()
        .filter(|(_, edge)| !stutter(edge))
        .map(|(_, edge)| goal(edge))
        .collect();
    let loop_start = goals.len();
    if !around.iter().any(|(_, edge)| stutter(edge)) {
        goals.extend(around.iter().map(|(_, edge)| goal(edge)));
    }
    let mut trace = Recovery::new(engine)?.run(&product.stored(first), goals)?;
    trace.loop_start = Some(loop_start);
    Ok(trace)
}

impl Product<'_, '_> {
    fn none(&self) -> Set {
        let nodes = u64::from(self.unfolding.rows()) * self.states;
        Set(vec![0; place(nodes).0 + 1])
    }

    #[expect(
        clippy::cast_possible_truncation,
        reason = "states have 32-bit numbers"
    )]
    fn stored(&self, node: Node) -> Vec<u64> {
        read(self.unfolding, (node / self.states) as u32)
    }

    #[expect(
        clippy::cast_possible_truncation,
        reason = "states have 32-bit numbers"
    )]
    fn each(&self, node: Node, mut each: impl FnMut(Edge)) {
        let (row, state) = ((node / self.states) as u32, (node % self.states) as usize);
        let graph = self.unfolding.graph();
        graph.each(row, |Transition { to, class }| {
            for way in &self.classes[class as usize].edges[state] {
                each(Edge {
                    to: u64::from(to) * self.states + u64::from(way.to),
                    marks: way.marks,
                    class,
                });
            }
        });
    }

    /// The shortest path over allowed edges whose last edge is one that is looked for.
    fn search(
        &self,
        from: &[Node],
        allowed: impl Fn(&Edge) -> bool,
        wanted: impl Fn(&Edge) -> bool,
    ) -> Result<Vec<(Node, Edge)>, UnknownReason> {
        const START: usize = usize::MAX;
        let mut seen = self.none();
        // The nodes reached, with the place of the one before and the edge from there.
        let mut reached: Vec<(Node, usize, Option<Edge>)> = Vec::new();
        for &node in from {
            seen.insert(node);
            reached.push((node, START, None));
        }
        let mut next = 0;
        while next < reached.len() {
            let node = reached[next].0;
            let mut last = None;
            self.each(node, |edge| {
                if last.is_some() || !allowed(&edge) {
                    return;
                }
                if wanted(&edge) {
                    last = Some(edge);
                } else if seen.insert(edge.to) {
                    reached.push((edge.to, next, Some(edge)));
                }
            });
            if let Some(edge) = last {
                let mut path = vec![(node, edge)];
                let mut at = next;
                while let (_, before, Some(edge)) = reached[at] {
                    path.push((reached[before].0, edge));
                    at = before;
                }
                path.reverse();
                return Ok(path);
            }
            next += 1;
        }
        let lost = "the engine did not find its own run again";
        Err(UnknownReason::NotReplayed(lost.to_owned()))
    }
}
