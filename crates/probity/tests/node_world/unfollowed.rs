//! Values that are not followed: what a formula, a first value, a wire or a call says of them is not known.

use super::{BAD, Fails, NotKnown, Possible, Proved, SET, TRUE, expect, gltf, own};

#[test]
fn a_formula_about_a_value_that_is_not_followed_is_not_known() {
    // No table says what the operation gives; it is 29.
    let text = gltf(
        &[BAD, ("n", "int", "0")],
        &[
            ("math/clz", "", r#""a": {"value": [7], "type": 1}"#, ""),
            (
                "variable/set",
                r#""variables": {"value": [1]}"#,
                r#""1": {"node": 0}"#,
                "",
            ),
            ("event/onStart", "", "", r#""out": {"node": 1}"#),
        ],
    );
    for property in [
        "AG !(n == 29)",
        "AG (n != 29)",
        "AG (n < 20)",
        "G !(n == 29 & !Bad)",
        "AG !(n == 29 & Bad)",
        "AG (n == 29 -> Bad)",
        "AG (n == 29 -> AF Bad)",
        "AF (n == 29)",
        "EF (n == 29)",
    ] {
        expect("k.gltf", &text, property, NotKnown);
    }
    // What does not depend on it.
    expect("k.gltf", &text, "AG !Bad", Proved);
    expect("k.gltf", &text, "AG (n == 0)", NotKnown);
}

/// A graph of behave-graph with variables and nodes: `b` sets `Bad`, and a branch `i` leads there.
fn behave(variable: &str, nodes: &str, condition: (&str, &str)) -> String {
    let (node, socket) = condition;
    format!(
        r#"{{"nodes": [
            {{"type": "variable/set", "id": "b", "configuration": {{"variableId": "0"}},
              "parameters": {{"value": {{"value": true}}}}}},
            {{"type": "lifecycle/onStart", "id": "s", "flows": {{"flow": {{"nodeId": "i", "socket": "flow"}}}}}},
            {{"type": "flow/branch", "id": "i", "flows": {{"true": {{"nodeId": "b", "socket": "flow"}}}},
              "parameters": {{"condition": {{"link": {{"nodeId": "{node}", "socket": "{socket}"}}}}}}}},
            {{"type": "variable/get", "id": "g", "configuration": {{"variableId": "1"}}}}, {nodes}],
          "variables": [{{"id": "0", "name": "Bad", "valueTypeName": "boolean", "initialValue": false}},
            {{"id": "1", "name": "A", {variable}}}]}}"#
    )
}

