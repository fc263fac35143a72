//! A random graph, and how the two formats write it.

use serde_json::{Map, Value, json};

use super::Peer;
use super::kinds::{Kind, Sort, Type};

/// A variable; all of them are looked at.
#[derive(Clone, Debug)]
pub(crate) struct Variable {
    pub(crate) name: String,
    pub(crate) of: Type,
    pub(crate) initial: Value,
}

/// An event that the graph, or the world, sends.
#[derive(Clone, Debug)]
pub(crate) struct Event {
    pub(crate) name: String,
    /// Whether the world can name it.
    pub(crate) known: bool,
    pub(crate) values: Vec<(String, Type)>,
}

/// Where a value comes from.
#[derive(Clone, Debug)]
pub(crate) enum Source {
    Literal(Value),
    Node(usize, String),
}

/// A node. Signals lead to later nodes, values come from earlier ones.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) kind: &'static Kind,
    pub(crate) settings: Map<String, Value>,
    pub(crate) enters: Vec<String>,
    pub(crate) leaves: Vec<String>,
    pub(crate) reads: Vec<(String, Type, Source)>,
    pub(crate) has: Vec<(String, Type)>,
    /// Output, and where it leads.
    pub(crate) links: Vec<(String, usize, String)>,
}

/// A graph.
#[derive(Clone, Debug)]
pub(crate) struct Graph {
    pub(crate) peer: Peer,
    pub(crate) variables: Vec<Variable>,
    pub(crate) events: Vec<Event>,
    pub(crate) nodes: Vec<Node>,
}

/// A box with one mesh, and an animation of one second that moves it.
const BUFFER: &str = "data:application/octet-stream;base64,\
    AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAAAAAAAAAAgD8AAAAAAAAAAAAAAAAAAIA/AAAAAAAAAAA=";

/// The order of types in a file of KHR_interactivity.
const TYPES: [&str; 6] = ["bool", "int", "float", "float2", "float3", "ref"];

fn signature(of: Type) -> usize {
    match of {
        Type::Bool => 0,
        Type::Int => 1,
        Type::Float => 2,
        Type::Pair => 3,
        Type::Triple => 4,
        Type::Animation | Type::Delay | Type::Text => 5,
    }
}

impl Graph {
    /// What the reports call a node: the last part of its kind, and its number.
    pub(crate) fn node_name(&self, at: usize) -> String {
        let kind = self.nodes[at].kind.name;
        let last = kind.rsplit('/').next().unwrap_or(kind);
        format!("{last}_{at}")
    }

    /// The file's text.
    pub(crate) fn json(&self) -> Value {
        match self.peer {
            Peer::Babylon => self.khr(),
            Peer::Behave => self.behave(),
        }
    }

    fn khr(&self) -> Value {
        let mut declarations: Vec<(&str, Option<&str>)> = Vec::new();
        let mut nodes = Vec::new();
        for node in &self.nodes {
            let declaration = (node.kind.name, node.kind.extension);
            let at = declarations.iter().position(|one| *one == declaration);
            let at = at.unwrap_or_else(|| {
                declarations.push(declaration);
                declarations.len() - 1
            });
            let mut json = Map::new();
            json.insert("declaration".to_owned(), at.into());
            let settings = node.settings.iter().map(|(name, value)| {
                let list = if value.is_array() {
                    value.clone()
                } else {
                    json!([value])
                };
                (name.clone(), json!({ "value": list }))
            });
            put(&mut json, "configuration", settings.collect());
            let values = node.reads.iter().map(|(name, of, source)| {
                let value = match source {
                    Source::Node(from, pin) => json!({"node": from, "socket": pin}),
                    Source::Literal(value) => {
                        let list = if value.is_array() {
                            value.clone()
                        } else {
                            json!([value])
                        };
                        json!({"type": signature(*of), "value": list})
                    }
                };
                (name.clone(), value)
            });
            put(&mut json, "values", values.collect());
            let links = node.links.iter();
            let links = links.map(|(pin, to, at)| (pin.clone(), json!({"node": to, "socket": at})));
            put(&mut json, "flows", links.collect());
            nodes.push(Value::Object(json));
        }
        let declarations: Vec<Value> = declarations
            .into_iter()
            .map(|(name, extension)| declaration(name, extension))
            .collect();
        let variables = self
            .variables
            .iter()
            .map(|one| json!({"id": one.name, "type": signature(one.of), "value": [one.initial]}));
        let events = self.events.iter().map(|event| {
            let mut json = Map::new();
            if event.known {
                json.insert("id".to_owned(), event.name.clone().into());
            }
            let values = event.values.iter();
            let values = values.map(|(name, of)| (name.clone(), json!({"type": signature(*of)})));
            put(&mut json, "values", values.collect());
            Value::Object(json)
        });
        let graph = json!({
            "types": TYPES.map(|one| json!({"signature": one})),
            "variables": variables.collect::<Vec<_>>(),
            "events": events.collect::<Vec<_>>(),
            "declarations": declarations,
            "nodes": nodes,
        });
        scene(&graph)
    }

