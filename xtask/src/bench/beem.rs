//! `cargo xtask bench beem`: Promela models below some folders, explored by SPIN's verifier and by us.
//!
//! For the models of BEEM, R. Pelánek, *BEEM: Benchmarks for Explicit Model Checkers* (SPIN 2007), or
//! others that nobody here wrote. Each is explored twice by either: state by state without reductions
//! and behind errors, where the numbers of states have to be equal, and as either does it when nothing
//! is said, up to the first error if there is one. One run each, on one thread. Times are the processor
//! time of whole processes, for pan without the compiler.

use std::fmt::Write as _;
use std::path::Path;

use serde_json::Value;

use super::pan::{PLAIN, Pan, Recipe};
use super::{OnFolders, files_below, made_by, section};
use crate::measure::{Measured, measure};

/// How the names of models end.
const ENDINGS: [&str; 4] = ["pm", "pml", "prom", "promela"];

/// Seconds of pan from which on a ratio says something: its table of 2^24 entries alone takes 0.3 s.
const NOTICEABLE: f64 = 0.5;

/// pan goes as deep as it has to.
const PAN: [&str; 2] = ["-m10000000", "-w24"];

/// A search to its end.
struct Explored {
    states: u64,
    seconds: f64,
}

/// Theirs and ours.
type Pair = (Explored, Explored);

/// What became of one model, in full and reduced.
struct Row {
    name: String,
    full: Pair,
    reduced: Pair,
}

/// The rows on which pan takes long enough, with one of their pairs.
fn noticeable(rows: &[Row], which: fn(&Row) -> &Pair) -> Vec<(&Row, &Pair)> {
    let pairs = rows.iter().map(|row| (row, which(row)));
    pairs
        .filter(|(_, (theirs, _))| theirs.seconds >= NOTICEABLE)
        .collect()
}

/// Measures and prints a table; with `--write` puts it into the page of figures.
///
/// # Errors
/// If an option is unknown, SPIN is not installed, or no model is explored by both.
pub(crate) fn run(options: &[&str]) -> Result<bool, String> {
    let OnFolders {
        folders,
        limit,
        write,
        program,
    } = OnFolders::read(options, 60)?;
    let (mut rows, mut left_out) = (Vec::new(), 0);
    for ending in ENDINGS {
        for (name, model) in files_below(&folders, ending)? {
            match both(&model, &program, limit) {
                Ok((full, reduced)) => {
                    let row = Row {
                        name,
                        full,
                        reduced,
                    };
                    println!("{}", line(&row));
                    rows.push(row);
                }
                Err(why) => {
                    left_out += 1;
                    println!("left out: {name}: {why}");
                }
            }
        }
    }
    if rows.is_empty() {
        return Err("find Promela models that both explore: name a folder of them".to_owned());
    }
    let equal = rows
        .iter()
        .all(|row| row.full.0.states == row.full.1.states);
    let text = page(&rows, left_out, limit);
    println!("\n{text}");
    if write {
        let chore = made_by(&format!("bench beem --limit {limit} --write DIR..."));
        section::put("Models of BEEM, beside SPIN", &format!("{chore} {text}"))?;
    }
    Ok(equal)
}

/// A model explored by both, without reductions and with them.
fn both(model: &Path, program: &str, limit: u32) -> Result<(Pair, Pair), String> {
    let theirs = |spin: &[&str], gcc: &[&str], more: &[&str]| {
        let pan = [&PAN[..], more].concat();
        let recipe = Recipe {
            spin,
            gcc,
            pan: &pan,
        };
        // What SPIN and pan have to say is for those who know the model.
        let made = Pan::make(model, recipe).map_err(|_| "SPIN refuses it")?;
        let found = made.run_within(recipe, limit);
        let found = found.map_err(|_| format!("pan does not end within {limit} s and 16 GB"))?;
        Ok::<_, String>(explored(&found.measured, found.states))
    };
    let gcc = ["-O3", "-march=native", "-DSAFETY", "-DNOCLAIM"];
    let whole = [&gcc[..], &["-DNOREDUCE"]].concat();
    let full = theirs(PLAIN, &whole, &["-c0"])?;
    let plain = ["--all-errors", "--passes", "none", "--reduce", "none"];
    let ours_full = ours(model, program, &plain)?;
    let reduced = theirs(&[], &gcc, &[])?;
    let ours_reduced = ours(model, program, &[])?;
    Ok(((full, ours_full), (reduced, ours_reduced)))
}

