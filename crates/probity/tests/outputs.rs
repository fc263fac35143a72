//! The program on a real machine: what is read, what is written, and what stops it.

#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test may panic")]

use std::ffi::OsStr;
use std::io::{BufRead as _, BufReader, Read as _};
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

/// A folder of its own for a test, empty.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("outputs-{name}"));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

fn probity(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_probity"));
    command.current_dir(folder);
    command
}

fn run(folder: &Path, words: &[&str]) -> (i32, String, String) {
    told(&probity(folder).args(words).output().unwrap())
}

fn told(output: &Output) -> (i32, String, String) {
    (
        output.status.code().unwrap(),
        String::from_utf8_lossy(&output.stdout).into_owned(),
        String::from_utf8_lossy(&output.stderr).into_owned(),
    )
}

const HOLDS: &str = "byte x;\nactive proctype p() { x = 1; assert(x == 1) }\n";
const FAILS: &str = "byte x;\nactive proctype p() { x = 1; assert(x == 2) }\n";
/// One property is decided at once, the other in hours.
const LONG: &str = "\
int a, b, c, d;
active [2] proctype p() { do :: a++ :: b = b + 3 :: c = c ^ a :: d = d + a * b od }
active proctype q() { assert(false) }
ltl apart { [] <> (a != b * c + 77777) }
";

