//! `cargo xtask bench proofs`: what no enumeration can show, and what took days, property by property.
//!
//! The auctions with payments of any amount, any number of bidders and bids and no bound on time, and
//! the first paper's auction with each of its three parameters over all values of a byte.

use std::fmt::Write as _;

use serde_json::Value;

use super::{made_by, release, section};
use crate::measure::measure;

/// What the bounds are called in the table, and the bounds.
type Bounds = (&'static str, &'static [&'static str]);

const ANY: Bounds = (
    "none",
    &["amount=any", "bidders=any", "events-per-timer=any"],
);

const BYTES: Bounds = (
    "bytes",
    &["amount=0..255", "bidders=255", "events-per-timer=255"],
);

/// The scripts with the bounds that they are checked within.
const SCRIPTS: &[(&str, Bounds)] = &[
    ("paper.lsl", ANY),
    ("paper.lsl", BYTES),
    ("auction.lsl", ANY),
    ("repaired.lsl", ANY),
    ("mutants/1.lsl", ANY),
    ("mutants/2.lsl", ANY),
    ("mutants/3.lsl", ANY),
    ("mutants/4.lsl", ANY),
    ("mutants/5.lsl", ANY),
    ("mutants/6.lsl", ANY),
];

/// Measures and prints a table; with `--write` puts it into the page of figures.
///
/// # Errors
/// If an option is unknown or a run fails.
pub(crate) fn run(options: &[&str]) -> Result<bool, String> {
    let (mut limit, mut write, mut program) = ("60s".to_owned(), false, None);
    let mut chosen: Vec<&str> = Vec::new();
    let mut words = options.iter();
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or(format!("read the value of {word}"));
        match *word {
            "--write" => write = true,
            "--limit" => limit = (*value()?).to_owned(),
            "--program" => program = Some((*value()?).to_owned()),
            file if SCRIPTS.iter().any(|(known, _)| *known == file) => chosen.push(file),
            _ => return Err(format!("read the option {word}")),
        }
    }
    let program = match program {
        Some(program) => program,
        None => release()?,
    };
    let mut page = String::from(
        "| script | bounds | property | verdict | engine | checked again | s of processors | s on the clock |\n\
         |---|---|---|---|---|---|---:|---:|\n",
    );
    print!("{page}");
    for (script, (bounds, values)) in SCRIPTS {
        if !chosen.is_empty() && !chosen.contains(script) {
            continue;
        }
        let file = format!("examples/lsl/auction/{script}");
        for name in names(&file)? {
            let mut arguments = vec!["check", &file, "--format", "json", "--timeout", &limit];
            arguments.extend(values.iter().flat_map(|value| ["--bound", value]));
            arguments.extend(["--property", &name]);
            let ran = measure(&program, &arguments)?;
            let report = serde_json::from_str::<Value>(&ran.out).unwrap_or_default();
            let property = &report["files"][0]["properties"][0];
            let text = |value: &Value| value.as_str().unwrap_or("-").to_owned();
            let verdict = match property["strength"].as_str() {
                Some(strength) => format!("{}, {strength}", text(&property["verdict"])),
                None => text(&property["verdict"]),
            };
            let again = match (&property["evidence"]["audited"], &property["verdict"]) {
                (Value::Bool(true), _) => "invariant",
                (_, verdict) if *verdict == "fails" => "run",
                _ => "-",
            };
            let line = format!(
                "| {script} | {bounds} | {name} | {verdict} | {} | {again} | {:.1} | {:.1} |",
                text(&property["engine"]),
                ran.processor_seconds.unwrap_or(ran.seconds),
                ran.seconds,
            );
            println!("{line}");
            writeln!(page, "{line}").expect("writing to a string succeeds");
        }
    }
    if write {
        let chore = made_by("bench proofs --write");
        let text = format!(
            "Each property alone, from file to verdict, at most {limit}. Without bounds: payments of any \
             amount that a 32-bit integer can be, any number of bidders and bids, no bound on time; \
             auction.lsl keeps its bound on payments that wait. Bytes: each of the paper's three parameters is 255."
        );
        section::put(
            "Proofs for all amounts",
            &format!("{chore} {text}\n\n{page}"),
        )?;
    }
    Ok(true)
}

/// The properties that stand in a script.
fn names(file: &str) -> Result<Vec<String>, String> {
    let path = crate::workspace::root().join(file);
    let text = std::fs::read_to_string(&path)
        .map_err(|error| format!("read {}: {error}", path.display()))?;
    let names = text.lines().filter_map(|line| {
        let (name, _) = line.strip_prefix("//@ property ")?.split_once(':')?;
        Some(name.trim().to_owned())
    });
    Ok(names.collect())
}
