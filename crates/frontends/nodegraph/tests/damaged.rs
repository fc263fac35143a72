//! Damaged files of every format are refused with an error, or read: never a panic, never an
//! answer without a reason.

use std::path::Path;

use nodegraph::formats::{read, unpack};
use source::{Diagnostics, SourceMap};

/// The examples, one for each format.
fn examples() -> Vec<(&'static str, String)> {
    let folder =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../examples/nodegraph/event-mode");
    [
        "bug.gltf",
        "fixed.scriptcanvas",
        "fixed.t3d",
        "fixed.asset",
        "fixed.torch",
    ]
    .into_iter()
    .map(|name| {
        let text = std::fs::read_to_string(folder.join(name)).expect("the example is there");
        (name, text)
    })
    .chain([("behave.json", BEHAVE.to_owned())])
    .collect()
}

const BEHAVE: &str = r#"{
    "variables": [{"id": 0, "name": "open", "valueTypeName": "boolean", "initialValue": true}],
    "customEvents": [{"id": "0", "name": "ring"}],
    "nodes": [
        {"id": "0", "type": "lifecycle/onStart", "flows": {"flow": {"nodeId": "1", "socket": "flow"}}},
        {"id": "1", "type": "variable/set", "configuration": {"variableId": 0},
         "parameters": {"value": {"value": "false"}},
         "flows": {"flow": {"nodeId": "2", "socket": "flow"}}},
        {"id": "2", "type": "customEvent/trigger", "configuration": {"customEventId": 0}},
        {"id": "3", "type": "customEvent/onTriggered", "configuration": {"customEventId": "0"},
         "flows": {"flow": {"nodeId": "4", "socket": "flow"}}},
        {"id": "4", "type": "flow/branch", "metadata": {"positionX": "-4", "positionY": "2.5"},
         "parameters": {"condition": {"link": {"nodeId": "5", "socket": "value"}}}},
        {"id": "5", "type": "variable/get", "configuration": {"variableId": 0}}
    ]
}"#;

/// Reads a text; whether it was taken.
fn taken(name: &str, text: &str) -> bool {
    let mut sources = SourceMap::new();
    let file = sources.add(name, text);
    let mut diagnostics = Diagnostics::new();
    let project = read(sources.file(file), &mut diagnostics);
    let found: Vec<String> = diagnostics
        .clone()
        .into_iter()
        .map(|one| source::render(&one, &sources, false))
        .collect();
    assert_eq!(
        project.is_none(),
        diagnostics.has_errors(),
        "{name}: {found:?}"
    );
    if let Some(project) = &project {
        let flat = nodegraph::flatten(project, &mut diagnostics);
        let picture = nodegraph::picture(&flat);
        for line in &picture.lines {
            assert!(
                line.output < picture.boxes[line.from].outputs.len(),
                "{name}"
            );
            assert!(line.input < picture.boxes[line.to].inputs.len(), "{name}");
        }
    }
    project.is_some()
}

/// Pseudo-random numbers, the same in each run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        usize::try_from(self.0 >> 33).expect("31 bits fit") % limit
    }
}

#[test]
fn whole_files_are_taken_and_cut_ones_are_refused() {
    for (name, text) in examples() {
        assert!(taken(name, &text), "{name}");
        for part in 1..40 {
            let mut end = text.trim_end().len() * part / 40;
            while !text.is_char_boundary(end) {
                end -= 1;
            }
            let cut = taken(name, &text[..end]);
            // A clipboard that is cut between two objects is a smaller clipboard.
            let count = |words: &str| text[..end].matches(words).count();
            let between = count("Begin Object") == count("End Object");
            assert!(!cut || between, "{name}, cut at {end}");
        }
    }
}

#[test]
fn files_with_changed_parts_do_no_harm() {
    let mut numbers = Numbers(7);
    let pieces = [
        "\"",
        "{",
        "}",
        "[",
        "]",
        "0",
        "-1",
        "99999999999999999999",
        "null",
        "(",
        ")",
        ",",
        "é",
        "\\",
        "true",
    ];
    for (name, text) in examples() {
        let places: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
        for _ in 0..150 {
            let mut changed = text.clone();
            for _ in 0..=numbers.below(3) {
                let at = places[numbers.below(places.len())].min(changed.len());
                if changed.is_char_boundary(at) {
                    changed.insert_str(at, pieces[numbers.below(pieces.len())]);
                }
            }
            taken(name, &changed);
        }
        // The same with values put in each other's place, which keeps the text well-formed.
        let words: Vec<&str> = text.split(['"', ',', '=']).collect();
        for _ in 0..60 {
            let (one, other) = (
                words[numbers.below(words.len())],
                words[numbers.below(words.len())],
            );
            if !one.is_empty() {
                taken(name, &text.replacen(one, other, 1));
            }
        }
    }
}

