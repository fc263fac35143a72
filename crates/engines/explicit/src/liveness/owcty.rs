//! Elimination: what lies on no cycle goes.
//!
//! An accepted run stays, in the end, in one strongly connected component of the automaton. Of the
//! product restricted to such a component, nodes that no other leads to are taken away, one after
//! the other, until there are none (Kahn 1962; Černá and Pelánek, *Distributed explicit fair cycle
//! detection*, SPIN 2003). What is left is not empty iff there is a cycle; where every cycle
//! of the component accepts and nothing is to be fair, that is the answer, and otherwise there is
//! less to search. Threads share the states out among them, and [tell](crate::search::partition_queue)
//! each other of edges from one's to another's.

use std::ops::Range;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use model::{Budget, UnknownReason};

use crate::liveness::automaton_labels::{Class, Marks};
use crate::liveness::chain_compression::{self, CompressedChains, contract};
use crate::liveness::product_graph::{Graph, Pace, Transition};
use crate::search::crew::{lock, together};
use crate::search::partition_queue::{PartitionQueues, QueueEnds};
use crate::{Options, Technique};

/// States that a thread takes at a time.
const BLOCK: u32 = 1 << 12;
/// A count that is not kept any further: the node stays.
const MANY: u8 = u8::MAX;
/// Nodes that are followed together.
const TOGETHER: usize = 32;

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
    pub(crate) from: u32,
    /// and how many there are.
    pub(crate) rows: u32,
}

impl<'g> Restricted<'g> {
    /// Everything that has been followed, from a state on. Nothing is left of it before it is
    /// [trimmed](Restricted::trim).
    pub(crate) fn new(graph: &'g Graph, classes: &[Arc<Class>], part: &'g Part, from: u32) -> Self {
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
        Restricted {
            graph,
            part,
            inside,
            left: Vec::new(),
            from,
            rows: graph.store.end(),
        }
    }

    /// All that has been followed is left.
    pub(crate) fn fill(&mut self, jobs: usize) {
        let width = self.graph.width;
        let left = &mut self.left;
        left.resize_with(self.rows as usize * width, AtomicU8::default);
        let from = self.from.min(self.rows);
        let rest = &left[from as usize * width..];
        let share = (rest.len() / width).div_ceil(jobs.max(1)).max(1);
        together(jobs, |number| {
            let Some(mine) = rest.chunks(share * width).nth(number) else {
                return;
            };
            #[expect(clippy::cast_possible_truncation, reason = "fewer than all states")]
            let [first, end] =
                [0, mine.len() / width].map(|row| from + (number * share + row) as u32);
            let mut cells = mine.iter().zip(self.part.set.iter().cycle());
            self.graph.all_followed(first..end, |followed| {
                if let Some((cell, inside)) = cells.next() {
                    cell.store(followed & inside, Ordering::Relaxed);
                }
            });
        });
    }

