//! Every command shown in a document is run, and prints what the document says.
//!
//! A block fenced as `console` holds commands after `$ `, each followed by what a terminal shows:
//! standard error, then standard output. A line `...` stands for any lines. Times and numbers of
//! states are not what a document is about, and are not compared.
//!
//! Set `PROBITY_BLESS` to write the blocks anew (those without `...`).

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn documents() -> Vec<PathBuf> {
    let mut found = vec![root().join("README.md")];
    let mut folders = vec![root().join("docs"), root().join("examples")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "md") {
                found.push(path);
            }
        }
    }
    found.retain(|path| path.is_file());
    found.sort();
    found
}

/// The words of a command line, with single quotes as a shell has them.
fn words(line: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quoted = false;
    for character in line.trim().chars() {
        match character {
            '\'' => quoted = !quoted,
            ' ' if !quoted => words.push(String::new()),
            other => words.last_mut().unwrap().push(other),
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// What a terminal shows of a command.
fn shown(line: &str) -> String {
    let line = line
        .trim()
        .strip_prefix("cargo run --release --")
        .or_else(|| line.trim().strip_prefix("probity"))
        .unwrap_or_else(|| panic!("a document shows `{line}`, which is not ours to run"));
    let output = Command::new(env!("CARGO_BIN_EXE_probity"))
        .args(words(line))
        .current_dir(root())
        .output()
        .unwrap();
    let mut text = String::from_utf8(output.stderr).unwrap();
    text.push_str(&String::from_utf8(output.stdout).unwrap());
    text
}

/// A line with every `12.34 s` and `1,234 states` made the same, and spaces that depend on their
/// width closed up.
fn timeless(line: &str) -> String {
    let mut words: Vec<&str> = line.split(' ').collect();
    for index in 1..words.len() {
        let time = words[index - 1].parse::<f64>().is_ok() && words[index - 1].contains('.');
        if time && words[index].trim_end_matches([',', '.']) == "s" {
            words[index - 1] = "_";
        }
        if words[index] == "states," || words[index] == "state," {
            words[index - 1] = "_";
            words[index] = "states,";
        }
    }
    words.retain(|word| !word.is_empty());
    words.join(" ")
}

/// Whether the lines are those expected, where `...` stands for any.
fn agrees(expected: &[&str], actual: &[&str]) -> bool {
    let Some((first, rest)) = expected.split_first() else {
        return actual.iter().all(|line| line.trim().is_empty());
    };
    if first.trim() == "..." {
        return (0..=actual.len()).any(|skipped| agrees(rest, &actual[skipped..]));
    }
    match actual.split_first() {
        Some((line, behind)) => timeless(first) == timeless(line) && agrees(rest, behind),
        None => first.trim().is_empty() && agrees(rest, actual),
    }
}

/// A document as it should be, and what is wrong with it.
fn checked(text: &str) -> (String, Vec<String>) {
    let mut out = String::new();
    let mut wrong = Vec::new();
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        out.push_str(line);
        out.push('\n');
        if line.trim() != "```console" {
            continue;
        }
        while let Some(command) = lines.next_if(|line| line.trim() != "```") {
            out.push_str(command);
            out.push('\n');
            let Some(typed) = command.strip_prefix("$ ") else {
                assert!(command.trim().is_empty(), "`{command}` before any command");
                continue;
            };
            let mut expected = Vec::new();
            while let Some(line) =
                lines.next_if(|line| line.trim() != "```" && !line.starts_with("$ "))
            {
                expected.push(line);
            }
            let actual = shown(typed);
            let actual_lines: Vec<&str> = actual.lines().collect();
            if agrees(&expected, &actual_lines) || expected.iter().any(|l| l.trim() == "...") {
                for line in &expected {
                    out.push_str(line);
                    out.push('\n');
                }
            } else {
                out.push_str(&actual);
            }
            if !agrees(&expected, &actual_lines) {
                wrong.push(format!("$ {typed}\n{actual}"));
            }
        }
    }
    (out, wrong)
}

#[test]
fn documents_show_what_happens() {
    let mut failures = Vec::new();
    let mut blocks = 0;
    for path in documents() {
        let text = std::fs::read_to_string(&path).unwrap();
        blocks += text.matches("```console").count();
        let (anew, wrong) = checked(&text);
        if wrong.is_empty() {
            continue;
        }
        if std::env::var_os("PROBITY_BLESS").is_some() {
            std::fs::write(&path, anew).unwrap();
        }
        failures.push(format!("{}:\n{}", path.display(), wrong.join("\n")));
    }
    assert!(blocks > 0, "the README shows a session");
    assert!(
        failures.is_empty(),
        "documents say something else than what happens (PROBITY_BLESS=1 writes them anew):\n{}",
        failures.join("\n")
    );
}

#[test]
fn the_comparison_sees_differences() {
    assert!(agrees(
        &["a 0.10 s", "...", "z"],
        &["a 9.99 s", "b", "c", "z"]
    ));
    assert!(!agrees(&["a", "...", "z"], &["a", "b"]));
    assert!(agrees(&["a 1 state, x"], &["a 2,000 states, x"]));
    assert!(!agrees(&["a 1 avatar"], &["a 2 avatars"]));
    assert!(!agrees(&["a"], &["a", "b"]));
    assert_eq!(words("check 'a b.lsl' -x"), ["check", "a b.lsl", "-x"]);
}
