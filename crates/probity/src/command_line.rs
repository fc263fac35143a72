//! From words to an invocation, by the table of options.

mod grammar;
mod handed_on;
mod invocations;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;

use clap::ArgMatches;
use clap::error::ErrorKind;
use clap::parser::ValueSource;
use model::Equivalence;
use report::Required;
use verify::Storage;

use language::{AUDIT, CERTIFY, CHECK, DIFF_POLICY, SIMULATE, Settings, TRANSLATE};

use crate::cluster::asked::Asked;
use crate::commands::{COLLECT, COMPLETIONS, EXPLAIN, LSP, MAN, PLAN, RUN_JOB, SERVE};
use crate::languages::Languages;
use crate::options::options;
use crate::quantities::{duration, size};
use grammar::{asks_for_techniques, command, completions, manual};
#[cfg(all(test, feature = "serve"))]
pub(crate) use handed_on::check_of_nothing;
pub(crate) use handed_on::{CollectInvocation, PlanInvocation, RunInvocation, ServeInvocation};
use handed_on::{collect, plan, run_jobs, serve};
pub(crate) use invocations::{
    AuditInvocation, CertifyInvocation, CheckInvocation, Color, DiffInvocation, Format,
    GivenLimits, Input, SimulateInvocation, TranslateInvocation, Translation, Verdicts,
};

/// What the user asks for.
#[derive(Debug)]
pub(crate) enum Invocation {
    /// Whether a certificate is right.
    Audit(Box<AuditInvocation>),
    /// A certificate.
    Certify(Box<CertifyInvocation>),
    /// Verification.
    Check(Box<CheckInvocation>),
    /// One report of many results.
    Collect(CollectInvocation),
    /// A comparison of what two versions may call.
    DiffPolicy(Box<DiffInvocation>),
    /// The meaning of a code.
    Explain(String),
    /// Jobs for many machines.
    Plan(Box<PlanInvocation>),
    /// Some of them.
    RunJobs(RunInvocation),
    /// A server for editors.
    Lsp,
    /// A server for browsers.
    Serve(Box<ServeInvocation>),
    /// A run.
    Simulate(Box<SimulateInvocation>),
    /// A translation.
    Translate(Box<TranslateInvocation>),
}

/// Why there is no invocation: help was asked for, or the words make no sense.
#[derive(Debug)]
pub(crate) struct Stopped {
    /// What to print: on standard output if the status is 0.
    pub(crate) text: String,
    /// The exit status.
    pub(crate) status: u8,
}

impl Stopped {
    fn usage(message: &str) -> Stopped {
        Stopped {
            text: format!("error: {message}\n"),
            status: 2,
        }
    }
}

/// Reads a command line, the program's name first.
///
/// # Errors
/// What to print instead.
pub(crate) fn parse<S: Into<OsString> + Clone>(
    arguments: &[S],
    languages: Languages,
) -> Result<Invocation, Stopped> {
    if asks_for_techniques(arguments) {
        return Err(Stopped {
            text: verify::Tuning::help(),
            status: 0,
        });
    }
    let matches = command(languages)
        .try_get_matches_from(arguments.iter().cloned())
        .map_err(|error| Stopped {
            text: error.render().to_string(),
            status: match error.kind() {
                ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => 0,
                _ => 2,
            },
        })?;
    match matches.subcommand() {
        Some((CHECK, given)) => Ok(Invocation::Check(Box::new(check(given, languages)?))),
        Some((AUDIT, given)) => Ok(Invocation::Audit(Box::new(audit(given)?))),
        Some((CERTIFY, given)) => Ok(Invocation::Certify(Box::new(certify(given, languages)?))),
        Some((DIFF_POLICY, given)) => Ok(Invocation::DiffPolicy(Box::new(diff_policy(
            given, languages,
        )?))),
        Some((COMPLETIONS, given)) => {
            let shell = texts(given, "operand").remove(0);
            Err(completions(&shell, languages))
        }
        Some((SERVE, given)) => Ok(Invocation::Serve(Box::new(serve(given, languages)?))),
        Some((LSP, _)) => Ok(Invocation::Lsp),
        Some((MAN, given)) => Err(manual(&texts(given, "operand").remove(0), languages)),
        Some((EXPLAIN, given)) => Ok(Invocation::Explain(texts(given, "operand").remove(0))),
        Some((PLAN, given)) => Ok(Invocation::Plan(Box::new(plan(given, languages)?))),
        Some((RUN_JOB, given)) => Ok(Invocation::RunJobs(run_jobs(given))),
        Some((COLLECT, given)) => Ok(Invocation::Collect(collect(given))),
        Some((SIMULATE, given)) => Ok(Invocation::Simulate(Box::new(simulate(given, languages)?))),
        Some((TRANSLATE, given)) => Ok(Invocation::Translate(Box::new(translate(
            given, languages,
        )?))),
        _ => unreachable!("a command is required, and these are all"),
    }
}

