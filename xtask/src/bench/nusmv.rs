//! `cargo xtask bench nusmv`: our figures beside NuSMV's, model by model.
//!
//! Models are all `.smv` files below the folders that are given; NuSMV's own examples can be
//! fetched from its source. Where `PROBITY_NUSMV` names NuSMV's program, each model is run by both,
//! theirs with default options and with those that are said to help hard models. Where
//! `PROBITY_REFERENCE` has its verdicts on its examples, they are compared with ours. A run that
//! does not end within the limit counts as long as the limit, which is one of processor time: what
//! else the machine does makes no difference. Ours may use several processors; all of them count.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::{files_below, made_by, release, section};
use crate::measure::measure;
use crate::workspace::root;

/// What helps NuSMV with hard models, by its own answers to frequent questions.
const HELPED: &[&str] = &["-df", "-dynamic", "-coi"];

/// Runs of NuSMV that take less say nothing about speed, in seconds.
const WORTH: f64 = 0.1;

struct Options {
    models: Vec<PathBuf>,
    limit: u32,
    write: bool,
    program: String,
    engine: Option<String>,
}

/// What one run gave.
pub(crate) struct Ran {
    seconds: f64,
    /// In order; `None` if it came to no end.
    verdicts: Option<Vec<String>>,
    /// What it said of each property until it ended or was ended: the property, and the verdict.
    said: Vec<(String, String)>,
    states: String,
}

impl Ran {
    /// Properties and verdicts, as far as it came.
    pub(crate) fn said(&self) -> &[(String, String)] {
        &self.said
    }
}

/// Measures and prints tables; with `--write` puts them into the page of figures.
///
/// # Errors
/// If an option is unknown, or there are no models, or a run fails.
pub(crate) fn run(options: &[&str]) -> Result<bool, String> {
    compare(options, "Models beside NuSMV", "bench nusmv --write DIR...")
}

/// The same for another section of the page, made by another command.
///
/// # Errors
/// If an option is unknown, or there are no models, or a run fails.
pub(super) fn compare(options: &[&str], section: &str, chore: &str) -> Result<bool, String> {
    let options = parse(options)?;
    let models = files_below(&options.models, "smv")?;
    if models.is_empty() {
        return Err("find models: name a folder of them".to_owned());
    }
    let nusmv = std::env::var("PROBITY_NUSMV").ok();
    if nusmv.is_none() {
        println!("PROBITY_NUSMV names no program: our own figures alone.");
    }
    let reference = reference();
    let mut page = String::from(
        "| model | verdicts | states | ours | NuSMV | NuSMV -df -dynamic -coi |\n\
         |---|---|---:|---:|---:|---:|\n",
    );
    let mut different = Vec::new();
    let mut pairs: Vec<[f64; 3]> = Vec::new();
    let (mut solved, mut theirs_solved) = (0, 0);
    for (name, model) in &models {
        let own = ours(&options, model)?;
        let mut theirs = Vec::new();
        if let Some(nusmv) = &nusmv {
            theirs.push(by_nusmv(nusmv, &[], model, options.limit)?);
            theirs.push(by_nusmv(nusmv, HELPED, model, options.limit)?);
        }
        let known = theirs
            .iter()
            .find_map(|ran| ran.verdicts.clone())
            .or_else(|| reference.get(name.as_str()).cloned());
        if let (Some(mine), Some(known)) = (&own.verdicts, &known)
            && !agree(mine, known)
        {
            different.push(format!("{name}: {} / {}", mine.join(","), known.join(",")));
        }
        solved += usize::from(own.verdicts.is_some());
        theirs_solved += usize::from(theirs.iter().any(|ran| ran.verdicts.is_some()));
        let limit = f64::from(options.limit);
        let time = |ran: Option<&Ran>| match ran {
            Some(Ran {
                seconds,
                verdicts: Some(_),
                ..
            }) => *seconds,
            _ => limit,
        };
        let row = [time(Some(&own)), time(theirs.first()), time(theirs.get(1))];
        if row.iter().any(|&seconds| seconds < limit) {
            pairs.push(row);
        }
        let cell = |ran: Option<&Ran>| match ran {
            None => String::new(),
            Some(ran) if ran.verdicts.is_none() => "-".to_owned(),
            Some(ran) => format!("{:.2}", ran.seconds),
        };
        let verdicts = own.verdicts.as_ref().map_or("-".to_owned(), |v| summary(v));
        let line = format!(
            "| {name} | {verdicts} | {} | {} | {} | {} |",
            own.states,
            cell(Some(&own)),
            cell(theirs.first()),
            cell(theirs.get(1))
        );
        println!("{line}");
        writeln!(page, "{line}").expect("writing to a string succeeds");
    }
    let mut text = format!(
        "{} of {} models answered by us within {} s",
        solved,
        models.len(),
        options.limit
    );
    if nusmv.is_some() {
        let worth: Vec<&[f64; 3]> = pairs.iter().filter(|row| row[1] > WORTH).collect();
        let ratio = |theirs: usize| {
            let logs = worth
                .iter()
                .map(|row| (row[0].max(0.001) / row[theirs].max(0.001)).ln());
            (logs.sum::<f64>() / worth.len().max(1) as f64).exp()
        };
        write!(
            text,
            ", {theirs_solved} by NuSMV, whichever of the two ways. Over the {} models that either \
             answers and that take NuSMV more than {WORTH} s, our time is {:.3} of NuSMV's by \
             geometric mean, {:.3} of its time with {}. Seconds are processor time; runs without \
             an answer count {} s",
            worth.len(),
            ratio(1),
            ratio(2),
            HELPED.join(" "),
            options.limit
        )
        .expect("writing to a string succeeds");
    }
    text.push_str(".\n");
    for line in &different {
        writeln!(text, "\nDifferent: {line}").expect("writing to a string succeeds");
    }
    println!("\n{text}");
    if options.write {
        let chore = made_by(chore);
        section::put(section, &format!("{chore} {text}\n{page}"))?;
    }
    Ok(different.is_empty())
}

