//! Reductions against the definitions, on random small graphs: of all partitions of the states,
//! those that the definition admits, and of these the coarsest.

use std::collections::BTreeSet;

use super::{Equivalence, Reduced};
use crate::graph::{Graph, Vertex};

/// A small generator of random numbers (xorshift).
struct Random(fastrand::Rng);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0.usize(..limit)
    }

    /// A graph whose states can all be reached; the first label is silent.
    fn graph(&mut self) -> Graph<&'static str> {
        loop {
            let count = 1 + self.below(6);
            let edges: Vec<(Vertex, u32, Vertex)> = (0..self.below(2 * count + 2))
                .map(|_| {
                    let (from, to) = (self.below(count), self.below(count));
                    (from as Vertex, self.below(3) as u32, to as Vertex)
                })
                .collect();
            let graph = Graph::new(count, vec![0], vec!["", "a", "b"], &edges);
            let mut reached = BTreeSet::from([0]);
            for _ in 0..count {
                let more: Vec<Vertex> = reached
                    .iter()
                    .flat_map(|v| graph.successors(*v).to_vec())
                    .collect();
                reached.extend(more);
            }
            if reached.len() == count {
                return graph;
            }
        }
    }
}

/// All partitions of so many things, as the block of each.
fn partitions(count: usize) -> Vec<Vec<u32>> {
    let mut all = vec![vec![]];
    for _ in 0..count {
        all = all
            .into_iter()
            .flat_map(|partition: Vec<u32>| {
                let fresh = partition.iter().max().map_or(0, |most| most + 1);
                (0..=fresh).map(move |block| [partition.as_slice(), &[block]].concat())
            })
            .collect();
    }
    all
}

fn is_strong(graph: &Graph<&str>, block: &[u32]) -> bool {
    let can = |s: Vertex, label: u32, to: u32| {
        graph
            .edges(s)
            .any(|(l, t)| l == label && block[t as usize] == to)
    };
    pairs(graph).all(|(s, t)| {
        block[s as usize] != block[t as usize]
            || graph
                .edges(s)
                .all(|(label, next)| can(t, label, block[next as usize]))
    })
}

fn pairs(graph: &Graph<&str>) -> impl Iterator<Item = (Vertex, Vertex)> + use<> {
    let count = graph.len() as Vertex;
    (0..count).flat_map(move |s| (0..count).map(move |t| (s, t)))
}

/// Branching bisimulation with explicit divergence (van Glabbeek, Luttik and Trčka 2009).
fn is_branching(graph: &Graph<&str>, block: &[u32]) -> bool {
    let of = |s: Vertex| block[s as usize];
    // Silently reachable without leaving the block.
    let inside = |s: Vertex| {
        let mut reached = vec![s];
        let mut at = 0;
        while let Some(&vertex) = reached.get(at) {
            at += 1;
            for (label, to) in graph.edges(vertex) {
                if label == 0 && of(to) == of(s) && !reached.contains(&to) {
                    reached.push(to);
                }
            }
        }
        reached
    };
    let diverges = |s: Vertex| {
        inside(s).into_iter().any(|v| {
            let again = graph
                .edges(v)
                .filter(|(label, to)| *label == 0 && of(*to) == of(s));
            again.into_iter().any(|(_, to)| inside(to).contains(&v))
        })
    };
    pairs(graph).all(|(s, t)| {
        of(s) != of(t)
            || diverges(s) == diverges(t)
                && graph.edges(s).all(|(label, next)| {
                    label == 0 && of(next) == of(t)
                        || inside(t).into_iter().any(|v| {
                            graph
                                .edges(v)
                                .any(|(l, to)| l == label && of(to) == of(next))
                        })
                })
    })
}

fn coarsest(graph: &Graph<&str>, admits: fn(&Graph<&str>, &[u32]) -> bool) -> Vec<u32> {
    let all = partitions(graph.len());
    let blocks = |partition: &Vec<u32>| partition.iter().max().copied();
    let admitted = all.into_iter().filter(|partition| admits(graph, partition));
    admitted.min_by_key(blocks).expect("equality is one")
}

fn partition(reduced: &Reduced<&str>, count: usize) -> Vec<u32> {
    let mut block = vec![u32::MAX; count];
    for (number, members) in (0..).zip(&reduced.members) {
        for member in members {
            block[*member as usize] = number;
        }
    }
    block
}

