//! Finite graphs whose vertices are states.
//!
//! Edges are kept by source and by target. States that differ in inputs only form a class: what
//! is said of a state is said of all of its class, since which input comes is open.

/// The number of a state.
pub(crate) type Vertex = u32;

/// A set of vertices.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Set(Vec<bool>);

impl Set {
    pub(crate) fn none(count: usize) -> Set {
        Set(vec![false; count])
    }

    pub(crate) fn all(count: usize) -> Set {
        Set(vec![true; count])
    }

    pub(crate) fn has(&self, vertex: Vertex) -> bool {
        self.0[vertex as usize]
    }

    /// Says whether it was not there yet.
    pub(crate) fn add(&mut self, vertex: Vertex) -> bool {
        !std::mem::replace(&mut self.0[vertex as usize], true)
    }

    pub(crate) fn not(mut self) -> Set {
        self.0.iter_mut().for_each(|b| *b = !*b);
        self
    }

    pub(crate) fn and(mut self, other: &Set) -> Set {
        self.0.iter_mut().zip(&other.0).for_each(|(a, b)| *a &= b);
        self
    }

    pub(crate) fn or(mut self, other: &Set) -> Set {
        self.0.iter_mut().zip(&other.0).for_each(|(a, b)| *a |= b);
        self
    }

    pub(crate) fn is_all(&self) -> bool {
        self.0.iter().all(|b| *b)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = Vertex> + '_ {
        (0..).zip(&self.0).filter(|(_, has)| **has).map(|(v, _)| v)
    }
}

/// Edges, by one of their ends.
#[derive(Default, Debug)]
struct Adjacency {
    begins: Vec<usize>,
    ends: Vec<Vertex>,
}

impl Adjacency {
    fn of(count: usize, edges: impl Iterator<Item = (Vertex, Vertex)> + Clone) -> Adjacency {
        let mut begins = vec![0; count + 1];
        for (from, _) in edges.clone() {
            begins[from as usize + 1] += 1;
        }
        for at in 0..count {
            begins[at + 1] += begins[at];
        }
        let mut next = begins.clone();
        let mut ends = vec![0; begins[count]];
        for (from, to) in edges {
            ends[next[from as usize]] = to;
            next[from as usize] += 1;
        }
        Adjacency { begins, ends }
    }

    fn at(&self, vertex: Vertex) -> &[Vertex] {
        let vertex = vertex as usize;
        &self.ends[self.begins[vertex]..self.begins[vertex + 1]]
    }
}

/// A graph.
#[derive(Debug)]
pub(crate) struct Graph {
    count: usize,
    forward: Adjacency,
    backward: Adjacency,
    /// For each vertex its class, and for each class its vertices.
    class: Vec<u32>,
    members: Vec<Vec<Vertex>>,
}

impl Graph {
    /// A graph of some edges; `class` says of each vertex which class it is in.
    pub(crate) fn new(edges: &[(Vertex, Vertex)], class: Vec<u32>) -> Graph {
        let count = class.len();
        let classes = class.iter().map(|c| *c as usize + 1).max().unwrap_or(0);
        let mut members = vec![Vec::new(); classes];
        for (vertex, class) in (0..).zip(&class) {
            members[*class as usize].push(vertex);
        }
        let edges = edges.iter().copied();
        Graph {
            count,
            forward: Adjacency::of(count, edges.clone()),
            backward: Adjacency::of(count, edges.map(|(from, to)| (to, from))),
            class,
            members,
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.count
    }

    pub(crate) fn successors(&self, vertex: Vertex) -> &[Vertex] {
        self.forward.at(vertex)
    }

    fn predecessors(&self, vertex: Vertex) -> &[Vertex] {
        self.backward.at(vertex)
    }

    /// The vertices that differ from one in inputs only, itself included.
    pub(crate) fn alike(&self, vertex: Vertex) -> &[Vertex] {
        &self.members[self.class[vertex as usize] as usize]
    }

    /// With each vertex those that differ from it in inputs only.
    pub(crate) fn close(&self, mut set: Set) -> Set {
        for members in self.members.iter().filter(|members| members.len() > 1) {
            if members.iter().any(|vertex| set.has(*vertex)) {
                for vertex in members {
                    set.add(*vertex);
                }
            }
        }
        set
    }

    /// Those with an edge into a set.
    pub(crate) fn before(&self, set: &Set) -> Set {
        let mut found = Set::none(self.count);
        for vertex in set.iter() {
            for &predecessor in self.predecessors(vertex) {
                found.add(predecessor);
            }
        }
        found
    }

    /// Those from which a path through `through` leads to `to`; `to` is among them.
    pub(crate) fn reaching(&self, through: &Set, to: &Set) -> Set {
        let mut found = to.clone();
        let mut waiting: Vec<Vertex> = to.iter().collect();
        while let Some(vertex) = waiting.pop() {
            for &predecessor in self.predecessors(vertex) {
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
        through: &Set,
        there: &dyn Fn(Vertex) -> bool,
        least: usize,
    ) -> Option<Vec<Vertex>> {
        if least == 0
            && let Some(&vertex) = from.iter().find(|v| there(**v))
        {
            return Some(vec![vertex]);
        }
        let mut came = vec![Vertex::MAX; self.count];
        let mut seen = Set::none(self.count);
        let mut waiting: std::collections::VecDeque<Vertex> = std::collections::VecDeque::new();
        for &vertex in from.iter().filter(|v| through.has(**v)) {
            if seen.add(vertex) {
                waiting.push_back(vertex);
            }
        }
        // The first vertices may be reached again: then they have come from somewhere.
        while let Some(vertex) = waiting.pop_front() {
            for &next in self.successors(vertex) {
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
