//! Runs the literate tests in `tests/rules/*.md`: which diagnostics programs raise, and where.

use literate::{Block, Found, Suite};
use mobile::{Options, load};
use source::Diagnostic;

/// The other files of a snippet are policies, a net, or can be included.
fn found(block: &Block) -> Vec<Found> {
    let named = |file: &literate::Attached| (file.name.clone(), file.text.clone());
    let options = Options {
        include: &|name| block.file(name).map(str::to_owned),
        policies: block.files_in("policy").map(named).collect(),
        net: block.files_in("net").map(named).next(),
        ..Options::default()
    };
    let loaded = load(&block.name, &block.text, &options);
    let failed = loaded.diagnostics.iter().any(Diagnostic::is_error);
    assert_eq!(loaded.program.is_none(), failed, "{}", block.text);
    Found::all(&loaded.diagnostics, &loaded.sources)
}

const SUITE: Suite<'_> = Suite {
    folder: concat!(env!("CARGO_MANIFEST_DIR"), "/tests/rules"),
    language: "c",
    name: "rule.c",
    marker: "//~",
    load: &found,
};

#[test]
fn programs_raise_what_is_written() {
    let wrong = SUITE.run();
    assert!(wrong.is_empty(), "\n{wrong}");
}

#[test]
fn every_code_has_a_rule() {
    let missing = SUITE.missing(mobile::CODES, &[]);
    assert!(missing.is_empty(), "{missing:#?}");
}
