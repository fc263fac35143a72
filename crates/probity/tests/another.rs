//! Another run of a property that fails, in the languages.

use probity::{InMemory, run};

/// What `check` says of a script with more words: the exit status, and the report.
fn checked(file: &str, text: &str, more: &str) -> (u8, String) {
    let system = InMemory::default().with_file(file, text);
    told(&system, file, more)
}

fn told(system: &InMemory, file: &str, more: &str) -> (u8, String) {
    let before = system.out().len();
    let words: Vec<&str> = ["probity", "check", file]
        .into_iter()
        .chain(more.split_whitespace())
        .collect();
    let status = run(&words, system);
    let err = system.err();
    (status, format!("{}{err}", &system.out()[before..]))
}

const ENDS: &str = "This is another run than the first: it ends in another way.";
const WAY: &str = "This is another run than the first: it takes another way.";
const NONE: &str =
    "There is no other run that violates it, but for what may follow behind this one.";

#[test]
fn an_lsl_script_opens_by_touch_and_by_payment() {
    let door = "\
integer open;
//@ property shut: always open == 0;
default {
    touch_start(integer n) { open = 1; }
    money(key id, integer amount) { open = 2; }
}
";
    let (status, first) = checked("door.lsl", door, "--no-cache");
    let (again, other) = checked("door.lsl", door, "--no-cache --another");
    assert_eq!((status, again), (1, 1), "{other}");
    let value = |text: &str| ["open 0 -> 1", "open 0 -> 2"].map(|change| text.contains(change));
    assert_ne!(value(&first), value(&other), "{first}\n{other}");
    assert!(other.contains(ENDS), "{other}");
    assert!(other.contains("--property shut --another"), "{other}");
    assert!(!first.contains("another run"), "{first}");
}

#[test]
fn a_promela_model_has_another_order_and_then_none() {
    let model = "byte n; active [2] proctype P() { n++; assert(n < 2) }";
    let (status, out) = checked("p.pml", model, "--no-cache --another");
    assert_eq!(status, 1, "{out}");
    assert!(out.contains(ENDS), "{out}");
    let model = "byte n; active proctype P() { n = 1; assert(n == 0) }";
    let (status, out) = checked("p.pml", model, "--no-cache --another");
    assert_eq!(status, 1, "{out}");
    assert!(out.contains(NONE), "{out}");
}

#[test]
fn an_smv_model_comes_there_by_another_way() {
    let model = "MODULE main
        VAR a : 0..3;
        ASSIGN init(a) := 0; next(a) := case a = 0 : {1, 2}; a < 3 : 3; TRUE : a; esac;
        INVARSPEC a < 3;";
    let (status, out) = checked("m.smv", model, "--no-cache --another");
    assert_eq!(status, 1, "{out}");
    assert!(out.contains(WAY), "{out}");
}

#[test]
fn a_node_graph_is_left_by_another_pin() {
    let graph = include_str!("../../../examples/nodegraph/event-mode/bug.json");
    let (_, first) = checked("bug.json", graph, "--no-cache");
    let (status, out) = checked("bug.json", graph, "--no-cache --another");
    assert_eq!(status, 1, "{out}");
    let said = [ENDS, WAY, NONE].iter().any(|said| out.contains(said));
    assert!(said, "{out}");
    if out.contains(ENDS) || out.contains(WAY) {
        let steps = |text: &str| -> Vec<String> {
            let lines = text.lines().filter(|line| line.contains(" fires"));
            lines.map(str::to_owned).collect()
        };
        assert_ne!(steps(&first), steps(&out), "{out}");
    }
}

#[test]
fn kept_runs_are_passed_over_one_after_the_other() {
    let model = "\
byte n;
active proctype P() {
    if :: n = 1 :: n = 2 :: n = 3 fi;
    assert(n == 0)
}
";
    let system = InMemory::default().with_file("p.pml", model);
    let (status, out) = told(&system, "p.pml", "--trace runs.json");
    assert_eq!(status, 1, "{out}");
    let more = "--other-than runs.json --trace runs.json --overwrite";
    for _ in 0..2 {
        let (status, out) = told(&system, "p.pml", more);
        assert_eq!(status, 1, "{out}");
        let said = "This is another run than those kept";
        assert!(out.contains(said), "{out}");
        assert!(out.contains("--other-than runs.json"), "{out}");
    }
    let (status, out) = told(&system, "p.pml", more);
    assert_eq!(status, 1, "{out}");
    assert!(out.contains(NONE), "{out}");
    // All of them are kept, and all are runs.
    let words = ["probity", "simulate", "p.pml", "--replay", "runs.json"];
    let before = system.out().len();
    assert_eq!(run(&words, &system), 1, "{}", system.err());
    let out = system.out()[before..].to_owned();
    assert_eq!(out.matches("The run of").count(), 3, "{out}");
}

#[test]
fn what_is_no_kept_run_is_refused() {
    let system = InMemory::default()
        .with_file("p.pml", "byte n; active proctype P() { assert(n == 0) }")
        .with_file("runs.json", "{}");
    for more in ["--other-than missing.json", "--other-than runs.json"] {
        let (status, out) = told(&system, "p.pml", more);
        assert_eq!(status, 2, "{out}");
        assert!(out.contains("error: --other-than"), "{out}");
    }
    let (status, out) = told(&system, "p.pml", "--another --all-errors");
    assert_eq!(status, 2, "{out}");
}
