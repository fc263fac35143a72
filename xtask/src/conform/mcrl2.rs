//! `cargo xtask conform mcrl2 DIR` on a folder with models of mCRL2: whether formulas mean here what they mean
//! in mCRL2.
//!
//! `lps2lts` makes the graph of each model, and every formula (`.mcf`) beside the model, or in a folder below, is
//! decided twice: by `lps2pbes` and `pbessolve` on the model, and by our program on the graph. Formulas
//! that `lps2pbes` refuses are of other models.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::bench::{files_below, release};
use crate::mcrl2::{Made, Ran, Solved, Tools};
use crate::workspace::root;

/// Seconds of processor time for each run of a tool, if nothing else is said.
const LIMIT: u32 = 60;

/// Larger graphs are not compared.
const MOST_TRANSITIONS: u64 = 200_000;

/// How many folders up from a formula its model may be.
const MOST_UP: usize = 3;

/// What our program says of a formula.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Ours {
    Is(bool),
    /// It is not known, for this reason.
    NotKnown(String),
    /// The formula is not read, for this reason.
    Refused(String),
}

/// What became of all pairs of a model and a formula.
#[derive(Default, Debug)]
struct Summary {
    models: usize,
    left_out: usize,
    same: usize,
    differ: usize,
    /// Pairs that `pbessolve` does not decide, within the limit or at all.
    undecided: usize,
    /// Pairs that we do not decide, by reason.
    not_known: BTreeMap<String, usize>,
    refused: BTreeMap<String, usize>,
}

impl Summary {
    /// Counts a pair; what is to be printed of it.
    fn count(&mut self, theirs: &Solved, ours: &Ours) -> Option<String> {
        let theirs = match theirs {
            Solved::Is(holds, _) => *holds,
            Solved::NotOfIt(_) => return None,
            Solved::Cut => {
                self.undecided += 1;
                return Some("pbessolve takes longer than the limit".to_owned());
            }
            Solved::Failed(why) => {
                self.undecided += 1;
                return Some(format!("pbessolve fails: {why}"));
            }
        };
        Some(match ours {
            Ours::Is(holds) if *holds == theirs => {
                self.same += 1;
                format!("{theirs}, by both")
            }
            Ours::Is(holds) => {
                self.differ += 1;
                format!("DIFFERENT: {theirs} in mCRL2, {holds} here")
            }
            Ours::NotKnown(why) => {
                *self.not_known.entry(why.clone()).or_default() += 1;
                format!("{theirs} in mCRL2, not known here: {why}")
            }
            Ours::Refused(why) => {
                *self.refused.entry(why.clone()).or_default() += 1;
                format!("{theirs} in mCRL2, not read here: {why}")
            }
        })
    }

    fn print(&self) {
        let listed = |what: &str, reasons: &BTreeMap<String, usize>| {
            println!("{}: {what}", reasons.values().sum::<usize>());
            for (reason, count) in reasons {
                println!("  {count}: {reason}");
            }
        };
        println!("{}: models with a graph and a formula", self.models);
        println!("{}: models without such a graph", self.left_out);
        println!("{}: formulas with the same verdict", self.same);
        println!("{}: formulas with another verdict", self.differ);
        println!("{}: not decided by mCRL2", self.undecided);
        listed("not known here", &self.not_known);
        listed("not read here", &self.refused);
    }
}

/// Whether a folder has models of mCRL2.
///
/// # Errors
/// If it cannot be read.
pub(crate) fn has_models(folder: &str) -> Result<bool, String> {
    Ok(!files_below(&[PathBuf::from(folder)], "mcrl2")?.is_empty())
}

