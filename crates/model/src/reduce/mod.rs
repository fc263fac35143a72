//! Smaller graphs that do the same.
//!
//! States are put together that nobody can tell apart: by what they can do step for step
//! ([strong](Equivalence::Strong) bisimilarity), by what they can do when silent steps that decide
//! nothing do not count ([branching](Equivalence::Branching) bisimilarity that keeps divergence), or
//! by the sequences of visible steps alone ([weak traces](Equivalence::WeakTrace)).

mod signatures;
#[cfg(test)]
mod tests;
mod weak_trace;

use std::hash::Hash;

use thiserror::Error;

use crate::graph::{Graph, Vertex};

/// When two states are taken to be the same.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Equivalence {
    /// Each step of one is a step of the other, to states that are the same again.
    Strong,
    /// As strong, but silent steps between states that are the same do not count, unless they go on
    /// for ever.
    Branching,
    /// They begin the same sequences of steps that are not silent. Deadlocks and who decides what
    /// when are not kept.
    WeakTrace,
}

/// Why there is no reduced graph.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum ReduceError {
    /// Weak traces need one state for each set of states that a sequence may lead to.
    #[error("the reduced graph has more than {0} states")]
    TooLarge(usize),
}

/// A reduced graph.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reduced<L> {
    /// The graph.
    pub graph: Graph<L>,
    /// For each of its states, those that it stands for.
    pub members: Vec<Vec<Vertex>>,
}

impl<L: Clone + Eq + Hash> Graph<L> {
    /// The graph with equivalent states put together. `silent` says which labels nobody sees.
    ///
    /// # Errors
    /// If it has more than `limit` states although the graph is smaller: weak traces only.
    pub fn reduced(
        &self,
        equivalence: Equivalence,
        silent: impl Fn(&L) -> bool,
        limit: usize,
    ) -> Result<Reduced<L>, ReduceError> {
        let silent: Vec<bool> = self.table().iter().map(silent).collect();
        match equivalence {
            Equivalence::Strong => {
                let nothing = vec![false; silent.len()];
                Ok(signatures::quotient(self, &nothing))
            }
            Equivalence::Branching => Ok(signatures::quotient(self, &silent)),
            Equivalence::WeakTrace => {
                let smaller = signatures::quotient(self, &silent);
                let traces = weak_trace::determined(&smaller.graph, &silent, limit)?;
                // Where each sequence leads to one state, the same sequences make the same state.
                let nothing = vec![false; silent.len()];
                let least = signatures::quotient(&traces.graph, &nothing);
                let members = least.members.iter().map(|sets| {
                    let parts = sets.iter().flat_map(|set| &traces.members[*set as usize]);
                    let states = parts.flat_map(|part| &smaller.members[*part as usize]);
                    let mut states: Vec<Vertex> = states.copied().collect();
                    states.sort_unstable();
                    states.dedup();
                    states
                });
                Ok(Reduced {
                    members: members.collect(),
                    graph: least.graph,
                })
            }
        }
    }
}
