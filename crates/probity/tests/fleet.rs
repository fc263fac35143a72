//! Jobs for many machines: planned, done in any order by several at once, and collected.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

/// A directory of its own for each test, with scripts in it.
fn folder(test: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("fleet-{test}"));
    if folder.exists() {
        fs::remove_dir_all(&folder).expect("it can be made anew");
    }
    let scripts = folder.join("scripts");
    fs::create_dir_all(&scripts).expect("a folder can be made");
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    for example in ["lsl/auction/paper.lsl", "lsl/auction/mutants/1.lsl"] {
        let name = example.replace('/', "-");
        fs::copy(examples.join(example), scripts.join(name)).expect("an example is copied");
    }
    let counter = "byte x; active proctype up() { do :: x < 9 -> x++ :: else -> break od }\n\
                   ltl small { [] (x < 9) }\nltl ends { <> (x == 9) }\n";
    fs::write(scripts.join("counter.pml"), counter).expect("a model is written");
    folder
}

fn probity(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_probity"))
        .args(arguments)
        .current_dir(folder)
        .output()
        .expect("the program runs")
}

fn out(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("text")
}

fn err(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("text")
}

/// The verdicts of a report, by file and property.
fn verdicts(json: &[u8]) -> BTreeMap<(String, String), (String, String)> {
    let report: Value = serde_json::from_slice(json).expect("a report");
    let mut verdicts = BTreeMap::new();
    for file in report["files"].as_array().expect("files") {
        for property in file["properties"].as_array().expect("properties") {
            let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
            let key = (text(&file["file"]), text(&property["name"]));
            let verdict = (text(&property["verdict"]), text(&property["strength"]));
            assert!(verdicts.insert(key, verdict).is_none(), "no property twice");
        }
    }
    verdicts
}

#[test]
fn jobs_done_by_several_at_once_give_the_report_of_one_check() {
    let folder = folder("several");
    let planned = probity(&folder, &["plan", "scripts", "-o", "jobs.jsonl"]);
    assert_eq!(planned.status.code(), Some(0), "{}", err(&planned));
    assert_eq!(out(&planned), "18 jobs of 3 scripts in `jobs.jsonl`.\n");
    let plan = fs::read_to_string(folder.join("jobs.jsonl")).expect("a plan");
    assert_eq!(plan.lines().count(), 18);
    // Two do all of it, one of them from the end; a third does two by key and by number.
    std::thread::scope(|scope| {
        for number in 0..2 {
            let folder = &folder;
            let mut jobs: Vec<String> = (1..=18).map(|job| job.to_string()).collect();
            if number == 1 {
                jobs.reverse();
            }
            scope.spawn(move || {
                let mut arguments = vec!["run-job", "jobs.jsonl"];
                for job in &jobs {
                    arguments.extend(["--job", job]);
                }
                let ran = probity(folder, &arguments);
                assert_eq!(ran.status.code(), Some(0), "{}", err(&ran));
            });
        }
    });
    let first: Value = serde_json::from_str(plan.lines().next().expect("a job")).expect("JSON");
    let key = first["key"].as_str().expect("a key");
    assert!(folder.join("results").join(format!("{key}.json")).exists());
    let again = probity(
        &folder,
        &["run-job", "jobs.jsonl", "--job", key, "--job", "2"],
    );
    assert_eq!(again.status.code(), Some(0), "{}", err(&again));

    let collected = probity(&folder, &["collect", "jobs.jsonl", "--format", "json"]);
    let checked = probity(&folder, &["check", "scripts", "--format", "json"]);
    assert_eq!(verdicts(&collected.stdout), verdicts(&checked.stdout));
    assert_eq!(collected.status.code(), checked.status.code());
    assert_eq!(
        collected.status.code(),
        Some(1),
        "one of the mutant's properties fails"
    );
    let text = out(&probity(&folder, &["collect", "jobs.jsonl"]));
    assert!(text.contains("18 properties: "), "{text}");
}

