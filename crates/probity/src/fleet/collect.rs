//! `probity collect`: the results of a plan's jobs, as one report.

use report::{FileReport, Report, TextOptions, summary_text};

use super::job::{Job, read_plan, refused, result_of};
use crate::command_line::{CollectInvocation, Format};
use crate::system::System;

/// Writes the report; the exit status, as of `check`.
pub(crate) fn run(invocation: &CollectInvocation, system: &dyn System) -> u8 {
    let jobs = match read_plan(&invocation.plan, system) {
        Ok(jobs) => jobs,
        Err(diagnostic) => return refused(&diagnostic, system),
    };
    let mut files: Vec<(String, Vec<FileReport>)> = Vec::new();
    let mut missing = 0;
    let mut jobs_left = &jobs[..];
    while let [job, rest @ ..] = jobs_left {
        let mut of_job = |job: &Job| {
            result(job, invocation, system).unwrap_or_else(|why| {
                missing += 1;
                let property = job.property.as_deref().unwrap_or("all properties");
                FileReport::without_result(&job.file, property, &why)
            })
        };
        let cubes = cubes_at(jobs_left);
        let part = match cubes {
            None => of_job(job),
            Some(cubes) => FileReport::of_cubes(cubes.iter().map(of_job).collect()),
        };
        jobs_left = cubes.map_or(rest, |cubes| &jobs_left[cubes.len()..]);
        match files.iter_mut().find(|(name, _)| *name == job.file) {
            Some((_, parts)) => parts.push(part),
            None => files.push((job.file.clone(), vec![part])),
        }
    }
    let files = files
        .into_iter()
        .map(|(_, parts)| FileReport::joined(parts));
    let mut report = Report::new(files.collect(), invocation.required);
    if invocation.strict {
        report = report.strict();
    }
    let options = TextOptions {
        verbose: invocation.verbose,
        ..TextOptions::default()
    };
    let text = match invocation.format {
        Format::Json => report.to_json(),
        Format::Sarif => report.to_sarif(),
        Format::Junit => report.to_junit(),
        Format::Annotations => {
            let summary = summary_text(&report, options);
            format!("{}{summary}", report.to_annotations())
        }
        Format::Text => report::text(&report, options),
    };
    system.out(&text);
    if missing > 0 {
        let (count, all) = (missing, jobs.len());
        system.err(&format!("note: {count} of {all} jobs have no result\n"));
    }
    report.status
}

/// The jobs that look at all cubes of a property, if the first of these looks at one.
///
/// If some are missing from the plan, those that are there are no whole: each stands for itself.
fn cubes_at(jobs: &[Job]) -> Option<&[Job]> {
    let (_, of, common) = jobs.first()?.cube()?;
    let cubes = jobs.get(..of)?;
    let mut all = (1..).zip(cubes);
    let is_next = |(number, job): (usize, &Job)| job.cube() == Some((number, of, common.clone()));
    all.all(is_next).then_some(cubes)
}

/// What became of a job.
fn result(
    job: &Job,
    invocation: &CollectInvocation,
    system: &dyn System,
) -> Result<FileReport, String> {
    let path = result_of(&invocation.results, &job.key);
    let bytes = system
        .read(&path)
        .map_err(|_| "its job has no result yet".to_owned())?;
    let report: Report =
        serde_json::from_slice(&bytes).map_err(|_| format!("`{}` is no result", path.display()))?;
    let mut files = report.files.into_iter();
    match (files.next(), files.next()) {
        (Some(file), None) if file.file == job.file => Ok(file),
        _ => Err(format!(
            "`{}` is a result of something else",
            path.display()
        )),
    }
}
