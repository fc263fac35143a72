//! `cargo xtask test`: the one test command.
//!
//! Every stage runs, whatever the others say, so that one run shows all that is wrong. The last
//! line is `N passed, N failed`, summed over the test binaries; a stage that fails for another
//! reason than a failed test counts as one more failure. A test that prints a line `skipped: WHY`
//! has not passed; the line before says how many there are, and why.

use std::io::{BufRead as _, BufReader};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Instant;

use crate::tidy;
use crate::workspace::{cargo, root};

/// Programs that tests need, how they are asked whether they are there, and Debian's packages.
const TOOLS: &[(&str, &str, &str)] = &[
    ("spin", "-V", "spin"),
    ("gcc", "--version", "gcc"),
    ("chromium", "--version", "chromium"),
];

/// What the usual program is built without, and tests need. (The documentation is made without it.)
const FEATURES: &str = "--features=probity/serve,probity/cluster";

/// Where reference data is expected if the environment does not say: beside the checkout.
const REFERENCE: &str = "../shared";

/// Tests everything; says whether all is well.
///
/// # Errors
/// If a command cannot be run at all.
pub(crate) fn run(require_reference: bool) -> Result<bool, String> {
    let reference = reference();
    match &reference {
        Some(path) => println!("reference data: {}", path.display()),
        None => println!("reference data: none; tests against it are skipped"),
    }
    let mut failed_stages = Vec::new();
    let mut counts = Counts::default();
    if require_reference && reference.is_none() {
        failed_stages.push("reference data");
    }
    let mut stage = |name: &'static str, run: &mut dyn FnMut() -> Result<bool, String>| {
        println!("\n== {name}");
        let started = Instant::now();
        let well = run()?;
        let word = if well { "ok" } else { "FAILED" };
        println!(
            "== {name}: {word} ({:.1} s)",
            started.elapsed().as_secs_f64()
        );
        if !well {
            failed_stages.push(name);
        }
        Ok::<(), String>(())
    };

    stage("tools", &mut || install_tools(require_reference))?;
    stage("format", &mut || {
        succeeds(&mut cargo(&["fmt", "--all", "--check"]))
    })?;
    stage("lints", &mut || {
        let arguments = [
            "clippy",
            "--workspace",
            FEATURES,
            "--all-targets",
            "--",
            "-D",
            "warnings",
        ];
        succeeds(&mut cargo(&arguments))
    })?;
    stage("documentation", &mut || {
        let mut command = cargo(&["doc", "--workspace", "--no-deps"]);
        succeeds(command.env("RUSTDOCFLAGS", "-D warnings"))
    })?;
    stage("licences and sources of dependencies", &mut || {
        succeeds(&mut cargo(&[
            "deny", "check", "licenses", "bans", "sources",
        ]))
    })?;
    stage("tidy", &mut tidy::run)?;
    stage("tests", &mut || {
        let mut command = cargo(&[
            "test",
            "--workspace",
            FEATURES,
            "--no-fail-fast",
            "--",
            "--show-output",
        ]);
        match &reference {
            Some(path) => command.env("PROBITY_REFERENCE", path),
            None => command.env_remove("PROBITY_REFERENCE"),
        };
        counts = count_tests(&mut command)?;
        Ok(counts.succeeded && counts.failed == 0)
    })?;

    if !failed_stages.is_empty() {
        println!("\nfailed: {}", failed_stages.join(", "));
    }
    let others = failed_stages
        .iter()
        .filter(|stage| **stage != "tests" || counts.failed == 0)
        .count();
    if !counts.skipped.is_empty() {
        println!("\n{} skipped:", counts.skipped.len());
        for reason in &counts.skipped {
            println!("  {reason}");
        }
    }
    println!(
        "\n{} passed, {} failed",
        counts.passed.saturating_sub(counts.skipped.len() as u64),
        counts.failed + others as u64
    );
    Ok(failed_stages.is_empty())
}

/// Gives every engine this time on every example.
///
/// # Errors
/// If cargo cannot be run.
pub(crate) fn engines(limit: &str) -> Result<bool, String> {
    let arguments = [
        "test",
        "--release",
        "-p",
        "probity",
        "--test",
        "examples_by_engine",
        "--",
        "--nocapture",
    ];
    succeeds(cargo(&arguments).env("PROBITY_ENGINE_LIMIT", limit))
}

