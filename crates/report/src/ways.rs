//! Ways through structures, told: what may happen, and what is known of each structure then.

use std::collections::BTreeMap;

use model::predicates::{PredicateProgram, Way};

use crate::graphs::graph;
use crate::story::Narrator;
use crate::values::{
    Change, Ending, First, Happening, HappeningKind, Holder, ShapeGraph, Story, StoryStep,
};

/// The story of a way.
pub(crate) fn story(narrator: &Narrator<'_>, program: &PredicateProgram, way: &Way) -> Story {
    let names = way.names(program);
    let structures = way.structures.iter().zip(&names);
    let graphs: Vec<ShapeGraph> = structures
        .map(|(structure, names)| graph(program, names, structure))
        .collect();
    let facts: Vec<BTreeMap<String, &'static str>> = graphs.iter().map(facts).collect();
    let steps = (1..graphs.len()).map(|number| {
        let action = &program.actions[way.actions[number - 1]];
        StoryStep {
            number,
            happenings: vec![Happening {
                kind: HappeningKind::Step,
                who: None,
                text: action.name.clone(),
                detail: false,
                line: narrator.line(action.span),
                places: Vec::new(),
                message: None,
            }],
            changes: changes(&facts[number - 1], &facts[number]),
        }
    });
    let last = way.actions.get(graphs.len() - 1);
    let last = last.map(|&action| &program.actions[action]);
    let text = match (last, way.repeats_from) {
        (Some(action), None) => format!("`{}` may report it", action.name),
        _ => "this may go on for ever".to_owned(),
    };
    let beginning = facts[0].iter().map(|(variable, value)| First {
        variable: variable.clone(),
        value: (*value).to_owned(),
        detail: false,
    });
    Story {
        possible: true,
        beginning: beginning.collect(),
        steps: steps.collect(),
        repeats_from: way.repeats_from,
        ending: Ending {
            text,
            values: Vec::new(),
            line: last.and_then(|action| narrator.line(action.span)),
            waiting: Vec::new(),
        },
        graphs,
    }
}

/// What holds and what may, and who stands for several.
fn facts(graph: &ShapeGraph) -> BTreeMap<String, &'static str> {
    let value = |unknown: bool| if unknown { "unknown" } else { "true" };
    let mut all = BTreeMap::new();
    for (name, unknown) in &graph.facts {
        all.insert(format!("{name}()"), value(*unknown));
    }
    for node in &graph.nodes {
        let count = if node.summary { "several" } else { "one" };
        all.insert(node.name.clone(), count);
        for (fact, unknown) in &node.facts {
            all.insert(format!("{fact}({})", node.name), value(*unknown));
        }
    }
    for edge in &graph.edges {
        let [from, to] = [edge.from, edge.to].map(|one| &graph.nodes[one].name);
        for label in edge.label.split(", ") {
            all.insert(format!("{label}({from}, {to})"), value(edge.unknown));
        }
    }
    all
}

fn changes(
    before: &BTreeMap<String, &'static str>,
    after: &BTreeMap<String, &'static str>,
) -> Vec<Change> {
    // What says nothing of somebody who is not there is said of nobody.
    let other = |variable: &str| {
        if variable.contains('(') {
            "false"
        } else {
            "none"
        }
    };
    let mut names: Vec<&String> = before.keys().chain(after.keys()).collect();
    names.sort_unstable();
    names.dedup();
    let changed = names.into_iter().filter_map(|name| {
        let was = before.get(name).copied().unwrap_or(other(name));
        let is = after.get(name).copied().unwrap_or(other(name));
        (was != is).then(|| Change {
            variable: name.clone(),
            holder: Holder::Script,
            before: was.to_owned(),
            after: is.to_owned(),
            detail: false,
        })
    });
    changed.collect()
}
