//! A graph seen from both ends, as paths see it.
//!
//! Transitions are kept by target beside those by source. What a state without transitions means
//! is the program's affair: its last state repeats, or its run ends there, or is none. States that
//! differ in inputs only form a class: what is said of a state is said of all of its class, since
//! which input comes is open.

use std::collections::VecDeque;

use model::{FiniteRuns, LabelId, StateSet, Vertex};

/// A graph.
#[derive(Debug)]
pub(crate) struct Graph<'g> {
    forward: &'g model::Graph,
    begins: Vec<u32>,
    /// For each transition, by target: where it comes from and its label.
    sources: Vec<(Vertex, LabelId)>,
    /// The states without transitions.
    dead: StateSet,
    finite_runs: FiniteRuns,
    /// For each vertex its class, and for each class its vertices; if there are inputs.
    classes: Option<(Vec<u32>, Vec<Vec<Vertex>>)>,
}

impl<'g> Graph<'g> {
    /// A graph; `class` says of each vertex which class it is in, if there are classes.
    pub(crate) fn new(
        forward: &'g model::Graph,
        finite_runs: FiniteRuns,
        class: Option<Vec<u32>>,
    ) -> Graph<'g> {
        let count = forward.len();
        let mut begins = vec![0u32; count + 1];
        for (_, _, to) in forward.all_edges() {
            begins[to as usize + 1] += 1;
        }
        for at in 0..count {
            begins[at + 1] += begins[at];
        }
        let mut next = begins.clone();
        let mut sources = vec![(0, 0); forward.transitions()];
        for (from, label, to) in forward.all_edges() {
            sources[next[to as usize] as usize] = (from, label);
            next[to as usize] += 1;
        }
        let mut dead = StateSet::none(count);
        for vertex in forward_vertices(count) {
            if forward.row(vertex).is_empty() {
                dead.add(vertex);
            }
        }
        let classes = class.map(|class| {
            let classes = class.iter().map(|c| *c as usize + 1).max().unwrap_or(0);
            let mut members = vec![Vec::new(); classes];
            for (vertex, class) in (0..).zip(&class) {
                members[*class as usize].push(vertex);
            }
            (class, members)
        });
        Graph {
            forward,
            begins,
            sources,
            dead,
            finite_runs,
            classes,
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.forward.len()
    }

