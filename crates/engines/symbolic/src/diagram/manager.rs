//! The manager: who owns nodes, when they are collected, and when variables are moved.
//!
//! Nothing counts references while operations run. A [`Bdd`] protects its node; between two
//! operations whatever no `Bdd` reaches may be collected. An operation that makes very many nodes
//! is given up, nodes are collected, variables are moved, and it begins again.

use std::cell::RefCell;
use std::rc::Rc;

use model::{Budget, UnknownReason};

use super::cache::{Cache, EDGE_BITS, Operation};
use super::count::Marks;
use super::table::{NONE, Node, Table};
use super::{Edge, Halt, Result, Var};

/// How often each node is held from outside.
type Holds = Rc<RefCell<Vec<u32>>>;

/// A diagram that stays as long as this does.
pub(crate) struct Bdd {
    edge: Edge,
    holds: Holds,
}

impl Bdd {
    pub(super) fn edge(&self) -> Edge {
        self.edge
    }

    pub(crate) fn is_one(&self) -> bool {
        self.edge == Edge::ONE
    }

    pub(crate) fn is_zero(&self) -> bool {
        self.edge == Edge::ZERO
    }

    /// The negation.
    pub(crate) fn not(&self) -> Bdd {
        let mut result = self.clone();
        result.edge = !result.edge;
        result
    }
}

impl Clone for Bdd {
    fn clone(&self) -> Bdd {
        self.holds.borrow_mut()[self.edge.node()] += 1;
        Bdd {
            edge: self.edge,
            holds: Rc::clone(&self.holds),
        }
    }
}

impl Drop for Bdd {
    fn drop(&mut self) {
        self.holds.borrow_mut()[self.edge.node()] -= 1;
    }
}

impl PartialEq for Bdd {
    fn eq(&self, other: &Bdd) -> bool {
        self.edge == other.edge
    }
}

impl Eq for Bdd {}

impl std::fmt::Debug for Bdd {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Bdd({})", self.edge.0)
    }
}

/// What a manager may use.
#[derive(Clone, Debug)]
pub(crate) struct Limits {
    /// Time, memory and the wish to stop.
    pub(crate) budget: Budget,
    /// Whether variables may be moved.
    pub(crate) reorder: bool,
    /// Live nodes from which on that is worth a thought.
    pub(crate) sift_from: usize,
}

/// Work of moving variables that is granted whatever else there was, in nodes looked at.
const GRANTED: u64 = 1_000_000;

/// Nodes that one operation may make before it is given up to move variables, at least.
const FIRST_ALLOWANCE: usize = 200_000;

/// A manager of diagrams.
pub(crate) struct Manager {
    pub(super) nodes: Vec<Node>,
    pub(super) tables: Vec<Table>,
    pub(super) free: Vec<u32>,
    /// The level of each variable.
    pub(super) level: Vec<u32>,
    /// The variable of each level.
    pub(super) at_level: Vec<u32>,
    /// Variables that stay beside each other, from the top, all of them.
    pub(super) blocks: Vec<Vec<u32>>,
    /// The other one of a current and a next variable.
    pub(super) partner: Vec<u32>,
    pub(super) cache: Cache,
    pub(super) holds: Holds,
    pub(super) limits: Limits,
    pub(super) marks: RefCell<Marks>,
    /// Nodes in use up to which the present operation may go.
    ceiling: usize,
    collect_at: usize,
    sift_at: usize,
    /// Steps of operations, and of moving variables: neither may starve the other.
    pub(super) steps: u64,
    pub(super) sift_steps: u64,
    pub(crate) sifts: u32,
    pub(crate) peak: usize,
}

impl Manager {
    pub(crate) fn new(limits: Limits) -> Manager {
        let one = Node {
            var: NONE,
            high: Edge::ONE,
            low: Edge::ONE,
            next: NONE,
        };
        Manager {
            nodes: vec![one],
            tables: Vec::new(),
            free: Vec::new(),
            level: Vec::new(),
            at_level: Vec::new(),
            blocks: Vec::new(),
            partner: Vec::new(),
            cache: Cache::new(16),
            holds: Rc::new(RefCell::new(vec![1])),
            sift_at: limits.sift_from,
            limits,
            marks: RefCell::default(),
            ceiling: usize::MAX,
            collect_at: 1 << 17,
            steps: 0,
            sift_steps: 0,
            sifts: 0,
            peak: 0,
        }
    }

    /// New variables at the bottom of the order that stay beside each other, as given. Two of
    /// them are partners: the current and the next value of a bit.
    pub(crate) fn add_block(&mut self, size: usize) -> Vec<Var> {
        let first = self.level.len() as u32;
        let vars: Vec<u32> = (first..first + size as u32).collect();
        for &var in &vars {
            self.tables.push(Table::new());
            self.level.push(var);
            self.at_level.push(var);
            self.partner.push(var);
        }
        // A new variable comes last whatever the order has become.
        for (offset, &var) in vars.iter().enumerate() {
            let level = first as usize + offset;
            self.level[var as usize] = level as u32;
            self.at_level[level] = var;
        }
        if let &[current, next] = vars.as_slice() {
            self.partner[current as usize] = next;
            self.partner[next as usize] = current;
        }
        self.blocks.push(vars.clone());
        vars.into_iter().map(Var).collect()
    }

