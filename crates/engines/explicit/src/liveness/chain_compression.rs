//! Contraction: elimination where hardly any two transitions lead to the same state.
//!
//! A search finds each state by one transition, from a state with a lower number as a rule. Where
//! only that transition leads to a state, the state lies on a cycle only if the one before it does.
//! In a component of the automaton with one state, such states are one node with what they come
//! from, down to the last *join*: a state to which other transitions lead. One sweep through the
//! states in the order of their numbers finds the joins that they come from, and joins are
//! [eliminated](crate::liveness::owcty) as nodes are there. Where there are few of them, that takes a fraction
//! of the time, since memory is gone through in order.
//!
//! Threads sweep through sections of the states side by side. A state that comes from one of an
//! earlier section is an *open end*: a node of its own until all sections are done, when it is said
//! which join the one before it comes from.

use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use model::{Budget, UnknownReason};

use crate::liveness::owcty::Restricted;
use crate::liveness::product_graph::{Joins, Pace, blocks};
use crate::search::crew::{lock, together};

/// Of so many states one at most may be a join,
const FEW: u32 = 4;
/// and so many transitions at most may lead to each, on average.
const MEETING: u32 = 2;
/// Bytes for each state, at most.
pub(crate) const BYTES: usize = 26;
/// States between two looks at the budget.
const PULSE: u32 = 1 << 16;
/// States of a section at least.
const LEAST: u32 = if cfg!(test) { 64 } else { 1 << 15 };
/// The number of what lies on no cycle; nodes count from one.
const GONE: u32 = 0;
/// A join that has no number yet.
const JOIN: u32 = u32::MAX;

/// What a sweep through a section of the states finds out.
struct Section {
    rows: Range<u32>,
    /// For each of its states the number of the node that it is part of.
    origins: Vec<u32>,
    /// For each node the number that it has among those of all sections; before that is known, [`GONE`]
    /// for open ends and [`JOIN`] for joins.
    nodes: Vec<u32>,
    /// From nodes to states that are joins.
    edges: Vec<(u32, u32)>,
    /// From nodes to other states, in later sections.
    leads_on: Vec<(u32, u32)>,
}

/// What all of them have found out.
struct Sweep {
    /// They follow each other.
    sections: Vec<Section>,
    /// How many joins there are, and what is gone.
    nodes: u32,
}

impl Sweep {
    /// The node that a state is part of.
    fn node(&self, row: u32) -> u32 {
        let mut sections = self.sections.iter();
        let section = sections.find(|section| row < section.rows.end);
        section
            .filter(|section| section.rows.start <= row)
            .map_or(GONE, |section| section.node(row))
    }
}

impl Section {
    fn new(rows: Range<u32>) -> Section {
        Section {
            origins: vec![GONE; rows.len()],
            rows,
            nodes: vec![GONE],
            edges: Vec::new(),
            leads_on: Vec::new(),
        }
    }

    fn origin(&mut self, row: u32) -> &mut u32 {
        &mut self.origins[(row - self.rows.start) as usize]
    }

    /// The node that a state of it is part of, by its number among all.
    fn node(&self, row: u32) -> u32 {
        self.nodes[self.origins[(row - self.rows.start) as usize] as usize]
    }
}

/// What has been contracted.
pub(crate) struct CompressedChains {
    sweep: Sweep,
    /// For each join whether it lies on no cycle, nor behind one.
    gone: Vec<bool>,
}

impl CompressedChains {
    /// Whether a state lies on no cycle, nor behind one.
    pub(crate) fn is_gone(&self, row: u32) -> bool {
        self.gone[self.sweep.node(row) as usize]
    }

    /// Whether all states do.
    pub(crate) fn are_all_gone(&self) -> bool {
        !self.gone.contains(&false)
    }
}

