//! `cargo xtask bench ablation`: what each technique of the table gains, by leaving it out.
//!
//! Each model is checked with all techniques and then without one after the other
//! (`--tune NAME=off`): the least processor time of some runs, and the peak memory, as multiples of
//! those with all. Where two threads work, it is the least time on the clock.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use super::{families, made_by, release, section};
use crate::measure::measure;
use crate::workspace::{output_of, root};

/// Multiples that differ by less from one are not told from noise.
const NOISE: f64 = 0.05;

/// How the command is used.
struct Options {
    runs: u32,
    write: bool,
    program: String,
    /// Models and techniques that are measured; all, if none is named.
    models: Vec<String>,
    techniques: Vec<String>,
}

impl Options {
    fn read(words: &[&str]) -> Result<Options, String> {
        let (mut runs, mut write, mut program) = (3, false, None);
        let (mut models, mut techniques) = (Vec::new(), Vec::new());
        let mut words = words.iter();
        while let Some(word) = words.next() {
            let mut value = || words.next().ok_or(format!("read the value of {word}"));
            match *word {
                "--write" => write = true,
                "--runs" => runs = value()?.parse().map_err(|_| "read --runs")?,
                "--program" => program = Some((*value()?).to_owned()),
                "--only" => models.push((*value()?).to_owned()),
                "--technique" => techniques.push((*value()?).to_owned()),
                _ => return Err(format!("read the option {word}")),
            }
        }
        let program = match program {
            Some(program) => program,
            None => release()?,
        };
        Ok(Options {
            runs,
            write,
            program,
            models,
            techniques,
        })
    }
}

/// A model, and how it is checked.
struct Model {
    name: &'static str,
    file: PathBuf,
    arguments: Vec<&'static str>,
}

impl Model {
    /// Whether more than one thread works on it: then the clock counts.
    fn is_parallel(&self) -> bool {
        !self.arguments.contains(&"1")
    }
}

/// What a run took: seconds and bytes.
#[derive(Clone, Copy)]
struct Cost {
    seconds: f64,
    bytes: u64,
}

/// Measures and prints a table; with `--write` puts it into the page of figures.
///
/// # Errors
/// If an option is unknown or a run fails.
pub(crate) fn run(words: &[&str]) -> Result<bool, String> {
    let options = Options::read(words)?;
    let folder = std::env::temp_dir().join(format!("probity-ablation-{}", std::process::id()));
    let mut models = models(&folder)?;
    if !options.models.is_empty() {
        models.retain(|model| options.models.iter().any(|name| name == model.name));
    }
    let mut techniques = techniques(&options.program)?;
    if !options.techniques.is_empty() {
        techniques.retain(|technique| options.techniques.contains(technique));
    }
    let page = table(&options, &models, &techniques)?;
    std::fs::remove_dir_all(&folder).map_err(|error| format!("remove {folder:?}: {error}"))?;
    println!("{page}");
    if options.write {
        let chore = made_by(&format!("bench ablation --runs {} --write", options.runs));
        let text = format!(
            "{chore} Time and memory without a technique (`--tune NAME=off`), as multiples of those \
             with all: the whole process, least of {} runs, time of the processors; on the clock \
             where two threads work. A dot: within {:.0} percent of one.\n\n{page}",
            options.runs,
            100.0 * NOISE
        );
        section::put("What each technique gains", &text)?;
    }
    Ok(true)
}

fn table(options: &Options, models: &[Model], techniques: &[String]) -> Result<String, String> {
    let mut head = "| without |".to_owned();
    let mut line = "\n|---|".to_owned();
    let mut first = "\n| nothing |".to_owned();
    let mut base = Vec::new();
    for model in models {
        let cost = least(options, model, None)?;
        write!(head, " {} |", model.name).expect("writing to a string succeeds");
        line.push_str("---:|");
        let megabytes = cost.bytes.div_ceil(1 << 20);
        write!(first, " {:.2} s, {megabytes} MB |", cost.seconds)
            .expect("writing to a string succeeds");
        base.push(cost);
    }
    let mut page = head + &line + &first;
    for technique in techniques {
        write!(page, "\n| {technique} |").expect("writing to a string succeeds");
        for (model, base) in models.iter().zip(&base) {
            let cost = least(options, model, Some(technique))?;
            let told = [
                multiple(cost.seconds / base.seconds),
                multiple(cost.bytes as f64 / base.bytes as f64),
            ];
            write!(page, " {} |", told.join(", ")).expect("writing to a string succeeds");
        }
        println!("measured {technique}");
    }
    page.push('\n');
    Ok(page)
}

