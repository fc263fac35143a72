//! `cargo xtask conform cluster`: whether searches by several processes are those of one.
//!
//! Each model is checked by one process without a cluster, and by clusters of one to four: SPIN's examples, the traps for
//! readers of Promela and the ToolBus's auction in the reference data, and the examples here. Nothing may be left
//! out and nothing looked for in the depth, so that states, transitions and the lengths of runs can be compared.
//! Of a run that goes on for ever it is compared that there is one: which loop is found first differs. Every run has been
//! replayed before it is told. Counts are compared where no failure ended the search.
//! What the cluster says it cannot search is counted; it is never another verdict.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::bench::{reference, release_with_cluster};
use crate::workspace::root;

/// Where Debian puts SPIN's examples.
const EXAMPLES: &str = "/usr/share/doc/spin/examples/Examples";
/// Options that make searches comparable.
const COMPARABLE: &[&str] = &[
    "--reduce",
    "none",
    "--tune",
    "depth-probe=off",
    "--engine",
    "explicit",
    "--format",
    "json",
    "--no-cache",
];

/// What is said of a property.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Said {
    name: String,
    verdict: String,
    /// States and transitions, where nothing was found that ended the search.
    counts: Option<(u64, u64)>,
    /// Steps of the run that shows a failure; none if it goes on for ever,
    steps: Option<usize>,
    /// which this says.
    is_loop: bool,
    /// Why nothing is known.
    why: String,
}

/// Compares.
///
/// # Errors
/// If an option is unknown or the build fails.
pub(crate) fn run(options: &[&str]) -> Result<bool, String> {
    let mut limit = "20s";
    let mut program = None;
    let mut paths: Vec<PathBuf> = Vec::new();
    let mut options = options.iter();
    while let Some(option) = options.next() {
        match (*option, options.as_slice().first()) {
            ("--limit", Some(time)) => {
                limit = time;
                options.next();
            }
            ("--program", Some(path)) => {
                program = Some((*path).to_owned());
                options.next();
            }
            (option, _) if option.starts_with('-') => {
                return Err(format!("read the option {option}"));
            }
            (path, _) => paths.push(PathBuf::from(path)),
        }
    }
    let program = match program {
        Some(program) => program,
        None => release_with_cluster()?,
    };
    if paths.is_empty() {
        let reference = reference();
        paths = vec![
            PathBuf::from(EXAMPLES),
            reference.join("spin"),
            root().join("examples/promela"),
            root().join("examples/tscript"),
        ];
    }
    let mut models = Vec::new();
    for path in &paths {
        collect(path, &mut models);
    }
    models.sort();
    let (mut same, mut different, mut refused, mut left, mut loops) = (0, 0, 0, 0, 0);
    for model in &models {
        let Some(alone) = said(&program, model, limit, None) else {
            continue;
        };
        for count in 1..=4 {
            let Some(together) = said(&program, model, limit, Some(count)) else {
                println!("DIFFERENT {} {count}: no report", model.display());
                different += 1;
                continue;
            };
            for (one, other) in alone.iter().zip(&together) {
                let limited = |said: &Said| said.why.contains("limit was reached");
                if limited(one) || limited(other) {
                    left += 1;
                } else if other.why.contains("(`--cluster`)") {
                    refused += 1;
                } else if one.verdict == other.verdict
                    && (one.steps, one.is_loop) == (other.steps, other.is_loop)
                    && (one.counts == other.counts
                        || one.counts.is_none()
                        || other.counts.is_none())
                {
                    same += 1;
                    loops += u32::from(one.is_loop);
                } else {
                    different += 1;
                    println!("DIFFERENT {} {count}: {one:?} {other:?}", model.display());
                }
            }
        }
    }
    println!(
        "{} models, each with 1, 2, 3 and 4 processes: {same} verdicts the same with states, transitions and \
         lengths of runs ({loops} runs for ever), {different} different, {refused} refused, {left} beyond {limit}",
        models.len(),
    );
    Ok(different == 0 && same > 0)
}

/// The models below a folder.
fn collect(path: &Path, models: &mut Vec<PathBuf>) {
    if let Ok(entries) = std::fs::read_dir(path) {
        for entry in entries.flatten() {
            collect(&entry.path(), models);
        }
    } else if path.extension().is_some_and(|it| it == "pml" || it == "tb") {
        models.push(path.to_owned());
    }
}

/// What is said of a model, alone or by so many processes; nothing if it is not read.
fn said(program: &str, model: &Path, limit: &str, cluster: Option<usize>) -> Option<Vec<Said>> {
    let mut command = Command::new(program);
    command
        .arg("check")
        .arg(model)
        .args(COMPARABLE)
        .args(["--timeout", limit]);
    if let Some(count) = cluster {
        command.args(["--cluster", &format!("local:{count}")]);
    }
    let output = command.output().ok()?;
    let report: Value = serde_json::from_slice(&output.stdout).ok()?;
    let properties = report["files"][0]["properties"].as_array()?;
    let text = |value: &Value| value.as_str().unwrap_or("").to_owned();
    // A search that several properties share ends where one fails.
    let some_fail = properties.iter().any(|it| it["verdict"] == "fails");
    let one = |property: &Value| {
        let statistics = &property["statistics"];
        let number = |name: &str| statistics[name].as_u64();
        let ends = some_fail && (number("shared_by") != Some(1) || property["verdict"] == "fails");
        let is_loop = property["story"]["repeats_from"].is_u64();
        let length = property["story"]["steps"].as_array().map(Vec::len);
        Said {
            name: text(&property["name"]),
            verdict: text(&property["verdict"]),
            counts: number("states")
                .zip(number("transitions"))
                .filter(|_| !ends),
            steps: length.filter(|_| !is_loop),
            is_loop,
            why: text(&property["why"]),
        }
    };
    Some(properties.iter().map(one).collect())
}
