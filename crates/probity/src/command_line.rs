//! From words to an invocation, by the table of options.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use clap::builder::{PossibleValuesParser, ValueParser};
use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Command};
use model::Equivalence;
use passes::Selection;
use report::Required;
use verify::Storage;

use crate::options::{CHECK, COMMANDS, EXPLAIN, OPTIONS, OptionSpec, SHORT, SIMULATE, TRANSLATE};
use crate::quantities::{duration, size};

/// What the user asks for.
#[derive(Debug)]
pub(crate) enum Invocation {
    /// Verification.
    Check(Box<CheckInvocation>),
    /// The meaning of a code.
    Explain(String),
    /// A run.
    Simulate(Box<SimulateInvocation>),
    /// A translation.
    Translate(Box<TranslateInvocation>),
}

/// A verification.
#[derive(Debug)]
pub(crate) struct CheckInvocation {
    pub(crate) paths: Vec<PathBuf>,
    pub(crate) input: Input,
    /// Names or texts, as given; none: all.
    pub(crate) properties: Vec<String>,
    pub(crate) timeout: Option<Duration>,
    pub(crate) memory: Option<u64>,
    pub(crate) jobs: Option<usize>,
    pub(crate) engine: Option<verify::Engine>,
    pub(crate) storage: Storage,
    pub(crate) checkpoint: Option<PathBuf>,
    pub(crate) resume: Option<PathBuf>,
    pub(crate) required: Required,
    pub(crate) passes: Selection,
    pub(crate) explain_passes: bool,
    pub(crate) unreached: bool,
    pub(crate) all_errors: bool,
    pub(crate) first_failure: bool,
    /// Whether formulas of branching time are looked at while states are explored.
    pub(crate) on_the_fly: bool,
    /// Whether what fails is asked again under other readings.
    pub(crate) all_readings: bool,
    pub(crate) reduce: verify::Reduce,
    pub(crate) symmetry: bool,
    pub(crate) json: bool,
    pub(crate) trace: Option<PathBuf>,
    pub(crate) html: Option<PathBuf>,
    pub(crate) overwrite: bool,
    pub(crate) verbose: bool,
    pub(crate) color: Color,
    pub(crate) progress: bool,
}

/// The time and the bytes of memory that are given; none are said: no time, and what is usual.
pub(crate) type GivenLimits = (Option<Duration>, Option<u64>);

/// A run to be told.
#[derive(Debug)]
pub(crate) struct SimulateInvocation {
    pub(crate) path: PathBuf,
    pub(crate) limits: GivenLimits,
    pub(crate) input: Input,
    pub(crate) property: Option<String>,
    pub(crate) seed: u64,
    /// How many; none is said: a number that fits the language.
    pub(crate) steps: Option<usize>,
    pub(crate) interactive: bool,
    /// Whether the script itself is run, in a concrete world.
    pub(crate) concrete: bool,
    pub(crate) replay: Option<PathBuf>,
    /// Where the messages are drawn.
    pub(crate) html: Option<PathBuf>,
    pub(crate) overwrite: bool,
    /// Whether they are drawn in text.
    pub(crate) sequence: bool,
    pub(crate) verbose: bool,
    pub(crate) color: Color,
}

/// A translation.
#[derive(Debug)]
pub(crate) struct TranslateInvocation {
    pub(crate) path: PathBuf,
    pub(crate) limits: GivenLimits,
    pub(crate) input: Input,
    /// Names or texts, as given; none: all.
    pub(crate) properties: Vec<String>,
    pub(crate) target: Translation,
    pub(crate) passes: Selection,
    /// None: standard output.
    pub(crate) output: Option<PathBuf>,
    pub(crate) overwrite: bool,
    /// The most states of a state graph.
    pub(crate) states: usize,
    /// What is made smaller before a node graph is written as SMV.
    pub(crate) smv: nodegraph::Smv,
    /// Which states of a state graph are put together.
    pub(crate) equivalence: Option<Equivalence>,
}

/// What a script is translated into.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Translation {
    /// A model for SPIN.
    Promela,
    /// A model for NuSMV.
    Smv,
    /// A circuit.
    Aiger,
    /// The control flow, for Graphviz.
    ControlFlow,
    /// The state graph, for Graphviz.
    States,
    /// The state graph in the Aldebaran format.
    Aldebaran,
    /// A model for mCRL2: process by process, or the state graph where a language has no such form.
    Mcrl2,
    /// The state graph as a process of mCRL2.
    Mcrl2States,
}

