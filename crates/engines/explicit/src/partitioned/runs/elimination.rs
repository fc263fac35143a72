//! Takes away what lies on no fair accepted cycle, together with other processes.
//!
//! What is left is made smaller until nothing changes (Fisler, Fraer, Kamhi, Vardi and Yang, *Is there a best symbolic
//! cycle-detection algorithm?*, TACAS 2001: one way catch them young; Černá and Pelánek, *Distributed explicit fair
//! cycle detection*, SPIN 2003; for conditions of the form "if again and again this, then that" Kesten, Pnueli and
//! Raviv, *Algorithmic verification of linear temporal logic specifications*, ICALP 1998). Three things take away:
//!
//! - a node from which no edge leads to one that is left goes, by counting these edges;
//! - for each mark that is needed, nodes go from which no edge with that mark can be reached;
//! - for each pair of marks, edges with the first go from whose target no edge with the second can be reached.
//!
//! A fair accepted cycle loses nothing: from each of its nodes it comes to each of its edges. If something is
//! left when nothing changes any more, take a component of it that is strongly connected and that no edge leaves: it
//! has an edge, one with each mark that is needed, and of each pair the second or not the first. So all its edges make up
//! a fair accepted cycle. A node in such a component is found by taking away all nodes that reach some node,
//! until no other is left.
//!
//! Edges are known where they lead to, so everything goes backwards. What happens to a node of another process is
//! told to its owner; rounds of that end when nobody has told anything.

use model::Budget;

use crate::partitioned::edges::{Edge, Edges, Marks};
use crate::partitioned::owned::Place;
use crate::partitioned::summary::Tally;

/// Nodes between two looks at the limits.
const PULSE: u32 = 1 << 14;

/// A set of numbers.
#[derive(Clone, Default)]
pub(crate) struct Bits(Vec<u64>);

impl Bits {
    pub(crate) fn none(count: usize) -> Bits {
        Bits(vec![0; count.div_ceil(64)])
    }

    fn all(count: usize) -> Bits {
        let mut bits = Bits(vec![u64::MAX; count.div_ceil(64)]);
        if let Some(last) = bits.0.last_mut()
            && !count.is_multiple_of(64)
        {
            *last = (1 << (count % 64)) - 1;
        }
        bits
    }

    #[inline]
    pub(crate) fn has(&self, number: usize) -> bool {
        self.0
            .get(number / 64)
            .is_some_and(|word| word >> (number % 64) & 1 != 0)
    }

    #[inline]
    pub(crate) fn insert(&mut self, number: usize) {
        self.0[number / 64] |= 1 << (number % 64);
    }

    #[inline]
    fn remove(&mut self, number: usize) {
        self.0[number / 64] &= !(1 << (number % 64));
    }

    fn clear(&mut self) {
        self.0.fill(0);
    }

    /// Those that are not in another set.
    fn without<'b>(&'b self, other: &'b Bits) -> impl Iterator<Item = u32> + 'b {
        let words = self.0.iter().zip(&other.0).enumerate();
        words.flat_map(|(at, (here, there))| {
            let mut bits = here & !there;
            std::iter::from_fn(move || {
                let bit = (bits != 0).then(|| bits.trailing_zeros())?;
                bits &= bits - 1;
                u32::try_from(at * 64).ok().map(|first| first + bit)
            })
        })
    }

    fn bytes(&self) -> u64 {
        self.0.capacity() as u64 * 8
    }
}

/// What a fair accepted cycle has to have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Condition {
    /// An edge with this mark.
    Mark(Marks),
    /// If it has an edge with the first, then one with the second.
    Pair(Marks, Marks),
}

/// What is told to owners of nodes.
pub(crate) trait Telling {
    /// Tells an owner of one of its nodes.
    fn tell(&mut self, owner: u16, node: u32);
}

/// What happens at present.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Task {
    /// Nodes go from which nothing leads on.
    Remove,
    /// Nodes are found from which the mark of a condition can be reached.
    Reach(Condition),
    /// Nodes are found from which this one can be reached.
    Lead(Place),
}

/// What has come of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Verdict {
    /// It goes on.
    Working,
    /// Nothing is left.
    Nothing,
    /// A cycle that is fair and accepted goes through this node, and all nodes that it leads to.
    Cycle(Place),
}

