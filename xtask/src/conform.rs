//! `cargo xtask conform lsl`: whether runs in a concrete world keep what verification says of LSL
//! scripts;
//! `cargo xtask conform spin`: whether our states, transitions and verdicts are SPIN's;
//! `cargo xtask conform smv`: whether our verdicts are NuSMV's;
//! `cargo xtask conform nodegraph`: random graphs beside the engines that run them;
//! `cargo xtask conform nodegraph DIR`: whether files of graphs load;
//! `cargo xtask conform mobile DIR`: which C programs are read, and answered under the policy of a sandbox;
//! `cargo xtask conform checks DIR`: whether what is found in public LSL scripts is so;
//! `cargo xtask conform scripts DIR`: whether any LSL script is read and checked within its limit;
//! `cargo xtask conform strangers DIR`: what is read, found and said otherwise by peers of models that nobody here wrote;
//! `cargo xtask conform limits`: whether limits are kept in every phase; `conform limits DIR`: on scripts;
//! `cargo xtask conform turns`: whether a hopeless property starves others;
//! `cargo xtask conform stops`: whether what is stopped goes on as if nothing had been;
//! `cargo xtask conform tscript`: whether random scripts do in a concrete world, and in the bus in Java where
//! `PROBITY_TOOLBUS` names it, what we say; `conform tscript DIR`: whether scripts load, and print what
//! stands beside them;
//! `cargo xtask conform kills`: whether a search by several processes goes on as if none of them had been killed;
//! `cargo xtask conform cluster`: whether searches by several processes are those of one;
//! `cargo xtask conform mcrl2`: whether mCRL2's tools see in scripts what we see; `conform mcrl2 DIR`: in the
//! scripts below a folder, or in formulas beside models of mCRL2.
//!
//! The comparison itself is a test of the command line's crate, where the libraries are at hand.

mod checks;
mod cluster;
mod mcrl2;
mod mobile;
mod peers;
mod scripts;
mod strangers;

pub(crate) use checks::run as checks;
pub(crate) use cluster::run as cluster;
pub(crate) use mobile::run as mobile;
pub(crate) use scripts::run as scripts;
pub(crate) use strangers::run as strangers;

use crate::workspace::cargo;

/// How many random scripts a full run has, and how often each is run.
const LSL_SIZE: [(&str, &str, &str); 3] = [
    ("--scripts", "PROBITY_CONFORM_SCRIPTS", "2000"),
    ("--runs", "PROBITY_CONFORM_RUNS", "50"),
    ("--seed", "PROBITY_CONFORM_SEED", "1"),
];

/// Runs random LSL scripts and the examples in a concrete world, beside what verification says.
///
/// # Errors
/// If an option is unknown or cargo cannot be run.
pub(crate) fn lsl(options: &[&str]) -> Result<bool, String> {
    let mut command = cargo(&["test", "--release", "--package", "lsl-concrete"]);
    command.args(["--test", "conform", "--", "--nocapture"]);
    for (_, variable, default) in LSL_SIZE {
        command.env(variable, default);
    }
    for option in options.chunks(2) {
        let &[name, value] = option else {
            return Err(format!("read the option {}: it needs a number", option[0]));
        };
        let known = LSL_SIZE.iter().find(|(known, ..)| *known == name);
        let Some((_, variable, _)) = known else {
            return Err(format!("read the option {name}"));
        };
        let number: u64 = value
            .parse()
            .map_err(|_| format!("read the number {value}"))?;
        command.env(variable, number.to_string());
    }
    let status = command
        .status()
        .map_err(|error| format!("run {command:?}: {error}"))?;
    Ok(status.success())
}

/// Compares with SPIN on the models that come with it, or with `--random COUNT` on random ones.
///
/// # Errors
/// If an option is unknown or cargo cannot be run.
pub(crate) fn spin(options: &[&str]) -> Result<bool, String> {
    let (test, count) = match *options {
        [] => ("shipped_promela", None),
        ["--random", count] => ("random_promela", Some(count)),
        _ => return Err(format!("read the options {}", options.join(" "))),
    };
    compare((test, &[]), &["--nocapture"], count)
}

/// Compares our engines with each other on random models, and with NuSMV where `PROBITY_NUSMV`
/// names it.
///
/// # Errors
/// If an option is unknown or cargo cannot be run.
pub(crate) fn smv(options: &[&str]) -> Result<bool, String> {
    let ["--random", count] = *options else {
        return Err(format!("read the options {}", options.join(" ")));
    };
    compare(("smv", &[]), &["random", "--nocapture"], Some(count))
}

