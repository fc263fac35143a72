//! Limits are kept in every phase: time, memory, and the signals that ask to stop.
//!
//! Each phase has an input that would keep it busy for long. A few of them are tried with each limit here;
//! `cargo xtask conform limits` tries all, and prints what was asked and what was taken;
//! `cargo xtask conform limits DIR` checks every script of a folder within five seconds of one core.

#![expect(clippy::print_stdout, reason = "a run says what it asked and took")]

#[path = "limits/inputs.rs"]
mod inputs;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use inputs::{Input, inputs};

/// A limit, and how it is asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Asked {
    Time,
    Memory,
    #[cfg(unix)]
    Interrupt,
    #[cfg(unix)]
    Terminate,
}

impl Asked {
    const ALL: &[Asked] = &[
        Asked::Time,
        Asked::Memory,
        #[cfg(unix)]
        Asked::Interrupt,
        #[cfg(unix)]
        Asked::Terminate,
    ];
}

/// The time that is given, and after which signals are sent.
const TIME: Duration = Duration::from_secs(2);
/// The bytes that are given.
const MEMORY: u64 = 150 << 20;
/// A run that comes to no limit in this time is ended: the input is too easy for this limit.
const PATIENCE: Duration = Duration::from_secs(40);

/// What a run took.
struct Taken {
    /// Since its start, or since the signal.
    time: Duration,
    peak: u64,
    status: Option<i32>,
    report: String,
    /// Whether it ended before a signal was sent.
    early: bool,
}

fn run(input: &Input, asked: Asked, folder: &Path) -> Taken {
    let mut command = Command::new(env!("CARGO_BIN_EXE_probity"));
    command
        .current_dir(folder)
        .args(&input.words)
        .stdin(Stdio::null())
        .stdout(fs::File::create(folder.join("out")).expect("tests may write files"))
        .stderr(fs::File::create(folder.join("err")).expect("tests may write files"));
    match asked {
        Asked::Time => {
            command.args(["--timeout", &format!("{}s", TIME.as_secs())]);
        }
        Asked::Memory => {
            // Time enough to get there.
            let memory = format!("{}M", MEMORY >> 20);
            command.args(["--memory", &memory, "--timeout", "15s"]);
        }
        #[cfg(unix)]
        _ => {}
    }
    let start = Instant::now();
    let mut child = command.spawn().expect("the program starts");
    let mut signalled = None;
    let mut peak = 0;
    let status = loop {
        peak = peak.max(peak_of(child.id()).unwrap_or(0));
        if let Some(status) = child.try_wait().expect("the child is ours") {
            break status.code();
        }
        #[cfg(unix)]
        if signalled.is_none() && start.elapsed() > TIME {
            let signal = match asked {
                Asked::Interrupt => Some("-INT"),
                Asked::Terminate => Some("-TERM"),
                _ => None,
            };
            if let Some(signal) = signal {
                let pid = child.id().to_string();
                let sent = Command::new("kill").args([signal, &pid]).status();
                assert!(sent.is_ok_and(|status| status.success()));
                signalled = Some(Instant::now());
            }
        }
        if start.elapsed() > PATIENCE {
            child.kill().expect("the child is ours");
            child.wait().expect("the child is ours");
            break None;
        }
        std::thread::sleep(Duration::from_millis(3));
    };
    let wants_signal = !matches!(asked, Asked::Time | Asked::Memory);
    Taken {
        time: signalled.unwrap_or(start).elapsed(),
        peak,
        status,
        report: fs::read_to_string(folder.join("out")).unwrap_or_default(),
        early: wants_signal && signalled.is_none(),
    }
}

/// The most bytes that a process has had, where the system tells.
fn peak_of(process: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes * 1024)
}

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("limits")
        .join(name);
    fs::create_dir_all(&folder).expect("tests may make directories");
    folder
}

/// Whether what was taken is what was asked for, give or take. On a machine that does other work too,
/// time is no measure of ours.
fn is_kept(asked: Asked, taken: &Taken, exact: bool) -> bool {
    let slack = match exact {
        true => Duration::from_millis(500),
        false => Duration::from_secs(8),
    };
    let time = match asked {
        Asked::Time => taken.time <= TIME + slack,
        Asked::Memory => true,
        #[cfg(unix)]
        _ => taken.early || taken.time <= slack,
    };
    let memory = asked != Asked::Memory || taken.peak <= MEMORY + (100 << 20);
    time && memory && taken.status.is_some()
}