/// The part of the states in which violations are looked for.
fn cube(given: &ArgMatches) -> Result<Option<verify::Cube>, Stopped> {
    let Some(value) = text(given, "cube") else {
        return Ok(None);
    };
    if given.get_flag("mutants") {
        let why =
            "--mutants: what no property notices in a part may be noticed in another (--cube)";
        return Err(Stopped::usage(why));
    }
    let cube = value.split_once('/').and_then(|(number, of)| {
        let (number, of): (u32, u32) = (number.parse().ok()?, of.parse().ok()?);
        let fits = of.is_power_of_two() && of <= verify::MOST_CUBES && (1..=of).contains(&number);
        fits.then_some(verify::Cube { number, of })
    });
    let why = || {
        let most = verify::MOST_CUBES;
        format!("--cube: `{value}` is none such as 3/8, of a power of two up to {most}")
    };
    cube.map(Some).ok_or_else(|| Stopped::usage(&why()))
}

/// Whether many searches are made at random.
fn swarm(given: &ArgMatches) -> Result<Option<verify::Swarm>, Stopped> {
    let number = |name: &str, least: u64| {
        let number = text(given, name).map(|value| {
            let number = value.parse().ok().filter(|number| *number >= least);
            let why = || format!("--{name}: `{value}` is no number from {least}");
            number.ok_or_else(|| Stopped::usage(&why()))
        });
        number.transpose()
    };
    let (count, seed) = (number("swarm", 1)?, number("seed", 0)?);
    let is_written = |name: &str| is_written(given, name);
    match count {
        None if is_written("seed") => Err(Stopped::usage(
            "--seed: searches are only made at random with --swarm",
        )),
        None => Ok(None),
        Some(_) if is_written("engine") && text(given, "engine") != Some("dfs") => Err(
            Stopped::usage("--engine: a swarm searches depth-first (--swarm)"),
        ),
        Some(_) if is_written("storage") && text(given, "storage") != Some("bitstate") => Err(
            Stopped::usage("--storage: a swarm stores states as bits (--swarm)"),
        ),
        Some(count) => Ok(Some(verify::Swarm {
            seed: seed.unwrap_or(1),
            count,
        })),
    }
}

/// What else is asked for that a search with states on disk does not do, as a sentence.
fn not_on_disk(given: &ArgMatches) -> Option<&'static str> {
    if path(given, "checkpoint")
        .or(path(given, "resume"))
        .is_some()
    {
        Some("--storage: a search on disk cannot be saved (--checkpoint, --resume)")
    } else if given.get_flag("all-errors") {
        Some("--storage: a search on disk finds the first failure of each property (--all-errors)")
    } else if text(given, "cluster").is_some() {
        Some("--storage: the processes of --cluster store states in memory")
    } else if is_written(given, "engine")
        && !matches!(text(given, "engine"), Some("auto" | "explicit"))
    {
        Some("--engine: a search on disk is one of the engine `explicit` (--storage)")
    } else {
        None
    }
}

