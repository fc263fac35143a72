//! How many structures TVLA's own models have, where `PROBITY_TVLA` names its tree, which is not in the
//! repository. Without it this is skipped.
//!
//! The numbers are equal where TVLA's updates of predicates with definitions say what follows from the
//! definitions, which is what we use instead.

#![expect(clippy::print_stderr, reason = "what is skipped is said")]

use std::path::PathBuf;

use model::{Budget, Silent};

/// Models below `examples/concurrent`, and TVLA's numbers with the relational join.
const MODELS: &[(&str, usize)] = &[
    ("mutex/tmutex_bug2", 1_681),
    ("readers_writers/problem1", 1_380),
];

#[test]
fn as_many_structures_as_tvla_finds() {
    let Some(tree) = std::env::var_os("PROBITY_TVLA") else {
        eprintln!("skipped: PROBITY_TVLA is not set");
        return;
    };
    for (name, expected) in MODELS {
        let path = PathBuf::from(&tree).join(format!("examples/concurrent/{name}.tvm"));
        let folder = path.parent().unwrap().to_owned();
        let text = std::fs::read_to_string(&path).unwrap();
        let read = |file: &str| {
            let folders = [folder.clone(), folder.join("..")];
            let mut texts = folders
                .iter()
                .filter_map(|folder| std::fs::read_to_string(folder.join(file)).ok());
            texts.next()
        };
        let loaded = tvm::load(&path.to_string_lossy(), &text, &[], &read);
        let program = loaded.program.unwrap().predicates.unwrap();
        let explored = shape::explore(&program, &Budget::default(), &Silent).unwrap();
        assert_eq!(explored.structures.len(), *expected, "{name}");
    }
}
