//! A verification that is killed goes on from its checkpoint as if nothing had been.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Seven counters, and one who looks at them once.
const MODEL: &str = "byte a, b, c, d, e, f, g;
#define COUNT(x) end: do :: d_step { x < 6 -> x++ } od
active proctype A() { COUNT(a) }
active proctype B() { COUNT(b) }
active proctype C() { COUNT(c) }
active proctype D() { COUNT(d) }
active proctype E() { COUNT(e) }
active proctype F() { COUNT(f) }
active proctype G() { COUNT(g) }
active proctype Look() { assert(a + b + c + d + e + f + g <= 42) }
";
/// With each value of the counters: before the look, after it, and when the one who looked is gone.
const STATES: u64 = 3 * 7u64.pow(7);

/// Five counters that begin anew, each when it likes; the first may never do so. All their values
/// take far longer than the time to a checkpoint.
const ROUNDS: &str = "byte a, b, c, d, e;
#define COUNT(x) do :: d_step { x < 31 -> x++ } :: d_step { x == 31 -> x = 0 } od
active proctype A() { COUNT(a) }
active proctype B() { COUNT(b) }
active proctype C() { COUNT(c) }
active proctype D() { COUNT(d) }
active proctype E() { COUNT(e) }
ltl never_over { []((a == 3) -> []<>(a < 40)) }
";

fn probity(directory: &Path, more: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_probity"));
    command
        .current_dir(directory)
        .args([
            "check",
            "counters.pml",
            "--passes",
            "none",
            "--reduce",
            "none",
        ])
        .args(["--jobs", "2", "--format", "json"])
        .args(["--checkpoint", "counters.checkpoint"])
        .args(more)
        .stdin(Stdio::null());
    command
}

fn directory(name: &str) -> PathBuf {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&directory);
    fs::create_dir_all(&directory).expect("tests may make directories");
    fs::write(directory.join("counters.pml"), MODEL).expect("tests may write files");
    directory
}

/// Starts a verification and kills it as soon as it has written a checkpoint.
fn killed(directory: &Path, more: &[&str]) -> PathBuf {
    let file = directory.join("counters.checkpoint");
    let mut child = probity(directory, more)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts");
    let begin = Instant::now();
    while !file.exists() {
        let ended = child.try_wait().expect("the child is ours");
        assert!(ended.is_none(), "it ended before a checkpoint was due");
        assert!(begin.elapsed() < Duration::from_secs(300), "no checkpoint");
        std::thread::sleep(Duration::from_millis(2));
    }
    child.kill().expect("the child is ours");
    child.wait().expect("the child is ours");
    file
}

#[test]
fn a_killed_search_for_runs_goes_on() {
    let directory = directory("checkpoint of runs");
    fs::write(directory.join("counters.pml"), ROUNDS).expect("tests may write files");
    let only = ["--property", "never_over", "--engine", "explicit"];
    killed(&directory, &only);
    let resume = [
        &only[..],
        &["--resume", "counters.checkpoint", "--timeout", "1s"],
    ]
    .concat();
    let resumed = probity(&directory, &resume)
        .output()
        .expect("the program starts");
    let report = String::from_utf8_lossy(&resumed.stdout);
    let states = report
        .split_once("\"states\": ")
        .expect("it says how far it is")
        .1;
    let states = states.split(|c: char| !c.is_ascii_digit()).next();
    let states: u64 = states
        .and_then(|digits| digits.parse().ok())
        .expect("a number");
    assert!(
        states > 10_000,
        "what has been done is not done again: {report}"
    );
}

#[test]
fn a_killed_verification_goes_on() {
    let directory = directory("checkpoint");
    let file = killed(&directory, &[]);

    let damaged = directory.join("damaged");
    let mut bytes = fs::read(&file).expect("the checkpoint is whole");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&damaged, bytes).expect("tests may write files");

    let output = probity(&directory, &["--resume", "counters.checkpoint"])
        .output()
        .expect("the program starts");
    let report = String::from_utf8_lossy(&output.stdout);
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{report}\n{said}");
    assert!(
        report.contains(&format!("\"states\": {STATES}")),
        "{report}"
    );

    // A damaged file and a changed model are refused.
    let refused = |resume: &str| {
        let output = probity(&directory, &["--resume", resume])
            .output()
            .expect("the program starts");
        assert_eq!(output.status.code(), Some(2));
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    assert!(refused("damaged").contains("the file is damaged"));
    assert!(refused("counters.pml").contains("CLI0004"));
    assert!(refused("missing").contains("CLI0004"));
    let changed = MODEL.replace("<= 42", "<= 43");
    fs::write(directory.join("counters.pml"), changed).expect("tests may write files");
    assert!(refused("counters.checkpoint").contains("about another file"));
}

/// A check that holds if another claim does in the place of its own is two searches: what is saved of the one
/// is nothing for the other.
#[test]
fn a_search_that_was_saved_is_not_taken_for_one_of_another_claim() {
    let directory = directory("alternatives");
    let graph =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/nodegraph/event-mode/bug.gltf");
    let check = |more: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_probity"))
            .current_dir(&directory)
            .arg("check")
            .arg(&graph)
            .args([
                "--property",
                "flag-left-set.EventMode",
                "--engine",
                "explicit",
            ])
            .args(more)
            .output()
            .expect("the program runs");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert_eq!(output.status.code(), Some(1), "{more:?}: {text}");
    };
    check(&[]);
    check(&["--checkpoint", "graph.checkpoint"]);
    if directory.join("graph.checkpoint").exists() {
        check(&[
            "--checkpoint",
            "graph.checkpoint",
            "--resume",
            "graph.checkpoint",
        ]);
    }
}
