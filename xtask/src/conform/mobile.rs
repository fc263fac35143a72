//! `cargo xtask conform mobile DIR`: C programs below a folder under the policy of a sandbox: which
//! are read, which are answered, and why others are not.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::bench::release;
use crate::measure::measure;

/// No other program is run, no file outside of a folder is opened, nobody outside of a list is
/// connected to.
const SANDBOX: &str = "\
operation exec { execl, execle, execlp, execv, execve, execvp, popen, system }
deny to public { permission operation exec }
deny to public {
  permission function open arg 1 except \"/tmp/\"* \"/dev/null\",
  permission function creat arg 1 except \"/tmp/\"*,
  permission function fopen arg 1 except \"/tmp/\"* \"/dev/null\" }
deny to public {
  permission function connect,
  permission function connect_to_location except \"localhost\" }
";

#[derive(Default)]
struct Counts {
    programs: usize,
    refused: BTreeMap<String, usize>,
    rules: BTreeMap<String, usize>,
    answered: usize,
    reasons: BTreeMap<String, usize>,
    seconds: Vec<f64>,
}

/// Checks each program and prints what came out.
///
/// # Errors
/// If an option is unknown or a program cannot be run.
pub(crate) fn run(options: &[&str]) -> Result<bool, String> {
    let (mut folder, mut limit, mut program) = (None, "10s".to_owned(), None);
    let mut words = options.iter();
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or(format!("read the value of {word}"));
        match *word {
            "--limit" => limit = (*value()?).to_owned(),
            "--program" => program = Some((*value()?).to_owned()),
            _ if folder.is_none() && !word.starts_with('-') => folder = Some(PathBuf::from(word)),
            _ => return Err(format!("read the option {word}")),
        }
    }
    let folder = folder.ok_or("find a folder among the options")?;
    let program = match program {
        Some(program) => program,
        None => release()?,
    };
    let policy = std::env::temp_dir().join(format!("probity-{}.policy", std::process::id()));
    std::fs::write(&policy, SANDBOX).map_err(|error| format!("write the policy: {error}"))?;
    let mut counts = Counts::default();
    for path in programs(&folder)? {
        one(&program, &path, &policy, &limit, &mut counts)?;
    }
    drop(std::fs::remove_file(&policy));
    counts.seconds.sort_by(f64::total_cmp);
    let read = counts.programs - counts.refused.values().sum::<usize>();
    println!(
        "{} programs, {read} read, {} with an answer to every rule",
        counts.programs, counts.answered
    );
    println!("refused: {:#?}", counts.refused);
    println!("rules: {:?}", counts.rules);
    println!("not known: {:#?}", counts.reasons);
    if let (Some(median), Some(most)) = (
        counts.seconds.get(counts.seconds.len() / 2),
        counts.seconds.last(),
    ) {
        println!("seconds of processors: median {median:.2}, most {most:.2}");
    }
    Ok(true)
}

fn programs(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let entries = std::fs::read_dir(folder).map_err(|error| format!("list programs: {error}"))?;
    let mut all = Vec::new();
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            all.extend(programs(&path)?);
        } else if path.extension().is_some_and(|extension| extension == "c") {
            all.push(path);
        }
    }
    all.sort();
    Ok(all)
}

fn one(
    program: &str,
    path: &Path,
    policy: &Path,
    limit: &str,
    counts: &mut Counts,
) -> Result<(), String> {
    let (file, rules) = (path.to_string_lossy(), policy.to_string_lossy());
    let ran = measure(
        program,
        &[
            "check",
            &file,
            "--policy",
            &rules,
            "--property",
            "rule-1",
            "--property",
            "rule-2",
            "--property",
            "rule-3",
            "--timeout",
            limit,
            "--format",
            "json",
        ],
    )?;
    let report: Value = serde_json::from_str(&ran.out).unwrap_or_default();
    let report = &report["files"][0];
    counts.programs += 1;
    counts
        .seconds
        .push(ran.processor_seconds.unwrap_or(ran.seconds));
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let properties = report["properties"]
        .as_array()
        .map(Vec::as_slice)
        .unwrap_or_default();
    if properties.is_empty() {
        let diagnostics = report["diagnostics"]
            .as_array()
            .map(Vec::as_slice)
            .unwrap_or_default();
        let errors = diagnostics
            .iter()
            .find(|found| found["severity"] == "error");
        let why = errors.map_or("no answer".to_owned(), |found| {
            format!("{} {}", text(&found["code"]), text(&found["message"]))
        });
        println!("{file}: {why}");
        *counts.refused.entry(why).or_default() += 1;
        return Ok(());
    }
    let mut line = format!("{file}:");
    let mut all = true;
    for property in properties {
        let verdict = text(&property["verdict"]);
        line += &format!(" {verdict}");
        if matches!(verdict.as_str(), "not-known" | "possible") {
            all = false;
            let why = text(&property["why"]);
            let why = why.split(" (line").next().unwrap_or_default().to_owned();
            *counts.reasons.entry(why).or_default() += 1;
        }
        *counts.rules.entry(verdict).or_default() += 1;
    }
    counts.answered += usize::from(all);
    println!("{line}");
    Ok(())
}
