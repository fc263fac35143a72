//! Bends in lines removed; functions and macros put in place of their calls.
//!
//! What comes out has scripts only, and no node of [`Role::Reroute`], [`Role::Call`],
//! [`Role::Inputs`] or [`Role::Outputs`]. A copy of a node is named after the call that it stands
//! for: `call.inner`. A function that calls itself is not unfolded: the inner call stays an
//! ordinary node, and since what it does is left out, nothing is known to hold. For a call of a Blueprint's function
//! a node of its own stays: the pins of the two have different names, and the function need not come to a node of
//! [`Role::Outputs`] to be at its end.
//!
//! First every call is replaced by copies of its graph's nodes, whose `Inputs` and `Outputs` become
//! bends with a pin for each name; then bends are removed, by following each line from
//! its beginning to all of its ends.

use std::collections::{HashMap, HashSet};

use source::{Diagnostic, Diagnostics};

use crate::codes::files as codes;
use crate::graph::{
    Assumed, End, Graph, GraphId, Link, Node, NodeId, Origin, Pin, PinId, Project, Role, Sort,
};

/// Calls within calls deeper than this are not unfolded.
const DEEPEST: usize = 32;

/// A graph that has more nodes than this after unfolding is left with its calls.
const MOST_NODES: usize = 200_000;

/// Puts functions and macros in place of their calls and removes bends.
#[must_use]
pub fn flatten(project: &Project, diagnostics: &mut Diagnostics) -> Project {
    let called: HashSet<GraphId> = calls(project).collect();
    let mut flat = Project {
        graphs: Vec::new(),
        ..project.clone()
    };
    let mut cut = Vec::new();
    for (index, graph) in project.graphs.iter().enumerate() {
        // A function that nobody calls is an entry: its callers are elsewhere.
        let id = GraphId::new(index);
        if graph.sort != Sort::Script && called.contains(&id) {
            continue;
        }
        let mut unfolding = Unfolding {
            project,
            out: Graph {
                sort: Sort::Script,
                nodes: Vec::new(),
                signals: Vec::new(),
                wires: Vec::new(),
                ..graph.clone()
            },
            stack: vec![id],
            bends: HashSet::new(),
            cut: &mut cut,
            diagnostics,
        };
        unfolding.copy(graph, "", None);
        flat.graphs.push(without_bends(unfolding.out));
    }
    flat.cut.extend(cut);
    flat
}

fn calls(project: &Project) -> impl Iterator<Item = GraphId> {
    let nodes = project.graphs.iter().flat_map(|graph| &graph.nodes);
    nodes.filter_map(|node| match node.role {
        Role::Call(graph) => Some(graph),
        _ => None,
    })
}

struct Unfolding<'p, 'd> {
    project: &'p Project,
    out: Graph,
    stack: Vec<GraphId>,
    /// Bends that stand for calls: their pins are found by name.
    bends: HashSet<NodeId>,
    /// Calls that are not unfolded.
    cut: &'d mut Vec<Assumed>,
    diagnostics: &'d mut Diagnostics,
}

/// The two bends that stand for a call: one for what goes in, one for what comes out.
#[derive(Clone, Copy)]
struct Call {
    inward: NodeId,
    outward: NodeId,
}

impl Unfolding<'_, '_> {
    /// Copies a graph's nodes and links to the end of what is made. `call` is where it is
    /// called from; none for the outermost graph.
    fn copy(&mut self, graph: &Graph, prefix: &str, call: Option<Call>) {
        // Where each node of the graph is, for links that enter it and for links that leave it.
        let mut places: Vec<Call> = Vec::new();
        for node in &graph.nodes {
            let place = match (node.role, call) {
                (Role::Inputs, Some(call)) => both(call.inward),
                (Role::Outputs, Some(call)) => both(call.outward),
                (Role::Call(inner), _) => match self.call(node, prefix, inner) {
                    Some(call) => call,
                    None => both(self.push(node, prefix, Role::Ordinary)),
                },
                (Role::Inputs | Role::Outputs, None) => {
                    both(self.push(node, prefix, Role::Ordinary))
                }
                (role, _) => both(self.push(node, prefix, role)),
            };
            places.push(place);
        }
        for link in &graph.signals {
            let link = self.moved(graph, link, &places, true);
            self.out.signals.push(link);
        }
        for link in &graph.wires {
            let link = self.moved(graph, link, &places, false);
            self.out.wires.push(link);
        }
    }

