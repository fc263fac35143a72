//! `--storage disk`: the same answers as in memory, in a folder in which nothing is left.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;

/// Searches for states that hold and fail, and a formula that is about runs.
const MODEL: &str = "byte a, b, c, d;
active proctype A() { do :: d_step { a < 12 -> a++ } :: d_step { a == 12 -> a = 0 } od }
active proctype B() { do :: d_step { b < 12 -> b++; assert(b < 12) } od }
active proctype C() { do :: d_step { c < 12 -> c++; assert(c < 13) } :: d_step { c == 12 -> c = 0 } od }
active proctype D() { do :: d_step { d < 3 -> d++ } od }
ltl low { [] (a + c < 25) }
ltl less { [] (a + c < 24) }
ltl again { [] <> (a == 0) }
";

fn check(folder: &Path, more: &[&str]) -> (Option<i32>, Value, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_probity"))
        .current_dir(folder)
        .args(["check", "model.pml", "--format", "json", "--no-cache"])
        .args(["--engine", "explicit"])
        .args(more)
        .stdin(Stdio::null())
        .output()
        .expect("the program starts");
    let report = serde_json::from_slice(&output.stdout).unwrap_or_default();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    (output.status.code(), report, said)
}

fn properties(report: &Value) -> &[Value] {
    let properties = report["files"][0]["properties"].as_array();
    properties.expect("the file has properties")
}

fn files_in(folder: &Path) -> usize {
    fs::read_dir(folder).expect("there is one").count()
}

#[test]
fn answers_are_those_in_memory_and_nothing_is_left() {
    let folder = tempfile::tempdir().expect("tests may write files");
    let states = folder.path().join("states");
    fs::create_dir(&states).expect("tests may write files");
    fs::write(folder.path().join("model.pml"), MODEL).expect("tests may write files");
    let whole = ["--reduce", "none"];
    let (status, in_memory, _) = check(folder.path(), &whole);
    let on_disk = ["--storage", "disk", "--storage-dir", "states"];
    let (on_disk_status, on_disk, _) = check(folder.path(), &[&on_disk[..], &whole].concat());
    assert_eq!((status, on_disk_status), (Some(1), Some(1)));
    assert_eq!(files_in(&states), 0);
    let mut stored = Vec::new();
    for (one, other) in properties(&in_memory).iter().zip(properties(&on_disk)) {
        assert_eq!(one["name"], other["name"]);
        assert_eq!(one["verdict"], other["verdict"], "{}", one["name"]);
        let length = |property: &Value| property["story"]["steps"].as_array().map(Vec::len);
        assert_eq!(length(one), length(other), "{}", one["name"]);
        let statistics = &other["statistics"];
        stored.push(statistics["storage"].as_str().unwrap_or_default());
        if statistics["storage"] == "disk" {
            assert!(statistics["disk_bytes"].as_u64() > Some(0), "{statistics}");
        }
    }
    // The last one is about runs.
    assert!(
        stored.iter().filter(|&&how| how == "disk").count() >= 3,
        "{stored:?}"
    );
    assert!(!stored.iter().all(|&how| how == "disk"), "{stored:?}");
}

#[test]
fn limits_leave_nothing_behind_and_folders_have_to_be_there() {
    let folder = tempfile::tempdir().expect("tests may write files");
    let states = folder.path().join("states");
    fs::create_dir(&states).expect("tests may write files");
    let many = MODEL.replace("12", "250").replace("< 25)", "< 501)");
    fs::write(folder.path().join("model.pml"), many).expect("tests may write files");
    let on_disk = ["--storage", "disk", "--storage-dir", "states"];
    let (status, report, _) = check(
        folder.path(),
        &[&on_disk[..], &["--timeout", "1s", "--property", "low"]].concat(),
    );
    assert_eq!(status, Some(3));
    let found = &properties(&report)[0];
    assert_eq!(found["verdict"], "not-known");
    assert!(
        found["why"]
            .as_str()
            .is_some_and(|why| why.contains("time limit")),
        "{found}"
    );
    assert_eq!(files_in(&states), 0);
    let (status, _, said) = check(
        folder.path(),
        &["--storage", "disk", "--storage-dir", "none"],
    );
    assert_eq!(status, Some(2));
    assert!(
        said.contains("--storage-dir: `none` is no folder"),
        "{said}"
    );
}
