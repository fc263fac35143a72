//! Contraction: elimination where hardly any two transitions lead to the same state.
//!
//! A search finds each state by one transition, from a state with a lower number as a rule. Where
//! only that transition leads to a state, the state lies on a cycle only if the one before it does.
//! In a component of the automaton with one state, such states are one node with what they come
//! from, down to the last *join*: a state to which other transitions lead. One sweep through the
//! states in the order of their numbers finds the joins that they come from, and joins are
//! [eliminated](crate::trim) as nodes are there. Where there are few of them, that takes a fraction
//! of the time, since memory is gone through in order.

use model::{Budget, UnknownReason};

use crate::graph::{Joins, Pace, blocks};
use crate::trim::Restricted;

/// Of so many states one at most may be a join,
const FEW: u32 = 4;
/// and so many transitions at most may lead to each, on average.
const MEETING: u32 = 2;
/// Bytes for each state, at most.
pub(crate) const BYTES: usize = 18;
/// States between two looks at the budget.
const PULSE: u32 = 1 << 16;
/// The number of what lies on no cycle; joins count from one.
const GONE: u32 = 0;

/// What a sweep finds out.
struct Sweep {
    /// For each state the number of the join that it comes from.
    origins: Vec<u32>,
    /// How many joins there are, and what is gone.
    nodes: u32,
    /// From joins to states that are joins; in the end, to joins.
    edges: Vec<(u32, u32)>,
}

/// What has been contracted.
pub(crate) struct Contracted {
    sweep: Sweep,
    /// For each join whether it lies on no cycle, nor behind one.
    gone: Vec<bool>,
}

impl Contracted {
    /// Whether a state lies on no cycle, nor behind one.
    pub(crate) fn is_gone(&self, row: u32) -> bool {
        self.gone[self.sweep.origins[row as usize] as usize]
    }

    /// Whether all states do.
    pub(crate) fn are_all_gone(&self) -> bool {
        !self.gone.contains(&false)
    }
}

/// Finds out what lies on no cycle of a component with one state of the automaton; nothing if
/// there are many joins.
///
/// # Errors
/// If the budget is used up.
pub(crate) fn contract(
    restricted: &Restricted<'_>,
    budget: &Budget,
) -> Result<Option<Contracted>, UnknownReason> {
    let rows = restricted.rows;
    let &[state] = &*restricted.part.states else {
        return Ok(None);
    };
    let joins = restricted.graph.joins(rows);
    if joins.len() > rows / FEW {
        return Ok(None);
    }
    let sweep = sweep(restricted, state, &joins, budget)?;
    Ok(sweep.map(|mut sweep| Contracted {
        gone: eliminate(&mut sweep),
        sweep,
    }))
}

/// Goes through all states; gives up where many transitions lead from joins to joins.
fn sweep(
    restricted: &Restricted<'_>,
    state: u32,
    joins: &Joins,
    budget: &Budget,
) -> Result<Option<Sweep>, UnknownReason> {
    let rows = restricted.rows;
    let most = (rows / FEW * MEETING) as usize;
    let leads: Vec<bool> = restricted
        .classes()
        .map(|edges| !edges.is_empty())
        .collect();
    let mut pace = Pace::new(restricted.graph);
    let mut origins = vec![GONE; rows as usize];
    let mut nodes = GONE + 1;
    let mut edges = Vec::new();
    for block in blocks(restricted.from..rows) {
        if block.start.is_multiple_of(PULSE) {
            if let Some(reason) = budget.exhausted(0) {
                return Err(reason);
            }
            if edges.len() > most {
                return Ok(None);
            }
        }
        for (row, head) in pace.followed(block, state) {
            let origin = &mut origins[row as usize];
            let is_join = joins.has(row);
            if *origin == GONE && !is_join {
                continue;
            }
            let Some(head) = head else {
                *origin = GONE;
                continue;
            };
            if is_join {
                *origin = nodes;
                nodes += 1;
            }
            let origin = *origin;
            pace.each_of(head, |transition| {
                if !leads[transition.class as usize] {
                    return;
                }
                if joins.has(transition.to) {
                    edges.push((origin, transition.to));
                } else {
                    origins[transition.to as usize] = origin;
                }
            });
        }
    }
    Ok(Some(Sweep {
        origins,
        nodes,
        edges,
    }))
}

/// For each join whether it lies on no cycle, nor behind one.
fn eliminate(sweep: &mut Sweep) -> Vec<bool> {
    let Sweep {
        origins,
        nodes,
        edges,
    } = sweep;
    let nodes = *nodes as usize;
    // Where the edges from each join begin, and how many lead to it.
    let mut begins = vec![0u32; nodes + 1];
    let mut counts = vec![0u32; nodes];
    for (from, to) in &mut *edges {
        *to = origins[*to as usize];
        begins[*from as usize + 1] += 1;
        counts[*to as usize] += 1;
    }
    for node in 0..nodes {
        begins[node + 1] += begins[node];
    }
    let mut places = begins.clone();
    let mut targets = vec![GONE; edges.len()];
    for &mut (from, to) in edges {
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
