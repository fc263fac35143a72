//! Elimination: what lies on no cycle goes.
//!
//! An accepted run stays, in the end, in one strongly connected component of the automaton. Of the
//! product restricted to such a component, nodes that no other leads to are taken away, one after
//! the other, until there are none (Kahn 1962; Černá and Pelánek, *Distributed explicit fair cycle
//! detection*, SPIN 2003). What is left is not empty iff there is a cycle; where every cycle
//! of the component accepts and nothing is to be fair, that is the answer, and otherwise there is
//! less to search. Threads share the work: whoever takes a node away follows its edges.

use std::sync::atomic::{AtomicU8, AtomicU32, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use model::{Budget, UnknownReason};

use crate::crew::{lock, together};
use crate::graph::{Graph, Pace, Transition};
use crate::letters::{Class, Marks};

/// States that a thread takes at a time.
const BLOCK: u32 = 1 << 12;
/// A count that is not kept any further: the node stays.
const MANY: u8 = u8::MAX;
/// Nodes that are followed together.
const TOGETHER: usize = 32;
/// Nodes to be followed from which on a thread gives some away.
const SHARE: usize = 1 << 10;

/// A component of the automaton.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    /// Its states.
    pub(crate) states: Vec<u32>,
    /// The place of each state of the automaton among them.
    pub(crate) places: Vec<Option<u32>>,
    /// Them as a set.
    pub(crate) set: Vec<u8>,
}

/// An edge inside a part.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Inside {
    /// The place of the state that it leads to.
    pub(crate) place: u32,
    pub(crate) marks: Marks,
}

/// The product restricted to a component of the automaton. A node is the number of a state times
/// the number of places, plus a place.
pub(crate) struct Restricted<'g> {
    pub(crate) graph: &'g Graph,
    pub(crate) part: &'g Part,
    /// For each class, and each place, the edges inside.
    inside: Vec<Vec<Inside>>,
    /// For each state, the automaton's states that are left there.
    left: Vec<AtomicU8>,
    /// The first state (of the program) that may be left,
    from: u32,
    /// and how many there are.
    pub(crate) rows: u32,
}

impl<'g> Restricted<'g> {
    /// Everything that has been followed, from a state on.
    pub(crate) fn new(graph: &'g Graph, classes: &[Arc<Class>], part: &'g Part, from: u32) -> Self {
        let rows = graph.store.end();
        let mut inside = Vec::new();
        for class in classes {
            for &state in &part.states {
                let edges = class.edges[state as usize].iter();
                let edges = edges.filter_map(|edge| {
                    Some(Inside {
                        place: part.places[edge.to as usize]?,
                        marks: edge.marks,
                    })
                });
                inside.push(edges.collect());
            }
        }
        let width = graph.width;
        let mut left = Vec::with_capacity(rows as usize * width);
        let mut set = vec![0; width];
        left.resize_with(from.min(rows) as usize * width, AtomicU8::default);
        for row in from..rows {
            if !graph.followed(row, &mut set) {
                set.fill(0);
            }
            let both = set.iter().zip(&part.set).map(|(a, b)| AtomicU8::new(a & b));
            left.extend(both);
        }
        Restricted {
            graph,
            part,
            inside,
            left,
            from,
            rows,
        }
    }

    /// Bytes that the elimination and a search among what it leaves take.
    pub(crate) fn bytes(graph: &Graph, part: &Part) -> u64 {
        u64::from(graph.store.end()) * (graph.width + 5 * part.states.len()) as u64
    }

    /// How many nodes there may be.
    pub(crate) fn nodes(&self) -> usize {
        self.rows as usize * self.part.states.len()
    }

    /// The edges inside for a class and a place.
    #[inline]
    pub(crate) fn inside(&self, class: u32, place: usize) -> &[Inside] {
        &self.inside[class as usize * self.part.states.len() + place]
    }

    /// Whether a node is left.
    #[inline]
    pub(crate) fn is_left(&self, row: u32, place: usize) -> bool {
        let (byte, bit) = self.bit(row, place);
        self.left[byte].load(Ordering::Relaxed) & bit != 0
    }

    #[inline]
    fn bit(&self, row: u32, place: usize) -> (usize, u8) {
        let state = self.part.states[place];
        let byte = row as usize * self.graph.width + state as usize / 8;
        (byte, 1 << (state % 8))
    }

    /// Takes a node away; says whether it was there.
    #[inline]
    fn take(&self, row: u32, place: usize) -> bool {
        let (byte, bit) = self.bit(row, place);
        let cell = &self.left[byte];
        if self.graph.alone {
            let before = cell.load(Ordering::Relaxed);
            cell.store(before & !bit, Ordering::Relaxed);
            before & bit != 0
        } else {
            cell.fetch_and(!bit, Ordering::AcqRel) & bit != 0
        }
    }

