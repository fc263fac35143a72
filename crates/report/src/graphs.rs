//! Configurations and structures as graphs: individuals are nodes, predicates of two are edges.

use std::collections::BTreeMap;
use std::fmt::Write;

use model::PredicateId;
use model::predicates::{Kleene, PredicateProgram, Structure, Way};

use crate::values::{ShapeEdge, ShapeGraph, ShapeNode};

/// A structure as a graph.
pub(crate) fn graph(
    program: &PredicateProgram,
    names: &[String],
    structure: &Structure,
) -> ShapeGraph {
    let mut graph = ShapeGraph::default();
    for one in 0..structure.size() {
        graph.nodes.push(ShapeNode {
            name: names.get(one).cloned().unwrap_or_default(),
            summary: structure.summary[one],
            ..ShapeNode::default()
        });
    }
    let mut edges: BTreeMap<(usize, usize, bool), Vec<&str>> = BTreeMap::new();
    for (index, predicate) in program.predicates.iter().enumerate() {
        if program.turn == Some(PredicateId::new(index)) {
            continue;
        }
        for (place, &value) in structure.values[index].iter().enumerate() {
            if value == Kleene::False {
                continue;
            }
            let unknown = value == Kleene::Unknown;
            match structure.arguments(place, predicate.arity).as_slice() {
                [] => graph.facts.push((predicate.name.clone(), unknown)),
                // That it is a thread is seen.
                [one] if predicate.name == "isthread" && !unknown => {
                    graph.nodes[*one].thread = true;
                }
                [one] => graph.nodes[*one]
                    .facts
                    .push((predicate.name.clone(), unknown)),
                [from, to] => edges
                    .entry((*from, *to, unknown))
                    .or_default()
                    .push(&predicate.name),
                _ => {}
            }
        }
    }
    graph.edges = edges
        .into_iter()
        .map(|((from, to, unknown), labels)| ShapeEdge {
            from,
            to,
            label: labels.join(", "),
            unknown,
        })
        .collect();
    graph
}

/// Structures along a way in the language of Graphviz: one cluster each.
#[must_use]
pub fn dot(program: &PredicateProgram, title: &str, ways: &[(String, Way)]) -> String {
    let mut text = format!("digraph {} {{\n", quoted(title));
    text.push_str(
        "  compound=true; rankdir=LR; node [shape=box, fontsize=10]; edge [fontsize=9];\n",
    );
    for (number, (name, way)) in ways.iter().enumerate() {
        let names = way.names(program);
        for (position, structure) in way.structures.iter().enumerate() {
            let shape = graph(program, &names[position], structure);
            let title = match position.checked_sub(1).map(|before| way.actions[before]) {
                None => format!("{name}: at first"),
                Some(action) => {
                    format!("{name}: {position}. {}", program.actions[action].name)
                }
            };
            cluster(&mut text, &format!("{number}_{position}"), &title, &shape);
        }
        for position in 1..way.structures.len() {
            let (from, to) = (position - 1, position);
            joined(&mut text, number, (from, to), "bold");
        }
        if let Some(first) = way.repeats_from {
            joined(
                &mut text,
                number,
                (way.structures.len() - 1, first),
                "dashed",
            );
        }
    }
    text.push_str("}\n");
    text
}

/// An edge between two clusters.
fn joined(text: &mut String, number: usize, (from, to): (usize, usize), style: &str) {
    let _ = writeln!(
        text,
        "  title_{number}_{from} -> title_{number}_{to} [style={style}, ltail=cluster_{number}_{from}, \
         lhead=cluster_{number}_{to}];"
    );
}

fn cluster(text: &mut String, id: &str, title: &str, shape: &ShapeGraph) {
    let facts = shape.facts.iter().map(told);
    let facts: Vec<String> = facts.collect();
    let _ = writeln!(text, "  subgraph cluster_{id} {{");
    let _ = writeln!(text, "    label={};", quoted(title));
    let _ = writeln!(
        text,
        "    title_{id} [shape=plaintext, label={}];",
        quoted(&facts.join("\n"))
    );
    for (at, node) in shape.nodes.iter().enumerate() {
        let mut lines = vec![node.name.clone()];
        lines.extend(node.facts.iter().map(told));
        let outline = if node.summary { 2 } else { 1 };
        let form = if node.thread { "hexagon" } else { "box" };
        let _ = writeln!(
            text,
            "    n_{id}_{at} [shape={form}, peripheries={outline}, label={}];",
            quoted(&lines.join("\n"))
        );
    }
    for edge in &shape.edges {
        let style = if edge.unknown { "dotted" } else { "solid" };
        let _ = writeln!(
            text,
            "    n_{id}_{} -> n_{id}_{} [style={style}, label={}];",
            edge.from,
            edge.to,
            quoted(&edge.label)
        );
    }
    text.push_str("  }\n");
}

/// A fact, with its value where it is not known.
fn told((name, unknown): &(String, bool)) -> String {
    match unknown {
        true => format!("{name} = 1/2"),
        false => name.clone(),
    }
}

/// A text of Graphviz.
fn quoted(text: &str) -> String {
    let text = text.replace('\\', "\\\\").replace('"', "\\\"");
    format!("\"{}\"", text.replace('\n', "\\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_cannot_end_their_quotes() {
        assert_eq!(quoted("a\"b\\c\nd"), r#""a\"b\\c\nd""#);
    }
}