fn check(given: &ArgMatches, languages: Languages) -> Result<CheckInvocation, Stopped> {
    let parsed = |name, parse: fn(&str) -> Result<u64, String>| {
        text(given, name)
            .map(|value| parse(value).map_err(|why| Stopped::usage(&format!("--{name}: {why}"))))
            .transpose()
    };
    let (timeout, memory) = limits(given)?;
    let jobs = parsed("jobs", |value| {
        let jobs = value.parse().ok().filter(|jobs| (1..=1024).contains(jobs));
        jobs.ok_or_else(|| format!("`{value}` is no number from 1 to 1024"))
    })?;
    let swarm = swarm(given)?;
    let storage = match swarm {
        Some(_) => Storage::Bitstate,
        None => text(given, "storage")
            .and_then(Storage::named)
            .unwrap_or_default(),
    };
    let storage_dir = path(given, "storage-dir");
    if storage_dir.is_some() && is_written(given, "storage") && storage != Storage::Disk {
        return Err(Stopped::usage(
            "--storage-dir: only --storage disk has states in files",
        ));
    }
    let checkpoint = path(given, "checkpoint");
    let resume = path(given, "resume");
    if (checkpoint.is_some() || resume.is_some())
        && matches!(storage, Storage::HashCompact | Storage::Bitstate)
    {
        return Err(Stopped::usage(
            "--storage: searches that do not store states cannot be saved",
        ));
    }
    if storage == Storage::Disk
        && let Some(why) = not_on_disk(given)
    {
        return Err(Stopped::usage(why));
    }
    let cluster = Asked::read(text(given, "cluster"), text(given, "process"))
        .map_err(|message| Stopped::usage(&message))?;
    if given.get_flag("quiet") && given.get_flag("verbose") {
        return Err(Stopped::usage("--quiet: --verbose asks for the opposite"));
    }
    if given.get_flag("first-failure") && given.get_flag("all-errors") {
        return Err(Stopped::usage(
            "--first-failure: --all-errors asks for the opposite",
        ));
    }
    for other in ["all-errors", "first-failure"] {
        if given.get_flag(other)
            && (given.get_flag("another") || path(given, "other-than").is_some())
        {
            let message = format!("--{other}: --another looks for one more run of each property");
            return Err(Stopped::usage(&message));
        }
    }
    if (checkpoint.is_some() || resume.is_some()) && given.get_flag("all-errors") {
        return Err(Stopped::usage(
            "--all-errors: a search that is saved keeps one failure of each property",
        ));
    }
    Ok(CheckInvocation {
        paths: paths(given, "operand"),
        input: Input {
            unasked: true,
            cube: cube(given)?,
            ..input(given, languages)?
        },
        properties: texts(given, "property"),
        timeout,
        memory,
        jobs: jobs.map(|jobs| usize::try_from(jobs).expect("at most 1024")),
        engine: match swarm {
            Some(_) => Some(verify::Engine::Dfs),
            None => text(given, "engine").and_then(|name| name.parse().ok()),
        },
        storage,
        storage_dir,
        swarm,
        checkpoint,
        resume,
        cluster,
        team: None,
        required: required(given),
        passes: text(given, "passes")
            .unwrap_or("all")
            .parse()
            .map_err(|error| Stopped::usage(&format!("--passes: failed to {error}")))?,
        explain_passes: given.get_flag("explain-passes"),
        unreached: given.get_flag("unreached"),
        mutants: given.get_flag("mutants"),
        all_errors: given.get_flag("all-errors"),
        first_failure: given.get_flag("first-failure"),
        another: given.get_flag("another") || path(given, "other-than").is_some(),
        other_than: path(given, "other-than"),
        strict: given.get_flag("strict"),
        watch: given.get_flag("watch"),
        on_the_fly: given.get_flag("on-the-fly"),
        tuning: tuning(given)?,
        reduce: match text(given, "reduce") {
            Some("none" | "symmetry") => verify::Reduce::None,
            _ => verify::Reduce::Por,
        },
        symmetry: !matches!(text(given, "reduce"), Some("none" | "por")),
        format: format(given),
        trace: path(given, "trace"),
        html: path(given, "html"),
        overwrite: given.get_flag("overwrite"),
        verbose: given.get_flag("verbose"),
        quiet: given.get_flag("quiet"),
        color: color(given),
        progress: given.get_flag("progress"),
        verdicts: match path(given, "cache") {
            _ if given.get_flag("no-cache") => Verdicts::New,
            Some(folder) => Verdicts::In(folder),
            None => Verdicts::Kept,
        },
        silence: texts(given, "silence"),
        given: options(languages)
            .into_iter()
            .map(|option| option.name)
            // A swarm says which engine and storage it needs.
            .filter(|name| {
                is_written(given, name) || swarm.is_some() && ["engine", "storage"].contains(name)
            })
            .collect(),
    })
}

