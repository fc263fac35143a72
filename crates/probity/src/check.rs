//! `probity check`: every property of every file gets its verdict.

use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use model::{Program, UnknownReason, Verdict};
use nodegraph::NoWhole;
use report::{
    FileReport, Report, TRACE_VERSION, TextOptions, TraceFile, TracedProperty, html, shell_command,
    text,
};
use source::{Diagnostic, SourceMap, render};
use verify::{CheckpointError, Outcome, Unreached};

use crate::command_line::{CheckInvocation, Color, Input};
use crate::corridor::{Loaded, language_of, load, whole};
use crate::progress::Display;
use crate::readings;
use crate::saving::Saving;
use crate::system::{Kind, Stream, System};
use crate::whole::told_on_the_whole;

/// Directories nested deeper than this are not looked into (links may make them endless).
const DEEPEST: u32 = 32;

/// Checks, prints the report and returns the exit status.
pub(crate) fn run(invocation: &CheckInvocation, system: &dyn System) -> u8 {
    let (names, texts): (Vec<String>, Vec<String>) = invocation
        .properties
        .iter()
        .cloned()
        .partition(|given| is_name(given));
    let mut files: Vec<(PathBuf, Loaded)> = Vec::new();
    let mut kept = Vec::new();
    for path in &invocation.paths {
        match scripts_at(path, &invocation.input, system) {
            Ok(scripts) => {
                for path in scripts {
                    let begin = Instant::now();
                    let (loaded, script) = read_script(&path, &invocation.input, &texts, system);
                    files.push((path, loaded));
                    kept.push((script, begin.elapsed()));
                }
            }
            Err(diagnostic) => {
                files.push((path.clone(), Loaded::refused(*diagnostic)));
                kept.push((None, Duration::ZERO));
            }
        }
    }
    if invocation.trace.is_some() && files.len() != 1 {
        system.err("error: --trace: give one file, not several\n");
        return 2;
    }
    if (invocation.checkpoint.is_some() || invocation.resume.is_some()) && files.len() != 1 {
        system.err("error: --checkpoint, --resume: give one file, not several\n");
        return 2;
    }
    if let Err(message) = all_known(&names, &files, texts.len()) {
        system.err(&format!("error[CLI0003]: {message}\n"));
        return 2;
    }

    let mut reports = Vec::new();
    for ((path, loaded), (script, reading)) in files.iter().zip(kept) {
        show(&loaded.diagnostics, &loaded.sources, system);
        let name = path.to_string_lossy();
        let Some(program) = &loaded.program else {
            let report = FileReport::refused(&name, &loaded.sources, &loaded.diagnostics);
            reports.push(report);
            continue;
        };
        let saving = Saving::new(invocation, &loaded.sources, system);
        let begin = Instant::now();
        let only = selected(invocation, program, &names, texts.len());
        let left = |options: verify::Options| verify::Options {
            timeout: options
                .timeout
                .map(|timeout| timeout.saturating_sub(reading)),
            ..options
        };
        let asked = left(options(invocation, only, system));
        let found = outcomes(invocation, program, &asked, system, saving.as_ref());
        let mut outcomes = match found {
            Ok(outcomes) => outcomes,
            Err(error) => {
                system.err(&format!("error[CLI0004]: failed to {error}\n"));
                return 2;
            }
        };
        let fails = |outcome: &Outcome| matches!(outcome.verdict, Verdict::Fails { .. });
        let whole = if outcomes.iter().any(fails) {
            whole(script, &invocation.input)
        } else {
            Err(NoWhole::Same)
        };
        told_on_the_whole(&whole, &mut outcomes, &|whole, property| {
            let program = whole.program();
            let name = program.properties[property.index()].name.clone();
            let options = options(invocation, Some(vec![name]), system);
            let display = display(invocation, &options, system);
            let found = verify::check(program, &options, &display);
            display.clear();
            found.into_iter().find(|found| found.property == property)
        });
        let program = whole.as_ref().map_or(program, nodegraph::Whole::program);
        let mut report = FileReport::checked(
            &name,
            &loaded.sources,
            program,
            &outcomes,
            &loaded.diagnostics,
        );
        if invocation.unreached {
            let input = Input {
                whole: true,
                ..invocation.input.clone()
            };
            let all = read(path, &input, &texts, system).program;
            let all = all.as_ref().unwrap_or(program);
            let statements = unreached(invocation, all, system);
            report = report.with_unreached(&loaded.sources, all, statements);
        }
        if program.language == "tscript" && invocation.all_readings && saving.is_none() {
            let means = (&left(options(invocation, None, system)), begin.elapsed());
            let input = &invocation.input;
            readings::ask_again(path, input, &texts, means, &mut report, system);
        }
        let own = own_properties(program, texts.len());
        for (property, outcome) in report.properties.iter_mut().zip(&outcomes) {
            let extra = outcome.property.index().checked_sub(own);
            let asked = extra.map_or(&property.name, |index| &texts[index]);
            let mut again = command_for(&name, &invocation.input, asked);
            if invocation.all_errors && property.story.is_some() {
                again.push_str(" --all-errors");
            }
            property.again = Some(again);
        }
        reports.push(report);
        if let Some(out) = &invocation.trace
            && let Err(error) = write_traces(out, &name, invocation, program, &outcomes, system)
        {
            system.err(&format!("error: write {}: {error}\n", out.display()));
            return 2;
        }
    }

    let mut report = Report::new(reports, invocation.required);
    if system.stop().load(Ordering::Relaxed) {
        report = report.interrupted();
    }
    if let Some(out) = &invocation.html
        && let Err(error) = system.write(out, &html(&report))
    {
        system.err(&format!("error: write {}: {error}\n", out.display()));
        return 2;
    }
    if invocation.json {
        system.out(&report.to_json());
    } else {
        let options = TextOptions {
            verbose: invocation.verbose,
            color: use_color(invocation.color, Stream::Out, system),
            explain_passes: invocation.explain_passes,
        };
        system.out(&text(&report, options));
    }
    report.status
}

