//! glTF with KHR_interactivity: `.gltf`, or the JSON chunk of a `.glb`.
//!
//! After the extension's draft specification in the Khronos glTF repository: a graph has types, variables, events,
//! declarations of operations, and nodes that name a declaration. A node's `flows` are its
//! execution outputs, its `values` its data inputs. Outputs of `flow/sequence` and
//! `flow/multiGate` are ordered by their names.

use source::{Diagnostic, Diagnostics, Span};

use super::builder::{
    Builder, Side, add_flag, add_graph, dangling, demanded, first_value, of_type, settled, shape,
};
use super::json::Json;
use super::naming::{Names, identifier};
use crate::codes::files as codes;
use crate::graph::{
    EventId, Flag, FlagId, Graph, Literal, Node, NodeId, Origin, Pin, Project, Role, Setting,
    ValueType,
};

/// The bytes of a file as text: those of a `.glb` are its JSON chunk, all others are as they are.
///
/// # Errors
/// If the container is damaged.
pub fn unpack(name: &str, bytes: Vec<u8>) -> Result<Vec<u8>, Box<Diagnostic>> {
    if bytes.starts_with(b"GDOS") || bytes.starts_with(b"GCPF") {
        let message = format!("`{name}` is an orchestration in Godot's binary form");
        let refused = Diagnostic::error(codes::OTHER_GRAPH, message);
        return Err(Box::new(
            refused.help("save it as text, `.torch`, in the editor"),
        ));
    }
    if !bytes.starts_with(b"glTF") {
        return Ok(bytes);
    }
    let damaged = |what: &str| {
        let message = format!("`{name}` is not a glTF container: {what}");
        Box::new(Diagnostic::error(codes::CONTAINER, message))
    };
    let word = |at: usize| {
        let bytes = bytes.get(at..at + 4)?;
        Some(u32::from_le_bytes(bytes.try_into().ok()?))
    };
    let header = word(4).zip(word(12)).zip(word(16));
    let Some(((version, length), sort)) = header else {
        return Err(damaged("it ends within its header"));
    };
    if version != 2 {
        return Err(damaged(&format!("its version is {version}, not 2")));
    }
    if sort != u32::from_le_bytes(*b"JSON") {
        return Err(damaged("its first chunk is not JSON"));
    }
    let end = usize::try_from(length)
        .ok()
        .and_then(|length| length.checked_add(20));
    match end.and_then(|end| bytes.get(20..end)) {
        Some(chunk) => Ok(chunk.to_vec()),
        None => Err(damaged("it ends within its first chunk")),
    }
}

/// Reads it; none if an error was pushed.
pub(crate) fn read(root: Json<'_>, diagnostics: &mut Diagnostics) -> Option<Project> {
    let extension = root.path(&["extensions", "KHR_interactivity"])?;
    let graphs = demanded(extension, "graphs", diagnostics)?;
    let mut project = Project::default();
    let mut names = Names::default();
    // The other graphs of a file are not run: `graph` names the one that is.
    let chosen = extension.get("graph").and_then(Json::index).unwrap_or(0);
    let count = graphs.items().count();
    let Some(graph) = graphs.items().nth(chosen) else {
        shape(graphs, &format!("there is no graph {chosen}"), diagnostics);
        return None;
    };
    if count > 1 {
        let text = format!("of {count} graphs in the file, number {chosen} is the one that runs");
        settled(&mut project, text, graph.span(), diagnostics);
    }
    Reader {
        names: &mut names,
        project: &mut project,
        diagnostics,
    }
    .graph(graph);
    (!diagnostics.has_errors()).then_some(project)
}

struct Reader<'r> {
    names: &'r mut Names,
    project: &'r mut Project,
    diagnostics: &'r mut Diagnostics,
}