fn parse(words: &[&str]) -> Result<Options, String> {
    let mut options = Options {
        models: Vec::new(),
        limit: 60,
        write: false,
        program: String::new(),
        engine: None,
    };
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or(format!("read the value of {word}"));
        match *word {
            "--write" => options.write = true,
            "--limit" => options.limit = value()?.parse().map_err(|_| "read --limit")?,
            "--program" => options.program = (*value()?).to_owned(),
            "--engine" => options.engine = Some((*value()?).to_owned()),
            option if option.starts_with('-') => return Err(format!("read the option {option}")),
            folder => options.models.push(PathBuf::from(folder)),
        }
    }
    if options.models.is_empty() {
        options.models.push(root().join("examples/smv"));
    }
    if options.program.is_empty() {
        options.program = release()?;
    }
    Ok(options)
}

/// NuSMV's verdicts on its examples, by file, as they were measured once.
fn reference() -> HashMap<String, Vec<String>> {
    let Some(folder) = std::env::var_os("PROBITY_REFERENCE") else {
        return HashMap::new();
    };
    let path = Path::new(&folder).join("research/nusmv-examples.tsv");
    let text = std::fs::read_to_string(path).unwrap_or_default();
    let mut lines = text
        .lines()
        .map(|line| line.split('\t').collect::<Vec<_>>());
    let Some(heads) = lines.next() else {
        return HashMap::new();
    };
    let column = |name: &str| heads.iter().position(|head| *head == name);
    let (Some(file), Some(verdicts)) = (column("file"), column("verdicts")) else {
        return HashMap::new();
    };
    let mut known = HashMap::new();
    for line in lines {
        if let (Some(file), Some(verdicts)) = (line.get(file), line.get(verdicts))
            && !verdicts.is_empty()
        {
            let list = verdicts.split(',').map(str::to_owned).collect();
            known.insert((*file).to_owned(), list);
        }
    }
    known
}

/// Runs a program for at most so many seconds of the processor. How busy the machine is makes no
/// difference, unless it is hopeless.
pub(super) fn limited(
    limit: u32,
    stack: &str,
    program: &str,
    arguments: &[&str],
) -> Result<(f64, bool, String), String> {
    let script = format!(
        "ulimit -s {stack}; ulimit -t {limit}; exec timeout {} \"$@\"",
        10 * limit
    );
    let mut all = vec!["-c", &script, "sh", program];
    all.extend(arguments);
    let measured = measure("sh", &all)?;
    let seconds = measured.processor_seconds.unwrap_or(measured.seconds);
    // What `timeout` exits with when it, or the limit, had to end the command.
    let ended = ![124, 128 + 24, 128 + 9].contains(&measured.status);
    Ok((seconds, ended && seconds < f64::from(limit), measured.out))
}