/// Whether a `--property` is a name; anything else is the text of a property.
pub(crate) fn is_name(given: &str) -> bool {
    !given.is_empty()
        && given
            .chars()
            .all(|c| c.is_alphanumeric() || "_-.".contains(c))
}

/// How many of a program's properties are the file's own: those of the command line come last.
pub(crate) fn own_properties(program: &Program, extra: usize) -> usize {
    program.properties.len().saturating_sub(extra)
}

/// The scripts that a path names.
fn scripts_at(
    path: &Path,
    input: &Input,
    system: &dyn System,
) -> Result<Vec<PathBuf>, Box<Diagnostic>> {
    let unreadable = |path: &Path, error: std::io::Error| {
        Box::new(Diagnostic::error(
            "CLI0002",
            format!("cannot read `{}`: {error}", path.display()),
        ))
    };
    match system.kind(path) {
        Err(error) => Err(unreadable(path, error)),
        Ok(Kind::File) => Ok(vec![path.to_owned()]),
        Ok(Kind::Directory) => {
            let mut scripts = Vec::new();
            let mut directories = vec![(path.to_owned(), DEEPEST)];
            while let Some((directory, depth)) = directories.pop() {
                let entries = system
                    .entries(&directory)
                    .map_err(|error| unreadable(&directory, error))?;
                for entry in entries {
                    let hidden = entry
                        .file_name()
                        .is_some_and(|name| name.to_string_lossy().starts_with('.'));
                    match system.kind(&entry) {
                        Ok(Kind::Directory) if depth > 0 && !hidden => {
                            directories.push((entry, depth - 1));
                        }
                        Ok(Kind::File)
                            if is_script(&entry, input) && !is_other_json(&entry, system) =>
                        {
                            scripts.push(entry);
                        }
                        _ => {}
                    }
                }
            }
            scripts.sort();
            if scripts.is_empty() {
                return Err(Box::new(Diagnostic::error(
                    "CLI0002",
                    format!("there are no scripts in `{}`", path.display()),
                )));
            }
            Ok(scripts)
        }
    }
}

/// Whether it is JSON, but no graph of nodes: in a folder there may be anything.
fn is_other_json(path: &Path, system: &dyn System) -> bool {
    let is_json = path
        .extension()
        .is_some_and(|extension| extension == "json");
    is_json
        && !system
            .read(path)
            .is_ok_and(|bytes| nodegraph::is_graph(&String::from_utf8_lossy(&bytes)))
}