#[test]
fn what_is_not_done_is_not_known() {
    let folder = folder("missing");
    probity(
        &folder,
        &["plan", "scripts/counter.pml", "-o", "jobs.jsonl"],
    );
    probity(&folder, &["run-job", "jobs.jsonl", "--job", "1"]);
    let collected = probity(&folder, &["collect", "jobs.jsonl"]);
    assert!(
        err(&collected).contains("3 of 4 jobs have no result"),
        "{}",
        err(&collected)
    );
    assert!(
        out(&collected).contains("its job has no result yet"),
        "{}",
        out(&collected)
    );
    // A result that was cut short by a crash is none.
    for result in fs::read_dir(folder.join("results")).expect("results") {
        fs::write(result.expect("a result").path(), "{\"version\":").expect("it is cut short");
    }
    let collected = probity(&folder, &["collect", "jobs.jsonl"]);
    assert_eq!(collected.status.code(), Some(3));
    assert!(err(&collected).contains("4 of 4"), "{}", err(&collected));
}

#[test]
fn a_script_that_was_changed_is_not_answered_by_its_plan() {
    let folder = folder("changed");
    probity(
        &folder,
        &["plan", "scripts/counter.pml", "-o", "jobs.jsonl"],
    );
    let script = folder.join("scripts/counter.pml");
    let text = fs::read_to_string(&script).expect("a model");
    fs::write(&script, text.replace("x < 9 -> x++", "x < 8 -> x++")).expect("it is changed");
    let ran = probity(&folder, &["run-job", "jobs.jsonl"]);
    assert_eq!(ran.status.code(), Some(2));
    assert!(err(&ran).contains("is not what it was"), "{}", err(&ran));
    // Nor is a job that was.
    let plan = fs::read_to_string(folder.join("jobs.jsonl")).expect("a plan");
    fs::write(
        folder.join("jobs.jsonl"),
        plan.replace("\"small\"", "\"ends\""),
    )
    .expect("changed");
    let ran = probity(&folder, &["run-job", "jobs.jsonl"]);
    assert_eq!(ran.status.code(), Some(2));
    assert!(err(&ran).contains("CLI0007"), "{}", err(&ran));
}

#[test]
fn options_of_check_are_handed_on_and_engines_have_jobs_of_their_own() {
    let folder = folder("options");
    let lsl = "scripts/lsl-auction-paper.lsl";
    let arguments = [
        "plan",
        lsl,
        "-o",
        "jobs.jsonl",
        "--engines",
        "explicit,sat",
        "--",
        "--bound",
        "amount=0..3",
    ];
    let planned = probity(&folder, &arguments);
    assert_eq!(
        out(&planned),
        "14 jobs of 1 script in `jobs.jsonl`.\n",
        "{}",
        err(&planned)
    );
    let ran = probity(&folder, &["run-job", "jobs.jsonl"]);
    assert_eq!(ran.status.code(), Some(0), "{}", err(&ran));
    let collected = probity(&folder, &["collect", "jobs.jsonl", "--format", "json"]);
    let verdicts = verdicts(&collected.stdout);
    assert_eq!(verdicts.len(), 7);
    assert!(
        verdicts.values().all(|(verdict, _)| verdict == "holds"),
        "{verdicts:?}"
    );
    assert!(out(&collected).contains("payments are of L$0 to L$3"));
    for wrong in [
        &["plan", lsl, "--", "--html", "a.html"][..],
        &["plan", lsl, "--", "--property", "ends"],
        &["plan", lsl, "--", "--bund", "3"],
        &["plan", lsl, "--engines", "steam"],
        &["plan", "nowhere"],
        &["run-job", "jobs.jsonl", "--job", "15"],
        &["run-job", "scripts/counter.pml"],
    ] {
        let refused = probity(&folder, wrong);
        assert_eq!(
            refused.status.code(),
            Some(2),
            "{wrong:?}: {}",
            err(&refused)
        );
        assert!(!err(&refused).is_empty(), "{wrong:?}");
    }
}
