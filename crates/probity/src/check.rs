//! `probity check`: every property of every file gets its verdict.

use std::borrow::Cow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use language::{BOUND, DEFINE, NoWhole, OptionSpec, Part, Read};
use model::{Program, PropertyId, UnknownReason, Verdict};
use report::{
    FileReport, Report, TRACE_VERSION, TraceFile, TracedProperty, content_digest, html,
    shell_command,
};
use source::limits::{Limit, within};
use source::{Diagnostic, SourceMap, render};
use verify::{CheckpointError, CheckpointFile, Outcome, Unreached};

use crate::command_line::{CheckInvocation, Color, Input};
use crate::corridor::{Loaded, Script, contents, load, whole};
use crate::destinations::{Destination, try_outputs};
use crate::fit::misplaced;
use crate::known::Known;
use crate::options::SHORT;
use crate::progress::Display;
use crate::readings;
use crate::saving::Saving;
use crate::scripts::scripts_at;
use crate::system::{Stream, System};
use crate::watch::{Watch, in_words, usual_memory};
use crate::whole::told_on_the_whole;

/// Checks, prints the report and returns the exit status.
pub(crate) fn run(invocation: &CheckInvocation, system: &dyn System) -> u8 {
    checked(invocation, system).0
}

/// Checks and prints the report; the report, if it came to one.
pub(crate) fn reported(invocation: &CheckInvocation, system: &dyn System) -> Option<Report> {
    checked(invocation, system).1
}

/// The exit status of a check, and the report, if it came to one.
fn checked(invocation: &CheckInvocation, system: &dyn System) -> (u8, Option<Report>) {
    let (names, texts): (Vec<String>, Vec<String>) = invocation
        .properties
        .iter()
        .cloned()
        .partition(|given| is_name(given));
    let watch = Watch::new(Some(memory(invocation, system)), system);
    let known = Known::new(invocation, system);
    let last_words = |limit| known.last_words(limit, &watch.last_phase());
    let (files, kept) = watch.over(&last_words, || {
        read_all(invocation, &texts, &known, &watch, system)
    });
    let paths = files.iter().map(|(path, _)| path.as_path());
    if let Some(message) = misplaced(&invocation.input, paths) {
        system.err(&format!("error[CLI0006]: {message}\n"));
        return (2, None);
    }
    if invocation.trace.is_some() && files.len() != 1 {
        system.err("error: --trace: give one file, not several\n");
        return (2, None);
    }
    if (invocation.checkpoint.is_some() || invocation.resume.is_some()) && files.len() != 1 {
        system.err("error: --checkpoint, --resume: give one file, not several\n");
        return (2, None);
    }
    if let Err(message) = all_known(&names, &files, texts.len()) {
        system.err(&format!("error[CLI0003]: {message}\n"));
        return (2, None);
    }

    let inputs = inputs(&files, &invocation.input);
    if let Err(message) = try_outputs(
        &destinations(invocation),
        &inputs,
        invocation.overwrite,
        system,
    ) {
        system.err(&format!("error: {message}\n"));
        return (2, None);
    }

    let names_of = files.iter().map(|(path, _)| path.to_string_lossy());
    known.has_read(names_of.map(Cow::into_owned).collect());
    let only: Vec<Option<Vec<String>>> = files
        .iter()
        .map(|(_, loaded)| {
            let program = loaded.program.as_ref()?;
            selected(invocation, program, &names, texts.len())
        })
        .collect();
    // A new one: what it tells lives as long as the files do.
    let last_words = |limit| known.last_words(limit, &watch.last_phase());
    watch.over(&last_words, || {
        let asked = files.iter().zip(&only).zip(kept);
        check_all(invocation, asked, &texts, (&known, &watch), system)
    })
}

/// What is kept of a file beside the program.
#[derive(Default)]
struct Kept {
    /// What is needed to tell runs on the whole, if the program is only a part.
    part: Option<Box<dyn Part>>,
    contents: Vec<u8>,
    /// How long reading took,
    reading: Duration,
    /// and the limit that was reached meanwhile.
    limit: Option<Limit>,
}

/// Reads all files.
fn read_all(
    invocation: &CheckInvocation,
    texts: &[String],
    known: &Known<'_>,
    watch: &Watch<'_>,
    system: &dyn System,
) -> (Vec<(PathBuf, Loaded)>, Vec<Kept>) {
    let mut files: Vec<(PathBuf, Loaded)> = Vec::new();
    let mut kept = Vec::new();
    for path in &invocation.paths {
        let scripts = match scripts_at(path, &invocation.input, system) {
            Ok(scripts) => scripts,
            Err(diagnostic) => {
                files.push((path.clone(), Loaded::refused(*diagnostic)));
                kept.push(Kept::default());
                continue;
            }
        };
        for path in scripts {
            let begin = Instant::now();
            let name = path.to_string_lossy();
            known.reads(&name);
            watch.begin(invocation.timeout, false);
            watch.phase(format!("reading {name}"));
            let read = || read_file(&path, &invocation.input, texts, system);
            let ((read, contents), limit) = match within(watch.limits(), read) {
                Ok(read) => (read, None),
                Err(limit) => {
                    let message = format!("read `{name}`: {}", in_words(limit));
                    let refused = Loaded::refused(Diagnostic::error("CLI0005", message));
                    ((refused.into(), Vec::new()), Some(limit))
                }
            };
            files.push((path, read.loaded));
            kept.push(Kept {
                part: read.part,
                contents,
                reading: begin.elapsed(),
                limit,
            });
        }
    }
    (files, kept)
}

