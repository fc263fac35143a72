//! A flag stops at the bounds that its file gives: what rests on that says so, however it is read.

use super::{Fails, Within, check, expect, own};

/// `Count` goes up with each event, beside other flags; then come these nodes. `B` sets `Bad`.
fn counting(flags: &str, kinds: &str, nodes: &[&str], links: &[&str], wires: &str) -> String {
    let flags = format!(r#""Count": {{"range": [0, 9], "initial": 0}}{flags}"#);
    let first = [
        r#"{"name": "E", "kind": "OnEvent"}"#,
        r#"{"name": "Up", "kind": "Up"}"#,
    ];
    let text = own(
        &flags,
        &[&first, nodes].concat(),
        &[&["E.Out -> Up.In"], links].concat(),
    );
    let beside = format!(
        r#", "wires": [{wires}], "kinds": ["kind Up", "  in In", "  out Out", "  on In: Count := Count + 1, out Out"{kinds}]}}"#
    );
    format!("{}{beside}", text.trim_end().trim_end_matches('}'))
}

fn names_the_bound(text: &str, property: &str) {
    let said = expect("own.json", text, property, Within);
    let named = said.iter().any(|one| one.contains("stays within 0 to 9"));
    assert!(named, "{property}: {said:?}\n{text}");
}

#[test]
fn comparisons_that_no_value_within_the_bounds_satisfies_name_them() {
    for condition in [
        "Count == 10",
        "Count > 9",
        "not (Count < 10)",
        "Count != 0 and Count >= 10",
        "Count + 1 == 11",
    ] {
        let node =
            format!(r#"{{"name": "If", "kind": "If", "with": {{"Condition": "{condition}"}}}}"#);
        let links = ["Up.Out -> If.In", "If.True -> B.In"];
        names_the_bound(&counting("", "", &[&node], &links, ""), "AG !Bad");
    }
}

#[test]
fn a_flag_that_goes_down_and_up_again_stops_at_its_lower_bound() {
    // That it comes back to its first value is a claim as well: what is said beside one is said beside the other.
    let nodes = [
        r#"{"name": "If", "kind": "If", "with": {"Condition": "Count < 0"}}"#,
        r#"{"name": "Down", "kind": "Down"}"#,
        r#"{"name": "F", "kind": "OnEvent"}"#,
    ];
    let links = ["F.Out -> Down.In", "Down.Out -> If.In", "If.True -> B.In"];
    let kind = r#", "kind Down", "  in In", "  out Out", "  on In: Count := Count - 1, out Out""#;
    let text = counting("", kind, &nodes, &links, "");
    for property in [
        "AG !Bad",
        "AG !(Count > 9)",
        "AG (Count < 10)",
        "G !(Bad & Count > 9)",
    ] {
        names_the_bound(&text, property);
    }
}

#[test]
fn what_comes_by_wires_names_them_too() {
    let nodes = [
        r#"{"name": "G", "kind": "Get", "with": {"flag": "Count"}}"#,
        r#"{"name": "Q", "kind": "Equal", "with": {"B": 10}}"#,
        r#"{"name": "If", "kind": "If"}"#,
    ];
    let links = ["Up.Out -> If.In", "If.True -> B.In"];
    let wires = r#""G.Value -> Q.A", "Q.Value -> If.Condition""#;
    names_the_bound(&counting("", "", &nodes, &links, wires), "AG !Bad");
}

#[test]
fn an_output_for_no_value_within_the_bounds_names_them() {
    let links = ["Up.Out -> W.In", "W.10 -> B.In"];
    let node = r#"{"name": "W", "kind": "W", "with": {"Value": "Count"}}"#;
    for fired in ["named [Value] else Default", "nth [Value]"] {
        let kind = format!(
            r#", "kind W", "  in In", "  out 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, Default", "  on In: out {fired}""#
        );
        let text = counting("", &kind, &[node], &links, "");
        names_the_bound(&text, "AG !Bad");
        // One that fires for a value within them.
        let inside = text.replace("W.10 -> B.In", "W.7 -> B.In");
        expect("own.json", &inside, "AG !Bad", Fails);
    }
}

#[test]
fn what_another_node_does_behind_such_a_comparison_rests_on_them() {
    let nodes = [
        r#"{"name": "If", "kind": "If", "with": {"Condition": "Count == 10"}}"#,
        r#"{"name": "M", "kind": "Set", "with": {"flag": "Mark", "to": true}}"#,
        r#"{"name": "F", "kind": "OnEvent"}"#,
        r#"{"name": "Else", "kind": "If", "with": {"Condition": "Mark"}}"#,
    ];
    let links = [
        "Up.Out -> If.In",
        "If.True -> M.In",
        "F.Out -> Else.In",
        "Else.True -> B.In",
    ];
    let text = counting(r#", "Mark": false"#, "", &nodes, &links, "");
    names_the_bound(&text, "AG !Bad");
    names_the_bound(&text, "AG !Mark");
}

#[test]
fn a_setting_that_comes_from_such_a_flag_names_them() {
    // It is never let through more often than `Count` says, which is nine times at most.
    let nodes = [
        r#"{"name": "G", "kind": "Get", "with": {"flag": "Count"}}"#,
        r#"{"name": "D", "kind": "DoN"}"#,
        r#"{"name": "T", "kind": "Ten"}"#,
    ];
    let links = ["Up.Out -> D.Enter", "D.Out -> T.In", "T.Out -> B.In"];
    let kind = r#", "kind Ten", "  in In", "  out Out", "  var so: 0..10", "  on In when so < 9: so := so + 1", "  on In: out Out""#;
    let text = counting("", kind, &nodes, &links, r#""G.Value -> D.N""#);
    names_the_bound(&text, "AG !Bad");
}

#[test]
fn a_first_value_beyond_the_bounds_is_refused() {
    for flag in [
        r#""A": {"range": [0, 9], "initial": 12}"#,
        r#""A": {"values": ["on", "off"], "initial": "of"}"#,
        r#""A": {"initial": 3}"#,
    ] {
        let loaded = nodegraph::load(
            "own.json",
            &own(flag, &[r#"{"name": "X", "kind": "Action"}"#], &[]),
            &nodegraph::Options::default(),
        );
        assert!(loaded.program.is_none(), "{flag}");
    }
    let fits = own(
        r#""A": {"range": [0, 9], "initial": 9}"#,
        &[r#"{"name": "X", "kind": "Action"}"#],
        &[],
    );
    assert_eq!(check("own.json", &fits, "AG (A == 9)").0, super::Proved);
}