/// How files are read.
#[derive(Clone, Default, Debug)]
pub(crate) struct Input {
    /// Bounds, in the order given.
    pub(crate) bounds: Vec<(String, String)>,
    /// Macros with their values, in the order given.
    pub(crate) defines: Vec<(String, String)>,
    /// Whether C code without effect is passed over.
    pub(crate) ignore_c: bool,
    /// Whether weak fairness of each process is assumed.
    pub(crate) weakly_fair: bool,
    pub(crate) language: Option<String>,
    /// Which ToolBus is meant (Tscript).
    pub(crate) dialect: tscript::Dialect,
    /// When processes listen to tools (Tscript).
    pub(crate) schedule: tscript::Schedule,
    /// Whether delays are counted (Tscript).
    pub(crate) time: tscript::Time,
    /// Whether tools only disconnect when somebody listens (Tscript).
    pub(crate) polite_tools: bool,
    /// How long signals take (node graphs).
    pub(crate) timing: nodegraph::Timing,
    /// Tables of kinds of nodes.
    pub(crate) nodes: Vec<PathBuf>,
    /// Whether what bears on no property is kept all the same (node graphs); no option.
    pub(crate) whole: bool,
    /// The options given that mean something for some languages only.
    pub(crate) limited: Vec<&'static OptionSpec>,
}

/// When to use colours.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Color {
    Auto,
    Always,
    Never,
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

fn command() -> Command {
    let mut command = Command::new("probity")
        .version(env!("CARGO_PKG_VERSION"))
        .about("Says whether a script does what it should, before you trust it")
        .subcommand_required(true)
        .arg_required_else_help(true);
    for spec in COMMANDS {
        let operand = Arg::new("operand")
            .value_name(spec.operand.name)
            .required(true)
            .help(spec.operand.help)
            .value_parser(value_of(spec.operand.name))
            .action(if spec.operand.many {
                ArgAction::Append
            } else {
                ArgAction::Set
            })
            .num_args(if spec.operand.many {
                1..=usize::MAX
            } else {
                1..=1
            });
        let mut sub = Command::new(spec.name)
            .about(spec.about)
            .after_help(spec.details)
            .arg(operand);
        for option in OPTIONS.iter().filter(|o| o.commands.contains(&spec.name)) {
            let help = if option.default.is_empty() {
                option.help()
            } else {
                format!("{} [default: {}]", option.help(), option.default)
            };
            let mut arg = Arg::new(option.name).long(option.name).help(help);
            if let Some((_, letter)) = SHORT.iter().find(|(name, _)| *name == option.name) {
                arg = arg.short(*letter);
            }
            arg = match option.value {
                None => arg.action(ArgAction::SetTrue),
                Some(value) => {
                    let arg = arg.value_name(value).action(if option.repeatable {
                        ArgAction::Append
                    } else {
                        ArgAction::Set
                    });
                    if option.choices.is_empty() {
                        arg.value_parser(value_of(value))
                    } else {
                        arg.value_parser(PossibleValuesParser::new(option.choices))
                    }
                }
            };
            sub = sub.arg(arg);
        }
        command = command.subcommand(sub);
    }
    command
}

/// How a value is read, by the word that stands for it: a path need not be text.
fn value_of(word: &str) -> ValueParser {
    match word {
        "FILE" | "OUT" | "TRACE" => ValueParser::path_buf(),
        _ => ValueParser::string(),
    }
}

/// Reads a command line, the program's name first.
///
/// # Errors
/// What to print instead.
pub(crate) fn parse<S: Into<OsString> + Clone>(arguments: &[S]) -> Result<Invocation, Stopped> {
    let matches = command()
        .try_get_matches_from(arguments.iter().cloned())
        .map_err(|error| Stopped {
            text: error.render().to_string(),
            status: match error.kind() {
                ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => 0,
                _ => 2,
            },
        })?;
    match matches.subcommand() {
        Some((CHECK, given)) => Ok(Invocation::Check(Box::new(check(given)?))),
        Some((EXPLAIN, given)) => Ok(Invocation::Explain(texts(given, "operand").remove(0))),
        Some((SIMULATE, given)) => Ok(Invocation::Simulate(Box::new(simulate(given)?))),
        Some((TRANSLATE, given)) => Ok(Invocation::Translate(Box::new(translate(given)?))),
        _ => unreachable!("a command is required, and these are all"),
    }
}

