//! `cargo xtask conform checks DIR`: LSL scripts without properties beside what somebody found who read
//! them: which findings are so, and which bugs are missed.
//!
//! What was found by reading stands in `docs/lsl-corpus.tsv`: script, line, class, and why, tab
//! separated. A class `purpose` says what the script is for, and is no finding.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;

use serde_json::Value;

use crate::bench::release;
use crate::measure::measure;
use crate::workspace::root;

/// The class of what a check or a warning finds; `None` for what is no bug by itself.
fn class(name: &str) -> Option<&'static str> {
    Some(match name {
        "payment-kept" => "payment-kept",
        "payment-lost" => "payment-lost",
        "pays-without-debit" | "pays-without-debit-by-transfer" => "pays-without-debit",
        "pays-nothing" | "pays-nothing-by-transfer" => "pays-nothing",
        "pays-more" => "pays-more",
        "goods-missing" | "LSL0726" => "goods-missing",
        "amount-wraps" => "overflow",
        "math-error" => "division-by-zero",
        "LSL0701" => "reply-uncorrelated",
        "LSL0702" => "listen-open",
        "LSL0703" => "listen-leak",
        "LSL0704" => "dialog-unhandled",
        "LSL0705" => "no-reset-on-owner-change",
        "LSL0402" | "LSL0706" | "LSL0711" => "constant-operand",
        "LSL0403" | "LSL0404" => "result-thrown-away",
        "LSL0707" | "LSL0708" | "LSL0715" | "LSL0723" => "dead-handler",
        "LSL0709" => "unbounded-growth",
        "LSL0710" => "stale-payer",
        "LSL0713" => "refund-other",
        "LSL0712" => "reply-other-state",
        "LSL0714" => "stuck-with-money",
        "LSL0716" => "double-payout",
        "LSL0717" => "last-element",
        "LSL0718" => "mixed-lists",
        "LSL0719" => "stopped-for-all",
        "LSL0720" => "begins-anew",
        "LSL0721" => "item-race",
        "LSL0722" => "kept-answer",
        "LSL0724" => "payment-kept",
        "LSL0725" => "wrong-element",
        "LSL0727" => "for-nothing",
        _ => return None,
    })
}

/// What is said of one script, by class; and in how much time.
struct Said {
    script: String,
    lines: usize,
    fails: BTreeSet<&'static str>,
    warned: BTreeSet<&'static str>,
    possible: BTreeSet<&'static str>,
    /// Checks with another answer than *not known*, and all.
    answered: (usize, usize),
    /// Checks that are *proved*, of those that hold.
    proved: (usize, usize),
    refused: bool,
    seconds: f64,
}

/// Checks the scripts and prints the table, or writes it into its page.
///
/// # Errors
/// If an option is unknown, the list cannot be read or the program cannot be run.
pub(crate) fn run(options: &[&str]) -> Result<bool, String> {
    let (mut folder, mut limit, mut write) = (None, "60s", false);
    let mut words = options.iter();
    while let Some(&word) = words.next() {
        match word {
            "--write" => write = true,
            "--limit" => limit = words.next().ok_or("read the value of --limit")?,
            _ if folder.is_none() && !word.starts_with('-') => folder = Some(Path::new(word)),
            _ => return Err(format!("read the option {word}")),
        }
    }
    let folder = folder.ok_or("find a folder among the options")?;
    let known = known()?;
    let program = release()?;
    let mut all = Vec::new();
    for script in known.keys() {
        let path = folder.join(script);
        if path.is_file() {
            all.push(said(&program, script, &path, limit)?);
        } else {
            println!("skipped: {script} is not in the folder");
        }
    }
    let page = page(&all, &known, limit);
    match write {
        true => std::fs::write(root().join("docs/lsl-corpus.md"), page)
            .map_err(|error| format!("write the page: {error}"))?,
        false => println!("{page}"),
    }
    Ok(!all.is_empty())
}

/// The classes that were found by reading, by script.
fn known() -> Result<BTreeMap<String, BTreeSet<String>>, String> {
    let text = std::fs::read_to_string(root().join("docs/lsl-corpus.tsv"))
        .map_err(|error| format!("read what was found: {error}"))?;
    let mut known: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for line in text.lines().skip(1) {
        let mut fields = line.split('\t');
        let (Some(script), Some(_), Some(class)) = (fields.next(), fields.next(), fields.next())
        else {
            return Err(format!("read the line {line}"));
        };
        let classes = known.entry(script.to_owned()).or_default();
        if class != "purpose" {
            classes.insert(class.replace("unreachable-state", "dead-handler"));
        }
    }
    Ok(known)
}

