//! `cargo xtask conform strangers DIR`: models that nobody wrote for Probity, of every language that has
//! public ones: which are read, why others are refused, what is found, and whether verdicts are those of
//! SPIN, where it is installed, and of NuSMV, where `PROBITY_NUSMV` names it. With `--write`, the tables of
//! `docs/strangers.md` are made anew.
//!
//! Each file is checked by a process of its own, within a limit. What is not known on either side is not
//! compared. Scripts of the ToolBus find what they include in all folders of their repository, a folder right
//! below `DIR`. `--with OPTION` hands an option on to the check.

mod beside;
mod nusmv;
mod page;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::Value;

use self::beside::Peers;
use crate::bench::release;
use crate::measure::{Measured, measure};

/// How much longer than its limit a check may take, in seconds: to write what was found.
const GRACE: f64 = 2.0;

/// The language whose scripts include each other, from any folder of their repository.
const TSCRIPT: &str = "Tscript";

/// The ends of the names of what they include.
const INCLUDED: [&str; 4] = ["tb", "idef", "tbi", "h"];

/// The languages, by the ends of names.
const FAMILIES: [(&str, &[&str]); 5] = [
    ("Promela", &["pml", "pm", "pr", "prm", "promela"]),
    ("SMV", &["smv"]),
    ("AIGER", &["aig", "aag"]),
    (TSCRIPT, &["tb"]),
    (
        "graphs",
        &[
            "gltf",
            "glb",
            "scriptcanvas",
            "json",
            "t3d",
            "asset",
            "torch",
        ],
    ),
];

/// What became of the files of one language.
#[derive(Default)]
struct Summary {
    files: usize,
    /// Why files are refused, and how many for each reason.
    refused: BTreeMap<String, usize>,
    /// Refused files that the peer is asked about, and those of them that it refuses, too.
    asked: usize,
    refused_by_both: usize,
    /// Files that ended the program, or held it for longer than the limit.
    broken: usize,
    /// Properties by verdict.
    verdicts: BTreeMap<String, usize>,
    /// Files with a question that both sides answered, these questions, and those with other answers.
    compared: usize,
    questions: usize,
    differ: usize,
    /// The greatest resident size of a check, in bytes.
    peak: u64,
}

/// Checks all files below a folder, says what is wrong with any of them, and prints a summary.
///
/// # Errors
/// If an option is unknown, the folder cannot be read or the program cannot be run.
pub(crate) fn run(options: &[&str]) -> Result<bool, String> {
    let (mut folder, mut limit, mut program, mut write) = (None, 20, None, false);
    let mut handed_on = Vec::new();
    let mut words = options.iter();
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or(format!("read the value of {word}"));
        match *word {
            "--limit" => {
                let seconds = value()?
                    .strip_suffix('s')
                    .and_then(|word| word.parse().ok());
                limit = seconds.ok_or("read the seconds of --limit, as in 20s")?;
            }
            "--program" => program = Some((*value()?).to_owned()),
            "--write" => write = true,
            "--with" => handed_on.push((*value()?).to_owned()),
            _ if folder.is_none() && !word.starts_with('-') => folder = Some(Path::new(word)),
            _ => return Err(format!("read the option {word}")),
        }
    }
    let folder = folder.ok_or("find a folder among the options")?;
    let program = match program {
        Some(program) => program,
        None => release()?,
    };
    let mut files = Vec::new();
    below(folder, &mut files)?;
    let included = folders(&files);
    let peers = Peers::found();
    let mut summaries: [Summary; FAMILIES.len()] = Default::default();
    for file in files {
        let end = file.extension().unwrap_or_default().to_string_lossy();
        let family = FAMILIES.iter().position(|(_, ends)| ends.contains(&&*end));
        let Some(family) = family else { continue };
        let name = file.strip_prefix(folder).unwrap_or(&file);
        let name = name.display().to_string();
        let summary = &mut summaries[family];
        let family = FAMILIES[family].0;
        summary.files += 1;
        let mut more = handed_on.clone();
        if family == TSCRIPT {
            // What fails is not asked again under other readings.
            more.extend(["--readings", "one"].map(str::to_owned));
            more.extend(includes(folder, &file, &included));
        }
        match checked(&program, &file, limit, (&name, &more), summary)? {
            Checked::Broken => {}
            Checked::Refused => {
                if let Some(refuses) = peers.refuses(family, &file, limit) {
                    summary.asked += 1;
                    summary.refused_by_both += usize::from(refuses);
                    if !refuses {
                        println!("refused here only: {name}");
                    }
                }
            }
            Checked::Read(report) => {
                let compared = peers.compare(family, &file, &report, limit)?;
                summary.compared += usize::from(compared.questions > 0);
                summary.questions += compared.questions;
                summary.differ += compared.differ.len();
                for what in compared.differ {
                    println!("differs: {name}: {what}");
                }
            }
        }
    }
    for ((family, _), summary) in FAMILIES.iter().zip(&summaries) {
        print(family, summary);
    }
    if write {
        page::write(&summaries, &peers, limit)?;
    }
    let all = summaries.iter().map(|summary| summary.files).sum::<usize>();
    let well = |summary: &Summary| summary.broken == 0 && summary.differ == 0;
    Ok(all > 0 && summaries.iter().all(well))
}

