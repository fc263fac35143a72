//! The examples that campaigns begin with are accepted, and so is a good part of what is made of
//! them; nothing panics.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use std::path::Path;

use fuzzing::{Campaign, Target};

fn examples(target: &Target) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../fuzz/corpus")
        .join(target.name);
    if !folder.exists() {
        return (target.made)();
    }
    let entries = std::fs::read_dir(folder).unwrap();
    let mut paths: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
        .iter()
        .map(|path| std::fs::read(path).unwrap())
        .collect()
}

#[test]
fn every_example_is_accepted() {
    let mut refused = Vec::new();
    for target in Target::ALL {
        let examples = examples(target);
        assert!(!examples.is_empty(), "{} has no examples", target.name);
        for (number, example) in examples.iter().enumerate() {
            if !(target.read)(example).accepted {
                refused.push((target.name, number));
            }
        }
    }
    assert_eq!(refused, []);
}

#[test]
fn changed_examples_do_no_harm_and_many_are_accepted() {
    for target in Target::ALL {
        let mut campaign = Campaign::new(target, examples(target), 20);
        campaign.run(100, &mut |_| {});
        let found = campaign.findings();
        assert!(found.is_empty(), "{}: {found:?}", target.name);
        let done = campaign.statistics();
        let share = done.accepted * 100 / done.executions;
        // A checkpoint ends with a hash of itself: a changed one is refused, and that is all.
        let least = if target.name == "checkpoint" { 0 } else { 10 };
        assert!(share >= least, "{}: {done:?}", target.name);
    }
}
