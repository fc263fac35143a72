//! `cargo xtask conform spin`: whether our states, transitions and verdicts are SPIN's.
//!
//! The comparison itself is a test of the command line's crate, where the libraries are at hand.

use crate::workspace::cargo;

/// Compares on the models that come with SPIN, or with `--random COUNT` on random ones.
///
/// # Errors
/// If an option is unknown or cargo cannot be run.
pub(crate) fn run(options: &[&str]) -> Result<bool, String> {
    let (test, count) = match *options {
        [] => ("shipped_promela", None),
        ["--random", count] => ("random_promela", Some(count)),
        _ => return Err(format!("read the options {}", options.join(" "))),
    };
    let mut command = cargo(&["test", "--release", "--package", "probity", "--test", test]);
    command.args(["--", "--nocapture"]);
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
