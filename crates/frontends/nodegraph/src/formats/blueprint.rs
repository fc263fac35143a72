//! Unreal Blueprint as it stands on the clipboard: objects in T3D, Unreal's text form of objects.
//!
//! An object is a block `Begin Object Class=... Name="..." ... End Object` of properties; a node's
//! pins are its `CustomProperties Pin (...)` lines, links are named at both ends. Lines outside of
//! blocks are passed over, so that a page that quotes such a text can be read as it is.
//!
//! Objects of several graphs may stand in one file: their `ExportPath` says which graph each belongs to.
//! A graph that begins with a function's entry is a function, one with tunnels is a macro; calls of
//! those that are in the file are followed. The clipboard knows nothing of the
//! variables but their names and types: that they start as their type's default is said.

mod properties;

use std::collections::{HashMap, HashSet};

use source::{Diagnostic, Diagnostics, SourceFile, Span};

use super::builder::{Builder, Side, add_flag, dangling, first_value, settled, twice};
use super::naming::{Names, identifier, spaced};
use crate::codes::files as codes;
use crate::graph::{
    End, Flag, FlagId, Graph, GraphId, Link, Literal, Node, NodeId, Origin, Pin, PinId, Project,
    Role, Setting, Sort, ValueType,
};
use properties::{Object, Properties, objects};

/// Whether a text holds such objects.
pub(crate) fn recognise(text: &str) -> bool {
    text.lines()
        .any(|line| line.trim_start().starts_with("Begin Object "))
}

/// Reads it; none if an error was pushed.
pub(crate) fn read(file: &SourceFile, diagnostics: &mut Diagnostics) -> Option<Project> {
    let objects = objects(file, diagnostics);
    let (nodes, others): (Vec<Object<'_>>, Vec<Object<'_>>) = objects
        .into_iter()
        .partition(|object| is_node(object.class));
    if nodes.is_empty() && diagnostics.has_errors() {
        return None;
    }
    if nodes.is_empty() {
        let first = others.first();
        let class = first.map_or("", |object| object.class);
        let message = format!(
            "these objects are {}, not a Blueprint's nodes",
            sort_of(class)
        );
        let at = first.map_or(Span::NONE, |object| object.span);
        diagnostics.push(Diagnostic::error(codes::OTHER_GRAPH, message).at(at));
        return None;
    }
    let mut reader = Reader {
        project: Project::default(),
        flags: HashMap::new(),
        names: Names::default(),
        graphs: HashMap::new(),
        diagnostics,
    };
    // Which graph each object stands in, in the order in which graphs first come.
    let mut groups: Vec<(&str, Vec<Object<'_>>)> = Vec::new();
    for object in nodes {
        match groups.iter_mut().find(|(name, _)| *name == object.graph) {
            Some((_, group)) => group.push(object),
            None => groups.push((object.graph, vec![object])),
        }
    }
    for (number, (name, group)) in groups.iter().enumerate() {
        let has = |class: &str| group.iter().any(|object| object.class == class);
        let sort = if has("K2Node_FunctionEntry") {
            Sort::Function
        } else if has("K2Node_Tunnel") {
            Sort::Macro
        } else {
            Sort::Script
        };
        if sort != Sort::Script {
            reader
                .graphs
                .insert((*name).to_owned(), GraphId::new(number));
        }
        for object in group {
            if object.class == "K2Node_CustomEvent"
                && let Some(name) = object.properties.text("CustomFunctionName")
            {
                let event = reader.project.event(name, object.span);
                // Custom events are called from code, and from other Blueprints.
                reader.project.events[event.index()].from_outside = true;
            }
        }
    }
    let mut absent = None;
    for (name, group) in &groups {
        let made = reader.graph(name, group, &mut absent);
        if let Some(span) = returns_early(&made) {
            let text = format!(
                "where `{}` returns before all else in it is done, it goes on",
                made.name
            );
            reader
                .project
                .cut
                .push(crate::graph::Assumed { text, span });
        }
        reader.project.graphs.push(made);
    }
    if let Some((span, count)) = absent {
        let text = format!("{count} links lead to nodes that are not in the text");
        let diagnostic = Diagnostic::warning(codes::DANGLING, text).at(span);
        reader
            .diagnostics
            .push(diagnostic.help("copy the whole graph to check all of it"));
        let text = "links to nodes that are not in the text lead nowhere".to_owned();
        let assumed = crate::graph::Assumed { text, span };
        reader.project.assumed.push(assumed);
    }
    let mut project = reader.project;
    if let Some(first) = project.flags.first() {
        let span = first.span;
        let text = "no other object writes the variables of this one".to_owned();
        project.assumed.push(crate::graph::Assumed { text, span });
    }
    (!diagnostics.has_errors()).then_some(project)
}

struct Reader<'d> {
    project: Project,
    /// Variables by name.
    flags: HashMap<String, FlagId>,
    names: Names,
    /// Functions and macros by name.
    graphs: HashMap<String, GraphId>,
    diagnostics: &'d mut Diagnostics,
}

