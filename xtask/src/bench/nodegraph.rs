//! `cargo xtask bench nodegraph`: scripts as large as those of the fifth paper's Table I, and larger
//! ones, from file to verdict.
//!
//! Each script is checked in both timings. Where `PROBITY_NUSMV` names NuSMV's program, it checks
//! our translation, plain and with the paper's two optimisations, and its verdicts have to be ours.

use std::fmt::Write as _;
use std::path::Path;

use serde_json::Value;

use super::{made_by, release, section};
use crate::gen_nodegraph::{TABLE, Wanted, script};
use crate::measure::measure;
use crate::workspace::root;

/// What one run gave.
struct Ran {
    /// Processor time, and time on the clock.
    seconds: f64,
    wall: f64,
    /// Whether each property holds, in their order, where that is known.
    verdicts: Vec<Option<bool>>,
    states: u64,
}

impl Ran {
    fn verdict(&self) -> Option<bool> {
        self.verdicts.first().copied().flatten()
    }
}

/// What is wanted.
struct Options {
    runs: usize,
    /// Processor seconds for NuSMV, and for one step an edge.
    limit: u32,
    write: bool,
    /// The most nodes.
    most: usize,
    program: String,
    nusmv: Option<String>,
}

impl Options {
    fn read(words: &[&str]) -> Result<Options, String> {
        let mut options = Options {
            runs: 3,
            limit: 20,
            write: false,
            most: usize::MAX,
            program: String::new(),
            nusmv: std::env::var("PROBITY_NUSMV").ok(),
        };
        let mut words = words.iter();
        while let Some(word) = words.next() {
            let mut value = || words.next().ok_or(format!("read the value of {word}"));
            match *word {
                "--write" => options.write = true,
                "--runs" => options.runs = value()?.parse().map_err(|_| "read --runs")?,
                "--limit" => options.limit = value()?.parse().map_err(|_| "read --limit")?,
                "--nodes" => options.most = value()?.parse().map_err(|_| "read --nodes")?,
                "--program" => options.program = (*value()?).to_owned(),
                _ => return Err(format!("read the option {word}")),
            }
        }
        if options.program.is_empty() {
            options.program = release()?;
        }
        Ok(options)
    }
}

/// Measures and prints a table; with `--write` puts it into the page of figures.
///
/// # Errors
/// If an option is unknown or a run fails.
pub(crate) fn run(words: &[&str]) -> Result<bool, String> {
    let options = Options::read(words)?;
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
        (3_000, false),
        (3_000, true),
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
    scripts.retain(|(_, wanted)| wanted.nodes <= options.most);
    let mut same = true;
    for (name, wanted) in &scripts {
        let (line, agrees) = row(name, wanted, &options, &folder)?;
        println!("{line}");
        writeln!(page, "{line}").expect("writing to a string succeeds");
        same &= agrees;
    }
    let mut text = format!(
        "Whole process, processor seconds, best of {}. Where the script fails, its time is that of \
         the check and of the run that is told, on the whole script; *mended* is the check of the same script \
         with the line that is missing, without a run. NuSMV runs on our translation, without a \
         counterexample, and so does one step an edge: {} s of processor time at most.",
        options.runs, options.limit
    );
    if options.nusmv.is_some() {
        let (compared, agree) = examples(&options, &folder)?;
        same &= agree;
        let said = match agree {
            true => "all the same",
            false => "not all the same",
        };
        write!(
            text,
            " On the examples, one step an edge, NuSMV and we have been compared on {compared} properties and \
             checks: {said}."
        )
        .expect("writing to a string succeeds");
    }
    println!("\n{text}");
    if options.write {
        let chore = made_by("bench nodegraph --write");
        section::put("Scripts of nodes", &format!("{chore} {text}\n\n{page}"))?;
    }
    let _ = std::fs::remove_dir_all(&folder);
    Ok(same)
}

/// The row of one script; whether all verdicts in it are the one that is right.
fn row(
    name: &str,
    wanted: &Wanted,
    options: &Options,
    folder: &Path,
) -> Result<(String, bool), String> {
    let bug = if wanted.bug { "-bug" } else { "" };
    let file = folder.join(format!("{}{bug}.json", wanted.nodes));
    let file = file.to_string_lossy().into_owned();
    std::fs::write(&file, script(wanted)).map_err(|error| format!("write {file}: {error}"))?;
    let own = best(options, &file)?;
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
            format!("{:.3}", best(options, &twin)?.seconds)
        }
    });
    let slow = format!("> {}", options.limit);
    let edges = by_edges(options, &file)?;
    let mut verdicts = vec![own.verdict(), edges.verdict()];
    cells.push(match edges.verdict() {
        None => slow.clone(),
        Some(_) => format!("{:.3}", edges.seconds),
    });
    for form in ["none", "all"] {
        let Some(nusmv) = &options.nusmv else {
            cells.push(String::new());
            continue;
        };
        let theirs = by_nusmv(options, nusmv, &file, form)?;
        let verdict = theirs.as_ref().and_then(|theirs| theirs.verdict());
        verdicts.push(verdict);
        cells.push(match (theirs, verdict) {
            (Some(theirs), Some(_)) => format!("{:.2}", theirs.seconds),
            _ => slow.clone(),
        });
    }
    let known: Vec<bool> = verdicts.iter().copied().flatten().collect();
    let agrees = own.verdict().is_some() && !known.contains(&wanted.bug);
    if !agrees {
        println!("Different: {name}: {verdicts:?}");
    }
    let verdict = own
        .verdict()
        .map_or("not known", |holds| if holds { "holds" } else { "fails" });
    let line = format!(
        "| {name} | {} | {verdict} | {} | {} |",
        wanted.nodes,
        own.states,
        cells.join(" | ")
    );
    Ok((line, agrees))
}