/// The folders that hold what scripts include, those with most of it first, then in the order of their names.
fn folders(files: &[PathBuf]) -> Vec<PathBuf> {
    let mut all: BTreeMap<&Path, usize> = BTreeMap::new();
    for file in files {
        let end = file.extension().unwrap_or_default().to_string_lossy();
        if let Some(folder) = file.parent().filter(|_| INCLUDED.contains(&&*end)) {
            *all.entry(folder).or_default() += 1;
        }
    }
    let mut all: Vec<(&Path, usize)> = all.into_iter().collect();
    all.sort_by_key(|(_, held)| std::cmp::Reverse(*held));
    all.into_iter()
        .map(|(folder, _)| folder.to_path_buf())
        .collect()
}

/// Options that name the folders of a script's repository, which is a folder right below `root`: those first
/// that share most of the way with it.
fn includes(root: &Path, file: &Path, all: &[PathBuf]) -> Vec<String> {
    let shared = |folder: &Path| {
        let ways = folder.components().zip(file.components());
        ways.take_while(|(a, b)| a == b).count()
    };
    let least = root.components().count() + 1;
    let mut all: Vec<&PathBuf> = all.iter().filter(|one| shared(one) >= least).collect();
    all.sort_by_key(|folder| std::cmp::Reverse(shared(folder)));
    let words = all.into_iter().map(|folder| folder.display().to_string());
    words.flat_map(|folder| ["-I".to_owned(), folder]).collect()
}

/// All files below a folder, in the order of their names.
fn below(folder: &Path, found: &mut Vec<PathBuf>) -> Result<(), String> {
    let told = |error: std::io::Error| format!("read {}: {error}", folder.display());
    let mut here = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(told)? {
        here.push(entry.map_err(told)?.path());
    }
    here.sort();
    for path in here {
        match path.is_dir() {
            true => below(&path, found)?,
            false => found.push(path),
        }
    }
    Ok(())
}

/// What came out of a check.
enum Checked {
    Broken,
    Refused,
    /// The properties.
    Read(Vec<Value>),
}

/// Checks a file, and counts what came out.
fn checked(
    program: &str,
    file: &Path,
    limit: u32,
    (name, more): (&str, &[String]),
    summary: &mut Summary,
) -> Result<Checked, String> {
    let path = file.to_string_lossy();
    let seconds = format!("{limit}s");
    let words = [
        "check",
        &path,
        "--timeout",
        &seconds,
        "--no-config",
        "--no-cache",
    ];
    let more: Vec<&str> = more.iter().map(String::as_str).collect();
    let ran = measure(
        program,
        &[&words[..], &["--format", "json"], &more].concat(),
    )?;
    summary.peak = summary.peak.max(ran.peak_bytes.unwrap_or(0));
    let report = serde_json::from_str::<Value>(&ran.out).unwrap_or_default();
    let report = &report["files"][0];
    if let Some(how) = broken(&ran, report, limit) {
        summary.broken += 1;
        println!("broken: {name}: {how}");
        return Ok(Checked::Broken);
    }
    if report["refused"] == true {
        let errors = report["diagnostics"].as_array().into_iter().flatten();
        let first = errors.into_iter().find(|one| one["severity"] == "error");
        let message = first.and_then(|one| one["message"].as_str());
        let why = reason(message.unwrap_or("no reason given"));
        println!("refused: {name}: {}", message.unwrap_or_default());
        *summary.refused.entry(why).or_default() += 1;
        return Ok(Checked::Refused);
    }
    let properties = report["properties"].as_array().cloned().unwrap_or_default();
    for property in &properties {
        let verdict = property["verdict"].as_str().unwrap_or("?");
        *summary.verdicts.entry(verdict.to_owned()).or_default() += 1;
        if ["fails", "possible"].contains(&verdict) {
            let property = property["name"].as_str().unwrap_or_default();
            println!("{verdict}: {name}: {property}");
        }
    }
    Ok(Checked::Read(properties))
}

