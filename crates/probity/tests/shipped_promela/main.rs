//! The models that come with SPIN: states and transitions equal those of SPIN's verifier, our
//! passes and its reductions off; verdicts equal, our passes on.
//!
//! Needs SPIN and its examples. `PROBITY_MODELS` names the models to look at, separated by spaces;
//! without it, a few small ones. `all` of them take many minutes: `cargo xtask conform spin`.
//!
//! SPIN counts the initial state as a transition. Its switches: `-o1 -o2 -o3` and `-DNOREDUCE` turn
//! reductions off, `-DNOCLAIM -DSAFETY` leave claims and cycles out, `-c0` goes on after an error.

#![expect(clippy::print_stdout, reason = "prints a table")]

mod examples;
mod pan;

use std::path::Path;
use std::time::Duration;

use model::{Budget, Claim, Program, Silent, UnknownReason, Verdict};
use passes::{Selection, pipeline};

use crate::pan::{Counts, Pan, Run};

/// Seconds that SPIN's verifier may take.
const SECONDS: u64 = 60;

/// What is looked at without being asked: small, and each with something of its own.
const SLICE: &str = "for_example.pml peterson.pml priorities.pml";

/// What is said of a property for which there was not time enough.
const OUT_OF_TIME: &str = "not known: Time";

/// Where we differ, knowingly: file, what, and why. Each is explained in `docs/spin-differences.md`.
const KNOWN: &[(&str, &str, &str)] = &[];

/// One line of the table.
struct Row {
    what: String,
    ours: String,
    theirs: String,
}

fn read(path: &Path) -> Result<Program, String> {
    let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
    let folder = path.parent().expect("a file lies in a folder");
    let include = |name: &str| std::fs::read_to_string(folder.join(name)).ok();
    let options = promela::Options {
        include: &include,
        ..promela::Options::default()
    };
    let loaded = promela::load(&path.to_string_lossy(), &text, &options);
    let error = loaded.diagnostics.iter().find(|d| d.is_error());
    let error = error.map_or_else(String::new, |error| error.message.clone());
    loaded.program.ok_or(error)
}

fn counts(program: &Program) -> String {
    let plain = pipeline(program, &[], &Selection::none()).original;
    // Nothing bad to look for: the search goes to its end.
    let job = explicit::SafetyJob {
        program: &plain,
        bads: &[],
        watch: &[],
        exchange: explicit::Exchange::default(),
    };
    let budget = Budget {
        deadline: Some(std::time::Instant::now() + Duration::from_secs(SECONDS)),
        ..Budget::default()
    };
    let outcome = explicit::explore(&job, &explicit::Options::default(), &budget, &Silent);
    let statistics = outcome.statistics;
    if statistics.states == 0 {
        return match explicit::stable_states(&plain, &budget) {
            Ok(states) => format!(
                "{} states, {} transitions",
                states.len(),
                statistics.transitions + 1
            ),
            Err(why) => format!("{why:?}"),
        };
    }
    format!(
        "{} states, {} transitions",
        statistics.states,
        statistics.transitions + 1
    )
}

fn verdicts(program: &Program) -> Vec<(String, String)> {
    let options = verify::Options {
        timeout: Some(Duration::from_secs(SECONDS)),
        ..verify::Options::default()
    };
    verify::check(program, &options, &Silent)
        .into_iter()
        .map(|outcome| {
            let name = program.properties[outcome.property.index()].name.clone();
            let word = match outcome.verdict {
                Verdict::Fails { .. } => "fails".to_owned(),
                Verdict::Holds { .. } | Verdict::Vacuous { .. } => "holds".to_owned(),
                Verdict::Unknown {
                    reason: UnknownReason::Unsupported(what),
                    ..
                } => format!("unsupported: {what}"),
                Verdict::Unknown { reason, .. } => format!("not known: {reason:?}"),
                Verdict::Measured { distance } => format!("{distance:?}"),
            };
            (name, word)
        })
        .collect()
}

fn word(fails: bool) -> String {
    if fails { "fails" } else { "holds" }.to_owned()
}

