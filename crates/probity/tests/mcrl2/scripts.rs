//! The scripts below a folder that `PROBITY_SCRIPTS` names: each that has a translation is read by
//! mCRL2's tools, and its graph is that of the script, if it is small enough.

use std::panic::catch_unwind;
use std::path::{Path, PathBuf};

use model::{Budget, StateSpace};
use tscript::Dialect;

use crate::explore::Explorer;
use crate::read::Model;
use crate::tools::Tools;
use crate::{compare_graphs, options, side_by_side};

/// Larger graphs are not compared.
const MOST: usize = 20_000;

/// How a script fared.
enum Outcome {
    /// It is no script, or none that is complete.
    Unreadable,
    /// It has no translation, for this reason.
    Refused(String),
    /// Its graph is too large.
    Large,
    /// So many states, and so many of the model.
    Same(usize, usize),
}

fn scripts(folder: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return;
    };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            scripts(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "tb") {
            found.push(path);
        }
    }
}

fn compared(name: &str, text: &str, dialect: Dialect, tools: Option<&Tools>) -> Outcome {
    let options = options(&[], dialect);
    let written = tscript::to_mcrl2("script.tb", text, &options);
    let Some(written) = written.program else {
        let mut refusals = written.diagnostics.iter().filter(|d| d.code == "TB0306");
        return match refusals.next() {
            Some(refusal) => Outcome::Refused(refusal.message.clone()),
            None => Outcome::Unreadable,
        };
    };
    let model = Model::read(&written);
    let linear = tools.map(|tools| tools.read(name, &written));
    if !is_small(text, dialect) {
        return Outcome::Large;
    }
    let theirs = match &linear {
        Some(linear) => linear.graph(),
        None => Explorer::new(&model).graph(10 * MOST),
    };
    let ours = compare_graphs(text, &options, &model, &theirs);
    if let Some(tools) = tools {
        tools.compare(name, &side_by_side(text, &options, &model, &theirs));
    }
    Outcome::Same(ours, theirs.len())
}

/// Whether a script has few enough states.
fn is_small(text: &str, dialect: Dialect) -> bool {
    let program = tscript::load("script.tb", text, &options(&[], dialect)).program;
    let Some(program) = program else {
        return false;
    };
    let program = passes::focus(&program, &[]);
    let space = explicit::Space::explore_some(
        &program,
        (&[], true),
        MOST,
        &explicit::Options::with_jobs(1),
        &Budget::default(),
        &model::Silent,
    );
    space.is_ok_and(|space| space.open().is_none())
}

#[test]
fn scripts_of_a_folder_are_the_same() {
    let Some(folder) = std::env::var_os("PROBITY_SCRIPTS") else {
        println!("skipped: PROBITY_SCRIPTS names no folder");
        return;
    };
    let tools = Tools::found();
    let mut found = Vec::new();
    scripts(Path::new(&folder), &mut found);
    let (mut same, mut differ) = (0, 0);
    let (mut large, mut refused, mut unreadable) = (0, 0, 0);
    for path in found {
        let text = String::from_utf8_lossy(&std::fs::read(&path).unwrap_or_default()).into_owned();
        for dialect in [Dialect::Ng, Dialect::C] {
            let name = format!("{}-{dialect:?}", path.display());
            let file = name.replace(['/', '\\', ':'], "_");
            // One that differs is no reason not to look at the others.
            let outcome = catch_unwind(|| compared(&file, &text, dialect, tools.as_ref()));
            let Ok(outcome) = outcome else {
                differ += 1;
                println!("{name}: DIFFERENT");
                continue;
            };
            match outcome {
                Outcome::Unreadable => unreadable += 1,
                Outcome::Refused(why) => {
                    refused += 1;
                    println!("{name}: {why}");
                }
                Outcome::Large => {
                    large += 1;
                    println!("{name}: read, but too large to be compared");
                }
                Outcome::Same(ours, theirs) => {
                    same += 1;
                    println!("{name}: {ours} states, {theirs} in mCRL2");
                }
            }
        }
    }
    println!(
        "{same} graphs are the same, {differ} are not; {large} models are read, and too large to be compared; {refused} \
         scripts are refused, {unreadable} cannot be read"
    );
    assert_eq!(differ, 0, "graphs differ");
    assert!(same > 0, "nothing was compared");
}