/// NuSMV and we, one step an edge, on everything that is claimed of the examples: how many claims were
/// compared, and whether all are answered alike.
fn examples(options: &Options, folder: &Path) -> Result<(usize, bool), String> {
    let Some(nusmv) = &options.nusmv else {
        return Ok((0, true));
    };
    let (mut compared, mut same) = (0, true);
    for example in [
        "event-mode/bug",
        "event-mode/fixed",
        "quest/quest",
        "elevator/elevator",
        "boss-fight/boss-fight",
        "dialogue/dialogue",
    ] {
        let original = root().join(format!("examples/nodegraph/{example}.json"));
        let name = example.replace('/', "-");
        let file = folder.join(format!("{name}.json"));
        std::fs::copy(&original, &file).map_err(|error| format!("copy {original:?}: {error}"))?;
        let file = file.to_string_lossy().into_owned();
        let ours = by_edges(options, &file)?;
        for form in ["none", "all"] {
            let Some(theirs) = by_nusmv(options, nusmv, &file, form)? else {
                println!("{example}, {form}: NuSMV did not end");
                continue;
            };
            let pairs = ours.verdicts.iter().zip(&theirs.verdicts);
            let said = pairs.filter(|(ours, theirs)| ours.is_some() && theirs.is_some());
            compared += said.clone().count();
            if said.clone().any(|(ours, theirs)| ours != theirs) {
                same = false;
                println!(
                    "Different: {example}, {form}: {:?} and NuSMV's {:?}",
                    ours.verdicts, theirs.verdicts
                );
            }
        }
    }
    Ok((compared, same))
}

/// Our time, best of some runs.
fn best(options: &Options, file: &str) -> Result<Ran, String> {
    let mut best = ours(&options.program, &["check", file, "--format", "json"])?;
    for _ in 1..options.runs {
        let ran = ours(&options.program, &["check", file, "--format", "json"])?;
        if ran.seconds < best.seconds {
            best = ran;
        }
    }
    Ok(best)
}

fn by_edges(options: &Options, file: &str) -> Result<Ran, String> {
    let limit = format!("{}s", options.limit);
    let edges = ["--timing", "edges", "--timeout", &limit];
    let arguments = [&["check", file, "--format", "json"][..], &edges].concat();
    ours(&options.program, &arguments)
}

/// What NuSMV says of our translation; nothing if it does not end in time. What a comment of the
/// translation leaves out is left out.
fn by_nusmv(options: &Options, nusmv: &str, file: &str, form: &str) -> Result<Option<Ran>, String> {
    let model = format!("{file}.{form}.smv");
    let to = [
        "translate",
        file,
        "--to",
        "smv",
        "--optimize",
        form,
        "-o",
        &model,
    ];
    measure(&options.program, &to)?;
    let text = std::fs::read_to_string(&model).map_err(|error| format!("read {model}: {error}"))?;
    let is_claim = |line: &&str| {
        let words = ["CTLSPEC ", "LTLSPEC ", "INVARSPEC "];
        words.iter().any(|word| line.starts_with(word))
    };
    let lines: Vec<&str> = text.lines().collect();
    let model_alone: Vec<&str> = lines
        .iter()
        .copied()
        .filter(|line| !is_claim(line))
        .collect();
    let (mut seconds, mut verdicts) = (0.0, Vec::new());
    for line in lines {
        if line.starts_with("-- ") && line.contains(": left out, for ") {
            verdicts.push(None);
        }
        if !is_claim(&line) {
            continue;
        }
        // NuSMV answers in an order of its own, so it is asked one thing at a time.
        let one = format!("{}\n{line}\n", model_alone.join("\n"));
        std::fs::write(&model, one).map_err(|error| format!("write {model}: {error}"))?;
        let arguments = ["-r", "-dcx", &model];
        let (took, ended, out) =
            super::nusmv::limited(options.limit, "unlimited", nusmv, &arguments)?;
        if !ended {
            return Ok(None);
        }
        seconds += took;
        let said = out
            .lines()
            .filter(|line| line.starts_with("-- specification") || line.starts_with("-- invariant"))
            .find_map(|line| line.trim_end().rsplit(" is ").next()?.parse().ok());
        verdicts.push(said);
    }
    Ok(Some(Ran {
        seconds,
        wall: seconds,
        verdicts,
        states: 0,
    }))
}

fn ours(program: &str, arguments: &[&str]) -> Result<Ran, String> {
    let measured = measure(program, arguments)?;
    let report = serde_json::from_str::<Value>(&measured.out).unwrap_or_default();
    let properties = report["files"][0]["properties"].as_array();
    let properties: &[Value] = properties.map_or(&[], Vec::as_slice);
    let verdict = |property: &Value| match property["verdict"].as_str() {
        // SMV cannot say what a claim is about.
        Some("holds" | "vacuous") => Some(true),
        Some("fails") => Some(false),
        _ => None,
    };
    let first = properties.first();
    Ok(Ran {
        seconds: measured.processor_seconds.unwrap_or(measured.seconds),
        wall: measured.seconds,
        verdicts: properties.iter().map(verdict).collect(),
        states: first.map_or(0, |one| one["statistics"]["states"].as_u64().unwrap_or(0)),
    })
}
