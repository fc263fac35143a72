//! `cargo xtask bench disk`: searches with states in memory, and with states on disk in a part of that memory.
//!
//! Each model is checked for deadlocks with `--storage auto` and as much memory as it takes, with `--storage auto` and a
//! part of that, and with `--storage disk` and the same part. `--billion` adds a model of a thousand million states, in
//! 16 GiB of memory. Figures are those of whole processes.

use std::fmt::Write as _;
use std::path::Path;

use serde_json::Value;

use super::{families, made_by, release, section};
use crate::measure::measure;

/// A model: its name, its text, and the memory that it is to make do with.
struct Model {
    name: &'static str,
    text: String,
    memory: &'static str,
}

/// More states than 10^9, and the memory that they are to fit into.
fn billion() -> Model {
    Model {
        name: "5 counters to 64",
        text: families::counters(5, 64),
        memory: "16G",
    }
}

fn models() -> Vec<Model> {
    vec![
        Model {
            name: "5 counters to 25",
            text: families::counters(5, 25),
            memory: "64M",
        },
        Model {
            name: "5 counters to 40",
            text: families::counters(5, 40),
            memory: "256M",
        },
    ]
}

/// Measures and prints a table; with `--write` puts it into the page of figures.
///
/// # Errors
/// If an option is unknown, or two searches that come to an end do not find the same.
pub(crate) fn run(options: &[&str]) -> Result<bool, String> {
    let (mut write, mut with_billion, mut program) = (false, false, None);
    let mut words = options.iter();
    while let Some(word) = words.next() {
        match *word {
            "--write" => write = true,
            "--billion" => with_billion = true,
            "--program" => {
                let value = words.next().ok_or("read the value of --program")?;
                program = Some((*value).to_owned());
            }
            _ => return Err(format!("read the option {word}")),
        }
    }
    let program = match program {
        Some(program) => program,
        None => release()?,
    };
    let mut page = String::from(
        "| model | `--storage` | `--memory` | verdict | states | wall s | peak MB | MB on disk |\n\
         |---|---|---|---|---:|---:|---:|---:|\n",
    );
    print!("{page}");
    let folder = std::env::temp_dir().join(format!("probity-bench-disk-{}", std::process::id()));
    std::fs::create_dir_all(&folder).map_err(|error| format!("make a folder: {error}"))?;
    for (number, model) in models().iter().enumerate() {
        let file = folder.join(format!("{number}.pml"));
        std::fs::write(&file, &model.text).map_err(|error| format!("write a model: {error}"))?;
        let mut ends = Vec::new();
        for (storage, memory) in [
            ("auto", None),
            ("auto", Some(model.memory)),
            ("disk", Some(model.memory)),
        ] {
            let (line, end) = row(model, &file, &program, (storage, memory))?;
            println!("{line}");
            writeln!(page, "{line}").expect("writing to a string succeeds");
            ends.extend(end);
        }
        ends.dedup();
        if ends.len() != 1 {
            return Err(format!("{}: searches differ: {ends:?}", model.name));
        }
    }
    if with_billion {
        let model = billion();
        let file = folder.join("billion.pml");
        std::fs::write(&file, &model.text).map_err(|error| format!("write a model: {error}"))?;
        let (line, end) = row(&model, &file, &program, ("auto", Some(model.memory)))?;
        println!("{line}");
        writeln!(page, "{line}").expect("writing to a string succeeds");
        if end.is_none() {
            return Err(format!("{}: the search did not end", model.name));
        }
    }
    drop(std::fs::remove_dir_all(&folder));
    if write {
        let chore = made_by(match with_billion {
            true => "bench disk --billion --write",
            false => "bench disk --write",
        });
        let text = "Models without failures, asked whether they can be stuck, `--reduce none --passes none --jobs 1`: \
                    with the memory that is there, with a limit, and with the same limit and states on disk. Figures are \
                    of whole processes; *MB on disk* is the most at a time, with all levels.";
        section::put("States on disk", &format!("{chore} {text}\n\n{page}"))?;
    }
    Ok(true)
}

/// A line of the table; and the verdict with how many states and transitions there are, if it is known.
fn row(
    model: &Model,
    file: &Path,
    program: &str,
    (storage, memory): (&str, Option<&str>),
) -> Result<(String, Option<[Value; 3]>), String> {
    let path = file.to_string_lossy();
    let mut arguments = vec![
        "check",
        &*path,
        "--property",
        "deadlock",
        "--format",
        "json",
    ];
    arguments.extend([
        "--reduce",
        "none",
        "--passes",
        "none",
        "--jobs",
        "1",
        "--no-cache",
    ]);
    arguments.extend(["--engine", "explicit", "--storage", storage]);
    arguments.extend(memory.iter().flat_map(|memory| ["--memory", memory]));
    let measured = measure(program, &arguments)?;
    let report: Value = serde_json::from_str(&measured.out)
        .map_err(|error| format!("{}: read the report: {error}", model.name))?;
    let found = &report["files"][0]["properties"][0];
    let statistics = &found["statistics"];
    let verdict = found["verdict"].as_str().unwrap_or_default();
    let known = verdict != "not-known";
    let end = ["states", "transitions"].map(|name| statistics[name].clone());
    let [states, transitions] = end;
    let megabytes = |bytes: u64| bytes.div_ceil(1 << 20).to_string();
    let peak = measured.peak_bytes.map_or("-".to_owned(), megabytes);
    let disk = statistics["disk_bytes"].as_u64();
    let line = format!(
        "| {} | {storage} | {} | {} | {states} | {:.1} | {peak} | {} |",
        model.name,
        memory.unwrap_or("-"),
        verdict.replace('-', " "),
        measured.seconds,
        disk.map_or("-".to_owned(), megabytes),
    );
    let end = known.then(|| [found["verdict"].clone(), states, transitions]);
    Ok((line, end))
}
