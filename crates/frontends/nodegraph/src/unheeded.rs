//! What a file says and nothing heeds: a pin that its node does not know, a flag that nobody names.
//!
//! Files of engines are written by editors, which do not let such a thing happen, and leave pins out
//! on purpose that mean nothing here. Ours are written by hand or by a tool in the making.

use source::{Diagnostic, Diagnostics};

use crate::codes::meaning as codes;
use crate::graph::{Graph, Literal, Node, NodeId, Origin, Project, Role};
use crate::table::{Action, Expr, Fire, Kind, Lhs, Table, When};

/// Warns of it.
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
    for graph in own {
        for link in &graph.signals {
            let (from, to) = (
                ordinary(graph, link.from.node),
                ordinary(graph, link.to.node),
            );
            let source = &graph.node(link.from.node).signals_out[link.from.pin.index()].name;
            let target = &graph.node(link.to.node).signals_in[link.to.pin.index()].name;
            if let Some(node) = from
                && let Some(kind) = table.kind(&node.kind)
                && !fires(kind, source)
            {
                let message = format!("no signal ever leaves by `{}.{source}`", node.name);
                let known = listed("the outputs of", kind, &kind.outputs);
                let warning = Diagnostic::warning(codes::PIN, message).at(link.span);
                say(warning.help(known), (link.span, source.clone()));
            }
            if let Some(node) = to
                && let Some(kind) = table.kind(&node.kind)
                && !heeds(kind, target)
            {
                let message = format!("a signal is lost that arrives at `{}.{target}`", node.name);
                let known = listed("the inputs of", kind, &kind.inputs);
                let warning = Diagnostic::warning(codes::PIN, message).at(link.span);
                say(warning.help(known), (link.span, target.clone()));
            }
        }
        for node in &graph.nodes {
            let kind = table.kind(&node.kind);
            let kind = kind.filter(|_| node.role == Role::Ordinary);
            for setting in kind.into_iter().flat_map(flags_named) {
                if let Some(warning) = unnamed(project, kind, node, setting) {
                    say(warning.at(node.span), (node.span, setting.to_owned()));
                }
            }
        }
    }
}

fn ordinary(graph: &Graph, node: NodeId) -> Option<&Node> {
    Some(graph.node(node)).filter(|node| node.role == Role::Ordinary)
}

fn listed(what: &str, kind: &Kind, pins: &[String]) -> String {
    let pins: Vec<String> = pins.iter().map(|pin| format!("`{pin}`")).collect();
    match pins.is_empty() {
        true => format!("a `{}` has none", kind.name),
        false => format!("{what} a `{}` are {}", kind.name, pins.join(", ")),
    }
}

/// Whether a kind does something with a signal that arrives at a pin, or has it at least.
fn heeds(kind: &Kind, pin: &str) -> bool {
    let is_there = |name: &String| name == pin || name == "*";
    kind.inputs.iter().any(is_there)
        || kind.rules.iter().any(|rule| match &rule.when {
            When::On(pins) => pins.iter().any(is_there),
            _ => false,
        })
}

/// Whether signals can leave by a pin, or a kind has it at least.
fn fires(kind: &Kind, pin: &str) -> bool {
    let mut actions = actions(kind);
    kind.outputs.iter().any(|name| name == pin)
        || actions.any(|action| match action {
            Action::Fire(Fire::Pin(name) | Fire::Times(name, ..)) => name == pin,
            Action::Fire(_) => true,
            _ => false,
        })
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
                "`off` means a flag `Lmap` that is not declared",
                "a signal is lost that arrives at `on.In`",
                "no signal ever leaves by `wait.Done`",
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