impl Reader<'_> {
    fn graph(&mut self, json: Json<'_>) {
        let name = json.get("name").and_then(Json::text).unwrap_or("graph");
        let graph = Graph::new(identifier(name), Origin::Interactivity, json.span());
        let mut builder = Builder::new(graph);
        let list = |name| json.get(name).into_iter().flat_map(Json::items);
        let types: Vec<&str> = list("types")
            .map(|one| {
                one.get("signature")
                    .and_then(Json::text)
                    .unwrap_or("unknown")
            })
            .collect();
        let mut flags = Vec::new();
        for (number, variable) in list("variables").enumerate() {
            flags.push(self.variable(number, variable, &types));
        }
        let mut events = Vec::new();
        for (number, event) in list("events").enumerate() {
            let id = event.get("id").and_then(Json::text);
            let name = id.map_or_else(|| format!("event_{number}"), str::to_owned);
            let made = self.project.event(&name, event.span());
            // An event without an identity cannot be named from outside.
            self.project.events[made.index()].from_outside |= id.is_some();
            events.push(made);
        }
        let operations: Vec<Option<&str>> = list("declarations")
            .map(|one| one.get("op").and_then(Json::text))
            .collect();
        let Some(nodes) = demanded(json, "nodes", self.diagnostics) else {
            return;
        };
        let nodes: Vec<Json<'_>> = nodes.items().collect();
        for (number, json) in nodes.iter().enumerate() {
            let declaration = json.get("declaration").and_then(Json::index);
            let operation = declaration.and_then(|at| operations.get(at).copied().flatten());
            let Some(operation) = operation else {
                let message = format!("node {number} names no declared operation");
                shape(*json, &message, self.diagnostics);
                continue;
            };
            let node = self.node(number, *json, operation, &flags, &events);
            // A node without an identity is no second one.
            let _ = builder.node(None, node);
        }
        if self.diagnostics.has_errors() {
            return;
        }
        // Where delays are cancelled, none is certain to end.
        if operations.contains(&Some("flow/cancelDelay")) {
            for node in &mut builder.graph.nodes {
                if node.title == "flow/setDelay" {
                    node.kind.push_str(".cancellable");
                }
            }
        }
        for (number, json) in nodes.iter().enumerate() {
            self.links(NodeId::new(number), *json, &types, &mut builder);
        }
        add_graph(self.project, builder.graph);
    }

    fn variable(&mut self, number: usize, json: Json<'_>, types: &[&str]) -> FlagId {
        let id = json.get("id").or_else(|| json.get("name"));
        let id = id.and_then(Json::text);
        let name = id.map_or_else(|| format!("variable_{number}"), identifier);
        let at = json.get("type").and_then(Json::index);
        let (values, default) = match at.and_then(|at| types.get(at).copied()) {
            Some("bool") => (ValueType::Bool, Some(Literal::Bool(false))),
            Some("int") => (ValueType::Int, Some(Literal::Int(0))),
            Some("float") => (ValueType::Real, Some(Literal::Number(f64::NAN))),
            other => (
                ValueType::Other(other.unwrap_or("unknown").to_owned()),
                None,
            ),
        };
        let stated = json.get("value");
        let stated = stated.map(|value| single(value).and_then(Json::literal));
        let flag = Flag {
            name,
            initial: first_value(&values, stated, default).filter(fits),
            values,
            span: json.span(),
        };
        add_flag(self.project, self.names, flag)
    }

    fn node(
        &mut self,
        number: usize,
        json: Json<'_>,
        operation: &str,
        flags: &[FlagId],
        events: &[EventId],
    ) -> Node {
        let last = operation.rsplit('/').next().unwrap_or(operation);
        let kind = format!("{}{operation}", Origin::Interactivity.prefix());
        let place = json.get("declaration").unwrap_or(json).span();
        let mut node = Node::new(format!("{}_{number}", identifier(last)), kind, place);
        node.title = operation.to_owned();
        for (name, value) in json
            .get("configuration")
            .into_iter()
            .flat_map(Json::entries)
        {
            let values = value.get("value").unwrap_or(value);
            for value in values.items() {
                if let Some(literal) = value.literal() {
                    node.settings.push(Setting {
                        name: name.to_owned(),
                        value: literal,
                        span: value.span(),
                    });
                }
            }
        }
        configure(operation, json, &mut node);
        let chosen = |name| configured(json, name).find_map(Json::index);
        match operation {
            "variable/set" | "variable/setMultiple" => {
                self.setter(number, json, flags, &mut node);
            }
            "variable/get" | "variable/interpolate" => {
                let at = chosen("variable");
                match (at.and_then(|at| flags.get(at)), operation) {
                    (Some(&flag), "variable/get") => node.role = Role::Get(flag),
                    (Some(&flag), _) => self.interpolated(flag, json.span()),
                    (None, _) => {
                        let message = format!("node {number} names no variable of the graph");
                        dangling(json.span(), message, self.diagnostics);
                    }
                }
            }
            "event/send" | "event/receive" => match chosen("event").and_then(|at| events.get(at)) {
                Some(&event) if operation == "event/send" => node.role = Role::Raise(event),
                Some(&event) => node.role = Role::Receive(event),
                None => {
                    let message = format!("node {number} names no event of the graph");
                    dangling(json.span(), message, self.diagnostics);
                }
            },
            _ => {}
        }
        node
    }

    /// All values are known before the first variable is set. Each stands in an input that is
    /// called as the variable is counted; in drafts, the only one in `value`.
    fn setter(&mut self, number: usize, json: Json<'_>, flags: &[FlagId], node: &mut Node) {
        node.role = Role::SetAll;
        let several = configured(json, "variables").filter_map(Json::index);
        let mut names: Vec<(usize, String)> = several.map(|at| (at, at.to_string())).collect();
        if let Some(at) = configured(json, "variable").find_map(Json::index) {
            names.push((at, "value".to_owned()));
        }
        if names.is_empty() {
            let message = format!("node {number} names no variable of the graph");
            dangling(json.span(), message, self.diagnostics);
        }
        for (at, name) in names {
            let Some(&flag) = flags.get(at) else {
                let message = format!("there is no variable {at}");
                dangling(json.span(), message, self.diagnostics);
                continue;
            };
            if node.value_in(&name).is_none() {
                let mut pin = Pin::new(name, json.span());
                pin.sets = Some(flag);
                node.values_in.push(pin);
            }
        }
    }

    /// A variable that changes over time takes values that nothing in the graph states.
    fn interpolated(&mut self, flag: FlagId, span: Span) {
        let flag = &mut self.project.flags[flag.index()];
        if !matches!(flag.values, ValueType::Other(_)) {
            flag.values = ValueType::Other("interpolated".to_owned());
            flag.initial = None;
            let text = format!("`{}` is interpolated: its value is not followed", flag.name);
            settled(self.project, text, span, self.diagnostics);
        }
    }

    /// The links that stand at a node, and the values in its inputs.
    fn links(&mut self, id: NodeId, json: Json<'_>, types: &[&str], builder: &mut Builder<'_>) {
        let count = builder.graph.nodes.len();
        let flows = json.get("flows").into_iter().flat_map(Json::entries);
        let mut flows: Vec<(&str, Json<'_>)> = flows.collect();
        flows.sort_by_cached_key(|(name, _)| name.encode_utf16().collect::<Vec<u16>>());
        let latent = is_latent(&builder.graph.node(id).title);
        for (name, link) in flows {
            let Some(to) = self.target(link, count) else {
                continue;
            };
            let socket = link.get("socket").and_then(Json::text).unwrap_or("in");
            let (from, into) = (builder.graph.node(id), builder.graph.node(to));
            let leaves = from.title != "flow/switch" || from.signal_out(name).is_some();
            let enters = into.title != "flow/waitAll" || into.signal_in(socket).is_some();
            if !leaves || !enters {
                let message = "the configuration of the node makes no such socket";
                let warning = Diagnostic::warning(codes::DANGLING, message).at(link.span());
                self.diagnostics.push(warning.help("no signal passes here"));
                continue;
            }
            builder.signal((id, name), (to, socket), link.span());
            if name == "done" && latent {
                let pin = builder.pin(id, Side::SignalOut, name, link.span());
                builder.get_mut(id).signals_out[pin.index()].latent = true;
            }
        }
        for (name, value) in json.get("values").into_iter().flat_map(Json::entries) {
            let pin = builder.pin(id, Side::ValueIn, name, value.span());
            if value.get("node").is_some() {
                if let Some(from) = self.target(value, count) {
                    let socket = value.get("socket").and_then(Json::text).unwrap_or("value");
                    builder.wire((from, socket), (id, name), value.span());
                }
            } else {
                builder.get_mut(id).values_in[pin.index()].literal = typed(value, types);
            }
        }
    }

    fn target(&mut self, link: Json<'_>, count: usize) -> Option<NodeId> {
        let at = link.get("node").and_then(Json::index);
        let found = at.filter(|&at| at < count).map(NodeId::new);
        if found.is_none() {
            let message = "this link names no node of the graph";
            dangling(link.span(), message, self.diagnostics);
        }
        found
    }
}