    fn push(&mut self, node: &Node, prefix: &str, role: Role) -> NodeId {
        let mut node = node.clone();
        node.role = role;
        node.name = format!("{prefix}{}", node.name);
        self.out.nodes.push(node);
        NodeId::new(self.out.nodes.len() - 1)
    }

    /// A call's graph in place of the call, or none if there would be no end.
    fn call(&mut self, node: &Node, prefix: &str, inner: GraphId) -> Option<Call> {
        let graph = self.project.graph(inner);
        let room = self.out.nodes.len().saturating_add(graph.nodes.len()) < MOST_NODES;
        if self.stack.contains(&inner) || self.stack.len() > DEEPEST || !room {
            let message = format!("`{}` is not unfolded in `{}`", node.title, graph.name);
            self.diagnostics.push(
                Diagnostic::warning(codes::RECURSION, message)
                    .at(node.span)
                    .help("what the call does is not known"),
            );
            self.leave_out(node);
            return None;
        }
        let bend = |end: &str| {
            let mut bend = Node::new(format!("{}.{end}", node.name), node.kind.clone(), node.span);
            bend.role = Role::Reroute;
            bend
        };
        let call = Call {
            inward: self.push(&bend("in"), prefix, Role::Reroute),
            outward: self.push(&bend("out"), prefix, Role::Reroute),
        };
        self.bends.extend([call.inward, call.outward]);
        // Values that stand in the call's inputs are those of the function's inputs.
        for pin in &node.values_in {
            let made = self.bend_pin(call.inward, &pin.name, false);
            let bend = &mut self.out.nodes[call.inward.index()];
            bend.values_in[made.index()].literal = pin.literal.clone();
            bend.values_in[made.index()].flag = pin.flag;
        }
        let stands = (graph.sort == Sort::Function && graph.origin == Origin::Blueprint)
            .then(|| self.function(node, prefix, graph, call));
        self.stack.push(inner);
        let first = self.out.nodes.len();
        self.copy(graph, &format!("{prefix}{}.", node.name), Some(call));
        self.stack.pop();
        // In the picture, the copies stand where the call stands, small steps apart.
        let corner = corner(&self.out.nodes[first..]);
        for copy in &mut self.out.nodes[first..] {
            copy.position = copy
                .position
                .zip(node.position)
                .map(|((x, y), (left, top))| (left + (x - corner.0), top + (y - corner.1)));
        }
        Some(stands.map_or(call, both))
    }

    /// What a call does is left out.
    fn leave_out(&mut self, node: &Node) {
        let text = format!("what `{}` does is left out", node.title);
        let span = node.span;
        let cut = Assumed { text, span };
        if !self.cut.contains(&cut) {
            self.cut.push(cut);
        }
    }

    /// A node in place of a call: what is called runs, and when it has come to its end, however, the node goes on. What
    /// comes in by wires was read before, and what comes out does not change afterwards: neither is followed.
    fn function(&mut self, node: &Node, prefix: &str, graph: &Graph, call: Call) -> NodeId {
        let mut stands = node.clone();
        stands.kind = format!("{}Function", graph.origin.prefix());
        // A pure one runs whenever what it gives is asked for.
        let acts = |inner: &Node| !inner.signals_in.is_empty() && inner.role != Role::Outputs;
        if node.signals_in.is_empty() && graph.nodes.iter().any(acts) {
            self.leave_out(node);
        }
        stands.signals_out.push(Pin::new("(body)", node.span));
        let body = PinId::new(stands.signals_out.len() - 1);
        let place = self.push(&stands, prefix, Role::Ordinary);
        let entries = graph.nodes.iter().filter(|node| node.role == Role::Inputs);
        for pin in entries.flat_map(|entry| &entry.signals_out) {
            let to = End {
                node: call.inward,
                pin: self.bend_pin(call.inward, &pin.name, true),
            };
            let from = End {
                node: place,
                pin: body,
            };
            let span = node.span;
            self.out.signals.push(Link { from, to, span });
        }
        place
    }

    /// A link of the graph between the places of its ends.
    fn moved(&mut self, graph: &Graph, link: &Link, places: &[Call], signal: bool) -> Link {
        let from = places[link.from.node.index()].outward;
        let to = places[link.to.node.index()].inward;
        let out = graph.node(link.from.node);
        let into = graph.node(link.to.node);
        let (out, into) = if signal {
            (&out.signals_out, &into.signals_in)
        } else {
            (&out.values_out, &into.values_in)
        };
        Link {
            from: self.end(from, link.from.pin, out, signal),
            to: self.end(to, link.to.pin, into, signal),
            span: link.span,
        }
    }