/// Whether an option stands on the command line.
fn is_written(given: &ArgMatches, name: &str) -> bool {
    let known = given.try_contains_id(name).is_ok();
    known && given.value_source(name) == Some(ValueSource::CommandLine)
}

fn required(given: &ArgMatches) -> Required {
    match text(given, "require") {
        Some("proved") => Required::Proved,
        Some("bounded") => Required::Bounded,
        _ => Required::Exhausted,
    }
}

fn format(given: &ArgMatches) -> Format {
    match text(given, "format") {
        Some("json") => Format::Json,
        Some("sarif") => Format::Sarif,
        Some("junit") => Format::Junit,
        Some("github") => Format::Annotations,
        _ => Format::Text,
    }
}

fn certify(given: &ArgMatches, languages: Languages) -> Result<CertifyInvocation, Stopped> {
    let (sign, new_key) = (path(given, "sign"), path(given, "new-key"));
    if sign.is_some() && new_key.is_some() {
        return Err(Stopped::usage("--sign: --new-key signs with another key"));
    }
    let audit_time = text(given, "audit-time").unwrap_or("1s");
    let audit_time =
        duration(audit_time).map_err(|why| Stopped::usage(&format!("--audit-time: {why}")))?;
    Ok(CertifyInvocation {
        audit_time,
        path: paths(given, "operand").remove(0),
        limits: limits(given)?,
        input: Input {
            unasked: true,
            ..input(given, languages)?
        },
        properties: texts(given, "property"),
        output: path(given, "output"),
        overwrite: given.get_flag("overwrite"),
        sign,
        new_key,
    })
}

fn audit(given: &ArgMatches) -> Result<AuditInvocation, Stopped> {
    let [certificate, script] = <[PathBuf; 2]>::try_from(paths(given, "operand"))
        .map_err(|_| Stopped::usage("audit: give two files, the certificate and the script"))?;
    Ok(AuditInvocation {
        certificate,
        script,
        limits: limits(given)?,
        signed_by: path(given, "signed-by"),
        level: match text(given, "level") {
            Some("proof") => certificate::Level::Proof,
            Some("interpreted") => certificate::Level::Interpreted,
            _ => certificate::Level::Explored,
        },
    })
}

fn diff_policy(given: &ArgMatches, languages: Languages) -> Result<DiffInvocation, Stopped> {
    let [old, new] = <[PathBuf; 2]>::try_from(paths(given, "operand")).map_err(|_| {
        Stopped::usage("diff-policy: give two files, the version before and the version after")
    })?;
    Ok(DiffInvocation {
        old,
        new,
        limits: limits(given)?,
        input: input(given, languages)?,
        json: match text(given, "format") {
            Some("json") => true,
            None | Some("text") => false,
            Some(other) => {
                let message = format!("--format: `diff-policy` writes no {other}");
                return Err(Stopped::usage(&message));
            }
        },
    })
}

/// Which techniques are used.
fn tuning(given: &ArgMatches) -> Result<verify::Tuning, Stopped> {
    let mut tuning = verify::Tuning::default();
    for text in texts(given, "tune") {
        tuning
            .set(&text)
            .map_err(|why| Stopped::usage(&format!("--tune: {why}")))?;
    }
    Ok(tuning)
}

