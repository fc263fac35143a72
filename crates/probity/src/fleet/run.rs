//! `probity run-job`: some jobs of a plan, or all that have no result yet.
//!
//! Each job is a process of its own, so that one that ends badly takes nothing with it. Its result is
//! there as a whole or not at all.

use std::path::Path;
use std::sync::atomic::Ordering;

use super::job::{Job, read_plan, read_script, refused, result_of};
use crate::command_line::{Invocation, RunInvocation, parse};
use crate::languages::Languages;
use crate::system::System;

/// Does the jobs; the exit status: 0 all have results, 2 some cannot be done, 3 some ended without a
/// result.
pub(crate) fn run(invocation: &RunInvocation, languages: Languages, system: &dyn System) -> u8 {
    let jobs = match read_plan(&invocation.plan, system) {
        Ok(jobs) => jobs,
        Err(diagnostic) => return refused(&diagnostic, system),
    };
    let chosen = match chosen(&jobs, &invocation.jobs) {
        Ok(chosen) => chosen,
        Err(message) => {
            system.err(&format!("error: --job: {message}\n"));
            return 2;
        }
    };
    if let Err(error) = system.make_directory(&invocation.results) {
        let results = invocation.results.display();
        system.err(&format!("error: --results: `{results}`: {error}\n"));
        return 2;
    }
    let mut status = 0;
    for job in chosen {
        if system.stop().load(Ordering::Relaxed) {
            return status.max(3);
        }
        let path = result_of(&invocation.results, &job.key);
        if system.kind(&path).is_ok() {
            continue;
        }
        match carry_out(job, &path, languages, system) {
            Ok(()) => {}
            Err(Why::CannotBeDone(message)) => {
                system.err(&format!("error: job {}: {message}\n", job.key));
                status = 2;
            }
            Err(Why::NoResult(message)) => {
                system.err(&format!("error: job {}: {message}\n", job.key));
                status = status.max(3);
            }
        }
    }
    status
}

/// Why a job has no result.
enum Why {
    /// It is not as planned: nobody could do it.
    CannotBeDone(String),
    /// It ended otherwise; it may be done again.
    NoResult(String),
}

fn carry_out(
    job: &Job,
    result: &Path,
    languages: Languages,
    system: &dyn System,
) -> Result<(), Why> {
    if job.probity != env!("PROBITY_VERSION") {
        let message = format!("it is for version {} of Probity", job.probity);
        return Err(Why::CannotBeDone(message));
    }
    let words = ["probity".to_owned()].into_iter().chain(job.arguments());
    let words: Vec<String> = words.collect();
    let mut input = match parse(&words, languages) {
        Ok(Invocation::Check(check)) => check.input,
        Ok(_) => return Err(Why::CannotBeDone("it is no check".to_owned())),
        Err(stopped) => return Err(Why::CannotBeDone(stopped.text.trim_end().to_owned())),
    };
    let path = Path::new(&job.file);
    input.recognise([path], system);
    let read = read_script(path, &input, system);
    let (_, content) = read.map_err(|diagnostic| Why::CannotBeDone(diagnostic.message))?;
    if content != job.content {
        let message = format!("`{}` is not what it was when the job was planned", job.file);
        return Err(Why::CannotBeDone(message));
    }
    let ran = system
        .run_alone(&job.arguments())
        .map_err(|error| Why::NoResult(format!("it could not be begun: {error}")))?;
    let report: Result<report::Report, _> = serde_json::from_str(&ran);
    match report {
        Ok(report) if !report.interrupted => system
            .write(result, &ran)
            .map_err(|error| Why::NoResult(format!("its result was not written: {error}"))),
        Ok(_) => Err(Why::NoResult("it was interrupted".to_owned())),
        Err(_) => Err(Why::NoResult("it ended without a report".to_owned())),
    }
}

/// The jobs that are meant.
fn chosen<'j>(jobs: &'j [Job], names: &[String]) -> Result<Vec<&'j Job>, String> {
    if names.is_empty() {
        return Ok(jobs.iter().collect());
    }
    let one = |name: &String| {
        let by_key = jobs.iter().find(|job| job.key == *name);
        let by_number = || {
            let number: usize = name.parse().ok()?;
            jobs.get(number.checked_sub(1)?)
        };
        let count = jobs.len();
        by_key
            .or_else(by_number)
            .ok_or_else(|| format!("there is no job `{name}` among {count}"))
    };
    names.iter().map(one).collect()
}
