//! The reader of this project's own JSON, which `docs/nodegraph.md` describes.
//!
//! It is meant to be written by other tools, and by hand: pins need not be declared where a link
//! names them, and what a file says beside its graphs (kinds of nodes, properties, checks) stands
//! in the same file.

use source::{Diagnostic, Diagnostics, SourceFile, Span};

use super::builder::{Builder, demanded, shape, twice};
use super::json::{Document, Json};
use crate::codes::files as codes;
use crate::graph::{
    Flag, FlagId, Graph, GraphId, Literal, Node, Origin, Pin, Project, Role, Setting, Sort,
    ValueType,
};

/// What a file says beside its graphs.
#[derive(Clone, Default, Debug)]
pub(crate) struct Extras {
    /// A table of kinds of nodes, its lines.
    pub(crate) kinds: Vec<String>,
    /// Properties: name, text, and where.
    pub(crate) properties: Vec<(String, String, Span)>,
    /// The checks that are wanted; none: those that need no asking.
    pub(crate) checks: Option<Vec<Asked>>,
}

/// A check that is asked for.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    /// Its name.
    pub(crate) name: String,
    /// What else is said of it.
    pub(crate) arguments: Vec<(String, Vec<String>)>,
    /// Where.
    pub(crate) span: Span,
}

impl Asked {
    /// The first text of an argument.
    pub(crate) fn argument(&self, name: &str) -> Option<&str> {
        self.arguments(name).first().map(String::as_str)
    }

    /// The texts of an argument.
    pub(crate) fn arguments(&self, name: &str) -> &[String] {
        let found = self.arguments.iter().find(|(other, _)| other == name);
        found.map_or(&[], |(_, texts)| texts)
    }
}

/// Whether a JSON text is in this format.
pub(crate) fn recognise(root: Json<'_>) -> bool {
    root.get("nodegraph").is_some()
}

/// Reads it; none if an error was pushed.
pub(crate) fn read(root: Json<'_>, diagnostics: &mut Diagnostics) -> Option<Project> {
    let errors = diagnostics.errors();
    if root.get("nodegraph").and_then(Json::int) != Some(1) {
        shape(
            root,
            "only version 1 is read: `\"nodegraph\": 1`",
            diagnostics,
        );
        return None;
    }
    let mut project = Project::default();
    for (name, value) in root.get("flags").into_iter().flat_map(Json::entries) {
        flag(&mut project, name, value, diagnostics);
    }
    let graphs: Vec<Json<'_>> = match root.get("graphs") {
        Some(graphs) => {
            if !graphs.is_list() {
                shape(graphs, "graphs are a list: `[...]`", diagnostics);
            }
            graphs.items().collect()
        }
        None => vec![root],
    };
    let mut names = Vec::new();
    for (index, value) in graphs.iter().enumerate() {
        let name = value.get("name").and_then(Json::text);
        names.push(name.map_or_else(|| format!("graph{}", index + 1), str::to_owned));
    }
    for (value, name) in graphs.iter().zip(&names) {
        if let Some(graph) = graph(*value, name, &names, &mut project, diagnostics) {
            project.graphs.push(graph);
        }
    }
    (diagnostics.errors() == errors).then_some(project)
}

/// Reads what stands beside the graphs; of a file in another format, nothing.
pub(crate) fn extras(file: &SourceFile, diagnostics: &mut Diagnostics) -> Extras {
    if !file.text().trim_start().starts_with('{') {
        return Extras::default();
    }
    // What is wrong with the text has been said where the graphs were read.
    match Document::parse(file, &mut Diagnostics::new()) {
        Some(document) if recognise(document.root()) => beside(document.root(), diagnostics),
        _ => Extras::default(),
    }
}

