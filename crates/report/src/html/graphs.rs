//! Configurations of a run as drawn graphs: an individual has the same place in all of them.

use std::collections::BTreeMap;

use model::{Picture, PictureBox, PictureLine, PicturePin};
use serde_json::{Value, json};

use super::layout;
use crate::values::ShapeGraph;

/// What the page needs to draw the configurations of a run.
pub(super) fn placed(graphs: &[ShapeGraph]) -> Value {
    let union = union(graphs);
    let mut places = layout::place(&union).boxes;
    apart(graphs, &mut places);
    let at: BTreeMap<&str, usize> = union
        .boxes
        .iter()
        .enumerate()
        .map(|(index, one)| (one.name.as_str(), index))
        .collect();
    let drawn = graphs.iter().map(|graph| {
        let nodes = graph.nodes.iter().map(|node| {
            let place = places[at[node.name.as_str()]];
            json!({
                "name": node.name, "facts": node.facts, "summary": node.summary,
                "thread": node.thread,
                "x": place.x.round(), "y": place.y.round(),
                "width": place.width.round(), "height": place.height.round(),
            })
        });
        let edges = graph
            .edges
            .iter()
            .map(|edge| json!([edge.from, edge.to, edge.label, edge.unknown]));
        json!({
            "facts": graph.facts,
            "nodes": nodes.collect::<Value>(),
            "edges": edges.collect::<Value>(),
        })
    });
    drawn.collect()
}

/// Makes room for the texts between columns.
fn apart(graphs: &[ShapeGraph], places: &mut [layout::Place]) {
    let labels = graphs.iter().flat_map(|graph| &graph.edges);
    let longest = labels.map(|edge| edge.label.chars().count()).max();
    let mut columns: Vec<f64> = places.iter().map(|place| place.x).collect();
    columns.sort_by(f64::total_cmp);
    columns.dedup();
    #[expect(clippy::cast_precision_loss, reason = "lengths of texts on a page")]
    for place in places {
        let before = columns.partition_point(|&x| x < place.x);
        place.x += before as f64 * longest.unwrap_or(0) as f64 * 6.5;
    }
}

/// All individuals of a run and what ever joins them, as one picture.
fn union(graphs: &[ShapeGraph]) -> Picture {
    let mut picture = Picture::default();
    let mut at: BTreeMap<&str, usize> = BTreeMap::new();
    for graph in graphs {
        for node in &graph.nodes {
            let index = *at.entry(&node.name).or_insert_with(|| {
                picture.boxes.push(boxed(&node.name));
                picture.boxes.len() - 1
            });
            let own = &mut picture.boxes[index];
            let lines = node.facts.iter().map(|(fact, unknown)| {
                // The place of ` = 1/2`.
                fact.chars().count() + if *unknown { 6 } else { 0 }
            });
            let longest = lines.max().unwrap_or(0).max(node.name.chars().count());
            if longest > own.title.len() {
                own.title = "m".repeat(longest);
            }
            while own.inputs.len() < node.facts.len() {
                own.inputs.push(pin());
            }
        }
    }
    for graph in graphs {
        for edge in &graph.edges {
            let [from, to] = [edge.from, edge.to].map(|one| at[graph.nodes[one].name.as_str()]);
            let known = picture
                .lines
                .iter()
                .any(|line| [(from, to), (to, from)].contains(&(line.from, line.to)));
            if !known {
                picture.lines.push(PictureLine {
                    from,
                    output: 0,
                    to,
                    input: 0,
                });
            }
        }
    }
    picture
}

fn pin() -> PicturePin {
    PicturePin {
        name: String::new(),
        title: String::new(),
        data: false,
    }
}

fn boxed(name: &str) -> PictureBox {
    PictureBox {
        name: name.to_owned(),
        title: String::new(),
        kind: String::new(),
        sheet: String::new(),
        inputs: vec![pin()],
        outputs: vec![pin()],
        position: None,
        remark: false,
        sets: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::values::{ShapeEdge, ShapeNode};

    fn node(name: &str, facts: usize) -> ShapeNode {
        ShapeNode {
            name: name.to_owned(),
            facts: vec![("holds".to_owned(), false); facts],
            ..ShapeNode::default()
        }
    }

    #[test]
    fn an_individual_keeps_its_place_and_has_room_for_all() {
        let edge = ShapeEdge {
            from: 0,
            to: 1,
            label: "next".to_owned(),
            unknown: true,
        };
        let graphs = [
            ShapeGraph {
                nodes: vec![node("a", 1), node("b", 0)],
                edges: vec![edge],
                ..ShapeGraph::default()
            },
            ShapeGraph {
                nodes: vec![node("new", 0), node("b", 4)],
                ..ShapeGraph::default()
            },
        ];
        let placed = placed(&graphs);
        let place = |graph: usize, node: usize| {
            let node = &placed[graph]["nodes"][node];
            ["x", "y", "width", "height"].map(|name| node[name].as_f64())
        };
        assert_eq!(place(0, 1), place(1, 1));
        assert_ne!(place(0, 0), place(1, 0));
        assert!(place(0, 1)[3] > place(0, 0)[3], "room for four facts");
        assert_eq!(placed[0]["edges"][0], json!([0, 1, "next", true]));
    }
}
