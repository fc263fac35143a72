//! Nodes, and the unique table of each variable.

use super::Edge;

/// The variable of the constant and of nodes that are free.
pub(super) const NONE: u32 = u32::MAX;

/// A node; `next` is the next one in its bucket, or in the list of free nodes.
#[derive(Clone, Copy)]
pub(super) struct Node {
    pub(super) var: u32,
    pub(super) high: Edge,
    pub(super) low: Edge,
    pub(super) next: u32,
}

/// The nodes of one variable, by their children.
pub(super) struct Table {
    buckets: Vec<u32>,
    pub(super) count: usize,
}

impl Table {
    pub(super) fn new() -> Table {
        Table {
            buckets: vec![NONE; 8],
            count: 0,
        }
    }

    fn bucket(&self, high: Edge, low: Edge) -> usize {
        let mixed =
            (u64::from(high.0) << 32 | u64::from(low.0)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        (mixed >> 32) as usize & (self.buckets.len() - 1)
    }

    /// The node with these children.
    pub(super) fn find(&self, nodes: &[Node], high: Edge, low: Edge) -> Option<usize> {
        let mut at = self.buckets[self.bucket(high, low)];
        while at != NONE {
            let node = &nodes[at as usize];
            if node.high == high && node.low == low {
                return Some(at as usize);
            }
            at = node.next;
        }
        None
    }

    /// Adds a node that is not there.
    pub(super) fn insert(&mut self, nodes: &mut [Node], node: usize) {
        if self.count >= self.buckets.len() {
            self.grow(nodes);
        }
        let bucket = self.bucket(nodes[node].high, nodes[node].low);
        nodes[node].next = self.buckets[bucket];
        self.buckets[bucket] = node as u32;
        self.count += 1;
    }

    /// Takes a node out.
    pub(super) fn remove(&mut self, nodes: &mut [Node], node: usize) {
        let bucket = self.bucket(nodes[node].high, nodes[node].low);
        let next = nodes[node].next;
        let mut at = self.buckets[bucket] as usize;
        if at == node {
            self.buckets[bucket] = next;
        } else {
            while nodes[at].next as usize != node {
                at = nodes[at].next as usize;
            }
            nodes[at].next = next;
        }
        self.count -= 1;
    }

    /// All nodes, appended to a list.
    pub(super) fn list(&self, nodes: &[Node], into: &mut Vec<u32>) {
        for &first in &self.buckets {
            let mut at = first;
            while at != NONE {
                into.push(at);
                at = nodes[at as usize].next;
            }
        }
    }

    /// Forgets all nodes, and makes room for as many as will come.
    pub(super) fn clear(&mut self, coming: usize) {
        let buckets = coming.next_power_of_two().max(8);
        self.buckets.clear();
        self.buckets.resize(buckets, NONE);
        self.count = 0;
    }

    fn grow(&mut self, nodes: &mut [Node]) {
        let mut all = Vec::with_capacity(self.count);
        self.list(nodes, &mut all);
        self.buckets = vec![NONE; self.buckets.len() * 2];
        self.count = 0;
        for node in all {
            self.insert(nodes, node as usize);
        }
    }

    pub(super) fn bytes(&self) -> usize {
        self.buckets.len() * size_of::<u32>()
    }
}
