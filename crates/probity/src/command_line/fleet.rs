//! The commands about jobs for many machines.

use std::path::{Path, PathBuf};

use clap::ArgMatches;
use language::CHECK;
use report::Required;
use verify::Engine;

use super::grammar::OF_CHECK;
use super::{CheckInvocation, Format, Invocation, Stopped};
use super::{format, parse, path, paths, required, text, texts};
use crate::languages::Languages;

/// What is to be planned.
#[derive(Debug)]
pub(crate) struct PlanInvocation {
    pub(crate) paths: Vec<PathBuf>,
    /// What `check` is told of each job: how a script is read and checked.
    pub(crate) check: CheckInvocation,
    /// The same, as it was given.
    pub(crate) options: Vec<String>,
    /// One job for each of these engines; none: one for all of them.
    pub(crate) engines: Vec<Engine>,
    /// Whether a script is one job, and not each of its properties.
    pub(crate) whole_files: bool,
    /// None: standard output.
    pub(crate) output: Option<PathBuf>,
    pub(crate) overwrite: bool,
}

/// Which jobs are to be done.
#[derive(Debug)]
pub(crate) struct RunInvocation {
    pub(crate) plan: PathBuf,
    /// Keys, or numbers of lines from 1; none: all.
    pub(crate) jobs: Vec<String>,
    /// The directory of the results.
    pub(crate) results: PathBuf,
}

/// What is to be collected, and how it is told.
#[derive(Debug)]
pub(crate) struct CollectInvocation {
    pub(crate) plan: PathBuf,
    pub(crate) results: PathBuf,
    pub(crate) required: Required,
    pub(crate) strict: bool,
    pub(crate) format: Format,
    pub(crate) verbose: bool,
}

/// The directory of the results of a plan.
fn results(given: &ArgMatches, plan: &Path) -> PathBuf {
    path(given, "results").unwrap_or_else(|| plan.with_file_name("results"))
}

pub(super) fn plan(given: &ArgMatches, languages: Languages) -> Result<PlanInvocation, Stopped> {
    let options = texts(given, OF_CHECK);
    let words = ["probity", CHECK, "-"].map(str::to_owned);
    let words: Vec<String> = words.into_iter().chain(options.clone()).collect();
    let Invocation::Check(check) = parse(&words, languages)? else {
        return Err(Stopped::usage("behind `--` stand options of check"));
    };
    let outputs = [&check.html, &check.trace, &check.checkpoint, &check.resume];
    if outputs.iter().any(|output| output.is_some()) || check.watch || check.paths.len() != 1 {
        return Err(Stopped::usage(
            "behind `--` stand options that bear on the answers; no files, no outputs, no --watch",
        ));
    }
    if !check.properties.is_empty() || check.engine.is_some() {
        return Err(Stopped::usage(
            "--property and --engine: each job has its own (--engines says which)",
        ));
    }
    let engine = |name: &str| {
        name.parse()
            .map_err(|_| Stopped::usage(&format!("--engines: there is no engine `{name}`")))
    };
    let engines = text(given, "engines").into_iter();
    Ok(PlanInvocation {
        paths: paths(given, "operand"),
        check: *check,
        options,
        engines: engines
            .flat_map(|list| list.split(','))
            .map(engine)
            .collect::<Result<_, _>>()?,
        whole_files: given.get_flag("whole-files"),
        output: path(given, "output"),
        overwrite: given.get_flag("overwrite"),
    })
}

pub(super) fn run_jobs(given: &ArgMatches) -> RunInvocation {
    let plan = paths(given, "operand").remove(0);
    RunInvocation {
        jobs: texts(given, "job"),
        results: results(given, &plan),
        plan,
    }
}

pub(super) fn collect(given: &ArgMatches) -> CollectInvocation {
    let plan = paths(given, "operand").remove(0);
    CollectInvocation {
        results: results(given, &plan),
        plan,
        required: required(given),
        strict: given.get_flag("strict"),
        format: format(given),
        verbose: given.get_flag("verbose"),
    }
}