/// Checks all files, ends the report, and writes what else is asked for; the exit status and the report.
fn check_all<'a>(
    invocation: &CheckInvocation,
    files: impl Iterator<Item = ((&'a (PathBuf, Loaded), &'a Option<Vec<String>>), Kept)>,
    texts: &[String],
    (known, watch): (&Known<'a>, &Watch<'_>),
    system: &dyn System,
) -> (u8, Option<Report>) {
    let mut traces = None;
    for (((path, loaded), only), kept) in files {
        show(&loaded.diagnostics, &loaded.sources, system);
        let name = path.to_string_lossy();
        if let Some(limit) = kept.limit {
            known.add(FileReport::unread(&name, in_words(limit)));
            continue;
        }
        let Some(program) = &loaded.program else {
            let report = FileReport::refused(&name, &loaded.sources, &loaded.diagnostics);
            known.add(report);
            continue;
        };
        let left = invocation
            .timeout
            .map(|time| time.saturating_sub(kept.reading));
        watch.begin(left, invocation.checkpoint.is_some());
        watch.phase(format!("checking {name}"));
        known.checks(&name, loaded, program, only.as_deref());
        let asked = Asked {
            script: Script {
                path,
                contents: &kept.contents,
                extra: texts,
            },
            loaded,
            program,
            only,
        };
        // A defect of ours on one file is no reason to lose what is known of the others.
        let checked = catch_unwind(AssertUnwindSafe(|| {
            check_file(
                invocation,
                &asked,
                kept.part,
                &mut traces,
                (known, watch),
                system,
            )
        }));
        match checked {
            Ok(Ok(report)) => known.add(report),
            Ok(Err(error)) => {
                system.err(&format!("error[CLI0004]: failed to {error}\n"));
                return (2, None);
            }
            Err(_) => {
                let outcomes = defective(program, only.as_deref());
                let (sources, found) = (&loaded.sources, &loaded.diagnostics);
                known.add(FileReport::checked(
                    &name, sources, program, &outcomes, found,
                ));
            }
        }
    }
    watch.phase("writing the report");
    let Some(report) = known.finish() else {
        return (3, None);
    };

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
    (status, Some(report))
}

/// A file to be checked.
struct Asked<'a> {
    script: Script<'a>,
    loaded: &'a Loaded,
    program: &'a Program,
    /// The names of the properties that are asked for; none: all.
    only: &'a Option<Vec<String>>,
}