    fn end(&mut self, node: NodeId, pin: PinId, pins: &[Pin], signal: bool) -> End {
        let pin = if self.bends.contains(&node) {
            self.bend_pin(node, &pins[pin.index()].name, signal)
        } else {
            pin
        };
        End { node, pin }
    }

    /// The pin of that name of a bend, on both sides.
    fn bend_pin(&mut self, bend: NodeId, name: &str, signal: bool) -> PinId {
        let node = &mut self.out.nodes[bend.index()];
        let (pins, others) = if signal {
            (&mut node.signals_in, &mut node.signals_out)
        } else {
            (&mut node.values_in, &mut node.values_out)
        };
        if let Some(found) = crate::graph::find(pins, name) {
            return found;
        }
        pins.push(Pin::new(name, node.span));
        others.push(Pin::new(name, node.span));
        PinId::new(pins.len() - 1)
    }
}

fn both(node: NodeId) -> Call {
    Call {
        inward: node,
        outward: node,
    }
}

/// The top left corner of some nodes.
fn corner(nodes: &[Node]) -> (f64, f64) {
    let places = nodes.iter().filter_map(|node| node.position);
    let least = places.reduce(|a, b| (a.0.min(b.0), a.1.min(b.1)));
    least.unwrap_or_default()
}

/// Removes bends: each line goes from where it begins to all of its ends.
fn without_bends(graph: Graph) -> Graph {
    if graph.nodes.iter().all(|node| node.role != Role::Reroute) {
        return graph;
    }
    let signals = straight(&graph, &graph.signals);
    let wires = straight(&graph, &graph.wires);
    let mut places = vec![None; graph.nodes.len()];
    let mut nodes = Vec::new();
    for (id, node) in graph.ids() {
        if node.role != Role::Reroute {
            places[id.index()] = Some(NodeId::new(nodes.len()));
            nodes.push(node.clone());
        }
    }
    // A value or a flag that stands in a bend stands in what it leads to.
    for link in &graph.wires {
        let bend = graph.node(link.from.node);
        let Some(pin) = bend.values_in.get(link.from.pin.index()) else {
            continue;
        };
        let holds = bend.role == Role::Reroute && (pin.literal.is_some() || pin.flag.is_some());
        if holds && let Some(node) = places[link.to.node.index()] {
            let input = &mut nodes[node.index()].values_in[link.to.pin.index()];
            input.literal = pin.literal.clone();
            input.flag = pin.flag;
        }
    }
    let moved = |links: Vec<Link>| {
        let moved = |end: End| {
            let node = places[end.node.index()]?;
            Some(End { node, ..end })
        };
        let links = links.into_iter().filter_map(|link| {
            Some(Link {
                from: moved(link.from)?,
                to: moved(link.to)?,
                span: link.span,
            })
        });
        links.collect()
    };
    Graph {
        signals: moved(signals),
        wires: moved(wires),
        nodes,
        ..graph
    }
}

/// Links from what is no bend to what is no bend, through bends. A bend that leads back to itself leads nowhere.
fn straight(graph: &Graph, links: &[Link]) -> Vec<Link> {
    let is_bend = |end: End| graph.node(end.node).role == Role::Reroute;
    let mut onward: HashMap<End, Vec<&Link>> = HashMap::new();
    for link in links.iter().filter(|link| is_bend(link.from)) {
        onward.entry(link.from).or_default().push(link);
    }
    let mut straight = Vec::new();
    for link in links.iter().filter(|link| !is_bend(link.from)) {
        let mut seen = HashSet::new();
        // The last one is followed first, so they are put down in reverse: order matters to signals.
        let mut open = vec![*link];
        while let Some(at) = open.pop() {
            if !is_bend(at.to) {
                straight.push(Link {
                    from: link.from,
                    ..at
                });
                continue;
            }
            // A bend's pins have the same places on both sides, or there is one only.
            if seen.insert(at.to) {
                let onward = onward.get(&at.to).into_iter().flatten();
                open.extend(onward.rev().map(|next| **next));
            }
        }
    }
    straight
}

#[cfg(test)]
mod tests {
    use source::Span;

    use super::*;
    use crate::graph::Origin;

    fn node(name: &str, role: Role, into: &[&str], out: &[&str]) -> Node {
        let mut node = Node::new(name, "k", Span::NONE);
        node.role = role;
        node.signals_in = into.iter().map(|pin| Pin::new(*pin, Span::NONE)).collect();
        node.signals_out = out.iter().map(|pin| Pin::new(*pin, Span::NONE)).collect();
        node
    }