/// Compares all formulas below a folder, and prints a summary.
///
/// # Errors
/// If an option is unknown, a file cannot be read, or a program cannot be run.
pub(crate) fn formulas(options: &[&str]) -> Result<bool, String> {
    let (mut folder, mut limit, mut program) = (None, LIMIT, None);
    let mut words = options.iter();
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or(format!("read the value of {word}"));
        match *word {
            "--limit" => {
                let seconds = value()?
                    .strip_suffix('s')
                    .and_then(|word| word.parse().ok());
                limit = seconds.ok_or("read the seconds of --limit, as in 20s")?;
            }
            "--program" => program = Some((*value()?).to_owned()),
            _ if folder.is_none() && !word.starts_with('-') => folder = Some(PathBuf::from(word)),
            _ => return Err(format!("read the option {word}")),
        }
    }
    let folder = folder.ok_or("find a folder among the options")?;
    let Some(tools) = Tools::found(limit) else {
        println!("skipped: PROBITY_MCRL2 does not name the folder of mCRL2's tools");
        return Ok(true);
    };
    let program = match program {
        Some(program) => program,
        None => release()?,
    };
    let models = files_below(std::slice::from_ref(&folder), "mcrl2")?;
    let formulas = files_below(&[folder], "mcf")?;
    let scratch = root().join("target/conform/mcrl2");
    std::fs::create_dir_all(&scratch).map_err(|error| format!("make {scratch:?}: {error}"))?;
    let mut summary = Summary::default();
    for (name, model) in &models {
        let model_files = models.iter().map(|(_, model)| model.as_path());
        let known: Vec<&Path> = model_files.collect();
        let of_it: Vec<&(String, PathBuf)> = formulas
            .iter()
            .filter(|(_, formula)| beside(formula, &known).contains(&model.as_path()))
            .collect();
        if of_it.is_empty() {
            continue;
        }
        let stem = scratch.join(name.replace(['/', '\\'], "_"));
        let linear = stem.with_extension("lps");
        let graph = stem.with_extension("aut");
        let made = match explored(&tools, model, &linear, &graph)? {
            Ok(made) => made,
            Err(why) => {
                println!("{name}: {why}");
                summary.left_out += 1;
                continue;
            }
        };
        println!(
            "{name}: {} states, {} transitions",
            made.states, made.transitions
        );
        summary.models += 1;
        for (formula, path) in of_it {
            let own = stem.with_extension("mcf");
            std::fs::copy(path, &own).map_err(|error| format!("copy {path:?}: {error}"))?;
            let theirs = tools.solve(&linear, &own)?;
            if matches!(theirs, Solved::NotOfIt(_)) {
                continue;
            }
            let ours = asked(&program, &graph, path, tools.limit())?;
            if let Some(told) = summary.count(&theirs, &ours) {
                println!("  {formula}: {told}");
            }
        }
        // A graph can be large.
        std::fs::remove_file(&graph).map_err(|error| format!("remove {graph:?}: {error}"))?;
    }
    summary.print();
    Ok(summary.differ == 0 && summary.same > 0)
}

/// The models in the nearest folder at or above that of a formula.
fn beside<'m>(formula: &Path, models: &[&'m Path]) -> Vec<&'m Path> {
    for folder in formula.ancestors().skip(1).take(MOST_UP) {
        let here = models.iter().copied();
        let here: Vec<&Path> = here
            .filter(|model| model.parent() == Some(folder))
            .collect();
        if !here.is_empty() {
            return here;
        }
    }
    Vec::new()
}

/// Makes the graph of a model, or says why there is none to compare.
fn explored(
    tools: &Tools,
    model: &Path,
    linear: &Path,
    graph: &Path,
) -> Result<Result<Made, String>, String> {
    let files = [model, linear].map(Path::to_string_lossy);
    match tools.run("mcrl22lps", &[&*files[0], &*files[1]])? {
        Ran::Done { .. } => {}
        Ran::Cut => return Ok(Err("mcrl22lps takes longer than the limit".to_owned())),
        Ran::Refused(why) => return Ok(Err(format!("mcrl22lps refuses it: {why}"))),
    }
    Ok(match tools.graph(linear, graph) {
        Ok(Some(made)) if made.transitions <= MOST_TRANSITIONS => Ok(made),
        Ok(Some(made)) => Err(format!("it has {} transitions", made.transitions)),
        Ok(None) => Err("lps2lts takes longer than the limit".to_owned()),
        Err(why) => Err(format!("lps2lts fails: {why}")),
    })
}

