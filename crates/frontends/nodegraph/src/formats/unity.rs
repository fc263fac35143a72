//! Unity Visual Scripting, once Bolt: script graphs that are assets of their own, and call others.
//!
//! An asset is YAML, and the graph a JSON text in it (`_data`, `_json`): units and connections stand in one list,
//! `elements`, and name each other by `$id` and `$ref`; a graph that is embedded in a unit stands in that. The
//! shape is read off the serialisation of the package com.unity.visualscripting. Pins have the keys that
//! they have there; what stands in an input is in the unit's `defaultValues`, each value with its type.
//!
//! Variables of a graph belong to that graph. Those of an object, a scene, the application and those that are
//! saved may be written by anybody: reading one gives any value, and what this graph writes to it is followed
//! under the assumption that nobody else writes it.

mod assets;
mod coroutines;
mod units;
mod variables;

use std::collections::{HashMap, HashSet};

use source::{Diagnostic, Diagnostics, FileId, SourceFile, Span};

use super::breaks::{Loops, connect_breaks};
use super::builder::{Builder, add_graph, dangling, shape, twice};
use super::json::{Document, Json};
use super::naming::{Names, identifier, spaced};
use super::yaml;
use crate::codes::files as codes;
use crate::graph::{
    Assumed, Graph, GraphId, Literal, Node, NodeId, Origin, Pin, Project, Role, Setting, Sort,
};
use assets::{Asset, Nested};
use units::{class, elements, graph_in, has_states, value};
use variables::Variables;

pub(crate) use assets::{Elsewhere, gather};

/// Graphs within graphs deeper than this are not read.
const DEEPEST: usize = 32;

/// Graphs of other assets are put in place of so many calls.
const MOST_COPIES: usize = 1000;

const LOOPS: Loops = Loops {
    breaks: "unity:Break",
    bodies: &[
        ("unity:While", "body"),
        ("unity:For", "body"),
        ("unity:ForEach", "body"),
    ],
    conditional: "unity:While",
};

/// Whether a text is a file of Unity's editor.
pub(crate) fn recognise(text: &str) -> bool {
    let text = text.trim_start_matches('\u{feff}').trim_start();
    let head = text.lines().take(4);
    text.starts_with("%YAML")
        && head
            .into_iter()
            .any(|line| line.contains("tag:unity3d.com"))
        || text.starts_with("--- !u!")
}

/// Reads it, with what it calls elsewhere; none if an error was pushed.
pub(crate) fn read(
    file: &SourceFile,
    elsewhere: &Elsewhere,
    diagnostics: &mut Diagnostics,
) -> Option<Project> {
    let text = file.text();
    let refused = |message: &str| Diagnostic::error(codes::OTHER_GRAPH, message);
    let found = yaml::values_of(text, "_json");
    let at = match found[..] {
        [one] => one,
        [] => {
            let message = "this file of Unity has no script graph in it";
            diagnostics.push(Diagnostic::error(codes::NOT_A_GRAPH, message));
            return None;
        }
        _ => {
            let message =
                "this is a scene or a prefab of Unity: graphs that are embedded there are not read";
            let help = "convert each to a script graph asset (its Script Machine: Source, Convert)";
            diagnostics.push(refused(message).help(help));
            return None;
        }
    };
    let Some(scalar) = yaml::quoted(text, at) else {
        let message = "the text of the graph is not quoted, or does not end";
        diagnostics.push(Diagnostic::error(codes::SHAPE, message).at(file.span()));
        return None;
    };
    let document = Document::parse_within(&scalar.text, file.id(), scalar.places, diagnostics)?;
    let root = document.root();
    let Some(graph) = graph_in(root) else {
        let message = match root.get("declarations").is_some() || root.get("dictionary").is_some() {
            true => "these are variables or settings of Unity Visual Scripting, and no graph",
            false => "this file of Unity has no script graph in it",
        };
        diagnostics.push(Diagnostic::error(codes::NOT_A_GRAPH, message));
        return None;
    };
    if has_states(graph) {
        let message = "this is a state graph of Unity Visual Scripting: state graphs are not read";
        let help = "the script graphs of its states are, where they are assets of their own";
        diagnostics.push(refused(message).help(help));
        return None;
    }
    project(&document, &assets::name(text), elsewhere, diagnostics)
}

