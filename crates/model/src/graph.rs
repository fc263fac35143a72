//! Explored state graphs: who leads where, by what; independent of who explored them.
//!
//! States are numbers, in compressed sparse rows: all transitions in one list, ordered by the state
//! that they leave. Labels are interned. A [`StateSpace`] is a graph whose states are those of a
//! program.

use logic::mu;

use crate::ids::{EventId, ExprId};
use crate::interp::{State, Violation};
use crate::value::Value;
use crate::verdict::Statistics;

/// The number of a state of a graph.
pub type Vertex = u32;

/// What happens in a transition: its events in order, with their values.
pub type Label = mu::Label<EventId, Value>;

/// The number of a label in a graph's table.
pub type LabelId = u32;

/// A graph of states, with labels of type `L`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Graph<L = Label> {
    initial: Vec<Vertex>,
    /// For each state where its transitions begin, and where the last one's end.
    begins: Vec<u32>,
    targets: Vec<Vertex>,
    labels: Vec<LabelId>,
    table: Vec<L>,
}

impl<L> Graph<L> {
    /// A graph of so many states.
    ///
    /// # Panics
    /// If there are 2^32 transitions.
    #[must_use]
    pub fn new(
        states: usize,
        initial: Vec<Vertex>,
        table: Vec<L>,
        transitions: &[(Vertex, LabelId, Vertex)],
    ) -> Self {
        let mut rows = Rows::default();
        let mut order: Vec<(Vertex, LabelId, Vertex)> = transitions.to_vec();
        order.sort_unstable();
        order.dedup();
        let mut next = order.into_iter().peekable();
        for state in 0..states {
            while let Some((_, label, to)) = next.next_if(|(from, ..)| *from as usize == state) {
                rows.add(label, to);
            }
            rows.end_row();
        }
        rows.graph(initial, table)
    }

    /// How many states there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.begins.len() - 1
    }

    /// Whether there are no states.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many transitions there are.
    #[must_use]
    pub fn transitions(&self) -> usize {
        self.targets.len()
    }

    /// The initial states, each once.
    #[must_use]
    pub fn initial(&self) -> &[Vertex] {
        &self.initial
    }

    /// The table of labels.
    #[must_use]
    pub fn table(&self) -> &[L] {
        &self.table
    }

    /// The positions of a state's transitions in the lists of all.
    #[must_use]
    pub fn row(&self, from: Vertex) -> std::ops::Range<usize> {
        self.begins[from as usize] as usize..self.begins[from as usize + 1] as usize
    }

    /// Where the transitions of a state lead.
    #[must_use]
    pub fn successors(&self, from: Vertex) -> &[Vertex] {
        &self.targets[self.row(from)]
    }

    /// The labels of a state's transitions, in the order of [`Graph::successors`].
    #[must_use]
    pub fn labels(&self, from: Vertex) -> &[LabelId] {
        &self.labels[self.row(from)]
    }

    /// The transitions of a state.
    pub fn edges(&self, from: Vertex) -> impl Iterator<Item = (LabelId, Vertex)> + '_ {
        let row = self.row(from);
        let labels = self.labels[row.clone()].iter().copied();
        labels.zip(self.targets[row].iter().copied())
    }

    /// All transitions, by the states that they leave.
    pub fn all_edges(&self) -> impl Iterator<Item = (Vertex, LabelId, Vertex)> + '_ {
        let states = u32::try_from(self.len()).expect("states are numbered in 32 bits");
        (0..states).flat_map(|from| self.edges(from).map(move |(label, to)| (from, label, to)))
    }

    /// The same graph with other labels: each becomes the one that is given for it.
    #[must_use]
    pub fn relabelled<M: Eq + std::hash::Hash + Clone>(
        &self,
        mut label: impl FnMut(LabelId, &L) -> M,
    ) -> Graph<M> {
        let mut numbers: std::collections::HashMap<M, LabelId> = std::collections::HashMap::new();
        let mut table = Vec::new();
        let of: Vec<LabelId> = (0..)
            .zip(&self.table)
            .map(|(id, old)| {
                let new = label(id, old);
                *numbers.entry(new).or_insert_with_key(|new| {
                    table.push(new.clone());
                    LabelId::try_from(table.len() - 1).expect("as many as before")
                })
            })
            .collect();
        let transitions: Vec<_> = self
            .all_edges()
            .map(|(from, label, to)| (from, of[label as usize], to))
            .collect();
        Graph::new(self.len(), self.initial.clone(), table, &transitions)
    }

    /// Bytes that it takes.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        4 * (self.begins.len() + 2 * self.targets.len()) as u64
    }
}

