//! Script Canvas: what the engine does to the entity of a script, to loops, and in methods.

use super::{Fails, NotKnown, Possible, Proved, expect};

/// A node: identity, type, slots, and further members. A slot has a name that is also its identity, and says whether
/// it is an output, and whether it holds data.
type Node<'a> = (u8, &'a str, &'a [(&'a str, bool, bool)], &'a str);
/// An end of a connection: node and slot.
type End<'a> = (u8, &'a str);

fn canvas(nodes: &[Node<'_>], connections: &[(End<'_>, End<'_>)]) -> String {
    let slot = |&(name, output, data): &(&str, bool, bool)| {
        let (connection, kind) = (1 + u8::from(output), 1 + u8::from(data));
        format!(
            r#"{{"id": {{"m_id": "{{{name}}}"}}, "slotName": "{name}",
              "Descriptor": {{"ConnectionType": {connection}, "SlotType": {kind}}}}}"#
        )
    };
    let node = |&(id, ty, slots, more): &Node<'_>| {
        let slots: Vec<String> = slots.iter().map(slot).collect();
        format!(
            r#"{{"Id": {{"id": {id}}}, "Name": "{ty}", "Components": {{"N": {{
              "$type": "{ty}", "Slots": [{}]{more}}}}}}}"#,
            slots.join(", ")
        )
    };
    let end = |(node, slot): End<'_>| {
        format!(r#"{{"nodeId": {{"id": {node}}}, "slotId": {{"m_id": "{{{slot}}}"}}}}"#)
    };
    let connection = |&(from, to): &(End<'_>, End<'_>)| {
        let (from, to) = (end(from), end(to));
        format!(
            r#"{{"Id": {{"id": 9}}, "Components": {{"C": {{"sourceEndpoint": {from}, "targetEndpoint": {to}}}}}}}"#
        )
    };
    let nodes: Vec<String> = nodes.iter().map(node).collect();
    let connections: Vec<String> = connections.iter().map(connection).collect();
    format!(
        r#"{{"ClassData": {{"m_scriptCanvas": {{"Id": {{"id": 1}}, "Name": "s", "Components": {{"C": {{
            "m_graphData": {{"m_nodes": [{}], "m_connections": [{}]}}}}}}}}}}}}"#,
        nodes.join(", "),
        connections.join(", ")
    )
}

const START: Node<'_> = (2, "Start", &[("Out", true, false)], "");
const PRINT: Node<'_> = (
    3,
    "Print",
    &[("In", false, false), ("Out", true, false)],
    "",
);

#[test]
fn the_entity_of_a_script_is_activated_once() {
    let graph = |entity: &str, more: &[(End<'_>, End<'_>)]| {
        let more_of = format!(
            r#", "m_ebusName": "EntityBus",
              "Datums": [{{"$type": "EntityId", "value": {{"id": {entity}}}, "label": "Source"}}],
              "m_eventMap": [{{"Key": {{"Value": 1}}, "Value": {{"m_eventName": "OnEntityActivated",
                "m_eventSlotId": {{"m_id": "{{E}}"}}}}}}]"#
        );
        let slots = [
            ("Connect", false, false),
            ("Disconnect", false, false),
            ("Source", false, true),
            ("E", true, false),
        ];
        let handler: Node<'_> = (4, "EBusEventHandler", &slots, &more_of);
        let connections = [&[((4, "E"), (3, "In"))], more].concat();
        canvas(&[START, PRINT, handler], &connections)
    };
    let once = "G (fired(OnEntityActivated) -> X G !fired(OnEntityActivated))";
    let own = "2901262558";
    expect("a.scriptcanvas", &graph(own, &[]), once, Proved);
    // Others may be activated again, and a handler that is connected by signals is told at once.
    expect("a.scriptcanvas", &graph("7", &[]), once, Fails);
    let started = [((2, "Out"), (4, "Connect"))];
    expect("a.scriptcanvas", &graph(own, &started), once, Fails);
    // Nobody connects this one.
    let never = "G !fired(OnEntityActivated)";
    let itself = [((3, "Out"), (4, "Connect"))];
    expect("a.scriptcanvas", &graph(own, &itself), never, Proved);
    expect("a.scriptcanvas", &graph(own, &started), never, Fails);
    // One that is disconnected hears nothing more.
    let off = [((3, "Out"), (4, "Disconnect"))];
    expect("a.scriptcanvas", &graph("7", &off), once, Proved);
}

