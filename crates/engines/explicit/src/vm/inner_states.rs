//! Inner states of one macro step that goes on in several ways.
//!
//! They are put aside as snapshots and run in the order in which they were found; those seen
//! before are not run again. When all is done, an inner state from which no end of the macro step
//! can be reached is one from which it never returns.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use crate::ir::instruction::Pc;
use crate::store::hash::hash_signed;

/// No inner state: the beginning of the macro step.
pub(crate) const ROOT: u32 = u32::MAX;

#[derive(Clone, Copy, Debug)]
struct Node {
    pc: Pc,
    start: usize,
    end: usize,
    log: u32,
    /// How many loop heads there were before it, when it was found.
    micro: u64,
    /// Whether the macro step ends in a run without further choices from here.
    ends: bool,
    /// The log where the first move that begins after this state begins.
    boundary: Option<u32>,
}

/// Keys are hashes already.
#[derive(Clone, Copy, Default, Debug)]
struct Hashed(u64);

impl Hasher for Hashed {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, _: &[u8]) {
        unreachable!("keys are single words")
    }

    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }
}

/// The inner states.
#[derive(Clone, Debug)]
pub(crate) struct Inner {
    pool: Vec<i64>,
    nodes: Vec<Node>,
    known: HashMap<u64, u32, BuildHasherDefault<Hashed>>,
    edges: Vec<(u32, u32)>,
    next: usize,
    /// The inner state that is being run.
    pub(crate) current: u32,
    /// Whether some state was reached twice: only then can there be a cycle.
    met_again: bool,
}

impl Default for Inner {
    fn default() -> Self {
        Inner {
            pool: Vec::new(),
            nodes: Vec::new(),
            known: HashMap::default(),
            edges: Vec::new(),
            next: 0,
            current: ROOT,
            met_again: false,
        }
    }
}

impl Inner {
    pub(crate) fn is_used(&self) -> bool {
        !self.nodes.is_empty()
    }

    pub(crate) fn clear(&mut self) {
        self.pool.clear();
        self.nodes.clear();
        self.known.clear();
        self.edges.clear();
        self.next = 0;
        self.current = ROOT;
        self.met_again = false;
    }

    /// How many inner states there are.
    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Where a snapshot is to be appended.
    pub(crate) fn pool(&mut self) -> &mut Vec<i64> {
        &mut self.pool
    }

    /// Adds the snapshot at the end of the pool.
    pub(crate) fn add(&mut self, pc: Pc, start: usize, log: u32, micro: u64) {
        let snapshot = &self.pool[start..];
        let mut hash = hash_signed(snapshot, pc.into());
        let number = u32::try_from(self.nodes.len()).expect("fewer than 2^32 inner states");
        let found = loop {
            match self.known.get(&hash) {
                None => {
                    self.known.insert(hash, number);
                    break number;
                }
                Some(&other) => {
                    let node = self.nodes[other as usize];
                    if node.pc == pc && self.pool[node.start..node.end] == self.pool[start..] {
                        break other;
                    }
                    hash = hash.wrapping_add(1);
                }
            }
        };
        if found == number {
            let end = self.pool.len();
            self.nodes.push(Node {
                pc,
                start,
                end,
                log,
                micro,
                ends: false,
                boundary: None,
            });
        } else {
            self.pool.truncate(start);
            self.met_again = true;
        }
        if self.current != ROOT {
            self.edges.push((self.current, found));
        }
    }

    /// The next one to run: its code, its snapshot, its log, its loop heads.
    pub(crate) fn take(&mut self) -> Option<(Pc, std::ops::Range<usize>, u32, u64)> {
        let node = *self.nodes.get(self.next)?;
        self.current = u32::try_from(self.next).expect("fewer than 2^32 inner states");
        self.next += 1;
        Some((node.pc, node.start..node.end, node.log, node.micro))
    }

    pub(crate) fn snapshot(&self, range: std::ops::Range<usize>) -> &[i64] {
        &self.pool[range]
    }

    /// The macro step ends from the current one on, or an assumption removes the run.
    pub(crate) fn ends(&mut self) {
        if let Some(node) = self.nodes.get_mut(self.current as usize) {
            node.ends = true;
        }
    }

    /// None of those that have not been run will be: where they end is not known.
    pub(crate) fn leave_the_rest(&mut self) {
        for node in &mut self.nodes[self.next..] {
            node.ends = true;
        }
        self.next = self.nodes.len();
    }

    pub(crate) fn at_boundary(&mut self, boundary: Option<u32>) {
        if let Some(node) = self.nodes.get_mut(self.current as usize) {
            node.boundary = node.boundary.or(boundary);
        }
    }

    /// An inner state from which no end can be reached: the log up to the end of a move there.
    /// For inner states that stop without an end, that has been reported before.
    pub(crate) fn without_end(&self) -> Option<u32> {
        if !self.met_again {
            return None;
        }
        let mut before: Vec<Vec<u32>> = vec![Vec::new(); self.nodes.len()];
        for &(from, to) in &self.edges {
            before[to as usize].push(from);
        }
        let mut ends: Vec<bool> = self.nodes.iter().map(|node| node.ends).collect();
        let mut waiting: Vec<usize> = (0..ends.len()).filter(|&n| ends[n]).collect();
        while let Some(node) = waiting.pop() {
            for &from in &before[node] {
                if !std::mem::replace(&mut ends[from as usize], true) {
                    waiting.push(from as usize);
                }
            }
        }
        let mut at = ends.iter().position(|ends| !ends)?;
        // Inside a move, go on to its end; all that follows has no end either.
        for _ in 0..=self.nodes.len() {
            if let Some(boundary) = self.nodes[at].boundary {
                return Some(boundary);
            }
            match self.edges.iter().find(|(from, _)| *from as usize == at) {
                Some(&(_, to)) => at = to as usize,
                None => break,
            }
        }
        Some(self.nodes[at].log)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Adds an inner state that consists of one number.
    fn add(inner: &mut Inner, state: i64) {
        let start = inner.pool().len();
        inner.pool().push(state);
        inner.add(0, start, 0, 0);
    }

    #[test]
    fn a_cycle_without_a_way_out_is_found_and_one_with_a_way_out_is_none() {
        for leaves in [false, true] {
            let mut inner = Inner::default();
            add(&mut inner, 1);
            add(&mut inner, 2);
            assert!(inner.take().is_some());
            inner.ends();
            assert!(inner.take().is_some());
            add(&mut inner, 3);
            assert!(inner.take().is_some());
            add(&mut inner, 2);
            if leaves {
                inner.ends();
            }
            assert!(inner.take().is_none(), "what was seen is not run again");
            assert_eq!(inner.len(), 3);
            assert_eq!(inner.without_end().is_some(), !leaves);
        }
    }
}
