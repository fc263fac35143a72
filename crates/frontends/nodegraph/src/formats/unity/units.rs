//! What is asked of the JSON of any graph of Unity: its elements, their classes, and what stands in inputs.

use super::super::json::Json;
use crate::graph::Literal;

/// The graph of an asset.
pub(super) fn graph_in(root: Json<'_>) -> Option<Json<'_>> {
    let graph = root.get("graph").or(root.path(&["nest", "embed"]));
    graph.filter(|graph| graph.get("elements").is_some())
}

/// The units and connections of a graph.
pub(super) fn elements(graph: Json<'_>) -> impl Iterator<Item = Json<'_>> {
    graph.get("elements").into_iter().flat_map(Json::items)
}

/// The class of a unit, without what the package puts before it, and by its later name.
pub(super) fn class(element: Json<'_>) -> &str {
    let class = element
        .get("$type")
        .and_then(Json::text)
        .unwrap_or_default();
    let short = ["Unity.VisualScripting.", "Bolt.", "Ludiq."];
    let short = short.iter().find_map(|prefix| class.strip_prefix(prefix));
    match short.unwrap_or(class) {
        "Branch" => "If",
        "SuperUnit" => "SubgraphUnit",
        "Self" => "This",
        other => other,
    }
}

fn is_of_states(class: &str) -> bool {
    matches!(
        class,
        "FlowState" | "SuperState" | "AnyState" | "FlowStateTransition" | "StateUnit.State"
    )
}

/// What stands in an input, with its type.
pub(super) fn value(json: Json<'_>) -> Option<Literal> {
    let (content, class) = match json.get("$content") {
        Some(content) => (content, json.get("$type")?.text()?),
        None => (json, "System.String"),
    };
    match (class, content.literal()?) {
        ("System.Boolean", value @ Literal::Bool(_))
        | ("System.String", value @ Literal::Text(_)) => Some(value),
        (
            "System.Int32" | "System.Single" | "System.Double" | "System.Int64" | "System.Byte"
            | "System.Int16" | "System.UInt32",
            value,
        ) => match value {
            Literal::Int(number) => small(number),
            Literal::Number(0.0) => Some(Literal::Int(0)),
            _ => None,
        },
        _ => None,
    }
}

/// Sums of few whole numbers of this size are exact in 32 bits, of floating point too: larger ones are not followed.
fn small(number: i64) -> Option<Literal> {
    (number.unsigned_abs() <= 1 << 17).then_some(Literal::Int(number))
}

/// Whether a graph is one of states.
pub(super) fn has_states(graph: Json<'_>) -> bool {
    elements(graph).any(|element| is_of_states(class(element)))
}