#[test]
fn deep_and_long_texts_are_refused_or_read_without_a_deep_stack() {
    assert!(!taken("deep.json", &"[".repeat(100_000)));
    assert!(!taken("deep.json", &"{\"nodes\":".repeat(100_000)));
    let open = "Begin Object Class=K2Node_Knot Name=\"K\"\n".repeat(50_000);
    assert!(!taken("deep.t3d", &open));
    let pin = format!("CustomProperties Pin (PinId=A,X={})", "(".repeat(200_000));
    let object = format!("Begin Object Class=K2Node_Knot Name=\"K\"\n{pin}\nEnd Object\n");
    assert!(taken("parentheses.t3d", &object));
    let node = |at: usize| {
        format!(
            "{{\"id\":\"{at}\",\"type\":\"debug/log\",\"flows\":{{\"flow\":{{\"nodeId\":\"{}\"}}}}}}",
            (at + 1) % 50_000
        )
    };
    let nodes: Vec<String> = (0..50_000).map(node).collect();
    assert!(taken(
        "long.json",
        &format!("{{\"nodes\":[{}]}}", nodes.join(","))
    ));
}

#[test]
fn a_container_gives_its_json_or_says_what_is_wrong() {
    let json = b"{\"asset\": {\"version\": \"2.0\"}}  ";
    let mut file = b"glTF".to_vec();
    let length = u32::try_from(json.len()).expect("it is short");
    for word in [2, 20 + length, length] {
        file.extend(word.to_le_bytes());
    }
    file.extend(b"JSON");
    file.extend(json);
    assert_eq!(unpack("a.glb", file.clone()).expect("it is whole"), json);
    for end in 4..file.len() {
        assert!(
            unpack("a.glb", file[..end].to_vec()).is_err(),
            "cut at {end}"
        );
    }
    let mut other = file.clone();
    other[4] = 1;
    assert!(unpack("a.glb", other).is_err(), "version 1");
    file[16] = b'B';
    assert!(unpack("a.glb", file).is_err(), "not JSON");
    assert_eq!(
        unpack("a.json", b"{}".to_vec()).expect("no container"),
        b"{}"
    );
}

#[test]
fn graphs_of_unity_with_strange_parts_do_no_harm() {
    let asset = |json: &str| {
        format!(
            "%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n--- !u!114 &1\nMonoBehaviour:\n  _data:\n    _json: '{json}'\n"
        )
    };
    // Graphs within one another, units that name themselves, huge numbers, connections without ends.
    let mut deep = r#"{"elements":[]}"#.to_owned();
    for _ in 0..60 {
        deep = format!(
            r#"{{"elements":[{{"nest":{{"source":"Embed","embed":{deep}}},"$type":"Unity.VisualScripting.SubgraphUnit"}}]}}"#
        );
    }
    assert!(taken(
        "deep.asset",
        &asset(&format!(r#"{{"graph":{deep}}}"#))
    ));
    for elements in [
        r#"{"$ref":"1","$id":"1"}"#,
        r#"{"$ref":"1"},{"$ref":"2"}"#,
        r#"{"outputCount":99999999999999999999,"$type":"Unity.VisualScripting.Sequence","$id":"99999999999999999999"}"#,
        r#"{"outputCount":-5,"coroutine":7,"$type":"Unity.VisualScripting.Sequence","$id":"1"}"#,
        r#"{"sourceUnit":null,"$type":"Unity.VisualScripting.ControlConnection"}"#,
        r#"{"nest":7,"$type":"Unity.VisualScripting.SubgraphUnit"}"#,
        r#"{"defaultValues":[],"kind":[],"$type":"Unity.VisualScripting.SetVariable"}"#,
        r#"{"options":["","",null],"$type":"Unity.VisualScripting.SwitchOnString"}"#,
    ] {
        taken(
            "strange.asset",
            &asset(&format!(r#"{{"graph":{{"elements":[{elements}]}}}}"#)),
        );
    }
}

#[test]
fn orchestrations_with_strange_parts_do_no_harm() {
    let whole = |objects: &str, connections: &str| {
        format!(
            "[orchestration type=\"OScript\" format=3]\n\n{objects}\n[resource]\nconnections = {connections}\n"
        )
    };
    let node = |id: &str, pins: &str| {
        format!("[obj type=\"OScriptNodeSequence\" id=\"a\"]\nid = {id}\npin_data = {pins}\n")
    };
    let pins = "Array[Dictionary]([{\n\"pin_name\": &\"ExecIn\",\n\"flags\": 4\n}])";
    assert!(taken("a.torch", &whole(&node("0", pins), "Array[int]([])")));
    for (objects, connections) in [
        (node("99999999999999999999", pins), "Array[int]([])"),
        (node("0", "7"), "Array[int]([0, 0, 0, 0])"),
        (
            node("0", "[{}, {}, 3]"),
            "Array[int]([0, -1, 0, 9223372036854775807])",
        ),
        (node("0", pins), "Array[int]([0, 0, 1])"),
        (node("0", pins), "\"none\""),
        (format!("{}{}", node("0", pins), node("0", pins)), "[]"),
        ("[obj type=\"OScriptVariable\" id=\"v\"]\n".to_owned(), "[]"),
        (
            "[obj type=\"OScriptNodeVariableSet\" id=\"v\"]\nid = 1\n".to_owned(),
            "[]",
        ),
    ] {
        taken("strange.torch", &whole(&objects, connections));
    }
    assert!(!taken("cut.torch", "[orchestration type=\"OScript\"]\n"));
    let deep = format!(
        "[orchestration type=\"OScript\"]\nx = {}",
        "{1:".repeat(100_000)
    );
    assert!(!taken("deep.torch", &deep));
}
