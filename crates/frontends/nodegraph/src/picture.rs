//! A project as a picture: each node a box, each link a line, named as stories name them.

use model::{Picture, PictureBox, PictureLine, PicturePin};

use crate::graph::{Graph, Link, Literal, Node, Pin, Project, Role};

/// The picture of a flat project.
#[must_use]
pub fn picture(project: &Project) -> Picture {
    let several = project.graphs.len() > 1;
    let mut picture = Picture::default();
    for graph in &project.graphs {
        let first = picture.boxes.len();
        for node in &graph.nodes {
            picture.boxes.push(drawn(project, graph, node, several));
        }
        // Signals come before values on both sides of a box.
        let line = |link: &Link, data: bool| {
            let (from, to) = (graph.node(link.from.node), graph.node(link.to.node));
            let shift = |signals: &[Pin]| if data { signals.len() } else { 0 };
            PictureLine {
                from: first + link.from.node.index(),
                output: link.from.pin.index() + shift(&from.signals_out),
                to: first + link.to.node.index(),
                input: link.to.pin.index() + shift(&to.signals_in),
            }
        };
        let signals = graph.signals.iter().map(|link| line(link, false));
        picture.lines.extend(signals);
        let wires = graph.wires.iter().map(|link| line(link, true));
        picture.lines.extend(wires);
    }
    picture
}

/// The flags that a node writes: its own, those of its pins, that of a setting, or that of its kind
/// (`SetEventMode`).
fn sets(project: &Project, node: &Node) -> Vec<String> {
    let named = |flag: &str| {
        let mut settings = node.settings.iter();
        settings.any(|one| matches!(&one.value, Literal::Text(text) if **text == *flag))
            || node.kind.strip_prefix("Set") == Some(flag)
    };
    let flags = project.flags.iter().enumerate();
    let set = flags.filter(|(index, flag)| {
        let own = matches!(node.role, Role::Set(id) if id.index() == *index);
        let mut pins = node.values_in.iter();
        own || pins.any(|pin| pin.sets.is_some_and(|id| id.index() == *index)) || named(&flag.name)
    });
    set.map(|(_, flag)| flag.name.clone()).collect()
}

fn drawn(project: &Project, graph: &Graph, node: &Node, several: bool) -> PictureBox {
    let pins = |signals: &[Pin], values: &[Pin]| {
        let signals = signals.iter().map(|pin| (pin, false));
        let values = values.iter().map(|pin| (pin, true));
        let all = signals.chain(values);
        all.map(|(pin, data)| PicturePin {
            name: pin.name.clone(),
            title: match &pin.literal {
                Some(value) if data => format!("{} = {value}", pin.shown()),
                _ => pin.shown().to_owned(),
            },
            data,
        })
        .collect()
    };
    let kind = node.kind.strip_prefix(graph.origin.prefix());
    PictureBox {
        name: match several {
            true => format!("{}/{}", graph.name, node.name),
            false => node.name.clone(),
        },
        title: node.title.clone(),
        kind: kind.unwrap_or(&node.kind).to_owned(),
        sheet: graph.name.clone(),
        inputs: pins(&node.signals_in, &node.values_in),
        outputs: pins(&node.signals_out, &node.values_out),
        position: node.position,
        remark: node.role == Role::Remark,
        sets: sets(project, node),
    }
}
