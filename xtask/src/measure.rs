//! Peak memory and wall time of one command, measured by a process that runs nothing else.
//!
//! The kernel keeps one figure for all children that a process has waited for: their greatest
//! resident size. So the command gets a parent of its own.

use std::process::{Command, Stdio};
use std::time::Instant;

use crate::workspace::output_of;

/// What a command took.
#[derive(Clone, Debug)]
pub(crate) struct Measured {
    /// Wall time in seconds.
    pub(crate) seconds: f64,
    /// Time that processors spent on the command, in it and in the system for it, in seconds, where
    /// the system tells.
    pub(crate) processor_seconds: Option<f64>,
    /// Greatest resident size in bytes, where the system tells.
    pub(crate) peak_bytes: Option<u64>,
    /// The exit status.
    pub(crate) status: i32,
    /// Standard output.
    pub(crate) out: String,
}

/// Measures a command.
///
/// # Errors
/// If it cannot be run.
pub(crate) fn measure(program: &str, arguments: &[&str]) -> Result<Measured, String> {
    let own = std::env::current_exe().map_err(|error| format!("find myself: {error}"))?;
    let mut command = Command::new(own);
    command.arg("measure").arg(program).args(arguments);
    let text = output_of(&mut command)?;
    let mut lines = text.splitn(5, '\n');
    let mut next = || lines.next().unwrap_or_default();
    let wrong = |what: &str| format!("read the measured {what}");
    Ok(Measured {
        seconds: next().parse().map_err(|_| wrong("time"))?,
        processor_seconds: next().parse().ok(),
        peak_bytes: next().parse().ok(),
        status: next().parse().map_err(|_| wrong("status"))?,
        out: next().to_owned(),
    })
}

/// The other side: runs the command, then prints time, memory, status and its output.
///
/// # Errors
/// If it cannot be run.
pub(crate) fn run(program: &str, arguments: &[&str]) -> Result<bool, String> {
    let started = Instant::now();
    let output = Command::new(program)
        .args(arguments)
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| format!("run {program}: {error}"))?;
    let seconds = started.elapsed().as_secs_f64();
    let told = |figure: Option<String>| figure.unwrap_or_else(|| "unknown".to_owned());
    let used = told(processor_time_of_children().map(|seconds| seconds.to_string()));
    let peak = told(peak_of_children().map(|bytes| bytes.to_string()));
    let status = output.status.code().unwrap_or(-1);
    let out = String::from_utf8_lossy(&output.stdout);
    print!("{seconds}\n{used}\n{peak}\n{status}\n{out}");
    Ok(true)
}

#[cfg(unix)]
fn peak_of_children() -> Option<u64> {
    use nix::sys::resource::{UsageWho, getrusage};
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN).ok()?;
    let unit = if cfg!(target_os = "macos") { 1 } else { 1024 };
    Some(u64::try_from(usage.max_rss()).ok()? * unit)
}

#[cfg(unix)]
fn processor_time_of_children() -> Option<f64> {
    use nix::sys::resource::{UsageWho, getrusage};
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN).ok()?;
    let times = [usage.user_time(), usage.system_time()];
    let seconds = times.map(|time| time.tv_sec() as f64 + time.tv_usec() as f64 / 1e6);
    Some(seconds.iter().sum())
}

#[cfg(not(unix))]
fn processor_time_of_children() -> Option<f64> {
    None
}

#[cfg(not(unix))]
fn peak_of_children() -> Option<u64> {
    None
}