/// Whether an asset has a script graph in which nothing is wrong.
fn reads_alone(asset: &Asset) -> bool {
    let mut diagnostics = Diagnostics::new();
    let places = asset.places.clone();
    let document = Document::parse_within(&asset.text, asset.file, places, &mut diagnostics);
    document.is_some_and(|document| {
        let graph = graph_in(document.root());
        let elsewhere = Elsewhere::default();
        graph.is_some_and(|graph| !has_states(graph))
            && project(&document, &asset.title, &elsewhere, &mut diagnostics).is_some()
    })
}

/// What a document with a script graph says; none if an error was pushed.
fn project(
    document: &Document<'_>,
    title: &str,
    elsewhere: &Elsewhere,
    diagnostics: &mut Diagnostics,
) -> Option<Project> {
    let graph = graph_in(document.root())?;
    let mut ignored = Diagnostics::new();
    // Those of which nothing is wrong were kept.
    let others = elsewhere.assets.iter().filter_map(|asset| {
        let places = asset.places.clone();
        Document::parse_within(&asset.text, asset.file, places, &mut ignored)
    });
    let others: Vec<Document<'_>> = others.collect();
    let nested = Nested::new(elsewhere, &others);
    let mut reader = Reader {
        project: Project::default(),
        flags: Names::default(),
        outside: Variables::outside(&nested.all_within(graph)),
        defined: others.iter().chain([document]).flat_map(defined).collect(),
        nested: &nested,
        stack: vec![graph.span()],
        copies: 0,
        identities: HashSet::new(),
        notes: Notes::default(),
        diagnostics,
    };
    reader.outside_flags();
    reader.graph(graph, title, Place::ROOT);
    reader.said();
    let project = reader.project;
    (!diagnostics.has_errors()).then_some(project)
}

/// Whether it is the graph's own object that a unit speaks of.
fn is_self(unit: Json<'_>, input: &str, wired: bool) -> bool {
    let stands = unit.path(&["defaultValues", input]);
    !wired && stands.is_none_or(|value| value.get("$content").is_none() && value.text().is_none())
}

/// Where a graph stands.
#[derive(Clone, Copy)]
struct Place {
    depth: usize,
    /// Whether coroutines, and signals that are none, may come in by its inputs.
    entered: coroutines::Entered,
}

impl Place {
    const ROOT: Place = Place {
        depth: 0,
        entered: coroutines::Entered {
            // What comes in by the inputs of an asset is not known: where it has to wait, a coroutine.
            coroutine: true,
            plain: false,
        },
    };
}

/// What is said once for a file.
#[derive(Default)]
struct Notes {
    coroutines: bool,
    units: bool,
    graph_variables: bool,
    /// Code is asked for a value.
    values: bool,
    /// Something is done to which code may listen.
    listened: bool,
}

struct Reader<'a, 'r> {
    project: Project,
    /// Names of variables.
    flags: Names,
    /// Variables that do not belong to a graph.
    outside: Variables<'a>,
    /// What has an identity in a file, wherever it stands.
    defined: HashMap<(FileId, &'a str), Json<'a>>,
    nested: &'a Nested<'a>,
    /// Graphs that are being read, by where they stand.
    stack: Vec<Span>,
    /// How many graphs of other assets were put in place of calls.
    copies: usize,
    /// Identities of units of all graphs of the file.
    identities: HashSet<&'a str>,
    notes: Notes,
    diagnostics: &'r mut Diagnostics,
}

/// A unit that has become a node.
struct Unit<'a> {
    json: Json<'a>,
    node: NodeId,
    class: &'a str,
}