/// Finds out what lies on no cycle of a component with one state of the automaton, on so many
/// threads; nothing if there are many joins.
///
/// # Errors
/// If the budget is used up.
pub(crate) fn contract(
    restricted: &Restricted<'_>,
    jobs: usize,
    budget: &Budget,
) -> Result<Option<CompressedChains>, UnknownReason> {
    let rows = restricted.rows;
    let &[state] = &*restricted.part.states else {
        return Ok(None);
    };
    let joins = restricted.graph.joins(rows, jobs);
    if joins.len() > rows / FEW {
        return Ok(None);
    }
    let what = (restricted, state, &joins);
    let mut sections = sweep_sections(what, jobs, budget);
    if jobs > 1 && matches!(sections, Err(Halt::Many)) {
        // On one thread nothing has an open end.
        sections = sweep_sections(what, 1, budget);
    }
    match sections {
        Ok(sections) => {
            let (sweep, edges) = connect(sections);
            let gone = eliminate(sweep.nodes as usize, &edges);
            Ok(Some(CompressedChains { sweep, gone }))
        }
        Err(Halt::Many) => Ok(None),
        Err(Halt::Stop(reason)) => Err(reason),
    }
}

/// Why a sweep was broken off.
enum Halt {
    Stop(UnknownReason),
    /// Many transitions lead from joins to joins, or to open ends.
    Many,
}

