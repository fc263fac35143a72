//! What a file says of a node and the table of its kind does not: pins, settings, flags that nobody
//! names.
//!
//! A node with a pin or a setting that means nothing here may do anything; a flag that is not
//! declared is mostly misspelt, in our own format, which is written by hand or by a tool in the making.

use std::collections::HashMap;

use source::{Diagnostic, Diagnostics};

use crate::codes::meaning as codes;
use crate::graph::{GraphId, Literal, Node, NodeId, Origin, Project, Role};
use crate::table::{Action, Expr, Fire, Kind, Lhs, Table, VarType, When};

/// Of each node of a kind that is known, the pins and settings of which its table says nothing.
pub(crate) type Nothing = HashMap<(GraphId, NodeId), Vec<String>>;

/// Finds them.
pub(crate) fn means_nothing(project: &Project, table: &Table) -> Nothing {
    let mut found = Nothing::new();
    let mut says: HashMap<&str, Says> = HashMap::new();
    for (index, graph) in project.graphs.iter().enumerate() {
        let mut put = |id: NodeId, name: &str| {
            let names = found.entry((GraphId::new(index), id)).or_default();
            if !names.iter().any(|other| other == name) {
                names.push(name.to_owned());
            }
        };
        let known: Vec<Option<&Kind>> = graph
            .nodes
            .iter()
            .map(|node| {
                table
                    .kind(&node.kind)
                    .filter(|_| node.role == Role::Ordinary)
            })
            .collect();
        for kind in known.iter().flatten() {
            says.entry(&kind.name).or_insert_with(|| Says::of(kind));
        }
        let says = |id: NodeId| Some(&says[known[id.index()]?.name.as_str()]);
        for link in &graph.signals {
            let (from, to) = (link.from.node, link.to.node);
            let out = &graph.node(from).signals_out[link.from.pin.index()].name;
            let into = &graph.node(to).signals_in[link.to.pin.index()].name;
            if says(from).is_some_and(|says| !says.fires(out)) {
                put(from, out);
            }
            if says(to).is_some_and(|says| !says.heeds(into)) {
                put(to, into);
            }
        }
        for wire in &graph.wires {
            let id = wire.to.node;
            let pin = &graph.node(id).values_in[wire.to.pin.index()].name;
            if says(id).is_some_and(|says| !says.names(pin)) {
                put(id, pin);
            }
        }
        for (id, node) in graph.ids() {
            let Some(says) = says(id) else { continue };
            for pin in &node.values_in {
                let stands = pin.literal.is_some() || pin.flag.is_some();
                if stands && !says.names(&pin.name) {
                    put(id, &pin.name);
                }
            }
            // Of objects of these there are many properties beside pins, for the editor.
            if matches!(
                graph.origin,
                Origin::Blueprint | Origin::ScriptCanvas | Origin::Unity | Origin::Orchestrator
            ) {
                continue;
            }
            for setting in &node.settings {
                if !says.names(&setting.name) {
                    put(id, &setting.name);
                }
            }
            for name in says.numbered_of(node, known[id.index()]) {
                put(id, &name);
            }
        }
    }
    found
}

/// What a table says of a kind.
struct Says {
    /// Any output may fire.
    all_fire: bool,
    fire: Vec<String>,
    heeded: Vec<String>,
    named: Vec<String>,
}