    /// The end of the time there is.
    pub(crate) fn deadline(&self) -> Option<std::time::Instant> {
        self.limits.budget.deadline
    }

    pub(crate) fn set_deadline(&mut self, deadline: Option<std::time::Instant>) {
        self.limits.budget.deadline = deadline;
    }

    pub(crate) fn variable_count(&self) -> usize {
        self.level.len()
    }

    /// The variables from the top.
    pub(crate) fn order(&self) -> Vec<Var> {
        self.at_level.iter().map(|&var| Var(var)).collect()
    }

    pub(super) fn keep(&self, edge: Edge) -> Bdd {
        let mut holds = self.holds.borrow_mut();
        if holds.len() < self.nodes.len() {
            holds.resize(self.nodes.len(), 0);
        }
        holds[edge.node()] += 1;
        drop(holds);
        Bdd {
            edge,
            holds: Rc::clone(&self.holds),
        }
    }

    pub(crate) fn one(&self) -> Bdd {
        self.keep(Edge::ONE)
    }

    pub(crate) fn zero(&self) -> Bdd {
        self.keep(Edge::ZERO)
    }

    /// The function that is a variable.
    pub(crate) fn variable(&mut self, var: Var) -> Result<Bdd> {
        self.operation(|m| m.node(var.0, Edge::ONE, Edge::ZERO))
    }

    /// Nodes that are in use or could be collected.
    pub(crate) fn node_count(&self) -> usize {
        self.nodes.len() - self.free.len()
    }

    /// Bytes.
    pub(crate) fn memory(&self) -> u64 {
        let tables: usize = self.tables.iter().map(Table::bytes).sum();
        let nodes = self.nodes.capacity() * (size_of::<Node>() + size_of::<u32>());
        (nodes + tables + self.cache.bytes()) as u64
    }

    /// The level of the first variable of a function; past all levels if it has none.
    pub(crate) fn top(&self, f: &Bdd) -> u32 {
        self.level_of(f.edge)
    }

    pub(super) fn level_of(&self, edge: Edge) -> u32 {
        let var = self.nodes[edge.node()].var;
        if var == NONE {
            NONE
        } else {
            self.level[var as usize]
        }
    }

    /// What an edge is if the variable of the level is true, and if it is false. The level is not
    /// below the edge's.
    pub(super) fn cofactors(&self, edge: Edge, level: u32) -> (Edge, Edge) {
        if self.level_of(edge) != level {
            return (edge, edge);
        }
        let node = &self.nodes[edge.node()];
        let negate = edge.is_complement();
        (node.high.negated_if(negate), node.low.negated_if(negate))
    }

    /// The node for a variable and its two cofactors.
    pub(super) fn node(&mut self, var: u32, high: Edge, low: Edge) -> Result<Edge> {
        if high == low {
            return Ok(high);
        }
        let negate = high.is_complement();
        let (high, low) = (high.negated_if(negate), low.negated_if(negate));
        let found = self.tables[var as usize].find(&self.nodes, high, low);
        let node = match found {
            Some(node) => node,
            None => self.add_node(var, high, low)?,
        };
        Ok(Edge::new(node).negated_if(negate))
    }

    fn add_node(&mut self, var: u32, high: Edge, low: Edge) -> Result<usize> {
        if self.node_count() >= self.ceiling {
            return Err(Halt::Full);
        }
        let node = self.new_node(var, high, low);
        self.tables[var as usize].insert(&mut self.nodes, node);
        Ok(node)
    }

    /// Room for a node, in no table yet.
    pub(super) fn new_node(&mut self, var: u32, high: Edge, low: Edge) -> usize {
        let node = Node {
            var,
            high,
            low,
            next: NONE,
        };
        if let Some(free) = self.free.pop() {
            self.nodes[free as usize] = node;
            return free as usize;
        }
        self.nodes.push(node);
        self.nodes.len() - 1
    }

    pub(super) fn remembered(&self, op: Operation, f: Edge, g: Edge, h: Edge) -> Option<Edge> {
        self.cache.get(op, f, g, h)
    }

    /// Remembers a result; now and then looks whether there is time left.
    pub(super) fn remember(
        &mut self,
        operation: Operation,
        f: Edge,
        g: Edge,
        h: Edge,
        result: Edge,
    ) -> Result<Edge> {
        self.cache.put(operation, f, g, h, result);
        self.steps += 1;
        if self.steps & 0xFFF == 0 {
            self.check_time()?;
        }
        Ok(result)
    }