/// How a check ended otherwise than it should.
fn broken(ran: &Measured, report: &Value, limit: u32) -> Option<String> {
    // How busy the machine is makes no difference.
    let seconds = ran.processor_seconds.unwrap_or(ran.seconds);
    if ran.status > 4 || ran.status < 0 || !report.is_object() {
        return Some(format!("exit status {}", ran.status));
    }
    let late = ran.seconds.min(seconds) > f64::from(limit) + GRACE;
    late.then(|| format!("{seconds:.1} s"))
}

/// A message without the names and numbers of its file.
fn reason(message: &str) -> String {
    let parts = message.split('`').enumerate();
    let parts: Vec<&str> = parts
        .map(|(at, part)| if at % 2 == 1 { "..." } else { part })
        .collect();
    let mut reason = String::new();
    for char in parts.join("`").chars() {
        match char.is_ascii_digit() {
            true if reason.ends_with('N') => {}
            true => reason.push('N'),
            false => reason.push(char),
        }
    }
    reason
}

fn print(family: &str, summary: &Summary) {
    if summary.files == 0 {
        return;
    }
    let refused: usize = summary.refused.values().sum();
    let read = summary.files - refused - summary.broken;
    println!(
        "\n{family}: {read} of {} files are read ({:.1} %), {refused} refused, {} broken",
        summary.files,
        100.0 * read as f64 / summary.files as f64,
        summary.broken
    );
    let verdicts = summary.verdicts.iter();
    let verdicts: Vec<String> = verdicts.map(|(word, n)| format!("{n} {word}")).collect();
    println!("  properties: {}", verdicts.join(", "));
    println!(
        "  beside a peer: {} questions about {} files, {} with another answer; {} of {} refused files are refused there",
        summary.questions, summary.compared, summary.differ, summary.refused_by_both, summary.asked
    );
    println!("  greatest memory: {} MB", summary.peak.div_ceil(1 << 20));
    let mut reasons: Vec<_> = summary.refused.iter().collect();
    reasons.sort_by_key(|(reason, count)| (std::cmp::Reverse(**count), *reason));
    for (reason, count) in reasons {
        println!("  refused, {count}: {reason}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_are_the_same_for_files_that_differ_in_names_and_numbers() {
        assert_eq!(reason("`a` has 12 bits"), reason("`bc` has 3 bits"));
        assert_ne!(reason("`a` has 12 bits"), reason("`a` has 12 lines"));
    }

    #[test]
    fn what_is_near_a_script_is_included_first() {
        let files =
            ["a/x.tb", "b/y.idef", "b/z.c", "c/u.tb", "c/v.tb"].map(|file| format!("d/r/{file}"));
        let mut files: Vec<PathBuf> = files.iter().map(PathBuf::from).collect();
        files.push(PathBuf::from("d/s/w.tb"));
        let all = folders(&files);
        assert_eq!(all, ["d/r/c", "d/r/a", "d/r/b", "d/s"].map(PathBuf::from));
        let words = |file: &str| includes(Path::new("d"), Path::new(file), &all).join(" ");
        assert_eq!(words("d/r/b/new.tb"), "-I d/r/b -I d/r/c -I d/r/a");
        assert_eq!(words("d/s/w.tb"), "-I d/s");
    }

    #[test]
    fn what_ends_the_program_is_broken_and_what_is_refused_is_not() {
        let ran = |status, seconds| Measured {
            seconds,
            processor_seconds: Some(seconds),
            peak_bytes: None,
            status,
            out: String::new(),
        };
        let report = serde_json::json!({"refused": true});
        assert_eq!(broken(&ran(2, 0.1), &report, 20), None);
        assert!(broken(&ran(101, 0.1), &report, 20).is_some());
        assert!(broken(&ran(0, 30.0), &report, 20).is_some());
        assert!(broken(&ran(0, 0.1), &Value::Null, 20).is_some());
    }
}