impl Says {
    fn of(kind: &Kind) -> Says {
        let mut says = Says {
            all_fire: false,
            fire: Vec::new(),
            heeded: Vec::new(),
            named: kind.ignored.clone(),
        };
        let mut exprs: Vec<&Expr> = kind.values.iter().map(|(_, value)| value).collect();
        exprs.extend(kind.numbered.iter().flat_map(|(_, low, high)| [low, high]));
        for var in &kind.vars {
            exprs.extend(&var.first);
            if let VarType::Range(low, high) = &var.ty {
                exprs.extend([low, high]);
            }
        }
        for rule in &kind.rules {
            exprs.extend(&rule.condition);
            if let When::On(pins) = &rule.when {
                says.heeded.extend(pins.iter().cloned());
            }
            for action in rule.alternatives.iter().flatten() {
                match action {
                    Action::Fire(Fire::Pin(name)) => says.fire.push(name.clone()),
                    Action::Fire(Fire::Times(name, low, high, again)) => {
                        says.fire.push(name.clone());
                        exprs.extend([low, high].into_iter().chain(again));
                    }
                    Action::Fire(Fire::Each | Fire::Any(None) | Fire::Untold) => {
                        says.all_fire = true;
                    }
                    Action::Fire(
                        Fire::Nth(number) | Fire::Named(number, _) | Fire::Any(Some(number)),
                    ) => {
                        says.all_fire = true;
                        exprs.push(number);
                    }
                    Action::Assign(lhs, value) => {
                        exprs.extend(value);
                        if let Lhs::FlagOf(setting) = lhs {
                            says.named.push(setting.clone());
                        }
                    }
                    Action::Fire(Fire::Calls) | Action::Goto(_) | Action::Then => {}
                }
            }
        }
        says.named
            .extend(kind.settings.iter().map(|(name, ..)| name.clone()));
        for part in exprs.into_iter().flat_map(Expr::parts) {
            if let Expr::Pin(name) | Expr::FlagOf(name) | Expr::Word(name) = part {
                says.named.push(name.clone());
            }
        }
        says
    }

    fn fires(&self, output: &str) -> bool {
        self.all_fire || self.fire.iter().any(|name| name == output)
    }

    fn heeds(&self, input: &str) -> bool {
        self.heeded.iter().any(|name| name == input || name == "*")
    }

    fn names(&self, pin: &str) -> bool {
        // Some engines put the name of the signal in front.
        let short = pin.rsplit_once(": ").map_or(pin, |(_, short)| short);
        self.named
            .iter()
            .any(|name| name == pin || name == short || name == "*")
    }

    /// Settings that say how many pins there are, and do not say it with a number.
    fn numbered_of(&self, node: &Node, kind: Option<&Kind>) -> Vec<String> {
        let Some(kind) = kind else { return Vec::new() };
        let exprs = kind.numbered.iter().flat_map(|(_, low, high)| [low, high]);
        let unknown = exprs.filter(|expr| crate::net::numbers(node, kind, expr).is_none());
        unknown
            .flat_map(Expr::parts)
            .filter_map(|part| match part {
                Expr::Word(name) => Some(name.clone()),
                _ => None,
            })
            .collect()
    }
}

/// Warns of flags that nobody declares.
pub(crate) fn unheeded(project: &Project, table: &Table, diagnostics: &mut Diagnostics) {
    let mut said = Vec::new();
    let mut say = |warning: Diagnostic, about: (source::Span, String)| {
        // What stands in a macro is there once, however often that is called.
        if !said.contains(&about) {
            said.push(about);
            diagnostics.push(warning);
        }
    };
    let own = project.graphs.iter().filter(|g| g.origin == Origin::Own);
    for node in own.flat_map(|graph| &graph.nodes) {
        let kind = table.kind(&node.kind);
        let kind = kind.filter(|_| node.role == Role::Ordinary);
        for setting in kind.into_iter().flat_map(flags_named) {
            if let Some(warning) = unnamed(project, kind, node, setting) {
                say(warning.at(node.span), (node.span, setting.to_owned()));
            }
        }
    }
}

fn actions(kind: &Kind) -> impl Iterator<Item = &Action> {
    let rules = kind.rules.iter();
    rules.flat_map(|rule| rule.alternatives.iter().flatten())
}