/// What SPIN says of a property, if it can be asked.
fn ask(pan: &Pan, program: &Program, name: &str, claim: &Claim) -> Result<Option<bool>, String> {
    let safety = ["-DNOREDUCE", "-DNOCLAIM", "-DSAFETY"];
    Ok(Some(match claim {
        Claim::Check(_) => pan.run(&safety, &["-E", "-c1"], SECONDS)?.errors > 0,
        Claim::NoDeadlock => pan.run(&safety, &["-A", "-c1"], SECONDS)?.errors > 0,
        Claim::Ltl(_) if name == "progress" => {
            let flags = ["-DNOREDUCE", "-DNP", "-DNOCLAIM"];
            let flags = if program
                .properties
                .iter()
                .any(|p| matches!(p.claim, Claim::Never(_)))
            {
                &flags[..]
            } else {
                &flags[..2]
            };
            pan.run(flags, &["-l", "-A", "-E", "-c1"], SECONDS)?.errors > 0
        }
        Claim::Ltl(_) if name == "acceptance" => {
            let flags = ["-DNOREDUCE", "-DNOCLAIM"];
            pan.run(&flags, &["-a", "-A", "-E", "-c1"], SECONDS)?.errors > 0
        }
        Claim::Ltl(_) | Claim::Never(_) => {
            let found = pan.run(&["-DNOREDUCE"], &["-a", "-c0", "-N", name], SECONDS)?;
            found.claim_fails
        }
        _ => return Ok(None),
    }))
}

/// Compares one model.
fn compare(path: &Path) -> Result<Vec<Row>, String> {
    let pan = Pan::generate(path)?;
    let program = read(path);
    let safety = ["-DNOREDUCE", "-DNOCLAIM", "-DSAFETY"];
    let all: Run = pan.run(&safety, &["-c0"], SECONDS)?;
    let Counts {
        states,
        transitions,
    } = all.counts;
    let program = match program {
        Ok(program) => program,
        Err(why) => {
            return Ok(vec![Row {
                what: "reading".to_owned(),
                ours: why,
                theirs: "read".to_owned(),
            }]);
        }
    };
    let mut rows = vec![Row {
        what: "counts".to_owned(),
        ours: counts(&program),
        theirs: format!("{states} states, {transitions} transitions"),
    }];
    let ours = verdicts(&program);
    for property in &program.properties {
        let name = &property.name;
        let theirs = match ask(&pan, &program, name, &property.claim) {
            Ok(None) => continue,
            Ok(Some(fails)) => word(fails),
            Err(why) => format!("no answer: {why}"),
        };
        let ours = ours.iter().find(|(known, _)| known == name);
        rows.push(Row {
            what: name.clone(),
            ours: ours.map_or_else(String::new, |(_, word)| word.clone()),
            theirs,
        });
    }
    Ok(rows)
}

/// Whether a program is installed.
fn runs(program: &str, option: &str) -> bool {
    let output = std::process::Command::new(program).arg(option).output();
    output.is_ok_and(|output| output.status.success())
}

#[test]
fn counts_and_verdicts_are_those_of_spin() {
    if !runs("spin", "-V") || !runs("gcc", "--version") {
        println!("skipped: spin or gcc is not installed");
        return;
    }
    let Some(folder) = examples::unpacked() else {
        println!("skipped: SPIN's examples are not installed");
        return;
    };
    let only = std::env::var("PROBITY_MODELS").unwrap_or_else(|_| SLICE.to_owned());
    let only: Vec<&str> = only.split_whitespace().collect();
    let mut looked_at = 0;
    let mut differences = 0;
    let mut compared = 0;
    println!("model | what | ours | SPIN | ");
    for name in examples::models(&folder) {
        if only != ["all"] && !only.contains(&&*name) {
            continue;
        }
        looked_at += 1;
        let rows = match compare(&folder.join(&name)) {
            Ok(rows) => rows,
            Err(why) => {
                println!("{name} | | | SPIN gives no answer: {why} | left out");
                continue;
            }
        };
        for row in rows {
            let known = KNOWN
                .iter()
                .find(|(file, what, _)| *file == name && *what == row.what);
            // Who has no answer in the time given is not contradicted.
            let silent = row.theirs.starts_with("no answer") || row.ours == OUT_OF_TIME;
            let judged = if silent {
                "left out".to_owned()
            } else if row.ours == row.theirs {
                compared += 1;
                "equal".to_owned()
            } else if let Some((.., why)) = known {
                format!("differs: {why}")
            } else {
                differences += 1;
                "DIFFERS".to_owned()
            };
            println!(
                "{name} | {} | {} | {} | {judged}",
                row.what, row.ours, row.theirs
            );
        }
    }
    println!("{looked_at} models: {compared} equal, {differences} differ");
    assert!(
        only == ["all"] || looked_at == only.len(),
        "not all of {only:?} are among SPIN's examples"
    );
    assert_eq!(differences, 0, "differences");
}