/// A pin's place by the node's name and the pin's identity.
type Places<'a> = HashMap<(&'a str, &'a str), (NodeId, Side, PinId)>;

impl Reader<'_> {
    fn graph(
        &mut self,
        name: &str,
        group: &[Object<'_>],
        absent: &mut Option<(Span, usize)>,
    ) -> Graph {
        let span = group[0].span.to(group[group.len() - 1].span);
        let shown = if name.is_empty() { "EventGraph" } else { name };
        let mut graph = Graph::new(shown, Origin::Blueprint, span);
        graph.sort = match self.graphs.get(name) {
            Some(_) if group.iter().any(|object| object.class == "K2Node_Tunnel") => Sort::Macro,
            Some(_) => Sort::Function,
            None => Sort::Script,
        };
        let graph_sort = graph.sort;
        let mut builder = Builder::new(graph);
        let mut places = Places::new();
        let mut links = Vec::new();
        for object in group {
            let (mut node, pins) = self.node(object);
            // Macros of the library that remember something forget it when a function ends.
            if graph_sort == Sort::Function && object.class == "K2Node_MacroInstance" {
                node.kind.push_str(".function");
            }
            match builder.node(Some(object.name), node) {
                Ok(id) => {
                    for pin in pins {
                        places.insert((object.name, pin.id), (id, pin.side, pin.place));
                        for target in pin.linked {
                            links.push(((object.name, pin.id), target, pin.span));
                        }
                    }
                }
                Err(first) => twice(object.name, object.span, first, self.diagnostics),
            }
        }
        for (one, other, span) in links {
            let ends = places.get(&one).copied().zip(places.get(&other).copied());
            let Some(((a, side, p), (b, opposite, q))) = ends else {
                let hidden = builder.find(other.0).is_some();
                if !hidden {
                    absent.get_or_insert((span, 0)).1 += 1;
                }
                continue;
            };
            let fits = matches!(
                (side, opposite),
                (Side::SignalOut, Side::SignalIn)
                    | (Side::SignalIn, Side::SignalOut)
                    | (Side::ValueOut, Side::ValueIn)
                    | (Side::ValueIn, Side::ValueOut)
            );
            if !fits {
                dangling(
                    span,
                    "this link joins pins that do not fit",
                    self.diagnostics,
                );
                continue;
            }
            let (one, other) = (End { node: a, pin: p }, End { node: b, pin: q });
            let (list, from, to) = match side {
                Side::SignalOut => (&mut builder.graph.signals, one, other),
                Side::SignalIn => (&mut builder.graph.signals, other, one),
                Side::ValueOut => (&mut builder.graph.wires, one, other),
                Side::ValueIn => (&mut builder.graph.wires, other, one),
            };
            list.push(Link { from, to, span });
        }
        // Each link is named at both of its ends; one is enough.
        for list in [&mut builder.graph.signals, &mut builder.graph.wires] {
            let mut seen = HashSet::new();
            list.retain(|link| seen.insert((link.from, link.to)));
        }
        builder.graph
    }

    fn node<'a>(&mut self, object: &Object<'a>) -> (Node, Vec<PinPlace<'a>>) {
        let class = object.class.strip_prefix("K2Node_").unwrap_or(object.class);
        // A hidden pin tells functions that go on over time from those that are done at once.
        let latent = object
            .pins
            .iter()
            .any(|pin| pin.text("PinName") == Some("LatentInfo"));
        let class = match class {
            "CallFunction" if latent => "LatentFunction",
            _ => class,
        };
        let member = [
            "FunctionReference",
            "EventReference",
            "VariableReference",
            "MacroGraphReference",
        ]
        .iter()
        .find_map(|name| Some((*name, object.properties.get(name)?)));
        let member = member.and_then(|(name, value)| member_name(name, &value));
        let custom = object.properties.text("CustomFunctionName");
        let prefix = Origin::Blueprint.prefix();
        let kind = match member {
            Some(member) if class != "VariableGet" && class != "VariableSet" => {
                format!("{prefix}{class}.{member}")
            }
            _ => format!("{prefix}{class}"),
        };
        let title = match (class, member, custom) {
            ("VariableGet", Some(name), _) => format!("Get {}", spaced(name)),
            ("VariableSet", Some(name), _) => format!("Set {}", spaced(name)),
            ("Event", Some(name), _) => {
                format!(
                    "Event {}",
                    spaced(name.strip_prefix("Receive").unwrap_or(name))
                )
            }
            ("CustomEvent", _, Some(name)) => name.to_owned(),
            ("ComponentBoundEvent", ..) => {
                let text = |name| spaced(object.properties.text(name).unwrap_or_default());
                let (event, part) = (text("DelegatePropertyName"), text("ComponentPropertyName"));
                format!("{event} ({part})")
            }
            ("Timeline", ..) => object
                .properties
                .text("TimelineName")
                .unwrap_or("Timeline")
                .to_owned(),
            ("InputKey" | "InputDebugKey", ..) => {
                let key = object.properties.text("InputKey");
                format!("Key {}", key.unwrap_or("?"))
            }
            ("ExecutionSequence", ..) => "Sequence".to_owned(),
            ("IfThenElse", ..) => "Branch".to_owned(),
            (_, Some(name), _) => spaced(name),
            _ => spaced(class),
        };
        let mut node = Node::new(identifier(&title), kind, object.span);
        node.title = title;
        let coordinate = |name| object.properties.text(name)?.parse().ok();
        node.position = match (coordinate("NodePosX"), coordinate("NodePosY")) {
            (None, None) => None,
            (x, y) => Some((x.unwrap_or(0.0), y.unwrap_or(0.0))),
        };
        for (name, value) in object.properties.iter() {
            let settled = matches!(name, "NodePosX" | "NodePosY" | "NodeGuid");
            if !settled && let Some(text) = value.text() {
                node.settings.push(Setting {
                    name: name.to_owned(),
                    value: literal(text),
                    span: value.span,
                });
            }
        }
        let pins = pins(object, &mut node);
        if object.properties.text("EnabledState") == Some("Disabled") {
            // What the compiler puts in its place depends on the kind.
            node.kind = format!("{prefix}Disabled");
            return (node, pins);
        }
        node.role = self.role(object, class, member, &mut node);
        (node, pins)
    }

    fn role(
        &mut self,
        object: &Object<'_>,
        class: &str,
        member: Option<&str>,
        node: &mut Node,
    ) -> Role {
        match (class, member) {
            ("Knot", _) => Role::Reroute,
            ("EdGraphNode_Comment", _) => {
                if let Some(text) = object.properties.text("NodeComment") {
                    node.title = text.to_owned();
                }
                Role::Remark
            }
            // The variable of another object, whatever it is called; of a class like this one it may
            // be this object's.
            ("VariableGet", Some(_)) if is_of_another(object) => Role::Ordinary,
            // A variable of a function begins anew with each call: it is not followed.
            ("VariableGet" | "VariableSet", Some(_)) if is_local(object) => Role::Ordinary,
            ("VariableSet", Some(name)) if is_of_another(object) => {
                let reference = object.properties.get("VariableReference");
                let parent = reference.map(|value| value.members());
                let parent = parent.and_then(|members| members.get("MemberParent"));
                let native = parent.is_some_and(|parent| !parent.raw.contains("Blueprint"));
                let pin = node.values_in.first().cloned();
                if let (false, Some(pin)) = (native, pin) {
                    let mut written = Pin::new("(perhaps this one)", object.span);
                    written.flag = Some(self.variable(name, &pin, object.span));
                    node.values_out.push(written);
                }
                Role::Ordinary
            }
            ("VariableGet", Some(name)) => {
                let of_self = node.values_out.iter().position(|pin| pin.name == name);
                match of_self {
                    // Of `self` and the value, the value comes first.
                    Some(0) => Role::Get(self.variable(name, &node.values_out[0], object.span)),
                    _ => Role::Ordinary,
                }
            }
            ("VariableSet", Some(name)) => match node.values_in.first() {
                Some(pin) if pin.name == name => Role::Set(self.variable(name, pin, object.span)),
                _ => Role::Ordinary,
            },
            ("CustomEvent", _) => match object.properties.text("CustomFunctionName") {
                Some(name) => Role::Receive(self.project.event(name, object.span)),
                None => Role::Ordinary,
            },
            ("CallFunction", Some(name)) => {
                if let Some(&graph) = self.graphs.get(name)
                    && !is_of_another(object)
                {
                    return Role::Call(graph);
                }
                let event = self.project.events.iter().any(|event| event.name == name);
                if event && !is_of_another(object) {
                    return Role::Raise(self.project.event(name, object.span));
                }
                Role::Ordinary
            }
            ("MacroInstance", Some(name)) => match self.graphs.get(name) {
                Some(&graph) => Role::Call(graph),
                None => Role::Ordinary,
            },
            ("Tunnel", _) if node.signals_out.is_empty() && node.values_out.is_empty() => {
                Role::Outputs
            }
            ("Tunnel" | "FunctionEntry", _) => Role::Inputs,
            ("FunctionResult", _) => Role::Outputs,
            _ => Role::Ordinary,
        }
    }

    fn variable(&mut self, name: &str, pin: &Pin, span: Span) -> FlagId {
        if let Some(&flag) = self.flags.get(name) {
            return flag;
        }
        let values = pin.values.clone();
        let values = values.unwrap_or(ValueType::Other("unknown".to_owned()));
        let initial = match values {
            ValueType::Bool => Some(Literal::Bool(false)),
            ValueType::Int => Some(Literal::Int(0)),
            _ => None,
        };
        if let Some(initial) = &initial {
            let text = format!("`{name}` starts as {initial}, the default of its type");
            settled(&mut self.project, text, span, self.diagnostics);
        }
        let flag = Flag {
            name: identifier(name),
            values,
            initial,
            span,
        };
        let flag = add_flag(&mut self.project, &mut self.names, flag);
        self.flags.insert(name.to_owned(), flag);
        flag
    }
}

