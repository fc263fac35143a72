//! Godot Orchestrator: `.torch` files, in Godot's text format.
//!
//! Each node is an object with an `id` and its pins (`pin_data`): name, direction, whether signals run through it
//! (`flags`), type, and what stands in it (`dv`). Connections stand in one list, four numbers each: a node and the
//! place of its output among its outputs, a node and the place of its input. The shape is read off the
//! serialisation of CraterCrash/godot-orchestrator, and what nodes mean off its compiler (`script/parser`).
//!
//! An orchestration is a script like others in Godot: functions that are called by the engine, by signals, by each other,
//! and by other scripts. A call of a function of the file runs it at once, up to where that first waits; one that is
//! awaited goes on when it has come back.

mod resource;

use std::collections::{HashMap, HashSet};

use source::{Diagnostic, Diagnostics, SourceFile, Span};

use super::builder::{
    Builder, add_flag, add_graph, dangling, first_value, of_type, shape_at, twice,
};
use super::naming::{Names, identifier, spaced};
use crate::codes::files as codes;
use crate::graph::{
    Assumed, End, Flag, FlagId, Graph, Link, Literal, Node, NodeId, Origin, Pin, PinId, Project,
    Role, ValueType,
};
use resource::{Section, Value};

/// Pins through which signals run, by their flags.
const EXECUTION: i64 = 1 << 2;

/// Whether a text is a resource of Godot's.
pub(super) fn recognise(text: &str) -> bool {
    text.starts_with("[orchestration ")
        || text.starts_with("[gd_resource ")
        || text.starts_with("[gd_scene ")
}

/// Whether it is an orchestration.
pub(crate) fn is_orchestration(text: &str) -> bool {
    let first = text.trim_start().lines().next().unwrap_or_default();
    first.starts_with("[orchestration ")
        || first.starts_with("[gd_resource ") && first.contains("type=\"OScript\"")
}

/// Reads it; none if an error was pushed.
pub(super) fn read(file: &SourceFile, diagnostics: &mut Diagnostics) -> Option<Project> {
    if !is_orchestration(file.text()) {
        let first = file.text().trim_start();
        let what = match first {
            _ if first.starts_with("[gd_scene") => "a scene of Godot",
            _ if first.contains("type=\"VisualScript\"") => "a VisualScript of Godot 3",
            _ => "a resource of Godot",
        };
        let message = format!("this is {what}: only orchestrations are read");
        diagnostics.push(Diagnostic::error(codes::OTHER_GRAPH, message));
        return None;
    }
    let sections = match resource::sections(file.text(), file.id()) {
        Ok(sections) => sections,
        Err((message, span)) => {
            diagnostics.push(Diagnostic::error(codes::SHAPE, message).at(span));
            return None;
        }
    };
    let graph = Graph::new("orchestration", Origin::Orchestrator, file.span());
    let mut reader = Reader {
        project: Project::default(),
        builder: Builder::new(graph),
        flags: HashMap::new(),
        ids: HashMap::new(),
        functions: HashMap::new(),
        calls: Vec::new(),
        pins: HashMap::new(),
        diagnostics,
    };
    let objects = || {
        sections
            .iter()
            .filter(|one| matches!(one.tag.as_str(), "obj" | "sub_resource"))
    };
    for object in objects().filter(|one| one.field("type") == Some("OScriptVariable")) {
        reader.variable(object);
    }
    for object in objects().filter(|one| one.field("type") == Some("OScriptFunction")) {
        let method = object.get("method").and_then(|method| method.get("name"));
        let guid = object.get("guid").and_then(Value::text);
        if let Some((guid, name)) = guid.zip(method.and_then(Value::text)) {
            reader.functions.insert(guid, name);
        }
    }
    let calls = objects().filter(|one| one.field("type") == Some("OScriptNodeCallScriptFunction"));
    let called: HashSet<&str> = calls
        .filter_map(|one| one.get("function_name")?.text())
        .collect();
    for object in objects() {
        let class = object.field("type").unwrap_or_default();
        if let Some(class) = class.strip_prefix("OScriptNode")
            && !class.is_empty()
        {
            reader.node(object, class, &called);
        }
    }
    let Some(resource) = sections.iter().find(|one| one.tag == "resource") else {
        shape_at(
            file.span(),
            "the text ends before its resource",
            reader.diagnostics,
        );
        return None;
    };
    reader.connections(resource);
    reader.waits();
    reader.said(resource.span);
    let mut project = reader.project;
    add_graph(&mut project, reader.builder.graph);
    (!diagnostics.has_errors()).then_some(project)
}

