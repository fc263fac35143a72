//! O3DE Script Canvas: `.scriptcanvas` files in their JSON form.
//!
//! The graph stands in `ClassData.m_scriptCanvas.Components.*.m_graphData`, with nodes whose
//! component holds *slots*, and connections between (node, slot) pairs; variables in the component
//! beside it; positions in `GraphCanvasData`. The shape is read off the files of the O3DE
//! repository and its serialisation code (`Gems/ScriptCanvas`).
//!
//! Handlers of events have one output for each event. Each such output becomes an entry node of its own, because each
//! is entered by itself; what is left of the handler is its `Connect`.

use std::collections::{HashMap, HashSet};

use source::{Diagnostic, Diagnostics, Span};

use super::breaks::{CANVAS, connect_breaks};
use super::builder::{
    Builder, Side, add_flag, add_graph, dangling, demanded, first_value, of_type, settled, shape,
    twice,
};
use super::json::Json;
use super::naming::{Names, identifier};
use crate::codes::files as codes;
use crate::graph::{
    End, Flag, FlagId, Graph, Link, Literal, Node, NodeId, Origin, Pin, PinId, Project, Role,
    Setting, ValueType,
};

/// The identity that stands for the entity whose script it is (`GraphOwnerId` in ScriptCanvas/Core/Core.h).
const GRAPH_OWNER: i64 = 0xacedc0de;

/// Reads it; none if an error was pushed.
pub(crate) fn read(root: Json<'_>, diagnostics: &mut Diagnostics) -> Option<Project> {
    let canvas = root.path(&["ClassData", "m_scriptCanvas"])?;
    let components = demanded(canvas, "Components", diagnostics)?;
    let name = canvas.get("Name").and_then(Json::text).unwrap_or("canvas");
    let graph = Graph::new(identifier(name), Origin::ScriptCanvas, canvas.span());
    let mut reader = Reader {
        project: Project::default(),
        builder: Builder::new(graph),
        flags: HashMap::new(),
        slots: HashMap::new(),
        switched: HashMap::new(),
        called: HashMap::new(),
        event_names: HashMap::new(),
        diagnostics,
    };
    let mut found = false;
    for (_, component) in components.entries() {
        reader.variables(component);
    }
    for (_, component) in components.entries() {
        let class = component
            .get("$type")
            .and_then(Json::text)
            .unwrap_or_default();
        found |= matches!(without_guid(class), "EditorGraph" | "Graph");
        if let Some(data) = component.get("m_graphData") {
            found = true;
            reader.graph(component, data);
        }
    }
    if !found {
        shape(components, "no component is a graph", reader.diagnostics);
    }
    let mut project = reader.project;
    add_graph(&mut project, reader.builder.graph);
    (!diagnostics.has_errors()).then_some(project)
}

/// A slot of a node: its list, and its place in the list.
type Slot<'a> = (&'a str, Side, PinId);

struct Reader<'a, 'r> {
    project: Project,
    builder: Builder<'a>,
    /// Variables by identity.
    flags: HashMap<&'a str, FlagId>,
    /// Slots by the identities of node and slot.
    slots: HashMap<(&'a str, &'a str), (NodeId, Side, PinId)>,
    /// The inputs of events that a handler's inputs switch on and off.
    switched: HashMap<(&'a str, &'a str), Vec<End>>,
    /// Names of the functions that the file defines, by identity.
    called: HashMap<&'a str, &'a str>,
    /// Names of events that the file handles, by number.
    event_names: HashMap<&'a str, &'a str>,
    diagnostics: &'r mut Diagnostics,
}