/// The time and the memory that are given.
fn limits(given: &ArgMatches) -> Result<GivenLimits, Stopped> {
    let timeout = text(given, "timeout")
        .filter(|value| *value != "none")
        .map(|value| duration(value).map_err(|why| Stopped::usage(&format!("--timeout: {why}"))))
        .transpose()?;
    let memory = text(given, "memory")
        .map(|value| size(value).map_err(|why| Stopped::usage(&format!("--memory: {why}"))))
        .transpose()?;
    Ok((timeout, memory))
}

fn simulate(given: &ArgMatches, languages: Languages) -> Result<SimulateInvocation, Stopped> {
    let number = |name: &str, default: u64| match text(given, name) {
        None => Ok(default),
        Some(value) => value
            .parse()
            .map_err(|_| Stopped::usage(&format!("--{name}: `{value}` is no number"))),
    };
    let properties = texts(given, "property");
    if properties.len() > 1 {
        return Err(Stopped::usage("--property: one run at a time"));
    }
    let concrete = given.get_flag("concrete");
    for other in ["interactive", "sequence"] {
        if concrete && given.get_flag(other) {
            let message = format!("--{other}: a concrete run is made and told at once");
            return Err(Stopped::usage(&message));
        }
    }
    if path(given, "log").is_some()
        && (given.get_flag("interactive") || path(given, "replay").is_some())
    {
        return Err(Stopped::usage("--log: the run is looked for"));
    }
    if given.get_flag("partial") && path(given, "log").is_none() {
        return Err(Stopped::usage("--partial: says how a --log is read"));
    }
    for other in ["replay", "html", "log"] {
        if concrete && path(given, other).is_some() {
            let message = format!("--{other}: a concrete run is made and told at once");
            return Err(Stopped::usage(&message));
        }
    }
    let save = path(given, "save");
    if save.is_some() && !given.get_flag("interactive") {
        return Err(Stopped::usage(
            "--save: keeps what is walked with --interactive",
        ));
    }
    Ok(SimulateInvocation {
        limits: limits(given)?,
        path: paths(given, "operand").remove(0),
        input: input(given, languages)?,
        property: properties.into_iter().next(),
        seed: number("seed", 1)?,
        steps: match text(given, "steps") {
            None => None,
            Some(_) => Some(usize::try_from(number("steps", 0)?).unwrap_or(usize::MAX)),
        },
        interactive: given.get_flag("interactive"),
        concrete,
        replay: path(given, "replay"),
        log: path(given, "log"),
        is_partial: given.get_flag("partial"),
        save,
        html: path(given, "html"),
        overwrite: given.get_flag("overwrite"),
        sequence: given.get_flag("sequence"),
        verbose: given.get_flag("verbose"),
        color: color(given),
    })
}

fn translate(given: &ArgMatches, languages: Languages) -> Result<TranslateInvocation, Stopped> {
    let states = match text(given, "states") {
        None => 2_000,
        Some(value) => value
            .parse()
            .map_err(|_| Stopped::usage(&format!("--states: `{value}` is no number")))?,
    };
    Ok(TranslateInvocation {
        limits: limits(given)?,
        path: paths(given, "operand").remove(0),
        input: input(given, languages)?,
        properties: texts(given, "property"),
        to: text(given, "to").unwrap_or("promela").to_owned(),
        target: match (text(given, "to"), text(given, "graph")) {
            (Some("dot"), Some("states")) => Some(Translation::States),
            (Some("dot"), _) => Some(Translation::ControlFlow),
            (Some("aut"), _) => Some(Translation::Aldebaran),
            (Some("mcrl2" | "mcrl2-states"), _) => Some(Translation::Mcrl2States),
            (Some("smv"), _) => Some(Translation::Smv),
            (Some("aiger"), _) => Some(Translation::Aiger),
            (Some("promela") | None, _) => Some(Translation::Promela),
            (Some(_), _) => None,
        },
        passes: text(given, "passes")
            .unwrap_or("all")
            .parse()
            .map_err(|error| Stopped::usage(&format!("--passes: failed to {error}")))?,
        output: path(given, "output"),
        overwrite: given.get_flag("overwrite"),
        states,
        equivalence: match text(given, "reduce") {
            Some("strong") => Some(Equivalence::Strong),
            Some("branching") => Some(Equivalence::Branching),
            Some("weak-trace") => Some(Equivalence::WeakTrace),
            _ => None,
        },
        run: path(given, "run"),
    })
}

