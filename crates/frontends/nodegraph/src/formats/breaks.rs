//! The loops that Script Canvas' `Break` nodes break: no connection says which.
//!
//! It is the one in whose body the node stands. If the ways back along connections, as far as they leave no
//! body, come to the bodies of one loop and no other, the node is connected to that one. Otherwise it is not
//! known, and nothing is broken.

use std::collections::{BTreeSet, HashSet};

use super::builder::Builder;
use crate::graph::{Graph, NodeId};

/// Loops, and the outputs that run their bodies.
const LOOPS: [(&str, &str); 2] = [(WHILE, "Loop"), ("canvas:ForEach", "Each")];
const WHILE: &str = "canvas:While";

/// Connects nodes that break loops to these.
pub(super) fn connect_breaks(builder: &mut Builder<'_>) {
    let graph = &builder.graph;
    let breaks = graph.ids().filter(|(_, node)| node.kind == "canvas:Break");
    let found: Vec<(NodeId, NodeId)> = breaks
        .filter_map(|(id, _)| {
            let around: Vec<NodeId> = bodies_around(graph, id).into_iter().collect();
            match around[..] {
                [one] => Some((id, one)),
                _ => None,
            }
        })
        .collect();
    for (node, of) in found {
        let span = builder.graph.node(node).span;
        builder.signal((node, "Broken"), (of, "Break"), span);
        let of = builder.get_mut(of);
        if of.kind == WHILE {
            of.kind.push_str(".Broken");
        }
    }
}

/// The loops in whose bodies a node stands, but for those around these.
fn bodies_around(graph: &Graph, node: NodeId) -> BTreeSet<NodeId> {
    let mut around = BTreeSet::new();
    let (mut seen, mut open) = (HashSet::new(), vec![node]);
    while let Some(at) = open.pop() {
        if !seen.insert(at) {
            continue;
        }
        for link in graph.signals.iter().filter(|link| link.to.node == at) {
            let from = graph.node(link.from.node);
            let output = &from.signals_out[link.from.pin.index()].name;
            let body = LOOPS.iter().find(|(kind, _)| from.kind == *kind);
            match body {
                Some((_, body)) if output == body => {
                    around.insert(link.from.node);
                }
                _ => open.push(link.from.node),
            }
        }
    }
    around
}