/// Where a pin is: its list, and its place there.
type Place = (bool, PinId);

struct Reader<'a, 'r> {
    project: Project,
    builder: Builder<'a>,
    flags: HashMap<&'a str, FlagId>,
    /// Nodes by identity.
    ids: HashMap<i64, NodeId>,
    /// Names of functions, by identity.
    functions: HashMap<&'a str, &'a str>,
    /// Nodes that call a function of the file and wait for it, and its name.
    calls: Vec<(NodeId, &'a str)>,
    /// Pins by node, direction, and place among those of that direction: whether signals run through it.
    pins: HashMap<(NodeId, bool, usize), Place>,
    diagnostics: &'r mut Diagnostics,
}

/// The type of a variable or a pin (`Variant::Type`).
fn type_of(number: Option<i64>) -> ValueType {
    match number {
        Some(1) => ValueType::Bool,
        Some(2) => ValueType::Int,
        Some(3) => ValueType::Real,
        Some(4) => ValueType::Other("String".to_owned()),
        _ => ValueType::Other("Variant".to_owned()),
    }
}

/// The name of a type whose values are no objects (`Variant::Type`).
fn class_of_values(number: i64) -> Option<&'static str> {
    const NAMES: [&str; 28] = [
        "bool",
        "int",
        "float",
        "String",
        "Vector2",
        "Vector2i",
        "Rect2",
        "Rect2i",
        "Vector3",
        "Vector3i",
        "Transform2D",
        "Vector4",
        "Vector4i",
        "Plane",
        "Quaternion",
        "AABB",
        "Basis",
        "Transform3D",
        "Projection",
        "Color",
        "StringName",
        "NodePath",
        "RID",
        "Object",
        "Callable",
        "Signal",
        "Dictionary",
        "Array",
    ];
    let name = usize::try_from(number.checked_sub(1)?).ok();
    let name = NAMES.get(name?).copied();
    name.filter(|name| *name != "Object")
}

fn literal(value: &Value) -> Option<Literal> {
    match value {
        Value::Bool(value) => Some(Literal::Bool(*value)),
        // Sums of few numbers of this size fit into 64 bits, and into doubles.
        Value::Int(number) => (number.unsigned_abs() <= 1 << 40).then_some(Literal::Int(*number)),
        Value::Number(number) => Some(Literal::Number(*number)),
        Value::Text(text) => Some(Literal::Text(text.clone())),
        _ => None,
    }
}

/// A value of a type, as Godot has it: a whole number in the place of one that need not be is one, too.
fn typed(values: &ValueType, value: &Value) -> Option<Literal> {
    match (values, literal(value)?) {
        #[expect(clippy::cast_precision_loss, reason = "it is small")]
        (ValueType::Real, Literal::Int(number)) => Some(Literal::Number(number as f64)),
        (ValueType::Int, Literal::Number(_)) => None,
        (ValueType::Bool, Literal::Text(_)) => None,
        (_, literal) => of_type(values, Some(literal)),
    }
}