    fn link(from: (u32, u32), to: (u32, u32)) -> Link {
        let end = |(node, pin)| End {
            node: NodeId(node),
            pin: PinId(pin),
        };
        Link {
            from: end(from),
            to: end(to),
            span: Span::NONE,
        }
    }

    fn graph(name: &str, sort: Sort, nodes: Vec<Node>, signals: Vec<Link>) -> Graph {
        Graph {
            sort,
            nodes,
            signals,
            ..Graph::new(name, Origin::Own, Span::NONE)
        }
    }

    /// The lines of a graph as `node.pin -> node.pin`.
    fn lines(graph: &Graph) -> Vec<String> {
        let line = |link: &Link| {
            let (from, to) = (graph.node(link.from.node), graph.node(link.to.node));
            let out = &from.signals_out[link.from.pin.index()].name;
            let into = &to.signals_in[link.to.pin.index()].name;
            format!("{}.{out} -> {}.{into}", from.name, to.name)
        };
        let mut lines: Vec<String> = graph.signals.iter().map(line).collect();
        lines.sort();
        lines
    }

    fn flat(graphs: Vec<Graph>) -> (Project, Diagnostics) {
        let mut diagnostics = Diagnostics::new();
        let project = Project {
            graphs,
            ..Project::default()
        };
        (flatten(&project, &mut diagnostics), diagnostics)
    }

    #[test]
    fn bends_are_followed_in_order_and_rings_of_bends_lead_nowhere() {
        let nodes = vec![
            node("start", Role::Ordinary, &[], &["out"]),
            node("bend", Role::Reroute, &["in"], &["out"]),
            node("ring", Role::Reroute, &["in"], &["out"]),
            node("a", Role::Ordinary, &["in"], &[]),
            node("b", Role::Ordinary, &["in"], &[]),
        ];
        let signals = vec![
            link((0, 0), (1, 0)),
            link((1, 0), (3, 0)),
            link((1, 0), (2, 0)),
            link((2, 0), (1, 0)),
            link((1, 0), (4, 0)),
        ];
        let (project, diagnostics) = flat(vec![graph("g", Sort::Script, nodes, signals)]);
        assert_eq!(diagnostics, Diagnostics::new());
        assert_eq!(
            lines(&project.graphs[0]),
            ["start.out -> a.in", "start.out -> b.in"]
        );
        assert_eq!(project.graphs[0].nodes.len(), 3);
    }

    #[test]
    fn a_macro_stands_in_place_of_each_of_its_calls() {
        let inner = graph(
            "twice",
            Sort::Macro,
            vec![
                node("inputs", Role::Inputs, &[], &["go", "stop"]),
                node("work", Role::Ordinary, &["start", "stop"], &["done"]),
                node("outputs", Role::Outputs, &["finished"], &[]),
            ],
            vec![
                link((0, 0), (1, 0)),
                link((0, 1), (1, 1)),
                link((1, 0), (2, 0)),
            ],
        );
        let call = Role::Call(GraphId(1));
        let outer = graph(
            "main",
            Sort::Script,
            vec![
                node("begin", Role::Ordinary, &[], &["out"]),
                node("first", call, &["stop", "go"], &["finished"]),
                node("second", call, &["stop", "go"], &["finished"]),
            ],
            vec![link((0, 0), (1, 1)), link((1, 0), (2, 0))],
        );
        let (project, diagnostics) = flat(vec![outer, inner]);
        assert_eq!(diagnostics, Diagnostics::new());
        assert_eq!(project.graphs.len(), 1);
        assert_eq!(
            lines(&project.graphs[0]),
            [
                "begin.out -> first.work.start",
                "first.work.done -> second.work.stop"
            ]
        );
    }

    #[test]
    fn recursion_ends() {
        let inner = graph(
            "again",
            Sort::Function,
            vec![
                node("inputs", Role::Inputs, &[], &["go"]),
                node("self", Role::Call(GraphId(1)), &["go"], &[]),
            ],
            vec![link((0, 0), (1, 0))],
        );
        let outer = graph(
            "main",
            Sort::Script,
            vec![
                node("begin", Role::Ordinary, &[], &["out"]),
                node("call", Role::Call(GraphId(1)), &["go"], &[]),
            ],
            vec![link((0, 0), (1, 0))],
        );
        let (project, diagnostics) = flat(vec![outer, inner]);
        assert_eq!(lines(&project.graphs[0]), ["begin.out -> call.self.go"]);
        let codes: Vec<&str> = diagnostics.into_iter().map(|d| d.code).collect();
        assert_eq!(codes, [codes::RECURSION]);
    }
}
