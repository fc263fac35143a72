//! `cargo xtask tidy`: the rules of the house that a program can check.
//!
//! Which crate may depend on which, which files of a crate use each other, how long files are, which
//! calls stand outside the one module that may make them, what the glossary leaves out, and what never
//! goes into the repository.

mod circles;
mod glossary;

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;

use crate::workspace::{files, metadata, root};

/// The rooms of the house, from the ground up. A crate may depend only on crates of rows above
/// its own; crates of one row know nothing of each other.
const ROWS: &[&[&str]] = &[
    &["source"],
    &["logic", "literate"],
    &["model"],
    &["passes"],
    &["language", "policy"],
    &[
        "lsl",
        "promela",
        "smv",
        "aiger",
        "aut",
        "nodegraph",
        "tscript",
        "mobile",
        "tvm",
        "java",
        "wasm",
    ],
    &["circuit", "solver"],
    &["audit"],
    &["explicit", "symbolic", "sat", "games", "shape"],
    &["cluster"],
    &["export"],
    &["verify"],
    &["report", "certificate"],
    &["ide", "lsl-concrete"],
    &["probity"],
    &["fuzzing"],
];

/// The row of the front ends, which an engine and what serves engines must not know.
const FRONT_ENDS: usize = 5;
/// The rows that must not know a front end: circuits and solvers, the audit, engines, export,
/// verification, reports.
const NO_FRONT_ENDS: std::ops::RangeInclusive<usize> = 6..=12;

/// The crates that only tests may use.
const FOR_TESTS: &[&str] = &["literate"];

/// Files longer than this are listed.
const LONG: usize = 800;
/// Files longer than this are refused.
const TOO_LONG: usize = 1500;

/// File names that say nothing.
const EMPTY_NAMES: &[&str] = &["utils.rs", "helpers.rs", "common.rs", "misc.rs", "util.rs"];

/// What a library must not call: the machine is reached through the command line's `System`.
const FORBIDDEN: &[&str] = &[
    "std::fs",
    "std::env::",
    "std::process::",
    "std::net",
    "print!(",
    "println!(",
];

/// The files that may: the real machine, the program's entry, the reader of literate tests, and what answers
/// browsers.
const MAY_CALL: &[&str] = &[
    "crates/probity/src/machine.rs",
    "crates/probity/src/machine/disk.rs",
    "crates/probity/src/machine/outputs.rs",
    "crates/probity/src/machine/stdio.rs",
    "crates/probity/src/main.rs",
    "crates/probity/src/machine/children.rs",
    "crates/probity/src/serve/web.rs",
    "crates/engines/cluster/src/folder.rs",
    "crates/engines/cluster/src/link.rs",
    "crates/engines/cluster/src/meeting.rs",
    "crates/engines/cluster/src/member.rs",
    "crates/engines/cluster/src/silence.rs",
    "crates/fuzzing/src/main.rs",
    "crates/literate/src/folder.rs",
];

/// Checks; says whether the house is tidy.
///
/// # Errors
/// If files or cargo cannot be read.
pub(crate) fn run() -> Result<bool, String> {
    let mut findings = dependency_findings(&metadata()?);
    let mut sources = BTreeMap::new();
    for file in files()? {
        let Ok(bytes) = std::fs::read(root().join(&file)) else {
            continue;
        };
        let Ok(text) = String::from_utf8(bytes) else {
            continue;
        };
        let name = file.to_string_lossy().replace('\\', "/");
        findings.extend(path_findings(&name, &text));
        if file.extension().is_some_and(|extension| extension == "rs") {
            let lines = text.lines().count();
            if lines > LONG && lines <= TOO_LONG {
                println!("long: {name} has {lines} lines");
            }
            findings.extend(source_findings(&name, &text));
            sources.insert(name, text);
        }
    }
    findings.extend(circles::findings(&sources));
    findings.extend(glossary::findings()?);

    for finding in &findings {
        println!("{finding}");
    }
    println!("{} findings", findings.len());
    Ok(findings.is_empty())
}

fn row(name: &str) -> Option<usize> {
    ROWS.iter().position(|row| row.contains(&name))
}

