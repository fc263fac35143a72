//! The scripts in `docs/properties.md`: every property there holds, and none is vacuous.

use std::path::Path;

use probity::{InMemory, run};

#[test]
fn every_property_in_the_description_holds() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/properties.md");
    let text = std::fs::read_to_string(path).unwrap();
    let blocks: Vec<&str> = text
        .split("```lsl\n")
        .skip(1)
        .map(|rest| rest.split_once("```").unwrap().0)
        .collect();
    assert!(blocks.len() > 4);
    for block in blocks {
        let system = InMemory::default().with_file("script.lsl", block);
        let arguments = ["probity", "check", "script.lsl"].map(str::to_owned);
        let status = run(&arguments, &system);
        assert_eq!(status, 0, "{block}\n{}\n{}", system.out(), system.err());
    }
}
