//! The edges of a graph that is shared out, kept where they lead to: each process knows from which nodes its own are
//! reached, and how many edges lead away from each of its own.
//!
//! A process that expands a node does not know the numbers of what it finds, but whoever owns that learns with each
//! state who sends it. So edges are gone along backwards, and nothing has to be answered.

use crate::partitioned::owned::Place;
use crate::store::Full;

/// The marks of an edge, and whether it is kept.
pub(crate) type Marks = u16;

/// On edges that are kept.
pub(crate) const KEPT: Marks = 1 << 15;

/// An edge, seen from one of its ends: the other one, and its marks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Edge {
    pub(crate) place: Place,
    pub(crate) marks: Marks,
}

impl Edge {
    /// As a word, which is not zero if the edge is kept.
    pub(crate) fn word(self) -> u64 {
        self.place.word() | u64::from(self.marks) << 48
    }

    #[expect(clippy::cast_possible_truncation, reason = "the parts of a word")]
    pub(crate) fn from_word(word: u64) -> Edge {
        Edge {
            place: Place {
                owner: (word >> 32) as u16,
                id: word as u32,
            },
            marks: (word >> 48) as u16,
        }
    }
}

/// The edges that lead to the nodes of a process.
#[derive(Default)]
pub(crate) struct Edges {
    /// For each node, the number of the last edge that leads to it, plus one.
    last: Vec<u32>,
    /// For each edge, the one before that leads to the same node, as above.
    before: Vec<u32>,
    words: Vec<u64>,
    /// For each node, how many edges that are kept lead away from it.
    pub(crate) leaving: Vec<u32>,
}

impl Edges {
    /// Another node.
    pub(crate) fn add_node(&mut self) {
        self.last.push(0);
        self.leaving.push(0);
    }

    /// Another edge to a node.
    pub(crate) fn add(&mut self, to: u32, edge: Edge) -> Result<(), Full> {
        let last = &mut self.last[to as usize];
        self.words.push(edge.word());
        self.before.push(*last);
        *last = u32::try_from(self.words.len()).map_err(|_| Full)?;
        Ok(())
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.words.len()
    }

    /// The edges that lead to a node, with their numbers.
    pub(crate) fn to(&self, node: u32) -> impl Iterator<Item = (usize, Edge)> + '_ {
        let mut next = self.last[node as usize];
        std::iter::from_fn(move || {
            let number = next.checked_sub(1)? as usize;
            next = self.before[number];
            Some((number, Edge::from_word(self.words[number])))
        })
    }

    pub(crate) fn bytes(&self) -> u64 {
        let nodes = self.last.capacity() + self.leaving.capacity() + self.before.capacity();
        (nodes * 4 + self.words.capacity() * 8) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_are_found_where_they_lead_to() {
        let edge = |owner, id, marks| Edge {
            place: Place { owner, id },
            marks: marks | KEPT,
        };
        let all = [
            edge(0, 0, 1),
            edge(65_535, u32::MAX - 1, 0),
            edge(7, 8, 0x7fff),
        ];
        for edge in all {
            assert_eq!(Edge::from_word(edge.word()), edge);
        }
        let mut edges = Edges::default();
        edges.add_node();
        edges.add_node();
        assert_eq!(edges.add(1, all[0]), Ok(()));
        assert_eq!(edges.add(0, all[1]), Ok(()));
        assert_eq!(edges.add(1, all[2]), Ok(()));
        assert_eq!(edges.to(1).collect::<Vec<_>>(), [(2, all[2]), (0, all[0])]);
        assert_eq!(edges.to(0).collect::<Vec<_>>(), [(1, all[1])]);
    }
}