impl<'a> Reader<'a, '_> {
    fn graph(&mut self, json: Json<'a>, title: &str, place: Place) -> GraphId {
        let mut graph = Graph::new(identifier(title), Origin::Unity, json.span());
        if place.depth > 0 {
            graph.sort = Sort::Macro;
        }
        let mut own = Variables::of_graph(json);
        self.notes.graph_variables |= own.declare(&mut self.project, &mut self.flags);
        let wired = wired_ports(json);
        let mut builder = Builder::new(graph);
        let mut units: Vec<Unit<'a>> = Vec::new();
        for element in elements(json) {
            // A unit that is named elsewhere before stands there.
            let named = element.get("$ref").and_then(Json::key);
            let file = element.span().file;
            let stands = named.and_then(|id| self.defined.get(&(file, id))).copied();
            let element = stands.unwrap_or(element);
            if is_connection(class(element)) {
                continue;
            }
            let written = ["$type", "$id", "guid"]
                .iter()
                .any(|name| element.get(name).is_some());
            if !written {
                shape(element, "this element is no unit", self.diagnostics);
                continue;
            }
            self.unit(element, &own, &wired, &mut builder, &mut units);
        }
        for element in elements(json).filter(|one| is_connection(class(*one))) {
            self.connection(element, &mut builder);
        }
        for id in connect_breaks(&mut builder, &LOOPS) {
            let node = builder.graph.node(id);
            let text = format!("which loop `{}` breaks is not known", node.name);
            let span = node.span;
            self.project.cut.push(Assumed { text, span });
        }
        let entered = coroutines::contexts(&builder.graph, &units, place.entered, self.nested);
        let cut = coroutines::settle(&mut builder, &units, &entered, self.nested);
        self.project.cut.extend(cut);
        for unit in &units {
            self.embedded(unit, &mut builder, place, entered[unit.node.index()]);
        }
        if builder.graph.nodes.is_empty() && place.depth > 0 {
            // A graph that is called has a node at least.
            let node = Node::new("nothing", "unity:Nothing", json.span());
            let remark = Node {
                role: Role::Remark,
                ..node
            };
            // A node without an identity is always taken.
            let _ = builder.node(None, remark);
        }
        add_graph(&mut self.project, builder.graph);
        GraphId::new(self.project.graphs.len() - 1)
    }

    fn unit(
        &mut self,
        json: Json<'a>,
        own: &Variables<'a>,
        wired: &HashSet<(&'a str, &'a str)>,
        builder: &mut Builder<'a>,
        units: &mut Vec<Unit<'a>>,
    ) {
        // Where the type is known beforehand, it does not stand there.
        let class = match class(json) {
            "" => "Unit",
            class => class,
        };
        let id = json.get("$id").and_then(Json::key);
        let is_wired = |input: &str| id.is_some_and(|id| wired.contains(&(id, input)));
        let place = json.get("$type").unwrap_or(json).span();
        let is_event = json.get("coroutine").is_some();
        let mut node = Node::new("", format!("{}{class}", Origin::Unity.prefix()), place);
        node.title = match self.nested.title_of(json) {
            Some(title) => title.to_owned(),
            None => title(class, json),
        };
        node.name = identifier(&node.title);
        node.position = position(json);
        settings(json, &mut node);
        let member = |part| json.path(&["member", part]).and_then(Json::text);
        let member = member("targetType").zip(member("name"));
        if is_event {
            self.notes.coroutines |= json.get("coroutine").and_then(Json::bool) == Some(true);
            node.signals_out.push(Pin::new("trigger", place));
            if !matches!(class, "Start" | "CustomEvent") {
                node.kind = format!("{}Event.{class}", Origin::Unity.prefix());
            }
        }
        match class {
            "GraphGroup" | "StickyNote" => node.role = Role::Remark,
            "GraphInput" => node.role = Role::Inputs,
            "GraphOutput" => node.role = Role::Outputs,
            "CustomEvent" | "TriggerCustomEvent" => {
                self.custom_event(json, class, &is_wired, &mut node);
            }
            "SetVariable" | "GetVariable" => {
                self.variable(json, class, own, &is_wired, &mut node);
            }
            "InvokeMember" | "CreateStruct" if !is_wired("enter") && !is_wired("exit") => {
                node.kind = "unity:InvokeMember.Value".to_owned();
                self.notes.values |= member.is_some_and(|(of, _)| is_foreign(of));
            }
            "InvokeMember" | "SetMember" => {
                if let Some((of, name)) = member {
                    node.kind = format!("{}.{of}.{name}", node.kind);
                    self.notes.listened |= is_listened_to(of);
                }
            }
            "GetMember" => self.notes.values |= member.is_some_and(|(of, _)| is_foreign(of)),
            "ScalarSum" | "GenericSum" => {
                let count = json.get("inputCount").and_then(Json::int).unwrap_or(2);
                if count != 2 {
                    node.kind = format!("{}Many{class}", Origin::Unity.prefix());
                }
            }
            "Throw" => {
                let text = format!("what `{}` skips is left out", node.title);
                self.project.cut.push(Assumed { text, span: place });
            }
            "SwitchOnInteger" | "SwitchOnString" => {
                for option in json.get("options").into_iter().flat_map(Json::items) {
                    let name = option.key().unwrap_or_default();
                    if !node.signals_out.iter().any(|pin| pin.name == name) {
                        node.signals_out.push(Pin::new(name, option.span()));
                    }
                }
            }
            _ => {}
        }
        self.notes.units |= node.role == Role::Ordinary;
        inputs(json, &mut node);
        match builder.node(id, node) {
            Ok(made) => {
                if let Some(id) = id
                    && !self.identities.insert(id)
                {
                    let message = format!("two units have the identity `{id}`");
                    self.diagnostics
                        .push(Diagnostic::error(codes::TWICE, message).at(place));
                }
                units.push(Unit {
                    json,
                    node: made,
                    class,
                });
            }
            Err(first) => twice(id.unwrap_or_default(), place, first, self.diagnostics),
        }
    }

    /// An event by name: names are compared without blanks around them, and in letters of any size.
    fn custom_event(
        &mut self,
        json: Json<'a>,
        class: &str,
        is_wired: &dyn Fn(&str) -> bool,
        node: &mut Node,
    ) {
        let name = json.path(&["defaultValues", "name"]).and_then(value);
        let name = name.as_ref().and_then(Literal::as_text).map(str::trim);
        let known = !is_wired("name") && is_self(json, "target", is_wired("target"));
        let name = name.filter(|_| known);
        let Some(name) = name else { return };
        let raises = class == "TriggerCustomEvent";
        node.title = match raises {
            true => format!("Trigger {name}"),
            false => name.to_owned(),
        };
        node.name = identifier(&node.title);
        let event = self.project.event(&name.to_lowercase(), node.span);
        // Any script may trigger it.
        self.project.events[event.index()].from_outside = true;
        node.role = match raises {
            true => Role::Raise(event),
            false => Role::Receive(event),
        };
    }

    fn variable(
        &mut self,
        json: Json<'a>,
        class: &str,
        own: &Variables<'a>,
        is_wired: &dyn Fn(&str) -> bool,
        node: &mut Node,
    ) {
        let kind = json.get("kind").and_then(Json::text).unwrap_or_default();
        let name = variables::name(json).filter(|_| !is_wired("name"));
        let writes = class == "SetVariable";
        let Some(name) = name else {
            if writes && kind != "Flow" {
                let text = format!("which variable `{}` writes is not said", node.title);
                let span = node.span;
                self.project.cut.push(Assumed { text, span });
            }
            return;
        };
        node.title = match writes {
            true => format!("Set {name}"),
            false => format!("Get {name}"),
        };
        node.name = identifier(&node.title);
        let mine = is_self(json, "object", is_wired("object"));
        let flag = match kind {
            "Graph" => own.flag(kind, name),
            _ if mine => self.outside.flag(kind, name),
            _ => None,
        };
        if writes && !mine && self.outside.flag(kind, name).is_some() {
            let text = format!("whose variable `{}` writes is not said", node.title);
            let span = node.span;
            self.project.cut.push(Assumed { text, span });
        }
        let Some(flag) = flag else { return };
        let pin = |name: &str| Pin::new(name, node.span);
        if writes {
            node.values_in.push(pin("input"));
            node.values_out.push(pin("output"));
            node.role = Role::Set(flag);
        } else if kind == "Graph" {
            node.values_out.push(pin("value"));
            node.role = Role::Get(flag);
        }
    }

    fn connection(&mut self, json: Json<'a>, builder: &mut Builder<'a>) {
        let end = |unit: &str, key: &str| {
            let unit = json.path(&[unit, "$ref"])?.key()?;
            Some((unit, json.get(key)?.text()?))
        };
        let ends = end("sourceUnit", "sourceKey").zip(end("destinationUnit", "destinationKey"));
        let Some((from, to)) = ends else {
            shape(json, "this connection names no two ports", self.diagnostics);
            return;
        };
        let unit = |id: &str, diagnostics: &mut Diagnostics| {
            let found = builder.find(id);
            if found.is_none() {
                dangling(json.span(), format!("there is no unit `{id}`"), diagnostics);
            }
            found
        };
        let ends = unit(from.0, self.diagnostics).zip(unit(to.0, self.diagnostics));
        let Some((source, target)) = ends else { return };
        match class(json) {
            "ControlConnection" => {
                let switch = builder.graph.node(source).kind.contains(":SwitchOn");
                let key = from
                    .1
                    .strip_prefix('%')
                    .filter(|_| switch)
                    .unwrap_or(from.1);
                builder.signal((source, key), (target, to.1), json.span());
            }
            "ValueConnection" => builder.wire((source, from.1), (target, to.1), json.span()),
            _ => {
                let message = "this connection joins ports that the unit does not have any more";
                let warning = Diagnostic::warning(codes::DANGLING, message).at(json.span());
                self.diagnostics.push(warning);
            }
        }
    }

    /// The graph that is embedded in a unit, or that the unit names, in place of the unit.
    fn embedded(
        &mut self,
        unit: &Unit<'a>,
        builder: &mut Builder<'a>,
        place: Place,
        entered: coroutines::Entered,
    ) {
        if unit.class != "SubgraphUnit" {
            return;
        }
        let node = builder.graph.node(unit.node);
        let (title, span) = (node.title.clone(), node.span);
        let Some(graph) = self.nested.graph_of(unit.json) else {
            let why = self.nested.why_not(unit.json);
            let text = format!(
                "the graph that `{title}` runs {why}: it may do anything but write variables of this graph"
            );
            self.project.assumed.push(Assumed { text, span });
            return;
        };
        let is_elsewhere = graph.span().file != unit.json.span().file;
        let too_much = match () {
            () if self.stack.contains(&graph.span()) => Some("the graph runs itself"),
            () if place.depth >= DEEPEST => Some("graphs stand too deep in one another"),
            () if is_elsewhere && self.copies >= MOST_COPIES => {
                Some("graphs of other assets are run in too many places")
            }
            () => None,
        };
        if let Some(why) = too_much {
            let text = format!("what `{title}` does is left out: {why}");
            self.project.cut.push(Assumed { text, span });
            return;
        }
        let place = Place {
            depth: place.depth + 1,
            entered,
        };
        self.stack.push(graph.span());
        let graph = if is_elsewhere {
            self.copies += 1;
            // Each copy has the same identities.
            let own = std::mem::take(&mut self.identities);
            let graph = self.graph(graph, &title, place);
            self.identities = own;
            graph
        } else {
            self.graph(graph, &title, place)
        };
        self.stack.pop();
        builder.get_mut(unit.node).role = Role::Call(graph);
    }

    /// Variables that do not belong to a graph.
    fn outside_flags(&mut self) {
        self.outside.declare(&mut self.project, &mut self.flags);
    }

    /// What is assumed of any file.
    fn said(&mut self) {
        let span = self.project.graphs.first().map(|graph| graph.span);
        let Some(span) = span else { return };
        let mut assume = |text: &str| {
            let text = text.to_owned();
            self.project.assumed.push(Assumed { text, span });
        };
        if self.notes.units {
            assume("no unit throws an exception");
        }
        if self.notes.coroutines {
            assume("the object stays active: nothing stops its coroutines");
        }
        if self.notes.values {
            assume("code that is only asked for a value runs no events of the graph");
        }
        if self.notes.listened {
            assume(
                "nobody who listens to log messages, or to changes of sprites and texts, runs events of the graph",
            );
        }
        if self.notes.graph_variables {
            assume("no code writes the variables of the graph");
        }
        if let Some(names) = self.outside.names() {
            assume(&format!(
                "no other script writes the variables of objects, scenes and the application that this graph sets ({names})"
            ));
        }
    }
}