/// A graph being made, state by state.
#[derive(Clone, Debug)]
pub struct Rows {
    begins: Vec<u32>,
    targets: Vec<Vertex>,
    labels: Vec<LabelId>,
}

impl Default for Rows {
    fn default() -> Self {
        Rows {
            begins: vec![0],
            targets: Vec::new(),
            labels: Vec::new(),
        }
    }
}

/// Rows of so many transitions are short.
const FEW: usize = 12;

impl Rows {
    /// Adds a transition of the state that is being made.
    pub fn add(&mut self, label: LabelId, to: Vertex) {
        self.labels.push(label);
        self.targets.push(to);
    }

    /// The state has no more transitions; those that it has twice are kept once.
    ///
    /// # Panics
    /// If there are 2^32 transitions.
    pub fn end_row(&mut self) {
        let first = *self.begins.last().expect("there is always one") as usize;
        let many = self.targets.len() - first;
        if many > 1 && (many > FEW || self.has_doubles(first)) {
            let mut row: Vec<(LabelId, Vertex)> = self.labels[first..]
                .iter()
                .copied()
                .zip(self.targets[first..].iter().copied())
                .collect();
            // In the order of discovery, for people; sorted only to find what is there twice.
            let mut sorted = row.clone();
            sorted.sort_unstable();
            if sorted.windows(2).any(|pair| pair[0] == pair[1]) {
                let mut seen = std::collections::HashSet::new();
                row.retain(|edge| seen.insert(*edge));
                self.labels.truncate(first);
                self.targets.truncate(first);
                for (label, to) in row {
                    self.add(label, to);
                }
            }
        }
        let end = u32::try_from(self.targets.len()).expect("fewer than 2^32 transitions");
        self.begins.push(end);
    }

    /// Whether a short row has a transition twice.
    fn has_doubles(&self, first: usize) -> bool {
        (first + 1..self.targets.len()).any(|at| {
            let mut before = first..at;
            before.any(|b| self.targets[b] == self.targets[at] && self.labels[b] == self.labels[at])
        })
    }

    /// How many states have been made.
    #[must_use]
    pub fn len(&self) -> usize {
        self.begins.len() - 1
    }

    /// Whether none has been made.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many transitions there are.
    #[must_use]
    pub fn transitions(&self) -> usize {
        self.targets.len()
    }

    /// The graph.
    #[must_use]
    pub fn graph<L>(self, initial: Vec<Vertex>, table: Vec<L>) -> Graph<L> {
        Graph {
            initial,
            begins: self.begins,
            targets: self.targets,
            labels: self.labels,
            table,
        }
    }
}

/// A set of states.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StateSet {
    words: Vec<u64>,
    count: usize,
}

impl StateSet {
    /// The empty set, among so many states.
    #[must_use]
    pub fn none(count: usize) -> Self {
        StateSet {
            words: vec![0; count.div_ceil(64)],
            count,
        }
    }

    /// The set of all of so many states.
    #[must_use]
    pub fn all(count: usize) -> Self {
        StateSet::none(count).not()
    }

    /// Among how many states it is.
    #[must_use]
    pub fn universe(&self) -> usize {
        self.count
    }

    /// Whether a state is in it.
    #[must_use]
    #[inline]
    pub fn has(&self, vertex: Vertex) -> bool {
        self.words[vertex as usize / 64] >> (vertex % 64) & 1 == 1
    }

    /// Adds a state; says whether it was not there yet.
    #[inline]
    pub fn add(&mut self, vertex: Vertex) -> bool {
        let word = &mut self.words[vertex as usize / 64];
        let before = *word;
        *word |= 1 << (vertex % 64);
        *word != before
    }

    /// Takes a state out.
    #[inline]
    pub fn remove(&mut self, vertex: Vertex) {
        self.words[vertex as usize / 64] &= !(1 << (vertex % 64));
    }

