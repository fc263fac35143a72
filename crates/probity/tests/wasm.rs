//! Small modules of WebAssembly whose verdicts are known by construction (`wasm_modules/*.wat`).
//!
//! The first lines of each say what is asked and what must come out:
//!
//! * `;; expect: holds`: every property holds;
//! * `;; expect: fails NAME ...`: these properties fail, and all others hold;
//! * `;; expect: not-known NAME ...`: these are not known, and all others hold;
//! * `;; policy: ...` and `;; net: ...`: lines of a policy and of a net;
//! * `;; options: ...`: further options.

#![expect(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a test may panic, and says what it covered"
)]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use probity::{InMemory, run};

/// What stands at the head of a module.
#[derive(Default)]
struct Head {
    /// The verdict that is expected, and of which properties.
    expected: (String, Vec<String>),
    policy: String,
    net: String,
    options: String,
}

fn head(path: &Path, text: &str) -> Head {
    let mut head = Head::default();
    for line in text.lines() {
        let Some((key, value)) = line
            .strip_prefix(";; ")
            .and_then(|line| line.split_once(": "))
        else {
            break;
        };
        match key {
            "expect" => {
                let mut words = value.split_whitespace().map(str::to_owned);
                head.expected = (words.next().unwrap(), words.collect());
            }
            "policy" => head.policy += &format!("{value}\n"),
            "net" => head.net += &format!("{value}\n"),
            "options" => head.options = value.to_owned(),
            // The rest is for people.
            _ => break,
        }
    }
    let names = head.expected.1.is_empty();
    assert!(
        match head.expected.0.as_str() {
            "holds" => names,
            "fails" | "possible" | "not-known" => !names,
            _ => false,
        },
        "{}: it says what is expected",
        path.display()
    );
    head
}

fn modules() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/wasm_modules");
    let files = std::fs::read_dir(root).unwrap();
    let mut all: Vec<PathBuf> = files.map(|file| file.unwrap().path()).collect();
    all.sort();
    all
}

/// The verdicts by property, and all that was said.
fn verdicts(binary: Vec<u8>, head: &Head) -> (BTreeMap<String, String>, String) {
    // What is not known need not be looked for long: a wrong answer would be found early.
    let seconds = match head.expected.0.as_str() {
        "not-known" => 3,
        "possible" => 10,
        _ => 60,
    };
    let mut line =
        format!("probity check t.wasm --format json --timeout {seconds}s --policy t.policy");
    let mut system = InMemory::default()
        .with_file("t.wasm", binary)
        .with_file("t.policy", head.policy.as_str());
    if !head.net.is_empty() {
        line += " --net t.locnet";
        system = system.with_file("t.locnet", head.net.as_str());
    }
    line = format!("{line} {}", head.options);
    let words: Vec<&str> = line.split_whitespace().collect();
    run(&words, &system);
    let said = format!("{}{}", system.out(), system.err());
    let report: serde_json::Value = serde_json::from_str(&system.out()).expect(&said);
    let properties = report["files"][0]["properties"].as_array().unwrap();
    let verdicts = properties.iter().map(|property| {
        let text = |key: &str| property[key].as_str().unwrap().to_owned();
        (text("name"), text("verdict"))
    });
    (verdicts.collect(), said)
}

#[test]
fn verdicts_are_those_that_are_known_by_construction() {
    let mut wrong = Vec::new();
    let mut spread: BTreeMap<String, usize> = BTreeMap::new();
    for path in modules() {
        let text = std::fs::read_to_string(&path).unwrap();
        let head = head(&path, &text);
        let binary = wat::parse_str(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let (verdicts, said) = verdicts(binary, &head);
        let (verdict, names) = &head.expected;
        *spread.entry(verdict.clone()).or_default() += 1;
        for (name, found) in &verdicts {
            let expected = match names.contains(name) {
                true => verdict,
                false => "holds",
            };
            if found != expected {
                wrong.push(format!(
                    "{}: {name} {found}, not {expected}\n{said}",
                    path.display()
                ));
            }
        }
        assert!(
            names.iter().all(|name| verdicts.contains_key(name)),
            "{said}"
        );
    }
    println!("{spread:?}");
    assert!(
        wrong.is_empty(),
        "{} wrong:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    assert!(spread["fails"] >= 25 && spread["holds"] >= 25, "{spread:?}");
}

/// The modules of the examples are those of their texts, and their README says what comes out.
#[test]
fn examples_are_made_of_their_texts() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/wasm");
    let file = |name: &str| std::fs::read(root.join(name)).unwrap();
    let readme = String::from_utf8(file("README.md")).unwrap();
    let mut rows = 0;
    for row in readme.lines().filter(|line| line.starts_with("| `")) {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let name = |cell: &str| cell.trim_matches('`').to_owned();
        let (module, policy, net) = (name(cells[1]), name(cells[2]), name(cells[3]));
        let binary = file(&module);
        let text = file(&module.replace(".wasm", ".wat"));
        assert!(wat::parse_bytes(&text).unwrap() == binary, "{module}");
        let mut line = format!("probity check {module} --policy {policy} --timeout 60s");
        let mut system = InMemory::default()
            .with_file(module.as_str(), binary)
            .with_file(policy.as_str(), file(&policy));
        if !net.is_empty() {
            line += &format!(" --net {net}");
            system = system.with_file(net.as_str(), file(&net));
        }
        let words: Vec<&str> = line.split_whitespace().collect();
        let status = run(&words, &system);
        assert_eq!(
            status.to_string(),
            cells[5],
            "{}{}",
            system.out(),
            system.err()
        );
        rows += 1;
    }
    assert!(rows >= 3, "{readme}");
}