    /// The graph itself.
    pub(crate) fn forward(&self) -> &'g model::Graph {
        self.forward
    }

    pub(crate) fn vertices(&self) -> impl Iterator<Item = Vertex> + use<> {
        forward_vertices(self.len())
    }

    pub(crate) fn successors(&self, vertex: Vertex) -> &'g [Vertex] {
        self.forward.successors(vertex)
    }

    /// Where transitions into a state come from, and their labels.
    #[inline]
    pub(crate) fn sources(&self, vertex: Vertex) -> &[(Vertex, LabelId)] {
        let vertex = vertex as usize;
        &self.sources[self.begins[vertex] as usize..self.begins[vertex + 1] as usize]
    }

    /// Bytes that the other direction takes.
    pub(crate) fn bytes(&self) -> u64 {
        (4 * self.begins.len() + 8 * self.sources.len()) as u64
    }

    /// Whether a path may end in a state, by repeating it for ever or for good.
    pub(crate) fn is_end(&self, vertex: Vertex) -> bool {
        self.finite_runs != FiniteRuns::InfiniteOnly && self.dead.has(vertex)
    }

    /// Whether a path may end at all.
    pub(crate) fn may_end(&self) -> bool {
        self.finite_runs != FiniteRuns::InfiniteOnly
    }

    /// Whether ends repeat for ever.
    pub(crate) fn repeats(&self) -> bool {
        self.finite_runs == FiniteRuns::Stutter
    }

    /// The states in which a path may end.
    pub(crate) fn ends(&self) -> StateSet {
        match self.finite_runs {
            FiniteRuns::InfiniteOnly => StateSet::none(self.len()),
            FiniteRuns::Stutter | FiniteRuns::Maximal => self.dead.clone(),
        }
    }

    /// The vertices that differ from one in inputs only, itself included.
    pub(crate) fn alike(&self, vertex: Vertex) -> Vec<Vertex> {
        match &self.classes {
            None => vec![vertex],
            Some((class, members)) => members[class[vertex as usize] as usize].clone(),
        }
    }

    /// With each vertex those that differ from it in inputs only.
    pub(crate) fn close(&self, mut set: StateSet) -> StateSet {
        let Some((_, members)) = &self.classes else {
            return set;
        };
        for members in members.iter().filter(|members| members.len() > 1) {
            if members.iter().any(|vertex| set.has(*vertex)) {
                for vertex in members {
                    set.add(*vertex);
                }
            }
        }
        set
    }

    /// Those with a step into a set.
    pub(crate) fn before(&self, set: &StateSet) -> StateSet {
        let mut found = if self.repeats() {
            self.dead.clone().and(set)
        } else {
            StateSet::none(self.len())
        };
        for vertex in set.iter() {
            for &(predecessor, _) in self.sources(vertex) {
                found.add(predecessor);
            }
        }
        found
    }

    /// Those from which a path through `through` leads to `to`; `to` is among them.
    pub(crate) fn reaching(&self, through: &StateSet, to: &StateSet) -> StateSet {
        let mut found = to.clone();
        let outside = through.clone().and(&to.clone().not());
        // Where most are there already, the others are asked whether they are about to be.
        let mut waiting: Vec<Vertex> = if outside.len() < self.len() / 2 {
            let leads = |vertex: &Vertex| self.successors(*vertex).iter().any(|v| to.has(*v));
            outside.iter().filter(leads).collect()
        } else {
            to.iter().collect()
        };
        for &vertex in &waiting {
            found.add(vertex);
        }
        while let Some(vertex) = waiting.pop() {
            for &(predecessor, _) in self.sources(vertex) {
                if through.has(predecessor) && found.add(predecessor) {
                    waiting.push(predecessor);
                }
            }
        }
        found
    }

    /// A shortest path from one of some vertices, all but its end in `through`, to one where
    /// `there` holds; at least `least` edges long (0 or 1).
    pub(crate) fn path(
        &self,
        from: &[Vertex],
        through: &StateSet,
        there: &dyn Fn(Vertex) -> bool,
        least: usize,
    ) -> Option<Vec<Vertex>> {
        if least == 0
            && let Some(&vertex) = from.iter().find(|v| there(**v))
        {
            return Some(vec![vertex]);
        }
        let mut came = vec![Vertex::MAX; self.len()];
        let mut seen = StateSet::none(self.len());
        let mut waiting: VecDeque<Vertex> = VecDeque::new();
        for &vertex in from.iter().filter(|v| through.has(**v)) {
            if seen.add(vertex) {
                waiting.push_back(vertex);
            }
        }
        // The first vertices may be reached again: then they have come from somewhere.
        while let Some(vertex) = waiting.pop_front() {
            let own = [vertex];
            let nexts = match self.successors(vertex) {
                [] if self.repeats() => &own,
                nexts => nexts,
            };
            for &next in nexts {
                if there(next) {
                    let mut path = vec![next];
                    let mut at = vertex;
                    loop {
                        path.push(at);
                        if from.contains(&at) && came[at as usize] == Vertex::MAX {
                            break;
                        }
                        at = came[at as usize];
                    }
                    path.reverse();
                    return Some(path);
                }
                if through.has(next) && seen.add(next) {
                    came[next as usize] = vertex;
                    waiting.push_back(next);
                }
            }
        }
        None
    }
}

fn forward_vertices(count: usize) -> std::ops::Range<Vertex> {
    0..Vertex::try_from(count).expect("states are numbered in 32 bits")
}
