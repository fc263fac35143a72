//! SPIN's side of a comparison: its verifier, compiled as fast as it gets, and its figures.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Instant;

use crate::measure::{Measured, measure};
use crate::workspace::output_of;

/// No reductions, so that states can be equal.
pub(crate) const PLAIN: &[&str] = &["-o1", "-o2", "-o3"];

/// How one verifier is made and run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Recipe<'a> {
    /// SPIN's switches beside `-a`, macros included.
    pub(crate) spin: &'a [&'a str],
    /// The compiler's switches.
    pub(crate) gcc: &'a [&'a str],
    /// The verifier's.
    pub(crate) pan: &'a [&'a str],
}

/// A verifier that has been made.
pub(crate) struct Pan {
    folder: PathBuf,
    /// Wall time of `spin` and of `gcc`.
    pub(crate) making: f64,
}

/// What a run of a verifier says.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    pub(crate) measured: Measured,
    pub(crate) states: u64,
    pub(crate) errors: u64,
    /// Seconds of the search alone, as the verifier says; it says nothing of very short ones.
    pub(crate) search: f64,
    /// The claim that took part.
    pub(crate) claim: Option<String>,
}

impl Pan {
    /// Has SPIN write a verifier and compiles it.
    ///
    /// # Errors
    /// If SPIN or the compiler refuses.
    pub(crate) fn make(model: &Path, recipe: Recipe<'_>) -> Result<Self, String> {
        static MADE: AtomicU32 = AtomicU32::new(0);
        let number = MADE.fetch_add(1, Ordering::Relaxed);
        let name = format!("probity-bench-{}-{number}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        drop(fs::remove_dir_all(&folder));
        let failed = |error: std::io::Error| format!("copy {}: {error}", model.display());
        fs::create_dir_all(&folder).map_err(failed)?;
        // SPIN looks for included files where it runs.
        let home = model.parent().unwrap_or(Path::new("."));
        for entry in fs::read_dir(home).map_err(failed)?.flatten() {
            if entry.path().is_file() {
                fs::copy(entry.path(), folder.join(entry.file_name())).map_err(failed)?;
            }
        }
        let begin = Instant::now();
        let name = model.file_name().unwrap_or_default();
        let mut spin = Command::new("spin");
        spin.args(recipe.spin).arg("-a").arg(name);
        output_of(spin.current_dir(&folder))?;
        let mut gcc = Command::new("gcc");
        gcc.args(["-w", "-DMEMLIM=16000"]).args(recipe.gcc);
        gcc.args(["-o", "pan", "pan.c"]);
        output_of(gcc.current_dir(&folder))?;
        let making = begin.elapsed().as_secs_f64();
        Ok(Pan { folder, making })
    }

    /// Runs it, for 200 seconds at most.
    ///
    /// # Errors
    /// If it cannot be run or does not finish its search.
    pub(crate) fn run(&self, recipe: Recipe<'_>) -> Result<Found, String> {
        self.run_within(recipe, 200)
    }

    /// Runs it, for so many seconds at most.
    ///
    /// # Errors
    /// If it cannot be run or does not finish its search.
    pub(crate) fn run_within(&self, recipe: Recipe<'_>, limit: u32) -> Result<Found, String> {
        let program = self.folder.join("pan");
        let program = program.to_string_lossy();
        // It leaves trails where it runs.
        let folder = self.folder.to_string_lossy();
        let limit = limit.to_string();
        let mut arguments = vec!["-C", &*folder, "timeout", &*limit, &*program, "-n"];
        arguments.extend(recipe.pan);
        let measured = measure("env", &arguments)?;
        let said = &measured.out;
        let states = said
            .split_once(" states, stored")
            .and_then(|(before, _)| before.split_whitespace().next_back()?.parse().ok());
        let errors = said
            .split_once("errors: ")
            .and_then(|(_, after)| after.split_whitespace().next()?.parse().ok());
        let search = said
            .split_once("elapsed time ")
            .and_then(|(_, after)| after.split_whitespace().next()?.parse().ok());
        let claim = said.lines().find_map(|line| {
            let (_, claim) = line.trim().strip_prefix("never claim")?.split_once("+ (")?;
            Some(claim.trim_end_matches(')').to_owned())
        });
        // A search that ends at a limit, of depth or of memory, is not done.
        let is_done = !said.contains("too small") && !said.contains("-DMEMLIM bound");
        match (states, errors) {
            (Some(states), Some(errors)) if is_done => Ok(Found {
                measured,
                states,
                errors,
                search: search.unwrap_or(0.0),
                claim,
            }),
            _ => Err(format!(
                "read what pan says (status {}): {said}",
                measured.status
            )),
        }
    }
}

impl Drop for Pan {
    fn drop(&mut self) {
        // What stays behind in a temporary folder harms nobody.
        drop(fs::remove_dir_all(&self.folder));
    }
}