/// What our program says of a formula on a graph.
fn asked(program: &str, graph: &Path, formula: &Path, limit: u32) -> Result<Ours, String> {
    let mut command = Command::new(program);
    command
        .arg("check")
        .arg(graph)
        .arg("--formulas")
        .arg(formula);
    let timeout = format!("{limit}s");
    // In mCRL2 `i` is an action like others.
    command.args(["--tau", "tau", "--timeout", &timeout]);
    command.args(["--format", "json"]);
    let output = command
        .output()
        .map_err(|error| format!("run {command:?}: {error}"))?;
    let report = serde_json::from_slice::<Value>(&output.stdout).unwrap_or_default();
    said(&report["files"][0]).ok_or_else(|| format!("run {command:?}: {}", output.status))
}

/// What the report on a graph says of its only property.
fn said(file: &Value) -> Option<Ours> {
    let property = &file["properties"][0];
    let mut found = file["diagnostics"].as_array().into_iter().flatten();
    let error = found.find(|one| one["severity"] == "error");
    Some(match property["verdict"].as_str() {
        // What it is about never happens: so it holds in mCRL2.
        Some("holds" | "vacuous") => Ours::Is(true),
        Some("fails") => Ours::Is(false),
        Some(_) => Ours::NotKnown(property["why"].as_str()?.to_owned()),
        None => Ours::Refused(error?["message"].as_str()?.to_owned()),
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_formula_is_of_the_nearest_models() {
        let models = ["a/m.mcrl2", "a/n.mcrl2", "a/b/o.mcrl2"].map(Path::new);
        let of = |formula: &str| beside(Path::new(formula), &models);
        assert_eq!(of("a/b/f.mcf"), [Path::new("a/b/o.mcrl2")]);
        assert_eq!(of("a/properties/f.mcf"), models[..2]);
        assert_eq!(of("c/f.mcf"), [] as [&Path; 0]);
    }

    #[test]
    fn only_verdicts_of_both_can_differ() {
        let mut summary = Summary::default();
        let is = |holds| Solved::Is(holds, 1.0);
        assert!(summary.count(&is(true), &Ours::Is(true)).is_some());
        assert!(summary.count(&is(true), &Ours::Is(false)).is_some());
        let unknown = Ours::NotKnown("why".to_owned());
        assert!(summary.count(&is(false), &unknown).is_some());
        assert!(summary.count(&Solved::Cut, &Ours::Is(true)).is_some());
        let other = Solved::NotOfIt("no such action".to_owned());
        assert_eq!(summary.count(&other, &Ours::Is(true)), None);
        assert_eq!((summary.same, summary.differ, summary.undecided), (1, 1, 1));
        assert_eq!(summary.not_known["why"], 1);
    }

    #[test]
    fn what_never_happens_holds_in_mcrl2() {
        let of = |verdict: &str| json!({"properties": [{"verdict": verdict, "why": "time"}]});
        assert_eq!(said(&of("vacuous")), Some(Ours::Is(true)));
        assert_eq!(said(&of("fails")), Some(Ours::Is(false)));
        let unknown = Ours::NotKnown("time".to_owned());
        assert_eq!(said(&of("not-known")), Some(unknown));
        let found = [("warning", "w"), ("error", "no `x`")];
        let found =
            found.map(|(severity, message)| json!({"severity": severity, "message": message}));
        let refused = json!({"properties": [], "diagnostics": found});
        let why = Ours::Refused("no `x`".to_owned());
        assert_eq!(said(&refused), Some(why));
        assert_eq!(said(&Value::Null), None);
    }
}
