//! Liveness: is there a fair run that an automaton accepts?
//!
//! The product is searched on the fly, one strongly connected component of the *automaton* after
//! the other. Where the automaton cannot accept, plain breadth-first search finds what can be
//! reached. Where it can, depth-first search keeps the components of the part visited so far,
//! each with the marks on its edges (Couvreur 1999; Geldenhuys and Valmari 2005): as soon as one
//! has all marks that are needed, there is a run. A component that lacks only second halves of
//! pairs is searched again without the edges that ask for them (as Streett automata are).

use std::time::Instant;

use logic::Buchi;
use model::{Budget, ExprId, Program, Progress, Statistics, UnknownReason};

use crate::engine::Engine;
use crate::graph::Graph;
use crate::lasso::lasso;
use crate::product::{Cursor, Node, Plan, Product};
use crate::room::Room;
use crate::scc::{Numbered, components};
use crate::{Answer, Options};

/// What is to be found out about liveness.
#[derive(Clone, Copy, Debug)]
pub struct LivenessJob<'a> {
    /// The program; runs are those that are fair under its fairness constraints.
    pub program: &'a Program,
    /// Accepts the runs that are looked for: the negation of the property.
    pub automaton: &'a Buchi<ExprId>,
    /// Expressions of which it is to be said whether they ever hold at the end of a macro step.
    pub watch: &'a [ExprId],
}

/// The answer.
#[derive(Clone, Debug)]
pub struct LivenessOutcome {
    /// [`Answer::Clear`] if there is no such run.
    pub answer: Answer,
    /// For each watched expression, whether it was seen to hold.
    pub watched: Vec<bool>,
    /// Whether a sample stood for a wide choice: then [`Answer::Clear`] is about the sample only.
    pub sampled: bool,
    /// What was done; states are those of the product.
    pub statistics: Statistics,
}

/// Looks for a fair run that the automaton accepts.
///
/// Programs with features that this engine does not have are answered with
/// [`UnknownReason::Unsupported`].
pub fn accepted_run(
    job: &LivenessJob<'_>,
    _options: &Options,
    budget: &Budget,
    progress: &dyn Progress,
) -> LivenessOutcome {
    let begin = Instant::now();
    let mut outcome = LivenessOutcome {
        answer: Answer::Clear,
        watched: vec![false; job.watch.len()],
        sampled: false,
        statistics: Statistics::default(),
    };
    if let Err(reason) = run(job, budget, progress, &mut outcome) {
        outcome.answer = Answer::Unknown(reason);
    }
    outcome.statistics.time = begin.elapsed();
    outcome
}

fn run(
    job: &LivenessJob<'_>,
    budget: &Budget,
    progress: &dyn Progress,
    outcome: &mut LivenessOutcome,
) -> Result<(), UnknownReason> {
    let plan = Plan::new(job.program, job.automaton, job.watch)?;
    let mut room = Room::new(job.program);
    // With more room each time there was too little.
    while let Some(more) = run_in(room, &plan, job, budget, progress, outcome)? {
        room = more;
        if let Some(reason) = budget.exhausted(0) {
            return Err(reason);
        }
    }
    Ok(())
}

fn run_in(
    room: Room,
    plan: &Plan,
    job: &LivenessJob<'_>,
    budget: &Budget,
    progress: &dyn Progress,
    outcome: &mut LivenessOutcome,
) -> Result<Option<Room>, UnknownReason> {
    let engine = Engine::new(job.program, room, plan.demand.clone(), budget)?;
    let graph = Graph::new(&engine, plan.letters, job.watch.len(), budget);
    let product = Product::new(graph, job.automaton, plan, &engine.initial)?;
    let mut search = Search::new(
        product,
        job.automaton,
        budget,
        progress,
        engine.packing.words,
    );
    let found = search.run();
    let product = &search.product;
    outcome.watched.clone_from(&product.graph.watched);
    outcome.sampled = engine.sampled || product.graph.sampled();
    outcome.statistics = search.statistics();
    let more = engine.more_room();
    if more.is_some() {
        return Ok(more);
    }
    if let Some(found) = found? {
        let trace = lasso(&engine, &mut search.product, &found, plan.letters)?;
        outcome.answer = Answer::Violated(trace);
    }
    Ok(None)
}

/// A set of nodes in which every two reach each other, without edges that have forbidden marks.
#[derive(Clone, Debug)]
pub(crate) struct Component {
    pub(crate) nodes: Vec<Node>,
    pub(crate) marks: u64,
    pub(crate) forbidden: u64,
}

/// A node on the depth-first path.
struct Frame {
    node: Node,
    cursor: Cursor,
}

