//! `cargo xtask bench mobile`: the small programs in C with known verdicts, beside ESBMC where
//! `PROBITY_ESBMC` names its program.
//!
//! ESBMC is given the same programs; those with a policy as their annotated programs, where each
//! rule is an assertion.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::{made_by, release, section};
use crate::measure::{Measured, measure};
use crate::workspace::root;

/// What came out for one program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Answer {
    Right,
    Wrong,
    None,
}

/// The answers of one tool in a family, with the time of processors that all took.
#[derive(Clone, Copy, Default)]
struct Score {
    right: usize,
    wrong: usize,
    seconds: f64,
}

impl Score {
    fn add(&mut self, answer: Answer, seconds: f64) {
        self.right += usize::from(answer == Answer::Right);
        self.wrong += usize::from(answer == Answer::Wrong);
        self.seconds += seconds;
    }
}

/// A program with what its first lines say.
struct Program {
    path: PathBuf,
    family: String,
    fails: Vec<String>,
    policy: String,
    net: String,
}

/// Measures and prints a table; with `--write` puts it into the page of figures.
///
/// # Errors
/// If an option is unknown or a run fails.
pub(crate) fn run(options: &[&str]) -> Result<bool, String> {
    let (mut limit, mut write, mut program) = ("10".to_owned(), false, None);
    let mut words = options.iter();
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or(format!("read the value of {word}"));
        match *word {
            "--write" => write = true,
            "--limit" => limit = (*value()?).to_owned(),
            "--program" => program = Some((*value()?).to_owned()),
            _ => return Err(format!("read the option {word}")),
        }
    }
    let program = match program {
        Some(program) => program,
        None => release()?,
    };
    let esbmc = std::env::var("PROBITY_ESBMC").ok();
    let folder = std::env::temp_dir().join(format!("probity-bench-{}", std::process::id()));
    std::fs::create_dir_all(&folder).map_err(|error| format!("make a folder: {error}"))?;
    let mut scores: BTreeMap<String, (usize, Score, Score)> = BTreeMap::new();
    for one in programs()? {
        let files = Files::new(&one, &folder)?;
        let (ours, seconds) = ours(&program, &one, &files, &limit)?;
        let row = scores.entry(one.family.clone()).or_default();
        row.0 += 1;
        row.1.add(ours, seconds);
        print!("{:40} {ours:?} {seconds:.2}", one.path.display());
        if let Some(esbmc) = &esbmc {
            let (theirs, seconds) = theirs(esbmc, &program, &one, &files, &limit)?;
            row.2.add(theirs, seconds);
            print!("   ESBMC {theirs:?} {seconds:.2}");
        }
        println!();
    }
    drop(std::fs::remove_dir_all(&folder));
    let page = table(&scores, esbmc.is_some());
    print!("\n{page}");
    if write {
        let text = format!(
            "{} At most {limit} s for each program. *Right* and *wrong* are answers about the whole program: every property \
             holds, or those that fail were found; the rest is not known. ESBMC runs with \
             `--k-induction --overflow-check`. Times are those of processors, in seconds, all programs of a family together.",
            made_by("bench mobile --write")
        );
        section::put("Small programs in C", &format!("{text}\n\n{page}"))?;
    }
    Ok(scores.values().all(|(_, ours, _)| ours.wrong == 0))
}

fn programs() -> Result<Vec<Program>, String> {
    let base = root().join("crates/probity/tests/c_programs");
    let list = |folder: &Path| -> Result<Vec<PathBuf>, String> {
        let entries =
            std::fs::read_dir(folder).map_err(|error| format!("list programs: {error}"))?;
        let mut all: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        all.sort();
        Ok(all)
    };
    let mut found = Vec::new();
    for family in list(&base)? {
        for path in list(&family)? {
            let text = std::fs::read_to_string(&path)
                .map_err(|error| format!("read {}: {error}", path.display()))?;
            let of = |key: &str| -> Vec<&str> {
                let prefix = format!("// {key}: ");
                text.lines()
                    .filter_map(|line| line.strip_prefix(&prefix))
                    .collect()
            };
            let expect = of("expect").join(" ");
            found.push(Program {
                family: family
                    .file_name()
                    .unwrap_or_default()
                    .to_string_lossy()
                    .into_owned(),
                fails: expect
                    .split_whitespace()
                    .skip(1)
                    .map(str::to_owned)
                    .collect(),
                policy: of("policy").join("\n"),
                net: of("net").join("\n"),
                path,
            });
        }
    }
    Ok(found)
}

/// The arguments that name a program with its policy and net.
struct Files {
    arguments: Vec<String>,
    annotated: PathBuf,
}

