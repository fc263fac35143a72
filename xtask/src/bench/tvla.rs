//! `cargo xtask bench tvla`: models of TVLA's tree, ours beside TVLA's figures.
//!
//! `PROBITY_TVLA` names TVLA's tree, from which the models are copied. The released program cannot
//! load its models of threads (a predicate with parameters ends in a `ClassCastException`), so that
//! its figures are recorded ones, of that program with this mended, on a machine like ours; where
//! `lib/tvla.jar` can load a model, it is run instead. Ours are structures that are joined as TVLA's
//! default join does, or kept one by one (the relational join) where that says more.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::{made_by, release, section};
use crate::measure::measure;
use crate::workspace::root;

/// What TVLA took for a model.
struct Recorded {
    /// Below `examples/concurrent`, without suffix.
    model: &'static str,
    /// The initial structure, where it is that of another model.
    input: Option<&'static str>,
    /// A line of the initial structure that TVLA cannot load.
    without: Option<&'static str>,
    /// Structures, seconds and megabytes with the default join.
    partial: (u64, f64, u64),
    /// Structures and seconds with the relational join, where they were taken.
    relational: Option<(u64, Option<f64>)>,
}

const fn recorded(model: &'static str, partial: (u64, f64, u64)) -> Recorded {
    Recorded {
        model,
        input: None,
        without: None,
        partial,
        relational: None,
    }
}

/// The models that took TVLA more than a second.
const MODELS: &[Recorded] = &[
    Recorded {
        relational: Some((1_681, Some(14.5))),
        ..recorded("mutex/tmutex_bug2", (121, 2.3, 236))
    },
    Recorded {
        relational: Some((942, Some(1.9))),
        ..recorded("twolockq/twolockq", (422, 2.2, 228))
    },
    recorded("twolockq/twolockq_err2", (1_040, 4.0, 337)),
    Recorded {
        relational: Some((1_380, Some(12.1))),
        ..recorded("readers_writers/problem1", (175, 3.5, 304))
    },
    recorded("readers_writers/bounded/problem1", (2_767, 26.0, 872)),
    Recorded {
        without: Some("t[successor]"),
        ..recorded("readers_writers/problem2", (1_124, 23.9, 385))
    },
    Recorded {
        relational: Some((1_757, Some(5.2))),
        ..recorded("apprentice/apprentice", (283, 4.2, 300))
    },
    Recorded {
        input: Some("apprentice/apprentice"),
        ..recorded("apprentice/apprentice_err", (15_376, 150.0, 1_633))
    },
    recorded("interference/intsyncstack", (79, 2.3, 129)),
];

struct Options<'a> {
    runs: usize,
    limit: &'a str,
    write: bool,
    program: String,
    only: Vec<&'a str>,
}

/// What a run of ours gave.
struct Ours {
    structures: u64,
    /// Processor time of the whole check: others who use the machine do not count.
    seconds: f64,
    /// The search that does what TVLA's default join does: structures and seconds of wall time. Where
    /// only runs are asked for, there is none.
    joined: Option<(u64, f64)>,
    megabytes: u64,
    /// The verdicts with how often each was given, and whether the work on all came to an end. It did for
    /// what is possible, too: all structures were found, or enough of them to say that.
    verdicts: String,
    ended: bool,
}

