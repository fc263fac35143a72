//! `cargo xtask bench tscript`: the ToolBus's auction from file to verdicts, with one bidder and with
//! more.

use std::fmt::Write as _;

use serde_json::Value;

use super::{made_by, release, section};
use crate::measure::measure;

/// The scripts.
const SCRIPTS: &[&str] = &["original", "repaired"];

/// Bidders and items.
const SETTINGS: &[(u32, u32)] = &[(1, 2), (2, 1), (2, 2), (3, 1)];

/// What is asked of more than two bidders: what can be reached, where bidders change places.
const REACHED: &[&str] = &["deadlock", "early-notes", "unsubscribed", "expressions"];

/// Measures and prints a table; with `--write` puts it into the page of figures.
///
/// # Errors
/// If an option is unknown or a run fails.
pub(crate) fn run(options: &[&str]) -> Result<bool, String> {
    let (mut runs, mut limit, mut write, mut program) = (1, "300s".to_owned(), false, None);
    let mut words = options.iter();
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or(format!("read the value of {word}"));
        match *word {
            "--write" => write = true,
            "--runs" => runs = value()?.parse().map_err(|_| "read --runs")?,
            "--limit" => limit = (*value()?).to_owned(),
            "--program" => program = Some((*value()?).to_owned()),
            _ => return Err(format!("read the option {word}")),
        }
    }
    let program = match program {
        Some(program) => program,
        None => release()?,
    };
    let mut page = String::from(
        "| auction | bidders | items | properties | not known | states | s of processors | s on the clock |\n\
         |---|---:|---:|---:|---:|---:|---:|---:|\n",
    );
    for script in SCRIPTS {
        for (bidders, items) in SETTINGS {
            let file = format!("examples/tscript/auction/{script}.tb");
            let (bidders_bound, items_bound) = (
                format!("bidder={bidders}"),
                format!("new-item={items} distinct"),
            );
            let processes = format!("processes={}", bidders + 1);
            let mut arguments = vec![
                "check",
                &file,
                "--bound",
                &bidders_bound,
                "--bound",
                &items_bound,
                "--timeout",
                &limit,
                "--format",
                "json",
            ];
            if *bidders > 1 {
                arguments.extend(["--readings", "one", "--bound", &processes]);
            }
            if *bidders == 2 {
                // With fewer it is not known that no queue grows without bound.
                arguments.extend(["--bound", "queue=14"]);
            }
            if *bidders > 2 {
                arguments.extend(REACHED.iter().flat_map(|name| ["--property", name]));
            }
            let mut best: Option<(f64, f64, Value)> = None;
            for _ in 0..runs {
                let ran = measure(&program, &arguments)?;
                let used = ran.processor_seconds.unwrap_or(ran.seconds);
                let report = serde_json::from_str::<Value>(&ran.out).unwrap_or_default();
                if best.as_ref().is_none_or(|(least, ..)| used < *least) {
                    best = Some((used, ran.seconds, report));
                }
            }
            let Some((used, clock, report)) = best else {
                continue;
            };
            let properties = report["files"][0]["properties"].as_array();
            let properties = properties.map(Vec::as_slice).unwrap_or_default();
            let unknown = properties
                .iter()
                .filter(|p| !matches!(p["verdict"].as_str(), Some("holds" | "fails")));
            let states = properties
                .iter()
                .filter_map(|p| p["statistics"]["states"].as_u64());
            let (count, unknown, states) =
                (properties.len(), unknown.count(), states.max().unwrap_or(0));
            let line = format!(
                "| {script} | {bidders} | {items} | {count} | {unknown} | {states} | {used:.1} | {clock:.1} |"
            );
            println!("{line}");
            writeln!(page, "{line}").expect("writing to a string succeeds");
        }
    }
    if write {
        let chore = made_by("bench tscript --write");
        let text = format!(
            "Whole process, all properties, best of {runs}; states of the largest search. One bidder: with \
             the other readings of what fails. Three: what can be reached, bidders exchanged."
        );
        section::put(
            "The ToolBus's auction",
            &format!("{chore} {text}\n\n{page}"),
        )?;
    }
    Ok(true)
}
