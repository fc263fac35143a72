//! The control flow of each process, for Graphviz: one cluster a process, locations as nodes,
//! steps as edges with their place in the script.

use std::fmt::Write as _;

use model::{Expr, Mode, Program, Target, Value};
use source::{SourceMap, Span};

use crate::states::quoted;

/// Longer pieces of the script are cut.
const LONGEST: usize = 40;

/// Draws the processes of a program.
#[must_use]
pub fn control_flow(program: &Program, sources: &SourceMap) -> String {
    let mut text = format!(
        "digraph \"{}\" {{\n  node [shape=ellipse];\n",
        quoted(&program.name)
    );
    for (index, process) in program.processes.iter().enumerate() {
        let _ = writeln!(text, "  subgraph cluster_{index} {{");
        let _ = writeln!(text, "    label=\"{}\";", quoted(&process.name));
        let live = |step: &model::Step| {
            !step
                .guard
                .is_some_and(|guard| *program.exprs.get(guard) == Expr::Const(Value::Bool(false)))
        };
        let mut drawn = vec![false; process.locations.len()];
        drawn[process.entry.index()] = true;
        let mut edges = String::new();
        for step in process.steps.iter().filter(|step| live(step)) {
            drawn[step.from.index()] = true;
            let from = format!("p{index}_{}", step.from.0);
            let label = quoted(&edge_label(sources, step));
            let mut edge = |to: &str, style: &str| {
                let _ = writeln!(edges, "    {from} -> {to} [label=\"{label}\"{style}];");
            };
            match &step.target {
                Target::Goto(to) => {
                    drawn[to.index()] = true;
                    edge(&format!("p{index}_{}", to.0), "");
                }
                Target::Call { callee, then, .. } => {
                    drawn[then.index()] = true;
                    if let model::Callee::Known(callee) = callee {
                        let entry = process.procedures[callee.index()].entry;
                        drawn[entry.index()] = true;
                        edge(&format!("p{index}_{}", entry.0), "");
                    }
                    edge(&format!("p{index}_{}", then.0), ", style=dashed");
                }
                Target::Return(_) => edge(&format!("p{index}_return"), ", style=dashed"),
                Target::End => edge(&format!("p{index}_end"), ""),
            }
        }
        for (place, location) in process.locations.iter().enumerate() {
            if !drawn[place] {
                continue;
            }
            let name = if location.name.is_empty() {
                line(sources, location.span).unwrap_or_else(|| format!("{place}"))
            } else {
                location.name.clone()
            };
            let mut style = String::new();
            if location.mode != Mode::Open {
                style.push_str(", shape=point, xlabel=\"\"");
            }
            if location.end {
                style.push_str(", peripheries=2");
            }
            if place == process.entry.index() {
                style.push_str(", style=bold");
            }
            let _ = writeln!(
                text,
                "    p{index}_{place} [label=\"{}\"{style}];",
                quoted(&name)
            );
        }
        for (place, shown) in [("return", "return"), ("end", "end")] {
            if edges.contains(&format!("-> p{index}_{place} ")) {
                let _ = writeln!(
                    text,
                    "    p{index}_{place} [label=\"{shown}\", shape=plaintext];"
                );
            }
        }
        text.push_str(&edges);
        text.push_str("  }\n");
    }
    text.push_str("}\n");
    text
}

fn edge_label(sources: &SourceMap, step: &model::Step) -> String {
    let mut parts = Vec::new();
    if let Some(label) = &step.label {
        parts.push(label.clone());
    }
    if let Some(line) = line(sources, step.span) {
        parts.push(line);
    }
    parts.join("\n")
}

/// `line: its text`.
fn line(sources: &SourceMap, span: Span) -> Option<String> {
    if span.is_none() {
        return None;
    }
    let file = sources.get(span.file)?;
    let line = file.line(span.start);
    let mut text = sources
        .snippet(span)
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ");
    if text.chars().count() > LONGEST {
        text = text.chars().take(LONGEST).collect::<String>() + "...";
    }
    Some(format!("{line}: {text}"))
}