/// Measures and prints a table; with `--write` puts it into the page of figures.
///
/// # Errors
/// If an option is unknown, TVLA's tree is not there, or a run fails.
pub(crate) fn run(options: &[&str]) -> Result<bool, String> {
    let options = parse(options)?;
    let tree = std::env::var("PROBITY_TVLA")
        .map_err(|_| "find the models: PROBITY_TVLA names TVLA's tree".to_owned())?;
    let tree = PathBuf::from(tree);
    let models = copied(&tree)?;
    let mut page = String::from(
        "| model | verdicts | structures | s | joined | s | MB | TVLA: structures | s | MB | whole check, times faster | same search, times faster | part of the memory |\n\
         |---|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n",
    );
    for one in MODELS {
        if !options.only.is_empty() && !options.only.iter().any(|only| one.model.contains(only)) {
            continue;
        }
        let own = ours(&options, &models, one)?;
        let line = row(one, &own, peer(&tree, &models, one)?);
        println!("{line}");
        writeln!(page, "{line}").expect("writing to a string succeeds");
    }
    if options.write {
        let chore = made_by("bench tvla --write");
        let text = format!(
            "{chore} Best of {}. Times are processor time of the whole check: reading, exploration, audit, runs that fail; where joined structures leave something open, it goes on with structures that are kept \
             one by one. *Joined* is the search that does what TVLA does, structures and wall time, and *same search* \
             compares it with TVLA's analysis time. TVLA's \
             figures: with its default join, recorded (with the relational join in parentheses), or of \
             the program where it loads the model (marked *).",
            options.runs
        );
        section::put("TVLA's models of threads", &format!("{text}\n\n{page}"))?;
    }
    Ok(true)
}

fn parse<'a>(words: &[&'a str]) -> Result<Options<'a>, String> {
    let mut options = Options {
        runs: 3,
        limit: "60s",
        write: false,
        program: String::new(),
        only: Vec::new(),
    };
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or(format!("read the value of {word}"));
        match *word {
            "--write" => options.write = true,
            "--runs" => options.runs = value()?.parse().map_err(|_| "read --runs")?,
            "--limit" => options.limit = value()?,
            "--program" => options.program = (*value()?).to_owned(),
            "--only" => options.only.push(value()?),
            other => return Err(format!("read the option {other}")),
        }
    }
    if options.write && !options.only.is_empty() {
        return Err("the page is not written with --only: its table is whole".to_owned());
    }
    if options.program.is_empty() {
        options.program = release()?;
    }
    Ok(options)
}

/// The models in a folder of our own, with the initial structures that belong to them.
fn copied(tree: &Path) -> Result<PathBuf, String> {
    let to = root().join("target/tvla");
    copy(&tree.join("examples/concurrent"), &to)?;
    for one in MODELS {
        let file = |model: &str| to.join(format!("{model}.tvs"));
        let from = file(one.input.unwrap_or(one.model));
        let told = |error: std::io::Error| format!("copy {}: {error}", from.display());
        let text = std::fs::read_to_string(&from).map_err(told)?;
        let keeps = |line: &&str| one.without.is_none_or(|left| !line.contains(left));
        let lines: Vec<&str> = text.lines().filter(keeps).collect();
        std::fs::write(file(one.model), lines.join("\n")).map_err(told)?;
    }
    Ok(to)
}

fn copy(from: &Path, to: &Path) -> Result<(), String> {
    let told = |error: std::io::Error| format!("copy {}: {error}", from.display());
    std::fs::create_dir_all(to).map_err(told)?;
    for entry in std::fs::read_dir(from).map_err(told)? {
        let entry = entry.map_err(told)?;
        let (path, to) = (entry.path(), to.join(entry.file_name()));
        match path.is_dir() {
            true => copy(&path, &to)?,
            false => drop(std::fs::copy(&path, &to).map_err(told)?),
        }
    }
    Ok(())
}