/// A multiple as it is written.
fn multiple(of: f64) -> String {
    if (of - 1.0).abs() < NOISE {
        "·".to_owned()
    } else {
        format!("{of:.2}")
    }
}

/// The least that a model takes without a technique.
fn least(options: &Options, model: &Model, without: Option<&String>) -> Result<Cost, String> {
    let file = model.file.to_string_lossy();
    let mut arguments = vec!["check", &*file, "--format", "json"];
    arguments.extend(&model.arguments);
    let off = without.map(|technique| format!("{technique}=off"));
    if let Some(off) = &off {
        arguments.extend(["--tune", off]);
    }
    let mut least: Option<Cost> = None;
    for _ in 0..options.runs.max(1) {
        let one = measure(&options.program, &arguments)?;
        if one.status == 2 {
            return Err(format!("check {}: {}", model.name, one.out));
        }
        let seconds = match model.is_parallel() {
            true => one.seconds,
            false => one.processor_seconds.unwrap_or(one.seconds),
        };
        let bytes = one.peak_bytes.unwrap_or(0);
        least = Some(least.map_or(Cost { seconds, bytes }, |so_far| Cost {
            seconds: so_far.seconds.min(seconds),
            bytes: so_far.bytes.min(bytes),
        }));
    }
    least.ok_or_else(|| format!("run {}", model.name))
}

/// The names in the table that the program lists.
fn techniques(program: &str) -> Result<Vec<String>, String> {
    let mut command = std::process::Command::new(program);
    let text = output_of(command.args(["check", "--tune", "help"]))?;
    let rows = text.lines().filter_map(|line| {
        let (name, _) = line.strip_prefix("  ")?.split_once(" [")?;
        (!name.starts_with(' ')).then(|| name.to_owned())
    });
    Ok(rows.collect())
}

/// What is measured.
fn models(folder: &Path) -> Result<Vec<Model>, String> {
    let written = |name: &str, text: &str| {
        let path = folder.join(name);
        std::fs::create_dir_all(folder)
            .and_then(|()| std::fs::write(&path, text))
            .map_err(|error| format!("write {}: {error}", path.display()))?;
        Ok::<_, String>(path)
    };
    const STATES: &[&str] = &["--engine", "explicit", "--jobs", "1"];
    let with = |more: &[&'static str]| [STATES, more].concat();
    let counters = written("counters.pml", &families::counters(6, 10))?;
    let whole = [
        "--passes",
        "none",
        "--reduce",
        "none",
        "--property",
        "deadlock",
    ];
    Ok(vec![
        Model {
            name: "counters 6 of 10",
            file: counters.clone(),
            arguments: with(&whole),
        },
        Model {
            name: "ring 4 of 4",
            file: written("ring.pml", &families::ring(4, 4))?,
            arguments: with(&whole),
        },
        Model {
            name: "counters that end, <>",
            file: written("ending.pml", &families::ending(5, 12))?,
            arguments: with(&["--reduce", "none", "--property", "done"]),
        },
        Model {
            name: "leader",
            file: root().join("examples/promela/leader/leader.pml"),
            arguments: with(&[]),
        },
        Model {
            name: "auction (LSL)",
            file: root().join("examples/lsl/auction/paper.lsl"),
            arguments: with(&[
                "--bound",
                "events-per-timer=50",
                "--bound",
                "bidders=10",
                "--bound",
                "amount=0..100",
            ]),
        },
        Model {
            name: "auction (Tscript)",
            file: root().join("examples/tscript/auction/original.tb"),
            arguments: vec!["--jobs", "1", "--readings", "one"],
        },
        Model {
            name: "counters, 2 threads",
            file: counters,
            arguments: [&["--engine", "explicit", "--jobs", "2"], &whole[..]].concat(),
        },
    ])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_noise_is_not_told() {
        assert_eq!(multiple(1.04), "·");
        assert_eq!(multiple(0.97), "·");
        assert_eq!(multiple(1.5), "1.50");
    }
}