/// A node that sends signals one after the other, if a function may return before the last one has been sent.
fn returns_early(graph: &Graph) -> Option<Span> {
    let several = ["ExecutionSequence", "MacroInstance"];
    let several = several.map(|class| format!("{}{class}", Origin::Blueprint.prefix()));
    let targets = |node: NodeId, pin: usize| {
        let links = graph.signals.iter();
        let leaves = move |link: &&Link| link.from.node == node && link.from.pin.index() == pin;
        links.filter(leaves).map(|link| link.to.node)
    };
    for (id, node) in graph.ids() {
        if !several.iter().any(|kind| node.kind.starts_with(kind)) {
            continue;
        }
        let linked = (0..node.signals_out.len()).filter(|&pin| targets(id, pin).next().is_some());
        let linked: Vec<usize> = linked.collect();
        let before = linked.split_last().map_or(&[][..], |(_, before)| before);
        let mut open: Vec<NodeId> = before.iter().flat_map(|&pin| targets(id, pin)).collect();
        let mut seen: HashSet<NodeId> = open.iter().copied().collect();
        while let Some(at) = open.pop() {
            if graph.node(at).role == Role::Outputs && graph.sort == Sort::Function {
                return Some(node.span);
            }
            let pins = 0..graph.node(at).signals_out.len();
            open.extend(
                pins.flat_map(|pin| targets(at, pin))
                    .filter(|&to| seen.insert(to)),
            );
        }
    }
    None
}

