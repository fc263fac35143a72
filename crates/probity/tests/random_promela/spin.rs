//! SPIN's answers: `spin` writes a verifier, `gcc` compiles it, and it runs.
//!
//! Counts come from a verifier without SPIN's reductions: `-o1 -o2 -o3` leave out dead variables,
//! merging and the removal of unreachable branches; `-DNOREDUCE` partial order reduction;
//! `-DNOCLAIM -DSAFETY` claims and cycles.

use std::path::Path;
use std::process::Command;

use crate::generate::{Liveness, Model};

/// What SPIN says of a model.
#[derive(Debug)]
pub(crate) struct Answers {
    pub(crate) states: usize,
    pub(crate) transitions: usize,
    pub(crate) assertion_fails: bool,
    pub(crate) invalid_end: bool,
    /// For each claim, for progress or for acceptance, whether it fails.
    pub(crate) liveness: Vec<(String, bool)>,
}

/// Whether SPIN and a C compiler are installed; if not, what is missing.
pub(crate) fn missing() -> Option<&'static str> {
    let runs = |program: &str, option: &str| {
        let output = Command::new(program).arg(option).output();
        output.is_ok_and(|output| output.status.success())
    };
    if !runs("spin", "-V") {
        Some("spin is not installed")
    } else if !runs("gcc", "--version") {
        Some("gcc is not installed")
    } else {
        None
    }
}

/// Asks SPIN, in an empty folder of its own.
pub(crate) fn ask(folder: &Path, model: &Model) -> Result<Answers, String> {
    std::fs::create_dir_all(folder).map_err(|error| error.to_string())?;
    std::fs::write(folder.join("model.pml"), &model.text).map_err(|error| error.to_string())?;
    verifier(folder, &[], &["-DNOREDUCE", "-DNOCLAIM", "-DSAFETY"])?;
    let all = run(folder, &["-c0"])?;
    let mut answers = Answers {
        states: all.states,
        transitions: all.transitions,
        assertion_fails: model.asserts && run(folder, &["-E"])?.errors > 0,
        invalid_end: run(folder, &["-A"])?.errors > 0,
        liveness: Vec::new(),
    };
    let without_assertions = ["-DNOASSERT"];
    match &model.liveness {
        Liveness::None => {}
        Liveness::Claims(names) => {
            verifier(folder, &without_assertions, &["-DNOREDUCE"])?;
            for name in names {
                let found = run(folder, &["-a", "-N", name])?;
                answers.liveness.push((name.clone(), found.errors > 0));
            }
        }
        Liveness::Progress => {
            verifier(folder, &without_assertions, &["-DNOREDUCE", "-DNP"])?;
            let found = run(folder, &["-l", "-E"])?;
            answers
                .liveness
                .push(("progress".to_owned(), found.errors > 0));
        }
        Liveness::Acceptance => {
            verifier(folder, &without_assertions, &["-DNOREDUCE"])?;
            let found = run(folder, &["-a", "-E"])?;
            answers
                .liveness
                .push(("acceptance".to_owned(), found.errors > 0));
        }
    }
    Ok(answers)
}

/// Asks about a cycle that SPIN found once more, of a verifier that keeps its states in a minimised
/// automaton: it has no short cut over states on the stack, whose marks may be stale
/// (`docs/spin-differences.md`).
///
/// Returns whether it finds an error, too.
pub(crate) fn confirms(folder: &Path, liveness: &Liveness, name: &str) -> Result<bool, String> {
    let minimised = ["-DNOREDUCE", "-DMA=1024"];
    let with_progress = ["-DNOREDUCE", "-DMA=1024", "-DNP"];
    let (flags, options): (&[&str], &[&str]) = match liveness {
        Liveness::None => return Ok(true),
        Liveness::Claims(_) => (&minimised, &["-a", "-N", name]),
        Liveness::Progress => (&with_progress, &["-l", "-E"]),
        Liveness::Acceptance => (&minimised, &["-a", "-E"]),
    };
    verifier(folder, &["-DNOASSERT"], flags)?;
    Ok(run(folder, options)?.errors > 0)
}

/// Makes the verifier.
fn verifier(folder: &Path, defines: &[&str], flags: &[&str]) -> Result<(), String> {
    let mut command = Command::new("spin");
    command.args(defines);
    command.args(["-o1", "-o2", "-o3", "-a", "model.pml"]);
    output(command.current_dir(folder))?;
    let mut command = Command::new("gcc");
    command.args(["-w", "-O0"]).args(flags);
    command.args(["-o", "pan", "pan.c"]);
    output(command.current_dir(folder)).map(|_| ())
}

/// What a verifier printed.
struct Found {
    states: usize,
    transitions: usize,
    errors: usize,
}

fn run(folder: &Path, options: &[&str]) -> Result<Found, String> {
    let mut command = Command::new(folder.join("pan"));
    command.args(["-n", "-w16", "-m200000"]).args(options);
    let said = output(command.current_dir(folder))?;
    let number_before = |text: &str| -> Option<usize> {
        let (before, _) = said.split_once(text)?;
        before.split_whitespace().next_back()?.parse().ok()
    };
    let errors = said
        .split_once("errors: ")
        .and_then(|(_, after)| after.split_whitespace().next()?.parse().ok());
    match (
        number_before(" states, stored"),
        number_before(" transitions (= "),
        errors,
    ) {
        (Some(states), Some(transitions), Some(errors)) if !said.contains("too small") => {
            Ok(Found {
                states,
                transitions,
                errors,
            })
        }
        _ => Err(said),
    }
}

/// What a command prints; an error if it fails.
fn output(command: &mut Command) -> Result<String, String> {
    let output = command.output().map_err(|error| error.to_string())?;
    let said = String::from_utf8_lossy(&output.stdout);
    let complaint = String::from_utf8_lossy(&output.stderr);
    if output.status.success() {
        Ok(said.into_owned())
    } else {
        Err(format!("{command:?}: {}\n{said}{complaint}", output.status))
    }
}
