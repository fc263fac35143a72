//! States that accept everything.
//!
//! A hand-written claim often ends in a chain of steps without conditions before it accepts for
//! ever. All states from which every word is accepted can be one, and then a run that gets there is
//! known to be accepted at once.

use std::collections::HashMap;

use crate::buchi::{Buchi, BuchiState, Cube, Edge};
use crate::stutter::covered;

/// How many cubes are looked at for one state before it is taken not to accept everything.
const EFFORT: usize = 10_000;

impl<A> Buchi<A> {
    /// The same language, with the states that are seen to accept everything made one, and those
    /// that are not reached left out.
    #[must_use]
    pub fn joined(self) -> Self {
        let mut universal = vec![false; self.state_count()];
        let mut changed = true;
        while changed {
            source::limits::check();
            changed = false;
            for state in self.states() {
                let goes_on = |edge: &&Edge| {
                    universal[edge.target.index()] || edge.target == state && edge.accepting
                };
                let labels: Vec<Cube> = self
                    .edges_from(state)
                    .iter()
                    .filter(goes_on)
                    .map(|edge| edge.label)
                    .collect();
                if !universal[state.index()] && covered(Cube::TRUE, &labels, &mut { EFFORT }) {
                    universal[state.index()] = true;
                    changed = true;
                }
            }
        }
        let sink = universal.iter().position(|&all| all);
        let meant = |state: BuchiState| match sink {
            Some(sink) if universal[state.index()] => sink,
            _ => state.index(),
        };
        let mut numbers = HashMap::from([(meant(self.initial), BuchiState(0))]);
        let mut order = vec![meant(self.initial)];
        let mut edges = Vec::new();
        while let Some(&state) = order.get(edges.len()) {
            source::limits::check();
            let mut number = |target: BuchiState| {
                let target = meant(target);
                let next = BuchiState(u32::try_from(numbers.len()).expect("few states"));
                *numbers.entry(target).or_insert_with(|| {
                    order.push(target);
                    next
                })
            };
            let mut leaving: Vec<Edge> = Vec::new();
            if Some(state) == sink {
                leaving.push(Edge {
                    label: Cube::TRUE,
                    target: number(BuchiState(u32::try_from(state).expect("few states"))),
                    accepting: true,
                });
            } else {
                for edge in &self.edges[state] {
                    let edge = Edge {
                        target: number(edge.target),
                        ..*edge
                    };
                    if !leaving.contains(&edge) {
                        leaving.push(edge);
                    }
                }
            }
            edges.push(leaving);
        }
        Buchi {
            atoms: self.atoms,
            initial: BuchiState(0),
            edges,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edge(label: Cube, target: u32, accepting: bool) -> Edge {
        Edge {
            label,
            target: BuchiState(target),
            accepting,
        }
    }

    #[test]
    fn chains_to_the_end_are_joined() {
        let a = Cube::literal(0, true);
        let not_a = Cube::literal(0, false);
        // Waits for a; then two steps, the second by cases; then anything.
        let automaton = Buchi {
            atoms: vec!['a'],
            initial: BuchiState(0),
            edges: vec![
                vec![edge(Cube::TRUE, 0, false), edge(a, 1, false)],
                vec![edge(Cube::TRUE, 2, true)],
                vec![edge(a, 3, false), edge(not_a, 3, false)],
                vec![edge(Cube::TRUE, 3, true)],
                vec![edge(Cube::TRUE, 0, false)],
            ],
        };
        let joined = automaton.clone().joined();
        assert_eq!(joined.state_count(), 2);
        assert!(joined.is_stutter_invariant());
        assert!(!automaton.is_stutter_invariant());
        for word in 0..16u64 {
            let reads = |position: usize, _: &char| word >> position & 1 == 1;
            assert_eq!(
                automaton.accepts_lasso(2, 4, reads),
                joined.accepts_lasso(2, 4, reads)
            );
        }
    }

    #[test]
    fn what_rejects_something_stays() {
        let a = Cube::literal(0, true);
        let automaton = Buchi {
            atoms: vec!['a'],
            initial: BuchiState(0),
            edges: vec![
                // Accepts a for ever, and anything only if it never accepts: not universal.
                vec![edge(a, 0, true), edge(Cube::TRUE, 1, false)],
                vec![edge(Cube::TRUE, 1, false)],
            ],
        };
        assert_eq!(automaton.clone().joined(), automaton);
    }
}
