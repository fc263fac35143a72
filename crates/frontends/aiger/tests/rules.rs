//! Runs the literate tests in `tests/rules/*.md`: which diagnostics circuits raise, and where.

use aiger::{Options, load};
use literate::{Block, Found, Suite};
use source::Diagnostic;

/// With `hex`, a snippet is a binary file: its bytes, up to a `#` in each line.
fn found(block: &Block) -> Vec<Found> {
    let properties = block.files_in("property").map(|file| file.text.clone());
    let options = Options {
        extra_properties: properties.collect(),
    };
    let bytes = match block.has("hex") {
        true => bytes(&block.text),
        false => block.text.clone().into_bytes(),
    };
    let loaded = load(&block.name, &bytes, &options);
    let failed = loaded.diagnostics.iter().any(Diagnostic::is_error);
    assert_eq!(loaded.program.is_none(), failed, "{}", block.text);
    Found::all(&loaded.diagnostics, &loaded.sources)
}

fn bytes(text: &str) -> Vec<u8> {
    let lines = text.lines().filter_map(|line| line.split('#').next());
    let words = lines.flat_map(str::split_whitespace);
    words
        .map(|word| u8::from_str_radix(word, 16).expect("a byte in hexadecimal digits"))
        .collect()
}

const SUITE: Suite<'_> = Suite {
    folder: concat!(env!("CARGO_MANIFEST_DIR"), "/tests/rules"),
    language: "aiger",
    name: "rule.aag",
    // A line of numbers has no comments.
    marker: "//~",
    load: &found,
};

#[test]
fn circuits_raise_what_is_written() {
    let wrong = SUITE.run();
    assert!(wrong.is_empty(), "\n{wrong}");
}

#[test]
fn every_code_has_a_rule() {
    let missing = SUITE.missing(aiger::CODES, &[]);
    assert!(missing.is_empty(), "{missing:#?}");
}
