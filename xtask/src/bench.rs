//! `cargo xtask bench auction`: the figures of the first paper's case study.
//!
//! Each setting is run several times as a whole process of the release build; stored states come
//! from the report. Fewer runs than all that fit in a coffee break: the least time says what the
//! program takes, the median what a user sees.

mod ablation;
mod beem;
mod circuits;
mod cluster;
mod deep;
mod diagrams;
mod disk;
mod families;
mod growth;
mod lsp;
mod mcrl2;
mod mobile;
mod nodegraph;
mod nusmv;
mod pan;
mod passing;
mod proofs;
mod sat;
mod section;
mod spin;
mod tscript;
mod tvla;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::measure::{Measured, measure};
use crate::workspace::{cargo, metadata, output_of, root};

pub(crate) use ablation::run as ablation;
pub(crate) use beem::run as beem;
pub(crate) use circuits::run as circuits;
pub(crate) use cluster::run as cluster;
pub(crate) use deep::run as deep;
pub(crate) use diagrams::run as diagrams;
pub(crate) use disk::run as disk;
pub(crate) use lsp::run as lsp;
pub(crate) use mcrl2::run as mcrl2;
pub(crate) use mobile::run as mobile;
pub(crate) use nodegraph::run as nodegraph;
pub(crate) use nusmv::run as nusmv;
pub(crate) use nusmv::{by_nusmv, in_their_words};
pub(crate) use pan::{Pan, Recipe};
pub(crate) use proofs::run as proofs;
pub(crate) use sat::run as sat;
pub(crate) use section::put_into;
pub(crate) use spin::{reference, run as spin};
pub(crate) use tscript::run as tscript;
pub(crate) use tvla::run as tvla;

/// The options of a comparison on files below folders.
struct OnFolders {
    folders: Vec<PathBuf>,
    /// Seconds for each file.
    limit: u32,
    write: bool,
    program: String,
}

impl OnFolders {
    /// Reads the options; builds our program if none is named.
    ///
    /// # Errors
    /// If an option is unknown or the build fails.
    fn read(words: &[&str], limit: u32) -> Result<Self, String> {
        let (mut folders, mut limit, mut write, mut program) = (Vec::new(), limit, false, None);
        let mut words = words.iter();
        while let Some(word) = words.next() {
            let mut value = || words.next().ok_or(format!("read the value of {word}"));
            match *word {
                "--write" => write = true,
                "--limit" => limit = value()?.parse().map_err(|_| "read --limit")?,
                "--program" => program = Some((*value()?).to_owned()),
                option if option.starts_with('-') => {
                    return Err(format!("read the option {option}"));
                }
                folder => folders.push(PathBuf::from(folder)),
            }
        }
        let program = match program {
            Some(program) => program,
            None => release()?,
        };
        Ok(OnFolders {
            folders,
            limit,
            write,
            program,
        })
    }
}

/// The script.
const SCRIPT: &str = "examples/lsl/auction/paper.lsl";

/// Events between two timer events, bidders, greatest amount.
const SETTINGS: &[(u32, u32, u32)] = &[(10, 5, 10), (50, 10, 100)];

/// Measures and prints a Markdown table.
///
/// # Errors
/// If the build or a run fails.
pub(crate) fn run(options: &[&str]) -> Result<bool, String> {
    let mut runs = 5;
    let mut write = false;
    let mut options = options.iter();
    while let Some(option) = options.next() {
        match (*option, options.as_slice().first()) {
            ("--write", _) => write = true,
            ("--runs", Some(number)) => {
                options.next();
                runs = number
                    .parse()
                    .ok()
                    .filter(|runs| *runs > 0)
                    .ok_or_else(|| format!("read --runs {number}"))?;
            }
            _ => return Err(format!("read the option {option}")),
        }
    }
    let program = release()?;
    let script = root().join(SCRIPT);
    let script = script.to_string_lossy();

    let mut page = String::from(
        "| events between timers | bidders | amounts | least time | median time | peak memory |\n\
         |---:|---:|---|---:|---:|---:|\n",
    );
    let mut states = Vec::new();
    for (events, bidders, amount) in SETTINGS {
        let bounds = [
            format!("events-per-timer={events}"),
            format!("bidders={bidders}"),
            format!("amount=0..{amount}"),
        ];
        let mut arguments = vec!["check", &*script, "--format", "json"];
        for bound in &bounds {
            arguments.extend(["--bound", bound]);
        }
        let mut measured = Vec::new();
        for _ in 0..runs {
            let one = measure(&program, &arguments)?;
            if one.status != 0 {
                return Err(format!("check the auction: exit status {}", one.status));
            }
            measured.push(one);
        }
        measured.sort_by(|a, b| a.seconds.total_cmp(&b.seconds));
        let peak = measured.iter().filter_map(|one| one.peak_bytes).max();
        writeln!(
            page,
            "| {events} | {bidders} | 0..{amount} | {:.3} s | {:.3} s | {} |",
            measured[0].seconds,
            measured[measured.len() / 2].seconds,
            peak.map_or("unknown".to_owned(), |bytes| {
                format!("{} MB", bytes.div_ceil(1 << 20))
            }),
        )
        .expect("writing to a string succeeds");
        states.push(stored_states(&measured[0])?);
    }
    page.push('\n');
    page.push_str(&states_table(&states));
    print!("{page}");
    if write {
        section::put("The paper's auction", &document(&page, runs))?;
    }
    Ok(true)
}