fn is_script(path: &Path, input: &Input) -> bool {
    language_of(path).is_some_and(|language| {
        input
            .language
            .as_deref()
            .is_none_or(|wanted| wanted == language)
    })
}

/// Reads a script as a program.
pub(crate) fn read(path: &Path, input: &Input, extra: &[String], system: &dyn System) -> Loaded {
    read_script(path, input, extra, system).0
}

fn read_script(
    path: &Path,
    input: &Input,
    extra: &[String],
    system: &dyn System,
) -> (Loaded, Option<nodegraph::Script>) {
    match system.read(path) {
        Ok(bytes) => load(path, bytes, input, extra, system),
        Err(error) => {
            let message = format!("cannot read `{}`: {error}", path.display());
            (Loaded::refused(Diagnostic::error("CLI0002", message)), None)
        }
    }
}

/// Whether each name is a property of some file that could be read, the `extra` ones of the
/// command line aside; if not, a sentence.
fn all_known(names: &[String], files: &[(PathBuf, Loaded)], extra: usize) -> Result<(), String> {
    let programs: Vec<&Program> = files
        .iter()
        .filter_map(|(_, loaded)| loaded.program.as_ref())
        .collect();
    if programs.is_empty() {
        return Ok(());
    }
    let mut known: Vec<&str> = programs
        .iter()
        .flat_map(|program| &program.properties[..own_properties(program, extra)])
        .map(|property| property.name.as_str())
        .collect();
    known.sort_unstable();
    known.dedup();
    match names.iter().find(|name| !known.contains(&name.as_str())) {
        None => Ok(()),
        Some(name) if known.is_empty() => {
            Err(format!("no property `{name}`: the file has no properties"))
        }
        Some(name) => Err(format!(
            "no property `{name}`; there are: {}",
            known.join(", ")
        )),
    }
}

/// Prints what is wrong with a text to standard error.
pub(crate) fn show(diagnostics: &[Diagnostic], sources: &SourceMap, system: &dyn System) {
    let color = use_color(Color::Auto, Stream::Err, system);
    for diagnostic in diagnostics {
        system.err(&format!("{}\n\n", render(diagnostic, sources, color)));
    }
}

pub(crate) fn use_color(wanted: Color, stream: Stream, system: &dyn System) -> bool {
    match wanted {
        Color::Always => true,
        Color::Never => false,
        Color::Auto => {
            let refused = system.variable("NO_COLOR").is_some_and(|v| !v.is_empty());
            system.is_terminal(stream) && !refused
        }
    }
}

/// The names of the properties that are asked for: those of the given names and the `extra` last ones;
/// `None` if all are.
fn selected(
    invocation: &CheckInvocation,
    program: &Program,
    names: &[String],
    extra: usize,
) -> Option<Vec<String>> {
    if invocation.properties.is_empty() {
        return None;
    }
    let (own, extra) = program.properties.split_at(own_properties(program, extra));
    let named = own
        .iter()
        .filter(|property| names.contains(&property.name))
        .chain(extra);
    Some(named.map(|property| property.name.clone()).collect())
}

/// Verifies the properties that are asked for.
fn outcomes(
    invocation: &CheckInvocation,
    program: &Program,
    options: &verify::Options,
    system: &dyn System,
    saving: Option<&Saving<'_>>,
) -> Result<Vec<Outcome>, CheckpointError> {
    if options.only.as_ref().is_some_and(Vec::is_empty) {
        return Ok(Vec::new());
    }
    let display = display(invocation, options, system);
    let outcomes = match saving {
        None => Ok(verify::check(program, options, &display)),
        Some(saving) => verify::check_with(program, options, &display, saving),
    };
    display.clear();
    outcomes
}

/// The statements that no run reaches.
fn unreached(
    invocation: &CheckInvocation,
    program: &Program,
    system: &dyn System,
) -> Result<Vec<Unreached>, UnknownReason> {
    let options = options(invocation, None, system);
    let display = display(invocation, &options, system);
    let statements = verify::unreached(program, &options, &display);
    display.clear();
    statements
}

