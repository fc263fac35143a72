//! Script Canvas: what the engine does to the entity of a script.

use super::{Fails, Proved, expect};

/// A handler of the buses of entities, for the entity of this identity, that prints; `more` are further
/// connections.
fn handler(entity: &str, more: &str) -> String {
    let slot = |id: &str, name: &str, connection: u8, kind: u8| {
        format!(
            r#"{{"id": {{"m_id": "{{{id}}}"}}, "slotName": "{name}",
              "Descriptor": {{"ConnectionType": {connection}, "SlotType": {kind}}}}}"#
        )
    };
    let handler = [
        slot("C", "Connect", 1, 1),
        slot("S", "Source", 1, 2),
        slot("E", "ExecutionSlot:OnEntityActivated", 2, 1),
    ];
    let print = [slot("I", "In", 1, 1), slot("O", "Out", 2, 1)];
    format!(
        r#"{{"ClassData": {{"m_scriptCanvas": {{"Id": {{"id": 1}}, "Name": "s", "Components": {{"C": {{
            "m_graphData": {{"m_nodes": [
              {{"Id": {{"id": 2}}, "Name": "EBusEventHandler", "Components": {{"N": {{
                "$type": "EBusEventHandler", "Slots": [{}], "m_ebusName": "EntityBus",
                "Datums": [{{"$type": "EntityId", "value": {{"id": {entity}}}, "label": "Source"}}],
                "m_eventMap": [{{"Key": {{"Value": 1}}, "Value": {{"m_eventName": "OnEntityActivated",
                  "m_eventSlotId": {{"m_id": "{{E}}"}}}}}}]}}}}}},
              {{"Id": {{"id": 3}}, "Name": "Print", "Components": {{"N": {{
                "$type": "Print", "Slots": [{}]}}}}}}],
            "m_connections": [{}{more}]}}}}}}}}}}}}"#,
        handler.join(", "),
        print.join(", "),
        connection((2, "E"), (3, "I")),
    )
}

fn connection(from: (u8, &str), to: (u8, &str)) -> String {
    let end = |(node, slot): (u8, &str)| {
        format!(r#"{{"nodeId": {{"id": {node}}}, "slotId": {{"m_id": "{{{slot}}}"}}}}"#)
    };
    format!(
        r#"{{"Id": {{"id": 9}}, "Components": {{"C": {{"sourceEndpoint": {}, "targetEndpoint": {}}}}}}}"#,
        end(from),
        end(to)
    )
}

#[test]
fn the_entity_of_a_script_is_activated_once() {
    let once = "G (fired(OnEntityActivated) -> X G !fired(OnEntityActivated))";
    let own = "2901262558";
    expect("a.scriptcanvas", &handler(own, ""), once, Proved);
    // Others may be activated again, and a handler that is connected again is told at once.
    expect("a.scriptcanvas", &handler("7", ""), once, Fails);
    let again = format!(", {}", connection((3, "O"), (2, "C")));
    expect("a.scriptcanvas", &handler(own, &again), once, Fails);
}