impl<'a> Reader<'a, '_> {
    fn variable(&mut self, object: &'a Section) {
        let Some(name) = object.get("name").and_then(Value::text) else {
            shape_at(object.span, "this variable has no name", self.diagnostics);
            return;
        };
        let values = type_of(object.get("type").and_then(Value::int));
        let stated = object.get("default_value");
        let stated = stated.map(|value| typed(&values, value));
        let default = match values {
            ValueType::Bool => Some(Literal::Bool(false)),
            ValueType::Int => Some(Literal::Int(0)),
            ValueType::Real => Some(Literal::Number(0.0)),
            _ => None,
        };
        let initial = first_value(&values, stated, default);
        // Each scene may give it a first value of its own.
        let exported = object.get("exported") == Some(&Value::Bool(true));
        let flag = Flag {
            name: identifier(name),
            initial: initial.filter(|_| !exported),
            values,
            span: object.span,
        };
        let mut names = Names::default();
        for flag in &self.project.flags {
            names.unique(&flag.name);
        }
        let flag = add_flag(&mut self.project, &mut names, flag);
        self.flags.insert(name, flag);
    }

    fn node(&mut self, object: &'a Section, class: &str, of_file: &HashSet<&str>) {
        let Some(id) = object.get("id").and_then(Value::int) else {
            shape_at(object.span, "this node has no `id`", self.diagnostics);
            return;
        };
        let text = |name: &str| object.get(name).and_then(Value::text);
        let prefix = Origin::Orchestrator.prefix();
        let mut node = Node::new("", format!("{prefix}{class}"), object.span);
        node.title = spaced(class);
        let place = object.get("position").map(Value::items);
        if let Some([x, y]) = place {
            node.position = x.number().zip(y.number());
        }
        let guid = text("function_id").or(text("guid"));
        let function = guid.and_then(|guid| self.functions.get(guid)).copied();
        let mut called = None;
        match class {
            "Comment" | "CommentNode" => node.role = Role::Remark,
            "Reroute" => node.role = Role::Reroute,
            "Event" | "FunctionEntry" => self.entry(function, of_file, &mut node),
            "CallScriptFunction" => {
                if let Some(name) = text("function_name").or(function) {
                    node.title = name.to_owned();
                    called = Some(name);
                    node.role = Role::Raise(self.event(name, object.span));
                }
            }
            "CallMemberFunction"
            | "CallBuiltinFunction"
            | "CallStaticFunction"
            | "CallParentMemberFunction"
            | "CallParentScriptFunction" => {
                if let Some(name) = text("function_name") {
                    node.title = name.to_owned();
                    let of = object.get("target_type").and_then(Value::int);
                    let of = match of.and_then(class_of_values) {
                        Some(class) => Some(class),
                        None => text("target_class_name").filter(|class| !class.is_empty()),
                    };
                    let of = of.filter(|_| class == "CallMemberFunction");
                    let of = of.map(|of| format!(".{of}")).unwrap_or_default();
                    node.kind = format!("{}{of}.{name}", node.kind);
                }
            }
            "VariableGet" | "VariableSet" => {
                let name = text("variable_name").unwrap_or_default();
                node.title = match class {
                    "VariableGet" => format!("Get {name}"),
                    _ => format!("Set {name}"),
                };
                let flag = self.flags.get(name).copied();
                match (class, flag) {
                    ("VariableSet", Some(flag)) => node.role = Role::Set(flag),
                    (_, Some(flag)) => node.role = Role::Get(flag),
                    (_, None) => dangling(
                        object.span,
                        format!("there is no variable `{name}`"),
                        self.diagnostics,
                    ),
                }
            }
            "Operator" | "PromotableOperator" => {
                let operator = object.get("op").and_then(Value::int).unwrap_or(0);
                node.kind = format!("{prefix}Operator.{operator}");
                if let Some(name) = text("name") {
                    node.title = name.to_owned();
                }
            }
            "ForLoop" | "ForEach" if object.get("with_break") == Some(&Value::Bool(true)) => {
                node.kind.push_str(".Breaking");
            }
            _ => {}
        }
        node.name = identifier(&node.title);
        let places = pins(object, &mut node);
        // One that reads a variable by whether it is an object is entered.
        if class == "VariableGet" && !node.signals_in.is_empty() {
            node.role = Role::Ordinary;
            node.kind = format!("{prefix}VariableGet.Validated");
        }
        let awaited = object.get("await") == Some(&Value::Bool(true));
        if class.starts_with("Call") && node.signals_in.is_empty() && node.signals_out.is_empty() {
            node.kind = format!("{prefix}Value");
            node.role = Role::Ordinary;
        } else if awaited && node.role == Role::Ordinary {
            node.kind = format!("{prefix}Awaited");
        }
        let called = called.filter(|_| matches!(node.role, Role::Raise(_)));
        if let Some(&first) = self.ids.get(&id) {
            let first = self.builder.graph.node(first).span;
            twice(&id.to_string(), object.span, first, self.diagnostics);
            return;
        }
        // Its identity is a number, of which the builder knows nothing.
        let Ok(made) = self.builder.node(None, node) else {
            return;
        };
        for ((output, number), place) in places {
            self.pins.insert((made, output, number), place);
        }
        self.ids.insert(id, made);
        self.calls
            .extend(called.filter(|_| awaited).map(|name| (made, name)));
    }

    /// A function. What the engine calls when the script begins, and what then comes again and again, waits for that;
    /// any other may be called at any time.
    fn entry(&mut self, function: Option<&'a str>, called: &HashSet<&str>, node: &mut Node) {
        let Some(name) = function else { return };
        node.title = name.to_owned();
        let timed = matches!(name, "_ready" | "_process" | "_physics_process");
        if timed && !called.contains(name) {
            node.kind = format!("{}Event.{name}", Origin::Orchestrator.prefix());
        } else {
            node.role = Role::Receive(self.event(name, node.span));
        }
    }

    /// A function as an event: other scripts, and signals, may call it too.
    fn event(&mut self, name: &str, span: Span) -> crate::graph::EventId {
        let event = self.project.event(name, span);
        self.project.events[event.index()].from_outside = true;
        event
    }

    /// Connections: a node and the place of its output, a node and the place of its input, by fours.
    fn connections(&mut self, resource: &'a Section) {
        let stated = resource.get("connections").map(Value::items);
        let stated = stated.unwrap_or_default();
        let numbers: Option<Vec<i64>> = stated.iter().map(Value::int).collect();
        let Some(numbers) = numbers.filter(|numbers| numbers.len() % 4 == 0) else {
            let message = "connections are four numbers each";
            shape_at(resource.span, message, self.diagnostics);
            return;
        };
        for four in numbers.chunks_exact(4) {
            let end = |node: i64, output: bool, place: i64| {
                let node = *self.ids.get(&node)?;
                let place = usize::try_from(place).ok()?;
                let &(runs, pin) = self.pins.get(&(node, output, place))?;
                Some((runs, End { node, pin }))
            };
            let ends = end(four[0], true, four[1]).zip(end(four[2], false, four[3]));
            let span = resource.span;
            match ends {
                Some(((true, from), (true, to))) => {
                    self.builder.graph.signals.push(Link { from, to, span });
                }
                Some(((false, from), (false, to))) => {
                    self.builder.graph.wires.push(Link { from, to, span });
                }
                _ => {
                    let message = format!(
                        "the connection {}, {}, {}, {} joins no two pins",
                        four[0], four[1], four[2], four[3]
                    );
                    let warning = Diagnostic::warning(codes::DANGLING, message).at(span);
                    self.diagnostics.push(warning);
                }
            }
        }
    }

    /// Where functions wait: what calls them waits, too, and sequences and loops in whose branches that happens go on
    /// later.
    fn waits(&mut self) {
        let prefix = Origin::Orchestrator.prefix();
        let graph = &self.builder.graph;
        let class = |id: NodeId| graph.node(id).kind.strip_prefix(prefix).unwrap_or_default();
        let called: HashMap<NodeId, &str> = self.calls.iter().copied().collect();
        let mut entries: HashMap<&str, Vec<NodeId>> = HashMap::new();
        for (id, node) in graph.ids() {
            if let Role::Receive(event) = node.role {
                let name = &*self.project.events[event.index()].name;
                entries.entry(name).or_default().push(id);
            }
        }
        let mut waiting: HashSet<&str> = HashSet::new();
        let waits = |id: NodeId, waiting: &HashSet<&str>| {
            matches!(
                class(id),
                "Delay" | "AwaitSignal" | "DialogueMessage" | "Awaited"
            ) || called.get(&id).is_some_and(|name| waiting.contains(name))
        };
        loop {
            let before = waiting.len();
            for (name, from) in &entries {
                let mut reached = from.iter().flat_map(|&id| reached(graph, id, None));
                if reached.any(|id| waits(id, &waiting)) {
                    waiting.insert(name);
                }
            }
            if waiting.len() == before {
                break;
            }
        }
        let mut kinds: Vec<(NodeId, String)> = Vec::new();
        let mut cut = Vec::new();
        for (id, node) in graph.ids() {
            let class = class(id);
            let runs: Vec<&str> = match class.split('.').next() {
                Some("Sequence") => {
                    let outputs = node.signals_out.iter().map(|pin| &*pin.name);
                    let outputs: Vec<&str> = outputs.collect();
                    let all = outputs.len().saturating_sub(1);
                    outputs.into_iter().take(all).collect()
                }
                Some("ForLoop" | "ForEach") => vec!["loop_body"],
                Some("While") => vec!["repeat"],
                Some("Switch") => node
                    .signals_out
                    .iter()
                    .map(|pin| &*pin.name)
                    .filter(|name| *name != "Done")
                    .collect(),
                _ => continue,
            };
            let inner: HashSet<NodeId> = runs
                .iter()
                .flat_map(|output| reached(graph, id, Some(output)))
                .collect();
            if inner.iter().any(|id| waits(*id, &waiting)) {
                let base = class.split('.').next().unwrap_or_default();
                kinds.push((id, format!("{prefix}{base}.Waiting")));
            }
            let of = |name: &str| {
                inner
                    .iter()
                    .any(|&at| graph.node(at).kind == format!("{prefix}{name}"))
            };
            let breaks = graph.signals.iter().any(|link| {
                link.to.node == id && graph.node(id).signals_in[link.to.pin.index()].name == "break"
            });
            let text = match () {
                () if of("FunctionResult") => "what an early return skips",
                () if breaks && of("Sequence") => "what a break skips",
                () => continue,
            };
            // What fires behind it need not.
            let base = class.split('.').next().unwrap_or_default();
            kinds.push((id, format!("{prefix}{base}.Waiting")));
            cut.push(Assumed {
                text: format!("{text} behind `{}` is left out", node.name),
                span: node.span,
            });
        }
        let late: Vec<NodeId> = called
            .iter()
            .filter(|(_, name)| waiting.contains(*name))
            .map(|(&id, _)| id)
            .collect();
        self.project.cut.extend(cut);
        for (id, kind) in kinds {
            self.builder.get_mut(id).kind = kind;
        }
        let mut late = late;
        late.sort_unstable();
        for call in late {
            self.comes_back(call);
        }
    }

    /// A node behind a call of a function that waits: it goes on later.
    fn comes_back(&mut self, call: NodeId) {
        let called = self.builder.graph.node(call);
        let span = called.span;
        let Some(output) = called.signals_out.first().map(|pin| pin.name.clone()) else {
            return;
        };
        let kind = format!("{}Returns", Origin::Orchestrator.prefix());
        let mut node = Node::new(format!("{}_returns", called.name), kind, span);
        node.title = format!("{} returns", called.title);
        node.position = called.position;
        node.signals_in.push(Pin::new("In", span));
        node.signals_out.push(Pin::new("Out", span));
        let Ok(made) = self.builder.node(None, node) else {
            return;
        };
        let from = End {
            node: made,
            pin: PinId(0),
        };
        for link in &mut self.builder.graph.signals {
            if link.from.node == call {
                link.from = from;
            }
        }
        self.builder.signal((call, &output), (made, "In"), span);
    }

    /// What is assumed of any file.
    fn said(&mut self, span: Span) {
        let mut assume = |text: &str| {
            let text = text.to_owned();
            self.project.assumed.push(Assumed { text, span });
        };
        if !self.builder.graph.nodes.is_empty() {
            assume("no node comes upon an error that ends its function");
        }
        if !self.flags.is_empty() {
            assume("no other script writes the variables of the orchestration");
        }
        let prefix = Origin::Orchestrator.prefix();
        let delays = format!("{prefix}Delay");
        if self
            .builder
            .graph
            .nodes
            .iter()
            .any(|node| node.kind == delays)
        {
            assume("the object is not freed while a function waits");
        }
    }
}