#[test]
fn a_first_value_that_does_not_fit_is_no_default() {
    let log = r#"{"type": "debug/log", "id": "l"}"#;
    for (text, word) in [
        (r#""TRUE""#, Fails),
        (r#""true""#, Fails),
        (r#""no""#, Proved),
        ("7", Fails),
    ] {
        let variable = format!(r#""valueTypeName": "boolean", "initialValue": {text}"#);
        let graph = behave(&variable, log, ("g", "value"));
        expect("b.json", &graph, "AG !Bad", word);
    }
    for (text, word) in [
        // The engine refuses it, or makes one number of it, and always the same.
        (r#""0x10""#, Possible),
        (r#""99999999999999999999""#, Possible),
        (r#""5""#, Fails),
        ("0", Proved),
    ] {
        let variable = format!(r#""valueTypeName": "integer", "initialValue": {text}"#);
        let more = r#"{"type": "math/greaterThan/integer", "id": "m", "parameters": {
            "a": {"link": {"nodeId": "g", "socket": "value"}}, "b": {"value": 1}}}"#;
        let graph = behave(&variable, more, ("m", "result"));
        expect("b.json", &graph, "AG !Bad", word);
    }
    // A zero below zero is another one.
    let variable = r#""valueTypeName": "float", "initialValue": -0.0"#;
    let divided = r#"{"type": "math/divide/float", "id": "d", "parameters": {
        "a": {"value": 1}, "b": {"link": {"nodeId": "g", "socket": "value"}}}},
        {"type": "math/lessThan/float", "id": "m", "parameters": {
        "a": {"link": {"nodeId": "d", "socket": "result"}}, "b": {"value": 0}}}"#;
    let graph = behave(variable, divided, ("m", "result"));
    expect("b.json", &graph, "AG !Bad", Fails);
    // In glTF, a whole number of more than 32 bits.
    let compared = r#""a": {"node": 0}, "b": {"value": [0], "type": 1}"#;
    let nodes = [
        ("variable/get", r#""variable": {"value": [1]}"#, "", ""),
        ("math/gt", "", compared, ""),
        ("variable/set", SET, TRUE, ""),
        (
            "flow/branch",
            "",
            r#""condition": {"node": 1}"#,
            r#""true": {"node": 2}"#,
        ),
        ("event/onStart", "", "", r#""out": {"node": 3}"#),
    ];
    for (first, word) in [
        ("4294967297", Possible),
        ("[1]", Possible),
        ("5.0", Fails),
        ("0.0", Proved),
    ] {
        let text = gltf(&[BAD, ("n", "int", first)], &nodes);
        expect("k.gltf", &text, "AG !Bad", word);
    }
}

#[test]
fn an_input_with_several_wires_holds_what_is_not_known() {
    let nodes = [
        r#"{"name": "X", "kind": "Get", "with": {"flag": "A"}}"#,
        r#"{"name": "Y", "kind": "Get", "with": {"flag": "C"}}"#,
        r#"{"name": "If", "kind": "If"}"#,
    ];
    let text = own(
        r#""A": false, "C": true"#,
        &nodes,
        &["S.Out -> If.In", "If.True -> B.In"],
    );
    let wired = |wires: &str| {
        format!(
            r#"{}, "wires": [{wires}]}}"#,
            text.trim_end().trim_end_matches('}')
        )
    };
    let both = wired(r#""X.Value -> If.Condition", "Y.Value -> If.Condition""#);
    // One of the two always counts: `Bad` may never be set.
    expect("own.json", &both, "AG !Bad", Possible);
    let one = wired(r#""X.Value -> If.Condition""#);
    expect("own.json", &one, "AG !Bad", Proved);
}

#[test]
fn values_that_are_computed_from_themselves_or_twice_from_one_end() {
    let gates = |count: usize, first: &str| {
        let mut nodes = vec![
            r#"{"name": "G", "kind": "Get", "with": {"flag": "A"}}"#.to_owned(),
            r#"{"name": "If", "kind": "If"}"#.to_owned(),
        ];
        let mut wires = vec![format!("n{}.Value -> If.Condition", count - 1)];
        for at in 0..count {
            nodes.push(format!(r#"{{"name": "n{at}", "kind": "And"}}"#));
            let from = match at {
                0 => first.to_owned(),
                _ => format!("n{}.Value", at - 1),
            };
            wires.extend(["A", "B"].map(|pin| format!("{from} -> n{at}.{pin}")));
        }
        let nodes: Vec<&str> = nodes.iter().map(String::as_str).collect();
        let text = own(
            r#""A": false"#,
            &nodes,
            &["S.Out -> If.In", "If.True -> B.In"],
        );
        let wires: Vec<String> = wires.iter().map(|wire| format!("\"{wire}\"")).collect();
        format!(
            r#"{}, "wires": [{}]}}"#,
            text.trim_end().trim_end_matches('}'),
            wires.join(", ")
        )
    };
    // Each is read twice by the next one: without looking each up, 2^40 times.
    expect("own.json", &gates(40, "G.Value"), "AG !Bad", Proved);
    // The engine refuses such a circle, or reads the same in it each time.
    expect("own.json", &gates(40, "n39.Value"), "AG !Bad", Possible);
}

#[test]
fn a_node_that_writes_a_flag_and_does_not_say_which_leaves_nothing_known() {
    for with in [r#""to": true"#, r#""Flag": "Bad", "to": true"#] {
        let node = format!(r#"{{"name": "X", "kind": "Set", "with": {{{with}}}}}"#);
        let text = own(r#""A": false"#, &[&node], &["S.Out -> X.In"]);
        let said = expect("own.json", &text, "AG !Bad", NotKnown);
        assert!(
            said.iter().any(|one| one.contains("which flag")),
            "{said:?}"
        );
    }
}

#[test]
fn a_function_that_calls_itself_leaves_nothing_known() {
    // The inner call finds `A` true.
    let graph = |again: &str| {
        format!(
            r#"{{"nodegraph": 1, "flags": {{"Bad": false, "A": false}}, "graphs": [
              {{"name": "main", "nodes": [{{"name": "S", "kind": "ScriptStart"}},
                {{"name": "C", "kind": "Call", "with": {{"graph": "f"}}}}], "links": ["S.Out -> C.go"]}},
              {{"name": "f", "sort": "function", "nodes": [{{"name": "In", "kind": "Inputs"}},
                {{"name": "If", "kind": "If", "with": {{"Condition": "A"}}}},
                {{"name": "On", "kind": "Set", "with": {{"flag": "A", "to": true}}}},
                {{"name": "B", "kind": "Set", "with": {{"flag": "Bad", "to": true}}}}, {again}],
                "links": ["In.go -> If.In", "If.False -> On.In", "On.Out -> C.go", "If.True -> B.In"]}}]}}"#
        )
    };
    let call = r#"{"name": "C", "kind": "Call", "with": {"graph": "f"}}"#;
    expect("own.json", &graph(call), "AG !Bad", NotKnown);
    expect("own.json", &graph(call), "AG !A", Fails);
    let end = r#"{"name": "C", "kind": "Action", "in": ["go"]}"#;
    expect("own.json", &graph(end), "AG !Bad", Proved);
}

/// A branch on what no table says, and `Bad` behind its outputs of these names.
fn branch(outputs: &[&str]) -> String {
    let flows: Vec<String> = outputs
        .iter()
        .map(|output| format!(r#""{output}": {{"node": 1}}"#))
        .collect();
    gltf(
        &[BAD],
        &[
            ("math/clz", "", r#""a": {"value": [7], "type": 1}"#, ""),
            ("variable/set", SET, TRUE, ""),
            (
                "flow/branch",
                "",
                r#""condition": {"node": 0}"#,
                &flows.join(", "),
            ),
            ("event/onStart", "", "", r#""out": {"node": 2}"#),
        ],
    )
}

#[test]
fn a_failure_that_rests_on_a_value_that_is_not_followed_is_a_possible_one() {
    // The branch may always go the other way.
    expect("k.gltf", &branch(&["true"]), "AG !Bad", Possible);
    expect("k.gltf", &branch(&["false"]), "AG !Bad", Possible);
    expect("k.gltf", &branch(&["true"]), "G !Bad", Possible);
    // Both ways lead there.
    expect("k.gltf", &branch(&["true", "false"]), "AG !Bad", Fails);
    // Neither matters.
    expect("k.gltf", &branch(&[]), "AG !Bad", Proved);
}

#[test]
fn a_failure_beside_a_value_that_is_not_followed_is_definite() {
    let nodes = [
        r#"{"name": "E", "kind": "OnEvent"}"#,
        r#"{"name": "F", "kind": "OnEvent"}"#,
        r#"{"name": "C", "kind": "Set", "with": {"flag": "Bad", "to": true}}"#,
        r#"{"name": "W", "kind": "Delay"}"#,
        r#"{"name": "If", "kind": "If", "with": {"Condition": "Odd == 0"}}"#,
    ];
    let text = |links: &[&str]| own(r#""Odd": false"#, &nodes, links);
    let one = text(&["E.Out -> If.In", "If.True -> B.In"]);
    expect("own.json", &one, "AG !Bad", Possible);
    // The run by way of the branch is the shorter one.
    let two = text(&[
        "E.Out -> If.In",
        "If.True -> B.In",
        "F.Out -> W.Start",
        "W.Finished -> C.In",
    ]);
    expect("own.json", &two, "AG !Bad", Fails);
}

#[test]
fn what_some_run_does_is_not_sought_among_fewer_runs() {
    // `Bad` is taken back by way of the second branch, unless the first one has gone to `D`. Among the
    // runs that go by neither it is never taken back.
    let branch = |name: &str, condition: &str| {
        format!(r#"{{"name": "{name}", "kind": "If", "with": {{"Condition": "{condition}"}}}}"#)
    };
    let set = |name: &str, flag: &str, to: bool| {
        format!(r#"{{"name": "{name}", "kind": "Set", "with": {{"flag": "{flag}", "to": {to}}}}}"#)
    };
    let nodes = [
        r#"{"name": "E", "kind": "OnEvent"}"#.to_owned(),
        r#"{"name": "F", "kind": "OnEvent"}"#.to_owned(),
        branch("First", "Odd == 0"),
        branch("Second", "Odd == 0"),
        branch("Third", "Dead"),
        set("D", "Dead", true),
        set("C", "Bad", false),
    ];
    let nodes: Vec<&str> = nodes.iter().map(String::as_str).collect();
    let text = own(
        r#""Odd": false, "Dead": false"#,
        &nodes,
        &[
            "E.Out -> B.In",
            "F.Out -> Second.In",
            "Second.True -> Third.In",
            "Third.False -> C.In",
            "S.Out -> First.In",
            "First.True -> D.In",
            "D.Out -> B.In",
        ],
    );
    expect("own.json", &text, "AG (Bad -> EF !Bad)", Possible);
}

#[test]
fn a_value_that_makes_no_difference_to_a_property_leaves_its_failure_certain() {
    // The branch comes first in the wave in which `Bad` is set, and leads elsewhere.
    let nodes = [
        r#"{"name": "If", "kind": "If", "with": {"Condition": "Odd == 0"}}"#,
        r#"{"name": "C", "kind": "Set", "with": {"flag": "Other", "to": true}}"#,
    ];
    let flags = r#""Odd": false, "Other": false"#;
    let links = ["S.Out -> If.In", "If.True -> C.In", "S.Out -> B.In"];
    let text = own(flags, &nodes, &links);
    // The other property keeps the branch in what is looked at.
    let both = |other: &str| {
        let stated = format!(r#""nodegraph": 1, "properties": {{"other": "{other}"}},"#);
        text.replacen(r#""nodegraph": 1,"#, &stated, 1)
    };
    expect("own.json", &both("AG !Other"), "AG !Bad", Fails);
    expect("own.json", &both("AG !Bad"), "AG !Other", Possible);
    expect("own.json", &both("AG !Bad"), "F (Bad & !Other)", Possible);
}

#[test]
fn a_failure_that_rests_on_what_a_flag_becomes_is_a_possible_one() {
    // No table says what the operation gives; it is 29.
    let graph = |value: &str| {
        gltf(
            &[BAD],
            &[
                ("math/clz", "", r#""a": {"value": [7], "type": 1}"#, ""),
                (
                    "math/eq",
                    "",
                    r#""a": {"node": 0}, "b": {"value": [5], "type": 1}"#,
                    "",
                ),
                ("variable/set", SET, value, ""),
                ("event/onStart", "", "", r#""out": {"node": 2}"#),
            ],
        )
    };
    expect("k.gltf", &graph(r#""0": {"node": 1}"#), "AG !Bad", Possible);
    expect("k.gltf", &graph(r#""0": {"node": 1}"#), "AF Bad", Possible);
    expect("k.gltf", &graph(TRUE), "AG !Bad", Fails);
}

#[test]
fn a_delay_of_a_random_time_between_two_is_set_for_certain() {
    let graph = |least: &str, starts: &str| {
        gltf(
            &[BAD],
            &[
                ("math/random", "", "", ""),
                (
                    "math/mix",
                    "",
                    &format!(
                        r#""a": {{"value": [{least}], "type": 2}}, "b": {{"value": [3.3], "type": 2}}, "c": {{"node": 0}}"#
                    ),
                    "",
                ),
                (
                    "flow/setDelay",
                    "",
                    r#""duration": {"node": 1}"#,
                    &format!(r#""{starts}": {{"node": 3}}"#),
                ),
                ("variable/set", SET, TRUE, ""),
                ("event/onStart", "", "", r#""out": {"node": 2}"#),
            ],
        )
    };
    expect("k.gltf", &graph("0.7", "out"), "AG !Bad", Fails);
    expect("k.gltf", &graph("0.7", "err"), "AG !Bad", Proved);
    // A negative time is refused.
    expect("k.gltf", &graph("-0.7", "err"), "AG !Bad", Possible);
    expect("k.gltf", &graph("-0.7", "out"), "AG !Bad", Possible);
}
