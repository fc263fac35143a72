//! `cargo xtask mutate`: plants faults and sees whether the tests catch them.
//!
//! A test suite is worth what it catches. Each fault of the [table](crate::mutants) is planted in
//! a copy of the workspace, and the tests of its package have to fail. A fault that no longer fits
//! the sources, or does not compile, is a defect of the table.

use std::path::Path;
use std::process::Stdio;

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

    let mut packages: Vec<&str> = wanted.iter().map(|mutant| mutant.package).collect();
    packages.dedup();
    for package in packages {
        println!("{package}: its tests without a fault");
        if !passes(&copy, &scratch, package, false)? {
            return Err(format!(
                "begin: the tests of {package} fail without a fault"
            ));
        }
    }
    let mut missed = 0;
    for (number, mutant) in (first.max(1)..).zip(wanted) {
        let became = plant(mutant, &copy, &scratch)?;
        println!("{number:3} {became} {}: {}", mutant.package, mutant.breaks);
        missed += usize::from(became != "caught");
    }
    println!("{} planted, {missed} missed", wanted.len());
    Ok(missed == 0)
}

/// Plants a fault, says what the tests made of it, and takes it away.
fn plant(mutant: &Mutant, copy: &Path, scratch: &Path) -> Result<&'static str, String> {
    let (path, original) = match mutant.place(copy) {
        Ok(place) => place,
        Err(reason) => {
            println!("{reason}");
            return Ok("DOES NOT FIT");
        }
    };
    write(&path, &original.replace(mutant.search, mutant.replacement))?;
    let compiles = passes(copy, scratch, mutant.package, true)?;
    let caught = compiles && !passes(copy, scratch, mutant.package, false)?;
    write(&path, &original)?;
    Ok(match (compiles, caught) {
        (false, _) => "DOES NOT COMPILE",
        (true, true) => "caught",
        (true, false) => "MISSED",
    })
}

/// Whether a package's tests pass in the copy, or only compile.
fn passes(copy: &Path, scratch: &Path, package: &str, compile_only: bool) -> Result<bool, String> {
    let mut command = cargo(&["test", "--quiet", "--package", package, "--lib", "--tests"]);
    if compile_only {
        command.arg("--no-run");
    }
    let status = command
        .current_dir(copy)
        .env("CARGO_TARGET_DIR", scratch.join("target"))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .map_err(|error| format!("run the tests of {package}: {error}"))?;
    Ok(status.success())
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
