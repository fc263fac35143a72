//! Runs the literate tests in `tests/rules/*.md`: what the command line and translations tell.
//!
//! A snippet is a list of command lines; the files are the blocks before it, those in `hex` as bytes. A
//! diagnostic is expected at the command line that tells it.

use literate::{Block, Elsewhere, Found, Suite};
use probity::{InMemory, run};
use source::CodeDoc;

const MARKER: &str = "#~";

fn found(block: &Block) -> Vec<Found> {
    let system = block
        .files
        .iter()
        .fold(InMemory::default(), |system, file| {
            let contents = match file.language.as_str() {
                "hex" => bytes(&file.text),
                _ => file.text.clone().into_bytes(),
            };
            system.with_file(file.name.as_str(), contents)
        });
    let mut found = Vec::new();
    for (number, line) in (1..).zip(block.text.lines()) {
        let command = line.split_once(MARKER).map_or(line, |(command, _)| command);
        let words: Vec<String> = command.split_whitespace().map(str::to_owned).collect();
        let before = system.err().len();
        run(&words, &system);
        for (code, message) in told(&system.err()[before..]) {
            found.push(Found {
                code,
                file: block.name.clone(),
                line: number,
                message,
                help: Vec::new(),
            });
        }
    }
    found
}

fn bytes(text: &str) -> Vec<u8> {
    text.split_whitespace()
        .map(|word| u8::from_str_radix(word, 16).expect("a byte in hexadecimal digits"))
        .collect()
}

/// The codes in what was told, each with its text.
fn told(err: &str) -> Vec<(String, String)> {
    let severities = ["error[", "warning[", "note["];
    let mut all: Vec<(String, String)> = Vec::new();
    for line in err.lines() {
        if severities.iter().any(|word| line.starts_with(word)) {
            let code = line.split(['[', ']']).nth(1).unwrap_or_default();
            all.push((code.to_owned(), String::new()));
        }
        if let Some((_, text)) = all.last_mut() {
            *text += line;
            *text += "\n";
        }
    }
    all
}

const SUITE: Suite<'_> = Suite {
    folder: concat!(env!("CARGO_MANIFEST_DIR"), "/tests/rules"),
    language: "console",
    name: "commands",
    marker: MARKER,
    load: &found,
};

const ELSEWHERE: &[Elsewhere] = &[Elsewhere {
    codes: &["SRC0002"],
    why: "a text that is too long is too long for a snippet",
    file: "crates/source/src/map.rs",
    test: "texts_that_are_too_long_are_refused",
}];

#[test]
fn commands_tell_what_is_written() {
    let wrong = SUITE.run();
    assert!(wrong.is_empty(), "\n{wrong}");
}

#[test]
fn every_code_has_a_rule() {
    let tables = [CodeDoc::SOURCE, probity::CODES, export::CODES];
    let missing = SUITE.missing(&tables, ELSEWHERE);
    assert!(missing.is_empty(), "{missing:#?}");
}
