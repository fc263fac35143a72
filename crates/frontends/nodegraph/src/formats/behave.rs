//! behave-graph's JSON: `nodes` with `type`, `id`, `parameters` (data) and `flows` (execution).
//!
//! The format is that of the library `bhouston/behave-graph`, as its reader `readGraphFromJSON` takes
//! it: a link stands at the node that it leaves (`flows`) or enters (`parameters`).

use std::collections::HashMap;

use source::Diagnostics;

use super::builder::{
    Builder, Side, add_flag, add_graph, dangling, first_value, of_type, shape, twice,
};
use super::json::Json;
use super::naming::{Names, identifier};
use crate::graph::{
    EventId, Flag, FlagId, Graph, Literal, Node, NodeId, Origin, Pin, Project, Role, Setting,
    ValueType,
};

/// Reads it; none if an error was pushed.
pub(crate) fn read(root: Json<'_>, diagnostics: &mut Diagnostics) -> Option<Project> {
    let mut project = Project::default();
    let mut flags = HashMap::new();
    let mut events = HashMap::new();
    let mut names = Names::default();
    for variable in root.get("variables").into_iter().flat_map(Json::items) {
        let id = variable.get("id").and_then(Json::key).unwrap_or_default();
        let name = variable.get("name").and_then(Json::text).unwrap_or(id);
        let values = match variable.get("valueTypeName").and_then(Json::text) {
            Some("boolean") => ValueType::Bool,
            Some("integer") => ValueType::Int,
            Some("float") => ValueType::Real,
            other => ValueType::Other(other.unwrap_or("unknown").to_owned()),
        };
        let stated = variable.get("initialValue");
        let stated = stated.map(|value| deserialized(&values, value.literal()));
        let default = match values {
            ValueType::Bool => Some(Literal::Bool(false)),
            ValueType::Int => Some(Literal::Int(0)),
            _ => None,
        };
        let flag = Flag {
            name: identifier(name),
            initial: first_value(&values, stated, default),
            values,
            span: variable.span(),
        };
        flags.insert(id, add_flag(&mut project, &mut names, flag));
    }
    for event in root.get("customEvents").into_iter().flat_map(Json::items) {
        let id = event.get("id").and_then(Json::key).unwrap_or_default();
        let name = event.get("name").and_then(Json::text).unwrap_or(id);
        let made = project.event(name, event.span());
        // The host has the emitters of all events.
        project.events[made.index()].from_outside = true;
        events.insert(id, made);
    }
    if let Some(first) = project.flags.first() {
        let span = first.span;
        let text = "the host writes no variables".to_owned();
        project.assumed.push(crate::graph::Assumed { text, span });
    }
    let values_of: Vec<ValueType> = project.flags.iter().map(|f| f.values.clone()).collect();
    let name = root.get("name").and_then(Json::text).unwrap_or("graph");
    let graph = Graph::new(identifier(name), Origin::Behave, root.span());
    let mut builder = Builder::new(graph);
    let Some(nodes) = root.get("nodes").filter(|nodes| nodes.is_array()) else {
        shape(root, "`nodes` must be an array", diagnostics);
        return None;
    };
    let mut made: Vec<(Json<'_>, NodeId)> = Vec::new();
    // Nodes are members of an object: those with numbers for names come first, in their order.
    let mut nodes: Vec<Json<'_>> = nodes.items().collect();
    nodes.sort_by_key(|node| {
        let key = node.get("id").and_then(Json::key).unwrap_or_default();
        let number = key
            .parse::<u32>()
            .ok()
            .filter(|number| number.to_string() == key);
        number.map_or((true, 0), |number| (false, number))
    });
    for json in nodes {
        let Some(sort) = json.get("type").and_then(Json::text) else {
            shape(json, "this node has no `type` that is a text", diagnostics);
            continue;
        };
        let Some(key) = json.get("id").and_then(Json::key) else {
            shape(json, "this node has no `id`", diagnostics);
            continue;
        };
        let node = node(json, sort, key, (&flags, &events), &values_of, diagnostics);
        match builder.node(Some(key), node) {
            Ok(id) => made.push((json, id)),
            Err(first) => twice(key, json.span(), first, diagnostics),
        }
    }
    for (json, id) in made {
        links(json, id, &mut builder, diagnostics);
    }
    add_graph(&mut project, builder.graph);
    (!diagnostics.has_errors()).then_some(project)
}

/// A node without its links.
fn node(
    json: Json<'_>,
    sort: &str,
    key: &str,
    (flags, events): (&HashMap<&str, FlagId>, &HashMap<&str, EventId>),
    values_of: &[ValueType],
    diagnostics: &mut Diagnostics,
) -> Node {
    let last = identifier(sort.rsplit('/').next().unwrap_or(sort));
    let name = match key.len() {
        0..=8 => format!("{last}_{}", identifier(key).trim_start_matches('_')),
        _ => last,
    };
    let kind = format!("{}{sort}", Origin::Behave.prefix());
    let place = json.get("type").unwrap_or(json).span();
    let mut node = Node::new(name, kind, place);
    node.title = sort.to_owned();
    let coordinate = |axis| {
        let value = json.path(&["metadata", axis])?;
        value.number().or_else(|| value.text()?.parse().ok())
    };
    node.position = coordinate("positionX").zip(coordinate("positionY"));
    for (name, value) in json
        .get("configuration")
        .into_iter()
        .flat_map(Json::entries)
    {
        if let Some(literal) = value.literal() {
            node.settings.push(Setting {
                name: name.to_owned(),
                value: literal,
                span: value.span(),
            });
        }
    }
    let configured = |name| json.path(&["configuration", name]).and_then(Json::key);
    match sort {
        "variable/get" | "variable/set" => {
            let id = configured("variableId").unwrap_or_default();
            match flags.get(id) {
                Some(&flag) if sort == "variable/get" => node.role = Role::Get(flag),
                Some(&flag) => {
                    node.role = Role::Set(flag);
                    let place = json.get("type").unwrap_or(json).span();
                    let mut pin = Pin::new("value", place);
                    pin.values = Some(values_of[flag.index()].clone());
                    node.values_in.push(pin);
                }
                None => dangling(
                    json.span(),
                    format!("there is no variable `{id}`"),
                    diagnostics,
                ),
            }
        }
        "customEvent/trigger" | "customEvent/onTriggered" => {
            let id = configured("customEventId").unwrap_or_default();
            match events.get(id) {
                Some(&event) if sort == "customEvent/trigger" => node.role = Role::Raise(event),
                Some(&event) => node.role = Role::Receive(event),
                None => dangling(
                    json.span(),
                    format!("there is no event `{id}`"),
                    diagnostics,
                ),
            }
        }
        _ => {}
    }
    node
}

/// A value as the library deserialises it: of a text, only `true`, in letters of any size, is true
/// (Values/BooleanValue).
fn deserialized(values: &ValueType, literal: Option<Literal>) -> Option<Literal> {
    match (values, literal) {
        (ValueType::Bool, Some(Literal::Text(text))) => {
            Some(Literal::Bool(text.eq_ignore_ascii_case("true")))
        }
        (_, literal) => literal,
    }
}

/// The type of a data input: what stands in it is read as such.
fn type_of_input(sort: &str, input: &str) -> Option<ValueType> {
    match input {
        "condition" | "loop" | "autoReset" | "startClosed" => Some(ValueType::Bool),
        "n" | "startIndex" | "endIndex" => Some(ValueType::Int),
        "duration" | "waitDuration" => Some(ValueType::Real),
        _ => match sort.rsplit('/').next() {
            Some("boolean") => Some(ValueType::Bool),
            Some("integer") => Some(ValueType::Int),
            Some("float") => Some(ValueType::Real),
            _ => None,
        },
    }
}

/// The links that stand at a node, and the values in its inputs.
fn links(json: Json<'_>, id: NodeId, builder: &mut Builder<'_>, diagnostics: &mut Diagnostics) {
    let target = |link: Json<'_>, builder: &Builder<'_>, diagnostics: &mut Diagnostics| {
        let key = link.get("nodeId").and_then(Json::key).unwrap_or_default();
        let found = builder.find(key);
        if found.is_none() {
            dangling(
                link.span(),
                format!("there is no node `{key}`"),
                diagnostics,
            );
        }
        found
    };
    let mut flows: Vec<(&str, Json<'_>)> = json
        .get("flows")
        .into_iter()
        .flat_map(Json::entries)
        .collect();
    // Outputs with numbers fire in their order.
    flows.sort_by_key(|(name, _)| name.parse::<u64>().unwrap_or(0));
    for (name, link) in flows {
        if let Some(node) = target(link, builder, diagnostics) {
            let socket = link.get("socket").and_then(Json::text).unwrap_or("flow");
            builder.signal((id, name), (node, socket), link.span());
        }
    }
    for (name, value) in json.get("parameters").into_iter().flat_map(Json::entries) {
        let pin = builder.pin(id, Side::ValueIn, name, value.span());
        if let Some(link) = value.get("link") {
            if let Some(node) = target(link, builder, diagnostics) {
                let socket = link.get("socket").and_then(Json::text).unwrap_or("value");
                builder.wire((node, socket), (id, name), link.span());
            }
        } else {
            let literal = value.get("value").and_then(Json::literal);
            let values = builder.graph.node(id).values_in[pin.index()].values.clone();
            let values = values.or_else(|| type_of_input(&builder.graph.node(id).title, name));
            let literal = match values {
                Some(values) => of_type(&values, deserialized(&values, literal)),
                None => literal,
            };
            builder.get_mut(id).values_in[pin.index()].literal = literal;
        }
    }
}