/// The folder of reference data, if there is one.
fn reference() -> Option<PathBuf> {
    let path = match std::env::var_os("PROBITY_REFERENCE") {
        Some(path) => PathBuf::from(path),
        None => root().join(REFERENCE),
    };
    path.canonicalize().ok().filter(|path| path.is_dir())
}

/// Installs what the other stages need and the machine lacks; says whether all that is required is
/// there.
fn install_tools(all_are_required: bool) -> Result<bool, String> {
    let mut all = true;
    for &(name, question, package) in TOOLS {
        if !runs(Command::new(name).arg(question)) {
            install_package(package);
        }
        if !runs(Command::new(name).arg(question)) {
            println!("{name} is not installed; tests that need it are skipped");
            all = false;
        }
    }
    let mut well = all || !all_are_required;
    if !runs(&mut cargo(&["deny", "--version"])) {
        println!("installing cargo-deny, once");
        well &= succeeds(&mut cargo(&["install", "--locked", "cargo-deny"]))?;
    }
    Ok(well)
}

/// Installs a package, on Debian, as root; what does not work out is seen afterwards.
fn install_package(package: &str) {
    if !runs(Command::new("apt-get").arg("--version")) {
        return;
    }
    println!("installing {package}, once");
    let mut command = Command::new("apt-get");
    command.args(["install", "--yes", "--no-install-recommends", package]);
    command.env("DEBIAN_FRONTEND", "noninteractive");
    if !succeeds(&mut command).unwrap_or(false) {
        println!("{package} could not be installed");
    }
}

/// Whether a command can be run and succeeds; what it prints is not shown.
fn runs(command: &mut Command) -> bool {
    let status = command.stdout(Stdio::null()).stderr(Stdio::null()).status();
    status.is_ok_and(|status| status.success())
}

fn succeeds(command: &mut Command) -> Result<bool, String> {
    let status = command.status();
    let status = status.map_err(|error| format!("run {command:?}: {error}"))?;
    Ok(status.success())
}

/// What the test binaries said.
#[derive(Default)]
struct Counts {
    passed: u64,
    failed: u64,
    succeeded: bool,
    /// Why tests were skipped.
    skipped: Vec<String>,
}

/// Runs the tests, shows what they print, and adds up their results.
fn count_tests(command: &mut Command) -> Result<Counts, String> {
    let mut child = command
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| format!("run the tests: {error}"))?;
    let mut counts = Counts::default();
    let out = child.stdout.take().expect("it is piped");
    for line in BufReader::new(out).split(b'\n') {
        let line = line.map_err(|error| format!("read what the tests print: {error}"))?;
        let line = String::from_utf8_lossy(&line);
        println!("{line}");
        if let Some((passed, failed)) = result_of(&line) {
            counts.passed += passed;
            counts.failed += failed;
        }
        if let Some(reason) = line.strip_prefix("skipped: ") {
            counts.skipped.push(reason.to_owned());
        }
    }
    let status = child
        .wait()
        .map_err(|error| format!("wait for the tests: {error}"))?;
    counts.succeeded = status.success();
    Ok(counts)
}

/// The counts of a line such as `test result: ok. 9 passed; 0 failed; ...`.
fn result_of(line: &str) -> Option<(u64, u64)> {
    let (_, counts) = line.strip_prefix("test result: ")?.split_once(". ")?;
    let mut counts = counts.split("; ");
    let passed = counts.next()?.strip_suffix(" passed")?.parse().ok()?;
    let failed = counts.next()?.strip_suffix(" failed")?.parse().ok()?;
    Some((passed, failed))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_read_and_nothing_else() {
        let line = "test result: ok. 9 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out";
        assert_eq!(result_of(line), Some((9, 1)));
        assert_eq!(
            result_of("test result: FAILED. 0 passed; 2 failed; 0 ignored"),
            Some((0, 2))
        );
        assert_eq!(result_of("test a_test ... ok"), None);
        assert_eq!(result_of("test result: none"), None);
    }
}
