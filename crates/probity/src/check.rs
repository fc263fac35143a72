//! `probity check`: every property of every file gets its verdict.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use model::{Program, PropertyId, UnknownReason, Verdict};
use nodegraph::NoWhole;
use report::{
    FileReport, Report, TRACE_VERSION, TextOptions, TraceFile, TracedProperty, content_digest,
    file_text, html, shell_command, summary_text,
};
use source::{Diagnostic, SourceMap, render};
use verify::{CheckpointError, Outcome, Unreached};

use crate::command_line::{CheckInvocation, Color, Input};
use crate::corridor::{Loaded, load, whole};
use crate::destinations::{Destination, try_outputs};
use crate::progress::Display;
use crate::readings;
use crate::saving::Saving;
use crate::scripts::scripts_at;
use crate::system::{Stream, System};
use crate::whole::told_on_the_whole;

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

    let inputs = inputs(&files, &invocation.input);
    if let Err(message) = try_outputs(
        &destinations(invocation),
        &inputs,
        invocation.overwrite,
        system,
    ) {
        system.err(&format!("error: {message}\n"));
        return 2;
    }

    let mut told = Told::new(invocation, system);
    let mut traces = None;
    for ((path, loaded), (script, reading)) in files.iter().zip(kept) {
        show(&loaded.diagnostics, &loaded.sources, system);
        let name = path.to_string_lossy();
        let Some(program) = &loaded.program else {
            let report = FileReport::refused(&name, &loaded.sources, &loaded.diagnostics);
            told.add(report);
            continue;
        };
        let only = selected(invocation, program, &names, texts.len());
        let asked = Asked {
            path,
            loaded,
            program,
            texts: &texts,
            only: &only,
            reading,
        };
        // A defect of ours on one file is no reason to lose what is known of the others.
        let checked = catch_unwind(AssertUnwindSafe(|| {
            check_file(invocation, &asked, script, &mut traces, system)
        }));
        match checked {
            Ok(Ok(report)) => told.add(report),
            Ok(Err(error)) => {
                system.err(&format!("error[CLI0004]: failed to {error}\n"));
                return 2;
            }
            Err(_) => {
                let outcomes = defective(program, only.as_deref());
                let (sources, found) = (&loaded.sources, &loaded.diagnostics);
                told.add(FileReport::checked(
                    &name, sources, program, &outcomes, found,
                ));
            }
        }
    }
    let report = told.finish();

    let mut status = report.status;
    let mut write = |option: &str, path: &Path, contents: &str| {
        if let Err(error) = system.write(path, contents) {
            let name = path.display();
            system.err(&format!("error: {option}: write {name}: {error}\n"));
            status = if status == 0 { 3 } else { status };
        }
    };
    if let Some(out) = &invocation.html {
        write("--html", out, &html(&report));
    }
    if let (Some(out), Some(traces)) = (&invocation.trace, traces) {
        let keeps =
            |text: String| TraceFile::from_json(&text).is_ok_and(|old| !old.traces.is_empty());
        let earlier = || Some(String::from_utf8_lossy(&system.read(out).ok()?).into_owned());
        if traces.traces.is_empty() && !invocation.overwrite && earlier().is_some_and(keeps) {
            let name = out.display();
            system.err(&format!(
                "note: --trace: there is no failure to keep; {name} still has the runs of an earlier \
                 check\n  = help: --overwrite writes an empty list instead\n"
            ));
        } else {
            write("--trace", out, &traces.to_json());
        }
    }
    status
}

/// A file to be checked.
struct Asked<'a> {
    path: &'a Path,
    loaded: &'a Loaded,
    program: &'a Program,
    /// The properties of the command line.
    texts: &'a [String],
    /// The names of the properties that are asked for; none: all.
    only: &'a Option<Vec<String>>,
    /// How long it took to read.
    reading: Duration,
}

/// Checks one file; what its failures look like is put into `traces` if that is asked for.
fn check_file(
    invocation: &CheckInvocation,
    asked: &Asked<'_>,
    script: Option<nodegraph::Script>,
    traces: &mut Option<TraceFile>,
    system: &dyn System,
) -> Result<FileReport, CheckpointError> {
    let Asked {
        path,
        loaded,
        program,
        texts,
        only,
        reading,
    } = *asked;
    let name = path.to_string_lossy();
    let saving = Saving::new(invocation, &loaded.sources, system);
    let begin = Instant::now();
    let left = |options: verify::Options| verify::Options {
        timeout: options
            .timeout
            .map(|timeout| timeout.saturating_sub(reading)),
        ..options
    };
    let means = left(options(invocation, only.clone(), system));
    let mut outcomes = outcomes(invocation, program, &means, system, saving.as_ref())?;
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
        let all = read(path, &input, texts, system).program;
        let all = all.as_ref().unwrap_or(program);
        let statements = unreached(invocation, all, system);
        report = report.with_unreached(&loaded.sources, all, statements);
    }
    if program.language == "tscript" && invocation.all_readings && saving.is_none() {
        let means = (&left(options(invocation, None, system)), begin.elapsed());
        let input = &invocation.input;
        readings::ask_again(path, input, texts, means, &mut report, system);
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
    if invocation.trace.is_some() {
        let file = kept(
            &name,
            invocation,
            &loaded.sources,
            program,
            &outcomes,
            texts,
        );
        *traces = Some(file);
    }
    Ok(report)
}