fn beside(root: Json<'_>, diagnostics: &mut Diagnostics) -> Extras {
    let mut extras = Extras::default();
    if let Some(kinds) = root.get("kinds") {
        match kinds.text() {
            Some(text) => extras.kinds.push(text.to_owned()),
            None => {
                let lines = kinds.items().filter_map(Json::text);
                extras.kinds.extend(lines.map(str::to_owned));
            }
        }
    }
    for (name, value) in root.get("properties").into_iter().flat_map(Json::entries) {
        match value.text() {
            Some(text) => {
                let property = (name.to_owned(), text.to_owned(), value.span());
                extras.properties.push(property);
            }
            None => shape(value, "a property is a text", diagnostics),
        }
    }
    if let Some(checks) = root.get("checks") {
        if !checks.is_list() {
            let message = "checks are a list: `[\"flag-left-set\", {\"check\": \"softlock\", \"goal\": ...}]`";
            shape(checks, message, diagnostics);
        }
        let asked = checks.items().filter_map(|value| {
            if let Some(name) = value.text() {
                return Some(Asked {
                    name: name.to_owned(),
                    arguments: Vec::new(),
                    span: value.span(),
                });
            }
            let name = demanded(value, "check", diagnostics)?.text()?.to_owned();
            let arguments = value.entries().filter(|(key, _)| *key != "check");
            let arguments = arguments.map(|(key, value)| {
                let texts = match value.text() {
                    Some(text) => vec![text.to_owned()],
                    None => value
                        .items()
                        .filter_map(Json::text)
                        .map(str::to_owned)
                        .collect(),
                };
                (key.to_owned(), texts)
            });
            Some(Asked {
                name,
                arguments: arguments.collect(),
                span: value.span(),
            })
        });
        extras.checks = Some(asked.collect());
    }
    extras
}

fn flag(project: &mut Project, name: &str, value: Json<'_>, diagnostics: &mut Diagnostics) {
    let (values, initial) = match value.literal() {
        Some(literal @ Literal::Bool(_)) => (ValueType::Bool, Some(literal)),
        Some(_) => {
            shape(
                value,
                "a flag is `false`, `true`, or has `values` or a `range`",
                diagnostics,
            );
            return;
        }
        None => {
            let values = if let Some(values) = value.get("values") {
                let names = values.items().filter_map(Json::text);
                ValueType::Enum(names.map(str::to_owned).collect())
            } else if let Some(range) = value.get("range") {
                let bounds: Vec<i64> = range.items().filter_map(Json::int).collect();
                match bounds[..] {
                    [low, high] if low <= high => ValueType::Range(low, high),
                    _ => {
                        shape(
                            range,
                            "a range is two numbers, the lower one first",
                            diagnostics,
                        );
                        return;
                    }
                }
            } else {
                ValueType::Bool
            };
            let initial = value.get("initial");
            let stated = initial.and_then(Json::literal);
            let fits = match (&values, &stated) {
                (ValueType::Range(low, high), Some(Literal::Int(first))) => {
                    (low..=high).contains(&first)
                }
                (ValueType::Enum(names), Some(Literal::Text(first))) => names.contains(first),
                (ValueType::Bool, Some(Literal::Bool(_))) => true,
                _ => false,
            };
            if let Some(initial) = initial.filter(|_| !fits) {
                let message = format!("`{name}` can never be this");
                shape(initial, &message, diagnostics);
            }
            (values, stated)
        }
    };
    project.flags.push(Flag {
        name: name.to_owned(),
        values,
        initial,
        span: value.span(),
    });
}