/// A pin of an object: its identity, where it is in the node, and what it is linked to.
struct PinPlace<'a> {
    id: &'a str,
    side: Side,
    place: PinId,
    linked: Vec<(&'a str, &'a str)>,
    span: Span,
}

/// Whether a member that an object refers to is that of another object: a link says of which.
fn is_of_another(object: &Object<'_>) -> bool {
    let references = ["VariableReference", "FunctionReference"];
    let own = references
        .iter()
        .find_map(|name| object.properties.get(name));
    let own = own.and_then(|value| value.members().text("bSelfContext").map(str::to_owned));
    let target = object
        .pins
        .iter()
        .find(|pin| pin.text("PinName") == Some("self"));
    own.as_deref() != Some("True") && target.is_some_and(|pin| !linked(pin).is_empty())
}

/// Whether a variable that an object refers to is one of a function.
fn is_local(object: &Object<'_>) -> bool {
    let reference = object.properties.get("VariableReference");
    let scope = reference.and_then(|value| value.members().text("MemberScope").map(str::to_owned));
    scope.is_some_and(|scope| !scope.is_empty())
}

/// The node's pins out of its properties.
fn pins<'a>(object: &Object<'a>, node: &mut Node) -> Vec<PinPlace<'a>> {
    let mut names: [Names; 4] = Default::default();
    let latent = object
        .pins
        .iter()
        .any(|pin| pin.text("PinName") == Some("LatentInfo"));
    let mut places = Vec::new();
    for properties in &object.pins {
        let linked = linked(properties);
        let hidden = properties.text("bHidden") == Some("True");
        let execution = properties.text("PinType.PinCategory") == Some("exec");
        let out = properties.text("Direction") == Some("EGPD_Output");
        // Some macros have a pin without a name.
        let name = match properties.text("PinName").unwrap_or_default() {
            "" if execution && out => "then",
            "" if execution => "execute",
            name => name,
        };
        // What a node acts on is not a value that is followed.
        if (hidden || name == "self") && linked.is_empty() {
            continue;
        }
        let (list, side) = match (execution, out) {
            (true, false) => (&mut node.signals_in, Side::SignalIn),
            (true, true) => (&mut node.signals_out, Side::SignalOut),
            (false, false) => (&mut node.values_in, Side::ValueIn),
            (false, true) => (&mut node.values_out, Side::ValueOut),
        };
        let mut pin = Pin::new(names[side as usize].unique_with(name, " "), properties.span);
        pin.title = properties.text("PinFriendlyName").map(str::to_owned);
        if pin.title.is_none() && side != Side::SignalIn {
            pin.title = Some(spaced(name)).filter(|shown| shown != name);
        }
        pin.latent = latent && side == Side::SignalOut;
        if !execution {
            let values = type_of(properties);
            if side == Side::ValueIn && linked.is_empty() {
                let stated = properties.text("DefaultValue").map(literal);
                let default = (values == ValueType::Bool).then_some(Literal::Bool(false));
                pin.literal = first_value(&values, stated.map(Some), default);
            }
            pin.values = Some(values);
        }
        places.push(PinPlace {
            id: properties.text("PinId").unwrap_or_default(),
            side,
            place: PinId::new(list.len()),
            linked,
            span: properties.span,
        });
        list.push(pin);
    }
    places
}