impl<'a> Reader<'a, '_> {
    fn variables(&mut self, component: Json<'a>) {
        let map = component.path(&["m_variableData", "m_nameVariableMap"]);
        let mut names = Names::default();
        for flag in &self.project.flags {
            names.unique(&flag.name);
        }
        for entry in map.into_iter().flat_map(Json::items) {
            let Some(id) = entry.path(&["Key", "m_id"]).and_then(Json::text) else {
                shape(entry, "this variable has no identity", self.diagnostics);
                continue;
            };
            let name = entry.path(&["Value", "VariableName"]).and_then(Json::text);
            let datum = entry.path(&["Value", "Datum"]);
            let values = datum.map_or(ValueType::Other("unknown".to_owned()), type_of);
            let stated = datum.and_then(|datum| datum.get("value"));
            let stated = stated.map(Json::literal);
            let default = (values == ValueType::Bool).then_some(Literal::Bool(false));
            let initial = first_value(&values, stated, default);
            // Each entity may give it a first value of its own.
            let source = entry.path(&["Value", "InitialValueSource"]);
            let from_entity = source.and_then(Json::int).is_some_and(|source| source != 0);
            let flag = Flag {
                name: identifier(name.unwrap_or("variable")),
                initial: initial.filter(|_| !from_entity),
                values,
                span: entry.span(),
            };
            let flag = add_flag(&mut self.project, &mut names, flag);
            self.flags.insert(id, flag);
        }
    }

    fn graph(&mut self, component: Json<'a>, data: Json<'a>) {
        let positions = positions(component);
        let list = |name| data.get(name).into_iter().flat_map(Json::items);
        let linked: HashSet<(&str, &str)> = list("m_connections")
            .filter_map(connection)
            .flat_map(|connection| [connection.from, connection.to])
            .collect();
        for json in list("m_nodes") {
            for (_, component) in json.get("Components").into_iter().flat_map(Json::entries) {
                for entry in component
                    .get("m_eventMap")
                    .into_iter()
                    .flat_map(Json::items)
                {
                    let id = entry.path(&["Key", "Value"]).and_then(Json::key);
                    let name = entry.path(&["Value", "m_eventName"]).and_then(Json::text);
                    self.event_names.extend(id.zip(name));
                }
                let names = component
                    .get("m_identifier")
                    .zip(component.get("m_displayName"));
                if let Some((id, name)) = names
                    && let (Some(id), Some(name)) = (id.text(), name.text())
                {
                    self.called.insert(id, name);
                }
            }
        }
        for json in list("m_nodes") {
            let Some(id) = json.path(&["Id", "id"]).and_then(Json::key) else {
                shape(json, "this node has no identity", self.diagnostics);
                continue;
            };
            let mut components = json.get("Components").into_iter().flat_map(Json::entries);
            let component = components.find(|(_, one)| one.get("$type").is_some());
            match component {
                Some((_, component)) => {
                    let at = positions.get(id).copied();
                    self.node(json, id, component, at, &linked);
                }
                None => shape(json, "this node has no component", self.diagnostics),
            }
        }
        for json in list("m_connections") {
            match connection(json) {
                Some(found) => self.connect(&found),
                None => shape(json, "this connection names no two slots", self.diagnostics),
            }
        }
        self.failed_connections();
        connect_breaks(&mut self.builder, &CANVAS);
    }

    /// No event comes from a handler that could not be connected.
    fn failed_connections(&mut self) {
        let mut switched: Vec<_> = self.switched.iter().collect();
        switched.sort_unstable();
        for (&(handler, _), events) in switched {
            let Some(handler) = self.builder.find(handler) else {
                continue;
            };
            let node = &self.builder.graph.nodes[handler.index()];
            let span = node.span;
            if node.signals_out.iter().any(|pin| pin.name == "OnFailure") {
                for event in events {
                    let to = (event.node, "Disconnect");
                    self.builder.signal((handler, "OnFailure"), to, span);
                }
            }
        }
    }

    fn node(
        &mut self,
        json: Json<'a>,
        id: &'a str,
        component: Json<'a>,
        position: Option<(f64, f64)>,
        linked: &HashSet<(&str, &str)>,
    ) {
        let class = component
            .get("$type")
            .and_then(Json::text)
            .unwrap_or_default();
        let class = without_guid(class);
        let place = json.get("Name").unwrap_or(json).span();
        let mut node = Node::new("", kind(class, component), place);
        node.title = title(class, component, json);
        node.name = identifier(&node.title);
        node.position = position;
        settings(component, &mut node);
        self.role(class, component, &mut node);
        let off = component
            .get("NodeDisabledFlag")
            .and_then(Json::int)
            .unwrap_or(0)
            != 0;
        if off {
            node.role = Role::Remark;
            let text = format!("`{}` is switched off: it does nothing", node.title);
            settled(&mut self.project, text, json.span(), self.diagnostics);
        }
        let events = events(component);
        let slots = self.pins(component, &mut node, &events);
        let whole = node.clone();
        if !off && !events.is_empty() {
            self.split(id, component, &events, &whole, linked);
            let used = slots.iter().any(|&(slot, ..)| linked.contains(&(id, slot)));
            if !used {
                return;
            }
        }
        match self.builder.node(Some(id), node) {
            Ok(made) => {
                for (slot, side, at) in slots {
                    self.slots.insert((id, slot), (made, side, at));
                }
            }
            Err(first) => twice(id, json.span(), first, self.diagnostics),
        }
    }

    /// The node's pins out of its slots, and where each slot is.
    fn pins(
        &mut self,
        component: Json<'a>,
        node: &mut Node,
        events: &[Event<'a>],
    ) -> Vec<Slot<'a>> {
        let mut found: Vec<Slot<'a>> = Vec::new();
        let mut names: [Names; 4] = Default::default();
        for slot in component.get("Slots").into_iter().flat_map(Json::items) {
            let Some(id) = slot.path(&["id", "m_id"]).and_then(Json::text) else {
                shape(slot, "this slot has no identity", self.diagnostics);
                continue;
            };
            if events.iter().any(|event| event.slot == id) {
                continue;
            }
            let name = slot
                .get("slotName")
                .and_then(Json::text)
                .unwrap_or_default();
            let name = name.strip_prefix("ExecutionSlot:").unwrap_or(name);
            let name = match name.trim() {
                "" => "In",
                name => name,
            };
            let descriptor = |what| slot.path(&["Descriptor", what]).and_then(Json::int);
            let mut pin = Pin::new(name, slot.span());
            let (list, side) = match (descriptor("ConnectionType"), descriptor("SlotType")) {
                (Some(1), Some(1)) => (&mut node.signals_in, Side::SignalIn),
                (Some(2), Some(1)) => (&mut node.signals_out, Side::SignalOut),
                (Some(1), Some(2)) => (&mut node.values_in, Side::ValueIn),
                (Some(2), Some(2)) => (&mut node.values_out, Side::ValueOut),
                // Slots that only group others, or add some in the editor.
                _ => continue,
            };
            pin.name = names[side as usize].unique_with(&pin.name, " ");
            pin.latent = slot.get("IsLatent").and_then(Json::bool) == Some(true);
            if slot.get("DisplayDataType").is_some() {
                pin.values = Some(type_in(slot, "DisplayDataType"));
            }
            if slot.get("IsReference").and_then(Json::bool) == Some(true) {
                let variable = slot.path(&["VariableReference", "m_id"]);
                let variable = variable.and_then(Json::text);
                pin.flag = variable.and_then(|id| self.flags.get(id).copied());
            }
            let at = PinId::new(list.len());
            list.push(pin);
            found.push((id, side, at));
        }
        // Values stand in a list of their own, in the order of the inputs.
        let datums = component.get("Datums").into_iter().flat_map(Json::items);
        let datums: Vec<Json<'_>> = datums.collect();
        if datums.len() == node.values_in.len() {
            for (datum, pin) in datums.into_iter().zip(&mut node.values_in) {
                let values = type_of(datum);
                let stated = datum.get("value").and_then(Json::literal);
                pin.literal = of_type(&values, stated).filter(|_| pin.flag.is_none());
                pin.values.get_or_insert(values);
            }
        }
        found
    }

    /// One entry for each event of a handler that something is linked to.
    fn split(
        &mut self,
        id: &'a str,
        component: Json<'a>,
        events: &[Event<'a>],
        whole: &Node,
        linked: &HashSet<(&str, &str)>,
    ) {
        let scripted = component.get("m_scriptEventAssetId").is_some();
        for (number, event) in events.iter().enumerate() {
            if !linked.contains(&(id, event.slot)) {
                continue;
            }
            let is_linked = |pin: &&Pin| {
                let slot = slot_at(component, pin.span);
                slot.is_some_and(|slot| linked.contains(&(id, slot)))
            };
            let switches: Vec<&Pin> = whole.signals_in.iter().filter(is_linked).collect();
            let stays = switches.is_empty() && !whole.values_in.iter().any(|pin| is_linked(&pin));
            let kind = match stays && is_own_activation(component, event) {
                true => "canvas:Event.Activated",
                false if switches.is_empty() || scripted => "canvas:Event",
                false if switches.iter().any(|pin| pin.name == "Connect") => {
                    "canvas:Event.Connected"
                }
                false => "canvas:Event.Disconnected",
            };
            let mut node = Node::new(identifier(event.name), kind, event.span);
            node.title = match component.get("m_ebusName").and_then(Json::text) {
                Some(bus) => format!("{bus}: {}", event.name),
                None => event.name.to_owned(),
            };
            #[expect(clippy::cast_precision_loss, reason = "a place in a picture")]
            let down = number as f64 * 70.0;
            node.position = whole.position.map(|(x, y)| (x, y + down));
            node.signals_out.push(Pin::new("Out", event.span));
            node.values_out = whole.values_out.clone();
            if scripted {
                let raised = self.project.event(event.name, event.span);
                // Other scripts of the level, and code, may send it as well.
                self.project.events[raised.index()].from_outside = true;
                node.role = Role::Receive(raised);
            }
            if let Ok(made) = self.builder.node(None, node) {
                let out = (made, Side::SignalOut, PinId(0));
                self.slots.insert((id, event.slot), out);
                if kind == "canvas:Event.Connected" || kind == "canvas:Event.Disconnected" {
                    let slots = switches
                        .iter()
                        .filter_map(|pin| slot_at(component, pin.span));
                    for (pin, slot) in switches.iter().zip(slots) {
                        let end = End {
                            node: made,
                            pin: self.builder.pin(made, Side::SignalIn, &pin.name, pin.span),
                        };
                        self.switched.entry((id, slot)).or_default().push(end);
                    }
                }
                let values = whole.values_out.iter().enumerate();
                for (at, pin) in values {
                    let slot = slot_at(component, pin.span);
                    if let Some(slot) = slot.filter(|slot| event.parameters.contains(slot)) {
                        let out = (made, Side::ValueOut, PinId::new(at));
                        self.slots.insert((id, slot), out);
                    }
                }
            }
        }
    }

    fn role(&mut self, class: &str, component: Json<'a>, node: &mut Node) {
        match class {
            "GetVariableNode" | "SetVariableNode" => {
                let id = component
                    .path(&["m_variableId", "m_id"])
                    .and_then(Json::text);
                match id.and_then(|id| self.flags.get(id)) {
                    Some(&flag) => {
                        let name = &self.project.flags[flag.index()].name;
                        if class == "GetVariableNode" {
                            node.role = Role::Get(flag);
                            node.title = format!("Get {name}");
                        } else {
                            node.role = Role::Set(flag);
                            node.title = format!("Set {name}");
                        }
                        node.name = identifier(&node.title);
                    }
                    None => self.diagnostics.push(
                        Diagnostic::warning(
                            codes::DANGLING,
                            "this node names no variable of the file",
                        )
                        .at(component.span()),
                    ),
                }
            }
            "SendScriptEvent" => {
                // The file names an event that is sent by a number only; a handler in the same
                // file tells its name.
                let id = component.path(&["m_eventId", "Value"]).and_then(Json::key);
                let id = id.unwrap_or("unknown");
                let name = match self.event_names.get(id) {
                    Some(&name) => name.to_owned(),
                    None => format!("script event {id}"),
                };
                node.title = format!("Send {name}");
                node.name = identifier(&node.title);
                node.role = Role::Raise(self.project.event(&name, component.span()));
            }
            "FunctionDefinitionNode" => {
                let entry = component.get("m_isExecutionEntry").and_then(Json::bool);
                let name = component.get("m_displayName").and_then(Json::text);
                if let Some(name) = name {
                    node.title = name.to_owned();
                    node.name = identifier(name);
                    if entry != Some(false) {
                        let event = self.project.event(name, component.span());
                        self.project.events[event.index()].from_outside = true;
                        node.role = Role::Receive(event);
                    }
                }
            }
            "FunctionCallNode" => {
                let id = component.get("m_sourceId").and_then(Json::text);
                if let Some(&name) = id.and_then(|id| self.called.get(id)) {
                    let event = self.project.event(name, component.span());
                    node.role = Role::Raise(event);
                    node.title = name.to_owned();
                    node.name = identifier(name);
                }
            }
            _ => {}
        }
    }

    fn connect(&mut self, link: &Connection<'a>) {
        let ends = self.slots.get(&link.from).zip(self.slots.get(&link.to));
        let span = link.span;
        // Some files name the input first; the editor takes them either way.
        let is_input = |side| matches!(side, Side::SignalIn | Side::ValueIn);
        let ends = ends.map(|(a, b)| if is_input(a.1) { (b, a) } else { (a, b) });
        match ends {
            Some((&(a, Side::SignalOut, p), &(b, Side::SignalIn, q))) => {
                let (from, to) = (End { node: a, pin: p }, End { node: b, pin: q });
                // What becomes of the events of a handler is so before it says that it is.
                let events = [link.from, link.to].into_iter();
                let events = events.filter_map(|slot| self.switched.get(&slot)).flatten();
                let links = events.chain([&to]).map(|&to| Link { from, to, span });
                self.builder.graph.signals.extend(links);
            }
            Some((&(a, Side::ValueOut, p), &(b, Side::ValueIn, q))) => {
                let (from, to) = (End { node: a, pin: p }, End { node: b, pin: q });
                self.builder.graph.wires.push(Link { from, to, span });
            }
            Some(_) => dangling(
                span,
                "this connection joins pins that do not fit",
                self.diagnostics,
            ),
            None => self.diagnostics.push(
                Diagnostic::warning(
                    codes::DANGLING,
                    "this connection names a slot that no node has",
                )
                .at(span)
                .help("the editor drops such a connection when it opens the file"),
            ),
        }
    }
}