/// The nodes that signals come to behind a node, or behind one of its outputs.
fn reached(graph: &Graph, from: NodeId, output: Option<&str>) -> HashSet<NodeId> {
    let mut seen = HashSet::new();
    let mut open = vec![(from, output)];
    while let Some((at, output)) = open.pop() {
        for link in graph.signals.iter().filter(|link| link.from.node == at) {
            let name = &*graph.node(at).signals_out[link.from.pin.index()].name;
            if output.is_none_or(|output| output == name) && seen.insert(link.to.node) {
                open.push((link.to.node, None));
            }
        }
    }
    seen
}

/// The pins of a node, and where each is: by whether it is an output, and its number among those.
fn pins(object: &Section, node: &mut Node) -> Vec<((bool, usize), Place)> {
    let mut places = Vec::new();
    let mut counts = [0, 0];
    let mut names: [Names; 2] = Default::default();
    let stated = object.get("pin_data").map(Value::items);
    for pin in stated.unwrap_or_default() {
        let number = |name: &str| pin.get(name).and_then(Value::int);
        let output = number("dir") == Some(1);
        let runs = number("flags").unwrap_or(0) & EXECUTION != 0;
        let name = pin.get("pin_name").and_then(Value::text).unwrap_or("pin");
        let name = names[usize::from(output)].unique(name);
        let mut made = Pin::new(name, node.span);
        if !runs {
            let values = type_of(number("type"));
            let stands = pin.get("dv");
            made.literal = stands.filter(|_| !output).and_then(|value| match values {
                ValueType::Other(_) => literal(value),
                _ => typed(&values, value),
            });
            made.values = Some(values);
        }
        let list = match (runs, output) {
            (true, true) => &mut node.signals_out,
            (true, false) => &mut node.signals_in,
            (false, true) => &mut node.values_out,
            (false, false) => &mut node.values_in,
        };
        list.push(made);
        let place = PinId::new(list.len() - 1);
        let count = &mut counts[usize::from(output)];
        places.push(((output, *count), (runs, place)));
        *count += 1;
    }
    places
}
