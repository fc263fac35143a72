//! Making automata smaller without changing what they accept.
//!
//! - States from which no accepting run starts go, and marks outside accepting strongly connected
//!   components mean nothing and are erased.
//! - A mark that comes with every edge that carries some other mark is superfluous.
//! - *Direct simulation*: state `q` simulates `p` if for each edge of `p`, `q` has an edge for at
//!   least the same letters with at least the same marks, to a state that simulates the first's
//!   target. States that simulate each other become one, and an edge goes if its state has a better
//!   one (Somenzi and Bloem, CAV 2000; for marks on edges, Babiak and others, SPIN 2013). Large
//!   automata are merged by bisimulation only, which is cheaper.
//! - At the end, an edge no longer reads letters for which its state has a better edge, where this
//!   takes one more literal: fewer choices for whoever runs the automaton.

use std::collections::{HashMap, HashSet};

use crate::buchi::Cube;
use crate::scc::components;

/// Simulation compares each edge with each edge; beyond so many comparisons, bisimulation has to
/// do.
const MOST_COMPARISONS: usize = 2_000_000;
const MOST_STATES_SIMULATED: usize = 300;
/// Each round needs the one before to have made progress, so few are needed in practice.
const MOST_ROUNDS: usize = 20;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct MarkedEdge {
    pub(crate) label: Cube,
    pub(crate) target: u32,
    /// A set of acceptance marks.
    pub(crate) marks: u64,
}

/// A generalised Büchi automaton: a run is accepting iff it sees each mark infinitely often.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Graph {
    pub(crate) edges: Vec<Vec<MarkedEdge>>,
    pub(crate) initial: u32,
    /// The set of all marks, never empty.
    pub(crate) all: u64,
}

/// Which states are better than which.
enum Order {
    /// Row `p`, column `q`: `q` simulates `p`.
    Simulation(Vec<Vec<bool>>),
    /// States of equal class are bisimilar.
    Classes(Vec<u32>),
}

impl Order {
    fn at_most(&self, p: u32, q: u32) -> bool {
        match self {
            Order::Simulation(rows) => rows[p as usize][q as usize],
            Order::Classes(of) => of[p as usize] == of[q as usize],
        }
    }
}

impl Graph {
    /// Makes the automaton smaller; in the end its states are numbered in breadth-first order from
    /// the initial one.
    pub(crate) fn reduce(&mut self) {
        for _ in 0..MOST_ROUNDS {
            source::limits::check();
            let before = self.clone();
            self.erase_useless();
            self.drop_marks();
            let order = self.merge_states();
            for edges in &mut self.edges {
                drop_worse_edges(edges, &order);
            }
            self.number();
            if *self == before {
                break;
            }
        }
    }

    /// Restricts edges to the letters for which there is no better edge.
    pub(crate) fn sharpen(&mut self) {
        let order = self.order();
        for edges in &mut self.edges {
            source::limits::check();
            for i in 0..edges.len() {
                for j in 0..edges.len() {
                    let better = edges[j];
                    let this = &mut edges[i];
                    if i == j
                        || this.marks & !better.marks != 0
                        || !order.at_most(this.target, better.target)
                    {
                        continue;
                    }
                    let pos = better.label.pos & !this.label.pos;
                    let neg = better.label.neg & !this.label.neg;
                    let overlap = !this.label.and(better.label).is_false();
                    if overlap && pos.count_ones() + neg.count_ones() == 1 {
                        this.label = this.label.and(Cube { pos: neg, neg: pos });
                    }
                }
            }
            edges.sort_unstable_by_key(edge_order);
        }
    }

    fn successors(&self) -> Vec<Vec<u32>> {
        let targets = |edges: &Vec<MarkedEdge>| edges.iter().map(|e| e.target).collect();
        self.edges.iter().map(targets).collect()
    }

    /// For each state the number of its strongly connected component, if a run that stays there can
    /// be accepting.
    pub(crate) fn accepting_components(&self) -> Vec<Option<u32>> {
        let components = components(&self.successors());
        let mut marks = vec![0; components.count];
        for (state, edges) in self.edges.iter().enumerate() {
            for edge in edges {
                if components.of[state] == components.of[edge.target as usize] {
                    marks[components.of[state] as usize] |= edge.marks;
                }
            }
        }
        let accepting = |c: &u32| (marks[*c as usize] & self.all == self.all).then_some(*c);
        components.of.iter().map(accepting).collect()
    }

