//! The search for a fair accepted cycle among what elimination has left.
//!
//! Depth-first search keeps the strongly connected components of the part visited so far, each
//! with the marks on its edges (Couvreur 1999; Geldenhuys and Valmari 2005): as soon as one has all
//! marks that are needed, there is a run. A component that lacks only second halves of pairs is
//! searched again without the edges that ask for them (as Streett automata are).

use model::{Budget, UnknownReason};

use crate::liveness::acceptance::Acceptance;
use crate::liveness::automaton_labels::Marks;
use crate::liveness::owcty::Restricted;
use crate::liveness::product_graph::Rest;

/// A set of nodes in which every two reach each other, without edges that have forbidden marks.
#[derive(Clone, Debug)]
pub(crate) struct Component {
    pub(crate) nodes: Vec<u32>,
    pub(crate) marks: Marks,
    pub(crate) forbidden: Marks,
}

/// An edge between nodes.
#[derive(Clone, Copy, Debug)]
struct Edge {
    to: u32,
    marks: Marks,
}

/// A place among the edges of a node.
#[derive(Clone, Copy)]
struct Cursor {
    place: u32,
    rest: Rest,
    /// The transition at hand: where it leads, its class, and which of its edges is next.
    to: u32,
    class: u32,
    edge: u32,
    more: bool,
}

/// A node on the depth-first path.
struct Frame {
    node: u32,
    cursor: Cursor,
}

/// A component of the part visited so far.
#[derive(Clone, Copy)]
struct Root {
    /// The depth-first number of its first node.
    number: u32,
    /// The marks inside,
    inside: Marks,
    /// and on the edge that led to it.
    entering: Marks,
}

/// A depth-first number that says that a node's component is finished.
const DEAD: u32 = u32::MAX;
/// Nodes visited between two looks at the budget.
const PULSE: u32 = 1 << 14;

/// The search.
pub(crate) struct Search<'r, 'g> {
    restricted: &'r Restricted<'g>,
    acceptance: &'r Acceptance,
    budget: &'r Budget,
    places: u32,
    /// The depth-first number of each node; 0 if not visited.
    numbers: Vec<u32>,
    active: Vec<u32>,
    roots: Vec<Root>,
    path: Vec<Frame>,
    /// Components to be searched again.
    again: Vec<Component>,
    pulse: u32,
}

impl<'r, 'g> Search<'r, 'g> {
    pub(crate) fn new(
        restricted: &'r Restricted<'g>,
        acceptance: &'r Acceptance,
        budget: &'r Budget,
    ) -> Result<Self, UnknownReason> {
        let nodes = restricted.nodes();
        if u32::try_from(nodes).is_err() {
            return Err(UnknownReason::Memory);
        }
        Ok(Search {
            restricted,
            acceptance,
            budget,
            places: u32::try_from(restricted.part.states.len()).unwrap_or(u32::MAX),
            numbers: vec![0; nodes],
            active: Vec::new(),
            roots: Vec::new(),
            path: Vec::new(),
            again: Vec::new(),
            pulse: PULSE,
        })
    }

    /// A component that is fair and accepted, if there is one.
    pub(crate) fn run(mut self) -> Result<Option<Component>, UnknownReason> {
        for row in 0..self.restricted.rows {
            for place in self.restricted.places(row) {
                let node = row * self.places + place;
                if let Some(found) = self.depth_first(node, 0)? {
                    return Ok(Some(found));
                }
            }
        }
        while let Some(component) = self.again.pop() {
            // All else is dead: the search stays inside.
            for &node in &component.nodes {
                self.numbers[node as usize] = 0;
            }
            for &node in &component.nodes {
                if let Some(found) = self.depth_first(node, component.forbidden)? {
                    return Ok(Some(found));
                }
            }
        }
        Ok(None)
    }

    fn cursor(&self, node: u32) -> Cursor {
        Cursor {
            place: node % self.places,
            rest: self.restricted.graph.transitions(node / self.places),
            to: 0,
            class: 0,
            edge: 0,
            more: false,
        }
    }

    #[inline]
    fn next(restricted: &Restricted<'_>, places: u32, cursor: &mut Cursor) -> Option<Edge> {
        loop {
            if cursor.more {
                let inside = restricted.inside(cursor.class, cursor.place as usize);
                if let Some(edge) = inside.get(cursor.edge as usize) {
                    cursor.edge += 1;
                    return Some(Edge {
                        to: cursor.to * places + edge.place,
                        marks: edge.marks,
                    });
                }
            }
            let transition = restricted.graph.next(&mut cursor.rest)?;
            cursor.to = transition.to;
            cursor.class = transition.class;
            cursor.edge = 0;
            cursor.more = true;
        }
    }

    fn enter(&mut self, node: u32, entering: Marks) -> Result<(), UnknownReason> {
        self.pulse -= 1;
        if self.pulse == 0 {
            self.pulse = PULSE;
            if let Some(reason) = self.budget.exhausted(0) {
                return Err(reason);
            }
        }
        self.active.push(node);
        let number = u32::try_from(self.active.len()).expect("fewer than 2^32 nodes");
        self.numbers[node as usize] = number;
        self.roots.push(Root {
            number,
            inside: 0,
            entering,
        });
        let cursor = self.cursor(node);
        self.path.push(Frame { node, cursor });
        Ok(())
    }

    fn depth_first(
        &mut self,
        start: u32,
        forbidden: Marks,
    ) -> Result<Option<Component>, UnknownReason> {
        if self.numbers[start as usize] != 0 {
            return Ok(None);
        }
        self.enter(start, 0)?;
        while let Some(frame) = self.path.last_mut() {
            let edge = Self::next(self.restricted, self.places, &mut frame.cursor);
            let Some(edge) = edge else {
                let node = frame.node;
                self.leave(node, forbidden);
                continue;
            };
            if edge.marks & forbidden != 0 {
                continue;
            }
            match self.numbers[edge.to as usize] {
                DEAD => {}
                0 => {
                    let (row, place) = (edge.to / self.places, edge.to % self.places);
                    if self.restricted.is_left(row, place) {
                        self.enter(edge.to, edge.marks)?;
                    }
                }
                number => {
                    if let Some(found) = self.close(number, edge.marks, forbidden) {
                        return Ok(Some(found));
                    }
                }
            }
        }
        Ok(None)
    }

    /// A cycle: what lies between becomes one component.
    fn close(&mut self, number: u32, marks: Marks, forbidden: Marks) -> Option<Component> {
        let mut marks = marks;
        while let Some(root) = self.roots.last().filter(|root| root.number > number) {
            marks |= root.inside | root.entering;
            self.roots.pop();
        }
        let root = self
            .roots
            .last_mut()
            .expect("the node's component is on the path");
        root.inside |= marks;
        self.acceptance.accepts(root.inside).then(|| Component {
            nodes: self.active[root.number as usize - 1..].to_vec(),
            marks: root.inside,
            forbidden,
        })
    }

    /// A node is done with, and its component, if it is the first there.
    fn leave(&mut self, node: u32, forbidden: Marks) {
        self.path.pop();
        let number = self.numbers[node as usize];
        let Some(root) = self.roots.pop_if(|root| root.number == number) else {
            return;
        };
        let first = number as usize - 1;
        for &node in &self.active[first..] {
            self.numbers[node as usize] = DEAD;
        }
        let more = self.acceptance.forbidden(root.inside);
        if self.acceptance.needs & !root.inside == 0 && more != 0 {
            self.again.push(Component {
                nodes: self.active[first..].to_vec(),
                marks: root.inside,
                forbidden: forbidden | more,
            });
        }
        self.active.truncate(first);
    }
}