/// Whether a type is not one of the engine's, nor of the language.
fn is_foreign(class: &str) -> bool {
    let known = ["UnityEngine.", "System.", "TMPro."];
    !known.iter().any(|prefix| class.starts_with(prefix))
}

/// Whether code may listen to what is done to a type.
fn is_listened_to(class: &str) -> bool {
    matches!(class, "UnityEngine.Debug" | "UnityEngine.SpriteRenderer")
        || class.starts_with("UnityEngine.UI.")
        || class.starts_with("TMPro.")
}

fn is_connection(class: &str) -> bool {
    matches!(
        class,
        "ControlConnection" | "ValueConnection" | "InvalidConnection"
    )
}

/// All objects with identities.
fn defined<'a>(document: &'a Document<'_>) -> HashMap<(FileId, &'a str), Json<'a>> {
    let mut found = HashMap::new();
    let mut open = vec![document.root()];
    while let Some(json) = open.pop() {
        if let Some(id) = json.get("$id").and_then(Json::key) {
            found.insert((json.span().file, id), json);
        }
        open.extend(json.items());
        open.extend(json.entries().map(|(_, member)| member));
    }
    found
}

/// The ports that connections join.
fn wired_ports(graph: Json<'_>) -> HashSet<(&str, &str)> {
    let connections = elements(graph).filter(|one| is_connection(class(*one)));
    let ends = connections.flat_map(|one| {
        let end = |unit: &str, key: &str| {
            let unit = one.path(&[unit, "$ref"])?.key()?;
            Some((unit, one.get(key)?.text()?))
        };
        let source = end("sourceUnit", "sourceKey");
        source
            .into_iter()
            .chain(end("destinationUnit", "destinationKey"))
    });
    ends.collect()
}

