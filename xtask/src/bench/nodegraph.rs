//! `cargo xtask bench nodegraph`: scripts as large as those of the fifth paper's Table I, and larger
//! ones, from file to verdict.
//!
//! Each script is checked in both timings. Where `PROBITY_NUSMV` names NuSMV's program, it checks
//! our translation, plain and with the paper's two optimisations, and its verdicts have to be ours.

use std::fmt::Write as _;

use serde_json::Value;

use super::{made_by, release, section};
use crate::gen_nodegraph::{TABLE, Wanted, script};
use crate::measure::measure;

/// What one run gave.
struct Ran {
    /// Processor time, and time on the clock.
    seconds: f64,
    wall: f64,
    verdict: Option<bool>,
    states: u64,
}

/// Measures and prints a table; with `--write` puts it into the page of figures.
///
/// # Errors
/// If an option is unknown or a run fails.
pub(crate) fn run(options: &[&str]) -> Result<bool, String> {
    let mut runs = 3;
    let mut limit = "60".to_owned();
    let mut write = false;
    let mut program = None;
    let mut most = usize::MAX;
    let mut words = options.iter();
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or(format!("read the value of {word}"));
        match *word {
            "--write" => write = true,
            "--runs" => runs = value()?.parse().map_err(|_| "read --runs")?,
            "--limit" => limit = (*value()?).to_owned(),
            "--nodes" => most = value()?.parse().map_err(|_| "read --nodes")?,
            "--program" => program = Some((*value()?).to_owned()),
            _ => return Err(format!("read the option {word}")),
        }
    }
    let program = match program {
        Some(program) => program,
        None => release()?,
    };
    let nusmv = std::env::var("PROBITY_NUSMV").ok();
    let folder = std::env::temp_dir().join(format!("probity-nodegraph-{}", std::process::id()));
    std::fs::create_dir_all(&folder).map_err(|error| format!("make {folder:?}: {error}"))?;
    let mut page = String::from(
        "| script | nodes | verdict | states | s | s on the clock | mended, s | one step an edge, s | \
         NuSMV plain, s | NuSMV optimised, s |\n|---|---:|---|---:|---:|---:|---:|---:|---:|---:|\n",
    );
    let mut scripts: Vec<(String, Wanted)> = TABLE
        .iter()
        .enumerate()
        .map(|(at, wanted)| (format!("#{}", at + 1), *wanted))
        .collect();
    for (nodes, bug) in [
        (2_000, false),
        (2_000, true),
        (10_000, false),
        (10_000, true),
    ] {
        let wanted = Wanted {
            nodes,
            seed: 9,
            side: 12,
            length: 12,
            loops: true,
            bug,
        };
        scripts.push((
            format!("{nodes}{}", if bug { ", missing edge" } else { "" }),
            wanted,
        ));
    }
    scripts.retain(|(_, wanted)| wanted.nodes <= most);
    let mut same = true;
    for (name, wanted) in &scripts {
        let file = folder.join(format!(
            "{}{}.json",
            wanted.nodes,
            if wanted.bug { "-bug" } else { "" }
        ));
        let file = file.to_string_lossy().into_owned();
        std::fs::write(&file, script(wanted)).map_err(|error| format!("write {file}: {error}"))?;
        let mut best: Option<Ran> = None;
        for _ in 0..runs {
            let ran = ours(&program, &["check", &file, "--format", "json"])?;
            if best.as_ref().is_none_or(|best| ran.seconds < best.seconds) {
                best = Some(ran);
            }
        }
        let Some(own) = best else { continue };
        let mut cells = vec![format!("{:.3}", own.seconds), format!("{:.3}", own.wall)];
        cells.push(match wanted.bug {
            false => String::new(),
            true => {
                // The same without the fault: all is looked at, and no run is told.
                let mended = Wanted {
                    bug: false,
                    ..*wanted
                };
                let twin = format!("{file}.mended.json");
                std::fs::write(&twin, script(&mended))
                    .map_err(|error| format!("write {twin}: {error}"))?;
                let mut best = f64::INFINITY;
                for _ in 0..runs {
                    let ran = ours(&program, &["check", &twin, "--format", "json"])?;
                    best = best.min(ran.seconds);
                }
                format!("{best:.3}")
            }
        });
        let edges = [
            "check",
            &file,
            "--format",
            "json",
            "--timing",
            "edges",
            "--timeout",
            "60s",
        ];
        let edges = ours(&program, &edges)?;
        let mut verdicts = vec![own.verdict, edges.verdict];
        cells.push(match edges.verdict {
            None => "-".to_owned(),
            Some(_) => format!("{:.3}", edges.seconds),
        });
        for form in ["none", "all"] {
            let Some(nusmv) = nusmv.as_ref().filter(|_| wanted.nodes <= 2_000) else {
                cells.push(String::new());
                continue;
            };
            let model = format!("{file}.{form}.smv");
            let to = [
                "translate",
                &file,
                "--to",
                "smv",
                "--optimize",
                form,
                "-o",
                &model,
            ];
            measure(&program, &to)?;
            let measured = measure("timeout", &[&limit, nusmv, "-r", "-dcx", &model])?;
            let verdict = measured.out.lines().find_map(|line| {
                let word = line
                    .strip_prefix("-- specification")?
                    .trim_end()
                    .rsplit(" is ")
                    .next()?;
                word.parse::<bool>().ok()
            });
            verdicts.push(verdict);
            cells.push(match verdict {
                None => "-".to_owned(),
                Some(_) => format!("{:.2}", measured.user_seconds.unwrap_or(measured.seconds)),
            });
        }
        let known: Vec<bool> = verdicts.iter().copied().flatten().collect();
        if own.verdict.is_none() || known.contains(&wanted.bug) {
            same = false;
            println!("Different: {name}: {verdicts:?}");
        }
        let verdict = own
            .verdict
            .map_or("not known", |holds| if holds { "holds" } else { "fails" });
        let (states, cells) = (own.states, cells.join(" | "));
        let line = format!(
            "| {name} | {} | {verdict} | {states} | {cells} |",
            wanted.nodes
        );
        println!("{line}");
        writeln!(page, "{line}").expect("writing to a string succeeds");
    }
    let text = format!(
        "Whole process, processor seconds, best of {runs}. Where the script fails, its time is that of \
         the check and of the run that is told, on the whole script; *mended* is the check of the same script \
         with the line that is missing, without a run. NuSMV runs on our translation, without a \
         counterexample, {limit} s at most.\n"
    );
    println!("\n{text}");
    if write {
        let chore = made_by("bench nodegraph --write");
        section::put("Scripts of nodes", &format!("{chore} {text}\n{page}"))?;
    }
    let _ = std::fs::remove_dir_all(&folder);
    Ok(same)
}

fn ours(program: &str, arguments: &[&str]) -> Result<Ran, String> {
    let measured = measure(program, arguments)?;
    let report = serde_json::from_str::<Value>(&measured.out).unwrap_or_default();
    let property = &report["files"][0]["properties"][0];
    Ok(Ran {
        seconds: measured.user_seconds.unwrap_or(measured.seconds),
        wall: measured.seconds,
        verdict: match property["verdict"].as_str() {
            Some("holds") => Some(true),
            Some("fails") => Some(false),
            _ => None,
        },
        states: property["statistics"]["states"].as_u64().unwrap_or(0),
    })
}
