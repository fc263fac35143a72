//! The door of the language: what it says of itself, and how it is read.

use language::{
    BOUND, CHECK, DEFINE, FAIR, FrontEnd, INCLUDE, Language, Lexis, OptionSpec, Outline, Read,
    Request, Settings, Statements, Word, begins_with_word, has_line,
};
use source::{CodeDoc, Loaded};

use crate::codes;
use crate::load::{Dialect, Extent, Options, Schedule, Time, load, to_mcrl2};
use crate::outline;

/// Scripts of the ToolBus.
pub struct Tscript;

/// The processes as processes of mCRL2.
const MCRL2: &str = "mcrl2";

const DIALECT: OptionSpec = OptionSpec {
    name: "dialect",
    value: Some("DIALECT"),
    choices: &["ng", "c"],
    default: "ng",
    help: "Which ToolBus runs the script: the one in Java (ng) or the one in C",
    ..OptionSpec::SWITCH
};

const SCHEDULE: OptionSpec = OptionSpec {
    name: "schedule",
    value: Some("SCHEDULE"),
    choices: &["free", "prompt"],
    default: "free",
    help: "When processes listen to tools: at any time, or only when nothing else can \
           happen, as the ToolBus in C does",
    ..OptionSpec::SWITCH
};

const TIME: OptionSpec = OptionSpec {
    name: "time",
    value: Some("TIME"),
    choices: &["untimed", "discrete", "maximal"],
    default: "untimed",
    help: "How time passes: it is not counted, in ticks at any moment, or in ticks when \
           no process can do anything else",
    ..OptionSpec::SWITCH
};

const READINGS: OptionSpec = OptionSpec {
    name: "readings",
    value: Some("READINGS"),
    choices: &["all", "one"],
    default: "all",
    commands: &[CHECK],
    help: "Whether what fails is asked again under the other dialects and schedules, to say where it \
           fails as well",
    ..OptionSpec::SWITCH
};

const POLITE_TOOLS: OptionSpec = OptionSpec {
    name: "polite-tools",
    help: "Tools disconnect only when a process is ready to hear of it",
    ..OptionSpec::SWITCH
};

const OPEN: OptionSpec = OptionSpec {
    name: "open",
    help: "The script is a part of a system: other scripts may send what its processes wait for, take \
           what they send, and define what they call; files that are missing are theirs",
    ..OptionSpec::SWITCH
};

const CLOSED: OptionSpec = OptionSpec {
    name: "closed",
    help: "The script is all of its system, though something in it may look as if it were a part of one",
    ..OptionSpec::SWITCH
};

/// The words and signs of Tscripts.
const LEXIS: Lexis = Lexis {
    line_comments: &["%%"],
    block_comment: Some(("/*", "*/")),
    swaps: &[("true", "false"), ("false", "true"), ("+", "."), ("*", ".")],
    statements: Some(Statements {
        after: &[".", "+", "*", "||", "(", "then", "else", "in", "is"],
        before: &[".", "+", "*", "||", ")", "else", "fi", "endlet"],
        nothing: "tau",
        assertions: &[],
    }),
};