fn said(program: &str, script: &str, path: &Path, limit: &str) -> Result<Said, String> {
    let file = path.to_string_lossy();
    let words = [
        "check",
        &file,
        "--language",
        "lsl",
        "--timeout",
        limit,
        "--format",
        "json",
    ];
    let ran = measure(program, &words)?;
    let report: Value = serde_json::from_str(&ran.out).unwrap_or_default();
    let report = &report["files"][0];
    let text = std::fs::read(path).map_err(|error| format!("read {script}: {error}"))?;
    let mut said = Said {
        script: script.to_owned(),
        lines: text.split(|&byte| byte == b'\n').count(),
        fails: BTreeSet::new(),
        warned: BTreeSet::new(),
        possible: BTreeSet::new(),
        answered: (0, 0),
        proved: (0, 0),
        refused: report["refused"] == true,
        seconds: ran.processor_seconds.unwrap_or(ran.seconds),
    };
    let rows = |what: &str| report[what].as_array().cloned().unwrap_or_default();
    for property in rows("properties") {
        let verdict = property["verdict"].as_str().unwrap_or_default();
        said.answered.1 += 1;
        said.answered.0 += usize::from(verdict != "not-known");
        if verdict == "holds" {
            said.proved.1 += 1;
            said.proved.0 += usize::from(property["strength"] == "proved");
        }
        let into = match verdict {
            "fails" => &mut said.fails,
            "possible" => &mut said.possible,
            _ => continue,
        };
        into.extend(property["name"].as_str().and_then(class));
    }
    for found in rows("diagnostics") {
        said.warned.extend(found["code"].as_str().and_then(class));
    }
    Ok(said)
}

/// `3 of 4`, and nothing for none.
fn share(found: &BTreeSet<&'static str>, known: &BTreeSet<String>) -> (usize, usize) {
    let so = found.iter().filter(|class| known.contains(**class)).count();
    (so, found.len())
}

fn page(all: &[Said], known: &BTreeMap<String, BTreeSet<String>>, limit: &str) -> String {
    let mut table = String::new();
    let (mut fails, mut warned, mut possible) = ((0, 0), (0, 0), (0, 0));
    let (mut answered, mut proved, mut missed, mut listed) = ((0, 0), (0, 0), 0, 0);
    let add = |sum: &mut (usize, usize), more: (usize, usize)| {
        *sum = (sum.0 + more.0, sum.1 + more.1);
    };
    let mut seconds: Vec<f64> = Vec::new();
    for said in all {
        let known = &known[&said.script];
        if said.refused {
            let _ = writeln!(
                table,
                "| {} | {} | refused | | | | |",
                said.script, said.lines
            );
            continue;
        }
        let shares = [&said.fails, &said.warned, &said.possible].map(|found| share(found, known));
        let ours = |class: &&String| {
            let class = class.as_str();
            [&said.fails, &said.warned, &said.possible]
                .iter()
                .any(|found| found.contains(class))
        };
        let not_found: Vec<&str> = known
            .iter()
            .filter(|c| !ours(c))
            .map(String::as_str)
            .collect();
        let cell = |found: &BTreeSet<&'static str>| {
            let doubtful: Vec<&str> = found
                .iter()
                .copied()
                .filter(|class| !known.contains(*class))
                .collect();
            match (share(found, known), doubtful.is_empty()) {
                ((_, 0), _) => String::new(),
                ((so, of), true) => format!("{so} of {of}"),
                ((so, of), false) => format!("{so} of {of} (not {})", doubtful.join(", ")),
            }
        };
        let _ = writeln!(
            table,
            "| {} | {} | {} | {} | {} | {} | {:.1} |",
            said.script,
            said.lines,
            cell(&said.fails),
            cell(&said.warned),
            cell(&said.possible),
            not_found.join(", "),
            said.seconds
        );
        add(&mut fails, shares[0]);
        add(&mut warned, shares[1]);
        add(&mut possible, shares[2]);
        add(&mut answered, said.answered);
        add(&mut proved, said.proved);
        missed += not_found.len();
        listed += known.len();
        seconds.push(said.seconds);
    }
    seconds.sort_by(f64::total_cmp);
    let median = seconds.get(seconds.len() / 2).copied().unwrap_or_default();
    let most = seconds.last().copied().unwrap_or_default();
    let read = seconds.len();
    format!(
        "# Public LSL scripts with money\n\n\
         What the [checks](lsl-checks.md) say of scripts that nobody wrote for Probity. The scripts are not part of this repository; \
         their names say where they are from (`owner+repository+path`, with `@commit` where it is not the newest). All were read by \
         hand first, and what is wrong with them written down by class: `docs/lsl-corpus.tsv`. Some are versions of one program.\n\n\
         ```sh\ncargo xtask conform checks DIR --limit {limit} --write\n```\n\n\
         | | |\n|---|---:|\n\
         | scripts | {} |\n\
         | read | {read} |\n\
         | failures that are so | {} of {} |\n\
         | warnings that are so | {} of {} |\n\
         | possible failures that are so | {} of {} |\n\
         | classes of bugs found by reading | {listed} |\n\
         | of these neither reported nor possible | {missed} |\n\
         | checks that have an answer | {} of {} |\n\
         | checks that hold, *proved* | {} of {} |\n\
         | processor time, median and most | {median:.1} s, {most:.1} s |\n\n\
         A finding is *so* if reading found a bug of that class in the script. What is not (its class stands in \
         parentheses) may be a false alarm, or not have been seen.\n\n\
         | script | lines | failures | warnings | possible | missed | s |\n|---|---:|---|---|---|---|---:|\n{table}",
        all.len(),
        fails.0,
        fails.1,
        warned.0,
        warned.1,
        possible.0,
        possible.1,
        answered.0,
        answered.1,
        proved.0,
        proved.1,
    )
}