    /// Bytes that the elimination and a search among what it leaves take.
    pub(crate) fn bytes(graph: &Graph, part: &Part) -> u64 {
        let each = match part.states.len() {
            1 => chain_compression::BYTES,
            places => 5 * places,
        };
        u64::from(graph.store.end()) * (graph.width + each) as u64
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

    /// For each class the edges inside from the first state of the part.
    pub(crate) fn classes(&self) -> impl Iterator<Item = &[Inside]> {
        let classes = self.inside.chunks(self.part.states.len());
        classes.map(|places| &*places[0])
    }

    /// Whether a node is left.
    #[inline]
    pub(crate) fn is_left(&self, row: u32, place: u32) -> bool {
        let (byte, bit) = self.bit(row, place);
        self.left[byte].load(Ordering::Relaxed) & bit != 0
    }

    #[inline]
    fn bit(&self, row: u32, place: u32) -> (usize, u8) {
        let state = self.part.states[place as usize];
        let byte = row as usize * self.graph.width + state as usize / 8;
        (byte, 1 << (state % 8))
    }

    /// Takes a node away; says whether it was there. One thread only may do that for a state.
    #[inline]
    fn take(&self, row: u32, place: u32) -> bool {
        let (byte, bit) = self.bit(row, place);
        let cell = &self.left[byte];
        let before = cell.load(Ordering::Relaxed);
        cell.store(before & !bit, Ordering::Relaxed);
        before & bit != 0
    }

    /// The places left at a state.
    #[inline]
    pub(crate) fn places(&self, row: u32) -> impl Iterator<Item = u32> + '_ {
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
            Some(self.part.places[state].expect("only states of the part are left"))
        })
    }

    /// Takes away what lies on no cycle; says whether something is left.
    pub(crate) fn trim(
        &mut self,
        options: &Options,
        budget: &Budget,
    ) -> Result<bool, UnknownReason> {
        let jobs = options.jobs;
        let contracted = match options.tuning.has(Technique::ChainCompression) {
            true => contract(self, jobs, budget)?,
            false => None,
        };
        if contracted
            .as_ref()
            .is_some_and(CompressedChains::are_all_gone)
        {
            return Ok(false);
        }
        self.fill(jobs);
        if let Some(contracted) = contracted {
            let gone = (self.from..self.rows).filter(|&row| contracted.is_gone(row));
            gone.for_each(|row| _ = self.take(row, 0));
            return Ok(true);
        }
        let mut counts = Vec::new();
        let nodes = self.nodes();
        let reserved = counts.try_reserve_exact(nodes);
        reserved.map_err(|_| UnknownReason::Memory)?;
        counts.resize_with(nodes, AtomicU8::default);
        let jobs = if self.rows < 4 * BLOCK { 1 } else { jobs };
        let trimming = Elimination {
            restricted: &*self,
            counts,
            left: AtomicU64::new(0),
            stop: Mutex::new(None),
            budget,
            jobs,
        };
        let queues = PartitionQueues::new(jobs);
        together(jobs, |number| {
            trimming.count(number, &mut queues.ends_of_queues(number));
        });
        let queues = PartitionQueues::new(jobs);
        together(jobs, |number| {
            trimming.eliminate(number, &mut queues.ends_of_queues(number));
        });
        if let Some(reason) = lock(&trimming.stop).take() {
            return Err(reason);
        }
        Ok(trimming.left.load(Ordering::Relaxed) > 0)
    }
}

/// A node: a state (of the program), and a place.
type Node = (u32, u32);

/// An elimination. Each thread owns every so manieth block of states: their counts, and whether
/// they are left, are changed by nobody else.
struct Elimination<'r, 'g> {
    restricted: &'r Restricted<'g>,
    /// For each node, how many edges lead to it from what is left.
    counts: Vec<AtomicU8>,
    /// Nodes counted less those taken away.
    left: AtomicU64,
    stop: Mutex<Option<UnknownReason>>,
    budget: &'r Budget,
    jobs: usize,
}

