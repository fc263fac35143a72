//! Determinisation: one state for each set of states that a sequence of visible steps may lead to
//! (Rabin and Scott 1959), silent steps taken along.

use std::collections::{BTreeMap, HashMap};
use std::hash::Hash;

use super::{ReduceError, Reduced};
use crate::graph::{Graph, LabelId, Rows, Vertex};

/// The graph of sets of states, without silent steps.
pub(super) fn determined<L: Clone + Eq + Hash>(
    graph: &Graph<L>,
    silent: &[bool],
    limit: usize,
) -> Result<Reduced<L>, ReduceError> {
    let close = |mut states: Vec<Vertex>| -> Vec<Vertex> {
        let mut seen: std::collections::HashSet<Vertex> = states.iter().copied().collect();
        let mut at = 0;
        while let Some(&vertex) = states.get(at) {
            at += 1;
            for (label, to) in graph.edges(vertex) {
                if silent[label as usize] && seen.insert(to) {
                    states.push(to);
                }
            }
        }
        states.sort_unstable();
        states.dedup();
        states
    };
    let first = close(graph.initial().to_vec());
    let mut sets: Vec<Vec<Vertex>> = vec![first.clone()];
    let mut numbers: HashMap<Vec<Vertex>, Vertex> = HashMap::from([(first, 0)]);
    let mut rows = Rows::default();
    while rows.len() < sets.len() {
        let mut steps: BTreeMap<LabelId, Vec<Vertex>> = BTreeMap::new();
        for vertex in &sets[rows.len()] {
            for (label, to) in graph.edges(*vertex).filter(|(l, _)| !silent[*l as usize]) {
                steps.entry(label).or_default().push(to);
            }
        }
        for (label, to) in steps {
            let to = close(to);
            let fresh = Vertex::try_from(sets.len()).unwrap_or(Vertex::MAX);
            let number = *numbers.entry(to).or_insert_with_key(|set| {
                sets.push(set.clone());
                fresh
            });
            rows.add(label, number);
        }
        rows.end_row();
        if sets.len() > limit.max(graph.len()) {
            return Err(ReduceError::TooLarge(limit));
        }
    }
    Ok(Reduced {
        graph: rows.graph(vec![0], graph.table().to_vec()),
        members: sets,
    })
}