/// The values of a setting.
fn configured<'a>(json: Json<'a>, name: &str) -> impl Iterator<Item = Json<'a>> {
    let value = json.path(&["configuration", name, "value"]);
    value.into_iter().flat_map(Json::items)
}

/// The only element.
fn single(list: Json<'_>) -> Option<Json<'_>> {
    let mut items = list.items();
    items.next().filter(|_| items.next().is_none())
}

/// A value that stands in the file, of the type that it is said to have.
fn typed(value: Json<'_>, types: &[&str]) -> Option<Literal> {
    let literal = value.get("value").and_then(single).and_then(Json::literal);
    let signature = value.get("type").and_then(Json::index);
    let values = match signature.and_then(|at| types.get(at).copied()) {
        Some("bool") => ValueType::Bool,
        Some("int") => ValueType::Int,
        Some("float") => ValueType::Real,
        Some(_) => return None,
        None => return literal,
    };
    of_type(&values, literal).filter(fits)
}

/// Whole numbers have 32 bits.
fn fits(literal: &Literal) -> bool {
    literal
        .as_int()
        .is_none_or(|number| i32::try_from(number).is_ok())
}

/// What the configuration of a node says of its sockets. One that is not valid counts for nothing.
fn configure(operation: &str, json: Json<'_>, node: &mut Node) {
    let span = json.span();
    match operation {
        // All inputs count, whether a link enters them or not.
        "flow/waitAll" => {
            let count = node.setting("inputFlows").and_then(Literal::as_int);
            let count = count.filter(|count| (0..=64).contains(count));
            let inputs = (0..count.unwrap_or(0)).map(|input| input.to_string());
            let inputs = inputs.chain(["reset".to_owned()]);
            node.signals_in
                .extend(inputs.map(|name| Pin::new(name, span)));
            node.settings.clear();
        }
        "flow/switch" => {
            let cases: Option<Vec<i32>> = configured(json, "cases")
                .map(|case| i32::try_from(case.int()?).ok())
                .collect();
            for case in cases.unwrap_or_default() {
                let name = case.to_string();
                if node.signal_out(&name).is_none() {
                    node.signals_out.push(Pin::new(name, span));
                }
            }
            node.signals_out.push(Pin::new("default", span));
            node.settings.clear();
        }
        "flow/multiGate" => {
            let stands = |name| {
                node.setting(name)
                    .is_some_and(|value| value.as_bool().is_some())
            };
            if !stands("isRandom") || !stands("isLoop") {
                node.settings.clear();
            }
        }
        _ => {}
    }
}

/// Whether the output `done` of the operation fires when something has ended.
fn is_latent(operation: &str) -> bool {
    matches!(
        operation,
        "flow/setDelay"
            | "variable/interpolate"
            | "pointer/interpolate"
            | "animation/start"
            | "animation/stopAt"
    )
}
