//! `cargo xtask fleet`: the Python package that hands jobs to a Dask cluster, on a cluster of this machine.

use std::path::Path;
use std::process::Command;

use crate::bench::release;
use crate::workspace::root;

/// Installs what the package needs below the target folder, and runs its tests: so many jobs (a thousand,
/// if nothing is said) over four workers, two of which are killed.
///
/// # Errors
/// If Python or the package index cannot be had.
pub(crate) fn run(jobs: Option<&str>) -> Result<bool, String> {
    let program = release()?;
    let environment = root().join("target/fleet");
    let python = environment.join("bin/python");
    if !python.exists() {
        finish(
            Command::new("python3")
                .args(["-m", "venv"])
                .arg(&environment),
        )?;
    }
    let package = root().join("python/probity_fleet");
    // What it needs, not itself: no build is left behind in the tree.
    finish(Command::new(&python).args(["-m", "pip", "install", "--quiet", "distributed>=2024.1"]))?;
    let status = Command::new(&python)
        .args([
            "-W",
            "ignore",
            "-m",
            "unittest",
            "discover",
            "--verbose",
            "tests",
        ])
        .current_dir(&package)
        .env("PYTHONPATH", &package)
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .env("PROBITY", Path::new(&program))
        .env("FLEET_JOBS", jobs.unwrap_or("1000"))
        .status();
    status
        .map(|status| status.success())
        .map_err(|error| format!("run the tests: {error}"))
}

fn finish(command: &mut Command) -> Result<(), String> {
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("run {command:?}: {status}")),
        Err(error) => Err(format!("run {command:?}: {error}")),
    }
}
