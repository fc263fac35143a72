//! Names that are misspelt: the one that was probably meant is named.

use nodegraph::{Options, load};

/// Everything that is said of a graph, advice included.
fn said(text: &str) -> String {
    let loaded = load("script.json", text, &Options::default());
    let all = loaded.diagnostics.iter();
    let lines = all.flat_map(|one| [vec![one.message.clone()], one.help.clone()].concat());
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn the_name_that_was_meant_is_suggested() {
    let graph = |links: &str, more: &str| {
        format!(
            r#"{{"nodegraph": 1, "flags": {{"Lamp": false}},
              "nodes": [{{"name": "start", "kind": "ScriptStart"}},
                {{"name": "wait", "kind": "Delay"}},
                {{"name": "on", "kind": "SetFlag", "with": {{"flag": "Lamp"}}}}],
              "links": ["start.Out -> wait.Start"{links}]{more}}}"#
        )
    };
    for (links, more, meant) in [
        (
            r#", "wiat.Finished -> on.Enable""#,
            "",
            "did you mean `wait`?",
        ),
        (
            "",
            r#", "properties": {"p": "AG !Lmap"}"#,
            "there is `Lamp`",
        ),
        (
            "",
            r#", "properties": {"p": "AG !fired(wait.Finsihed)"}"#,
            "there is `Finished`",
        ),
        (
            "",
            r#", "checks": ["flag-left-st"]"#,
            "did you mean `flag-left-set`?",
        ),
        (
            "",
            r#", "checks": [{"check": "flag-left-set", "flag": "Lmap"}]"#,
            "there is no flag `Lmap`; there is `Lamp`",
        ),
    ] {
        let said = said(&graph(links, more));
        assert!(said.contains(meant), "{links}{more}:\n{said}");
    }
    let of_kind = r#"{"nodegraph": 1, "flags": {"Lamp": false}, "nodes": [
        {"name": "start", "kind": "ScripStart"},
        {"name": "on", "kind": "SetFlag", "with": {"flag": "Lmap"}}],
        "links": ["start.Out -> on.Enable"]}"#;
    let said = said(of_kind);
    assert!(said.contains("did you mean `ScriptStart`?"), "{said}");
    assert!(said.contains("did you mean `Lamp`?"), "{said}");
}