    /// Removes edges to states from which no accepting run starts, and marks that do not count.
    fn erase_useless(&mut self) {
        let component = self.accepting_components();
        let mut predecessors = vec![Vec::new(); self.edges.len()];
        for (state, edges) in self.edges.iter().enumerate() {
            for edge in edges {
                predecessors[edge.target as usize].push(state);
            }
        }
        let mut live: Vec<bool> = component.iter().map(Option::is_some).collect();
        let mut open: Vec<usize> = (0..live.len()).filter(|&s| live[s]).collect();
        while let Some(state) = open.pop() {
            source::limits::check();
            for &before in &predecessors[state] {
                if !std::mem::replace(&mut live[before], true) {
                    open.push(before);
                }
            }
        }
        for (state, edges) in self.edges.iter_mut().enumerate() {
            edges.retain(|edge| live[edge.target as usize]);
            for edge in edges {
                let target = component[edge.target as usize];
                if component[state].is_none() || component[state] != target {
                    edge.marks = 0;
                }
            }
        }
    }

    /// Drops marks that are seen infinitely often whenever some other mark is.
    fn drop_marks(&mut self) {
        let component = self.accepting_components();
        let mut combinations = HashSet::new();
        for (state, edges) in self.edges.iter().enumerate() {
            let inside = |e: &&MarkedEdge| {
                component[state].is_some() && component[state] == component[e.target as usize]
            };
            combinations.extend(edges.iter().filter(inside).map(|e| e.marks & self.all));
        }
        let bits: Vec<u64> = (0..u64::BITS).map(|i| 1 << i).collect();
        for &mark in &bits {
            let comes_with = |other: u64| {
                other != mark
                    && self.all & other != 0
                    && combinations.iter().all(|m| m & other == 0 || m & mark != 0)
            };
            if self.all & mark != 0 && bits.iter().any(|&other| comes_with(other)) {
                self.all &= !mark;
            }
        }
        for edge in self.edges.iter_mut().flatten() {
            edge.marks &= self.all;
        }
    }

    fn order(&self) -> Order {
        let edge_count: usize = self.edges.iter().map(Vec::len).sum();
        if self.edges.len() <= MOST_STATES_SIMULATED && edge_count * edge_count <= MOST_COMPARISONS
        {
            Order::Simulation(self.simulation())
        } else {
            Order::Classes(self.bisimulation())
        }
    }

    fn simulation(&self) -> Vec<Vec<bool>> {
        let n = self.edges.len();
        let mut simulates = vec![vec![true; n]; n];
        let mut changed = true;
        while changed {
            changed = false;
            for p in 0..n {
                source::limits::check();
                for q in 0..n {
                    if p == q || !simulates[p][q] {
                        continue;
                    }
                    let matched = self.edges[p].iter().all(|e| {
                        self.edges[q].iter().any(|f| {
                            e.label.implies(f.label)
                                && e.marks & !f.marks == 0
                                && simulates[e.target as usize][f.target as usize]
                        })
                    });
                    if !matched {
                        simulates[p][q] = false;
                        changed = true;
                    }
                }
            }
        }
        simulates
    }

    /// Classes of bisimilar states, by refining until nothing changes.
    fn bisimulation(&self) -> Vec<u32> {
        let mut class = vec![0u32; self.edges.len()];
        let mut count = 1;
        loop {
            source::limits::check();
            let mut numbers = HashMap::new();
            let refined: Vec<u32> = self
                .edges
                .iter()
                .zip(&class)
                .map(|(edges, &own)| {
                    let mut signature: Vec<(Cube, u32, u64)> = edges
                        .iter()
                        .map(|e| (e.label, class[e.target as usize], e.marks))
                        .collect();
                    signature.sort_unstable();
                    signature.dedup();
                    let next = numbers.len() as u32;
                    *numbers.entry((own, signature)).or_insert(next)
                })
                .collect();
            class = refined;
            if numbers.len() == count {
                return class;
            }
            count = numbers.len();
        }
    }

    /// Redirects edges so that of equivalent states only one is used.
    fn merge_states(&mut self) -> Order {
        let order = self.order();
        let n = self.edges.len() as u32;
        let mut first_of_class = HashMap::new();
        let chosen: Vec<u32> = (0..n)
            .map(|state| match &order {
                Order::Classes(of) => *first_of_class.entry(of[state as usize]).or_insert(state),
                Order::Simulation(_) => (0..state)
                    .find(|&s| order.at_most(s, state) && order.at_most(state, s))
                    .unwrap_or(state),
            })
            .collect();
        self.initial = chosen[self.initial as usize];
        for edge in self.edges.iter_mut().flatten() {
            edge.target = chosen[edge.target as usize];
        }
        order
    }