fn input(given: &ArgMatches, languages: Languages) -> Result<Input, Stopped> {
    let mut settings = Settings::default();
    let options = languages.options().into_iter();
    for option in options.filter(|option| is_written(given, option.name)) {
        match option.value {
            None => settings.add(option.name, ""),
            Some(_) if option.names_paths() => {
                let paths = paths(given, option.name).into_iter();
                paths.for_each(|path| settings.add(option.name, path));
            }
            Some(_) => {
                for value in texts(given, option.name) {
                    let value = (option.normal)(&value)
                        .map_err(|why| Stopped::usage(&format!("--{}: {why}", option.name)))?;
                    settings.add(option.name, value);
                }
            }
        }
    }
    Ok(Input {
        languages,
        language: text(given, "language").map(str::to_owned),
        recognised: BTreeMap::new(),
        settings,
        cube: None,
        whole: false,
        unasked: false,
        statements: false,
        // Without debug assertions, clap says of an argument that a command does not have that it was not given.
        config: matches!(given.try_get_one::<bool>("no-config"), Ok(Some(false))),
    })
}

fn color(given: &ArgMatches) -> Color {
    match text(given, "color") {
        Some("always") => Color::Always,
        Some("never") => Color::Never,
        _ => Color::Auto,
    }
}

fn text<'a>(given: &'a ArgMatches, name: &str) -> Option<&'a str> {
    given.get_one::<String>(name).map(String::as_str)
}

fn texts(given: &ArgMatches, name: &str) -> Vec<String> {
    let values = given.get_many::<String>(name);
    values.into_iter().flatten().cloned().collect()
}

fn path(given: &ArgMatches, name: &str) -> Option<PathBuf> {
    given.get_one::<PathBuf>(name).cloned()
}