/// Checks one file; what its failures look like is put into `traces` if that is asked for.
fn check_file(
    invocation: &CheckInvocation,
    asked: &Asked<'_>,
    part: Option<Box<dyn Part>>,
    traces: &mut Option<TraceFile>,
    (known, watch): (&Known<'_>, &Watch<'_>),
    system: &dyn System,
) -> Result<FileReport, CheckpointError> {
    let Asked {
        script,
        loaded,
        program,
        only,
    } = *asked;
    let texts = script.extra;
    let name = script.path.to_string_lossy();
    let saving = Saving::new(invocation, &loaded.sources, watch, system);
    let begin = Instant::now();
    let means = options(invocation, only.clone(), watch, system);
    let hears = |outcome: &Outcome| known.hears(outcome);
    let asked = (program, &means);
    let mut outcomes = outcomes(invocation, asked, saving.as_ref(), &hears, system)?;
    watch.phase(format!("telling what was found in {name}"));
    let fails = |outcome: &Outcome| matches!(outcome.verdict, Verdict::Fails { .. });
    let whole = if outcomes.iter().any(fails) {
        let whole = || whole(part, &invocation.input);
        within(watch.limits(), whole).unwrap_or(Err(NoWhole::Same))
    } else {
        Err(NoWhole::Same)
    };
    told_on_the_whole(&whole, &mut outcomes, &|whole, property| {
        let program = whole.program();
        let name = program.properties[property.index()].name.clone();
        let options = options(invocation, Some(vec![name]), watch, system);
        let display = display(invocation, &options, system);
        let found = verify::check(program, &options, &display);
        display.clear();
        found.into_iter().find(|found| found.property == property)
    });
    let program = whole.as_ref().map_or(program, |whole| whole.program());
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
            unasked: false,
            ..invocation.input.clone()
        };
        watch.phase(format!("looking for what no run reaches in {name}"));
        let all = within(watch.limits(), || {
            load(script, &input, system).loaded.program
        });
        let reached = all.as_ref().map_or_else(|limit| Err(*limit), |_| Ok(()));
        let all = all.ok().flatten();
        let all = all.as_ref().unwrap_or(program);
        let statements = match reached {
            Ok(()) => unreached(invocation, all, watch, system),
            Err(limit) => Err(limit.into()),
        };
        report = report.with_unreached(&loaded.sources, all, statements);
    }
    let others = readings::others(script, &invocation.input);
    if saving.is_none() && !others.is_empty() {
        watch.phase(format!("asking under other readings of {name}"));
        let means = (&options(invocation, None, watch, system), begin.elapsed());
        readings::ask_again(script, others, means, &mut report, system);
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

/// The files that a check reads: outputs do not replace them.
fn inputs(files: &[(PathBuf, Loaded)], input: &Input) -> Vec<PathBuf> {
    let mut all = input.files();
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

/// Reads a file as a program; also gives its contents.
pub(crate) fn read_file(
    path: &Path,
    input: &Input,
    extra: &[String],
    system: &dyn System,
) -> (Read, Vec<u8>) {
    let contents = match contents(path, system) {
        Ok(contents) => contents,
        Err(refused) => return (Loaded::refused(*refused).into(), Vec::new()),
    };
    let script = Script {
        path,
        contents: &contents,
        extra,
    };
    (load(script, input, system), contents)
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
    (program, options): (&Program, &verify::Options),
    saving: Option<&Saving<'_>>,
    hears: &(dyn Fn(&Outcome) + Sync),
    system: &dyn System,
) -> Result<Vec<Outcome>, CheckpointError> {
    if options.only.as_ref().is_some_and(Vec::is_empty) {
        return Ok(Vec::new());
    }
    let display = display(invocation, options, system);
    let file = saving.map(|saving| saving as &dyn CheckpointFile);
    let outcomes = verify::check_with(program, options, &display, file, hears);
    display.clear();
    outcomes
}

/// The statements that no run reaches.
fn unreached(
    invocation: &CheckInvocation,
    program: &Program,
    watch: &Watch<'_>,
    system: &dyn System,
) -> Result<Vec<Unreached>, UnknownReason> {
    let options = options(invocation, None, watch, system);
    let display = display(invocation, &options, system);
    let statements = verify::unreached(program, &options, &display);
    display.clear();
    statements
}

/// Bytes of memory that may be used.
fn memory(invocation: &CheckInvocation, system: &dyn System) -> u64 {
    let most = match invocation.storage {
        // The table is as large as it may be, and states lie all over it.
        verify::Storage::Bitstate => 2 << 30,
        _ => u64::MAX,
    };
    let usual = || usual_memory(system).min(most);
    invocation.memory.unwrap_or_else(usual)
}

/// What is asked for, as the verification takes it.
fn options(
    invocation: &CheckInvocation,
    only: Option<Vec<String>>,
    watch: &Watch<'_>,
    system: &dyn System,
) -> verify::Options {
    let defaults = verify::Options::default();
    verify::Options {
        only,
        timeout: watch.left(),
        memory: watch.memory(),
        resident: watch.resident(),
        jobs: invocation.jobs.unwrap_or(defaults.jobs),
        engine: invocation.engine,
        storage: invocation.storage,
        passes: invocation.passes.clone(),
        all_errors: invocation.all_errors,
        first_failure: invocation.first_failure,
        on_the_fly: invocation.on_the_fly,
        tuning: invocation.tuning,
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

/// The command that checks one property of a file again.
fn command_for(file: &str, input: &Input, property: &str) -> String {
    let mut words = vec!["probity".to_owned(), "check".to_owned(), file.to_owned()];
    for (option, value) in input.settings.iter() {
        let short = SHORT.iter().find(|(name, _)| *name == option);
        words.push(match short {
            Some((_, letter)) => format!("-{letter}"),
            None => format!("--{option}"),
        });
        if !value.is_empty() {
            words.push(value.to_string_lossy().into_owned());
        }
    }
    if let Some(language) = &input.language {
        words.extend(["--language".to_owned(), language.clone()]);
    }
    words.extend(["--property".to_owned(), property.to_owned()]);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    shell_command(&words)
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
    let given = |option: &OptionSpec| {
        let values = invocation.input.settings.values(option.name);
        values.map(str::to_owned).collect()
    };
    TraceFile {
        version: TRACE_VERSION,
        file: file.to_owned(),
        content: Some(content_digest(sources)),
        bounds: given(&BOUND),
        defines: given(&DEFINE),
        traces: outcomes
            .iter()
            .flat_map(|outcome| {
                let program = outcome.program.as_deref().unwrap_or(program);
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
    use std::sync::atomic::Ordering;

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
        assert_eq!(check(&system, line), 1, "{}", system.err());
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
        let mut input = Input::default();
        input.settings.add("bound", "amount=0..10");
        assert_eq!(
            command_for("a b.lsl", &input, "always a > 0"),
            "probity check 'a b.lsl' --bound amount=0..10 --property 'always a > 0'"
        );
    }
}
