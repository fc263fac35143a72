//! One model's verifiers, as SPIN and a C compiler make them.

use std::cell::RefCell;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Stored states and transitions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Counts {
    pub(crate) states: u64,
    pub(crate) transitions: u64,
}

/// What a run of a verifier found.
pub(crate) struct Run {
    pub(crate) counts: Counts,
    pub(crate) errors: u64,
    /// The claim is violated, and not only an assertion of the model.
    pub(crate) claim_fails: bool,
}

/// The verifiers of a model, in a temporary folder.
pub(crate) struct Pan {
    folder: PathBuf,
    /// By the compiler's flags.
    compiled: RefCell<HashMap<String, PathBuf>>,
}

impl Pan {
    /// Has SPIN write the verifier.
    pub(crate) fn generate(model: &Path) -> Result<Self, String> {
        let name = model.file_stem().expect("a model has a name");
        let name = format!("probity-pan-{}-{}", std::process::id(), name.display());
        let folder = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
        // SPIN looks for included files in the folder it runs in.
        for entry in std::fs::read_dir(model.parent().expect("it lies in a folder"))
            .map_err(|error| error.to_string())?
            .flatten()
        {
            if entry.path().is_file() {
                drop(std::fs::copy(entry.path(), folder.join(entry.file_name())));
            }
        }
        let pan = Pan {
            folder,
            compiled: RefCell::default(),
        };
        let mut command = Command::new("spin");
        command.args(["-o1", "-o2", "-o3", "-a"]);
        command.arg(model.file_name().expect("a model has a name"));
        pan.output(&mut command)?;
        if !pan.folder.join("pan.c").exists() {
            return Err("spin writes no verifier".to_owned());
        }
        Ok(pan)
    }

    /// Compiles, unless that is done, and runs.
    pub(crate) fn run(
        &self,
        flags: &[&str],
        options: &[&str],
        seconds: u64,
    ) -> Result<Run, String> {
        let program = self.compile(flags)?;
        let mut command = Command::new("timeout");
        command.arg(seconds.to_string()).arg(program);
        command.args(["-n", "-m2000000", "-w22"]).args(options);
        let said = self.output(&mut command)?;
        let number = |text: &str| -> Option<u64> {
            let (before, _) = said.split_once(text)?;
            before.split_whitespace().next_back()?.parse().ok()
        };
        let errors = said
            .split_once("errors: ")
            .and_then(|(_, after)| after.split_whitespace().next()?.parse().ok());
        let stopped = [
            "too small",
            "VECTORSZ",
            "out of memory",
            "reached -DMEMLIM",
            "uninit",
        ]
        .iter()
        .find(|complaint| said.contains(*complaint));
        if let Some(complaint) = stopped {
            return Err((*complaint).to_owned());
        }
        let claim_fails = said.lines().any(|line| {
            line.starts_with("pan:")
                && (line.contains("acceptance cycle")
                    || line.contains("end state in claim")
                    || line.contains("assertion violated  !( !("))
        });
        match (
            number(" states, stored"),
            number(" transitions (= "),
            errors,
        ) {
            (Some(states), Some(transitions), Some(errors)) => Ok(Run {
                counts: Counts {
                    states,
                    transitions,
                },
                errors,
                claim_fails,
            }),
            _ => Err(said.lines().next().unwrap_or("silence").to_owned()),
        }
    }

    fn compile(&self, flags: &[&str]) -> Result<PathBuf, String> {
        let key = flags.concat();
        if let Some(known) = self.compiled.borrow().get(&key) {
            return Ok(known.clone());
        }
        let program = self
            .folder
            .join(format!("pan{}", self.compiled.borrow().len()));
        let mut command = Command::new("gcc");
        command.args(["-w", "-O1", "-DVECTORSZ=65536", "-DMEMLIM=6000"]);
        command.args(flags).arg("-o").arg(&program).arg("pan.c");
        self.output(&mut command)?;
        self.compiled.borrow_mut().insert(key, program.clone());
        Ok(program)
    }

    fn output(&self, command: &mut Command) -> Result<String, String> {
        let output = command
            .current_dir(&self.folder)
            .output()
            .map_err(|error| error.to_string())?;
        let said = String::from_utf8_lossy(&output.stdout);
        if output.status.success() {
            return Ok(said.into_owned());
        }
        let complaint = String::from_utf8_lossy(&output.stderr);
        let line = said
            .lines()
            .chain(complaint.lines())
            .find(|line| line.contains("rror"));
        let program = Path::new(command.get_program()).display().to_string();
        Err(format!(
            "{program}: {}: {}",
            output.status,
            line.unwrap_or_default()
        ))
    }
}

impl Drop for Pan {
    fn drop(&mut self) {
        // What stays behind in a temporary folder harms nobody.
        drop(std::fs::remove_dir_all(&self.folder));
    }
}
