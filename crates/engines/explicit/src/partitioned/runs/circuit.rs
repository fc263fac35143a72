//! A loop through what elimination has left, told from owner to owner.
//!
//! From a node of a component that no edge leaves, the shortest way is taken to an edge with a mark that is still
//! missing, from there to the next one, and in the end back. For each way a breadth-first search goes backwards
//! from where it is to end, and notes for each node the edge that comes next; following these, owner by owner, the way
//! is told to all. The second marks of pairs are looked for too; one that cannot be reached is not needed,
//! since no edge with the first is left then.

use crate::partitioned::edges::{Edge, Edges, Marks};
use crate::partitioned::owned::{Owned, Place};
use crate::partitioned::parcel::{Garbled, Kind, Result, Words, begin, put};
use crate::partitioned::runs::elimination::{Condition, Elimination};

/// Nodes in a piece of a way.
const MOST: usize = 1 << 12;

/// Where a way ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Aim {
    /// Behind an edge with this mark, which may be missing.
    Mark(Marks),
    /// The same, where there may be no way.
    IfAny(Marks),
    /// At the node where the loop has begun.
    Back,
}

/// What happens at present.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Task {
    /// Ways to the aim are to be looked for,
    Begin,
    /// or are being looked for,
    Search,
    /// or one is told.
    Tell,
}

/// A loop as far as it is known.
pub(crate) struct Circuit {
    me: u16,
    begin: Place,
    /// The aims after the present one, the last one first.
    aims: Vec<Aim>,
    aim: Aim,
    task: Task,
    /// For each node the edge that comes next, or zero.
    next: Vec<u64>,
    /// Nodes found in the last round.
    frontier: Vec<u32>,
    /// Where the loop is now.
    at: Place,
    /// The nodes of the loop, each with the marks of the edge that leads on.
    pub(crate) nodes: Vec<(Vec<u64>, Marks)>,
    is_closed: bool,
}

/// Tells an owner of a node from which an edge leads on.
pub(crate) type Tell<'t> = &'t mut dyn FnMut(u16, u32, Edge);

impl Circuit {
    /// One that begins at a node, and meets all conditions.
    pub(crate) fn new(me: u16, begin: Place, conditions: &[Condition]) -> Circuit {
        let mut aims: Vec<Aim> = conditions
            .iter()
            .map(|condition| match *condition {
                Condition::Mark(mark) => Aim::Mark(mark),
                Condition::Pair(_, mark) => Aim::IfAny(mark),
            })
            .collect();
        aims.insert(0, Aim::Back);
        let aim = aims.pop().unwrap_or(Aim::Back);
        Circuit {
            me,
            begin,
            aims,
            aim,
            task: Task::Begin,
            next: Vec::new(),
            frontier: Vec::new(),
            at: begin,
            nodes: Vec::new(),
            is_closed: false,
        }
    }

    pub(crate) fn begin(&self) -> Place {
        self.begin
    }

    /// Whether it is known as a whole.
    pub(crate) fn is_closed(&self) -> bool {
        self.is_closed
    }

    /// Decides what comes next, when it is known whether anybody has found something in the last round.
    pub(crate) fn decide(&mut self, is_quiet: bool) {
        if self.task == Task::Search && is_quiet {
            self.task = Task::Tell;
            self.frontier = Vec::new();
        }
    }

    /// Goes on with looking for ways, with edges that others have told of; says how many nodes it has found.
    pub(crate) fn go_on(
        &mut self,
        heard: Vec<(u32, Edge)>,
        left: &Elimination,
        edges: &Edges,
        tell: Tell<'_>,
    ) -> u64 {
        match self.task {
            Task::Begin => {
                self.task = Task::Search;
                self.begin_search(left, edges, tell)
            }
            Task::Search => {
                for (node, edge) in heard {
                    self.hear_edge(left, node, edge);
                }
                self.search(left, edges, tell)
            }
            Task::Tell => 0,
        }
    }

    pub(crate) fn bytes(&self) -> u64 {
        (self.next.capacity() * 8 + self.frontier.capacity() * 4) as u64
    }

    fn is_end(&self, edge: Edge) -> bool {
        match self.aim {
            Aim::Mark(mark) | Aim::IfAny(mark) => edge.marks & mark != 0,
            Aim::Back => edge.place == self.begin,
        }
    }

