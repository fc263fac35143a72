//! From a component that is fair and accepted to a run: a short way there, and a short loop.

use std::collections::{HashMap, HashSet, VecDeque};

use model::{Trace, UnknownReason};

use crate::emptiness::Component;
use crate::engine::Engine;
use crate::product::{Edge, Node, Product};
use crate::trace::{Goal, Recovery};

/// A run through the component: the shortest way to it through what has been visited, then around
/// by way of the nearest edge that has a mark still missing, until none is missing.
pub(crate) fn lasso(
    engine: &Engine<'_>,
    product: &mut Product<'_>,
    component: &Component,
    letters: usize,
) -> Result<Trace, UnknownReason> {
    let members: HashSet<Node> = component.nodes.iter().copied().collect();
    let known = product.len();
    let initial = product.initial.clone();
    let inside = |node: &Node| members.contains(node);
    let (start, stem) = if let Some(&node) = initial.iter().find(|node| inside(node)) {
        (node, Vec::new())
    } else {
        let allowed = |edge: &Edge| edge.to < known;
        let way = search(product, &initial, allowed, |edge| inside(&edge.to))?;
        let Some(path) = way else {
            return Err(lost());
        };
        (path[path.len() - 1].1.to, path)
    };
    let first = stem.first().map_or(start, |(from, _)| *from);
    let allowed = |edge: &Edge| members.contains(&edge.to) && edge.marks & component.forbidden == 0;
    let mut missing = product.acceptance.wanted(component.marks);
    let mut at = start;
    let mut around: Vec<(Node, Edge)> = Vec::new();
    while missing != 0 {
        let way = search(product, &[at], allowed, |edge| edge.marks & missing != 0)?;
        let path = way.ok_or_else(lost)?;
        for (from, edge) in path {
            missing &= !edge.marks;
            at = edge.to;
            around.push((from, edge));
        }
    }
    if at != start {
        let way = search(product, &[at], allowed, |edge| edge.to == start)?;
        around.extend(way.ok_or_else(lost)?);
    }
    let goal = |product: &Product<'_>, edge: &Edge| Goal::Exactly {
        stored: product.graph.states.state(product.state(edge.to)),
        letter: edge.label.letter,
        letters,
        taken: edge.label.taken,
    };
    let stutters = around.iter().any(|(_, edge)| edge.label.stutter);
    let mut goals: Vec<Goal> = Vec::new();
    // A stuttering edge on the way stands for no macro step, and nothing else follows it.
    for (_, edge) in stem.iter().filter(|(_, edge)| !edge.label.stutter) {
        goals.push(goal(product, edge));
    }
    let loop_start = goals.len();
    if !stutters {
        for (_, edge) in &around {
            goals.push(goal(product, edge));
        }
    }
    let recovery = Recovery::new(engine)?;
    let begin = product.graph.states.state(product.state(first));
    let mut trace = recovery.run(&begin, &goals)?;
    trace.loop_start = Some(loop_start);
    Ok(trace)
}

/// The shortest path over allowed edges whose last edge is one that is looked for.
fn search(
    product: &mut Product<'_>,
    from: &[Node],
    allowed: impl Fn(&Edge) -> bool,
    wanted: impl Fn(&Edge) -> bool,
) -> Result<Option<Vec<(Node, Edge)>>, UnknownReason> {
    let mut reached: HashMap<Node, Option<(Node, Edge)>> = HashMap::new();
    let mut waiting = VecDeque::new();
    for &node in from {
        reached.insert(node, None);
        waiting.push_back(node);
    }
    while let Some(node) = waiting.pop_front() {
        let mut cursor = product.edges(node)?;
        while let Some(edge) = product.next(&mut cursor) {
            if !allowed(&edge) {
                continue;
            }
            if wanted(&edge) {
                let mut path = vec![(node, edge)];
                let mut at = node;
                while let Some(&Some((before, edge))) = reached.get(&at) {
                    path.push((before, edge));
                    at = before;
                }
                path.reverse();
                return Ok(Some(path));
            }
            reached.entry(edge.to).or_insert_with(|| {
                waiting.push_back(edge.to);
                Some((node, edge))
            });
        }
    }
    Ok(None)
}

fn lost() -> UnknownReason {
    UnknownReason::NotReplayed("the engine did not find its own run again".to_owned())
}