    /// Numbers the states in breadth-first order from the initial one and forgets all others.
    fn number(&mut self) {
        let mut number = vec![None; self.edges.len()];
        number[self.initial as usize] = Some(0);
        let mut reached = vec![self.initial];
        let mut next = 0;
        while let Some(&state) = reached.get(next) {
            source::limits::check();
            next += 1;
            self.edges[state as usize].sort_unstable_by_key(edge_order);
            for edge in &self.edges[state as usize] {
                let target = &mut number[edge.target as usize];
                if target.is_none() {
                    *target = Some(reached.len() as u32);
                    reached.push(edge.target);
                }
            }
        }
        let mut old = std::mem::take(&mut self.edges);
        for state in reached {
            let mut edges = std::mem::take(&mut old[state as usize]);
            for edge in &mut edges {
                edge.target = number[edge.target as usize].expect("targets have been reached");
            }
            self.edges.push(edges);
        }
        self.initial = 0;
    }
}

/// Accepting edges first, then those that read more letters.
fn edge_order(edge: &MarkedEdge) -> (u32, u32, Cube, u32, u64) {
    let literals = edge.label.pos.count_ones() + edge.label.neg.count_ones();
    let missing = edge.marks.count_zeros();
    (missing, literals, edge.label, edge.target, edge.marks)
}

/// Joins edges that differ in one literal only, and removes those that are no better than another.
fn drop_worse_edges(edges: &mut Vec<MarkedEdge>, order: &Order) {
    while let Some((i, j, label)) = joinable(edges) {
        source::limits::check();
        edges[i].label = label;
        edges.remove(j);
    }
    let mut kept: Vec<MarkedEdge> = Vec::new();
    let worse = |p: &MarkedEdge, q: &MarkedEdge| {
        p.label.implies(q.label) && p.marks & !q.marks == 0 && order.at_most(p.target, q.target)
    };
    for edge in edges.drain(..) {
        if !kept.iter().any(|other| worse(&edge, other)) {
            kept.retain(|other| !worse(other, &edge));
            kept.push(edge);
        }
    }
    *edges = kept;
}

/// Two edges `i < j` that are one edge together, and its label.
fn joinable(edges: &[MarkedEdge]) -> Option<(usize, usize, Cube)> {
    // By what remains of the label without one literal.
    let mut seen: HashMap<(u32, u64, Cube, u64), usize> = HashMap::new();
    for (j, edge) in edges.iter().enumerate() {
        let mut literals = edge.label.pos | edge.label.neg;
        while literals != 0 {
            let bit = literals & literals.wrapping_neg();
            literals &= !bit;
            let rest = Cube {
                pos: edge.label.pos & !bit,
                neg: edge.label.neg & !bit,
            };
            match seen.insert((edge.target, edge.marks, rest, bit), j) {
                Some(i) if edges[i].label != edge.label => return Some((i, j, rest)),
                _ => {}
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edge(label: Cube, target: u32, marks: u64) -> MarkedEdge {
        MarkedEdge {
            label,
            target,
            marks,
        }
    }

    #[test]
    fn states_without_an_accepting_run_go() {
        let mut graph = Graph {
            edges: vec![
                vec![edge(Cube::TRUE, 1, 1), edge(Cube::TRUE, 2, 0)],
                vec![edge(Cube::TRUE, 1, 0)],
                vec![edge(Cube::literal(0, true), 2, 1)],
            ],
            initial: 0,
            all: 1,
        };
        graph.reduce();
        assert_eq!(
            graph.edges,
            [
                vec![edge(Cube::TRUE, 1, 0)],
                vec![edge(Cube::literal(0, true), 1, 1)]
            ]
        );
    }

    #[test]
    fn a_mark_that_always_comes_with_another_goes() {
        let mut graph = Graph {
            edges: vec![vec![
                edge(Cube::literal(0, true), 0, 0b011),
                edge(Cube::literal(1, true), 0, 0b010),
                edge(Cube::literal(2, true), 0, 0b100),
            ]],
            initial: 0,
            all: 0b111,
        };
        graph.drop_marks();
        assert_eq!(graph.all, 0b101);
    }

    #[test]
    fn opposite_literals_join() {
        let mut edges = vec![
            edge(Cube { pos: 1, neg: 2 }, 0, 0),
            edge(Cube { pos: 3, neg: 0 }, 0, 0),
            edge(Cube { pos: 0, neg: 1 }, 0, 0),
        ];
        drop_worse_edges(&mut edges, &Order::Classes(vec![0]));
        assert_eq!(edges, [edge(Cube::TRUE, 0, 0)]);
    }

    #[test]
    fn bisimilar_states_share_a_class() {
        let graph = Graph {
            edges: vec![
                vec![edge(Cube::TRUE, 1, 1)],
                vec![edge(Cube::TRUE, 2, 1)],
                vec![edge(Cube::TRUE, 0, 1)],
                vec![edge(Cube::TRUE, 0, 0)],
            ],
            initial: 3,
            all: 1,
        };
        let class = graph.bisimulation();
        assert_eq!(class[0], class[1]);
        assert_eq!(class[1], class[2]);
        assert_ne!(class[0], class[3]);
    }
}
