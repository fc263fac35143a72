//! Models of TVM from the command line: what is said, written and refused.

use probity::{InMemory, run};

const MUTEX: &str = include_str!("../../../examples/tvm/mutex/mutex.tvm");
const BROKEN: &str = include_str!("../../../examples/tvm/mutex/broken.tvm");
const QUEUE: &str = include_str!("../../../examples/tvm/two_lock_queue/two_lock_queue.tvm");

fn system() -> InMemory {
    InMemory::default()
        .with_file("mutex.tvm", MUTEX)
        .with_file("broken.tvm", BROKEN)
}

fn said(system: &InMemory, line: &str) -> (u8, String, String) {
    let line = format!("probity {line}");
    let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
    let status = run(&words, system);
    (status, system.out(), system.err())
}

#[test]
fn the_lock_is_proved_for_any_number_of_threads() {
    let (status, out, _) = said(&system(), "check mutex.tvm --require proved --verbose");
    assert_eq!(status, 0, "{out}");
    assert!(out.contains("holds      mutualExclusion  proved"), "{out}");
    assert!(
        out.contains("11 structures, from which no action leads"),
        "{out}"
    );
    assert!(out.contains("the model's rules"), "{out}");
}

#[test]
fn two_threads_that_look_first_are_shown() {
    let (status, out, _) = said(&system(), "check broken.tvm");
    assert_eq!(status, 1, "{out}");
    assert!(out.contains("1. threads#1"), "{out}");
    assert!(out.contains("2. threads#2"), "{out}");
    assert!(out.contains("  4. ") && !out.contains("  5. "), "{out}");
    assert!(
        out.contains("`mutualExclusion` reports \"two threads are inside\""),
        "{out}"
    );
}

#[test]
fn a_kept_run_is_replayed_on_its_own_model_only() {
    let kept = system();
    let (status, out, _) = said(&kept, "check broken.tvm --trace run.json");
    assert_eq!(status, 1, "{out}");
    let file = kept.file("run.json").expect("the run was kept");
    let (status, out, err) = said(
        &system().with_file("run.json", file.clone()),
        "simulate broken.tvm --replay run.json",
    );
    assert_eq!(status, 1, "{out}{err}");
    assert!(out.contains("=> mutualExclusion is violated"), "{out}");
    let other = BROKEN.replace("(aLock) gl_seen", "(aLock) gl_1");
    let changed = InMemory::default()
        .with_file("broken.tvm", other)
        .with_file("run.json", file);
    let (status, out, _) = said(&changed, "simulate broken.tvm --replay run.json");
    assert_eq!(status, 2, "{out}");
}

#[test]
fn what_has_no_form_is_refused() {
    for target in ["promela", "smv", "aiger", "mcrl2"] {
        let (status, _, err) = said(&system(), &format!("translate mutex.tvm --to {target}"));
        assert_eq!(status, 2, "{target}");
        assert!(err.contains("any number of threads"), "{err}");
    }
    for engine in ["explicit", "sat", "symbolic", "games"] {
        let (status, out, _) = said(&system(), &format!("check mutex.tvm --engine {engine}"));
        assert_eq!(status, 3, "{out}");
        assert!(out.contains("not known"), "{out}");
    }
    let (status, out, _) = said(&system(), "check mutex.tvm --unreached");
    assert_eq!(status, 0, "{out}");
    assert!(
        out.contains("Which statements are reached is not known"),
        "{out}"
    );
}

#[test]
fn options_without_meaning_for_structures_say_so() {
    for (option, why) in [
        ("--all-errors", "`--all-errors`"),
        ("--storage compressed", "`--storage`"),
        ("--checkpoint kept.bin", "`--checkpoint`"),
        ("--engine sat", "the only engine is `shape`"),
    ] {
        let (status, out, err) = said(&system(), &format!("check mutex.tvm {option}"));
        assert_eq!(status, 3, "{option}: {out}{err}");
        assert!(out.contains(why) && !out.contains("of this kind"), "{out}");
    }
}