fn explored(measured: &Measured, states: u64) -> Explored {
    let seconds = measured.processor_seconds.unwrap_or(measured.seconds);
    Explored { states, seconds }
}

fn ours(model: &Path, program: &str, more: &[&str]) -> Result<Explored, String> {
    let model = model.to_string_lossy();
    let mut arguments = vec!["check", &*model, "--language", "promela", "--format"];
    arguments.extend(["json", "--no-cache", "--memory", "16G", "--jobs", "1"]);
    arguments.extend(["--engine", "explicit", "--property", "deadlock"]);
    arguments.extend(more);
    let measured = measure(program, &arguments)?;
    let report: Value = serde_json::from_str(&measured.out).unwrap_or_default();
    let property = &report["files"][0]["properties"][0];
    match property["verdict"].as_str() {
        Some("holds" | "fails") => {
            let states = property["statistics"]["states"].as_u64();
            Ok(explored(&measured, states.unwrap_or(0)))
        }
        Some(_) => Err("we do not come to an end".to_owned()),
        None => Err("we refuse it".to_owned()),
    }
}

/// How many times as many states a second ours goes through as theirs does.
fn ratio((theirs, ours): &Pair) -> f64 {
    let speed = |one: &Explored| one.states as f64 / one.seconds.max(0.01);
    speed(ours) / speed(theirs)
}

/// How many times as fast ours is.
fn gain((theirs, ours): &Pair) -> f64 {
    theirs.seconds.max(0.01) / ours.seconds.max(0.01)
}

fn line(row: &Row) -> String {
    let (full, reduced) = (&row.full, &row.reduced);
    let differs = match full.0.states == full.1.states {
        true => String::new(),
        false => format!(" (ours {})", full.1.states),
    };
    format!(
        "| {} | {}{differs} | {:.2} | {:.2} | {:.1} | {} | {:.2} | {} | {:.2} | {:.1} |",
        row.name,
        full.0.states,
        full.0.seconds,
        full.1.seconds,
        ratio(full),
        reduced.0.states,
        reduced.0.seconds,
        reduced.1.states,
        reduced.1.seconds,
        gain(reduced)
    )
}

fn page(rows: &[Row], left_out: usize, limit: u32) -> String {
    let (full, reduced) = (
        noticeable(rows, |row| &row.full),
        noticeable(rows, |row| &row.reduced),
    );
    let mean = |all: &[(&Row, &Pair)], of: fn(&Pair) -> f64| {
        let logs = all.iter().map(|(_, pair)| of(pair).ln());
        (logs.sum::<f64>() / all.len().max(1) as f64).exp()
    };
    let slowest = full
        .iter()
        .min_by(|(_, a), (_, b)| ratio(a).total_cmp(&ratio(b)));
    let mut text = format!(
        "`pan` of `gcc -O3 -march=native -DSAFETY -DNOCLAIM` against `probity check --engine explicit --property \
         deadlock --jobs 1`. For *all states* with `-DNOREDUCE`, of `spin -o1 -o2 -o3`, and with `-c0`, against \
         `--passes none --reduce none --all-errors`; *reduced* ends at the first error. One run each; seconds are those of the processor. {} \
         models are explored by both within {limit} s of pan; {left_out} are left out. Of {} on which pan takes \
         {NOTICEABLE} s or more, we go through {:.1} times as many states a second (geometric mean)",
        rows.len(),
        full.len(),
        mean(&full, ratio),
    );
    if let Some((slowest, pair)) = slowest {
        write!(text, ", least on {} ({:.1})", slowest.name, ratio(pair))
            .expect("writing to a string succeeds");
    }
    writeln!(
        text,
        ". Of {} on which its reduced search does, ours takes 1/{:.1} of its time.\n\n\
         | model | all states | pan, s | ours, s | states/s, ours by pan's | reduced: pan, states | s | ours, \
         states | s | pan's time by ours |\n\
         |---|---:|---:|---:|---:|---:|---:|---:|---:|---:|",
        reduced.len(),
        mean(&reduced, gain)
    )
    .expect("writing to a string succeeds");
    for row in rows {
        text.push_str(&line(row));
        text.push('\n');
    }
    text
}