    /// All others.
    #[must_use]
    #[expect(
        clippy::should_implement_trait,
        reason = "beside `and` and `or`, which have no operators that take one by reference"
    )]
    pub fn not(mut self) -> Self {
        self.words.iter_mut().for_each(|word| *word = !*word);
        if let Some(last) = self.words.last_mut()
            && !self.count.is_multiple_of(64)
        {
            *last &= (1 << (self.count % 64)) - 1;
        }
        self
    }

    /// Those in both.
    #[must_use]
    pub fn and(mut self, other: &StateSet) -> Self {
        let both = self.words.iter_mut().zip(&other.words);
        both.for_each(|(a, b)| *a &= b);
        self
    }

    /// Those in one of them.
    #[must_use]
    pub fn or(mut self, other: &StateSet) -> Self {
        let both = self.words.iter_mut().zip(&other.words);
        both.for_each(|(a, b)| *a |= b);
        self
    }

    /// Whether all states are in it.
    #[must_use]
    pub fn is_all(&self) -> bool {
        self.len() == self.count
    }

    /// Whether no state is in it.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|word| *word == 0)
    }

    /// How many states are in it.
    #[must_use]
    pub fn len(&self) -> usize {
        self.words
            .iter()
            .map(|word| word.count_ones() as usize)
            .sum()
    }

    /// The states in it, in order.
    pub fn iter(&self) -> impl Iterator<Item = Vertex> + '_ {
        (0..).zip(&self.words).flat_map(|(place, &word): (u32, _)| {
            let mut left = word;
            std::iter::from_fn(move || {
                if left == 0 {
                    return None;
                }
                let bit = left.trailing_zeros();
                left &= left - 1;
                Some(place * 64 + bit)
            })
        })
    }
}

/// The reachable states of a program as a graph, whoever made it.
pub trait StateSpace {
    /// The graph.
    fn graph(&self) -> &Graph;

    /// A state in the terms of the model, as it is stored. States that differ only in what step
    /// variables were at the end of the step are different vertices of one state.
    fn state(&self, vertex: Vertex) -> State;

    /// What was asked for when the graph was made.
    fn conditions(&self) -> &[ExprId];

    /// Where a condition holds; one of those that were asked for when the graph was made.
    fn holding(&self, condition: ExprId) -> Option<&StateSet>;

    /// The checks that fail and the faults that are raised in macro steps, each with the first state
    /// from which one of these macro steps begins.
    fn violations(&self) -> &[(Violation, Vertex)];

    /// The states from which nothing has been explored, if exploration has ended early.
    fn open(&self) -> Option<&StateSet> {
        None
    }

    /// What making it took.
    fn statistics(&self) -> &Statistics;

    /// Whether a sample stood for a wide choice.
    fn is_sampled(&self) -> bool;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_come_back_and_doubles_are_kept_once() {
        let edges = [(2, 1, 0), (0, 0, 1), (0, 0, 1), (0, 1, 1), (2, 0, 2)];
        let graph = Graph::new(3, vec![0], vec!["a", "b"], &edges);
        assert_eq!((graph.len(), graph.transitions()), (3, 4));
        assert_eq!(graph.edges(0).collect::<Vec<_>>(), [(0, 1), (1, 1)]);
        assert_eq!(graph.successors(1), &[] as &[Vertex]);
        assert_eq!(graph.edges(2).collect::<Vec<_>>(), [(0, 2), (1, 0)]);
        let one = graph.relabelled(|_, _| ());
        assert_eq!(one.all_edges().count(), 3, "labels that became equal join");
    }

    #[test]
    fn sets_of_any_size() {
        for count in [0, 1, 63, 64, 65, 200] {
            let all = StateSet::all(count);
            assert_eq!(all.len(), count);
            assert!(all.is_all() && all.clone().not().is_empty());
            let mut set = StateSet::none(count);
            let members: Vec<Vertex> = (0..count as Vertex).step_by(7).collect();
            for &member in &members {
                assert!(set.add(member) && !set.add(member));
            }
            assert_eq!(set.iter().collect::<Vec<_>>(), members);
            let others = set.clone().not();
            assert_eq!(others.len() + members.len(), count);
            assert_eq!(others.or(&set), all);
        }
    }
}
