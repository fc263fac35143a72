//! Runs the literate tests in `tests/rules/*.md`: which diagnostics scripts raise, and where.

use literate::{Block, Elsewhere, Found, Suite};
use source::Diagnostic;
use tscript::{Extent, Options, load, to_mcrl2};

/// The other files of a snippet can be included, but for texts of properties. With `target=mcrl2`
/// it is translated; with `closed` or `open` it is said how much of a system it is.
fn found(block: &Block) -> Vec<Found> {
    let properties = block.files_in("property").map(|file| file.text.clone());
    let options = Options {
        include: &|name| block.file(name).map(str::to_owned),
        extra_properties: properties.collect(),
        extent: match (block.has("closed"), block.has("open")) {
            (true, _) => Extent::Whole,
            (_, true) => Extent::Part,
            _ => Extent::Guessed,
        },
        ..Options::default()
    };
    if block.has("target=mcrl2") {
        let written = to_mcrl2(&block.name, &block.text, &options);
        let failed = written.diagnostics.iter().any(Diagnostic::is_error);
        assert_eq!(written.program.is_none(), failed, "{}", block.text);
        return Found::all(&written.diagnostics, &written.sources);
    }
    let loaded = load(&block.name, &block.text, &options);
    let failed = loaded.diagnostics.iter().any(Diagnostic::is_error);
    assert_eq!(loaded.program.is_none(), failed, "{}", block.text);
    Found::all(&loaded.diagnostics, &loaded.sources)
}

const SUITE: Suite<'_> = Suite {
    folder: concat!(env!("CARGO_MANIFEST_DIR"), "/tests/rules"),
    language: "tscript",
    name: "rule.tb",
    marker: "%%~",
    load: &found,
};

const ELSEWHERE: &[Elsewhere] = &[Elsewhere {
    codes: tscript::CHECKS,
    why: "they are found by looking at runs, not by reading the script",
    file: "crates/probity/tests/tscript.rs",
    test: "checks_find_what_they_explain",
}];

#[test]
fn scripts_raise_what_is_written() {
    let wrong = SUITE.run();
    assert!(wrong.is_empty(), "\n{wrong}");
}

#[test]
fn every_code_has_a_rule() {
    let missing = SUITE.missing(tscript::CODES, ELSEWHERE);
    assert!(missing.is_empty(), "{missing:#?}");
}