/// What there is to say of a file on which Probity itself went wrong.
fn defective(program: &Program, only: Option<&[String]>) -> Vec<Outcome> {
    let all = (0..program.properties.len()).map(PropertyId::new);
    let wanted = all
        .filter(|id| only.is_none_or(|only| only.contains(&program.properties[id.index()].name)));
    wanted.map(Outcome::defective).collect()
}

/// The report as it comes to be: a file's verdicts are written as soon as they are known.
struct Told<'a> {
    invocation: &'a CheckInvocation,
    system: &'a dyn System,
    options: TextOptions,
    files: Vec<FileReport>,
}

impl<'a> Told<'a> {
    fn new(invocation: &'a CheckInvocation, system: &'a dyn System) -> Self {
        Told {
            invocation,
            system,
            options: TextOptions {
                verbose: invocation.verbose,
                color: use_color(invocation.color, Stream::Out, system),
                explain_passes: invocation.explain_passes,
            },
            files: Vec::new(),
        }
    }

    /// The verdicts of one more file.
    fn add(&mut self, file: FileReport) {
        if self.invocation.json {
            self.files.push(file);
            return;
        }
        // What is required of a verdict is seen in a report.
        let mut one = Report::new(vec![file], self.invocation.required);
        if !self.files.is_empty() {
            self.system.out("\n");
        }
        self.write(
            &one.files
                .iter()
                .map(|file| file_text(file, self.options))
                .collect::<String>(),
        );
        self.files.append(&mut one.files);
    }

    /// The end of the report.
    fn finish(self) -> Report {
        let empty = self.files.is_empty();
        let mut report = Report::new(self.files, self.invocation.required);
        if self.system.stop().load(Ordering::Relaxed) {
            report = report.interrupted();
        }
        let text = if self.invocation.json {
            report.to_json()
        } else {
            let gap = if empty { "" } else { "\n" };
            format!("{gap}{}", summary_text(&report, self.options))
        };
        write_text(&text, self.options, self.system);
        report
    }

    fn write(&self, text: &str) {
        write_text(text, self.options, self.system);
    }
}

/// Writes a part of a report, in which nothing but its own colours is obeyed.
fn write_text(text: &str, options: TextOptions, system: &dyn System) {
    if options.color {
        system.write_out(text);
    } else {
        system.out(text);
    }
}

/// The files that a check reads: outputs do not replace them.
fn inputs(files: &[(PathBuf, Loaded)], input: &Input) -> Vec<PathBuf> {
    let mut all = input.nodes.clone();
    for (path, loaded) in files {
        let folder = path.parent().unwrap_or(Path::new(""));
        all.push(path.clone());
        let included = loaded.sources.files().map(|file| folder.join(file.name()));
        all.extend(included);
    }
    all
}

/// What a check may write.
fn destinations(invocation: &CheckInvocation) -> [Destination<'_>; 3] {
    [
        ("--html", invocation.html.as_deref(), false),
        ("--trace", invocation.trace.as_deref(), false),
        ("--checkpoint", invocation.checkpoint.as_deref(), true),
    ]
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
        // Nothing but its own colours is obeyed in it.
        system.write_err(&format!("{}\n\n", render(diagnostic, sources, color)));
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
        Some(saving) => verify::check_with(program, options, &display, Some(saving), &|_| {}),
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

/// The runs that show failures, as they are kept.
fn kept(
    file: &str,
    invocation: &CheckInvocation,
    sources: &SourceMap,
    program: &Program,
    outcomes: &[Outcome],
    texts: &[String],
) -> TraceFile {
    let own = own_properties(program, texts.len());
    let bounds = invocation.input.bounds.iter();
    TraceFile {
        version: TRACE_VERSION,
        file: file.to_owned(),
        content: Some(content_digest(sources)),
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
                let text = outcome
                    .property
                    .index()
                    .checked_sub(own)
                    .map(|at| &texts[at]);
                traces.map(move |trace| {
                    TracedProperty::new(program, Some(name), trace).with_text(text)
                })
            })
            .collect(),
    }
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
