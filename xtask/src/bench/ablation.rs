//! `cargo xtask bench ablation`: what each technique of the table gains, by leaving it out.
//!
//! Each model is checked with all techniques and without one (`--tune NAME=off`) in turns, so that
//! both meet the same machine: the least processor time of some runs, and the peak memory, as
//! multiples of those with all. Where two threads work, it is the least time on the clock. A
//! technique is measured where its engine works.

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

/// A row of the table of techniques.
struct Technique {
    name: String,
    engine: String,
}

/// Where a model stands.
enum Source {
    /// In a file of the repository.
    File(&'static str),
    /// In a file that is written, with this ending.
    Text(&'static str, String),
}
use Source::{File, Text};

/// A model, and how it is checked.
#[derive(Clone)]
struct Model {
    name: String,
    engine: &'static str,
    file: PathBuf,
    arguments: Vec<String>,
}

impl Model {
    /// The same on two threads.
    fn on_two_threads(&self) -> Model {
        let mut model = self.clone();
        model.arguments.pop();
        model.arguments.push("2".to_owned());
        model.name += ", 2 threads";
        model
    }

    /// Whether more than one thread works on it: then the clock counts.
    fn is_parallel(&self) -> bool {
        self.arguments
            .ends_with(&["--jobs".to_owned(), "2".to_owned()])
    }
}

/// What a run took: seconds and bytes.
#[derive(Clone, Copy)]
struct Cost {
    seconds: f64,
    bytes: u64,
}

impl Cost {
    fn least(self, other: Option<Cost>) -> Cost {
        other.map_or(self, |other| Cost {
            seconds: self.seconds.min(other.seconds),
            bytes: self.bytes.min(other.bytes),
        })
    }
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
        models.retain(|model| options.models.contains(&model.name));
    }
    let mut techniques = techniques(&options.program)?;
    if !options.techniques.is_empty() {
        techniques.retain(|technique| options.techniques.contains(&technique.name));
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

fn table(options: &Options, models: &[Model], techniques: &[Technique]) -> Result<String, String> {
    let mut head = "| without |".to_owned();
    let mut line = "\n|---|".to_owned();
    let mut rows: Vec<String> = techniques
        .iter()
        .map(|it| format!("\n| {} |", it.name))
        .collect();
    let mut first = "\n| nothing |".to_owned();
    for model in models {
        write!(head, " {} |", model.name).expect("writing to a string succeeds");
        line.push_str("---:|");
        let mut all: Option<Cost> = None;
        for (technique, row) in techniques.iter().zip(&mut rows) {
            if technique.engine != model.engine {
                row.push_str(" |");
                continue;
            }
            let (with, without) = pair(options, model, &technique.name)?;
            let told = [
                multiple(without.seconds / with.seconds),
                multiple(without.bytes as f64 / with.bytes as f64),
            ];
            write!(row, " {} |", told.join(", ")).expect("writing to a string succeeds");
            all = Some(with.least(all));
        }
        if let Some(cost) = all {
            let megabytes = cost.bytes.div_ceil(1 << 20);
            write!(first, " {:.2} s, {megabytes} MB |", cost.seconds)
                .expect("writing to a string succeeds");
        }
        println!("measured {}", model.name);
    }
    Ok(format!("{head}{line}{first}{}\n", rows.concat()))
}

/// A multiple as it is written.
fn multiple(of: f64) -> String {
    if (of - 1.0).abs() < NOISE {
        "·".to_owned()
    } else {
        format!("{of:.2}")
    }
}

/// The least that a model takes with all techniques, and without one.
fn pair(options: &Options, model: &Model, without: &str) -> Result<(Cost, Cost), String> {
    let off = format!("{without}=off");
    let mut pair: [Option<Cost>; 2] = [None, None];
    for _ in 0..options.runs.max(1) {
        for (least, tune) in pair.iter_mut().zip([&[][..], &["--tune", &off]]) {
            *least = Some(once(options, model, tune)?.least(*least));
        }
    }
    let [Some(with), Some(without)] = pair else {
        return Err(format!("run {}", model.name));
    };
    Ok((with, without))
}

/// What one run takes.
fn once(options: &Options, model: &Model, tune: &[&str]) -> Result<Cost, String> {
    let file = model.file.to_string_lossy();
    let mut arguments = vec!["check", &*file, "--format", "json"];
    arguments.extend(model.arguments.iter().map(String::as_str));
    arguments.extend(tune);
    let one = measure(&options.program, &arguments)?;
    if one.status == 2 {
        return Err(format!("check {}: {}", model.name, one.out));
    }
    let seconds = match model.is_parallel() {
        true => one.seconds,
        false => one.processor_seconds.unwrap_or(one.seconds),
    };
    Ok(Cost {
        seconds,
        bytes: one.peak_bytes.unwrap_or(0),
    })
}

/// The techniques that the program lists, each with its engine.
fn techniques(program: &str) -> Result<Vec<Technique>, String> {
    let mut command = std::process::Command::new(program);
    let text = output_of(command.args(["check", "--tune", "help"]))?;
    let mut engine = String::new();
    let mut techniques = Vec::new();
    for line in text.lines() {
        if let Some(rest) = line.strip_prefix("techniques of the ") {
            let name = rest.strip_suffix(" engine:");
            name.unwrap_or(rest).clone_into(&mut engine);
        } else if let Some((name, _)) = line.strip_prefix("  ").and_then(|it| it.split_once(" ["))
            && !name.starts_with(' ')
        {
            techniques.push(Technique {
                name: name.to_owned(),
                engine: engine.clone(),
            });
        }
    }
    Ok(techniques)
}

/// Bounds within which the auction has some 100,000 states.
const BOUNDS: &str = "--bound events-per-timer=50 --bound bidders=10 --bound amount=0..100";

/// What is measured on two threads, too.
const PARALLEL: [&str; 3] = ["counters", "ring", "scrambled number, sat"];

/// What is measured.
fn models(folder: &Path) -> Result<Vec<Model>, String> {
    std::fs::create_dir_all(folder).map_err(|error| format!("make {folder:?}: {error}"))?;
    let counters = families::counters(6, 10);
    let nines: Vec<String> = (0..6).map(|number| format!("x[{number}] == 9")).collect();
    let far = format!("{counters}ltl far {{ [] !({}) }}\n", nines.join(" && "));
    let rests = format!("{counters}ltl rests {{ <> [] (x[0] != 3) }}\n");
    // Only the ends of runs are cycles, and they lie deep.
    let ends = "ltl ends { <> [] (x[0] < 12) }\n";
    let paper = "examples/lsl/auction/paper.lsl";
    let whole = "--passes none --reduce none --property deadlock";
    let models = [
        ("counters", "explicit", Text("pml", counters), whole),
        ("ring", "explicit", Text("pml", families::ring(4, 4)), whole),
        (
            "counters, a far state",
            "explicit",
            Text("pml", far),
            "--reduce none --property far",
        ),
        (
            "counters that end, <>",
            "explicit",
            Text("pml", families::ending(5, 12)),
            "--reduce none --property done",
        ),
        (
            "counters that end, a lasso",
            "explicit",
            Text("pml", format!("{}{ends}", families::ending(4, 12))),
            "--reduce none --property ends",
        ),
        (
            "locked counters, <>",
            "explicit",
            Text("pml", families::locked(4, 20)),
            "--passes none --reduce none --property done",
        ),
        (
            "counters, a lasso",
            "explicit",
            Text("pml", rests),
            "--reduce none --property rests",
        ),
        ("auction (LSL)", "explicit", File(paper), BOUNDS),
        (
            "auction (Tscript)",
            "explicit",
            File("examples/tscript/auction/original.tb"),
            "--readings one",
        ),
        ("auction (LSL)", "sat", File(paper), BOUNDS),
        (
            "shift registers",
            "sat",
            Text("smv", families::shift_registers(200, false)),
            "",
        ),
        (
            "scrambled number",
            "sat",
            Text("smv", families::scrambled(14)),
            "",
        ),
        (
            "shift registers",
            "symbolic",
            Text("smv", families::shift_registers(18, true)),
            "",
        ),
    ];
    let mut all = Vec::new();
    for (number, (name, engine, source, options)) in models.into_iter().enumerate() {
        let file = match source {
            File(path) => root().join(path),
            Text(ending, text) => {
                let path = folder.join(format!("{number}.{ending}"));
                let written = std::fs::write(&path, text);
                written.map_err(|error| format!("write {}: {error}", path.display()))?;
                path
            }
        };
        let mut arguments: Vec<String> = options.split_whitespace().map(str::to_owned).collect();
        arguments.extend(["--engine", engine, "--jobs", "1"].map(str::to_owned));
        let name = match engine {
            "explicit" => name.to_owned(),
            other => format!("{name}, {other}"),
        };
        all.push(Model {
            name,
            engine,
            file,
            arguments,
        });
    }
    let is_asked = |model: &&Model| PARALLEL.contains(&&*model.name);
    let parallel: Vec<Model> = all
        .iter()
        .filter(is_asked)
        .map(Model::on_two_threads)
        .collect();
    all.extend(parallel);
    Ok(all)
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