/// What is asked for, as the verification takes it.
fn options(
    invocation: &CheckInvocation,
    only: Option<Vec<String>>,
    system: &dyn System,
) -> verify::Options {
    let memory = invocation.memory.unwrap_or_else(|| {
        let free = system.free_memory().map(|free| free / 4 * 3);
        let most = match invocation.storage {
            // The table is as large as it may be, and states lie all over it.
            verify::Storage::Bitstate => 2 << 30,
            _ => u64::MAX,
        };
        free.unwrap_or(4 << 30).min(most)
    });
    let defaults = verify::Options::default();
    verify::Options {
        only,
        timeout: invocation.timeout,
        memory: Some(memory),
        jobs: invocation.jobs.unwrap_or(defaults.jobs),
        engine: invocation.engine,
        storage: invocation.storage,
        passes: invocation.passes.clone(),
        all_errors: invocation.all_errors,
        first_failure: invocation.first_failure,
        on_the_fly: invocation.on_the_fly,
        reduce: invocation.reduce,
        symmetry: invocation.symmetry,
        stop: system.stop(),
    }
}

fn display<'s>(
    invocation: &CheckInvocation,
    options: &verify::Options,
    system: &'s dyn System,
) -> Display<'s> {
    let (timeout, memory) = (options.timeout, options.memory);
    Display::new(system, invocation.progress, timeout, memory)
}

/// A macro as it is given on the command line.
fn define_text((name, value): &(String, String)) -> String {
    format!("{name}={value}")
}

/// The command that checks one property of a file again.
fn command_for(file: &str, input: &Input, property: &str) -> String {
    let bounds: Vec<String> = input
        .bounds
        .iter()
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    let defines: Vec<String> = input.defines.iter().map(define_text).collect();
    let mut words = vec!["probity", "check", file];
    for bound in &bounds {
        words.extend(["--bound", bound]);
    }
    for define in &defines {
        words.extend(["-D", define]);
    }
    if input.ignore_c {
        words.push("--ignore-c");
    }
    if input.weakly_fair {
        words.extend(["--fair", "weak"]);
    }
    if input.timing == nodegraph::Timing::Edges {
        words.extend(["--timing", "edges"]);
    }
    words.extend(reading(input));
    let tables: Vec<String> = input
        .nodes
        .iter()
        .map(|p| p.to_string_lossy().into_owned())
        .collect();
    for table in &tables {
        words.extend(["--nodes", table]);
    }
    if let Some(language) = &input.language {
        words.extend(["--language", language]);
    }
    words.extend(["--property", property]);
    shell_command(&words)
}

/// How a script of the ToolBus is read, where that is not what is usual.
pub(crate) fn reading(input: &Input) -> Vec<&'static str> {
    let mut words = Vec::new();
    if input.dialect == tscript::Dialect::C {
        words.extend(["--dialect", "c"]);
    }
    if input.schedule == tscript::Schedule::Prompt {
        words.extend(["--schedule", "prompt"]);
    }
    match input.time {
        tscript::Time::Untimed => {}
        tscript::Time::Discrete => words.extend(["--time", "discrete"]),
        tscript::Time::Maximal => words.extend(["--time", "maximal"]),
    }
    if input.polite_tools {
        words.push("--polite-tools");
    }
    words
}

