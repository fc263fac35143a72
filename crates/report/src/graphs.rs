//! Configurations and structures as graphs: individuals are nodes, predicates of two are edges.

use std::collections::BTreeMap;
use std::fmt::Write;

use model::PredicateId;
use model::predicates::{Constraint, Formula, Head, Kleene, PredicateProgram, Structure, Way};

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
                // What holds for everybody and itself says nothing of anybody.
                [from, to] if from == to && is_reflexive(program, index) => {}
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

/// The structures in which runs begin, as graphs.
pub(crate) fn beginnings(program: &PredicateProgram) -> Vec<ShapeGraph> {
    let all = program.initial.iter().enumerate();
    let drawn = all.map(|(number, structure)| {
        let names = program.names(number, &vec![1; structure.size()]);
        graph(program, &names, structure)
    });
    drawn.collect()
}

/// Whether a predicate of two holds for each individual and itself, by its definition or a rule.
fn is_reflexive(program: &PredicateProgram, index: usize) -> bool {
    let parts = match &program.predicates[index].definition {
        Some(Formula::Or(parts)) => parts.as_slice(),
        _ => &[],
    };
    let same = |part: &Formula| matches!(part, Formula::Equal(0, 1) | Formula::Equal(1, 0));
    let rule = |rule: &Constraint| {
        let head = Head::Literal(PredicateId::new(index), vec![0, 0], true);
        rule.body == Formula::Value(Kleene::True) && rule.head == head
    };
    parts.iter().any(same) || program.constraints.iter().any(rule)
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
    use model::predicates::Predicate;

    use super::*;

    /// Steps from a to b, and the ways that they make; no step leads to itself.
    fn steps() -> (PredicateProgram, Structure) {
        let predicate = |name: &str, definition| Predicate {
            name: name.to_owned(),
            arity: 2,
            abstraction: false,
            unique: false,
            injective: false,
            definition,
            span: source::Span::NONE,
        };
        let way = Formula::Closure {
            ends: [0, 1],
            step: [2, 3],
            edge: Box::new(Formula::Holds(PredicateId::new(0), vec![2, 3])),
        };
        let ways = Formula::Or(vec![Formula::Equal(0, 1), way]);
        let predicates = vec![predicate("n", None), predicate("ways", Some(ways))];
        let mut structure = Structure::new(&predicates, vec![false, true]);
        structure.set(PredicateId::new(0), &[0, 1], Kleene::True);
        structure.set(PredicateId::new(0), &[1, 1], Kleene::Unknown);
        let program = PredicateProgram {
            predicates,
            ..PredicateProgram::default()
        };
        structure.define(&program);
        (program, structure)
    }

    #[test]
    fn what_is_so_of_each_and_itself_is_not_drawn() {
        let (program, structure) = steps();
        let drawn = graph(&program, &[], &structure);
        let edges = drawn.edges.iter();
        let edges: Vec<_> = edges
            .map(|edge| (edge.from, edge.to, edge.label.as_str(), edge.unknown))
            .collect();
        assert_eq!(edges, [(0, 1, "n, ways", false), (1, 1, "n", true)]);
    }

    #[test]
    fn texts_cannot_end_their_quotes() {
        assert_eq!(quoted("a\"b\\c\nd"), r#""a\"b\\c\nd""#);
    }
}
