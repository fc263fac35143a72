//! Where things are: the workspace's folder, its packages, its files.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// The folder of the workspace: that of the cargo that runs this, which need not be the one where
/// this was compiled, as checkouts may share a target folder.
pub(crate) fn root() -> PathBuf {
    let here = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    let here = here.unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).into());
    here.parent().expect("xtask lies in the workspace").into()
}

/// A cargo command in the workspace.
pub(crate) fn cargo(arguments: &[&str]) -> Command {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let mut command = Command::new(cargo);
    command.args(arguments).current_dir(root());
    command
}

/// What a command prints.
///
/// # Errors
/// If it cannot be run or fails.
pub(crate) fn output_of(command: &mut Command) -> Result<String, String> {
    let output = command
        .output()
        .map_err(|error| format!("run {command:?}: {error}"))?;
    if !output.status.success() {
        let error = String::from_utf8_lossy(&output.stderr);
        return Err(format!("run {command:?}: {}\n{error}", output.status));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// What cargo knows of the workspace.
///
/// # Errors
/// If cargo does not say.
pub(crate) fn metadata() -> Result<Value, String> {
    let text = output_of(&mut cargo(&[
        "metadata",
        "--no-deps",
        "--format-version",
        "1",
    ]))?;
    serde_json::from_str(&text).map_err(|error| format!("read cargo's metadata: {error}"))
}

/// The files that git knows or would take, relative to the workspace.
///
/// # Errors
/// If git does not say.
pub(crate) fn files() -> Result<Vec<PathBuf>, String> {
    let listed = [
        "ls-files",
        "--cached",
        "--others",
        "--exclude-standard",
        "-z",
    ];
    let text = output_of(Command::new("git").args(listed).current_dir(root()))?;
    let mut files: Vec<PathBuf> = text
        .split('\0')
        .filter(|name| !name.is_empty() && root().join(name).is_file())
        .map(PathBuf::from)
        .collect();
    files.sort();
    files.dedup();
    Ok(files)
}
