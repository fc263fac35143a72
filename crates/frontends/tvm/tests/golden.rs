//! The structures of locks and their threads, one by one as TVLA finds them with the relational join.
//!
//! TVLA's state spaces stand in `tests/reference`. The largest is not in the repository:
//! `PROBITY_REFERENCE` says where it is, and without it that comparison is skipped.

#![expect(clippy::unwrap_used, reason = "a test may panic")]
#![expect(clippy::print_stderr, reason = "what is skipped is said")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use model::predicates::{Kleene, PredicateProgram, Structure};
use model::{Budget, Silent};

/// A structure as text that does not depend on how its individuals are numbered: they stand in the
/// order of what is known of each.
fn canonical(
    of_none: &BTreeSet<String>,
    of_one: &BTreeMap<String, BTreeSet<String>>,
    of_two: &[(String, String, String)],
) -> String {
    let mut order: Vec<(&BTreeSet<String>, &String)> =
        of_one.iter().map(|(name, facts)| (facts, name)).collect();
    order.sort();
    let facts: BTreeSet<&&BTreeSet<String>> = order.iter().map(|(facts, _)| facts).collect();
    assert_eq!(facts.len(), order.len(), "each individual has its own name");
    let place = |name: &String| order.iter().position(|(_, known)| *known == name).unwrap();
    let edges: BTreeSet<String> = of_two
        .iter()
        .map(|(fact, from, to)| format!("{fact} {} {}", place(from), place(to)))
        .collect();
    let individuals: Vec<_> = order.iter().map(|(facts, _)| facts).collect();
    format!("{of_none:?} {individuals:?} {edges:?}")
}

/// The structures of a file in TVLA's format. One that gives a message is there once more.
fn golden(text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for structure in text.split("%n = {").skip(1) {
        let (individuals, rest) = structure.split_once('}').unwrap();
        let mut of_none = BTreeSet::new();
        let mut of_one: BTreeMap<String, BTreeSet<String>> = individuals
            .split(',')
            .map(|name| (name.trim().to_owned(), BTreeSet::new()))
            .collect();
        let mut of_two = Vec::new();
        for line in rest.lines().skip(2) {
            let Some((predicate, values)) = line.trim().split_once(" = ") else {
                break;
            };
            // Nobody may be absent here, and each says so.
            if predicate == "inac" {
                continue;
            }
            let Some(values) = values.strip_prefix('{') else {
                of_none.insert(format!("{predicate}:{values}"));
                continue;
            };
            for value in values.trim_end_matches('}').split(", ") {
                let (individuals, value) = value.split_once(':').unwrap();
                let fact = format!("{predicate}:{value}");
                match individuals.split_once("->") {
                    Some((from, to)) => of_two.push((fact, from.to_owned(), to.to_owned())),
                    None => {
                        of_one.get_mut(individuals).unwrap().insert(fact);
                    }
                }
            }
        }
        found.insert(canonical(&of_none, &of_one, &of_two));
    }
    found
}

fn ours(program: &PredicateProgram, structure: &Structure) -> String {
    let mut of_none = BTreeSet::new();
    let mut of_one: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (individual, several) in structure.summary.iter().enumerate() {
        let sm = several.then(|| "sm:1/2".to_owned());
        of_one.insert(individual.to_string(), sm.into_iter().collect());
    }
    let mut of_two = Vec::new();
    for (predicate, values) in program.predicates.iter().zip(structure.values.iter()) {
        for (place, value) in values.iter().enumerate() {
            let value = match value {
                Kleene::False => continue,
                Kleene::Unknown => "1/2",
                Kleene::True => "1",
            };
            let fact = format!("{}:{value}", predicate.name);
            let individuals = structure.arguments(place, predicate.arity);
            match individuals.as_slice() {
                [] => {
                    of_none.insert(fact);
                }
                [one] => {
                    of_one.get_mut(&one.to_string()).unwrap().insert(fact);
                }
                [from, to] => of_two.push((fact, from.to_string(), to.to_string())),
                more => panic!("{more:?}"),
            }
        }
    }
    canonical(&of_none, &of_one, &of_two)
}

fn shipped(name: &str) -> String {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(root.join("../../../examples/tvm").join(name)).unwrap()
}

fn example() -> String {
    shipped("mutex/mutex.tvm")
}

/// A state space that stands in the repository.
fn kept(name: &str) -> String {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let path = root.join("../../../tests/reference/tvla").join(name);
    std::fs::read_to_string(path).unwrap()
}

/// Compares the structures of a model with those of TVLA.
fn compare(model: &str, theirs: &str) {
    let loaded = tvm::load("model.tvm", model, &[], &|_| None);
    assert!(loaded.diagnostics.is_empty(), "{:?}", loaded.diagnostics);
    let program = loaded.program.unwrap().predicates.unwrap();
    let (ours, golden) = both(&program, theirs);
    let list = |all: BTreeSet<&String>| all.into_iter().cloned().collect::<Vec<_>>().join("\n");
    let only_ours = list(ours.difference(&golden).collect());
    let only_theirs = list(golden.difference(&ours).collect());
    assert!(
        ours == golden,
        "{} and {}\nonly here:\n{only_ours}\nonly there:\n{only_theirs}",
        ours.len(),
        golden.len()
    );
}

