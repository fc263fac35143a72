//! Unity's graphs: coroutines that wait, whose variables are whose, and what may run within a call.

use super::{Fails, NotKnown, Possible, Proved, expect};

/// A graph: units as identity, class, and more members; connections as `a.out -> b.in`, of values with `=>`.
fn graph(variables: &[(&str, &str)], units: &[(&str, &str, &str)], lines: &[&str]) -> String {
    let declared = variables
        .iter()
        .map(|(name, value)| format!(r#"{{"name":"{name}","value":{}}}"#, typed(value)));
    let declared: Vec<String> = declared.collect();
    let mut elements: Vec<String> = Vec::new();
    for (id, class, more) in units {
        let more = if more.is_empty() {
            String::new()
        } else {
            format!("{more},")
        };
        let defaults = if more.contains("defaultValues") {
            ""
        } else {
            r#""defaultValues":{},"#
        };
        elements.push(format!(
            r#"{{{more}{defaults}"guid":"0","$type":"Unity.VisualScripting.{class}","$id":"{id}"}}"#
        ));
    }
    for line in lines {
        let (class, arrow) = match line.contains("=>") {
            true => ("Value", " => "),
            false => ("Control", " -> "),
        };
        let (from, to) = line.split_once(arrow).expect("it has two ends");
        let ((a, p), (b, q)) = (
            from.split_once('.').expect("it names a port"),
            to.split_once('.').expect("it names a port"),
        );
        elements.push(format!(
            r#"{{"sourceUnit":{{"$ref":"{a}"}},"sourceKey":"{p}","destinationUnit":{{"$ref":"{b}"}},"destinationKey":"{q}","$type":"Unity.VisualScripting.{class}Connection"}}"#
        ));
    }
    let declared = declared.join(",");
    let elements = elements.join(",");
    format!(
        "%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n--- !u!114 &11400000\nMonoBehaviour:\n  m_Name: Test\n  _data:\n    \
         _json: '{{\"graph\":{{\"variables\":{{\"collection\":{{\"$content\":[{declared}]}}}},\"elements\":[{elements}]}}}}'\n"
    )
}

fn typed(value: &str) -> String {
    let class = match value {
        "true" | "false" => "Boolean",
        _ if value.starts_with('"') => "String",
        _ if value.contains('.') => "Single",
        _ => "Int32",
    };
    format!(r#"{{"$content":{value},"$type":"System.{class}"}}"#)
}

/// A unit that sets a variable.
fn set(kind: &str, name: &str, value: &str) -> String {
    format!(
        r#""kind":"{kind}","defaultValues":{{"name":{},"input":{}}}"#,
        typed(&format!("\"{name}\"")),
        typed(value)
    )
}

fn get(kind: &str, name: &str) -> String {
    let name = typed(&format!("\"{name}\""));
    format!(r#""kind":"{kind}","defaultValues":{{"name":{name}}}"#)
}

const COROUTINE: &str = r#""coroutine":true"#;
const PLAIN: &str = r#""coroutine":false"#;

/// `Bad` is set where signals come to the input `B.assign`; these begin at `S`.
fn bad(first: &str, units: &[(&str, &str, &str)], lines: &[&str]) -> String {
    let bad = set("Graph", "Bad", "true");
    let mut all = vec![("S", "Start", first), ("B", "SetVariable", &*bad)];
    all.extend(units);
    graph(&[("Bad", "false"), ("Lamp", "false")], &all, lines)
}

#[test]
fn a_sequence_of_a_coroutine_goes_on_when_its_branch_has_waited() {
    let on = set("Graph", "Lamp", "true");
    let lamp = get("Graph", "Lamp");
    let story = |first: &str, extra: &[&str]| {
        let mut lines = vec![
            "S.trigger -> Q.enter",
            "Q.0 -> W.enter",
            "W.exit -> L.assign",
            "Q.1 -> I.enter",
            "G.value => I.condition",
            "I.ifFalse -> B.assign",
        ];
        lines.extend(extra);
        bad(
            first,
            &[
                ("Q", "Sequence", r#""outputCount":2"#),
                ("W", "WaitForSecondsUnit", ""),
                ("V", "WaitUntilUnit", ""),
                ("L", "SetVariable", &on),
                ("I", "If", ""),
                ("G", "GetVariable", &lamp),
                ("U", "Update", PLAIN),
            ],
            &lines,
        )
    };
    // The second branch begins when the first one has lit the lamp.
    expect("f.asset", &story(COROUTINE, &[]), "AG !Bad", Proved);
    expect("f.asset", &story(COROUTINE, &[]), "AF entered(If)", Proved);
    // Where the branch can be entered from elsewhere, it is not known when it ends.
    let shared = story(COROUTINE, &["U.trigger -> L.assign"]);
    expect("f.asset", &shared, "AG !Bad", Possible);
    // What waits outside of a coroutine throws, and the rest of the wave is skipped.
    let said = expect("f.asset", &story(PLAIN, &[]), "AG !Bad", Possible);
    assert!(said.iter().any(|one| one.contains("throws")), "{said:?}");
    expect(
        "f.asset",
        &story(PLAIN, &[]),
        "AG !entered(Wait_Until)",
        NotKnown,
    );
}

#[test]
fn a_loop_of_a_coroutine_waits_for_its_body() {
    let lamp = get("Graph", "Lamp");
    let on = set("Graph", "Lamp", "true");
    let units = [
        ("W", "While", ""),
        ("T", "WaitForNextFrameUnit", ""),
        ("N", "Negate", ""),
        ("G", "GetVariable", &*lamp),
        ("L", "SetVariable", &*on),
    ];
    let lines = [
        "S.trigger -> W.enter",
        "G.value => N.input",
        "N.output => W.condition",
        "W.body -> T.enter",
        "T.exit -> L.assign",
        "W.exit -> B.assign",
    ];
    let text = bad(COROUTINE, &units, &lines);
    // It goes round once, and takes time.
    expect("f.asset", &text, "AF Bad", Proved);
    expect("f.asset", &text, "AG (Bad -> Lamp)", Proved);
    // While `true`: only a break ends it.
    let always = format!(r#""defaultValues":{{"condition":{}}}"#, typed("true"));
    let units = [
        ("W", "While", &*always),
        ("T", "WaitForNextFrameUnit", ""),
        ("K", "Break", ""),
    ];
    let lines = [
        "S.trigger -> W.enter",
        "W.body -> T.enter",
        "W.exit -> B.assign",
        "T.exit -> K.enter",
    ];
    expect("f.asset", &bad(COROUTINE, &units, &lines), "AF Bad", Proved);
    let endless = bad(COROUTINE, &units[..2], &lines[..3]);
    expect("f.asset", &endless, "AG !Bad", Proved);
    expect(
        "f.asset",
        &endless,
        "AG AF fired(Wait_For_Next_Frame)",
        Proved,
    );
}

#[test]
fn several_coroutines_wait_at_one_unit() {
    let text = bad(
        PLAIN,
        &[
            (
                "U",
                "CustomEvent",
                r#""coroutine":true,"defaultValues":{"name":{"$content":"go","$type":"System.String"}}"#,
            ),
            ("W", "WaitForSecondsUnit", ""),
            ("O", "Once", ""),
        ],
        &[
            "U.trigger -> W.enter",
            "W.exit -> O.enter",
            "O.after -> B.assign",
        ],
    );
    expect(
        "f.asset",
        &text,
        "EF state(Wait_For_Seconds) == Two",
        Proved,
    );
    expect("f.asset", &text, "AG !Bad", Fails);
}

#[test]
fn only_variables_of_the_graph_have_one_writer() {
    let story = |kind: &str| {
        let (lamp, on) = (get(kind, "Lamp"), set(kind, "Lamp", "false"));
        bad(
            PLAIN,
            &[
                ("L", "SetVariable", &on),
                ("I", "If", ""),
                ("G", "GetVariable", &lamp),
            ],
            &[
                "S.trigger -> L.assign",
                "L.assigned -> I.enter",
                "G.value => I.condition",
                "I.ifTrue -> B.assign",
            ],
        )
    };
    expect("f.asset", &story("Graph"), "AG !Bad", Proved);
    for kind in ["Object", "Scene", "Application", "Saved"] {
        let text = story(kind);
        let (word, said) = super::check("f.asset", &text, "AG !Bad");
        assert!(
            matches!(word, Fails | Possible),
            "{kind}: {word:?} {said:?}"
        );
        assert!(
            said.iter().any(|one| one.contains("no other script")),
            "{kind}"
        );
    }
    let (word, _) = super::check("f.asset", &story("Flow"), "AG !Bad");
    assert!(matches!(word, Fails | Possible), "{word:?}");
    // An object that comes by a wire may be this one.
    let (mine, other) = (
        set("Object", "Lamp", "false"),
        set("Object", "Lamp", "true"),
    );
    let units = [
        ("L", "SetVariable", &*mine),
        ("X", "SetVariable", &*other),
        ("M", "GetMember", ""),
    ];
    let lines = ["S.trigger -> L.assign", "M.value => X.object"];
    expect(
        "f.asset",
        &bad(PLAIN, &units[..1], &lines[..1]),
        "AG !Bad",
        Proved,
    );
    expect("f.asset", &bad(PLAIN, &units, &lines), "AG !Bad", NotKnown);
    // A name that comes by a wire may be that of any.
    let wired = story("Graph").replace(
        r#""elements":["#,
        r#""elements":[{"kind":"Graph","defaultValues":{},"guid":"0","$type":"Unity.VisualScripting.SetVariable","$id":"X"},"#,
    );
    expect("f.asset", &wired, "AG !Bad", NotKnown);
}

#[test]
fn custom_events_are_run_at_once_and_by_anybody() {
    let named = |name: &str, event: bool| {
        let name = typed(&format!("\"{name}\""));
        let more = if event { r#""coroutine":false,"# } else { "" };
        format!(r#"{more}"defaultValues":{{"name":{name},"target":null}}"#)
    };
    let (raise, handle) = (named(" Ring ", false), named("ring", true));
    let on = set("Graph", "Lamp", "true");
    let lamp = get("Graph", "Lamp");
    let text = bad(
        PLAIN,
        &[
            ("T", "TriggerCustomEvent", &raise),
            ("H", "CustomEvent", &handle),
            ("L", "SetVariable", &on),
            ("I", "If", ""),
            ("G", "GetVariable", &lamp),
        ],
        &[
            "S.trigger -> T.enter",
            "T.exit -> I.enter",
            "H.trigger -> L.assign",
            "G.value => I.condition",
            "I.ifFalse -> B.assign",
        ],
    );
    expect("f.asset", &text, "AG !Bad", Proved);
    expect(
        "f.asset",
        &text,
        "AG (Lamp -> entered(Trigger_Ring) | Lamp)",
        Proved,
    );
    // Before the start, too.
    expect(
        "f.asset",
        &text,
        "AG (Lamp -> fired(Start) | entered(If))",
        Fails,
    );
}

#[test]
fn code_may_run_events_before_it_comes_back() {
    let off = set("Graph", "Lamp", "false");
    let on = set("Graph", "Lamp", "true");
    let lamp = get("Graph", "Lamp");
    let story = |class: &str, member: &str| {
        let call = format!(r#""member":{{"name":"{member}","targetType":"{class}"}}"#);
        bad(
            PLAIN,
            &[
                ("O", "SetVariable", &off),
                ("C", "InvokeMember", &call),
                ("I", "If", ""),
                ("G", "GetVariable", &lamp),
                ("E", "OnDisable", PLAIN),
                ("L", "SetVariable", &on),
            ],
            &[
                "S.trigger -> O.assign",
                "O.assigned -> C.enter",
                "C.exit -> I.enter",
                "G.value => I.condition",
                "I.ifTrue -> B.assign",
                "E.trigger -> L.assign",
            ],
        )
    };
    let runs = [
        ("UnityEngine.GameObject", "SetActive"),
        ("UnityEngine.Transform", "SetParent"),
        ("UnityEngine.CharacterController", "Move"),
        ("UnityEngine.Physics", "Simulate"),
        ("UnityEngine.Animator", "Update"),
        // What all components have is said of none of them.
        ("UnityEngine.Rigidbody", "SendMessage"),
        ("UnityEngine.Camera", "DestroyImmediate"),
        ("Inventory", "Open"),
    ];
    for (class, member) in runs {
        expect("f.asset", &story(class, member), "AG !Bad", Fails);
    }
    let runs_none = [
        ("UnityEngine.Debug", "Log"),
        ("UnityEngine.Transform", "Rotate"),
        ("UnityEngine.Rigidbody", "AddForce"),
        ("UnityEngine.GameObject", "Destroy"),
        ("UnityEngine.Mathf", "Clamp"),
        ("System.String", "Concat"),
    ];
    for (class, member) in runs_none {
        expect("f.asset", &story(class, member), "AG !Bad", Proved);
    }
    // Who listens to a log might run events: that is said.
    let log = story("UnityEngine.Debug", "Log");
    let said = expect("f.asset", &log, "AG !Bad", Proved);
    assert!(said.iter().any(|text| text.contains("log messages")));
}

#[test]
fn code_that_is_asked_for_a_value_is_assumed_to_run_no_events() {
    let asked = |class: &str| {
        let member = format!(r#""member":{{"name":"IsOpen","targetType":"{class}"}}"#);
        let text = bad(
            PLAIN,
            &[("G", "GetMember", &member), ("I", "If", "")],
            &[
                "S.trigger -> I.enter",
                "G.value => I.condition",
                "I.ifTrue -> B.assign",
            ],
        );
        let (_, said) = super::check("f.asset", &text, "AG !Bad");
        said.iter()
            .any(|text| text.contains("only asked for a value"))
    };
    assert!(asked("Inventory"));
    assert!(!asked("UnityEngine.Behaviour"));
}

#[test]
fn an_embedded_graph_has_variables_of_its_own() {
    let on = set("Graph", "Lamp", "true");
    let inner = format!(
        r#""nest":{{"source":"Embed","macro":null,"embed":{{"elements":[
            {{"defaultValues":{{}},"$type":"Unity.VisualScripting.GraphInput","$id":"1"}},
            {{{on},"$type":"Unity.VisualScripting.SetVariable","$id":"2"}},
            {{"defaultValues":{{}},"$type":"Unity.VisualScripting.GraphOutput","$id":"3"}},
            {{"sourceUnit":{{"$ref":"1"}},"sourceKey":"In","destinationUnit":{{"$ref":"2"}},"destinationKey":"assign","$type":"Unity.VisualScripting.ControlConnection"}},
            {{"sourceUnit":{{"$ref":"2"}},"sourceKey":"assigned","destinationUnit":{{"$ref":"3"}},"destinationKey":"Out","$type":"Unity.VisualScripting.ControlConnection"}}]}}}}"#
    );
    let lamp = get("Graph", "Lamp");
    let text = |inner: &str| {
        bad(
            PLAIN,
            &[
                ("N", "SubgraphUnit", inner),
                ("I", "If", ""),
                ("G", "GetVariable", &lamp),
            ],
            &[
                "S.trigger -> N.In",
                "N.Out -> I.enter",
                "G.value => I.condition",
                "I.ifTrue -> B.assign",
            ],
        )
    };
    expect("f.asset", &text(&inner), "AG !Bad", Proved);
    expect("f.asset", &text(&inner), "AF entered(If)", Proved);
    expect("f.asset", &text(&inner), "AF Lamp_2", Proved);
    // One that stands in another file may do anything, or nothing.
    let macros = r#""nest":{"source":"Macro","macro":0,"embed":null}"#;
    let (word, _) = super::check("f.asset", &text(macros), "AF entered(If)");
    assert!(matches!(word, Fails | Possible | NotKnown), "{word:?}");
}