/// The settings of a kind that name flags that it writes.
fn flags_named(kind: &Kind) -> impl Iterator<Item = &str> {
    let written = actions(kind).filter_map(|action| match action {
        Action::Assign(Lhs::FlagOf(setting), _) => Some(setting.as_str()),
        _ => None,
    });
    let read = kind.values.iter().filter_map(|(_, value)| match value {
        Expr::FlagOf(setting) => Some(setting.as_str()),
        _ => None,
    });
    written.chain(read)
}

/// A warning if a node does not say which flag it means, or means one that the file does not have.
fn unnamed(
    project: &Project,
    kind: Option<&Kind>,
    node: &Node,
    setting: &str,
) -> Option<Diagnostic> {
    let name = match node.setting(setting) {
        Some(Literal::Text(name)) => {
            // A file without flags leaves it to its nodes to make some.
            if project.flags.is_empty() || project.flag(name).is_some() {
                return None;
            }
            let message = format!("`{}` means a flag `{name}` that is not declared", node.name);
            let warning = Diagnostic::warning(codes::FLAG, message);
            let warning =
                warning.did_you_mean(name, project.flags.iter().map(|flag| flag.name.as_str()));
            return Some(warning.help("assumed: a flag that is false at first"));
        }
        Some(_) => setting,
        None => {
            let default = kind?.settings.iter().find(|(name, ..)| name == setting);
            if let Some((_, Expr::Word(name), _)) = default
                && project.flag(name).is_some()
            {
                return None;
            }
            setting
        }
    };
    let message = format!("`{}` does not say which flag it is about", node.name);
    let help = format!("`\"with\": {{\"{name}\": NAME}}`");
    Some(Diagnostic::warning(codes::FLAG, message).help(help))
}

#[cfg(test)]
mod tests {
    use crate::{Options, load};

    fn warnings(text: &str) -> Vec<String> {
        let loaded = load("script.json", text, &Options::default());
        assert!(loaded.program.is_some(), "{:?}", loaded.diagnostics);
        let codes = ["NOD0307", "NOD0308"];
        let found = loaded.diagnostics.iter();
        let found = found.filter(|found| codes.contains(&found.code));
        found.map(|found| found.message.clone()).collect()
    }

    #[test]
    fn pins_of_other_names_and_flags_of_none_are_found() {
        let found = warnings(
            r#"{"nodegraph": 1, "flags": {"Lamp": false}, "nodes": [
                {"name": "start", "kind": "ScriptStart"},
                {"name": "on", "kind": "SetFlag", "with": {"Flag": "Lamp"}},
                {"name": "off", "kind": "SetFlag", "with": {"flag": "Lmap"}},
                {"name": "wait", "kind": "Delay"}],
              "links": ["start.Out -> on.In", "on.Out -> wait.Start", "wait.Done -> off.Disable"]}"#,
        );
        assert_eq!(
            found,
            [
                "`on` does not say which flag it is about",
                "the table says nothing of `In`, `Flag` of `on`, a `SetFlag`",
                "`off` means a flag `Lmap` that is not declared",
                "the table says nothing of `Done` of `wait`, a `Delay`",
            ]
        );
    }

    #[test]
    fn what_a_kind_heeds_is_not_found() {
        // Any pin of a join or of a kind that takes all, pins with numbers, and flags of a file that
        // declares none.
        let found = warnings(
            r#"{"nodegraph": 1, "nodes": [
                {"name": "start", "kind": "ScriptStart"},
                {"name": "fork", "kind": "Sequence"},
                {"name": "join", "kind": "WaitAll"},
                {"name": "on", "kind": "SetFlag", "with": {"flag": "Lamp"}},
                {"name": "strange", "kind": "SummonDragon"}],
              "links": ["start.Out -> fork.In", "fork.Out0 -> join.In0", "fork.Out1 -> join.In1",
                "join.Out -> on.Enable", "on.Out -> strange.Anything", "strange.Done -> on.Disable"]}"#,
        );
        assert_eq!(found, Vec::<String>::new());
    }
}