    pub(super) fn check_time(&self) -> Result<()> {
        match self.limits.budget.exhausted(0) {
            Some(reason) => Err(Halt::Limit(reason)),
            None => Ok(()),
        }
    }

    /// Nodes that fit into memory.
    fn most_nodes(&self) -> usize {
        let most = 1usize << (EDGE_BITS - 1);
        match self.limits.budget.memory {
            // A node with its place in a table, a hold and its share of the cache.
            Some(bytes) => (usize::try_from(bytes).unwrap_or(usize::MAX) / 48).min(most),
            None => most,
        }
    }

    /// Runs an operation; gives it more room, as long as there is some, if it needs it.
    pub(super) fn operation(
        &mut self,
        mut run: impl FnMut(&mut Manager) -> Result<Edge>,
    ) -> Result<Bdd> {
        self.between_operations()?;
        let mut allowance = FIRST_ALLOWANCE.max(4 * self.node_count());
        loop {
            let most = self.most_nodes();
            let wanted = self.node_count() + allowance;
            self.ceiling = if self.limits.reorder {
                wanted.min(most)
            } else {
                most
            };
            let result = run(self);
            self.peak = self.peak.max(self.node_count());
            match result {
                Ok(edge) => return Ok(self.keep(edge)),
                Err(Halt::Limit(reason)) => return Err(Halt::Limit(reason)),
                Err(Halt::Full) => {
                    let hopeless = !self.limits.reorder || wanted >= most.saturating_mul(4);
                    self.collect();
                    if hopeless || self.node_count() >= most {
                        return Err(Halt::Limit(UnknownReason::Memory));
                    }
                    self.sift_and_adapt()?;
                    allowance = allowance.saturating_mul(4);
                }
            }
        }
    }

    /// Moves variables; the next time comes the later, the less that has helped.
    fn sift_and_adapt(&mut self) -> Result<()> {
        let before = self.node_count();
        self.sift()?;
        let after = self.node_count();
        let factor = if after * 5 > before * 4 { 4 } else { 2 };
        self.sift_at = (factor * after).max(self.limits.sift_from);
        Ok(())
    }

    /// Moves variables if there are more than so many nodes.
    pub(crate) fn sift_above(&mut self, nodes: usize) -> Result<()> {
        if !self.limits.reorder || self.node_count() <= nodes {
            return Ok(());
        }
        self.collect();
        if self.node_count() > nodes {
            self.sift_and_adapt()?;
        }
        Ok(())
    }

    fn between_operations(&mut self) -> Result<()> {
        let count = self.node_count();
        if count < self.collect_at && (!self.limits.reorder || count < 2 * self.sift_at) {
            return Ok(());
        }
        self.check_time()?;
        self.collect();
        let live = self.node_count();
        if self.limits.reorder && live >= self.sift_at {
            // Moving variables may cost a few times as much as all else so far, and no more: each
            // passes by about half of the nodes.
            let cost = (live * self.blocks.len() / 2) as u64;
            if self.sift_steps + cost <= 3 * self.steps + GRANTED {
                self.sift_and_adapt()?;
            } else {
                self.sift_at = live + live / 2;
            }
        }
        let live = self.node_count();
        self.collect_at = (3 * live).max(1 << 17);
        let entries = (2 * live).next_power_of_two().clamp(1 << 16, 1 << 22);
        self.cache.grow(entries);
        Ok(())
    }

    /// Marks what is held, or below what is.
    fn reached(&self) -> Vec<bool> {
        let mut live = vec![false; self.nodes.len()];
        live[0] = true;
        let holds = self.holds.borrow();
        let held = (0..holds.len()).filter(|&node| holds[node] > 0);
        let mut waiting: Vec<usize> = held.collect();
        while let Some(node) = waiting.pop() {
            if node != 0 && live[node] {
                continue;
            }
            live[node] = true;
            if node == 0 {
                continue;
            }
            for child in [self.nodes[node].high.node(), self.nodes[node].low.node()] {
                if !live[child] {
                    waiting.push(child);
                }
            }
        }
        live
    }

    /// Frees what nobody holds.
    pub(super) fn collect(&mut self) {
        let live = self.reached();
        self.cache.retain(&live);
        let mut coming = vec![0; self.tables.len()];
        for (node, _) in self.nodes.iter().zip(&live).filter(|(_, live)| **live) {
            if node.var != NONE {
                coming[node.var as usize] += 1;
            }
        }
        for (table, coming) in self.tables.iter_mut().zip(coming) {
            table.clear(coming);
        }
        self.free.clear();
        for node in (1..self.nodes.len()).rev() {
            if live[node] {
                let var = self.nodes[node].var as usize;
                self.tables[var].insert(&mut self.nodes, node);
            } else {
                self.nodes[node].var = NONE;
                self.free.push(node as u32);
            }
        }
    }
}