/// A component of the part visited so far.
#[derive(Clone, Copy)]
struct Root {
    /// The depth-first number of its first node.
    number: u32,
    /// The marks inside,
    inside: u64,
    /// and on the edge that led to it.
    entering: u64,
}

/// A depth-first number that says that a node's component is finished.
const DEAD: u32 = u32::MAX;

struct Search<'e> {
    product: Product<'e>,
    budget: &'e Budget,
    progress: &'e dyn Progress,
    state_bytes: u64,
    /// The automaton's component of each of its states, from the initial one on.
    component: Vec<usize>,
    /// Whether a component has an accepting edge.
    accepting: Vec<bool>,
    /// Where components are entered.
    entrances: Vec<Vec<Node>>,
    /// The depth-first number of each node; 0 if not visited.
    numbers: Vec<u32>,
    visited: u64,
}

impl<'e> Search<'e> {
    fn new(
        product: Product<'e>,
        automaton: &Buchi<ExprId>,
        budget: &'e Budget,
        progress: &'e dyn Progress,
        words: usize,
    ) -> Self {
        let Numbered { component, count } = components(automaton.state_count(), |state| {
            automaton.edges[state]
                .iter()
                .map(|edge| edge.target.index())
                .collect()
        });
        // They are numbered from the last to the first.
        let component: Vec<usize> = component.into_iter().map(|c| count - 1 - c).collect();
        let mut accepting = vec![false; count];
        for (state, edges) in automaton.edges.iter().enumerate() {
            for edge in edges {
                let inside = component[edge.target.index()] == component[state];
                accepting[component[state]] |= edge.accepting && inside;
            }
        }
        let mut entrances = vec![Vec::new(); count];
        for &node in &product.initial {
            entrances[component[product.place(node)]].push(node);
        }
        Search {
            product,
            budget,
            progress,
            state_bytes: words as u64 * 8,
            component,
            accepting,
            entrances,
            numbers: Vec::new(),
            visited: 0,
        }
    }

    fn statistics(&self) -> Statistics {
        Statistics {
            states: self.product.len().into(),
            transitions: self.product.graph.transitions,
            depth: 0,
            state_bytes: self.state_bytes,
            memory: self.product.bytes() + (self.numbers.capacity() * 4) as u64,
            storage: crate::Storage::Plain.name(),
            omitted: 0.0,
            time: std::time::Duration::ZERO,
        }
    }

    fn run(&mut self) -> Result<Option<Component>, UnknownReason> {
        for component in 0..self.accepting.len() {
            let entrances = std::mem::take(&mut self.entrances[component]);
            if self.accepting[component] {
                for node in entrances {
                    if let Some(found) = self.depth_first(node)? {
                        return Ok(Some(found));
                    }
                }
            } else {
                self.breadth_first(entrances)?;
            }
        }
        Ok(None)
    }

    fn number(&mut self, node: Node) -> &mut u32 {
        let index = node as usize;
        if self.numbers.len() <= index {
            let length = (index + 1).max(self.product.len() as usize);
            self.numbers.resize(length, 0);
        }
        &mut self.numbers[index]
    }

    /// Counts a visit, and looks at the budget now and then.
    fn visit(&mut self, waiting: usize) -> Result<(), UnknownReason> {
        self.visited += 1;
        if self.visited.is_multiple_of(1 << 10) {
            let statistics = self.statistics();
            if let Some(reason) = self.budget.exhausted(statistics.memory) {
                return Err(reason);
            }
            if self.visited.is_multiple_of(1 << 14) {
                self.progress.report(&statistics, waiting as u64);
            }
        }
        Ok(())
    }

    /// What can be reached where nothing is accepted.
    fn breadth_first(&mut self, entrances: Vec<Node>) -> Result<(), UnknownReason> {
        let mut waiting = std::collections::VecDeque::new();
        for node in entrances {
            if *self.number(node) == 0 {
                *self.number(node) = DEAD;
                waiting.push_back(node);
            }
        }
        while let Some(node) = waiting.pop_front() {
            self.visit(waiting.len())?;
            let here = self.component[self.product.place(node)];
            let mut cursor = self.product.edges(node)?;
            while let Some(edge) = self.product.next(&mut cursor) {
                if *self.number(edge.to) != 0 {
                    continue;
                }
                let there = self.component[self.product.place(edge.to)];
                if there == here {
                    *self.number(edge.to) = DEAD;
                    waiting.push_back(edge.to);
                } else {
                    self.entrances[there].push(edge.to);
                }
            }
        }
        Ok(())
    }

