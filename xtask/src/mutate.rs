//! `cargo xtask mutate`: plants faults and sees whether the tests catch them.
//!
//! A test suite is worth what it catches. Each fault of the [table](crate::mutants) is planted in
//! a copy of the workspace, and the tests of its package have to fail. Tests that run for much
//! longer than they do without a fault are ended: a fault that makes them hang is caught, too. A
//! fault that no longer fits the sources, or does not compile, is a defect of the table.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::mutants::{self, Mutant};
use crate::workspace::{cargo, files, metadata, root};

/// Plants the faults of one package or of all, or goes on with those from a number on; says whether
/// all were caught.
///
/// # Errors
/// If the copy cannot be made, or tests fail without a fault.
pub(crate) fn run(package: Option<&str>, first: &str) -> Result<bool, String> {
    let first: usize = first
        .parse()
        .map_err(|_| format!("read the number of the first fault: {first}"))?;
    let of_package: Vec<&Mutant> = mutants::all()
        .filter(|mutant| package.is_none_or(|package| mutant.package == package))
        .collect();
    let wanted = of_package.get(first.saturating_sub(1)..).unwrap_or(&[]);
    if wanted.is_empty() {
        return Err("find a fault to plant: the table has none".to_owned());
    }
    let target = metadata()?["target_directory"]
        .as_str()
        .ok_or("find the target directory")?
        .to_owned();
    let scratch = Path::new(&target).join("mutate");
    let copy = scratch.join("workspace");
    copy_workspace(&copy)?;

    let mut limits: Vec<((&str, &[&str]), Duration)> = Vec::new();
    for mutant in wanted {
        let (package, tests) = (mutant.package, mutant.tests);
        if limits.iter().any(|known| known.0 == (package, tests)) {
            continue;
        }
        println!("{package}: its tests without a fault");
        let broken = || format!("begin: the tests of {package} fail without a fault");
        if !compiles(&copy, &scratch, mutant)? {
            return Err(broken());
        }
        let started = Instant::now();
        if run_tests(&copy, &scratch, mutant, None)? != Outcome::Pass {
            return Err(broken());
        }
        limits.push(((package, tests), limit(started.elapsed())));
    }
    let mut missed = 0;
    for (number, mutant) in (first.max(1)..).zip(wanted) {
        let same = limits
            .iter()
            .find(|known| known.0 == (mutant.package, mutant.tests));
        let limit = same.expect("these tests have run").1;
        let became = plant(mutant, &copy, &scratch, limit)?;
        println!("{number:3} {became} {}: {}", mutant.package, mutant.breaks);
        missed += usize::from(!became.starts_with("caught"));
    }
    println!("{} planted, {missed} missed", wanted.len());
    Ok(missed == 0)
}

/// How long tests may run with a fault that run for some time without.
fn limit(without_fault: Duration) -> Duration {
    (without_fault * 5).max(Duration::from_mins(2))
}

/// Plants a fault, says what the tests made of it, and takes it away.
fn plant(
    mutant: &Mutant,
    copy: &Path,
    scratch: &Path,
    limit: Duration,
) -> Result<&'static str, String> {
    let (path, original) = match mutant.place(copy) {
        Ok(place) => place,
        Err(reason) => {
            println!("{reason}");
            return Ok("DOES NOT FIT");
        }
    };
    write(&path, &original.replace(mutant.search, mutant.replacement))?;
    let became = if compiles(copy, scratch, mutant)? {
        match run_tests(copy, scratch, mutant, Some(limit))? {
            Outcome::Pass => "MISSED",
            Outcome::Fail => "caught",
            Outcome::Hang => "caught by hanging",
        }
    } else {
        "DOES NOT COMPILE"
    };
    write(&path, &original)?;
    Ok(became)
}

/// What became of tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    Pass,
    Fail,
    /// They ran for longer than they may.
    Hang,
}