fn write_traces(
    out: &Path,
    file: &str,
    invocation: &CheckInvocation,
    program: &Program,
    outcomes: &[Outcome],
    system: &dyn System,
) -> std::io::Result<()> {
    let bounds = invocation.input.bounds.iter();
    let traces = TraceFile {
        version: TRACE_VERSION,
        file: file.to_owned(),
        bounds: bounds.map(|(n, v)| format!("{n}={v}")).collect(),
        defines: invocation.input.defines.iter().map(define_text).collect(),
        traces: outcomes
            .iter()
            .flat_map(|outcome| {
                let name = &program.properties[outcome.property.index()].name;
                let first = match &outcome.verdict {
                    Verdict::Fails { trace } => Some(&**trace),
                    _ => None,
                };
                let others = outcome.others.iter().map(|failure| &failure.trace);
                let traces = first.into_iter().chain(others);
                traces.map(move |trace| TracedProperty::new(program, Some(name), trace))
            })
            .collect(),
    };
    system.write(out, &traces.to_json())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::InMemory;

    const DOOR: &str = "\
integer open;
//@ property small: always open < 3;
//@ property shut: always open == 0;
default { touch_start(integer n) { if (open < 2) ++open; } }
";

    #[test]
    fn properties_are_picked_by_name_and_by_text() {
        let system = InMemory::default().with_file("door.lsl", DOOR);
        assert_eq!(check(&system, "probity check door.lsl"), 1);
        assert!(system.out().contains("2 properties: 1 holds, 1 fails."));
        let system = InMemory::default().with_file("door.lsl", DOOR);
        assert_eq!(check(&system, "probity check door.lsl --property small"), 0);
        assert!(
            system.out().contains("1 property: 1 holds."),
            "{}",
            system.out()
        );
        let system = InMemory::default().with_file("door.lsl", DOOR);
        let words = [
            "probity",
            "check",
            "door.lsl",
            "--property",
            "always open < 2",
        ];
        assert_eq!(crate::run(&words.map(str::to_owned), &system), 1);
        let again = "probity check door.lsl --property 'always open < 2' --verbose";
        assert!(system.out().contains(again), "{}", system.out());
        let system = InMemory::default().with_file("door.lsl", DOOR);
        assert_eq!(check(&system, "probity check door.lsl --property ajar"), 2);
        assert!(
            system
                .err()
                .contains("no property `ajar`; there are: shut, small")
        );
        assert_eq!(system.out(), "");
    }

    #[test]
    fn a_run_goes_through_a_file_and_back() {
        let system = InMemory::default().with_file("door.lsl", DOOR);
        assert_eq!(
            check(&system, "probity check door.lsl --trace runs.json"),
            1
        );
        let runs = system.file("runs.json").unwrap();
        let system = InMemory::default()
            .with_file("door.lsl", DOOR)
            .with_file("runs.json", runs.as_str())
            .with_file("mute.lsl", "default { state_entry() { } }");
        let line = "probity simulate door.lsl --replay runs.json";
        assert_eq!(check(&system, line), 0, "{}", system.err());
        assert!(system.out().starts_with("The run of shut\n"));
        assert!(
            system.out().ends_with("  => shut is violated\n"),
            "{}",
            system.out()
        );
        let line = "probity simulate mute.lsl --replay runs.json";
        assert_eq!(check(&system, line), 2, "another script has no such run");
    }

    #[test]
    fn what_the_user_stopped_is_no_success() {
        let system = InMemory::default().with_file("door.lsl", DOOR);
        system.stop().store(true, Ordering::Relaxed);
        assert_eq!(check(&system, "probity check door.lsl"), 3);
        let out = system.out();
        assert!(out.ends_with("Exit status 3: interrupted.\n"), "{out}");
    }

    fn check(system: &InMemory, line: &str) -> u8 {
        let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
        crate::run(&words, system)
    }

    #[test]
    fn what_cannot_be_read_is_bad_input() {
        let system = InMemory::default()
            .with_file("picture.lsl", [0x89, b'P', b'N', b'G', 0, 1])
            .with_file("notes.txt", "hello")
            .with_file("empty/readme.md", "no scripts here");
        for (line, code) in [
            ("probity check missing.lsl", "CLI0002"),
            ("probity check picture.lsl", "SRC0001"),
            ("probity check notes.txt", "CLI0001"),
            ("probity check empty", "CLI0002"),
        ] {
            let before = system.err().len();
            assert_eq!(check(&system, line), 2, "{line}");
            assert!(
                system.err()[before..].contains(code),
                "{line}: {}",
                system.err()
            );
        }
        assert!(system.out().contains("Exit status 2: bad input."));
    }

    #[test]
    fn directories_are_searched_for_scripts() {
        let system = InMemory::default()
            .with_file("world/b/two.lsl", "")
            .with_file("world/one.lsl", "")
            .with_file("world/.hidden/three.lsl", "")
            .with_file("world/four.txt", "");
        let input = Input { ..Input::default() };
        let found = scripts_at(Path::new("world"), &input, &system).unwrap();
        let expected = ["world/b/two.lsl", "world/one.lsl"].map(PathBuf::from);
        assert_eq!(found, expected);
    }

    #[test]
    fn names_and_texts_of_properties_are_told_apart() {
        assert!(is_name("books_balance"));
        assert!(!is_name("always held == 0"));
        assert!(!is_name("[]p"));
        let input = Input {
            bounds: vec![("amount".into(), "0..10".into())],
            ..Input::default()
        };
        assert_eq!(
            command_for("a b.lsl", &input, "always a > 0"),
            "probity check 'a b.lsl' --bound amount=0..10 --property 'always a > 0'"
        );
    }
}