/// Dependencies that go the wrong way. Those of tests may go anywhere.
fn dependency_findings(metadata: &Value) -> Vec<String> {
    let mut findings = Vec::new();
    for package in list(&metadata["packages"]) {
        let name = text(&package["name"]);
        if name == "xtask" {
            continue;
        }
        let Some(own) = row(name) else {
            findings.push(format!("crate {name} has no place in the list of rooms"));
            continue;
        };
        for dependency in list(&package["dependencies"]) {
            let to = text(&dependency["name"]);
            let of_tests = text(&dependency["kind"]) == "dev";
            if of_tests || dependency["path"].is_null() {
                continue;
            }
            if FOR_TESTS.contains(&to) {
                findings.push(format!("crate {name} may use {to} in its tests only"));
            }
            match row(to) {
                Some(other) if other >= own => {
                    findings.push(format!(
                        "crate {name} must not depend on {to}: it is not above"
                    ));
                }
                Some(FRONT_ENDS) if NO_FRONT_ENDS.contains(&own) => {
                    findings.push(format!(
                        "crate {name} must not know a language, but uses {to}"
                    ));
                }
                Some(_) => {}
                None => findings.push(format!("crate {name} depends on {to}, which has no place")),
            }
        }
    }
    findings
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// Paths of one machine, in any file.
fn path_findings(name: &str, text: &str) -> Vec<String> {
    // Written in pieces, so that this file is clean itself.
    let machine = [
        concat!("/ho", "me/"),
        concat!("/wo", "rk/"),
        concat!("/ro", "ot/"),
        concat!("/Us", "ers/"),
        concat!("C:", "\\"),
    ];
    text.lines()
        .enumerate()
        .flat_map(|(number, line)| {
            machine
                .iter()
                .filter(|path| line.contains(**path))
                .map(move |path| format!("{name}:{}: path of one machine: {path}", number + 1))
        })
        .collect()
}

/// What is wrong with a Rust file.
fn source_findings(name: &str, text: &str) -> Vec<String> {
    let mut findings = Vec::new();
    let lines = text.lines().count();
    if lines > TOO_LONG {
        findings.push(format!("{name}: {lines} lines, more than {TOO_LONG}"));
    }
    let file = Path::new(name).file_name();
    let file = file.map(|file| file.to_string_lossy().into_owned());
    if let Some(file) = file
        && EMPTY_NAMES.contains(&file.as_str())
    {
        findings.push(format!("{name}: the name says nothing about what is in it"));
    }
    if !text.starts_with("//!") {
        findings.push(format!("{name}: no opening `//!` paragraph"));
    }
    let of_library = name.starts_with("crates/") && name.contains("/src/");
    if of_library && !MAY_CALL.contains(&name) {
        let code = text.lines().enumerate();
        let code = code.take_while(|(_, line)| !line.starts_with("#[cfg(test)]"));
        for (number, line) in code {
            let line = line.split("//").next().unwrap_or_default();
            for call in FORBIDDEN {
                if line.contains(call) {
                    findings.push(format!(
                        "{name}:{}: `{call}` outside of the machine's module",
                        number + 1
                    ));
                }
            }
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn edges_go_up_only() {
        let package = |name: &str, to: &str, kind: Option<&str>| {
            json!({"packages": [{
                "name": name,
                "dependencies": [{"name": to, "kind": kind, "path": "somewhere"}],
            }]})
        };
        let count = |name, to, kind| dependency_findings(&package(name, to, kind)).len();
        assert_eq!(count("model", "logic", None), 0);
        assert_eq!(count("logic", "model", None), 1);
        assert_eq!(count("lsl", "smv", None), 1, "one row");
        assert_eq!(
            count("explicit", "lsl", None),
            1,
            "an engine knows no language"
        );
        assert_eq!(count("explicit", "lsl", Some("dev")), 0, "its tests may");
        assert_eq!(count("probity", "lsl", None), 0);
        assert_eq!(count("lsl", "literate", None), 1, "it is for tests");
        assert_eq!(count("lsl", "literate", Some("dev")), 0);
        assert_eq!(count("literate", "logic", None), 1, "one row");
        assert_eq!(count("cellar", "lsl", None), 1, "no room of that name");
    }

    #[test]
    fn files_are_looked_at() {
        let count = |name, text| source_findings(name, text).len();
        assert_eq!(count("crates/a/src/b.rs", "//! B.\nfn b() {}\n"), 0);
        assert_eq!(count("crates/a/src/b.rs", "fn b() {}\n"), 1);
        assert_eq!(count("crates/a/src/utils.rs", "//! B.\n"), 1);
        assert_eq!(
            count("crates/a/src/b.rs", "//! B.\nuse std::fs::read;\n"),
            1
        );
        assert_eq!(count("crates/a/src/b.rs", "//! B.\n// like std::fs\n"), 0);
        let tested = "//! B.\n#[cfg(test)]\nmod tests { use std::fs; }\n";
        assert_eq!(count("crates/a/src/b.rs", tested), 0);
        assert_eq!(count("crates/a/tests/b.rs", "//! B.\nuse std::fs;\n"), 0);
        let long = format!("//! B.\n{}", "\n".repeat(TOO_LONG));
        assert_eq!(count("crates/a/src/b.rs", &long), 1);
        let path = concat!("see /ho", "me/me/x\n");
        assert_eq!(path_findings("README.md", path).len(), 1);
    }
}