fn check(given: &ArgMatches) -> Result<CheckInvocation, Stopped> {
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
    let storage = text(given, "storage")
        .and_then(Storage::named)
        .unwrap_or_default();
    let checkpoint = path(given, "checkpoint");
    let resume = path(given, "resume");
    if (checkpoint.is_some() || resume.is_some())
        && matches!(storage, Storage::HashCompact | Storage::Bitstate)
    {
        return Err(Stopped::usage(
            "--storage: searches that do not store states cannot be saved",
        ));
    }
    if given.get_flag("first-failure") && given.get_flag("all-errors") {
        return Err(Stopped::usage(
            "--first-failure: --all-errors asks for the opposite",
        ));
    }
    if (checkpoint.is_some() || resume.is_some()) && given.get_flag("all-errors") {
        return Err(Stopped::usage(
            "--all-errors: a search that is saved keeps one failure of each property",
        ));
    }
    Ok(CheckInvocation {
        paths: paths(given, "operand"),
        input: Input {
            weakly_fair: text(given, "fair") == Some("weak"),
            ..input(given)?
        },
        properties: texts(given, "property"),
        timeout,
        memory,
        jobs: jobs.map(|jobs| usize::try_from(jobs).expect("at most 1024")),
        engine: text(given, "engine").and_then(|name| name.parse().ok()),
        storage,
        checkpoint,
        resume,
        required: match text(given, "require") {
            Some("proved") => Required::Proved,
            Some("bounded") => Required::Bounded,
            _ => Required::Exhausted,
        },
        passes: text(given, "passes")
            .unwrap_or("all")
            .parse()
            .map_err(|error| Stopped::usage(&format!("--passes: failed to {error}")))?,
        explain_passes: given.get_flag("explain-passes"),
        unreached: given.get_flag("unreached"),
        all_errors: given.get_flag("all-errors"),
        all_readings: text(given, "readings") != Some("one"),
        first_failure: given.get_flag("first-failure"),
        on_the_fly: given.get_flag("on-the-fly"),
        reduce: match text(given, "reduce") {
            Some("none" | "symmetry") => verify::Reduce::None,
            _ => verify::Reduce::Por,
        },
        symmetry: !matches!(text(given, "reduce"), Some("none" | "por")),
        json: text(given, "format") == Some("json"),
        trace: path(given, "trace"),
        html: path(given, "html"),
        overwrite: given.get_flag("overwrite"),
        verbose: given.get_flag("verbose"),
        color: color(given),
        progress: given.get_flag("progress"),
    })
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

fn simulate(given: &ArgMatches) -> Result<SimulateInvocation, Stopped> {
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
    for other in ["replay", "html"] {
        if concrete && path(given, other).is_some() {
            let message = format!("--{other}: a concrete run is made and told at once");
            return Err(Stopped::usage(&message));
        }
    }
    Ok(SimulateInvocation {
        limits: limits(given)?,
        path: paths(given, "operand").remove(0),
        input: input(given)?,
        property: properties.into_iter().next(),
        seed: number("seed", 1)?,
        steps: match text(given, "steps") {
            None => None,
            Some(_) => Some(usize::try_from(number("steps", 0)?).unwrap_or(usize::MAX)),
        },
        interactive: given.get_flag("interactive"),
        concrete,
        replay: path(given, "replay"),
        html: path(given, "html"),
        overwrite: given.get_flag("overwrite"),
        sequence: given.get_flag("sequence"),
        verbose: given.get_flag("verbose"),
        color: color(given),
    })
}

fn translate(given: &ArgMatches) -> Result<TranslateInvocation, Stopped> {
    let states = match text(given, "states") {
        None => 2_000,
        Some(value) => value
            .parse()
            .map_err(|_| Stopped::usage(&format!("--states: `{value}` is no number")))?,
    };
    Ok(TranslateInvocation {
        limits: limits(given)?,
        path: paths(given, "operand").remove(0),
        input: input(given)?,
        properties: texts(given, "property"),
        target: match (text(given, "to"), text(given, "graph")) {
            (Some("dot"), Some("states")) => Translation::States,
            (Some("dot"), _) => Translation::ControlFlow,
            (Some("aut"), _) => Translation::Aldebaran,
            (Some("mcrl2"), _) => Translation::Mcrl2,
            (Some("mcrl2-states"), _) => Translation::Mcrl2States,
            (Some("smv"), _) => Translation::Smv,
            (Some("aiger"), _) => Translation::Aiger,
            _ => Translation::Promela,
        },
        passes: text(given, "passes")
            .unwrap_or("all")
            .parse()
            .map_err(|error| Stopped::usage(&format!("--passes: failed to {error}")))?,
        output: path(given, "output"),
        overwrite: given.get_flag("overwrite"),
        states,
        smv: {
            let asked = text(given, "optimize").unwrap_or("none");
            nodegraph::Smv {
                drop_cosmetic: matches!(asked, "cosmetic" | "all"),
                encode_state: matches!(asked, "state" | "all"),
            }
        },
        equivalence: match text(given, "reduce") {
            Some("strong") => Some(Equivalence::Strong),
            Some("branching") => Some(Equivalence::Branching),
            Some("weak-trace") => Some(Equivalence::WeakTrace),
            _ => None,
        },
    })
}

fn input(given: &ArgMatches) -> Result<Input, Stopped> {
    let bounds = texts(given, "bound")
        .into_iter()
        .map(|bound| {
            bound
                .split_once('=')
                .map(|(name, value)| (name.trim().to_owned(), value.trim().to_owned()))
                .filter(|(name, value)| !name.is_empty() && !value.is_empty())
                .ok_or_else(|| {
                    Stopped::usage(&format!(
                        "--bound: `{bound}` is no bound: write NAME=V, as in amount=0..10"
                    ))
                })
        })
        .collect::<Result<_, _>>()?;
    let defines = texts(given, "define")
        .into_iter()
        .map(|define| {
            // As with a C compiler, a macro without a value is 1.
            let (name, value) = define.split_once('=').unwrap_or((&define, "1"));
            let name = name.trim();
            let plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
            if name.is_empty()
                || name.starts_with(|c: char| c.is_ascii_digit())
                || !name.chars().all(plain)
            {
                return Err(Stopped::usage(&format!(
                    "--define: `{define}` is no macro: write NAME or NAME=VALUE, as in -D N=3"
                )));
            }
            Ok((name.to_owned(), value.to_owned()))
        })
        .collect::<Result<_, _>>()?;
    Ok(Input {
        bounds,
        defines,
        ignore_c: given.get_flag("ignore-c"),
        weakly_fair: false,
        timing: match text(given, "timing") {
            Some("edges") => nodegraph::Timing::Edges,
            _ => nodegraph::Timing::Completion,
        },
        nodes: paths(given, "nodes"),
        language: text(given, "language").map(str::to_owned),
        dialect: match text(given, "dialect") {
            Some("c") => tscript::Dialect::C,
            _ => tscript::Dialect::Ng,
        },
        schedule: match text(given, "schedule") {
            Some("prompt") => tscript::Schedule::Prompt,
            _ => tscript::Schedule::Free,
        },
        time: match text(given, "time") {
            Some("discrete") => tscript::Time::Discrete,
            Some("maximal") => tscript::Time::Maximal,
            _ => tscript::Time::Untimed,
        },
        polite_tools: given.get_flag("polite-tools"),
        whole: false,
        limited: limited(given),
    })
}

/// The options on the command line that are for some languages only.
fn limited(given: &ArgMatches) -> Vec<&'static OptionSpec> {
    let written = given.ids().filter(|id| {
        let source = given.value_source(id.as_str());
        source == Some(ValueSource::CommandLine)
    });
    let written: Vec<&str> = written.map(clap::Id::as_str).collect();
    OPTIONS
        .iter()
        .filter(|option| !option.languages.is_empty() && written.contains(&option.name))
        .collect()
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
    use super::*;

    fn words(line: &str) -> Result<Invocation, Stopped> {
        let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
        parse(&words)
    }

    fn checked(line: &str) -> CheckInvocation {
        match words(line) {
            Ok(Invocation::Check(check)) => *check,
            other => panic!("{line}: {other:?}"),
        }
    }

    #[test]
    fn the_table_makes_a_sound_command_line() {
        command().debug_assert();
    }

    #[test]
    fn options_are_read() {
        let check = checked(
            "probity check a.lsl b --property p --property q --bound amount=0..10 --timeout 2m \
             --memory 1G --jobs 3 --require proved --passes fold,slice --format json",
        );
        assert_eq!(check.paths.len(), 2);
        assert_eq!(check.properties, ["p", "q"]);
        assert_eq!(check.input.bounds, [("amount".into(), "0..10".into())]);
        assert_eq!(check.timeout, Some(Duration::from_mins(2)));
        assert_eq!((check.memory, check.jobs), (Some(1 << 30), Some(3)));
        assert_eq!(check.required, Required::Proved);
        assert_eq!(check.passes, "fold,slice".parse().unwrap());
        assert!(check.json);
        let macros = checked("probity check a.pml -D N=3 -DM --define T=(1+2) --ignore-c");
        let expected = [("N", "3"), ("M", "1"), ("T", "(1+2)")];
        let expected = expected.map(|(name, value)| (name.to_owned(), value.to_owned()));
        assert_eq!(macros.input.defines, expected);
        assert!(macros.input.ignore_c && !macros.input.weakly_fair);
        assert!(checked("probity check a.pml --fair weak").input.weakly_fair);
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
        ] {
            assert_eq!(words(line).unwrap_err().status, 0, "{line}");
        }
    }
}