#[test]
fn a_report_that_is_not_read_is_no_success() {
    let folder = folder("lost");
    std::fs::write(folder.join("m.pml"), HOLDS).unwrap();
    assert_eq!(run(&folder, &["check", "m.pml"]).0, 0);
    let full = std::fs::OpenOptions::new()
        .write(true)
        .open("/dev/full")
        .unwrap();
    let output = probity(&folder)
        .args(["check", "m.pml"])
        .stdout(full)
        .output()
        .unwrap();
    let (status, _, err) = told(&output);
    assert_eq!(status, 3);
    assert!(err.contains("error: write standard output: "), "{err}");
    // A reader that has gone away.
    let mut child = probity(&folder)
        .args(["check", "m.pml"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(told(&output).0, 3);
    assert!(!told(&output).2.contains("internal error"));
    // No standard output at all.
    let program = env!("CARGO_BIN_EXE_probity");
    let line = format!("'{program}' check m.pml >&-");
    let output = Command::new("sh")
        .args(["-c", &line])
        .current_dir(&folder)
        .output()
        .unwrap();
    assert_eq!(told(&output).0, 3, "{}", told(&output).2);
}

#[test]
fn outputs_are_tried_before_the_work() {
    let folder = folder("tried");
    std::fs::write(folder.join("m.pml"), LONG).unwrap();
    std::fs::create_dir(folder.join("there")).unwrap();
    for option in ["--html", "--trace", "--checkpoint"] {
        for path in ["none/such", "there"] {
            let (status, out, err) = run(&folder, &["check", "m.pml", option, path]);
            assert_eq!((status, out.as_str()), (2, ""), "{option} {path}: {err}");
            assert!(
                err.contains(&format!("{option}: cannot write {path}: ")),
                "{err}"
            );
        }
    }
    let (status, _, err) = run(
        &folder,
        &["translate", "m.pml", "--to", "dot", "-o", "none/such"],
    );
    assert_eq!(status, 2);
    assert!(err.contains("-o: cannot write"), "{err}");
    let left: Vec<_> = std::fs::read_dir(&folder).unwrap().collect();
    assert_eq!(left.len(), 2, "nothing is left behind");
}

#[test]
fn what_cannot_be_written_in_the_end_does_not_cost_the_report() {
    let folder = folder("full");
    std::fs::write(folder.join("m.pml"), HOLDS).unwrap();
    for option in ["--html", "--trace"] {
        let (status, out, err) = run(&folder, &["check", "m.pml", option, "/dev/full"]);
        assert_eq!(status, 3);
        assert!(out.contains("holds      assertions"), "{out}");
        assert!(
            err.contains(&format!("{option}: write /dev/full: ")),
            "{err}"
        );
    }
}

#[test]
fn outputs_replace_only_what_they_may() {
    let folder = folder("replace");
    let script = folder.join("m.pml");
    std::fs::write(&script, HOLDS).unwrap();
    std::fs::write(folder.join("other"), "kept").unwrap();
    std::fs::hard_link(&script, folder.join("same.pml")).unwrap();
    std::os::unix::fs::symlink("other", folder.join("link")).unwrap();
    for path in ["m.pml", "same.pml", "link"] {
        let (status, _, err) = run(&folder, &["check", "m.pml", "--html", path]);
        assert_eq!(status, 2, "{err}");
        assert!(err.contains("--overwrite"), "{err}");
        let (status, ..) = run(&folder, &["translate", "m.pml", "--to", "dot", "-o", path]);
        assert_eq!(status, 2);
    }
    assert_eq!(std::fs::read_to_string(&script).unwrap(), HOLDS);
    let words = ["check", "m.pml", "--html", "link", "--overwrite"];
    assert_eq!(run(&folder, &words).0, 0);
    assert!(
        std::fs::read_to_string(folder.join("other"))
            .unwrap()
            .contains("<html")
    );
    assert!(folder.join("link").symlink_metadata().unwrap().is_symlink());
    // A device stays one.
    assert_eq!(
        run(&folder, &["check", "m.pml", "--html", "/dev/null"]).0,
        0
    );
    let (status, _, err) = run(&folder, &["check", "m.pml", "--checkpoint", "/dev/null"]);
    assert_eq!(status, 2, "{err}");
    assert!(!Path::new("/dev/null").metadata().unwrap().is_file());
}

#[test]
fn a_kept_failure_is_not_lost_and_is_replayed() {
    let folder = folder("kept");
    std::fs::write(folder.join("m.pml"), FAILS).unwrap();
    let check = ["check", "m.pml", "--trace", "run.json"];
    assert_eq!(run(&folder, &check).0, 1);
    let kept = std::fs::read_to_string(folder.join("run.json")).unwrap();
    let replay = ["simulate", "m.pml", "--replay", "run.json"];
    let (status, out, err) = run(&folder, &replay);
    assert_eq!((status, err.as_str()), (1, ""), "{out}");
    // The script is changed: the run is told, and whether it still shows the failure.
    std::fs::write(folder.join("m.pml"), FAILS.replace("== 2", "== 3")).unwrap();
    let (status, _, err) = run(&folder, &replay);
    assert_eq!(status, 1);
    assert!(err.contains("warning: m.pml was changed"), "{err}");
    std::fs::write(folder.join("m.pml"), HOLDS).unwrap();
    let (status, out, err) = run(&folder, &replay);
    assert_eq!(status, 0);
    assert!(err.contains("warning: m.pml was changed"), "{err}");
    assert!(out.contains("is not violated by this run"), "{out}");
    // Another script, and a run with a step left out.
    std::fs::write(folder.join("n.pml"), HOLDS).unwrap();
    let (status, _, err) = run(&folder, &["simulate", "n.pml", "--replay", "run.json"]);
    assert_eq!(status, 2, "{err}");
    let (status, _, err) = run(&folder, &check);
    assert_eq!(status, 0);
    assert!(
        err.contains("note: --trace: there is no failure to keep"),
        "{err}"
    );
    assert_eq!(
        std::fs::read_to_string(folder.join("run.json")).unwrap(),
        kept
    );
    let mut json: serde_json::Value = serde_json::from_str(&kept).unwrap();
    json["traces"][0]["steps"].as_array_mut().unwrap().pop();
    std::fs::write(folder.join("run.json"), json.to_string()).unwrap();
    let (status, _, err) = run(&folder, &replay);
    assert_eq!(status, 2);
    assert!(err.contains("was changed since it was kept"), "{err}");
}

#[test]
fn signals_that_end_a_program_have_it_tell_what_is_known() {
    let folder = folder("signals");
    std::fs::write(folder.join("a.pml"), HOLDS).unwrap();
    std::fs::write(folder.join("b.pml"), LONG).unwrap();
    for signal in ["-INT", "-TERM", "-HUP"] {
        if signal == "-HUP" && hangups_are_ignored() {
            continue;
        }
        let mut child = probity(&folder)
            .args(["check", "a.pml", "b.pml", "--timeout", "60s"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        // The verdicts of the first file are written while the second is worked on.
        let mut out = BufReader::new(child.stdout.take().unwrap());
        let mut text = String::new();
        while !text.contains("holds      assertions") {
            assert!(out.read_line(&mut text).unwrap() > 0, "{text}");
        }
        std::thread::sleep(Duration::from_millis(600));
        assert!(child.try_wait().unwrap().is_none(), "it is still at work");
        let pid = child.id().to_string();
        assert!(
            Command::new("kill")
                .args([signal, &pid])
                .status()
                .unwrap()
                .success()
        );
        out.read_to_string(&mut text).unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(3), "{signal}: {text}");
        assert!(text.contains("not known  apart"), "{signal}: {text}");
        assert!(
            text.contains("Exit status 3: interrupted."),
            "{signal}: {text}"
        );
    }
}

/// Whether this process, and so what it starts, has been told to outlive its terminal.
fn hangups_are_ignored() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    ignored.is_some_and(|mask| u64::from_str_radix(mask.trim(), 16).is_ok_and(|m| m & 1 == 1))
}

#[test]
fn in_a_folder_there_may_be_anything() {
    let folder = folder("anything");
    let place = folder.join("all");
    std::fs::create_dir_all(place.join("deep")).unwrap();
    std::fs::write(place.join("deep/m.pml"), HOLDS).unwrap();
    for name in ["pipe.pml", "pipe.json"] {
        assert!(
            Command::new("mkfifo")
                .arg(place.join(name))
                .status()
                .unwrap()
                .success()
        );
    }
    let link = |to: &str, name: &str| std::os::unix::fs::symlink(to, place.join(name)).unwrap();
    link("/dev/zero", "zero.smv");
    link("loop.lsl", "loop.lsl");
    link("..", "deep/up");
    link("gone", "gone.tb");
    let (status, out, err) = run(&folder, &["check", "all"]);
    assert_eq!(status, 0, "{out}{err}");
    assert_eq!(out.matches("holds      assertions").count(), 1, "{out}");
    for name in ["pipe.pml", "zero.smv", "loop.lsl", "gone.tb"] {
        assert!(
            err.contains(&format!("`all/{name}` is passed over")),
            "{name}: {err}"
        );
    }
    let (status, _, err) = run(&folder, &["check", "all/pipe.pml"]);
    assert_eq!(status, 2);
    assert!(err.contains("no regular file"), "{err}");
}

#[test]
fn what_is_included_is_bounded_and_regular() {
    let folder = folder("included");
    let twice = "#include \"twice.pml\"\n#include \"twice.pml\"\nactive proctype p() { skip }\n";
    std::fs::write(folder.join("twice.pml"), twice).unwrap();
    let (status, _, err) = run(&folder, &["check", "twice.pml"]);
    assert_eq!(status, 2);
    assert!(err.contains("twice.pml > twice.pml > "), "{err}");
    let zero = "#include \"/dev/zero\"\nactive proctype p() { skip }\n";
    std::fs::write(folder.join("zero.pml"), zero).unwrap();
    let (status, _, err) = run(&folder, &["check", "zero.pml"]);
    assert_eq!(status, 2);
    assert!(err.contains("file `/dev/zero` cannot be read"), "{err}");
}

#[test]
fn names_need_not_be_text_and_no_terminal_obeys_them() {
    let folder = folder("names");
    let odd = OsStr::from_bytes(b"od\xffd\x1b]0;title\x07.pml");
    std::fs::write(folder.join(odd), FAILS).unwrap();
    for words in [
        &["check"][..],
        &["check", "--format", "json"],
        &["simulate"],
    ] {
        let output = probity(&folder).args(words).arg(odd).output().unwrap();
        let (status, out, err) = told(&output);
        assert_eq!(status, i32::from(words[0] == "check"), "{out}{err}");
        assert!(
            !out.contains('\u{1b}') && !err.contains('\u{1b}'),
            "{out}{err}"
        );
    }
    let bad =
        "ltl x { \u{202e} \u{1b}[2J }\nactive proctype p() { printf(\"\u{1b}[2J\u{202e}\") }\n";
    std::fs::write(folder.join("bad.pml"), bad).unwrap();
    let good = "active proctype p() { printf(\"\u{1b}[2J\u{202e}\"); assert(false) }\n";
    std::fs::write(folder.join("good.pml"), good).unwrap();
    for words in [
        &["check", "bad.pml"][..],
        &["check", "good.pml", "--color", "always", "--verbose"],
        &["check", "good.pml", "--property", "\u{1b}[2J"],
        &["simulate", "good.pml", "--color", "always", "--verbose"],
        &["explain", "\u{1b}[2J"],
        &["check", "good.pml", "--engine", "\u{1b}[2J"],
        &["\u{1b}[2J"],
    ] {
        let (_, out, err) = run(&folder, words);
        for text in [out, err] {
            let held = text.contains("\u{1b}[2J") || text.contains('\u{202e}');
            assert!(!held, "{words:?}: {text:?}");
        }
    }
}
