//! A graph in the making: nodes by the identities that a file gives them, pins made when a link
//! first names them.

use std::collections::HashMap;

use source::{Diagnostic, Diagnostics, Span};

use super::json::Json;
use super::naming::Names;
use crate::codes::files as codes;
use crate::graph::{
    End, Flag, FlagId, Graph, Link, Literal, Node, NodeId, Pin, PinId, Project, Sort, ValueType,
};

/// Which of a node's lists.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Side {
    SignalIn,
    SignalOut,
    ValueIn,
    ValueOut,
}

/// A graph in the making.
pub(crate) struct Builder<'a> {
    pub(crate) graph: Graph,
    names: Names,
    by_key: HashMap<&'a str, NodeId>,
    pins: HashMap<(NodeId, u8, String), PinId>,
}

impl<'a> Builder<'a> {
    pub(crate) fn new(graph: Graph) -> Builder<'a> {
        Builder {
            graph,
            names: Names::default(),
            by_key: HashMap::new(),
            pins: HashMap::new(),
        }
    }

    /// Adds a node; its name is made unique. `key` is its identity in the file.
    pub(crate) fn node(&mut self, key: Option<&'a str>, mut node: Node) -> Result<NodeId, Span> {
        let id = NodeId::new(self.graph.nodes.len());
        if let Some(key) = key {
            if let Some(&other) = self.by_key.get(key) {
                return Err(self.graph.node(other).span);
            }
            self.by_key.insert(key, id);
        }
        node.name = self.names.unique(&node.name);
        for (side, pins) in [
            (Side::SignalIn, &node.signals_in),
            (Side::SignalOut, &node.signals_out),
            (Side::ValueIn, &node.values_in),
            (Side::ValueOut, &node.values_out),
        ] {
            for (index, pin) in pins.iter().enumerate() {
                let key = (id, side as u8, pin.name.clone());
                self.pins.entry(key).or_insert_with(|| PinId::new(index));
            }
        }
        self.graph.nodes.push(node);
        Ok(id)
    }

    /// The node with this identity.
    pub(crate) fn find(&self, key: &str) -> Option<NodeId> {
        self.by_key.get(key).copied()
    }

    /// The identities of the nodes, in alphabetical order.
    pub(crate) fn keys(&self) -> Vec<&str> {
        let mut keys: Vec<&str> = self.by_key.keys().copied().collect();
        keys.sort_unstable();
        keys
    }

    pub(crate) fn get_mut(&mut self, id: NodeId) -> &mut Node {
        &mut self.graph.nodes[id.index()]
    }

    /// The pin of that name, made if the node has none.
    pub(crate) fn pin(&mut self, node: NodeId, side: Side, name: &str, span: Span) -> PinId {
        let found = &mut self.graph.nodes[node.index()];
        let pins = match side {
            Side::SignalIn => &mut found.signals_in,
            Side::SignalOut => &mut found.signals_out,
            Side::ValueIn => &mut found.values_in,
            Side::ValueOut => &mut found.values_out,
        };
        let key = (node, side as u8, name.to_owned());
        *self.pins.entry(key).or_insert_with(|| {
            pins.push(Pin::new(name, span));
            PinId::new(pins.len() - 1)
        })
    }

    /// A link between execution pins, by their names.
    pub(crate) fn signal(&mut self, from: (NodeId, &str), to: (NodeId, &str), span: Span) {
        let from = self.end(from, Side::SignalOut, span);
        let to = self.end(to, Side::SignalIn, span);
        self.graph.signals.push(Link { from, to, span });
    }

    /// A link between data pins, by their names.
    pub(crate) fn wire(&mut self, from: (NodeId, &str), to: (NodeId, &str), span: Span) {
        let from = self.end(from, Side::ValueOut, span);
        let to = self.end(to, Side::ValueIn, span);
        self.graph.wires.push(Link { from, to, span });
    }

    fn end(&mut self, (node, name): (NodeId, &str), side: Side, span: Span) -> End {
        End {
            node,
            pin: self.pin(node, side, name, span),
        }
    }
}

