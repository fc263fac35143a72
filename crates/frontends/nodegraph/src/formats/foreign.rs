//! Graphs of other tools that are JSON, too: they are refused by name.

use source::Diagnostic;

use super::json::Json;
use crate::codes::files as codes;

/// A refusal that says whose graph this is; none if that is not known.
pub(super) fn refuse(root: Json<'_>) -> Option<Diagnostic> {
    if is_own_without_version(root) {
        let message = "this looks like a graph in Probity's own form, without its version";
        let missing = Diagnostic::error(codes::NOT_A_GRAPH, message).at(root.span());
        return Some(missing.help("write `\"nodegraph\": 1` at its beginning"));
    }
    let whose = of(root)?;
    let message = format!("this is {whose}: such graphs are not read");
    let refused = Diagnostic::error(codes::OTHER_GRAPH, message);
    Some(refused.help("docs/nodegraph.md lists the formats that are read"))
}

/// Whether nodes have kinds, as those of no other format have, and lines lead from output to input.
fn is_own_without_version(root: Json<'_>) -> bool {
    let has_kind = |node: Json<'_>| node.get("kind").is_some();
    let leads = |line: Json<'_>| line.text().is_some_and(|line| line.contains("->"));
    let some = |of: Json<'_>, name: &str, test: &dyn Fn(Json<'_>) -> bool| {
        let first = of.get(name).and_then(|list| list.items().next());
        first.is_some_and(test)
    };
    let is_own = |of: Json<'_>| some(of, "nodes", &has_kind) || some(of, "links", &leads);
    let flags = root
        .get("flags")
        .is_some_and(|flags| flags.entries().next().is_some());
    let nodes = root.get("nodes").is_some_and(Json::is_array);
    root.get("nodegraph").is_none()
        && (is_own(root) || some(root, "graphs", &is_own) || flags && nodes)
}

/// Whose graph it is.
fn of(root: Json<'_>) -> Option<&'static str> {
    let node = || root.get("nodes")?.items().next();
    let has = |name: &str| root.get(name).is_some();
    if root.is_array() {
        let first = root.items().next()?;
        let flows = first.get("type").is_some() && first.get("id").is_some();
        return (flows && root.items().any(|node| node.get("wires").is_some()))
            .then_some("a flow of Node-RED");
    }
    let of_n8n = |node: Json<'_>| {
        let class = node.get("type").and_then(Json::text).unwrap_or_default();
        node.get("typeVersion").is_some() || class.starts_with("n8n-") || class.starts_with("@n8n/")
    };
    if has("connections") && node().is_none_or(of_n8n) {
        return Some("a workflow of n8n");
    }
    if has("last_node_id") && has("links") {
        return Some("a graph of LiteGraph, as ComfyUI has them");
    }
    let entries = || root.entries().map(|(_, entry)| entry);
    if entries().next().is_some() && entries().all(|entry| entry.get("class_type").is_some()) {
        return Some("a prompt of ComfyUI");
    }
    if has("m_SGVersion") || has("m_SerializedProperties") {
        return Some("a shader graph of Unity");
    }
    if has("inkVersion") {
        return Some("a compiled story of Ink");
    }
    if has("edges") && node().is_some_and(|node| node.get("position").is_some()) {
        return Some("a drawing of React Flow");
    }
    None
}
