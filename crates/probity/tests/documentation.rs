//! `docs/cli.md` says what the table of options says.

/// Set `PROBITY_BLESS` to write the document anew.
#[test]
fn the_document_is_current() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/cli.md");
    if std::env::var_os("PROBITY_BLESS").is_some() {
        std::fs::write(&path, probity::markdown()).unwrap();
    }
    let stored = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        stored == probity::markdown(),
        "docs/cli.md is not current: run the tests with PROBITY_BLESS=1"
    );
}