impl FrontEnd for Tscript {
    fn language(&self) -> &'static Language {
        &Language {
            name: "tscript",
            title: "Tscript",
            extensions: &["tb"],
            shared_extensions: &[],
            options: &[
                &BOUND,
                &DEFINE,
                &INCLUDE,
                &DIALECT,
                &SCHEDULE,
                &TIME,
                &READINGS,
                &POLITE_TOOLS,
                &OPEN,
                &CLOSED,
                &FAIR,
            ],
            targets: &[(MCRL2, "a Tscript as processes of mCRL2")],
        }
    }

    fn codes(&self) -> &'static [&'static [CodeDoc]] {
        codes::TABLES
    }

    fn recognises(&self, contents: &[u8]) -> bool {
        let toolbus = |line: &str| begins_with_word(line, "toolbus");
        has_line(contents, toolbus) && has_line(contents, |line| line.contains("process "))
    }

    fn lexis(&self) -> Option<&'static Lexis> {
        Some(&LEXIS)
    }

    fn load(&self, request: &Request<'_>) -> Read {
        let include = |file: &str| included(request, file);
        let options = options(request, &include, request.extra_properties.to_vec());
        let read = |text: &str| load(&request.name(), text, &options);
        request.read_text(read).into()
    }

    fn outline(&self, request: &Request<'_>) -> Option<Outline> {
        let include = |file: &str| included(request, file);
        let options = options(request, &include, Vec::new());
        Some(outline::outline(
            &request.name(),
            &request.text().ok()?,
            &options,
        ))
    }

    fn words(&self) -> &'static [Word] {
        outline::words()
    }

    fn other_readings(&self, settings: &Settings) -> Vec<(String, Settings)> {
        if settings.value(READINGS.name) == Some("one") {
            return Vec::new();
        }
        let (dialect, schedule, time) = (dialect(settings), schedule(settings), time(settings));
        let open = settings.has(OPEN.name);
        let mut all = Vec::new();
        for other_dialect in [Dialect::Ng, Dialect::C] {
            for other_schedule in [Schedule::Free, Schedule::Prompt] {
                let is_other = other_dialect != dialect || other_schedule != schedule;
                if open && other_schedule != schedule {
                    continue;
                }
                // A clock that waits for everybody goes with a prompt schedule only.
                let makes_sense = time != Time::Maximal || other_schedule == schedule;
                if !is_other || !makes_sense {
                    continue;
                }
                let mut told = Vec::new();
                let mut other = settings.clone();
                let mut say = |option: &OptionSpec, value: &'static str| {
                    told.push(format!("--{} {value}", option.name));
                    other = other.with(option.name, Some(value));
                };
                if other_dialect != dialect {
                    say(
                        &DIALECT,
                        match other_dialect {
                            Dialect::Ng => "ng",
                            Dialect::C => "c",
                        },
                    );
                }
                if other_schedule != schedule {
                    say(
                        &SCHEDULE,
                        match other_schedule {
                            Schedule::Free => "free",
                            Schedule::Prompt => "prompt",
                        },
                    );
                }
                all.push((told.join(" "), other));
            }
        }
        all
    }

    fn translate(&self, target: &str, request: &Request<'_>) -> Option<Loaded<String>> {
        if target != MCRL2 {
            return None;
        }
        let include = |file: &str| included(request, file);
        let options = options(request, &include, Vec::new());
        let write = |text: &str| to_mcrl2(&request.name(), text, &options);
        Some(request.read_text(write))
    }
}

/// The text of a file that a script includes. What an open one does not find is another's.
fn included(request: &Request<'_>, file: &str) -> Option<String> {
    let missing = || request.settings.has(OPEN.name).then(String::new);
    request.include(file).or_else(missing)
}

/// How a script is read.
fn options<'i>(
    request: &Request<'_>,
    include: &'i dyn Fn(&str) -> Option<String>,
    extra_properties: Vec<String>,
) -> Options<'i> {
    let settings = request.settings;
    Options {
        defines: settings.pairs(DEFINE.name),
        include,
        bounds: settings.pairs(BOUND.name),
        extra_properties,
        dialect: dialect(settings),
        schedule: schedule(settings),
        time: time(settings),
        extent: match (settings.has(OPEN.name), settings.has(CLOSED.name)) {
            (true, _) => Extent::Part,
            (false, true) => Extent::Whole,
            (false, false) => Extent::Guessed,
        },
        polite_tools: settings.has(POLITE_TOOLS.name),
        plain: false,
        few_processes: false,
    }
}

fn dialect(settings: &Settings) -> Dialect {
    match settings.value(DIALECT.name) {
        Some("c") => Dialect::C,
        _ => Dialect::Ng,
    }
}

fn schedule(settings: &Settings) -> Schedule {
    match settings.value(SCHEDULE.name) {
        Some("prompt") => Schedule::Prompt,
        _ => Schedule::Free,
    }
}

fn time(settings: &Settings) -> Time {
    match settings.value(TIME.name) {
        Some("discrete") => Time::Discrete,
        Some("maximal") => Time::Maximal,
        _ => Time::Untimed,
    }
}