/// Compares scripts of the ToolBus with what mCRL2's tools make of their translations, where
/// `PROBITY_MCRL2` names the folder of these tools: graphs, and what formulas say; or the scripts below a
/// folder; or, where there are models of mCRL2 below it, what their formulas say.
///
/// # Errors
/// If there is more than one folder or cargo cannot be run.
pub(crate) fn mcrl2(options: &[&str]) -> Result<bool, String> {
    match *options {
        [] => compare(("mcrl2", &[]), &["--nocapture"], None),
        [below, ..] if mcrl2::has_models(below)? => mcrl2::formulas(options),
        _ => folder(
            ("probity", "mcrl2", Some("folder")),
            "PROBITY_SCRIPTS",
            options,
        ),
    }
}

/// Asks for each limit in each phase, and prints what was asked and what was taken; or checks all
/// LSL scripts of a folder within limits.
///
/// # Errors
/// If an option is unknown or cargo cannot be run.
pub(crate) fn limits(options: &[&str]) -> Result<bool, String> {
    match *options {
        [] => compare(("limits", &[]), &["every_phase", "--nocapture"], None),
        _ => folder(
            ("probity", "limits", Some("folder")),
            "PROBITY_SCRIPTS",
            options,
        ),
    }
}

/// Checks twenty files in each of which one property is hopeless.
///
/// # Errors
/// If cargo cannot be run.
pub(crate) fn turns() -> Result<bool, String> {
    compare(("turns", &[]), &["--nocapture"], None)
}

/// Kills processes that search together, on one machine and on several.
///
/// # Errors
/// If an option is unknown or cargo cannot be run.
pub(crate) fn kills(options: &[&str]) -> Result<bool, String> {
    let ["--random", count] = *options else {
        return Err(format!("read the options {}", options.join(" ")));
    };
    let filter = ["killed", "lost", "--nocapture", "--test-threads=1"];
    compare(
        ("cluster", &["--features", "cluster"]),
        &filter,
        Some(count),
    )
}

/// Stops verifications at many points, and goes on with them.
///
/// # Errors
/// If an option is unknown or cargo cannot be run.
pub(crate) fn stops(options: &[&str]) -> Result<bool, String> {
    let ["--random", count] = *options else {
        return Err(format!("read the options {}", options.join(" ")));
    };
    compare(("stops", &[]), &["--nocapture"], Some(count))
}

/// Compares with the engines that graphs are for; or, where a folder is named, reads all graphs of it and
/// counts what loads, and what is refused, by reason.
///
/// # Errors
/// If an option is unknown or a program cannot be run.
pub(crate) fn nodegraph(options: &[&str]) -> Result<bool, String> {
    if options.first().is_none_or(|word| word.starts_with("--")) {
        return peers::run(options);
    }
    folder(("nodegraph", "files", None), "PROBITY_GRAPHS", options)
}

/// Compares random scripts with a concrete world, and with the bus in Java where `PROBITY_TOOLBUS` is its
/// class path; or reads all scripts of a folder, counts what loads, and compares what they print with
/// the `.out` files beside them.
///
/// # Errors
/// If an option is unknown or cargo cannot be run.
pub(crate) fn tscript(options: &[&str]) -> Result<bool, String> {
    match *options {
        [] => compare(("tscript_world", &[]), &["--nocapture"], Some("500")),
        ["--random", count] => compare(("tscript_world", &[]), &["--nocapture"], Some(count)),
        _ => folder(("tscript", "scripts", None), "PROBITY_TSCRIPTS", options),
    }
}

/// Runs a test on a folder; of its functions those that a word selects, if there is one.
fn folder(
    (package, test, only): (&str, &str, Option<&str>),
    variable: &str,
    options: &[&str],
) -> Result<bool, String> {
    let [folder] = *options else {
        return Err("read the options: one folder is expected".to_owned());
    };
    let folder = std::path::absolute(folder).map_err(|error| format!("find {folder}: {error}"))?;
    if !folder.is_dir() {
        return Err(format!("find a folder: {}", folder.display()));
    }
    let mut command = cargo(&["test", "--release", "--package", package, "--test", test]);
    command
        .args(["--", "--nocapture"])
        .args(only)
        .env(variable, folder);
    let status = command
        .status()
        .map_err(|error| format!("run {command:?}: {error}"))?;
    Ok(status.success())
}

fn compare(
    (test, features): (&str, &[&str]),
    filter: &[&str],
    count: Option<&str>,
) -> Result<bool, String> {
    let mut command = cargo(&["test", "--release", "--package", "probity", "--test", test]);
    command.args(features).arg("--").args(filter);
    command.env("PROBITY_MODELS", "all");
    if let Some(count) = count {
        let count: u64 = count
            .parse()
            .map_err(|_| format!("read the number {count}"))?;
        command.env("PROBITY_RANDOM_COUNT", count.to_string());
    }
    let status = command
        .status()
        .map_err(|error| format!("run {command:?}: {error}"))?;
    Ok(status.success())
}
