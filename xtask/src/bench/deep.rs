//! `cargo xtask bench deep`: failures that lie deep, beside SPIN's verifier.
//!
//! Each model fails at a depth that a breadth-first search does not come to, since there are very many
//! states that lie less deep. pan and `--engine dfs` go depth-first; the portfolio looks into the depth
//! now and then. Ours is the whole process, with the run replayed and told; pan's is the run of the
//! verifier, without the compiler, and without replaying its trail.

use std::fmt::Write as _;
use std::path::Path;

use serde_json::Value;

use super::pan::{PLAIN, Pan, Recipe};
use super::{families, made_by, release, section};
use crate::measure::{Measured, measure};

/// The limit of `--engine dfs`.
const DFS: &str = "60s";

/// A model: its name, its text, the property, what pan needs, and how deep it may go.
struct Model {
    name: &'static str,
    text: String,
    property: &'static str,
    pan: &'static str,
}

fn models() -> Vec<Model> {
    vec![
        Model {
            name: "together 1,320, assertion",
            text: families::together(4, 330, false),
            property: "assertions",
            pan: "-m10000",
        },
        Model {
            name: "together 1,320, `[] !all`",
            text: families::together(4, 330, true),
            property: "never_all",
            pan: "-m10000",
        },
        Model {
            name: "transfer of 48,000",
            text: families::transfer(48_000),
            property: "assertions",
            pan: "-m10000000",
        },
        Model {
            name: "counted 240,000",
            text: families::counted(240_000),
            property: "assertions",
            pan: "-m1000000",
        },
        Model {
            name: "counted 2,000,000",
            text: families::counted(2_000_000),
            property: "assertions",
            pan: "-m10000000",
        },
    ]
}

/// Measures and prints a table; with `--write` puts it into the page of figures.
///
/// # Errors
/// If an option is unknown, SPIN is not installed, pan does not find a failure, or `--engine dfs` says that
/// there is none.
pub(crate) fn run(options: &[&str]) -> Result<bool, String> {
    let (mut limit, mut write, mut program) = ("60s".to_owned(), false, None);
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
    let mut page = String::from(
        "| model | pan: depth | states | s | MB | `--engine dfs`: steps | states | s | MB | pan's time by ours \
         | portfolio: steps | states | s | MB |\n\
         |---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n",
    );
    print!("{page}");
    let folder = std::env::temp_dir().join(format!("probity-bench-deep-{}", std::process::id()));
    std::fs::create_dir_all(&folder).map_err(|error| format!("make a folder: {error}"))?;
    let mut lines = Vec::new();
    for (number, model) in models().iter().enumerate() {
        let line = row(
            model,
            &folder.join(format!("{number}.pml")),
            &program,
            &limit,
        )?;
        println!("{line}");
        lines.push(line);
    }
    drop(std::fs::remove_dir_all(&folder));
    for line in lines {
        writeln!(page, "{line}").expect("writing to a string succeeds");
    }
    if write {
        let chore = made_by(&format!("bench deep --limit {limit} --write"));
        let text = format!(
            "The failure of each model lies so deep, with very many states less deep: four counters that go on \
             in turns of their own; the alternating bit protocol until 48,000 messages have arrived, beside three \
             clocks; a counter beside three clocks. `pan` with its partial-order reduction, the verifier's run \
             alone (`spin -a` and `gcc -O3` come before it); ours from file to verdict with the \
             run replayed. Seconds are those of processors. The portfolio has at most {limit}, `--engine dfs` {DFS}. \
             Which way is taken first in the protocol depends on the reduction: pan's goes straight to the failure, \
             ours does not come to it."
        );
        section::put(
            "Deep failures, beside SPIN",
            &format!("{chore} {text}\n\n{page}"),
        )?;
    }
    Ok(true)
}

fn row(model: &Model, file: &Path, program: &str, limit: &str) -> Result<String, String> {
    std::fs::write(file, &model.text).map_err(|error| format!("write a model: {error}"))?;
    let is_formula = model.text.contains("ltl ");
    let safety: &[&str] = if is_formula { &[] } else { &["-DSAFETY"] };
    let gcc = [&["-O3", "-march=native"][..], safety].concat();
    // Ends that are not valid are another property of ours.
    let recipe = Recipe {
        spin: &PLAIN[..0],
        gcc: &gcc,
        pan: &["-E", model.pan],
    };
    let pan = Pan::make(file, recipe)?;
    let theirs = pan.run(recipe)?;
    if theirs.errors == 0 {
        return Err(format!("{}: pan finds no failure", model.name));
    }
    let depth = theirs.measured.out.split_once("(at depth ");
    let depth = depth.and_then(|(_, rest)| rest.split_once(')'));
    let depth = depth.map_or("-", |(depth, _)| depth);
    let path = file.to_string_lossy();
    let check = |more: &[&str]| -> Result<(Measured, Value), String> {
        let mut arguments = vec!["check", &*path, "--property", model.property];
        arguments.extend(["--format", "json", "--memory", "4G"]);
        arguments.extend(more);
        let measured = measure(program, &arguments)?;
        let report: Value = serde_json::from_str(&measured.out)
            .map_err(|error| format!("{}: read the report: {error}", model.name))?;
        Ok((measured, report["files"][0]["properties"][0].clone()))
    };
    let (deep, found) = check(&["--engine", "dfs", "--timeout", DFS])?;
    if !["fails", "not-known"].contains(&found["verdict"].as_str().unwrap_or_default()) {
        return Err(format!("{}: no failure is found: {found}", model.name));
    }
    let (all, portfolio) = check(&["--timeout", limit])?;
    let used = |measured: &Measured| measured.processor_seconds.unwrap_or(measured.seconds);
    let megabytes = |measured: &Measured| {
        let bytes = measured.peak_bytes.map(|bytes| bytes.div_ceil(1 << 20));
        bytes.map_or("-".to_owned(), |bytes| bytes.to_string())
    };
    let steps = |found: &Value| {
        let steps = found["story"]["steps"].as_array();
        let last = steps.and_then(|steps| steps.last()?["number"].as_u64());
        last.map_or("not found".to_owned(), |steps| steps.to_string())
    };
    // How many times as long the one takes is known only where both find it.
    let ratio = match found["verdict"] == "fails" {
        true => format!("{:.2}", used(&theirs.measured) / used(&deep)),
        false => "-".to_owned(),
    };
    let states = |found: &Value| found["statistics"]["states"].clone();
    Ok(format!(
        "| {} | {depth} | {} | {:.2} | {} | {} | {} | {:.2} | {} | {ratio} | {} | {} | {:.2} | {} |",
        model.name,
        theirs.states,
        used(&theirs.measured),
        megabytes(&theirs.measured),
        steps(&found),
        states(&found),
        used(&deep),
        megabytes(&deep),
        steps(&portfolio),
        states(&portfolio),
        used(&all),
        megabytes(&all),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_model_asks_what_it_is_said_to_ask() {
        for model in models() {
            let is_formula = model.property == "never_all";
            assert_eq!(model.text.contains("ltl never_all"), is_formula);
            assert_eq!(model.text.contains("assert("), !is_formula);
        }
    }
}