/// What stands in the inputs of a unit.
fn inputs(json: Json<'_>, node: &mut Node) {
    let stands = json.get("defaultValues");
    for (name, json) in stands.into_iter().flat_map(Json::entries) {
        let mut literal = value(json);
        // Only whether one is there at all matters for a time.
        if name == "duration" && literal.is_none() {
            literal = json.get("$content").and_then(Json::literal);
        }
        let Some(literal) = literal else { continue };
        let known = node.values_in.iter().position(|pin| pin.name == name);
        let place = known.unwrap_or(node.values_in.len());
        if known.is_none() {
            node.values_in.push(Pin::new(name, json.span()));
        }
        node.values_in[place].literal = Some(literal);
    }
}

/// Settings that are texts, numbers or truth values; that of a literal has a type.
fn settings(json: Json<'_>, node: &mut Node) {
    for (name, value) in json.entries() {
        let skipped = name.starts_with('$') || matches!(name, "guid" | "coroutine");
        let literal = match name {
            "value" => self::value(value),
            _ => value.literal(),
        };
        let Some(literal) = literal.filter(|_| !skipped) else {
            continue;
        };
        node.settings.push(Setting {
            name: name.to_owned(),
            value: literal,
            span: value.span(),
        });
    }
}

fn position(json: Json<'_>) -> Option<(f64, f64)> {
    let place = json.get("position")?;
    let coordinate = |axis: &str| place.get(axis)?.number();
    let corner = coordinate("x").zip(coordinate("y"));
    corner.or_else(|| coordinate("xMin").zip(coordinate("yMin")))
}

/// What the editor shows on a unit.
fn title(class: &str, json: Json<'_>) -> String {
    let text = |path: &[&str]| json.path(path).and_then(Json::text);
    match class {
        "InvokeMember" | "GetMember" | "SetMember" => {
            let member = text(&["member", "name"]).unwrap_or("member");
            let of = text(&["member", "targetType"]).unwrap_or_default();
            let of = of.rsplit('.').next().unwrap_or_default();
            let verb = match class {
                "SetMember" => "Set ",
                "GetMember" => "Get ",
                _ => "",
            };
            format!("{verb}{of}.{member}")
        }
        "SubgraphUnit" => {
            let inner = text(&["nest", "embed", "title"]).filter(|title| !title.is_empty());
            inner.unwrap_or("Subgraph").to_owned()
        }
        "GraphGroup" => {
            let label = text(&["label"]).filter(|label| !label.is_empty());
            label.unwrap_or("Group").to_owned()
        }
        _ => {
            let last = class.rsplit('.').next().unwrap_or(class);
            spaced(last.strip_suffix("Unit").unwrap_or(last))
        }
    }
}