/// Adds a graph with a name of its own, and its variables, to a project.
pub(crate) fn add_graph(project: &mut Project, mut graph: Graph) {
    let mut names = Names::default();
    for graph in &project.graphs {
        names.unique(&graph.name);
    }
    graph.name = names.unique(&graph.name);
    debug_assert!(graph.sort == Sort::Script || !graph.nodes.is_empty());
    project.graphs.push(graph);
}

/// Adds a variable whose name is made unique.
pub(crate) fn add_flag(project: &mut Project, names: &mut Names, mut flag: Flag) -> FlagId {
    flag.name = names.unique(&flag.name);
    project.flags.push(flag);
    FlagId::new(project.flags.len() - 1)
}

/// A value of this type, out of what stands in a file; none if it does not fit.
pub(crate) fn of_type(values: &ValueType, literal: Option<Literal>) -> Option<Literal> {
    let literal = literal?;
    match (values, &literal) {
        (ValueType::Bool, Literal::Text(text)) => match text.as_str() {
            "true" | "True" => Some(Literal::Bool(true)),
            "false" | "False" | "" => Some(Literal::Bool(false)),
            _ => None,
        },
        (ValueType::Bool, Literal::Bool(_))
        | (ValueType::Int | ValueType::Range(..), Literal::Int(_)) => Some(literal),
        (ValueType::Int | ValueType::Range(..), Literal::Text(text)) => {
            text.parse().ok().map(Literal::Int)
        }
        // A zero below zero, which only doubles have.
        (ValueType::Int | ValueType::Range(..), Literal::Number(number)) => {
            (*number == 0.0).then_some(Literal::Int(0))
        }
        (ValueType::Real, Literal::Number(_)) => Some(literal),
        #[expect(clippy::cast_precision_loss, reason = "JSON has no other numbers")]
        (ValueType::Real, Literal::Int(number)) => Some(Literal::Number(*number as f64)),
        (ValueType::Enum(names), Literal::Text(text)) => names.contains(text).then_some(literal),
        (ValueType::Other(_), _) => Some(literal),
        _ => None,
    }
}

/// What a variable starts as: what the file states, and if it states nothing, the default of the format. What
/// is stated and does not fit the type is not known.
pub(crate) fn first_value(
    values: &ValueType,
    stated: Option<Option<Literal>>,
    default: Option<Literal>,
) -> Option<Literal> {
    match stated {
        Some(stated) => of_type(values, stated),
        None => default,
    }
}

/// A part of an object that the format demands; the error if it is missing.
pub(crate) fn demanded<'a>(
    value: Json<'a>,
    name: &str,
    diagnostics: &mut Diagnostics,
) -> Option<Json<'a>> {
    let found = value.get(name);
    if found.is_none() {
        shape(value, &format!("`{name}` is missing here"), diagnostics);
    }
    found
}

/// Something is not as the format demands.
pub(crate) fn shape(value: Json<'_>, message: &str, diagnostics: &mut Diagnostics) {
    shape_at(value.span(), message, diagnostics);
}

/// The same, of what is no JSON.
pub(crate) fn shape_at(span: Span, message: &str, diagnostics: &mut Diagnostics) {
    diagnostics.push(Diagnostic::error(codes::SHAPE, message).at(span));
}

/// A link to something that is not there.
pub(crate) fn dangling(span: Span, message: impl Into<String>, diagnostics: &mut Diagnostics) {
    diagnostics.push(Diagnostic::error(codes::DANGLING, message).at(span));
}

/// Two nodes of one identity.
pub(crate) fn twice(key: &str, span: Span, first: Span, diagnostics: &mut Diagnostics) {
    let message = format!("two nodes have the identity `{key}`");
    diagnostics.push(
        Diagnostic::error(codes::TWICE, message)
            .at(span)
            .label(first, "the first one"),
    );
}

/// The importer settled something: the reader of the file is told, and so is each verdict.
pub(crate) fn settled(
    project: &mut Project,
    text: impl Into<String>,
    span: Span,
    diagnostics: &mut Diagnostics,
) {
    let text = text.into();
    diagnostics.push(Diagnostic::note(codes::SETTLED, text.clone()).at(span));
    project.assumed.push(crate::graph::Assumed { text, span });
}
