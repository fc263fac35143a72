//! The commands that hand options on to `check`: jobs for many machines, and the server of a folder.

use std::ffi::OsString;
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
    /// How many searches of a swarm are jobs of each script.
    pub(crate) swarm: u64,
    /// Into how many cubes each invariant is cut at most; 1: none is.
    pub(crate) cubes: u32,
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
    if !check.properties.is_empty() || check.engine.is_some() || check.input.cube.is_some() {
        return Err(Stopped::usage(
            "--property, --engine, --swarm and --cube: each job has its own (--engines, --swarm and --cubes in \
             front of `--` say which)",
        ));
    }
    let swarm = match text(given, "swarm") {
        None => 0,
        Some(value) => {
            let number = value
                .parse()
                .ok()
                .filter(|count| (1..=1 << 20).contains(count));
            let why = || format!("--swarm: `{value}` is no number from 1 to {}", 1 << 20);
            number.ok_or_else(|| Stopped::usage(&why()))?
        }
    };
    let cubes = match text(given, "cubes") {
        None => 1,
        Some(value) => {
            let most = verify::MOST_CUBES;
            let number = value.parse().ok();
            let number = number.filter(|it: &u32| it.is_power_of_two() && (2..=most).contains(it));
            let why = || format!("--cubes: `{value}` is no power of two from 2 to {most}");
            number.ok_or_else(|| Stopped::usage(&why()))?
        }
    };
    if cubes > 1 && given.get_flag("whole-files") {
        return Err(Stopped::usage(
            "--cubes: a cube is a part of one property (--whole-files)",
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
        swarm,
        cubes,
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

/// What is to be served.
#[derive(Debug)]
#[cfg_attr(
    not(feature = "serve"),
    expect(dead_code, reason = "it is read where the server is built")
)]
pub(crate) struct ServeInvocation {
    pub(crate) folder: PathBuf,
    /// 0: any that is free.
    pub(crate) port: u16,
    /// How all scripts are checked.
    pub(crate) check: CheckInvocation,
    /// The same, as it was given.
    words: Vec<String>,
}

/// So long a script is checked where nobody says how long.
const TIMEOUT: &str = "60s";

/// A check of a path, as words behind `--` say.
fn check_of(
    path: &Path,
    words: &[String],
    languages: Languages,
) -> Result<CheckInvocation, Stopped> {
    let mut all: Vec<OsString> = ["probity", CHECK].map(OsString::from).into();
    all.extend(words.iter().map(OsString::from));
    if !words.iter().any(|word| word.starts_with("--timeout")) {
        all.extend(["--timeout", TIMEOUT].map(OsString::from));
    }
    all.push("--".into());
    all.push(path.into());
    match parse(&all, languages)? {
        Invocation::Check(mut check) => {
            if !words.iter().any(|word| word.starts_with("--timeout")) {
                check.given.retain(|name| *name != "timeout");
            }
            Ok(*check)
        }
        _ => Err(Stopped::usage("behind `--` stand options of check")),
    }
}

#[cfg(feature = "serve")]
impl ServeInvocation {
    /// How a script is checked.
    pub(crate) fn check_of(&self, path: &Path, languages: Languages) -> CheckInvocation {
        let check = check_of(path, &self.words, languages);
        CheckInvocation {
            // A server writes no files.
            verdicts: super::Verdicts::New,
            ..check.expect("the words made sense for the folder")
        }
    }
}

/// A check of a folder that is not there, under the usual options.
#[cfg(all(test, feature = "serve"))]
pub(crate) fn check_of_nothing() -> CheckInvocation {
    let nothing = Path::new("nothing");
    check_of(nothing, &[], Languages::default()).expect("the usual options make sense")
}

pub(super) fn serve(given: &ArgMatches, languages: Languages) -> Result<ServeInvocation, Stopped> {
    let folder = paths(given, "operand").remove(0);
    let words = texts(given, OF_CHECK);
    let check = check_of(&folder, &words, languages)?;
    let outputs = [&check.html, &check.trace, &check.checkpoint, &check.resume];
    if outputs.iter().any(|output| output.is_some()) || check.watch || check.paths.len() != 1 {
        return Err(Stopped::usage(
            "behind `--` stand options that bear on the answers; no files, no outputs, no --watch",
        ));
    }
    if !check.properties.is_empty() {
        return Err(Stopped::usage(
            "--property: all properties of each script are shown",
        ));
    }
    let port = text(given, "port").unwrap_or("0");
    let port = port
        .parse()
        .map_err(|_| Stopped::usage(&format!("--port: `{port}` is no number from 0 to 65535")))?;
    Ok(ServeInvocation {
        folder,
        port,
        check,
        words,
    })
}