    /// Begins to look for ways to the present aim; says how many nodes it has found.
    fn begin_search(&mut self, left: &Elimination, edges: &Edges, tell: Tell<'_>) -> u64 {
        self.next.clear();
        self.next.resize(edges.leaving.len(), 0);
        self.frontier.clear();
        let ends: Vec<u32> = match self.aim {
            Aim::Back if self.begin.owner == self.me => vec![self.begin.id],
            Aim::Back => Vec::new(),
            Aim::Mark(_) | Aim::IfAny(_) => left.left().collect(),
        };
        let mut found = 0;
        for node in ends {
            for edge in left.to(edges, node) {
                let onward = self.onward(node, edge);
                if self.is_end(onward) {
                    found += self.offer(left, edge.place, onward, tell);
                }
            }
        }
        found
    }

    /// An edge, seen from where it comes from.
    fn onward(&self, to: u32, edge: Edge) -> Edge {
        let place = Place {
            owner: self.me,
            id: to,
        };
        Edge { place, ..edge }
    }

    fn offer(&mut self, left: &Elimination, node: Place, edge: Edge, tell: Tell<'_>) -> u64 {
        match node.owner == self.me {
            true => u64::from(self.hear_edge(left, node.id, edge)),
            false => {
                tell(node.owner, node.id, edge);
                1
            }
        }
    }

    /// An edge leads on from a node; says whether none was known.
    fn hear_edge(&mut self, left: &Elimination, node: u32, edge: Edge) -> bool {
        let is_news = left.is_left(node) && self.next[node as usize] == 0;
        if is_news {
            self.next[node as usize] = edge.word();
            self.frontier.push(node);
        }
        is_news
    }

    /// Goes one edge further back; says how many nodes it has found.
    fn search(&mut self, left: &Elimination, edges: &Edges, tell: Tell<'_>) -> u64 {
        let mut found = 0;
        for node in std::mem::take(&mut self.frontier) {
            for edge in left.to(edges, node) {
                found += self.offer(left, edge.place, self.onward(node, edge), tell);
            }
        }
        found
    }

    /// The next piece, if this process has the node where the loop is.
    pub(crate) fn piece(&self, owned: &Owned) -> Option<Vec<u8>> {
        let is_here = self.task == Task::Tell && !self.is_closed && self.at.owner == self.me;
        let mut at = is_here.then_some(self.at)?;
        let mut nodes = Vec::new();
        let mut is_there = false;
        while at.owner == self.me && !is_there && nodes.len() < MOST {
            let word = self.next.get(at.id as usize).copied().unwrap_or(0);
            if word == 0 {
                is_there = true;
                break;
            }
            let edge = Edge::from_word(word);
            nodes.push((owned.read(at.id), edge.marks));
            is_there = self.is_end(edge);
            at = edge.place;
        }
        let mut piece = begin(Kind::Path, self.me);
        put(&mut piece, &[at.word(), is_there.into()]);
        for (node, marks) in nodes {
            put(&mut piece, &[marks.into()]);
            put(&mut piece, &node);
        }
        Some(piece)
    }

    /// Takes a piece, of nodes of so many words. Where a way has come to its aim, the next one is looked for,
    /// if there is one.
    pub(crate) fn hear(&mut self, piece: &[u8], words: usize) -> Result<()> {
        let mut from = Words(piece);
        let (at, is_there) = (Place::from_word(from.word()?)?, from.word()? != 0);
        if self.task != Task::Tell || !from.0.len().is_multiple_of(8 * (words + 1)) {
            return Err(Garbled);
        }
        let is_empty = from.0.is_empty();
        while !from.0.is_empty() {
            let marks: Marks = from.number()?;
            let node: Result<Vec<u64>> = (0..words).map(|_| from.word()).collect();
            self.nodes.push((node?, marks));
        }
        self.at = at;
        if !is_there {
            return if is_empty { Err(Garbled) } else { Ok(()) };
        }
        if is_empty && !matches!(self.aim, Aim::IfAny(_)) {
            // What is left has no such edge, which cannot be.
            return Err(Garbled);
        }
        let seen = self.nodes.iter().fold(0, |all, (_, marks)| all | marks);
        loop {
            let Some(aim) = self.aims.pop() else {
                self.is_closed = true;
                return Ok(());
            };
            let is_met = match aim {
                Aim::Mark(mark) | Aim::IfAny(mark) => seen & mark != 0,
                Aim::Back => !self.nodes.is_empty() && self.at == self.begin,
            };
            if !is_met {
                self.aim = aim;
                self.task = Task::Begin;
                return Ok(());
            }
        }
    }
}