/// The structures of a model, and those of TVLA.
fn both(program: &PredicateProgram, theirs: &str) -> (BTreeSet<String>, BTreeSet<String>) {
    let explored = shape::explore(program, &Budget::default(), &Silent).unwrap();
    assert_eq!(explored.stopped, None);
    let structures = explored.structures.iter();
    let ours: BTreeSet<String> = structures.map(|one| ours(program, one)).collect();
    assert_eq!(ours.len(), explored.structures.len());
    (ours, golden(theirs))
}

/// The example with a way back to the beginning.
fn looping() -> String {
    example().replace("(aLock) gl_4", "(aLock) gl_4\n gl_4 skip() gl_1")
}

#[test]
fn any_number_of_threads() {
    compare(&example(), &kept("mutex.tvs"));
}

#[test]
fn three_threads() {
    let three = example()
        .replace("{ threads(main) }", "{ a(main), b(main), c(main) }")
        .replace("sm = { threads: 1/2 }", "")
        .replace("ready = { threads }", "ready = { a, b, c }");
    compare(&three, &kept("three_threads.tvs"));
}

#[test]
fn threads_that_begin_anew() {
    compare(&looping(), &kept("loop.tvs"));
}

#[test]
fn threads_without_the_lock() {
    let open = looping()
        .replace("gl_1 blockLockGlobal(aLock) gl_1", "")
        .replace("gl_1 succLockGlobal(aLock) gl_2", "gl_1 skip() gl_2");
    compare(&open, &kept("no_lock.tvs"));
}

#[test]
fn a_lock_that_each_thread_knows() {
    let two = shipped("two_locks/two_locks.tvm");
    match std::env::var_os("PROBITY_REFERENCE") {
        Some(folder) => {
            let path = PathBuf::from(folder).join("golden/tvla/tmutex_bug2.rel.tvs");
            compare(&two, &std::fs::read_to_string(path).unwrap());
        }
        None => eprintln!("skipped: PROBITY_REFERENCE is not set"),
    }
    let one = two
        .replace("%p is_t1(t)", "")
        .replace("%p is_u1(l)", "")
        .replace("is_t1 = { a }", "")
        .replace("is_u1 = { u1 }", "")
        .replace("a(main), b(main)", "a(main)")
        .replace("{ u1, u2 }", "{ u1 }")
        .replace("{ a: 1/2, b: 1/2 }", "{ a: 1/2 }")
        .replace("{ a, b }", "{ a }")
        .replace("a->u1, b->u2", "a->u1");
    compare(&one, &kept("known_lock.tvs"));
}

/// Models of TVLA's own, where its tree and its state spaces are. Of the stack, the sets are the same. Of the
/// queue there are 56 more here: a consumer that finds it empty goes to the label before
/// `assignGlobal(head, first)`, which leaves `head` as it is, for `first` is null. TVLA's update of what `head` reaches,
/// written by hand, makes that nothing, which contradicts the definition, and the structure is
/// discarded. Here the update is not used, and the consumer goes on. No structure gives a message, as there.
#[test]
fn a_stack_and_a_queue_of_tvla() {
    let folders = ["PROBITY_TVLA", "PROBITY_REFERENCE"].map(std::env::var_os);
    let [Some(tree), Some(reference)] = folders else {
        eprintln!("skipped: PROBITY_TVLA or PROBITY_REFERENCE is not set");
        return;
    };
    let golden = PathBuf::from(reference).join("golden/tvla");
    for (folder, expected) in [("interference/intsyncstack", 0), ("twolockq/twolockq", 56)] {
        let path = PathBuf::from(&tree)
            .join("examples/concurrent")
            .join(folder);
        let (beside, name) = (path.parent().unwrap(), path.file_name().unwrap());
        let name = name.to_str().unwrap();
        let read = |file: &str| std::fs::read_to_string(beside.join(file)).ok();
        let text = read(&format!("{name}.tvm")).unwrap();
        let loaded = tvm::load(&format!("{name}.tvm"), &text, &[], &read);
        let program = loaded.program.unwrap().predicates.unwrap();
        let theirs = std::fs::read_to_string(golden.join(format!("{name}.rel.tvs"))).unwrap();
        let (ours, theirs) = both(&program, &theirs);
        eprintln!("{name}: {} here, {} there", ours.len(), theirs.len());
        assert!(ours.is_superset(&theirs), "{name}");
        let more: Vec<&String> = ours.difference(&theirs).collect();
        assert_eq!(more.len(), expected, "{name}");
        for one in more {
            let behind = one.contains("at[ld_9]:1") || one.contains("at[ld_end]:1");
            assert!(behind && !one.contains("rvalue[first]"), "{one}");
        }
        let explored = shape::explore(&program, &Budget::default(), &Silent).unwrap();
        assert!(
            explored.messages.iter().all(|one| one.at.is_none()),
            "{name}"
        );
    }
}
