//! A verification of several searches that is stopped at any point goes on as if nothing had been,
//! whether it was killed or asked to stop.
//!
//! A few points are tried here; `cargo xtask conform stops --random COUNT` tries that many of each kind.

#![expect(clippy::print_stdout, reason = "a run says what was stopped")]
#![cfg(unix)]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

/// Searches for runs and for states, of different sizes; the small ones come last.
const MODEL: &str = "byte a, b, c, d, e;
byte small, tiny;
#define COUNT(x) do :: d_step { x < 3 -> x++ } :: d_step { x == 3 -> x = 0 } od
active proctype A() { COUNT(a) }
active proctype B() { COUNT(b) }
active proctype C() { COUNT(c) }
active proctype D() { COUNT(d) }
active proctype E() { COUNT(e) }
active proctype S() { do :: small < 30 -> small++ :: small > 3 -> small = 0 od }
active proctype T() { do :: tiny < 5 -> tiny++; assert(tiny < 11) :: tiny == 5 -> tiny = 0 od }
ltl four { []((a == 3) -> []<>(a + b + c + d < 13)) }
ltl three { []((b == 2) -> []<>(b + c + e < 10)) }
ltl one { [](small < 31) }
ltl other { []<>(tiny < 10) }
";

fn probity(folder: &Path, more: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_probity"));
    command
        .current_dir(folder)
        .args(["check", "model.pml", "--jobs", "1", "--format", "json"])
        .args(more)
        .stdin(Stdio::null())
        .stderr(Stdio::null());
    command
}

/// What is compared: verdicts, states and transitions.
fn figures(report: &[u8]) -> BTreeMap<String, (String, u64, u64)> {
    let report: Value = serde_json::from_slice(report).expect("a whole report");
    let properties = report["files"][0]["properties"].as_array();
    let properties = properties.expect("the file has properties").iter();
    let figure = |property: &Value, name: &str| property["statistics"][name].as_u64().unwrap_or(0);
    properties
        .map(|property| {
            let text = |name: &str| property[name].as_str().unwrap_or_default().to_owned();
            let figures = (
                text("verdict"),
                figure(property, "states"),
                figure(property, "transitions"),
            );
            (text("name"), figures)
        })
        .collect()
}

/// Waits so long; the status if it ends before.
fn ends_within(child: &mut Child, time: Duration) -> bool {
    let begin = Instant::now();
    while begin.elapsed() < time {
        if child.try_wait().expect("the child is ours").is_some() {
            return true;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    false
}

fn folder() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("stops");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("tests may make directories");
    fs::write(folder.join("model.pml"), MODEL).expect("tests may write files");
    folder
}

#[test]
fn what_is_stopped_goes_on() {
    let folder = folder();
    let begin = Instant::now();
    // Searches that are saved take no other steps than those that are not, but their own.
    let whole = probity(&folder, &["--checkpoint", "whole"])
        .output()
        .expect("the program starts");
    let takes = begin.elapsed();
    let expected = figures(&whole.stdout);
    println!("without a stop: {takes:?}, {expected:#?}");
    let count = std::env::var("PROBITY_RANDOM_COUNT").ok();
    let count: u32 = count.and_then(|count| count.parse().ok()).unwrap_or(2);
    for (kind, signal) in [("killed", "-KILL"), ("asked to stop", "-INT")] {
        let mut resumed = 0;
        for number in 0..count {
            let file = folder.join("checkpoint");
            let _ = fs::remove_file(&file);
            let mut last = None;
            // Stopped at a point of its own each, and some of them again when they go on.
            for round in 0..=1 + number % 2 {
                let is_last = round == 1 + number % 2;
                let mut more = vec!["--checkpoint", "checkpoint"];
                if file.exists() {
                    more.extend(["--resume", "checkpoint"]);
                    resumed += u32::from(is_last);
                }
                let mut child = probity(&folder, &more)
                    .stdout(fs::File::create(folder.join("out")).expect("tests may write files"))
                    .spawn()
                    .expect("the program starts");
                let at = takes * (2 * number + 1) / (2 * count);
                if !is_last && !ends_within(&mut child, at) {
                    let pid = child.id().to_string();
                    let sent = Command::new("kill").args([signal, &pid]).status();
                    assert!(sent.is_ok_and(|status| status.success()));
                }
                child.wait().expect("the child is ours");
                if is_last {
                    last = Some(fs::read(folder.join("out")).expect("it wrote"));
                }
            }
            let found = figures(&last.expect("there is a last round"));
            assert_eq!(found, expected, "{kind}, number {number}");
            let left: Vec<_> = fs::read_dir(&folder)
                .expect("the folder is there")
                .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
                .filter(|name| name.contains(".tmp"))
                .collect();
            if signal == "-INT" {
                assert!(left.is_empty(), "{left:?}");
            }
            for name in left {
                let _ = fs::remove_file(folder.join(name));
            }
        }
        println!("{kind} {count} times, {resumed} of them gone on with from a file");
    }
}