fn graph(
    value: Json<'_>,
    name: &str,
    names: &[String],
    project: &mut Project,
    diagnostics: &mut Diagnostics,
) -> Option<Graph> {
    let mut graph = Graph::new(name, Origin::Own, value.span());
    graph.sort = match value.get("sort").and_then(Json::text) {
        Some("function") => Sort::Function,
        Some("macro") => Sort::Macro,
        _ => Sort::Script,
    };
    for list in ["nodes", "links", "wires"] {
        let given = value.get(list);
        if let Some(given) = given.filter(|given| !given.is_list()) {
            shape(given, "this is a list: `[...]`", diagnostics);
        }
    }
    let mut builder = Builder::new(graph);
    for node in demanded(value, "nodes", diagnostics)?.items() {
        let name = demanded(node, "name", diagnostics)?.text();
        let kind = demanded(node, "kind", diagnostics)?.text();
        let (Some(name), Some(kind)) = (name, kind) else {
            shape(
                node,
                "the name and the kind of a node are texts",
                diagnostics,
            );
            continue;
        };
        let made = made(node, name, kind, names, project, diagnostics);
        if let Err(first) = builder.node(Some(name), made) {
            twice(name, node.span(), first, diagnostics);
        }
    }
    for (list, signals) in [("links", true), ("wires", false)] {
        for link in value.get(list).into_iter().flat_map(Json::items) {
            let ends = link.text().and_then(|text| text.split_once("->"));
            let ends = ends.or_else(|| {
                let end = |name| link.get(name).and_then(Json::text);
                Some((end("from")?, end("to")?))
            });
            let ends = ends.and_then(|(from, to)| {
                Some((from.trim().rsplit_once('.')?, to.trim().rsplit_once('.')?))
            });
            let Some((from, to)) = ends else {
                shape(
                    link,
                    "a link is written `NODE.PIN -> NODE.PIN`",
                    diagnostics,
                );
                continue;
            };
            let (Some(a), Some(b)) = (builder.find(from.0), builder.find(to.0)) else {
                let missing = if builder.find(from.0).is_none() {
                    from.0
                } else {
                    to.0
                };
                let message = format!("there is no node `{missing}`");
                let error = Diagnostic::error(codes::DANGLING, message).at(link.span());
                diagnostics.push(error.did_you_mean(missing, builder.keys()));
                continue;
            };
            match signals {
                true => builder.signal((a, from.1), (b, to.1), link.span()),
                false => builder.wire((a, from.1), (b, to.1), link.span()),
            }
        }
    }
    Some(builder.graph)
}

fn made(
    value: Json<'_>,
    name: &str,
    kind: &str,
    graphs: &[String],
    project: &mut Project,
    diagnostics: &mut Diagnostics,
) -> Node {
    let mut node = Node::new(name, kind, value.span());
    if let Some(title) = value.get("title").and_then(Json::text) {
        node.title = title.to_owned();
    }
    let at = value.get("at").into_iter().flat_map(Json::items);
    if let [x, y] = at.filter_map(Json::number).collect::<Vec<f64>>()[..] {
        node.position = Some((x, y));
    }
    for (key, setting) in value.get("with").into_iter().flat_map(Json::entries) {
        match setting.literal() {
            Some(literal) => node.settings.push(Setting {
                name: key.to_owned(),
                value: literal,
                span: setting.span(),
            }),
            None => shape(
                setting,
                "a setting is a text, a number, true or false",
                diagnostics,
            ),
        }
    }
    let pins = |list: &str| -> Vec<Pin> {
        let names = value.get(list).into_iter().flat_map(Json::items);
        names
            .filter_map(|pin| Some(Pin::new(pin.text()?, pin.span())))
            .collect()
    };
    node.signals_in = pins("in");
    node.signals_out = pins("out");
    node.values_in = pins("values_in");
    node.values_out = pins("values_out");
    for pin in value.get("latent").into_iter().flat_map(Json::items) {
        let name = pin.text();
        for out in &mut node.signals_out {
            out.latent |= Some(out.name.as_str()) == name;
        }
    }
    let text = |name: &str| match node.setting(name) {
        Some(Literal::Text(text)) => Some(text.clone()),
        _ => None,
    };
    node.role = match kind {
        "Raise" | "Receive" => {
            let Some(event) = text("event") else {
                shape(
                    value,
                    "the event is missing: `\"with\": {\"event\": NAME}`",
                    diagnostics,
                );
                return node;
            };
            let event = project.event(&event, value.span());
            if kind == "Raise" {
                Role::Raise(event)
            } else {
                if node.setting("outside") == Some(&Literal::Bool(true)) {
                    project.events[event.index()].from_outside = true;
                }
                Role::Receive(event)
            }
        }
        "Call" => match text("graph").and_then(|name| graphs.iter().position(|g| *g == name)) {
            Some(index) => Role::Call(GraphId::new(index)),
            None => {
                shape(
                    value,
                    "there is no such graph: `\"with\": {\"graph\": NAME}`",
                    diagnostics,
                );
                Role::Ordinary
            }
        },
        "Inputs" => Role::Inputs,
        "Outputs" => Role::Outputs,
        "Reroute" => Role::Reroute,
        "Remark" => Role::Remark,
        "Get" => match text("flag").and_then(|name| project.flag(&name)) {
            Some(FlagId(id)) => Role::Get(FlagId(id)),
            None => Role::Ordinary,
        },
        _ => Role::Ordinary,
    };
    node
}