/// Property, states, and how many properties shared the exploration.
type States = Vec<(String, u64, u64)>;

fn stored_states(measured: &Measured) -> Result<States, String> {
    let report: Value =
        serde_json::from_str(&measured.out).map_err(|error| format!("read the report: {error}"))?;
    let properties = report["files"][0]["properties"]
        .as_array()
        .ok_or("find the properties in the report")?;
    Ok(properties
        .iter()
        .map(|property| {
            let statistics = &property["statistics"];
            (
                property["name"].as_str().unwrap_or("?").to_owned(),
                statistics["states"].as_u64().unwrap_or(0),
                statistics["shared_by"].as_u64().unwrap_or(1),
            )
        })
        .collect())
}

fn states_table(states: &[States]) -> String {
    let mut page = String::from("| stored states |");
    for (events, bidders, amount) in SETTINGS {
        write!(page, " ({events}, {bidders}, {amount}) |").expect("writing to a string succeeds");
    }
    page.push_str("\n|---|");
    page.push_str(&"---:|".repeat(SETTINGS.len()));
    page.push('\n');
    for (index, (name, ..)) in states[0].iter().enumerate() {
        write!(page, "| {name} |").expect("writing to a string succeeds");
        for setting in states {
            let (_, states, shared) = &setting[index];
            let shared = if *shared > 1 {
                format!(" (shared by {shared})")
            } else {
                String::new()
            };
            write!(page, " {states}{shared} |").expect("writing to a string succeeds");
        }
        page.push('\n');
    }
    page
}

fn document(page: &str, runs: u32) -> String {
    format!(
        "{} Times and memory are those of the whole process: reading the script, all seven \
         properties, the report.\n\n\
         `{SCRIPT}` within the paper's bounds and beyond them.\n\n{page}",
        made_by(&format!("bench auction --runs {runs} --write")),
    )
}

/// Builds the release and says where it is.
pub(crate) fn release() -> Result<String, String> {
    built(&["build", "--release", "--package", "probity"])
}

/// The same with searches by several processes.
pub(crate) fn release_with_cluster() -> Result<String, String> {
    let features = ["--features", "cluster"];
    built(
        &[
            &["build", "--release", "--package", "probity"][..],
            &features,
        ]
        .concat(),
    )
}

fn built(arguments: &[&str]) -> Result<String, String> {
    let status = cargo(arguments).status();
    if !status.is_ok_and(|status| status.success()) {
        return Err("build the release".to_owned());
    }
    let metadata = metadata()?;
    let target = metadata["target_directory"].as_str();
    let target = target.ok_or("find the target directory")?;
    Ok(format!("{target}/release/probity"))
}

/// A sentence that says where figures come from.
fn made_by(chore: &str) -> String {
    let commit = output_of(
        Command::new("git")
            .args(["rev-parse", "--short", "HEAD"])
            .current_dir(root()),
    );
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    format!(
        "Made by `cargo xtask {chore}` at {} on {} ({cores} cores).",
        commit.as_deref().unwrap_or("an unknown commit").trim(),
        processor(),
    )
}

/// The processor's name, where the system tells.
fn processor() -> String {
    let text = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let line = text.lines().find(|line| line.starts_with("model name"));
    let name = line.and_then(|line| line.split_once(':'));
    name.map_or("an unknown processor".to_owned(), |(_, name)| {
        name.trim().to_owned()
    })
}

/// Files with this extension below folders, by name: the names as they stand below the folder, and the files.
pub(crate) fn files_below(
    folders: &[PathBuf],
    ending: &str,
) -> Result<Vec<(String, PathBuf)>, String> {
    let mut found = Vec::new();
    for folder in folders {
        let mut open = vec![folder.clone()];
        while let Some(at) = open.pop() {
            if at.is_dir() {
                let entries =
                    std::fs::read_dir(&at).map_err(|error| format!("read {at:?}: {error}"))?;
                open.extend(entries.flatten().map(|entry| entry.path()));
            } else if at.extension().is_some_and(|extension| extension == ending) {
                let name = match at.strip_prefix(folder) {
                    Ok(below) if below != Path::new("") => below.to_path_buf(),
                    _ => PathBuf::from(at.file_name().unwrap_or_default()),
                };
                found.push((name.to_string_lossy().into_owned(), at));
            }
        }
    }
    found.sort();
    Ok(found)
}
