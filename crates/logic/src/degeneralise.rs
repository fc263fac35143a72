//! From several acceptance marks to one.
//!
//! A counter stands beside the state: it tells which mark the run waits for. An edge moves it past
//! all the marks, in a fixed order, that the edge carries; passing the last one is accepting.
//! Since marks lie on edges, one edge may collect many, and no extra states are needed for the
//! moment of acceptance. The counter runs inside accepting components only (Babiak, Badie, Duret-Lutz,
//! Křetínský and Strejček, *Compositional approach to suspension and other improvements to LTL
//! translation*, SPIN 2013).

use std::collections::HashMap;

use crate::reduce::{Graph, MarkedEdge};

impl Graph {
    /// An equivalent graph with the single mark 1.
    pub(crate) fn degeneralised(&self) -> Graph {
        let order: Vec<u64> = (0..u64::BITS)
            .map(|i| 1 << i)
            .filter(|bit| self.all & bit != 0)
            .collect();
        let components = self.accepting_components();
        let mut numbers: HashMap<(u32, usize), u32> = HashMap::new();
        let mut states: Vec<(u32, usize)> = Vec::new();
        let mut number_of = |state: (u32, usize), states: &mut Vec<(u32, usize)>| {
            *numbers.entry(state).or_insert_with(|| {
                states.push(state);
                states.len() as u32 - 1
            })
        };
        let initial = number_of((self.initial, 0), &mut states);
        let mut edges = Vec::new();
        while let Some(&(state, waiting)) = states.get(edges.len()) {
            source::limits::check();
            let mut from_here = Vec::new();
            for edge in &self.edges[state as usize] {
                let component = components[state as usize];
                let inside = component.is_some() && component == components[edge.target as usize];
                let (next, accepting) = if inside {
                    advance(&order, waiting, edge.marks)
                } else {
                    (0, false)
                };
                from_here.push(MarkedEdge {
                    label: edge.label,
                    target: number_of((edge.target, next), &mut states),
                    marks: u64::from(accepting),
                });
            }
            edges.push(from_here);
        }
        Graph {
            edges,
            initial,
            all: 1,
        }
    }
}

/// The mark to wait for after an edge with `marks`, and whether all have been seen.
fn advance(order: &[u64], mut waiting: usize, marks: u64) -> (usize, bool) {
    let skip = |mut at: usize| {
        while at < order.len() && marks & order[at] != 0 {
            at += 1;
        }
        at
    };
    waiting = skip(waiting);
    if waiting < order.len() {
        return (waiting, false);
    }
    // What the edge carries counts for the next round too, but not twice for a whole round.
    match skip(0) {
        all if all == order.len() => (0, true),
        next => (next, true),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_counter_skips_what_the_edge_carries() {
        let order = [1, 2, 4];
        assert_eq!(advance(&order, 0, 0), (0, false));
        assert_eq!(advance(&order, 0, 1), (1, false));
        assert_eq!(advance(&order, 0, 5), (1, false));
        assert_eq!(advance(&order, 1, 2), (2, false));
        assert_eq!(advance(&order, 2, 4), (0, true));
        assert_eq!(advance(&order, 2, 5), (1, true));
        assert_eq!(advance(&order, 1, 7), (0, true));
    }
}
