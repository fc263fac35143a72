//! One story in the formats of several engines: the same verdicts.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use std::path::Path;
use std::process::Command;

use serde_json::Value;

/// The verdicts for an example, by property.
fn verdicts(file: &str, options: &[&str]) -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let output = Command::new(env!("CARGO_BIN_EXE_probity"))
        .current_dir(root)
        .args([
            "check",
            &format!("examples/nodegraph/event-mode/{file}"),
            "--format",
            "json",
        ])
        .args(options)
        .output()
        .unwrap();
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let properties = report["files"][0]["properties"].as_array().unwrap().clone();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let pairs = properties
        .iter()
        .map(|one| (text(&one["name"]), text(&one["verdict"])));
    pairs.collect()
}

#[test]
fn the_missing_line_is_found_in_every_format() {
    for format in ["t3d", "gltf", "scriptcanvas", "asset", "torch"] {
        for (name, expected) in [("bug", "fails"), ("fixed", "holds")] {
            let file = format!("{name}.{format}");
            let found = verdicts(&file, &[]);
            let flag = found
                .iter()
                .find(|(name, _)| name == "flag-left-set.EventMode");
            assert_eq!(
                flag.map(|(_, verdict)| verdict.as_str()),
                Some(expected),
                "{file}: {found:?}"
            );
            let others = found
                .iter()
                .filter(|(name, _)| name != "flag-left-set.EventMode");
            assert!(
                others.clone().all(|(_, verdict)| verdict == "holds"),
                "{file}: {found:?}"
            );
        }
    }
}

#[test]
fn properties_speak_of_flags_and_nodes_in_every_format() {
    for (format, wait, waiting) in [
        ("t3d", "Delay", "Waiting"),
        ("gltf", "setDelay_2", "One"),
        ("scriptcanvas", "Time_Delay", "Waiting"),
        ("asset", "Wait_For_Seconds", "One"),
        ("torch", "Delay", "One"),
    ] {
        let property = format!("AG (state({wait}) == {waiting} -> EventMode)");
        let file = format!("fixed.{format}");
        let found = verdicts(&file, &["--property", &property]);
        assert_eq!(
            found,
            [("property".to_owned(), "holds".to_owned())],
            "{file}"
        );
    }
}