/// What is left of a process's nodes.
pub(crate) struct Elimination {
    me: u16,
    left: Bits,
    /// Nodes for which the task at hand has found something.
    reached: Bits,
    /// Edges that were taken away alone.
    removed: Bits,
    /// For each node, how many edges lead from it to one that is left.
    leaving: Vec<u32>,
    work: Vec<u32>,
    task: Task,
    conditions: Vec<Condition>,
    /// The condition that comes next.
    next: usize,
    /// How many nodes were left and edges removed, of all, when the first condition was looked at.
    before: (u64, u64),
    /// How many are left here that were not reached, or are left at all.
    count: u64,
    removals: u64,
    stopped: bool,
}

impl Elimination {
    /// All nodes are left.
    pub(crate) fn new(me: u16, edges: &Edges, conditions: &[Condition]) -> Elimination {
        let nodes = edges.leaving.len();
        let has_pairs = conditions
            .iter()
            .any(|condition| matches!(condition, Condition::Pair(..)));
        let mut elimination = Elimination {
            me,
            left: Bits::all(nodes),
            reached: Bits::none(nodes),
            removed: Bits::none(if has_pairs { edges.len() } else { 0 }),
            leaving: edges.leaving.clone(),
            work: Vec::new(),
            task: Task::Remove,
            conditions: conditions.to_vec(),
            next: 0,
            before: (0, 0),
            count: nodes as u64,
            removals: 0,
            stopped: false,
        };
        for node in elimination
            .left
            .without(&Bits::none(nodes))
            .collect::<Vec<_>>()
        {
            if elimination.leaving[node as usize] == 0 {
                elimination.remove(node);
            }
        }
        elimination
    }

    pub(crate) fn bytes(&self) -> u64 {
        let bits = self.left.bytes() + self.reached.bytes() + self.removed.bytes();
        bits + (self.leaving.capacity() + self.work.capacity()) as u64 * 4
    }

    /// Whether it was broken off because of a limit.
    pub(crate) fn is_stopped(&self) -> bool {
        self.stopped
    }

    /// Whether a node is left.
    pub(crate) fn is_left(&self, node: u32) -> bool {
        self.left.has(node as usize)
    }

    /// The edges that lead to a node, but for those that were taken away alone.
    pub(crate) fn to<'a>(&'a self, edges: &'a Edges, node: u32) -> impl Iterator<Item = Edge> + 'a {
        let edges = edges.to(node);
        edges
            .filter(|(number, _)| !self.removed.has(*number))
            .map(|(_, edge)| edge)
    }