#[test]
fn limits_are_kept_in_every_phase() {
    let all = std::env::var_os("PROBITY_MODELS").is_some();
    println!(
        "{:<10} {:<10} {:>9} {:>9} {:>7}  report",
        "phase", "limit", "seconds", "MB", "status"
    );
    let mut broken = Vec::new();
    for input in inputs() {
        if !all && !input.quick {
            continue;
        }
        let folder = folder(input.phase);
        (input.write)(&folder);
        for &asked in Asked::ALL {
            let taken = run(&input, asked, &folder);
            let kept = is_kept(asked, &taken, all);
            let whole = taken.report.ends_with("}\n") || !input.reports;
            println!(
                "{:<10} {:<10} {:>9.2} {:>9} {:>7}  {}{}{}",
                input.phase,
                format!("{asked:?}"),
                taken.time.as_secs_f64(),
                taken.peak >> 20,
                taken.status.map_or("none".to_owned(), |s| s.to_string()),
                if whole { "whole" } else { "LOST" },
                if taken.early { ", ended before" } else { "" },
                if kept { "" } else { "  NOT KEPT" },
            );
            // An input that ends by itself shows nothing about limits.
            let idle = all && taken.status.is_some_and(|status| status < 3) && input.reports;
            if !kept || !whole || idle {
                broken.push((input.phase, asked));
            }
        }
    }
    assert!(broken.is_empty(), "{broken:?}");
}

/// What the checks of a folder may take.
const FOLDER_TIME: Duration = Duration::from_secs(5);
const FOLDER_MEMORY: u64 = 300 << 20;

/// The time that all threads of a process have had of the processor, where the system tells.
fn processor_of(process: u32) -> Option<Duration> {
    /// The system counts in hundredths of a second, whatever its clock.
    const TICK: Duration = Duration::from_millis(10);
    let status = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // Behind the name, which may hold anything: the state is the third field, `utime` the fourteenth.
    let (_, fields) = status.rsplit_once(") ")?;
    let mut times = fields.split_whitespace().skip(11).map(str::parse::<u32>);
    let (user, system) = (times.next()?.ok()?, times.next()?.ok()?);
    Some(TICK * (user + system))
}

#[test]
fn limits_are_kept_on_a_folder() {
    let Some(scripts) = std::env::var_os("PROBITY_SCRIPTS") else {
        println!("skipped: PROBITY_SCRIPTS names no folder");
        return;
    };
    let entries = fs::read_dir(&scripts).expect("the folder can be read");
    let mut files: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "lsl"));
    files.sort();
    assert!(!files.is_empty(), "the folder has no scripts");
    let out = folder("scripts").join("out");
    let (mut longest, mut most, mut largest) = (Duration::ZERO, Duration::ZERO, 0);
    let (mut statuses, mut broken) = (std::collections::BTreeMap::new(), Vec::new());
    for file in &files {
        let start = Instant::now();
        let mut child = Command::new(env!("CARGO_BIN_EXE_probity"))
            .arg("check")
            .arg(file)
            .args(["--timeout", &format!("{}s", FOLDER_TIME.as_secs())])
            .args(["--memory", &format!("{}M", FOLDER_MEMORY >> 20)])
            .args(["--jobs", "1", "--format", "json"])
            .stdin(Stdio::null())
            .stdout(fs::File::create(&out).expect("tests may write files"))
            .stderr(Stdio::null())
            .spawn()
            .expect("the program starts");
        let (mut peak, mut processor) = (0, Duration::ZERO);
        let status = loop {
            peak = peak.max(peak_of(child.id()).unwrap_or(0));
            processor = processor.max(processor_of(child.id()).unwrap_or_default());
            if let Some(status) = child.try_wait().expect("the child is ours") {
                break status.code();
            }
            std::thread::sleep(Duration::from_millis(3));
        };
        let time = start.elapsed();
        let report = fs::read_to_string(&out).unwrap_or_default();
        let slack = Duration::from_millis(500);
        let kept = time <= FOLDER_TIME + slack
            && processor <= FOLDER_TIME + slack
            && peak <= FOLDER_MEMORY
            && status.is_some_and(|status| status <= 3)
            && report.ends_with("}\n");
        if !kept {
            println!(
                "{}: {time:?}, {} MB, {status:?}",
                file.display(),
                peak >> 20
            );
            broken.push(file);
        }
        *statuses.entry(status).or_insert(0) += 1;
        (longest, most, largest) = (longest.max(time), most.max(processor), largest.max(peak));
    }
    println!(
        "{} scripts: at most {longest:.2?}, {most:.2?} of processor, {} MB; by status: {statuses:?}",
        files.len(),
        largest >> 20
    );
    assert!(broken.is_empty(), "{} of them break a limit", broken.len());
}
