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

#[test]
fn a_swarm_is_a_job_for_each_search() {
    let folder = folder("swarm");
    // Many states, and a failure that lies deep.
    let clock =
        "active [4] proctype clock() { byte t; do :: t < 99 -> t++ :: t == 99 -> t = 0 od }\n";
    let model = format!(
        "{clock}byte x; active proctype up() {{ do :: x < 60 -> x++ od }}\nltl p {{ [] (x < 60) }}\n"
    );
    fs::write(folder.join("deep.pml"), model).expect("a model is written");
    let planned = probity(
        &folder,
        &[
            "plan",
            "deep.pml",
            "--swarm",
            "3",
            "-o",
            "jobs.jsonl",
            "--",
            "--timeout",
            "3s",
        ],
    );
    assert_eq!(out(&planned), "3 jobs of 1 script in `jobs.jsonl`.\n");
    let ran = probity(&folder, &["run-job", "jobs.jsonl", "--job", "2"]);
    assert_eq!(ran.status.code(), Some(0), "{}", err(&ran));
    let collected = probity(&folder, &["collect", "jobs.jsonl", "--format", "json"]);
    let said = verdicts(&collected.stdout);
    let p = ("deep.pml".to_owned(), "p".to_owned());
    assert_eq!(said[&p].0, "fails", "one search is enough");
    // Without a failure there is no proof, however many there are, and each has looked elsewhere.
    let checked = |seed: &str| {
        let command = "check scripts/counter.pml --format json --swarm 2 --seed";
        let mut arguments: Vec<&str> = command.split(' ').collect();
        arguments.extend([seed, "--property", "[] (x <= 9)"]);
        let checked = probity(&folder, &arguments);
        assert_eq!(checked.status.code(), Some(3), "{}", err(&checked));
        let report: Value = serde_json::from_slice(&checked.stdout).expect("a report");
        let property = &report["files"][0]["properties"][0];
        assert_eq!(property["statistics"]["storage"], "bitstate");
        let why = property["why"].as_str().unwrap_or_default();
        assert!(why.contains("taken for others"), "{why}");
        property["verdict"].as_str().map(str::to_owned)
    };
    assert_eq!(checked("1").as_deref(), Some("not-known"));
    for (arguments, why) in [
        (vec!["--swarm", "2", "--engine", "sat"], "--engine"),
        (vec!["--swarm", "2", "--storage", "plain"], "--storage"),
        (vec!["--seed", "2"], "--seed"),
        (vec!["--swarm", "0"], "--swarm"),
        (vec!["--cube", "3/6"], "--cube"),
        (vec!["--cube", "3/8", "--mutants"], "--mutants"),
    ] {
        let refused = probity(&folder, &[&["check", "deep.pml"], &arguments[..]].concat());
        assert_eq!(refused.status.code(), Some(2));
        assert!(err(&refused).contains(why), "{}", err(&refused));
    }
}

#[test]
fn what_holds_in_all_cubes_holds() {
    let folder = folder("cubes");
    let model = "byte n, m; active proctype P() { do :: n < 9 -> n++ :: n == 9 -> n = 0; m = (m + 1) % 6 od }\n\
                 ltl holds { [] (n + m < 16) }\nltl fails { [] (n != 4 || m != 5) }\nltl comes { <> (n == 9) }\n";
    fs::write(folder.join("model.pml"), model).expect("a model is written");
    let planned = probity(
        &folder,
        &["plan", "model.pml", "--cubes", "4", "-o", "jobs.jsonl"],
    );
    // Four for each of two; one for the third, for deadlocks, and for run-time errors.
    assert_eq!(out(&planned), "11 jobs of 1 script in `jobs.jsonl`.\n");
    let plan = fs::read_to_string(folder.join("jobs.jsonl")).expect("a plan");
    let lines = |property: &str| -> Vec<String> {
        let named = format!("\"property\":\"{property}\"");
        let lines = (1..)
            .zip(plan.lines())
            .filter(|(_, line)| line.contains(&named));
        lines
            .map(|(number, _): (usize, _)| number.to_string())
            .collect()
    };
    let collect = || {
        let collected = probity(&folder, &["collect", "jobs.jsonl", "--format", "json"]);
        let report: Value = serde_json::from_slice(&collected.stdout).expect("a report");
        (verdicts(&collected.stdout), report)
    };
    let of = |name: &str| ("model.pml".to_owned(), name.to_owned());
    let mut cubes = lines("holds");
    assert_eq!(cubes.len(), 4);
    let last = cubes.pop().expect("a cube");
    for job in &cubes {
        let ran = probity(&folder, &["run-job", "jobs.jsonl", "--job", job]);
        assert_eq!(ran.status.code(), Some(0), "{}", err(&ran));
    }
    let (said, report) = collect();
    assert_eq!(
        said[&of("holds")].0,
        "not-known",
        "one cube has not been looked at"
    );
    let properties = report["files"][0]["properties"]
        .as_array()
        .expect("properties");
    let why = properties
        .iter()
        .find(|it| it["name"] == "holds")
        .expect("it is there")["why"]
        .clone();
    assert_eq!(why, "in 1 of 4 cubes: its job has no result yet");
    let ran = probity(&folder, &["run-job", "jobs.jsonl", "--job", &last]);
    assert_eq!(ran.status.code(), Some(0), "{}", err(&ran));
    let (said, report) = collect();
    assert_eq!(said[&of("holds")].0, "holds");
    assert!(
        report.to_string().find("\"cube\"").is_none(),
        "it holds everywhere"
    );
    // A cube alone says that it is one.
    let alone = probity(
        &folder,
        &["check", "model.pml", "--property", "holds", "--cube", "2/4"],
    );
    let alone = out(&alone);
    assert!(alone.contains("cube 2 of 4"), "{alone}");
    let ran = probity(&folder, &["run-job", "jobs.jsonl"]);
    assert_eq!(ran.status.code(), Some(0), "{}", err(&ran));
    let (said, _) = collect();
    assert_eq!(said[&of("fails")].0, "fails");
    assert_eq!(said[&of("comes")].0, "holds");
}