    /// Looks for a component that is fair and accepted.
    fn depth_first(&mut self, start: Node) -> Result<Option<Component>, UnknownReason> {
        if *self.number(start) != 0 {
            return Ok(None);
        }
        let here = self.component[self.product.place(start)];
        let mut active: Vec<Node> = Vec::new();
        let mut roots: Vec<Root> = Vec::new();
        let mut path: Vec<Frame> = Vec::new();
        let mut next = Some((start, 0));
        loop {
            if let Some((node, entering)) = next.take() {
                self.visit(path.len())?;
                active.push(node);
                let number = u32::try_from(active.len()).expect("fewer than 2^32 nodes");
                *self.number(node) = number;
                roots.push(Root {
                    number,
                    inside: 0,
                    entering,
                });
                let cursor = self.product.edges(node)?;
                path.push(Frame { node, cursor });
            }
            let Some(frame) = path.last_mut() else {
                return Ok(None);
            };
            let Some(edge) = self.product.next(&mut frame.cursor) else {
                let node = frame.node;
                path.pop();
                let number = *self.number(node);
                if roots.last().is_some_and(|root| root.number == number) {
                    let root = roots.pop().expect("just seen");
                    let nodes = active.split_off(number as usize - 1);
                    for &node in &nodes {
                        *self.number(node) = DEAD;
                    }
                    if let Some(found) = self.without_pairs(nodes, root.inside)? {
                        return Ok(Some(found));
                    }
                }
                continue;
            };
            match *self.number(edge.to) {
                DEAD => {}
                0 => {
                    let there = self.component[self.product.place(edge.to)];
                    if there == here {
                        next = Some((edge.to, edge.marks));
                    } else {
                        self.entrances[there].push(edge.to);
                    }
                }
                number => {
                    // A cycle: what lies between becomes one component.
                    let mut marks = edge.marks;
                    while let Some(root) = roots.last().filter(|root| root.number > number) {
                        marks |= root.inside | root.entering;
                        roots.pop();
                    }
                    let root = roots
                        .last_mut()
                        .expect("the node's component is on the path");
                    root.inside |= marks;
                    if self.product.acceptance.accepts(root.inside) {
                        let nodes = active[root.number as usize - 1..].to_vec();
                        return Ok(Some(Component {
                            nodes,
                            marks: root.inside,
                            forbidden: 0,
                        }));
                    }
                }
            }
        }
    }

    /// Looks into a component whose marks do not do for a part whose marks do.
    fn without_pairs(
        &mut self,
        nodes: Vec<Node>,
        marks: u64,
    ) -> Result<Option<Component>, UnknownReason> {
        let mut waiting = vec![Component {
            nodes,
            marks,
            forbidden: 0,
        }];
        while let Some(Component {
            nodes,
            marks,
            forbidden,
        }) = waiting.pop()
        {
            let acceptance = &self.product.acceptance;
            if acceptance.needs & !marks != 0 {
                continue;
            }
            let more = acceptance.forbidden(marks);
            if more == 0 {
                return Ok(Some(Component {
                    nodes,
                    marks,
                    forbidden,
                }));
            }
            let forbidden = forbidden | more;
            let place: std::collections::HashMap<Node, usize> = nodes
                .iter()
                .enumerate()
                .map(|(place, &node)| (node, place))
                .collect();
            let mut edges: Vec<Vec<(usize, u64)>> = Vec::with_capacity(nodes.len());
            for &node in &nodes {
                let mut here = Vec::new();
                let mut cursor = self.product.edges(node)?;
                while let Some(edge) = self.product.next(&mut cursor) {
                    if edge.marks & forbidden == 0
                        && let Some(&to) = place.get(&edge.to)
                    {
                        here.push((to, edge.marks));
                    }
                }
                edges.push(here);
            }
            let parts = components(nodes.len(), |at| {
                edges[at].iter().map(|(to, _)| *to).collect()
            });
            let mut found: Vec<Component> = (0..parts.count)
                .map(|_| Component {
                    nodes: Vec::new(),
                    marks: 0,
                    forbidden,
                })
                .collect();
            let mut cyclic = vec![false; parts.count];
            for (at, &node) in nodes.iter().enumerate() {
                let part = parts.component[at];
                found[part].nodes.push(node);
                for &(to, marks) in &edges[at] {
                    if parts.component[to] == part {
                        found[part].marks |= marks;
                        cyclic[part] = true;
                    }
                }
            }
            waiting.extend(
                found
                    .into_iter()
                    .zip(cyclic)
                    .filter(|(_, c)| *c)
                    .map(|(f, _)| f),
            );
        }
        Ok(None)
    }
}
