//! The loops that `Break` nodes break: in Script Canvas and Unity no connection says which.
//!
//! It is the one in whose body the node stands. If the ways back along connections, as far as they leave no
//! body, come to the bodies of one loop and no other, the node is connected to that one. Otherwise it is not
//! known, and nothing is broken: these nodes are told.

use std::collections::{BTreeSet, HashSet};

use super::builder::Builder;
use crate::graph::{Graph, NodeId};

/// The loops of a format.
pub(super) struct Loops {
    /// The kind of nodes that break loops.
    pub(super) breaks: &'static str,
    /// Loops, and the outputs that run their bodies.
    pub(super) bodies: &'static [(&'static str, &'static str)],
    /// The one that has another kind if it is broken: `.Broken`.
    pub(super) conditional: &'static str,
}

/// Those of Script Canvas.
pub(super) const CANVAS: Loops = Loops {
    breaks: "canvas:Break",
    bodies: &[("canvas:While", "Loop"), ("canvas:ForEach", "Each")],
    conditional: "canvas:While",
};

/// Connects nodes that break loops to these. What comes back are those that are not connected.
pub(super) fn connect_breaks(builder: &mut Builder<'_>, loops: &Loops) -> Vec<NodeId> {
    let graph = &builder.graph;
    let breaks = graph.ids().filter(|(_, node)| node.kind == loops.breaks);
    let mut unknown = Vec::new();
    let mut found: Vec<(NodeId, NodeId)> = Vec::new();
    for (id, _) in breaks {
        let around: Vec<NodeId> = bodies_around(graph, id, loops).into_iter().collect();
        match around[..] {
            [one] => found.push((id, one)),
            _ => unknown.push(id),
        }
    }
    for (node, of) in found {
        let span = builder.graph.node(node).span;
        builder.signal((node, "Broken"), (of, "Break"), span);
        let of = builder.get_mut(of);
        if of.kind == loops.conditional {
            of.kind.push_str(".Broken");
        }
    }
    unknown
}

/// The loops in whose bodies a node stands, but for those around these.
fn bodies_around(graph: &Graph, node: NodeId, loops: &Loops) -> BTreeSet<NodeId> {
    let mut around = BTreeSet::new();
    let (mut seen, mut open) = (HashSet::new(), vec![node]);
    while let Some(at) = open.pop() {
        if !seen.insert(at) {
            continue;
        }
        for link in graph.signals.iter().filter(|link| link.to.node == at) {
            let from = graph.node(link.from.node);
            let output = &from.signals_out[link.from.pin.index()].name;
            let body = loops.bodies.iter().find(|(of, _)| *of == from.kind);
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