    /// The places left at a state.
    #[inline]
    pub(crate) fn places(&self, row: u32) -> impl Iterator<Item = usize> + '_ {
        let width = self.graph.width;
        let cells = &self.left[row as usize * width..][..width];
        let mut byte = 0;
        let mut bits = cells[0].load(Ordering::Relaxed);
        std::iter::from_fn(move || {
            while bits == 0 {
                byte += 1;
                bits = cells.get(byte)?.load(Ordering::Relaxed);
            }
            let state = byte * 8 + bits.trailing_zeros() as usize;
            bits &= bits - 1;
            Some(self.part.places[state].expect("only states of the part are left") as usize)
        })
    }

    /// Takes away what lies on no cycle; says whether something is left.
    pub(crate) fn trim(&self, jobs: usize, budget: &Budget) -> Result<bool, UnknownReason> {
        let mut counts = Vec::new();
        let nodes = self.nodes();
        let reserved = counts.try_reserve_exact(nodes);
        reserved.map_err(|_| UnknownReason::Memory)?;
        counts.resize_with(nodes, AtomicU8::default);
        let jobs = if self.rows < 4 * BLOCK { 1 } else { jobs };
        let trimming = Trimming {
            restricted: self,
            counts,
            next: AtomicU32::new(self.from),
            given: Mutex::new(Vec::new()),
            hungry: AtomicUsize::new(0),
            left: AtomicU64::new(0),
            stop: Mutex::new(None),
            budget,
            jobs,
        };
        together(jobs, |_| trimming.count());
        trimming.next.store(self.from, Ordering::Relaxed);
        together(jobs, |_| trimming.eliminate());
        if let Some(reason) = lock(&trimming.stop).take() {
            return Err(reason);
        }
        Ok(trimming.left.load(Ordering::Relaxed) > 0)
    }
}

/// An elimination.
struct Trimming<'r, 'g> {
    restricted: &'r Restricted<'g>,
    /// For each node, how many edges lead to it from what is left.
    counts: Vec<AtomicU8>,
    /// The next block.
    next: AtomicU32,
    /// Nodes that somebody gave away.
    given: Mutex<Vec<Vec<(u32, u32)>>>,
    /// Threads that have nothing to do.
    hungry: AtomicUsize,
    /// Nodes counted less those taken away.
    left: AtomicU64,
    stop: Mutex<Option<UnknownReason>>,
    budget: &'r Budget,
    jobs: usize,
}

impl Trimming<'_, '_> {
    /// The next block of states.
    fn block(&self) -> Option<std::ops::Range<u32>> {
        let rows = self.restricted.rows;
        let start = self
            .next
            .fetch_update(Ordering::SeqCst, Ordering::Relaxed, |next| {
                (next < rows).then(|| next.saturating_add(BLOCK))
            })
            .ok()?;
        if let Some(reason) = self.budget.exhausted(0) {
            lock(&self.stop).get_or_insert(reason);
            return None;
        }
        Some(start..start.saturating_add(BLOCK).min(rows))
    }

    /// Goes along the edges of a node that lie inside.
    #[inline]
    fn along(&self, pace: &mut Pace<'_>, row: u32, place: usize, mut each: impl FnMut(u32, usize)) {
        let restricted = self.restricted;
        pace.each(row, |Transition { to, class }| {
            for edge in restricted.inside(class, place) {
                each(to, edge.place as usize);
            }
        });
    }

    /// Counts the edges that lead to each node.
    fn count(&self) {
        let places = self.restricted.part.states.len();
        let alone = self.jobs == 1;
        let mut nodes = 0;
        let mut pace = Pace::new(self.restricted.graph);
        while let Some(rows) = self.block() {
            for row in rows {
                for place in self.restricted.places(row) {
                    nodes += 1;
                    self.along(&mut pace, row, place, |to, place| {
                        let count = &self.counts[to as usize * places + place];
                        if alone {
                            let before = count.load(Ordering::Relaxed);
                            count.store(before.saturating_add(1), Ordering::Relaxed);
                        } else {
                            let more = |count: u8| count.checked_add(1);
                            // Many stay many.
                            let _ = count.fetch_update(Ordering::Relaxed, Ordering::Relaxed, more);
                        }
                    });
                }
            }
        }
        self.left.fetch_add(nodes, Ordering::Relaxed);
    }

