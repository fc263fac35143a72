//! `cargo xtask conform scripts DIR`: LSL scripts that nobody here wrote, without properties: whether each
//! is read, none ends the program, limits are kept, and how many of the checks are answered.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::bench::release;
use crate::measure::measure;

/// How much longer than its limit a script may take, in seconds: to write what was found.
const GRACE: f64 = 1.0;

/// What became of all scripts.
#[derive(Default)]
struct Summary {
    scripts: usize,
    refused: usize,
    /// Those to which no check applies.
    unasked: usize,
    crashed: usize,
    late: usize,
    /// Checks with another answer than *not known*, and all.
    answered: (usize, usize),
    seconds: Vec<f64>,
}

/// Checks all scripts of a folder, says what is wrong with any of them, and prints a summary.
///
/// # Errors
/// If an option is unknown, the folder cannot be read or the program cannot be run.
pub(crate) fn run(options: &[&str]) -> Result<bool, String> {
    let (mut folder, mut limit) = (None, 20);
    let mut words = options.iter();
    while let Some(&word) = words.next() {
        match word {
            "--limit" => {
                let seconds = words.next().and_then(|word| word.strip_suffix('s'));
                let seconds = seconds.and_then(|word| word.parse().ok());
                limit = seconds.ok_or("read the seconds of --limit, as in 20s")?;
            }
            _ if folder.is_none() && !word.starts_with('-') => folder = Some(Path::new(word)),
            _ => return Err(format!("read the option {word}")),
        }
    }
    let folder = folder.ok_or("find a folder among the options")?;
    let program = release()?;
    let mut summary = Summary::default();
    for script in scripts(folder)? {
        add(&mut summary, &program, &script, limit)?;
    }
    print(&mut summary);
    Ok(summary.scripts > 0 && summary.crashed == 0 && summary.late == 0)
}

/// The files of a folder, in the order of their names.
fn scripts(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let told = |error: std::io::Error| format!("read {}: {error}", folder.display());
    let mut all = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(told)? {
        let path = entry.map_err(told)?.path();
        if path.is_file() {
            all.push(path);
        }
    }
    all.sort();
    Ok(all)
}

fn add(summary: &mut Summary, program: &str, script: &Path, limit: u32) -> Result<(), String> {
    let file = script.to_string_lossy();
    let limit_word = format!("{limit}s");
    let words = [
        "check",
        &file,
        "--language",
        "lsl",
        "--timeout",
        &limit_word,
    ];
    let ran = measure(program, &[&words[..], &["--format", "json"]].concat())?;
    summary.scripts += 1;
    summary
        .seconds
        .push(ran.processor_seconds.unwrap_or(ran.seconds));
    let name = script.file_name().unwrap_or_default().to_string_lossy();
    if ran.seconds > f64::from(limit) + GRACE {
        summary.late += 1;
        println!("late: {name}: {:.1} s", ran.seconds);
    }
    let report = serde_json::from_str::<Value>(&ran.out).unwrap_or_default();
    let report = &report["files"][0];
    if ran.status > 4 || ran.status < 0 || !report.is_object() {
        summary.crashed += 1;
        println!("crashed: {name}: exit status {}", ran.status);
        return Ok(());
    }
    if report["refused"] == true {
        summary.refused += 1;
        let errors = report["diagnostics"].as_array().into_iter().flatten();
        let first = errors.into_iter().find(|one| one["severity"] == "error");
        let why = first
            .and_then(|one| one["message"].as_str())
            .unwrap_or_default();
        println!("refused: {name}: {why}");
        return Ok(());
    }
    let properties = report["properties"]
        .as_array()
        .map_or(&[][..], Vec::as_slice);
    let known = properties
        .iter()
        .filter(|one| one["verdict"] != "not-known");
    summary.unasked += usize::from(properties.is_empty());
    summary.answered.0 += known.count();
    summary.answered.1 += properties.len();
    Ok(())
}

fn print(summary: &mut Summary) {
    summary.seconds.sort_by(f64::total_cmp);
    let median = summary.seconds.get(summary.seconds.len() / 2);
    let (answered, all) = summary.answered;
    println!(
        "{} scripts: {} refused, {} crashed, {} later than their limit; {} without checks; of the others {answered} of \
         {all} checks are answered ({:.0} %); processor time: median {:.2} s, most {:.1} s",
        summary.scripts,
        summary.refused,
        summary.crashed,
        summary.late,
        summary.unasked,
        100.0 * answered as f64 / all.max(1) as f64,
        median.copied().unwrap_or_default(),
        summary.seconds.last().copied().unwrap_or_default(),
    );
}