fn ours(options: &Options, model: &Path) -> Result<Ran, String> {
    let model = model.to_string_lossy();
    let mut arguments = vec!["check", &*model, "--format", "json"];
    if let Some(engine) = &options.engine {
        arguments.extend(["--engine", engine]);
    }
    let (seconds, ended, out) = limited(options.limit, "8192", &options.program, &arguments)?;
    let none = Ran {
        seconds,
        verdicts: None,
        said: Vec::new(),
        states: "-".to_owned(),
    };
    let Ok(report) = serde_json::from_str::<Value>(&out) else {
        return Ok(none);
    };
    let Some(properties) = report["files"][0]["properties"].as_array() else {
        return Ok(none);
    };
    let mut verdicts = Vec::new();
    let mut states = 0;
    for property in properties {
        let verdict = property["verdict"].as_str().unwrap_or("?");
        verdicts.push(match property["measured"]["steps"].as_u64() {
            Some(steps) => steps.to_string(),
            None => verdict.to_owned(),
        });
        states = states.max(property["statistics"]["states"].as_u64().unwrap_or(0));
    }
    let known = ended
        && verdicts.iter().all(|word| {
            ["holds", "fails", "vacuous", "measured"].contains(&&**word) || is_number(word)
        });
    Ok(Ran {
        seconds,
        verdicts: (known && !verdicts.is_empty()).then_some(verdicts),
        said: Vec::new(),
        states: match states {
            u64::MAX => "> 10^19".to_owned(),
            states => states.to_string(),
        },
    })
}

/// Runs NuSMV within a limit of the processor's time, in seconds.
///
/// # Errors
/// If it cannot be run.
pub(crate) fn by_nusmv(
    program: &str,
    options: &[&str],
    model: &Path,
    limit: u32,
) -> Result<Ran, String> {
    let model = model.to_string_lossy();
    let arguments: Vec<&str> = options.iter().copied().chain([&*model]).collect();
    // By its own answers to frequent questions it needs much of the stack.
    let (seconds, ended, out) = limited(limit, "unlimited", program, &arguments)?;
    let said: Vec<(String, String)> = out.lines().filter_map(verdict_of).collect();
    let verdicts = said.iter().map(|(_, verdict)| verdict.clone()).collect();
    Ok(Ran {
        seconds,
        verdicts: (ended && !said.is_empty()).then_some(verdicts),
        said,
        states: String::new(),
    })
}

/// The property and the verdict that a line of NuSMV's speaks of.
fn verdict_of(line: &str) -> Option<(String, String)> {
    let (property, verdict) = line.strip_prefix("-- ")?.trim_end().rsplit_once(" is ")?;
    let kinds = ["specification ", "invariant ", "the result of "];
    let mut texts = kinds.iter().map(|kind| property.strip_prefix(kind));
    let text = texts.find_map(|text| text).unwrap_or(property);
    let known = ["true", "false", "infinity"].contains(&verdict) || is_number(verdict);
    known.then(|| (text.to_owned(), verdict.to_owned()))
}

fn is_number(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit())
}

/// Our verdict in NuSMV's words; none if it says nothing.
pub(crate) fn in_their_words(verdict: &str) -> Option<&str> {
    match verdict {
        "holds" | "vacuous" => Some("true"),
        "fails" => Some("false"),
        "measured" => Some("infinity"),
        number => is_number(number).then_some(number),
    }
}

/// Whether each of our verdicts is one of theirs, one by one: the two tools do not go by the same
/// order, and what either has more of is of kinds that the other was not asked for.
fn agree(mine: &[String], theirs: &[String]) -> bool {
    let in_their_words = |word: &str| in_their_words(word).unwrap_or(word).to_owned();
    let mut mine: Vec<String> = mine.iter().map(|word| in_their_words(word)).collect();
    let mut theirs = theirs.to_vec();
    mine.sort_unstable();
    theirs.sort_unstable();
    let within = |few: &[String], many: &[String]| {
        let mut left = many.to_vec();
        few.iter().all(|word| {
            let place = left.iter().position(|other| other == word);
            place.map(|place| left.remove(place)).is_some()
        })
    };
    within(&mine, &theirs) || within(&theirs, &mine)
}

fn summary(verdicts: &[String]) -> String {
    let mut parts = Vec::new();
    for word in ["holds", "fails", "vacuous", "measured"] {
        let is = |verdict: &&String| **verdict == *word || word == "measured" && is_number(verdict);
        let count = verdicts.iter().filter(is).count();
        if count > 0 {
            parts.push(format!("{count} {word}"));
        }
    }
    parts.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verdicts_are_compared_as_far_as_both_give_them() {
        let list = |words: &str| words.split(',').map(str::to_owned).collect::<Vec<_>>();
        assert!(agree(&list("holds,fails"), &list("false,true")));
        assert!(!agree(&list("holds,fails"), &list("true,true")));
        assert!(agree(&list("holds"), &list("true,true,false")));
        assert!(!agree(&list("fails"), &list("true,true")));
        assert!(agree(&list("vacuous"), &list("true")));
        assert!(agree(&list("10,holds,35"), &list("true,35,10")));
        assert!(!agree(&list("10,holds"), &list("true,35")));
    }
}