impl Elimination<'_, '_> {
    /// The blocks that a thread owns, in order, as long as the budget lasts.
    fn blocks(&self, number: usize) -> impl Iterator<Item = Range<u32>> + '_ {
        let rows = self.restricted.rows;
        let blocks = (self.restricted.from / BLOCK..rows.div_ceil(BLOCK))
            .filter(move |&block| self.owner(block * BLOCK) == number);
        let lasts = |_: &u32| match self.budget.exhausted(0) {
            Some(reason) => {
                lock(&self.stop).get_or_insert(reason);
                false
            }
            None => true,
        };
        let range =
            move |block: u32| block * BLOCK..(block * BLOCK).saturating_add(BLOCK).min(rows);
        blocks.take_while(lasts).map(range)
    }

    /// The thread that owns a state.
    #[inline]
    fn owner(&self, row: u32) -> usize {
        if self.jobs == 1 {
            0
        } else {
            (row / BLOCK) as usize % self.jobs
        }
    }

    #[inline]
    fn count_of(&self, row: u32, place: u32) -> &AtomicU8 {
        let places = self.restricted.part.states.len();
        &self.counts[row as usize * places + place as usize]
    }

    /// One edge less leads to a node; says whether it was the last.
    #[inline]
    fn one_less(&self, (row, place): Node) -> bool {
        let count = self.count_of(row, place);
        let before = count.load(Ordering::Relaxed);
        if before != MANY {
            count.store(before - 1, Ordering::Relaxed);
        }
        before == 1
    }

    /// Goes along the edges of a node that lie inside.
    #[inline]
    fn along(&self, pace: &mut Pace<'_>, (row, place): Node, mut each: impl FnMut(u32, u32)) {
        let restricted = self.restricted;
        pace.each(row, |Transition { to, class }| {
            for edge in restricted.inside(class, place as usize) {
                each(to, edge.place);
            }
        });
    }

    /// Counts the edges that lead to each node.
    fn count(&self, number: usize, ends_of_queues: &mut QueueEnds<'_, Node>) {
        let mut nodes = 0;
        let mut pace = Pace::new(self.restricted.graph);
        let one_more = |(row, place): Node| {
            let count = self.count_of(row, place);
            // Many stay many.
            let before = count.load(Ordering::Relaxed);
            count.store(before.saturating_add(1), Ordering::Relaxed);
        };
        for rows in self.blocks(number) {
            for row in rows {
                for place in self.restricted.places(row) {
                    nodes += 1;
                    self.along(&mut pace, (row, place), |to, place| match self.owner(to) {
                        owner if owner == number => one_more((to, place)),
                        other => ends_of_queues.write(other, (to, place)),
                    });
                }
            }
            while let Some(letter) = ends_of_queues.receive() {
                letter.into_iter().for_each(one_more);
                ends_of_queues.dealt();
            }
        }
        self.left.fetch_add(nodes, Ordering::Relaxed);
        ends_of_queues.dealt();
        while !ends_of_queues.is_over() {
            match ends_of_queues.receive() {
                Some(letter) => {
                    letter.into_iter().for_each(one_more);
                    ends_of_queues.dealt();
                }
                None => std::thread::yield_now(),
            }
        }
    }

    /// Takes nodes away.
    fn eliminate(&self, number: usize, ends_of_queues: &mut QueueEnds<'_, Node>) {
        let mut hand = GraphWorker {
            trimming: self,
            number,
            ahead: 0,
            waiting: Vec::new(),
            taken: 0,
            pace: Pace::new(self.restricted.graph),
        };
        for rows in self.blocks(number) {
            hand.ahead = rows.end;
            for row in rows {
                for place in self.restricted.places(row) {
                    if self.count_of(row, place).load(Ordering::Relaxed) == 0 {
                        hand.take((row, place));
                    }
                }
            }
            hand.follow(ends_of_queues);
            while let Some(letter) = ends_of_queues.receive() {
                hand.read(letter, ends_of_queues);
            }
        }
        hand.ahead = u32::MAX;
        ends_of_queues.dealt();
        while !ends_of_queues.is_over() {
            match ends_of_queues.receive() {
                Some(letter) => hand.read(letter, ends_of_queues),
                None => std::thread::yield_now(),
            }
        }
        self.left.fetch_sub(hand.taken, Ordering::Relaxed);
    }
}

/// A thread that takes nodes away.
struct GraphWorker<'t> {
    trimming: &'t Elimination<'t, 't>,
    number: usize,
    /// What lies in blocks from here on will be looked at there, in order.
    ahead: u32,
    /// Nodes taken away whose edges are to be followed.
    waiting: Vec<Node>,
    taken: u64,
    pace: Pace<'t>,
}

