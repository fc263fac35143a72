//! What is found of a program depends neither on how many threads look for it nor on how wide the sets are in
//! which they do: all examples of TVM and Java.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use std::path::{Path, PathBuf};
use std::sync::Arc;

use model::predicates::PredicateProgram;
use model::{Budget, MessageId, Silent, UnknownReason};
use shape::{Exploration, Explored, Join};

/// All examples, by their files.
fn examples() -> Vec<(PathBuf, Arc<PredicateProgram>)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../examples");
    let folders = ["tvm", "java"].map(|language| std::fs::read_dir(root.join(language)).unwrap());
    let folders = folders.into_iter().flatten().map(|one| one.unwrap().path());
    let folders: Vec<PathBuf> = folders.filter(|one| one.is_dir()).collect();
    let files = folders
        .iter()
        .flat_map(|one| std::fs::read_dir(one).unwrap());
    let mut files: Vec<PathBuf> = files.map(|one| one.unwrap().path()).collect();
    files.sort();
    let read = |path: PathBuf| {
        let text = std::fs::read_to_string(&path).unwrap();
        let beside = |name: &str| std::fs::read_to_string(path.with_file_name(name)).ok();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let program = match path.extension()?.to_str()? {
            "java" => java::load(&name, &text).program,
            "tvm" | "tvp" => tvm::load(&name, &text, &[], &beside).program,
            _ => return None,
        };
        Some((path, program.unwrap().predicates.unwrap()))
    };
    files.into_iter().filter_map(read).collect()
}

fn explored(program: &PredicateProgram, how: Exploration<'_>) -> Explored {
    shape::explore_with(program, how, &Budget::default(), &Silent).unwrap()
}

/// Compares what is found in these ways with what is found in the usual one; says how much that is.
fn compare(ways: &[(usize, usize)]) -> usize {
    let mut most = 0;
    for (path, program) in examples() {
        let all: Vec<MessageId> = (0..program.messages.len()).map(MessageId::new).collect();
        for (join, wanted) in [
            (Join::Relational, None),
            (Join::Relational, Some(all.as_slice())),
            (Join::Partial, None),
            (Join::Partial, Some(all.as_slice())),
        ] {
            let usual = Exploration {
                join,
                wanted,
                ..Exploration::default()
            };
            let one = explored(&program, usual);
            most = most.max(one.structures.len());
            for &(jobs, narrow) in ways {
                let how = Exploration {
                    jobs,
                    narrow,
                    ..usual
                };
                let what = format!("{}: {how:?}", path.display());
                let other = explored(&program, how);
                assert!(one.structures == other.structures, "{what}");
                assert_eq!(one.parents, other.parents, "{what}");
                assert_eq!(one.steps, other.steps, "{what}");
                assert_eq!(one.messages, other.messages, "{what}");
                assert_eq!(one.complete, other.complete, "{what}");
                let [one, other] = [&one, &other].map(|one| &one.statistics);
                assert_eq!(one.states, other.states, "{what}");
                assert_eq!(one.transitions, other.transitions, "{what}");
                assert_eq!(one.depth, other.depth, "{what}");
                assert_eq!(one.memory, other.memory, "{what}");
            }
        }
    }
    most
}

#[test]
fn what_is_found_does_not_depend_on_the_number_of_threads() {
    let narrow = Exploration::default().narrow;
    let most = compare(&[(2, narrow), (4, narrow)]);
    // So many that threads have had something to do.
    assert!(most > 500, "{most}");
}

#[test]
fn what_is_found_does_not_depend_on_how_wide_sets_are() {
    compare(&[(1, 0), (2, 4)]);
}

#[test]
fn limits_hold_for_several_threads() {
    let all = examples();
    let largest = all
        .iter()
        .find(|(path, _)| path.ends_with("transfer/Broken.java"));
    let (_, program) = largest.unwrap();
    for join in [Join::Relational, Join::Partial] {
        let how = |jobs| Exploration {
            join,
            jobs,
            ..Exploration::default()
        };
        let memory = explored(program, how(1)).statistics.memory / 2;
        for jobs in [1, 3] {
            let budget = Budget {
                memory: Some(memory),
                ..Budget::default()
            };
            let explored = shape::explore_with(program, how(jobs), &budget, &Silent).unwrap();
            assert_eq!(explored.stopped, Some(UnknownReason::Memory), "{jobs}");
            assert!(!explored.complete, "{jobs}");
            let budget = Budget {
                deadline: Some(std::time::Instant::now()),
                ..Budget::default()
            };
            let explored = shape::explore_with(program, how(jobs), &budget, &Silent).unwrap();
            assert_eq!(explored.stopped, Some(UnknownReason::Time), "{jobs}");
        }
    }
}