fn type_of(pin: &Properties<'_>) -> ValueType {
    let contained = pin.text("PinType.ContainerType");
    if contained.is_some_and(|container| container != "None") {
        return ValueType::Other("container".to_owned());
    }
    match pin.text("PinType.PinCategory") {
        Some("bool") => ValueType::Bool,
        Some("int") => ValueType::Int,
        other => ValueType::Other(other.unwrap_or("unknown").to_owned()),
    }
}

/// `LinkedTo=(Node PinId,Node PinId,)`
fn linked<'a>(pin: &Properties<'a>) -> Vec<(&'a str, &'a str)> {
    let Some(value) = pin.get("LinkedTo") else {
        return Vec::new();
    };
    let inner = value
        .raw
        .trim()
        .trim_start_matches('(')
        .trim_end_matches(')');
    let pairs = inner.split(',').filter_map(|pair| {
        let (node, pin) = pair.trim().split_once(' ')?;
        Some((node, pin.trim()))
    });
    pairs.collect()
}

/// The member that a reference names: a function, a variable, an event, or a macro's graph.
fn member_name<'a>(reference: &str, value: &properties::Value<'a>) -> Option<&'a str> {
    let inside = value.members();
    if reference != "MacroGraphReference" {
        return inside.text("MemberName");
    }
    // .../StandardMacros.StandardMacros:DoOnce"'
    let path = inside.get("MacroGraph")?.raw;
    let name = path.rsplit(':').next()?;
    let end = name.find(['"', '\'']).unwrap_or(name.len());
    Some(&name[..end])
}

fn literal(text: &str) -> Literal {
    match text {
        "True" | "true" => Literal::Bool(true),
        "False" | "false" => Literal::Bool(false),
        _ => match text.parse() {
            Ok(value) => Literal::Int(value),
            Err(_) => Literal::Text(text.to_owned()),
        },
    }
}

/// Whether objects of this class are nodes of a Blueprint.
fn is_node(class: &str) -> bool {
    class.contains("K2Node") || class == "EdGraphNode_Comment"
}

/// What objects of this class are.
fn sort_of(class: &str) -> &'static str {
    if class.starts_with("Material") {
        "a material's"
    } else if class.starts_with("Niagara") {
        "a particle system's"
    } else if class.starts_with("PCG") {
        "a graph of procedural content"
    } else {
        "something else's"
    }
}