#[test]
fn configurations_are_drawn() {
    let system = system();
    let (status, out, _) = said(&system, "check broken.tvm --html out.html");
    assert_eq!(status, 1, "{out}");
    let page = system.file("out.html").expect("the page was written");
    let start = page.find("id=\"data\">").expect("it has data") + 10;
    let end = start + page[start..].find("</script>").expect("it ends");
    let data: serde_json::Value = serde_json::from_str(&page[start..end]).expect("it is JSON");
    let graphs = &data["files"][0]["properties"][0]["story"]["graphs"];
    let graphs = graphs.as_array().expect("they are drawn");
    assert_eq!(graphs.len(), 5, "the beginning and four steps");
    let place = |graph: &serde_json::Value, name: &str| {
        let nodes = graph["nodes"].as_array().expect("it has individuals");
        let node = nodes.iter().find(|node| node["name"] == name);
        let node = node.expect("it is there");
        (node["x"].clone(), node["y"].clone())
    };
    for graph in graphs {
        for name in ["lock", "threads#1", "threads#2"] {
            assert_eq!(place(graph, name), place(&graphs[0], name), "{name}");
        }
    }
    let held = |graph: &serde_json::Value| graph["edges"].as_array().map_or(0, Vec::len);
    assert_eq!((held(&graphs[0]), held(&graphs[4])), (0, 2));
}

#[test]
fn structures_are_written_for_graphviz() {
    let (status, out, _) = said(&system(), "translate broken.tvm --to dot");
    assert_eq!(status, 0, "{out}");
    assert!(out.starts_with("digraph \"broken.tvm\" {"), "{out}");
    assert!(out.contains("shape=hexagon, peripheries=2"), "{out}");
    assert!(out.contains("label=\"held_by\""), "{out}");
    // Where nothing may go wrong there is no way to it.
    let (status, out, _) = said(&system(), "translate mutex.tvm --to dot");
    assert_eq!(status, 0, "{out}");
    assert_eq!(out.matches("subgraph").count(), 1, "{out}");
}

#[test]
fn properties_of_runs_hold_for_any_number_of_threads() {
    let looping = MUTEX.replace("(aLock) gl_4", "(aLock) gl_4\n gl_4 skip() gl_1");
    let system = InMemory::default().with_file("loop.tvm", looping);
    let again = "--property again:always(eventually({E(t)at[gl_4](t)}))";
    let (status, out, err) = said(&system, &format!("check loop.tvm {again}"));
    // One thread waits for ever for the lock that another one has.
    assert_eq!(status, 1, "{out}{err}");
    assert!(out.contains("again fails"), "{out}");
    assert!(out.contains("this goes on for ever"), "{out}");
    let (status, out, _) = said(&system, &format!("check loop.tvm --fair weak {again}"));
    assert_eq!(status, 0, "{out}");
    assert!(out.contains("holds      again  proved"), "{out}");
    assert!(out.contains("weak fairness"), "{out}");
}

#[test]
fn limits_leave_the_answer_open() {
    let system = InMemory::default().with_file("queue.tvm", QUEUE);
    let (status, out, _) = said(&system, "check queue.tvm --timeout 1ms");
    assert_eq!(status, 3, "{out}");
    assert!(out.contains("the time limit was reached"), "{out}");
}

#[test]
fn a_random_run_goes_on_while_somebody_can() {
    for seed in 1..20 {
        let (status, out, _) = said(&system(), &format!("simulate mutex.tvm --seed {seed}"));
        assert_eq!(status, 0, "{out}");
        assert!(!out.contains("violated"), "{out}");
        // Two threads take the lock, work and give it back.
        let came = out.matches("unlockGlobal (gl_3 to gl_4)").count();
        assert_eq!(came, 2, "{out}");
    }
}

/// Checks an example.
fn checked(name: &str, options: &str) -> (u8, String) {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/tvm");
    let text = std::fs::read_to_string(root.join(name)).expect("the example is there");
    let system = InMemory::default().with_file("model.tvm", text);
    let (status, out, _) = said(&system, &format!("check model.tvm {options}"));
    (status, out)
}

#[test]
fn lists_of_any_length_are_proved() {
    for name in [
        "reversal/reversal.tvm",
        "insertion/insertion.tvm",
        "producers/producers.tvm",
        "two_lock_queue/two_lock_queue.tvm",
        "pool/pool.tvm",
    ] {
        let (status, out) = checked(name, "--require proved");
        assert_eq!(status, 0, "{name}: {out}");
    }
}

#[test]
fn runs_of_broken_lists_are_found() {
    for (name, message) in [
        ("reversal/broken.tvm", "a cell is lost"),
        ("insertion/broken.tvm", "the list goes round"),
        ("producers/broken.tvm", "a cell is lost"),
        ("two_lock_queue/broken.tvm", "a cell is appended to nothing"),
        ("pool/broken.tvm", "two workers have the task"),
    ] {
        let (status, out) = checked(name, "");
        assert_eq!(status, 1, "{name}: {out}");
        assert!(out.contains(&format!("reports \"{message}\"")), "{out}");
    }
}
