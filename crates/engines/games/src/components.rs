//! Strongly connected components of a part of a graph.

use logic::scc::each_component;
use model::{StateSet, Vertex};

use crate::graph::Graph;

/// Calls `each` with every component of the part of a graph inside `within` that has an edge.
pub(crate) fn components(graph: &Graph<'_>, within: &StateSet, each: &mut dyn FnMut(&[Vertex])) {
    let inside = |vertex: Vertex, at: usize| {
        let to = graph.successors(vertex).get(at).copied()?;
        Some(if within.has(to) { to } else { vertex })
    };
    each_component(graph.len(), within.iter(), inside, |component| {
        let alone = component.len() == 1;
        if !alone || graph.successors(component[0]).contains(&component[0]) {
            each(component);
        }
    });
}
