//! Small programs in C whose verdicts are known by construction (`c_programs/*/*.c`).
//!
//! The first lines of each say what is asked and what must come out:
//!
//! * `// expect: holds`: every property holds;
//! * `// expect: fails NAME ...`: these properties fail, and no other does;
//! * `// unsolved: WHY`: what is expected need not be found out; nothing else may be said, though;
//! * `// policy: ...` and `// net: ...`: lines of a policy and of a net;
//! * `// within: SECONDS`: how long it may take, 10 seconds if it is not said.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use probity::InMemory;

/// What stands at the head of a program.
#[derive(Default)]
struct Head {
    fails: BTreeSet<String>,
    unsolved: bool,
    policy: String,
    net: String,
    seconds: u32,
}

fn head(path: &Path, text: &str) -> Head {
    let mut head = Head {
        seconds: 10,
        ..Head::default()
    };
    let mut says = false;
    for line in text.lines() {
        let Some((key, value)) = line
            .strip_prefix("// ")
            .and_then(|line| line.split_once(": "))
        else {
            break;
        };
        let mut words = value.split_whitespace();
        match (key, words.next()) {
            ("expect", Some("holds")) => says = true,
            ("expect", Some("fails")) => {
                head.fails = words.map(str::to_owned).collect();
                says = !head.fails.is_empty();
            }
            ("unsolved", Some(_)) => {
                // A wrong answer would be found early.
                head.unsolved = true;
                head.seconds = 1;
            }
            ("policy", _) => head.policy += &format!("{value}\n"),
            ("net", _) => head.net += &format!("{value}\n"),
            ("within", Some(seconds)) => head.seconds = seconds.parse().unwrap(),
            // The rest is for people.
            _ => break,
        }
    }
    assert!(says, "{}: it says what is expected", path.display());
    head
}

fn programs() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c_programs");
    let mut all = Vec::new();
    for family in std::fs::read_dir(root).unwrap() {
        for file in std::fs::read_dir(family.unwrap().path()).unwrap() {
            all.push(file.unwrap().path());
        }
    }
    all.sort();
    all
}

/// The verdicts by property, and all that was said.
fn verdicts(text: &str, head: &Head) -> (BTreeMap<String, String>, String) {
    let mut line = format!(
        "probity check t.c --format json --timeout {}s",
        head.seconds
    );
    let mut system = InMemory::default().with_file("t.c", text);
    for (name, option, text) in [
        ("t.policy", "--policy", &head.policy),
        ("t.locnet", "--net", &head.net),
    ] {
        if !text.is_empty() {
            system = system.with_file(name, text.as_str());
            line += &format!(" {option} {name}");
        }
    }
    let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
    probity::run(&words, &system);
    let told = system.out() + &system.err();
    let json: serde_json::Value = serde_json::from_str(&system.out()).unwrap_or_default();
    let properties = json["files"][0]["properties"].as_array();
    let text = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
    let verdicts = properties
        .into_iter()
        .flatten()
        .map(|property| (text(&property["name"]), text(&property["verdict"])));
    (verdicts.collect(), told)
}

/// What is wrong with the answers on a program.
fn wrong(path: &Path) -> Option<String> {
    let text = std::fs::read_to_string(path).unwrap();
    let head = head(path, &text);
    let (verdicts, told) = verdicts(&text, &head);
    let of = |name: &str| verdicts.get(name).map_or("", String::as_str);
    let mut failing = verdicts.iter().filter(|(_, verdict)| *verdict == "fails");
    let denied = head.fails.iter().any(|name| of(name) == "holds");
    let invented = failing.any(|(name, _)| !head.fails.contains(name));
    let solved = match head.fails.is_empty() {
        true => !verdicts.is_empty() && verdicts.values().all(|verdict| verdict == "holds"),
        false => head.fails.iter().all(|name| of(name) == "fails"),
    };
    let what = match (denied || invented, solved, head.unsolved) {
        (true, ..) => "the answer is wrong",
        (false, false, false) => "it is not answered",
        _ => return None,
    };
    let seconds = head.seconds;
    Some(format!(
        "{}: {what} within {seconds} s: {verdicts:?}\n{told}",
        path.display()
    ))
}

#[test]
fn answers_are_those_that_were_built_in() {
    let only = std::env::var("PROBITY_ONLY").unwrap_or_default();
    let all = programs();
    let chosen = all
        .iter()
        .filter(|path| path.to_string_lossy().contains(&only));
    let wrong: Vec<String> = chosen.filter_map(|path| wrong(path)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let fail = |path: &&PathBuf| {
        let text = std::fs::read_to_string(path).unwrap();
        !head(path, &text).fails.is_empty()
    };
    let bad = all.iter().filter(fail).count();
    assert!(bad * 5 >= all.len() * 2, "as good as half of them fail");
    assert!(bad * 5 <= all.len() * 3, "as good as half of them hold");
}