fn ours(options: &Options<'_>, models: &Path, one: &Recorded) -> Result<Ours, String> {
    let file = models.join(format!("{}.tvm", one.model));
    let file = file.to_string_lossy();
    let arguments = ["check", &*file, "--timeout", options.limit];
    let arguments = [&arguments[..], &["--format", "json"]].concat();
    let mut best: Option<Ours> = None;
    for _ in 0..options.runs.max(1) {
        let ran = measure(&options.program, &arguments)?;
        let report = serde_json::from_str::<Value>(&ran.out).unwrap_or_default();
        let properties = report["files"][0]["properties"].as_array();
        let properties = properties.map(Vec::as_slice).unwrap_or_default();
        if properties.is_empty() {
            return Err(format!("check {file}: it has no properties"));
        }
        let figures = properties.iter().map(|one| &one["statistics"]);
        let mut searches = figures
            .clone()
            .filter_map(|one| one["explorations"].as_array())
            .flatten();
        let joined = searches.find(|one| one["how"] == "joined");
        let joined =
            joined.and_then(|one| Some((one["states"].as_u64()?, one["seconds"].as_f64()?)));
        let structures = figures.filter_map(|one| one["states"].as_u64());
        let all = properties.iter().filter_map(|one| one["verdict"].as_str());
        let mut verdicts: Vec<(&str, usize)> = Vec::new();
        for verdict in all {
            match verdicts.iter_mut().find(|(known, _)| *known == verdict) {
                Some((_, count)) => *count += 1,
                None => verdicts.push((verdict, 1)),
            }
        }
        let verdicts = verdicts
            .iter()
            .map(|(name, count)| format!("{count} {name}"));
        let verdicts: Vec<String> = verdicts.collect();
        let next = Ours {
            structures: structures.max().unwrap_or(0),
            seconds: ran.processor_seconds.unwrap_or(ran.seconds),
            joined,
            megabytes: ran.peak_bytes.unwrap_or(0).div_ceil(1 << 20),
            ended: verdicts.iter().all(|one| !one.ends_with("not-known")),
            verdicts: verdicts.join(", "),
        };
        if best.as_ref().is_none_or(|best| next.seconds < best.seconds) {
            best = Some(next);
        }
    }
    best.ok_or_else(|| format!("check {file}"))
}

/// Structures, seconds and megabytes of TVLA's program, if it loads the model.
fn peer(tree: &Path, models: &Path, one: &Recorded) -> Result<Option<(u64, f64, u64)>, String> {
    let jar = tree.join("lib/tvla.jar");
    if !jar.is_file() {
        return Ok(None);
    }
    let path = models.join(one.model);
    let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else {
        return Ok(None);
    };
    let script = "cd \"$0\" && exec java -Xmx1500m -Dtvla.home=\"$1\" -jar \"$2\" \"$3\" 2>&1";
    let (folder, tree) = (folder.to_string_lossy(), tree.to_string_lossy());
    let (jar, name) = (jar.to_string_lossy(), name.to_string_lossy());
    let ran = measure("sh", &["-c", script, &*folder, &*tree, &*jar, &*name])?;
    if !ran.out.contains("Total number of messages") {
        return Ok(None);
    }
    let figure = |before: &str| {
        let line = ran.out.lines().find(|line| line.contains(before))?;
        let words = line.split(|c: char| !c.is_ascii_digit() && c != '.');
        words.filter_map(|word| word.parse::<f64>().ok()).next()
    };
    let structures = figure("Total number of structures").unwrap_or(0.0);
    let seconds = figure("Total analysis time").unwrap_or(ran.seconds);
    let megabytes = ran.peak_bytes.unwrap_or(0).div_ceil(1 << 20);
    Ok(Some((structures as u64, seconds, megabytes)))
}

fn row(one: &Recorded, own: &Ours, measured: Option<(u64, f64, u64)>) -> String {
    let (structures, seconds, megabytes) = measured.unwrap_or(one.partial);
    let (mut kept, mut took) = (structures.to_string(), format!("{seconds:.1}"));
    if measured.is_some() {
        took.push('*');
    }
    if let Some((all, time)) = one.relational {
        write!(kept, " ({all})").expect("writing to a string succeeds");
        if let Some(time) = time {
            write!(took, " ({time:.1})").expect("writing to a string succeeds");
        }
    }
    let times = format!("{:.0}", seconds / own.seconds.max(0.001));
    let (joined, search) = own.joined.unzip();
    let joined = joined.map_or_else(String::new, |count: u64| count.to_string());
    let alone = search.map_or_else(String::new, |took| {
        format!("{:.0}", seconds / took.max(0.001))
    });
    let search = search.map_or_else(String::new, |took: f64| format!("{took:.3}"));
    let more = if own.ended { "" } else { "> " };
    format!(
        "| {} | {} | {more}{} | {:.2} | {joined} | {search} | {} | {kept} | {took} | {megabytes} | {} | {} | {:.2} |",
        one.model,
        own.verdicts,
        own.structures,
        own.seconds,
        own.megabytes,
        if own.ended { &times } else { "" },
        alone,
        own.megabytes as f64 / megabytes as f64,
    )
}