/// The sequences of visible labels of up to so many steps.
fn traces(graph: &Graph<&str>, length: usize) -> BTreeSet<Vec<u32>> {
    let mut found = BTreeSet::new();
    let mut waiting: Vec<(Vertex, Vec<u32>)> =
        graph.initial().iter().map(|v| (*v, Vec::new())).collect();
    let mut seen = BTreeSet::new();
    while let Some((vertex, trace)) = waiting.pop() {
        if !seen.insert((vertex, trace.clone())) {
            continue;
        }
        found.insert(trace.clone());
        for (label, to) in graph.edges(vertex) {
            let mut longer = trace.clone();
            if label != 0 {
                longer.push(label);
            }
            if longer.len() <= length {
                waiting.push((to, longer));
            }
        }
    }
    found
}

fn from(graph: &Graph<&'static str>, vertex: Vertex) -> Graph<&'static str> {
    let edges: Vec<_> = graph.all_edges().collect();
    Graph::new(graph.len(), vec![vertex], graph.table().to_vec(), &edges)
}

#[test]
fn blocks_are_the_coarsest_that_the_definitions_admit() {
    let mut random = Random(fastrand::Rng::with_seed(0x1234_5678_9abc_def1));
    let (mut strong, mut branching, mut divergent, mut less) = (0, 0, 0, 0);
    for round in 0..1500 {
        let graph = random.graph();
        let reduce = |equivalence| {
            let reduced = graph.reduced(equivalence, |label| label.is_empty(), 1000);
            reduced.unwrap_or_else(|error| panic!("{round}: {error}"))
        };
        let by_strong = reduce(Equivalence::Strong);
        let found = partition(&by_strong, graph.len());
        assert_eq!(found, coarsest(&graph, is_strong), "{round}: {graph:?}");
        let by_branching = reduce(Equivalence::Branching);
        let found = partition(&by_branching, graph.len());
        assert_eq!(found, coarsest(&graph, is_branching), "{round}: {graph:?}");
        // What is reduced cannot be reduced again.
        for (reduced, equivalence) in [
            (&by_strong, Equivalence::Strong),
            (&by_branching, Equivalence::Branching),
        ] {
            let again = reduced
                .graph
                .reduced(equivalence, |label| label.is_empty(), 1000);
            assert_eq!(
                again.map(|again| again.graph.len()),
                Ok(reduced.graph.len())
            );
            assert_eq!(
                traces(&graph, 5),
                traces(&reduced.graph, 5),
                "{round}: {graph:?}"
            );
        }
        let silent_loop = |(from, label, to): (Vertex, u32, Vertex)| label == 0 && from == to;
        divergent += usize::from(by_branching.graph.all_edges().any(silent_loop));
        strong += usize::from(by_strong.graph.len() < graph.len());
        branching += usize::from(by_branching.graph.len() < by_strong.graph.len());

        let by_traces = reduce(Equivalence::WeakTrace);
        assert_eq!(
            traces(&graph, 6),
            traces(&by_traces.graph, 6),
            "{round}: {graph:?}"
        );
        let graph = &by_traces.graph;
        for vertex in (0..).take(graph.len()) {
            let labels: BTreeSet<u32> = graph.labels(vertex).iter().copied().collect();
            assert_eq!(
                labels.len(),
                graph.labels(vertex).len(),
                "one way for each label"
            );
            assert!(!labels.contains(&0), "nothing silent");
        }
        if graph.len() <= 6 {
            let own: BTreeSet<_> = (0..)
                .take(graph.len())
                .map(|v| traces(&from(graph, v), 6))
                .collect();
            assert_eq!(
                own.len(),
                graph.len(),
                "{round}: no two begin the same sequences"
            );
        }
        less += usize::from(graph.len() < by_branching.graph.len());
    }
    assert!(strong > 60 && branching > 100, "{strong} {branching}");
    assert!(divergent > 30 && less > 30, "{divergent} {less}");
}

#[test]
fn divergence_and_the_moment_of_choice_are_kept() {
    let table = vec!["", "a", "b"];
    let reduce = |count, edges: &[(Vertex, u32, Vertex)], equivalence| {
        let graph = Graph::new(count, vec![0], table.clone(), edges);
        let reduced = graph.reduced(equivalence, |label| label.is_empty(), 100);
        reduced.expect("it is small").graph.len()
    };
    // A silent loop before `a` is not the same as none.
    let both = [(0, 0, 0), (0, 1, 1), (2, 1, 1), (0, 2, 2)];
    assert_eq!(reduce(3, &both, Equivalence::Branching), 3);
    // `a` and then the choice, or the choice and then `a`.
    let late = [(0, 1, 1), (1, 1, 2), (1, 2, 2)];
    let early = [(0, 1, 1), (0, 1, 3), (1, 1, 2), (3, 2, 2)];
    assert_eq!(reduce(3, &late, Equivalence::Branching), 3);
    assert_eq!(reduce(4, &early, Equivalence::Branching), 4);
    assert_eq!(reduce(4, &early, Equivalence::WeakTrace), 3);
}