    /// All nodes that are left.
    pub(crate) fn left(&self) -> impl Iterator<Item = u32> + '_ {
        self.left.0.iter().enumerate().flat_map(|(at, &word)| {
            (0..64u32)
                .filter(move |bit| word >> bit & 1 != 0)
                .filter_map(move |bit| Some(u32::try_from(at * 64).ok()? + bit))
        })
    }

    /// What is told of it at the end of a round.
    pub(crate) fn tally(&self, told: u64) -> Tally {
        // Somebody wants to know it only when all has come to rest.
        let mut candidate = None;
        if told == 0 {
            // The first one there is has the shortest way to it; if that is not where it ends, the last one
            // is more likely to be.
            let node = match self.task {
                Task::Lead(_) => self.left.without(&self.reached).last(),
                Task::Remove | Task::Reach(_) => self.left().next(),
            };
            let owner = self.me;
            candidate = node.map(|id| Place { owner, id });
        }
        Tally {
            left: self.count,
            candidate,
            told,
            removed: self.removals,
            ..Tally::default()
        }
    }

    /// Decides what comes next, when nobody has told anything in the last round; all decide the same.
    pub(crate) fn decide(
        &mut self,
        whole: &Tally,
        edges: &Edges,
        telling: &mut dyn Telling,
        budget: &Budget,
    ) -> Verdict {
        match self.task {
            Task::Remove => {
                let Some(candidate) = whole.candidate.filter(|_| whole.left > 0) else {
                    return Verdict::Nothing;
                };
                let now = (whole.left, whole.removed);
                if self.next == self.conditions.len() {
                    self.next = 0;
                    if self.before == now {
                        self.lead(candidate);
                        return Verdict::Working;
                    }
                }
                if self.next == 0 {
                    self.before = now;
                }
                self.reach(self.conditions[self.next], edges, telling, budget);
                Verdict::Working
            }
            Task::Reach(condition) => {
                self.next += 1;
                self.task = Task::Remove;
                match condition {
                    Condition::Mark(_) => {
                        let lost: Vec<u32> = self.left.without(&self.reached).collect();
                        for node in lost {
                            self.remove(node);
                        }
                    }
                    Condition::Pair(first, _) => self.remove_edges(first, edges, telling),
                }
                Verdict::Working
            }
            Task::Lead(node) => match whole.candidate.filter(|_| whole.left > 0) {
                None => Verdict::Cycle(node),
                Some(candidate) => {
                    // No edge leads from these to the others.
                    for (left, reached) in self.left.0.iter_mut().zip(&self.reached.0) {
                        *left &= !reached;
                    }
                    self.lead(candidate);
                    Verdict::Working
                }
            },
        }
    }

    /// Goes on with the task, with nodes that others have told of.
    pub(crate) fn go_on(
        &mut self,
        nodes: impl Iterator<Item = u32>,
        edges: &Edges,
        telling: &mut dyn Telling,
        budget: &Budget,
    ) {
        for node in nodes {
            self.hear(node);
        }
        let mut pulse = PULSE;
        while let Some(node) = self.work.pop() {
            for (number, edge) in edges.to(node) {
                if self.removed.has(number) {
                    continue;
                }
                match edge.place.owner == self.me {
                    true => self.hear(edge.place.id),
                    false => telling.tell(edge.place.owner, edge.place.id),
                }
            }
            pulse -= 1;
            if pulse == 0 {
                pulse = PULSE;
                if budget.exhausted(0).is_some() {
                    self.stopped = true;
                    return;
                }
            }
        }
    }

    /// Something has happened to the target of an edge from this node.
    #[inline]
    fn hear(&mut self, node: u32) {
        if !self.left.has(node as usize) {
            return;
        }
        match self.task {
            Task::Remove => {
                let leaving = &mut self.leaving[node as usize];
                *leaving -= 1;
                if *leaving == 0 {
                    self.remove(node);
                }
            }
            Task::Reach(_) | Task::Lead(_) => {
                if !self.reached.has(node as usize) {
                    self.reached.insert(node as usize);
                    self.work.push(node);
                    if matches!(self.task, Task::Lead(_)) {
                        self.count -= 1;
                    }
                }
            }
        }
    }

    fn remove(&mut self, node: u32) {
        self.left.remove(node as usize);
        self.count -= 1;
        self.work.push(node);
    }

    /// Looks for nodes from which an edge can be reached that has the mark of a condition.
    fn reach(
        &mut self,
        condition: Condition,
        edges: &Edges,
        telling: &mut dyn Telling,
        budget: &Budget,
    ) {
        self.task = Task::Reach(condition);
        self.reached.clear();
        let (Condition::Mark(mark) | Condition::Pair(_, mark)) = condition;
        let mut pulse = PULSE;
        let nodes: Vec<u32> = self.left().collect();
        for node in nodes {
            for (number, edge) in edges.to(node) {
                if edge.marks & mark == 0 || self.removed.has(number) {
                    continue;
                }
                match edge.place.owner == self.me {
                    true => self.hear(edge.place.id),
                    false => telling.tell(edge.place.owner, edge.place.id),
                }
            }
            pulse -= 1;
            if pulse == 0 {
                pulse = PULSE;
                self.stopped |= budget.exhausted(0).is_some();
            }
        }
    }

    /// Takes away edges with a mark from whose target nothing was reached.
    fn remove_edges(&mut self, mark: Marks, edges: &Edges, telling: &mut dyn Telling) {
        let nodes: Vec<u32> = self.left.without(&self.reached).collect();
        for node in nodes {
            for (number, edge) in edges.to(node) {
                if edge.marks & mark == 0 || self.removed.has(number) {
                    continue;
                }
                self.removed.insert(number);
                self.removals += 1;
                match edge.place.owner == self.me {
                    true => self.hear(edge.place.id),
                    false => telling.tell(edge.place.owner, edge.place.id),
                }
            }
        }
    }

    /// Looks for nodes from which this one can be reached.
    fn lead(&mut self, to: Place) {
        self.task = Task::Lead(to);
        self.reached.clear();
        self.count = self
            .left
            .0
            .iter()
            .map(|word| u64::from(word.count_ones()))
            .sum();
        if to.owner == self.me {
            self.hear(to.id);
        }
    }
}
