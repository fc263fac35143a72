//! SMV from the command line: NuSMV's semantics trap by trap, and the models of a paper.

#![expect(clippy::print_stdout, reason = "a run says what it covered")]

mod figures;
mod generate;
mod language;
mod nusmv;
mod random;
mod traps;
mod wide_words;
mod word_arrays;

use probity::{InMemory, run};

/// The exit status, standard output and standard error of a check of a model.
fn check(text: &str, options: &str) -> (u8, String, String) {
    let system = InMemory::default().with_file("m.smv", text);
    let line = format!("probity check m.smv {options}");
    let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
    let status = run(&words, &system);
    (status, system.out(), system.err())
}

/// Each property with the word that is said of it, in order.
fn verdicts(text: &str) -> Vec<(String, &'static str)> {
    let (_, out, err) = check(text, "");
    assert!(!err.contains("error"), "{err}");
    let found = read_verdicts(&out);
    assert!(!found.is_empty(), "{out}");
    found
}

/// Each property that a report names, with the word that is said of it.
fn read_verdicts(out: &str) -> Vec<(String, &'static str)> {
    let words = ["holds", "fails", "vacuous", "measured", "not known"];
    let mut found = Vec::new();
    for line in out.lines() {
        let Some(rest) = line.strip_prefix("  ") else {
            continue;
        };
        let Some(word) = words.into_iter().find(|word| rest.starts_with(word)) else {
            continue;
        };
        let name = rest[word.len()..]
            .split_whitespace()
            .next()
            .expect("a verdict names its property");
        found.push((name.to_owned(), word));
    }
    found
}

/// Expects what is said of each property, in order.
fn says(text: &str, expected: &[&str]) {
    let found = verdicts(text);
    let words: Vec<&str> = found.iter().map(|(_, word)| *word).collect();
    assert_eq!(words, expected, "{text}\n{found:?}");
}

/// Expects a model to be refused with a code, and words of the message.
fn refused(text: &str, code: &str, message: &str) {
    let (status, out, err) = check(text, "");
    assert_eq!(status, 2, "{out}{err}");
    let all = format!("{out}{err}");
    assert!(all.contains(code) && all.contains(message), "{all}");
}

#[test]
fn a_story_does_not_leave_out_the_way_there_and_back() {
    let text = "MODULE main
VAR n : 0..3;
ASSIGN init(n) := 0; next(n) := (n + 1) mod 4;
LTLSPEC G (n = 3 -> X n = 3)";
    let (status, out, _) = check(text, "");
    assert_eq!(status, 1, "{out}");
    assert!(out.contains("n 0 -> 3"), "{out}");
    assert!(out.contains("n 3 -> 0"), "{out}");
}