impl GraphWorker<'_> {
    /// Takes away a node of its own.
    #[inline]
    fn take(&mut self, node: Node) {
        if self.trimming.restricted.take(node.0, node.1) {
            self.waiting.push(node);
        }
    }

    /// Deals with what others have come to.
    fn read(&mut self, letter: Vec<Node>, ends_of_queues: &mut QueueEnds<'_, Node>) {
        for node in letter {
            if self.trimming.one_less(node) && node.0 < self.ahead {
                self.take(node);
            }
        }
        self.follow(ends_of_queues);
        ends_of_queues.dealt();
    }

    /// Follows the edges of what has been taken away, over and over.
    fn follow(&mut self, ends_of_queues: &mut QueueEnds<'_, Node>) {
        let GraphWorker {
            trimming,
            number,
            ahead,
            waiting,
            taken,
            pace,
        } = self;
        while !waiting.is_empty() {
            // What several of them need is on its way from memory at the same time.
            let now = waiting.len() - waiting.len().min(TOGETHER);
            let mut few = [(0, 0); TOGETHER];
            let few = &mut few[..waiting.len() - now];
            few.copy_from_slice(&waiting[now..]);
            waiting.truncate(now);
            few.iter().for_each(|&(row, _)| pace.prefetch_head(row));
            few.iter().for_each(|&(row, _)| pace.prefetch_list(row));
            *taken += few.len() as u64;
            for &node in &*few {
                trimming.along(pace, node, |to, place| {
                    let owner = trimming.owner(to);
                    if owner != *number {
                        ends_of_queues.write(owner, (to, place));
                    } else if trimming.one_less((to, place))
                        && to < *ahead
                        && trimming.restricted.take(to, place)
                    {
                        waiting.push((to, place));
                    }
                });
            }
        }
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
            let to = to.into_iter().map(|to| (to, false));
            let mut pace = Pace::new(&graph);
            let first = pace.keep(&mut run, to, &[]).unwrap();
            pace.set_head(row, first, 0).unwrap();
            pace.mark(row, &[1]).unwrap();
            pace.take(row, &mut Vec::new());
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
                let mut restricted = Restricted {
                    graph: &graph,
                    part: &part,
                    inside: vec![vec![inside]],
                    left: Vec::new(),
                    from: 0,
                    rows,
                };
                let left = restricted.trim(&Options::with_jobs(4), &Budget::default());
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

    /// What lies on no cycle of the nodes that are there, nor behind one, node after node.
    fn eliminated(edges: &[Vec<u32>], is_there: &[bool]) -> Vec<bool> {
        let mut gone: Vec<bool> = is_there.iter().map(|there| !there).collect();
        loop {
            let mut reached = vec![false; edges.len()];
            for (_, to) in edges.iter().enumerate().filter(|(from, _)| !gone[*from]) {
                to.iter().for_each(|&to| reached[to as usize] = true);
            }
            let more = (0..edges.len()).filter(|&node| !gone[node] && !reached[node]);
            let more: Vec<usize> = more.collect();
            if more.is_empty() {
                return gone;
            }
            more.into_iter().for_each(|node| gone[node] = true);
        }
    }

    #[test]
    fn contraction_agrees_with_elimination() {
        const ROWS: u32 = 600;
        let mut seed = 1u64;
        let mut random = |below: u32| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            u32::try_from((seed >> 33) % u64::from(below)).unwrap()
        };
        let part = Part {
            states: vec![0],
            places: vec![Some(0)],
            set: vec![1],
        };
        let (mut contracted, mut acyclic, mut whole) = (0, 0, 0);
        for extra in (0..200).map(|n| n % 100) {
            let from = random(2) * random(50);
            // Each is found from one before it, as a rule; some transitions lead anywhere.
            let mut lists = vec![Vec::new(); ROWS as usize];
            for row in 1..ROWS {
                let parent = row - 1 - random(row.min(40));
                lists[parent as usize].push((row, random(50) != 0));
            }
            for _ in 0..extra {
                let [a, b] = [random(ROWS), random(ROWS)];
                let forwards = random(3) != 0;
                let (a, b) = if forwards {
                    (a.min(b), a.max(b))
                } else {
                    (a, b)
                };
                lists[a as usize].push((b, false));
            }
            let graph = Graph::new(Store::empty(), 1, true, true);
            let (mut run, mut pace) = (0..0, Pace::new(&graph));
            let mut edges = vec![Vec::new(); ROWS as usize];
            let mut is_there = vec![false; ROWS as usize];
            for (row, list) in (0..).zip(&lists) {
                // The second class leads out of the part; some states do not belong to it.
                let class = u32::from(random(20) == 0);
                let first = pace.keep(&mut run, list.clone().into_iter(), &[]).unwrap();
                pace.set_head(row, first, class).unwrap();
                pace.mark(row, &[1]).unwrap();
                if random(30) != 0 {
                    pace.take(row, &mut Vec::new());
                    is_there[row as usize] = row >= from;
                }
                if class == 0 {
                    edges[row as usize] = list.iter().map(|&(to, _)| to).collect();
                }
            }
            let restricted = Restricted {
                graph: &graph,
                part: &part,
                inside: vec![vec![Inside { place: 0, marks: 0 }], Vec::new()],
                left: Vec::new(),
                from,
                rows: ROWS,
            };
            let jobs = 1 + extra % 4;
            let Some(found) = contract(&restricted, jobs, &Budget::default()).unwrap() else {
                continue;
            };
            contracted += 1;
            let expected = eliminated(&edges, &is_there);
            for row in (from..ROWS).filter(|&row| is_there[row as usize]) {
                assert_eq!(found.is_gone(row), expected[row as usize], "{row}");
            }
            assert_eq!(found.are_all_gone(), !expected.contains(&false));
            acyclic += u32::from(found.are_all_gone());
            whole += u32::from(expected.iter().filter(|gone| !**gone).count() > 100);
        }
        assert!(
            contracted > 150 && acyclic > 30 && whole > 20,
            "{contracted} {acyclic} {whole}"
        );
    }
}