    /// Takes nodes away.
    fn eliminate(&self) {
        let restricted = self.restricted;
        let places = restricted.part.states.len();
        let alone = self.jobs == 1;
        let mut waiting: Vec<(u32, u32)> = Vec::new();
        let mut taken = 0u64;
        let mut pace = Pace::new(restricted.graph);
        let mut drain = |waiting: &mut Vec<(u32, u32)>| {
            while !waiting.is_empty() {
                // What several of them need is on its way from memory at the same time.
                let now = waiting.len() - waiting.len().min(TOGETHER);
                let mut few = [(0, 0); TOGETHER];
                let few = &mut few[..waiting.len() - now];
                few.copy_from_slice(&waiting[now..]);
                waiting.truncate(now);
                few.iter().for_each(|&(row, _)| pace.prefetch_head(row));
                few.iter().for_each(|&(row, _)| pace.prefetch_list(row));
                taken += few.len() as u64;
                for &(row, place) in &*few {
                    self.along(&mut pace, row, place as usize, |to, place| {
                        let count = &self.counts[to as usize * places + place];
                        let before = if alone {
                            let before = count.load(Ordering::Relaxed);
                            if before != MANY {
                                count.store(before - 1, Ordering::Relaxed);
                            }
                            before
                        } else {
                            let less = |count: u8| (count != MANY).then(|| count - 1);
                            count
                                .fetch_update(Ordering::SeqCst, Ordering::Relaxed, less)
                                .unwrap_or(MANY)
                        };
                        // What is in a block not handed out yet will be looked at there, in order.
                        let ahead = || to >= self.next.load(Ordering::SeqCst);
                        if before == 1 && !ahead() && restricted.take(to, place) {
                            waiting.push((to, u32::try_from(place).unwrap_or(u32::MAX)));
                        }
                    });
                }
                if waiting.len() > SHARE && self.hungry.load(Ordering::Relaxed) > 0 {
                    // Those found first have the most behind them.
                    let kept = waiting.split_off(waiting.len() / 2);
                    let given = std::mem::replace(waiting, kept);
                    lock(&self.given).push(given);
                }
            }
        };
        while let Some(rows) = self.block() {
            for row in rows {
                for place in restricted.places(row) {
                    let count = &self.counts[row as usize * places + place];
                    if count.load(Ordering::SeqCst) == 0 && restricted.take(row, place) {
                        waiting.push((row, u32::try_from(place).unwrap_or(u32::MAX)));
                    }
                }
            }
            drain(&mut waiting);
        }
        // Help others until nobody has anything to do.
        let mut idle = false;
        loop {
            // Not under the lock: some of it may be given away again.
            let given = lock(&self.given).pop();
            if let Some(mut given) = given {
                if std::mem::take(&mut idle) {
                    self.hungry.fetch_sub(1, Ordering::AcqRel);
                }
                drain(&mut given);
                continue;
            }
            if !std::mem::replace(&mut idle, true) {
                self.hungry.fetch_add(1, Ordering::AcqRel);
            }
            if self.hungry.load(Ordering::Acquire) == self.jobs {
                break;
            }
            std::thread::yield_now();
        }
        self.left.fetch_sub(taken, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::Store;

    /// A broad tree whose root has the last number; its leaves may lead back to it.
    fn tree(rows: u32, back: bool) -> Graph {
        let graph = Graph::new(Store::empty(), 1, true, true);
        let mut run = 0..0;
        for row in 0..rows {
            let node = rows - 1 - row;
            let children = (1..=64).map(|number| 64 * node + number);
            let mut to: Vec<u32> = children
                .filter(|&child| child < rows)
                .map(|child| rows - 1 - child)
                .collect();
            if to.is_empty() && back {
                to.push(rows - 1);
            }
            let first = graph.keep(&mut run, to.into_iter(), &[]).unwrap();
            graph.set_first(row, first).unwrap();
            graph.set_class(row, 0).unwrap();
        }
        graph
    }

    #[test]
    fn threads_share_a_tree_and_come_to_an_end() {
        // Whoever helps another may have more than it can do itself, and gives some away in turn.
        let (tell, told) = std::sync::mpsc::channel();
        std::thread::spawn(move || {
            let rows = 1 << 19;
            let part = Part {
                states: vec![0],
                places: vec![Some(0)],
                set: vec![1],
            };
            for back in [false, true, false, false] {
                let graph = tree(rows, back);
                let inside = Inside { place: 0, marks: 0 };
                let restricted = Restricted {
                    graph: &graph,
                    part: &part,
                    inside: vec![vec![inside]],
                    left: (0..rows).map(|_| AtomicU8::new(1)).collect(),
                    from: 0,
                    rows,
                };
                let left = restricted.trim(4, &Budget::default());
                let kept = (0..rows).filter(|&row| restricted.is_left(row, 0)).count();
                tell.send((left == Ok(back), kept == if back { 1 << 19 } else { 0 }))
                    .unwrap();
            }
        });
        for _ in 0..4 {
            let right = told.recv_timeout(std::time::Duration::from_mins(2));
            assert_eq!(right, Ok((true, true)));
        }
    }
}