    fn behave(&self) -> Value {
        let word = |of: Type| match of {
            Type::Bool => "boolean",
            Type::Int => "integer",
            Type::Text => "string",
            _ => "float",
        };
        let variables: Vec<Value> = (0..)
            .zip(&self.variables)
            .map(|(at, one): (usize, _)| {
                json!({"id": at.to_string(), "name": one.name, "valueTypeName": word(one.of),
                   "initialValue": one.initial})
            })
            .collect();
        let events: Vec<Value> = (0..)
            .zip(&self.events)
            .map(|(at, event): (usize, _)| {
                let parameters: Vec<Value> = event
                    .values
                    .iter()
                    .map(|(name, of)| {
                        let value = if *of == Type::Bool {
                            json!(false)
                        } else {
                            json!(0)
                        };
                        json!({"name": name, "valueTypeName": word(*of), "defaultValue": value})
                    })
                    .collect();
                json!({"id": at.to_string(), "name": event.name, "parameters": parameters})
            })
            .collect();
        let nodes: Vec<Value> = (0..)
            .zip(&self.nodes)
            .map(|(at, node): (usize, _)| {
                let mut json = Map::new();
                json.insert("id".to_owned(), at.to_string().into());
                json.insert("type".to_owned(), node.kind.name.into());
                put(&mut json, "configuration", node.settings.clone());
                let reads = node.reads.iter().map(|(name, _, source)| {
                    let value = match source {
                        Source::Literal(value) => json!({ "value": value }),
                        Source::Node(from, pin) => {
                            json!({"link": {"nodeId": from.to_string(), "socket": pin}})
                        }
                    };
                    (name.clone(), value)
                });
                put(&mut json, "parameters", reads.collect());
                let links = node.links.iter().map(|(pin, to, at)| {
                    (pin.clone(), json!({"nodeId": to.to_string(), "socket": at}))
                });
                put(&mut json, "flows", links.collect());
                Value::Object(json)
            })
            .collect();
        json!({"variables": variables, "customEvents": events, "nodes": nodes})
    }

    /// Without this node: what led to it leads nowhere, and who read its values reads a constant.
    pub(crate) fn without(&self, gone: usize) -> Graph {
        let mut graph = self.clone();
        graph.nodes.remove(gone);
        let moved = |at: usize| if at > gone { at - 1 } else { at };
        for node in &mut graph.nodes {
            node.links.retain(|(_, to, _)| *to != gone);
            for (_, to, _) in &mut node.links {
                *to = moved(*to);
            }
            for (_, of, source) in &mut node.reads {
                match source {
                    Source::Node(from, _) if *from == gone => *source = Source::Literal(plain(*of)),
                    Source::Node(from, _) => *from = moved(*from),
                    Source::Literal(_) => {}
                }
            }
        }
        graph
    }

    /// Whether signals come to this node.
    pub(crate) fn is_flow(&self, at: usize) -> bool {
        self.nodes[at].kind.sort == Sort::Flow
    }
}

/// The plainest value of a type.
pub(crate) fn plain(of: Type) -> Value {
    match of {
        Type::Bool => json!(false),
        Type::Int => json!(0),
        Type::Float => json!(0.5),
        Type::Pair => json!([0.5, 0.5]),
        Type::Triple => json!([0.5, 0.5, 0.5]),
        Type::Animation => json!("/animations/0"),
        Type::Delay => json!(""),
        Type::Text => json!("a"),
    }
}

/// A part of a node, which must not be empty where it is there.
fn put(json: &mut Map<String, Value>, name: &str, part: Map<String, Value>) {
    if !part.is_empty() {
        json.insert(name.to_owned(), Value::Object(part));
    }
}

fn declaration(name: &str, extension: Option<&str>) -> Value {
    let Some(extension) = extension else {
        return json!({ "op": name });
    };
    let typed = |names: &[(&str, Type)]| {
        let sockets = names
            .iter()
            .map(|(name, of)| ((*name).to_owned(), json!({"type": signature(*of)})));
        Value::Object(sockets.collect())
    };
    let outputs = if name == "event/onSelect" {
        typed(&[
            ("selectedNode", Type::Animation),
            ("selectionRayOrigin", Type::Triple),
            ("selectionPoint", Type::Triple),
            ("controllerIndex", Type::Int),
            ("event", Type::Animation),
        ])
    } else {
        typed(&[
            ("hoveredNode", Type::Animation),
            ("controllerIndex", Type::Int),
            ("event", Type::Animation),
        ])
    };
    json!({"op": name, "extension": extension, "outputValueSockets": outputs})
}

/// The graph in a scene with something to point at and something to play.
fn scene(graph: &Value) -> Value {
    json!({
        "asset": {"version": "2.0"},
        "extensionsUsed": ["KHR_interactivity", "KHR_node_selectability", "KHR_node_hoverability"],
        "extensions": {"KHR_interactivity": {"graph": 0, "graphs": [graph]}},
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": [{"name": "box", "mesh": 0}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
        "animations": [{
            "samplers": [{"input": 1, "output": 2}],
            "channels": [{"sampler": 0, "target": {"node": 0, "path": "translation"}}],
        }],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3", "min": [0, 0, 0], "max": [1, 1, 0]},
            {"bufferView": 1, "componentType": 5126, "count": 2, "type": "SCALAR", "min": [0], "max": [1]},
            {"bufferView": 2, "componentType": 5126, "count": 2, "type": "VEC3"},
        ],
        "bufferViews": [
            {"buffer": 0, "byteOffset": 0, "byteLength": 36},
            {"buffer": 0, "byteOffset": 36, "byteLength": 8},
            {"buffer": 0, "byteOffset": 44, "byteLength": 24},
        ],
        "buffers": [{"byteLength": 68, "uri": BUFFER}],
    })
}