/// A connection between two slots, each named by node and slot.
struct Connection<'a> {
    from: (&'a str, &'a str),
    to: (&'a str, &'a str),
    span: Span,
}

fn connection(json: Json<'_>) -> Option<Connection<'_>> {
    let mut components = json.get("Components")?.entries();
    let (_, component) = components.find(|(_, one)| one.get("sourceEndpoint").is_some())?;
    let end = |name| {
        let end = component.get(name)?;
        let node = end.path(&["nodeId", "id"])?.key()?;
        Some((node, end.path(&["slotId", "m_id"])?.text()?))
    };
    Some(Connection {
        from: end("sourceEndpoint")?,
        to: end("targetEndpoint")?,
        span: json.span(),
    })
}

/// An event of a handler.
struct Event<'a> {
    name: &'a str,
    slot: &'a str,
    parameters: Vec<&'a str>,
    span: Span,
}

fn events(component: Json<'_>) -> Vec<Event<'_>> {
    let map = component
        .get("m_eventMap")
        .into_iter()
        .flat_map(Json::items);
    let mut events: Vec<Event<'_>> = map.filter_map(|entry| event(entry.get("Value")?)).collect();
    events.extend(single_event(component));
    events
}

/// The one event of a handler of `AZ::Event`: its output is found by its name, and all data outputs are its
/// parameters.
fn single_event(component: Json<'_>) -> Option<Event<'_>> {
    let entry = component.get("m_azEventEntry")?;
    let slots = || component.get("Slots").into_iter().flat_map(Json::items);
    let named =
        slots().find(|slot| slot.get("slotName").and_then(Json::text) == Some("OnEvent"))?;
    let is_output = |slot: &Json<'_>| {
        let descriptor = |what| slot.path(&["Descriptor", what]).and_then(Json::int);
        (descriptor("ConnectionType"), descriptor("SlotType")) == (Some(2), Some(2))
    };
    Some(Event {
        name: entry.get("m_eventName")?.text()?,
        slot: named.path(&["id", "m_id"])?.text()?,
        parameters: slots()
            .filter(is_output)
            .filter_map(|slot| slot.path(&["id", "m_id"])?.text())
            .collect(),
        span: entry.span(),
    })
}

/// The slot that stands there.
fn slot_at(component: Json<'_>, span: Span) -> Option<&str> {
    let mut slots = component.get("Slots").into_iter().flat_map(Json::items);
    let slot = slots.find(|slot| slot.span() == span)?;
    slot.path(&["id", "m_id"])?.text()
}

/// Whether an event of a handler says that the entity whose script this is has been activated.
fn is_own_activation(component: Json<'_>, event: &Event<'_>) -> bool {
    let bus = component.get("m_ebusName").and_then(Json::text);
    let mut datums = component.get("Datums").into_iter().flat_map(Json::items);
    let is_owner =
        |datum: Json<'_>| datum.path(&["value", "id"]).and_then(Json::int) == Some(GRAPH_OWNER);
    bus == Some("EntityBus") && event.name == "OnEntityActivated" && datums.any(is_owner)
}

fn event(json: Json<'_>) -> Option<Event<'_>> {
    let parameters = json
        .get("m_parameterSlotIds")
        .into_iter()
        .flat_map(Json::items);
    Some(Event {
        name: json.get("m_eventName")?.text()?,
        slot: json.path(&["m_eventSlotId", "m_id"])?.text()?,
        parameters: parameters
            .filter_map(|one| one.get("m_id")?.text())
            .collect(),
        span: json.span(),
    })
}

/// Positions of nodes, as the editor keeps them.
fn positions(component: Json<'_>) -> HashMap<&str, (f64, f64)> {
    let mut positions = HashMap::new();
    for entry in component
        .get("GraphCanvasData")
        .into_iter()
        .flat_map(Json::items)
    {
        let id = entry.path(&["Key", "id"]).and_then(Json::key);
        let data = entry.path(&["Value", "ComponentData"]);
        let data = data.into_iter().flat_map(Json::entries);
        for (_, part) in data {
            let place: Vec<f64> = part
                .get("Position")
                .into_iter()
                .flat_map(Json::items)
                .filter_map(Json::number)
                .collect();
            if let (Some(id), &[x, y]) = (id, place.as_slice()) {
                positions.insert(id, (x, y));
            }
        }
    }
    positions
}

/// Settings that are texts, numbers or truth values, or identities of an event or a method.
fn settings(component: Json<'_>, node: &mut Node) {
    for (name, value) in component.entries() {
        if matches!(name, "$type" | "Id") {
            continue;
        }
        if let Some(literal) = value.literal() {
            node.settings.push(Setting {
                name: name.to_owned(),
                value: literal,
                span: value.span(),
            });
        }
    }
}

/// `{GUID} Name` without the GUID.
fn without_guid(class: &str) -> &str {
    match class
        .strip_prefix('{')
        .and_then(|rest| rest.split_once("} "))
    {
        Some((_, name)) => name,
        None => class,
    }
}

fn kind(class: &str, component: Json<'_>) -> String {
    let prefix = Origin::ScriptCanvas.prefix();
    let text = |name| component.get(name).and_then(Json::text);
    match class {
        "Method" | "MethodOverloaded" => {
            let method = text("methodName").unwrap_or_default();
            format!("{prefix}{class}.{method}")
        }
        _ if class.starts_with("(NodeFunctionGeneric") => format!("{prefix}NodeFunction.{class}"),
        _ => {
            let class = class.strip_suffix("NodeableNode").unwrap_or(class);
            format!("{prefix}{class}")
        }
    }
}

fn title(class: &str, component: Json<'_>, json: Json<'_>) -> String {
    let text = |name| component.get(name).and_then(Json::text);
    let shown = match class {
        "Method" | "MethodOverloaded" => text("methodName"),
        "EBusEventHandler" => text("m_ebusName"),
        _ => None,
    };
    if let Some(shown) = shown {
        return shown.to_owned();
    }
    let name = json.get("Name").and_then(Json::text).unwrap_or(class);
    // Some nodes have no name but their number.
    let number = name.bytes().all(|byte| byte.is_ascii_digit());
    let name = if number { class } else { name };
    let inner = name
        .strip_prefix("SC-Node(")
        .or_else(|| name.strip_prefix("SC Node("))
        .or_else(|| name.strip_prefix("SC-EventNode("));
    let name = inner
        .and_then(|name| name.strip_suffix(')'))
        .unwrap_or(name);
    let name = name.strip_suffix("NodeableNode").unwrap_or(name);
    super::naming::spaced(name)
}

/// The type of a value or a variable.
fn type_of(datum: Json<'_>) -> ValueType {
    type_in(datum, "scriptCanvasType")
}

/// After `ScriptCanvas::Data::eType`.
fn type_in(json: Json<'_>, member: &str) -> ValueType {
    let number = json.path(&[member, "m_type"]).and_then(Json::int);
    let name = match number {
        Some(0) => return ValueType::Bool,
        Some(1) => "EntityId",
        Some(3) => return ValueType::Real,
        Some(5) => "String",
        Some(6) => "Quaternion",
        Some(7) => "Transform",
        Some(8) => "Vector3",
        Some(9) => "Vector2",
        Some(10) => "Vector4",
        Some(11) => "AABB",
        Some(12) => "Color",
        Some(13) => "CRC",
        Some(14) => "Matrix3x3",
        Some(15) => "Matrix4x4",
        Some(16) => "OBB",
        _ => "object",
    };
    ValueType::Other(name.to_owned())
}