#[test]
fn a_break_ends_the_loop_in_whose_body_it_stands() {
    let always = r#", "Datums": [{"$type": "bool", "scriptCanvasType": {"m_type": 0}, "value": true, "label": "Condition"}]"#;
    let slots = [
        ("In", false, false),
        ("Condition", false, true),
        ("Loop", true, false),
        ("Out", true, false),
    ];
    let outer: Node<'_> = (4, "While", &slots, always);
    let inner: Node<'_> = (5, "While", &slots, always);
    let breaks: Node<'_> = (6, "Break", &[("In", false, false)], "");
    let graph = |connections: &[(End<'_>, End<'_>)]| {
        let more = [
            &[((2, "Out"), (4, "In")), ((4, "Out"), (3, "In"))],
            connections,
        ]
        .concat();
        let is_used = connections.iter().any(|(from, _)| from.0 == inner.0);
        let more_nodes = if is_used { vec![inner] } else { Vec::new() };
        let nodes = [vec![START, PRINT, outer, breaks], more_nodes].concat();
        canvas(&nodes, &more)
    };
    let ends = "AF entered(Print)";
    let one = [((4, "Loop"), (6, "In"))];
    expect("a.scriptcanvas", &graph(&one), ends, Proved);
    expect("a.scriptcanvas", &graph(&[]), ends, NotKnown);
    // The inner one is broken, and the outer one goes on.
    let both = [((4, "Loop"), (5, "In")), ((5, "Loop"), (6, "In"))];
    expect("a.scriptcanvas", &graph(&both), ends, NotKnown);
    // Behind the inner one it breaks the outer one; the inner one goes on.
    let behind = [((4, "Loop"), (5, "In")), ((5, "Out"), (6, "In"))];
    expect("a.scriptcanvas", &graph(&behind), ends, NotKnown);
    // Which one it breaks is not known.
    let either = [
        ((4, "Loop"), (5, "In")),
        ((5, "Loop"), (6, "In")),
        ((4, "Loop"), (6, "In")),
    ];
    expect("a.scriptcanvas", &graph(&either), ends, NotKnown);
}

#[test]
fn which_output_a_method_fires_is_not_known() {
    let slots = [
        ("In", false, false),
        ("True", true, false),
        ("False", true, false),
    ];
    let method: Node<'_> = (4, "MethodOverloaded", &slots, "");
    let graph = |connections: &[(End<'_>, End<'_>)]| {
        let more = [&[((2, "Out"), (4, "In"))], connections].concat();
        canvas(&[START, PRINT, method], &more)
    };
    let never = "G !entered(Print)";
    let one = [((4, "True"), (3, "In"))];
    expect("a.scriptcanvas", &graph(&one), never, Possible);
    let both = [((4, "True"), (3, "In")), ((4, "False"), (3, "In"))];
    expect("a.scriptcanvas", &graph(&both), never, Fails);
}

#[test]
fn a_button_that_is_pressed_is_released_some_time() {
    let slots = [
        ("Connect Event", false, false),
        ("On Connect Event", true, false),
        ("Pressed", true, false),
        ("Held", true, false),
        ("Released", true, false),
    ];
    let input: Node<'_> = (4, "InputHandlerNodeableNode", &slots, "");
    let graph = canvas(
        &[START, PRINT, input],
        &[
            ((2, "Out"), (4, "Connect Event")),
            ((4, "Released"), (3, "In")),
        ],
    );
    let pressed = "AG (state(Input_Handler) == Down -> AF entered(Print))";
    expect("a.scriptcanvas", &graph, pressed, Proved);
    expect("a.scriptcanvas", &graph, "AF entered(Print)", Fails);
}
