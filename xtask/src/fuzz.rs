//! `cargo xtask fuzz`: builds the fuzzer of `crates/fuzzing` and runs it.

use crate::workspace::{cargo, root};

/// Runs every reader, or some, on changed examples for a while; says whether nothing was found.
///
/// # Errors
/// If cargo cannot be started.
pub(crate) fn run(options: &[&str]) -> Result<bool, String> {
    let mut command = cargo(&["run", "--release", "--package", "fuzzing", "--"]);
    let status = command
        .args(options)
        .current_dir(root())
        .status()
        .map_err(|error| format!("start cargo: {error}"))?;
    Ok(status.success())
}