/// Whether the tests for a fault compile in the copy.
fn compiles(copy: &Path, scratch: &Path, mutant: &Mutant) -> Result<bool, String> {
    let mut command = tests_of(copy, scratch, mutant);
    let status = command
        .arg("--no-run")
        .status()
        .map_err(|error| format!("compile the tests of {}: {error}", mutant.package))?;
    Ok(status.success())
}

/// Runs the tests for a fault in the copy, for no longer than a limit.
fn run_tests(
    copy: &Path,
    scratch: &Path,
    mutant: &Mutant,
    limit: Option<Duration>,
) -> Result<Outcome, String> {
    within(&mut tests_of(copy, scratch, mutant), limit)
        .map_err(|error| format!("run the tests of {}: {error}", mutant.package))
}

fn tests_of(copy: &Path, scratch: &Path, mutant: &Mutant) -> Command {
    let mut command = cargo(&["test", "--quiet", "--package", mutant.package]);
    match mutant.tests {
        [] => command.args(["--lib", "--tests"]),
        some => command.args(some.iter().flat_map(|test| ["--test", test])),
    };
    command
        .current_dir(copy)
        .env("CARGO_TARGET_DIR", scratch.join("target"))
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command
}

/// Runs a command that runs tests, and ends it and what it has started when the limit has passed.
/// Where the system has groups of processes, it is the head of one.
fn within(command: &mut Command, limit: Option<Duration>) -> std::io::Result<Outcome> {
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    let started = Instant::now();
    let mut child = command.spawn()?;
    loop {
        match child.try_wait()? {
            Some(status) if status.success() => return Ok(Outcome::Pass),
            Some(_) => return Ok(Outcome::Fail),
            None if limit.is_some_and(|limit| started.elapsed() > limit) => {
                end(&mut child);
                child.wait()?;
                return Ok(Outcome::Hang);
            }
            None => std::thread::sleep(Duration::from_millis(50)),
        }
    }
}

/// Ends a process and, where the system has groups of processes, those of its group.
fn end(child: &mut Child) {
    #[cfg(unix)]
    if let Ok(group) = i32::try_from(child.id()) {
        use nix::sys::signal::{Signal, killpg};
        // Whoever has just ended by itself needs no end.
        let _ = killpg(nix::unistd::Pid::from_raw(group), Signal::SIGKILL);
    }
    let _ = child.kill();
}

fn copy_workspace(copy: &Path) -> Result<(), String> {
    for file in files()? {
        let from = root().join(&file);
        let to = copy.join(&file);
        if let Some(folder) = to.parent() {
            std::fs::create_dir_all(folder)
                .map_err(|error| format!("make {}: {error}", folder.display()))?;
        }
        // Files that did not change keep their time, so that little is built again.
        let same = std::fs::read(&from).ok() == std::fs::read(&to).ok();
        if !same {
            std::fs::copy(&from, &to)
                .map_err(|error| format!("copy {}: {error}", file.display()))?;
        }
    }
    Ok(())
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    std::fs::write(path, text).map_err(|error| format!("write {}: {error}", path.display()))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn shell(script: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", script]).stdout(Stdio::piped());
        command
    }

    #[test]
    fn what_runs_for_too_long_is_ended_with_what_it_started() {
        let (mut read, write) = std::io::pipe().expect("a pipe");
        let mut command = shell("sleep 600 & wait");
        command.stdout(write);
        let became = within(&mut command, Some(Duration::from_millis(200))).expect("it runs");
        assert_eq!(became, Outcome::Hang);
        // The pipe ends when nobody holds it any more, the one in the background included.
        drop(command);
        let mut told = Vec::new();
        std::io::Read::read_to_end(&mut read, &mut told).expect("it can be read");
        assert!(told.is_empty());
    }

    #[test]
    fn what_ends_by_itself_has_passed_or_failed() {
        let long = Some(Duration::from_mins(10));
        assert_eq!(within(&mut shell("true"), long).ok(), Some(Outcome::Pass));
        assert_eq!(within(&mut shell("false"), None).ok(), Some(Outcome::Fail));
    }
}
