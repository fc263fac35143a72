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

use crate::graph::{Joins, Pace};
use crate::trim::Restricted;

/// Of so many states one at most may be a join.
const FEW: u32 = 4;
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
    /// From joins to states that are joins.
    edges: Vec<(u32, u32)>,
}

/// Takes away what lies on no cycle of a component with one state of the automaton, if there are
/// few joins. Says whether something is left then.
///
/// # Errors
/// If the budget is used up, or there is no memory.
pub(crate) fn contract(
    restricted: &Restricted<'_>,
    budget: &Budget,
) -> Result<Option<bool>, UnknownReason> {
    let rows = restricted.rows;
    if restricted.part.states.len() != 1 {
        return Ok(None);
    }
    let joins = restricted.graph.joins(rows);
    if joins.len() > rows / FEW {
        return Ok(None);
    }
    let Some(sweep) = sweep(restricted, &joins, budget)? else {
        return Ok(None);
    };
    let gone = eliminate(&sweep);
    if !gone.contains(&false) {
        return Ok(Some(false));
    }
    let mut any = false;
    for row in restricted.from..rows {
        if gone[sweep.origins[row as usize] as usize] {
            restricted.take(row, 0);
        }
        any |= restricted.is_left(row, 0);
    }
    Ok(Some(any))
}

/// Goes through all states; gives up where many transitions lead from joins to joins.
fn sweep(
    restricted: &Restricted<'_>,
    joins: &Joins,
    budget: &Budget,
) -> Result<Option<Sweep>, UnknownReason> {
    let rows = restricted.rows;
    let most = (rows / FEW * 2) as usize;
    let mut pace = Pace::new(restricted.graph);
    let mut origins = vec![GONE; rows as usize];
    let mut nodes = GONE + 1;
    let mut edges = Vec::new();
    for row in restricted.from..rows {
        if row.is_multiple_of(PULSE) {
            if let Some(reason) = budget.exhausted(0) {
                return Err(reason);
            }
            if edges.len() > most {
                return Ok(None);
            }
        }
        if !restricted.is_left(row, 0) {
            continue;
        }
        if joins.has(row) {
            origins[row as usize] = nodes;
            nodes += 1;
        }
        let origin = origins[row as usize];
        if origin == GONE {
            continue;
        }
        pace.each(row, |transition| {
            if restricted.inside(transition.class, 0).is_empty() {
                return;
            }
            if joins.has(transition.to) {
                edges.push((origin, transition.to));
            } else {
                origins[transition.to as usize] = origin;
            }
        });
    }
    Ok(Some(Sweep {
        origins,
        nodes,
        edges,
    }))
}

/// For each join whether it lies on no cycle, nor behind one.
fn eliminate(sweep: &Sweep) -> Vec<bool> {
    let nodes = sweep.nodes as usize;
    let number = |row: u32| sweep.origins[row as usize];
    // Where the edges from each join begin, and how many lead to it.
    let mut begins = vec![0u32; nodes + 1];
    let mut counts = vec![0u32; nodes];
    for &(from, to) in &sweep.edges {
        begins[from as usize + 1] += 1;
        counts[number(to) as usize] += 1;
    }
    for node in 0..nodes {
        begins[node + 1] += begins[node];
    }
    let mut places = begins.clone();
    let mut targets = vec![GONE; sweep.edges.len()];
    for &(from, to) in &sweep.edges {
        let place = &mut places[from as usize];
        targets[*place as usize] = number(to);
        *place += 1;
    }
    let mut gone: Vec<bool> = counts.iter().map(|&count| count == 0).collect();
    gone[GONE as usize] = true;
    let mut waiting: Vec<usize> = (1..nodes).filter(|&node| gone[node]).collect();
    while let Some(node) = waiting.pop() {
        for &to in &targets[begins[node] as usize..begins[node + 1] as usize] {
            let to = to as usize;
            counts[to] -= 1;
            if counts[to] == 0 && to != GONE as usize {
                gone[to] = true;
                waiting.push(to);
            }
        }
    }
    gone
}