/// Goes through all states, on so many threads.
fn sweep_sections(
    what: (&Restricted<'_>, u32, &Joins),
    jobs: usize,
    budget: &Budget,
) -> Result<Vec<Section>, Halt> {
    let Restricted { from, rows, .. } = *what.0;
    let sections: Vec<Mutex<Section>> = sections(from..rows, jobs)
        .map(|rows| Mutex::new(Section::new(rows)))
        .collect();
    let most = (rows / FEW * MEETING) as usize / sections.len().max(1);
    let halted = Mutex::new(None);
    together(sections.len(), |number| {
        let Some(section) = sections.get(number) else {
            return;
        };
        if let Err(halt) = sweep(&mut lock(section), what, (most, budget)) {
            lock(&halted).get_or_insert(halt);
        }
    });
    let halted = lock(&halted).take();
    match halted {
        Some(halt) => Err(halt),
        None => Ok(sections.into_iter().map(unlocked).collect()),
    }
}

fn unlocked<T>(mutex: Mutex<T>) -> T {
    mutex.into_inner().unwrap_or_else(PoisonError::into_inner)
}

/// Parts of states for so many threads, large enough to be worth it.
fn sections(rows: Range<u32>, jobs: usize) -> impl Iterator<Item = Range<u32>> {
    let jobs = u32::try_from(jobs).unwrap_or(u32::MAX).max(1);
    let share = (rows.end.saturating_sub(rows.start)).div_ceil(jobs);
    let length = share.max(LEAST).next_multiple_of(64);
    let starts = rows.clone().step_by(length as usize);
    starts.map(move |start| start..start.saturating_add(length).min(rows.end))
}

/// Goes through the states of a section.
fn sweep(
    section: &mut Section,
    (restricted, state, joins): (&Restricted<'_>, u32, &Joins),
    (most, budget): (usize, &Budget),
) -> Result<(), Halt> {
    let leads: Vec<bool> = restricted
        .classes()
        .map(|edges| !edges.is_empty())
        .collect();
    let Section {
        rows,
        origins,
        nodes,
        edges,
        leads_on,
    } = section;
    let (start, end) = (rows.start, rows.end);
    let origins = origins.as_mut_slice();
    let is_first = start == restricted.from;
    let mut pace = Pace::new(restricted.graph);
    let mut next_look = start;
    for block in blocks(start..end) {
        if block.start >= next_look {
            next_look = block.start.saturating_add(PULSE);
            if let Some(reason) = budget.exhausted(0) {
                return Err(Halt::Stop(reason));
            }
            if edges.len().max(leads_on.len()).max(nodes.len()) > most {
                return Err(Halt::Many);
            }
        }
        for (row, head) in pace.followed(block, state) {
            let is_join = joins.has(row);
            let origin = &mut origins[(row - start) as usize];
            let is_open = *origin == GONE && !is_join;
            if is_open && is_first {
                continue;
            }
            let Some(head) = head else {
                *origin = GONE;
                continue;
            };
            if is_join || is_open {
                *origin = u32::try_from(nodes.len()).expect("nodes are fewer than states");
                nodes.push(if is_join { JOIN } else { GONE });
            }
            let origin = *origin;
            pace.each_of(head, |transition| {
                if !leads[transition.class as usize] {
                    return;
                }
                let to = transition.to;
                if joins.has(to) {
                    edges.push((origin, to));
                } else if to < end {
                    origins[(to - start) as usize] = origin;
                } else {
                    leads_on.push((origin, to));
                }
            });
        }
    }
    Ok(())
}

/// Numbers the joins of all sections, and finds out which of them open ends come from; gives the
/// edges between joins, too, and from and to what is gone.
fn connect(mut sections: Vec<Section>) -> (Sweep, Vec<Vec<(u32, u32)>>) {
    let mut nodes = GONE + 1;
    for number in 0..sections.len() {
        // Those of earlier sections have told where its open ends come from.
        let (done, later) = sections.split_at_mut(number + 1);
        let section = &mut done[number];
        for node in section.nodes.iter_mut().filter(|node| **node == JOIN) {
            *node = nodes;
            nodes += 1;
        }
        for (from, to) in std::mem::take(&mut section.leads_on) {
            let next = later.iter_mut().find(|next| to < next.rows.end);
            let next = next.expect("every state from the first section on is in one");
            let origin = *next.origin(to);
            if origin != GONE {
                next.nodes[origin as usize] = section.nodes[from as usize];
            }
        }
    }
    let edges = sections
        .iter_mut()
        .map(|section| std::mem::take(&mut section.edges));
    let edges: Vec<Mutex<Vec<(u32, u32)>>> = edges.map(Mutex::new).collect();
    let sweep = Sweep { sections, nodes };
    together(edges.len(), |number| {
        let Some(section) = sweep.sections.get(number) else {
            return;
        };
        for (from, to) in &mut *lock(&edges[number]) {
            *from = section.nodes[*from as usize];
            *to = sweep.node(*to);
        }
    });
    (sweep, edges.into_iter().map(unlocked).collect())
}

/// For each join whether it lies on no cycle, nor behind one.
fn eliminate(nodes: usize, edges: &[Vec<(u32, u32)>]) -> Vec<bool> {
    // From what is gone, nothing counts.
    let edges = || edges.iter().flatten().filter(|(from, _)| *from != GONE);
    // Where the edges from each join begin, and how many lead to it.
    let mut begins = vec![0u32; nodes + 1];
    let mut counts = vec![0u32; nodes];
    for &(from, to) in edges() {
        begins[from as usize + 1] += 1;
        counts[to as usize] += 1;
    }
    for node in 0..nodes {
        begins[node + 1] += begins[node];
    }
    let mut places = begins.clone();
    let mut targets = vec![GONE; begins[nodes] as usize];
    for &(from, to) in edges() {
        let place = &mut places[from as usize];
        targets[*place as usize] = to;
        *place += 1;
    }
    let mut gone: Vec<bool> = counts.iter().map(|&count| count == 0).collect();
    // Edges may lead to what is gone, but that counts for nothing.
    counts[GONE as usize] = u32::MAX;
    gone[GONE as usize] = true;
    let mut waiting: Vec<usize> = (1..nodes).filter(|&node| gone[node]).collect();
    while let Some(node) = waiting.pop() {
        for &to in &targets[begins[node] as usize..begins[node + 1] as usize] {
            let to = to as usize;
            counts[to] -= 1;
            if counts[to] == 0 {
                gone[to] = true;
                waiting.push(to);
            }
        }
    }
    gone
}
