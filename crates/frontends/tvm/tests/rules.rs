//! Runs the literate tests in `tests/rules/*.md`: which diagnostics models raise, and where.

use literate::{Block, Found, Suite};
use source::Diagnostic;

/// The other files of a snippet stand beside it, but for texts of properties.
fn found(block: &Block) -> Vec<Found> {
    let properties = block.files_in("property").map(|file| file.text.clone());
    let properties: Vec<String> = properties.collect();
    let read = |name: &str| block.file(name).map(str::to_owned);
    let loaded = tvm::load(&block.name, &block.text, &properties, &read);
    let failed = loaded.diagnostics.iter().any(Diagnostic::is_error);
    assert_eq!(loaded.program.is_none(), failed, "{}", block.text);
    Found::all(&loaded.diagnostics, &loaded.sources)
}

const SUITE: Suite<'_> = Suite {
    folder: concat!(env!("CARGO_MANIFEST_DIR"), "/tests/rules"),
    language: "tvm",
    name: "rule.tvm",
    marker: "//~",
    load: &found,
};

#[test]
fn models_raise_what_is_written() {
    let wrong = SUITE.run();
    assert!(wrong.is_empty(), "\n{wrong}");
}

#[test]
fn every_code_has_a_rule() {
    let missing = SUITE.missing(tvm::CODES, &[]);
    assert!(missing.is_empty(), "{missing:#?}");
}