fn paths(given: &ArgMatches, name: &str) -> Vec<PathBuf> {
    let values = given.get_many::<PathBuf>(name);
    values.into_iter().flatten().cloned().collect()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use passes::Selection;

    use super::*;
    use crate::commands::COMMANDS;

    fn words(line: &str) -> Result<Invocation, Stopped> {
        let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
        parse(&words, Languages::default())
    }

    fn printed(line: &str) -> String {
        words(line).expect_err(line).text
    }

    #[test]
    fn short_help_fits_a_screen_and_long_help_says_all() {
        for spec in COMMANDS {
            let name = spec.name;
            let (short, long) = (
                printed(&format!("probity {name} -h")),
                printed(&format!("probity {name} --help")),
            );
            assert!(short.lines().count() <= 50, "{short}");
            let all = options(Languages::default()).into_iter();
            for option in all.filter(|option| option.commands.contains(&name)) {
                assert!(
                    long.contains(&format!("--{}", option.name)),
                    "{name}: {long}"
                );
            }
        }
        assert!(printed("probity check --help").contains("Options for C and WebAssembly:"));
    }

    #[test]
    fn shells_complete_commands_and_options() {
        for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
            let text = printed(&format!("probity completions {shell}"));
            assert!(
                text.contains("certify") && text.contains("all-errors"),
                "{shell}"
            );
        }
        let stopped = words("probity completions cmd").expect_err("no shell");
        assert_eq!(stopped.status, 2);
    }

    #[test]
    fn each_command_has_a_page_for_man() {
        assert!(printed("probity man probity").contains("probity\\-check"));
        for spec in COMMANDS {
            let page = printed(&format!("probity man {}", spec.name));
            assert!(page.starts_with(".ie"), "{page}");
            assert!(
                page.contains(&format!(".TH probity-{}", spec.name)),
                "{page}"
            );
        }
        assert_eq!(words("probity man cook").expect_err("no command").status, 2);
    }

    fn checked(line: &str) -> CheckInvocation {
        match words(line) {
            Ok(Invocation::Check(check)) => *check,
            other => panic!("{line}: {other:?}"),
        }
    }

    #[test]
    fn the_table_makes_a_sound_command_line() {
        command(Languages::default()).debug_assert();
    }

    #[test]
    fn options_are_read() {
        let check = checked(
            "probity check a.lsl b --property p --property q --bound amount=0..10 --timeout 2m \
             --memory 1G --jobs 3 --require proved --passes fold,slice --format json",
        );
        assert_eq!(check.paths.len(), 2);
        assert_eq!(check.properties, ["p", "q"]);
        let settings = &check.input.settings;
        assert_eq!(settings.value("bound"), Some("amount=0..10"));
        assert_eq!(check.timeout, Some(Duration::from_mins(2)));
        assert_eq!((check.memory, check.jobs), (Some(1 << 30), Some(3)));
        assert_eq!(check.required, Required::Proved);
        assert_eq!(check.passes, "fold,slice".parse().unwrap());
        assert_eq!(check.format, Format::Json);
        let tuned = checked("probity check a.lsl --tune owcty=off --tune adaptive-packing=9");
        assert_ne!(tuned.tuning, check.tuning);
        let macros = checked("probity check a.pml -D N=3 -DM --define T=(1+2) --ignore-c");
        let settings = &macros.input.settings;
        let defines: Vec<&str> = settings.values("define").collect();
        assert_eq!(defines, ["N=3", "M=1", "T=(1+2)"]);
        assert!(settings.has("ignore-c") && !settings.has("fair"));
        let fair = checked("probity check a.pml --fair weak").input.settings;
        assert_eq!(fair.value("fair"), Some("weak"));
        let plain = checked("probity check a.lsl");
        assert_eq!(plain.required, Required::Exhausted);
        assert_eq!((plain.timeout, plain.passes), (None, Selection::all()));
    }

    #[test]
    fn nonsense_is_bad_usage_and_help_is_not() {
        for line in [
            "probity",
            "probity prove a.lsl",
            "probity check",
            "probity check a.lsl --jobs 0",
            "probity check a.lsl --memory much",
            "probity check a.lsl --timeout soon",
            "probity check a.lsl --bound amount",
            "probity check a.pml -D 3=N",
            "probity check a.pml -D =3",
            "probity check a.lsl --engine steam",
            "probity check a.lsl --passes sharpen",
            "probity check a.lsl --seed 3",
            "probity check a.lsl --storage disk --all-errors",
            "probity check a.lsl --storage disk --checkpoint c",
            "probity check a.lsl --storage disk --engine dfs",
            "probity check a.lsl --storage disk --swarm 3",
            "probity check a.lsl --storage disk --cluster local:2",
            "probity check a.lsl --storage plain --storage-dir .",
            "probity check a.lsl --tune owcty",
            "probity check a.lsl --tune steam=off",
            "probity check a.lsl --tune adaptive-packing=many",
            "probity simulate a.lsl --seed x",
            "probity simulate a.lsl b.lsl",
        ] {
            let stopped = words(line).err().unwrap_or_else(|| panic!("{line}"));
            assert_eq!(stopped.status, 2, "{line}");
            assert!(!stopped.text.is_empty(), "{line}");
        }
        for line in [
            "probity --help",
            "probity check --help",
            "probity --version",
            "probity check --tune help",
            "probity check a.lsl --tune=help",
        ] {
            assert_eq!(words(line).unwrap_err().status, 0, "{line}");
        }
    }
}