impl Files {
    fn new(one: &Program, folder: &Path) -> Result<Files, String> {
        let mut arguments = vec![one.path.to_string_lossy().into_owned()];
        for (option, name, text) in [
            ("--policy", "t.policy", &one.policy),
            ("--net", "t.locnet", &one.net),
        ] {
            if !text.is_empty() {
                let path = folder.join(name);
                std::fs::write(&path, text).map_err(|error| format!("write {name}: {error}"))?;
                arguments.extend([option.to_owned(), path.to_string_lossy().into_owned()]);
            }
        }
        Ok(Files {
            arguments,
            annotated: folder.join("annotated.c"),
        })
    }
}

fn used(ran: &Measured) -> f64 {
    ran.processor_seconds.unwrap_or(ran.seconds)
}

fn ours(program: &str, one: &Program, files: &Files, limit: &str) -> Result<(Answer, f64), String> {
    let timeout = format!("{limit}s");
    let mut arguments = vec!["check", "--format", "json", "--timeout", &timeout];
    arguments.extend(files.arguments.iter().map(String::as_str));
    let ran = measure(program, &arguments)?;
    let report: Value = serde_json::from_str(&ran.out).unwrap_or_default();
    let properties = report["files"][0]["properties"].as_array();
    let properties = properties.map(Vec::as_slice).unwrap_or_default();
    let named = |name: &str| {
        let mut all = properties.iter();
        all.find(|property| property["name"] == name)
            .map_or("", |property| {
                property["verdict"].as_str().unwrap_or_default()
            })
    };
    let invented = properties.iter().any(|property| {
        let name = property["name"].as_str().unwrap_or_default();
        property["verdict"] == "fails" && !one.fails.iter().any(|fails| fails == name)
    });
    let denied = one.fails.iter().any(|name| named(name) == "holds");
    let solved = match one.fails.is_empty() {
        true => !properties.is_empty() && properties.iter().all(|p| p["verdict"] == "holds"),
        false => one.fails.iter().all(|name| named(name) == "fails"),
    };
    let answer = match (invented || denied, solved) {
        (true, _) => Answer::Wrong,
        (false, true) => Answer::Right,
        (false, false) => Answer::None,
    };
    Ok((answer, used(&ran)))
}

fn theirs(
    esbmc: &str,
    program: &str,
    one: &Program,
    files: &Files,
    limit: &str,
) -> Result<(Answer, f64), String> {
    let mut file = one.path.clone();
    if !one.policy.is_empty() {
        let annotated = files.annotated.to_string_lossy();
        let mut arguments = vec!["translate", "--to", "c", "--output", &*annotated];
        arguments.extend(files.arguments.iter().map(String::as_str));
        let ran = measure(program, &arguments)?;
        if ran.status != 0 {
            return Err(format!("annotate {}: {}", one.path.display(), ran.out));
        }
        file.clone_from(&files.annotated);
    }
    let file = file.to_string_lossy();
    let timeout = format!("{limit}s");
    // It says what it found where errors go.
    let arguments = [
        "-c",
        "exec \"$0\" \"$@\" 2>&1",
        esbmc,
        &*file,
        "--k-induction",
        "--overflow-check",
        "--timeout",
        &timeout,
    ];
    let ran = measure("sh", &arguments)?;
    let holds = one.fails.is_empty();
    let answer = match (
        ran.out.contains("VERIFICATION SUCCESSFUL"),
        ran.out.contains("VERIFICATION FAILED"),
    ) {
        (true, _) if holds => Answer::Right,
        (_, true) if !holds => Answer::Right,
        (false, false) => Answer::None,
        _ => Answer::Wrong,
    };
    Ok((answer, used(&ran)))
}

fn table(scores: &BTreeMap<String, (usize, Score, Score)>, beside: bool) -> String {
    let mut page = String::from("| family | programs | right | wrong | time |");
    page.push_str(if beside {
        " ESBMC: right | wrong | time |\n"
    } else {
        "\n"
    });
    page.push_str("|---|---:|---:|---:|---:|");
    page.push_str(if beside { "---:|---:|---:|\n" } else { "\n" });
    let mut sum = (0, Score::default(), Score::default());
    let mut row = |name: &str, (count, ours, theirs): &(usize, Score, Score)| {
        write!(
            page,
            "| {name} | {count} | {} | {} | {:.1} |",
            ours.right, ours.wrong, ours.seconds
        )
        .expect("writing to a string succeeds");
        if beside {
            write!(
                page,
                " {} | {} | {:.1} |",
                theirs.right, theirs.wrong, theirs.seconds
            )
            .expect("writing to a string succeeds");
        }
        page.push('\n');
    };
    for (name, all) in scores {
        row(name, all);
        sum.0 += all.0;
        for (to, from) in [(&mut sum.1, all.1), (&mut sum.2, all.2)] {
            to.right += from.right;
            to.wrong += from.wrong;
            to.seconds += from.seconds;
        }
    }
    row("all", &sum);
    page
}
