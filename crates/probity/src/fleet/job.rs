//! A job, and the lines of a plan.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use language::Read;
use source::Diagnostic;

use crate::command_line::Input;
use crate::corridor::{Script, contents, request};
use crate::recorded::{Reads, digest_of};
use crate::system::{Files as _, System};

/// The version of the form of plans.
pub(super) const PLAN_VERSION: u32 = 1;
/// The option that says which cube a job looks at; behind it stands `3/8`.
pub(super) const CUBE: &str = "--cube";

/// A check that can be done anywhere.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Job {
    /// The version of this form.
    pub(super) version: u32,
    /// The SHA-256 of what its result depends on: all the rest.
    pub(super) key: String,
    /// The version of Probity.
    pub(super) probity: String,
    /// The script, as it was named.
    pub(super) file: String,
    /// The SHA-256 of the files that are read for it.
    pub(super) content: String,
    /// The property; none: all that there are.
    pub(super) property: Option<String>,
    /// The engine that is to be used; none: any.
    pub(super) engine: Option<String>,
    /// Options of `check`, as they would be given to it.
    pub(super) options: Vec<String>,
}

impl Job {
    /// The same job with its key.
    pub(super) fn sealed(self) -> Job {
        Job {
            key: self.expected_key(),
            ..self
        }
    }

    /// The key that it has to have.
    pub(super) fn expected_key(&self) -> String {
        let bare = Job {
            key: String::new(),
            ..self.clone()
        };
        let text = serde_json::to_string(&bare).expect("a job can be said in JSON");
        digest_of(text.as_bytes())
    }

    /// Which cube it looks at, of how many, if it looks at one; and what all that look at the others have in common
    /// with it.
    pub(super) fn cube(&self) -> Option<(usize, usize, Job)> {
        let [options @ .., option, cube] = &self.options[..] else {
            return None;
        };
        let (number, of) = cube.split_once('/').filter(|_| option == CUBE)?;
        let common = Job {
            key: String::new(),
            options: options.to_vec(),
            ..self.clone()
        };
        Some((number.parse().ok()?, of.parse().ok()?, common))
    }

    /// What `check` is told.
    pub(super) fn arguments(&self) -> Vec<String> {
        // A result is one that was found out now, by this program.
        let fixed = "check --format json --color never --no-cache";
        let mut arguments: Vec<String> = fixed.split(' ').map(str::to_owned).collect();
        let named = [("--property", &self.property), ("--engine", &self.engine)];
        for (option, value) in named {
            if let Some(value) = value {
                arguments.extend([option.to_owned(), value.clone()]);
            }
        }
        arguments.extend(self.options.iter().cloned());
        arguments.extend(["--".to_owned(), self.file.clone()]);
        arguments
    }
}

/// Where the result of a job is kept.
pub(super) fn result_of(results: &Path, key: &str) -> PathBuf {
    results.join(format!("{key}.json"))
}

/// Says what is wrong; the exit status of bad input.
pub(super) fn refused(diagnostic: &Diagnostic, system: &dyn System) -> u8 {
    let Diagnostic { code, message, .. } = diagnostic;
    system.err(&format!("error[{code}]: {message}\n"));
    2
}

/// Reads a plan, a job a line.
///
/// # Errors
/// If it cannot be read, or a line is no job of this version, or not the one that its key says.
pub(super) fn read_plan(path: &Path, system: &dyn System) -> Result<Vec<Job>, Box<Diagnostic>> {
    let bytes = contents(path, system)?;
    let name = path.display();
    let wrong = |line: usize, why: &str| {
        let message = format!("`{name}`, line {line}: {why}");
        Box::new(Diagnostic::error("CLI0007", message))
    };
    let text = String::from_utf8_lossy(&bytes);
    let mut jobs = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        if line.trim().is_empty() {
            continue;
        }
        let job: Job = serde_json::from_str(line)
            .map_err(|error| wrong(number, &format!("this is no job: {error}")))?;
        if job.version != PLAN_VERSION {
            let why = format!("the form of this plan has the version {}", job.version);
            return Err(wrong(number, &why));
        }
        if job.key != job.expected_key() {
            return Err(wrong(number, "the job is not the one that its key names"));
        }
        jobs.push(job);
    }
    Ok(jobs)
}

/// Reads a script, and gives the SHA-256 of all files that were read for it.
///
/// # Errors
/// If the script cannot be read, or its language is not known.
pub(super) fn read_script(
    path: &Path,
    input: &Input,
    system: &dyn System,
) -> Result<(Read, String), Box<Diagnostic>> {
    let reads = Reads::default();
    let files = reads.of(system);
    let script = contents(path, &files)?;
    let read = |path: &Path| files.read(path);
    let entries = |path: &Path| files.folder(path);
    let Some(front_end) = input.language_of(path) else {
        let message = format!("the language of `{}` is not known", path.display());
        return Err(Box::new(Diagnostic::error("CLI0001", message)));
    };
    let script = Script {
        path,
        contents: &script,
        extra: &[],
    };
    let loaded = front_end.load(&request(script, input, &read, &entries));
    for path in input.files() {
        contents(&path, &files)?;
    }
    let Some(record) = reads.record() else {
        let message = format!(
            "`{}`, or what it includes, is being changed",
            path.display()
        );
        return Err(Box::new(Diagnostic::error("CLI0002", message)));
    };
    let said = serde_json::to_vec(&record).expect("names and digests can be said in JSON");
    Ok((loaded, digest_of(&said)))
}
