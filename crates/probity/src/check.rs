//! `probity check`: every property of every file gets its verdict.

mod another;
mod mutants;
mod one_file;

use std::borrow::Cow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use language::{BOUND, DEFINE, Part, Read};
use model::Program;
use report::{FileReport, Report, TraceFile, html};
use source::limits::{Limit, within};
use source::{Diagnostic, Diagnostics, SourceMap, render_all};
use verify::CheckpointError;

pub(crate) use self::another::kept_property;
use self::another::kept_runs;
use self::one_file::{Asked, Checking, defective};
use crate::cache::{Cache, Kept, Question};
use crate::color::use_color;
use crate::command_line::{CheckInvocation, Color, Input};
use crate::config::Configs;
use crate::corridor::{Loaded, Script, contents, load};
use crate::destinations::{Destination, try_outputs};
use crate::fit::misplaced;
use crate::known::Known;
use crate::recorded::Reads;
use crate::scripts::scripts_at;
use crate::side_by_side::{Lanes, each};
use crate::system::{Files, Kind, Stream, System};
use crate::watch::{Watch, in_words, usual_memory};

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
    let kept = match invocation.other_than.as_deref() {
        Some(path) => match kept_runs(path, system) {
            Ok(kept) => Some(kept),
            Err(message) => {
                system.err(&format!("error: --other-than: {message}\n"));
                return (2, None);
            }
        },
        None => None,
    };
    let mut invocation = Cow::Borrowed(invocation);
    if let Some(kept) = &kept {
        // The runs were made within these bounds; the command line may state others.
        for (option, own) in [(&BOUND, &kept.bounds), (&DEFINE, &kept.defines)] {
            let own = own
                .iter()
                .map(String::as_str)
                .filter(|own| own.contains('='));
            let settings = &mut invocation.to_mut().input.settings;
            settings.put_before(option.name, own);
        }
    }
    let invocation = &*invocation;
    let (names, texts): (Vec<String>, Vec<String>) = invocation
        .properties
        .iter()
        .cloned()
        .partition(|given| is_name(given));
    let color = use_color(Color::Auto, Stream::Err, system);
    let mut configs = Configs::new(invocation.input.languages, color, system);
    let with_all = match configs.for_all(invocation) {
        Ok(with_all) => with_all,
        Err(wrong) => {
            system.write_err(&wrong);
            return (2, None);
        }
    };
    let invocation = &with_all;
    let cache = Cache::of(invocation, system);
    let watch = Watch::new(Some(memory(invocation, system)), system);
    let known = Known::new(invocation, system);
    let last_words = |limit, phase: &str| known.last_words(limit, phase);
    watch.over(&last_words, || {
        let job = Job {
            invocation,
            texts: &texts,
            kept: kept.as_ref(),
            known: &known,
            watch: &watch,
            cache: cache.as_ref(),
            system,
        };
        match job.read(&names, &mut configs) {
            Ok(files) => job.check(&files),
            Err(message) => {
                system.write_err(&message);
                (2, None)
            }
        }
    })
}

/// A check that is being done.
#[derive(Clone, Copy)]
struct Job<'j, 'k> {
    invocation: &'j CheckInvocation,
    /// The texts of properties that are asked for.
    texts: &'j [String],
    /// Runs that are known already.
    kept: Option<&'j TraceFile>,
    known: &'j Known<'k>,
    watch: &'j Watch<'j>,
    cache: Option<&'j Cache<'j>>,
    system: &'j dyn System,
}

/// A file that was read.
struct File {
    path: PathBuf,
    /// How it is checked.
    invocation: Arc<CheckInvocation>,
    loaded: Arc<Loaded>,
    /// What is needed to tell runs on the whole, if the program is only a part.
    part: Mutex<Option<Box<dyn Part>>>,
    contents: Vec<u8>,
    /// How long reading took,
    reading: Duration,
    /// and the limit that was reached meanwhile.
    limit: Option<Limit>,
    /// The names of the properties that are asked for; none: all.
    only: Option<Vec<String>>,
    /// What was read for it.
    reads: Reads,
    /// What an earlier check found out: then it is not read as a program.
    kept: Option<Kept>,
}

impl File {
    fn new(path: &Path, invocation: &Arc<CheckInvocation>, loaded: Loaded) -> File {
        File {
            path: path.to_owned(),
            invocation: Arc::clone(invocation),
            loaded: Arc::new(loaded),
            part: Mutex::new(None),
            contents: Vec::new(),
            reading: Duration::ZERO,
            limit: None,
            only: None,
            reads: Reads::default(),
            kept: None,
        }
    }

    fn name(&self) -> Cow<'_, str> {
        self.path.to_string_lossy()
    }

    /// Which properties are left out, as it is written to standard error; nothing if none are.
    fn silenced(&self) -> String {
        let own = self
            .loaded
            .program
            .iter()
            .flat_map(|program| &program.properties);
        let own = own.map(|property| &property.name);
        let kept = self.kept.iter().flat_map(|kept| &kept.names);
        let names: Vec<&str> = own
            .chain(kept)
            .filter(|name| is_silenced(&self.invocation, name))
            .map(String::as_str)
            .collect();
        match names.as_slice() {
            [] => String::new(),
            names => {
                let (script, names) = (self.name(), names.join(", "));
                format!("note: of `{script}`, these are left out (silence): {names}\n\n")
            }
        }
    }
}

impl Job<'_, '_> {
    /// Reads all files.
    ///
    /// # Errors
    /// What is wrong with the command line, to be printed.
    fn read(self, names: &[String], configs: &mut Configs<'_>) -> Result<Vec<File>, String> {
        let Job {
            invocation,
            texts,
            system,
            ..
        } = self;
        let mut listed: Vec<(PathBuf, Option<Diagnostic>)> = Vec::new();
        for path in &invocation.paths {
            match scripts_at(path, &invocation.input, system) {
                Ok(scripts) => listed.extend(scripts.into_iter().map(|script| (script, None))),
                Err(diagnostic) => listed.push((path.clone(), Some(*diagnostic))),
            }
        }
        let paths = || listed.iter().map(|(path, _)| path.as_path());
        if let Some(message) = misplaced(&invocation.input, paths()) {
            return Err(format!("error[CLI0006]: {message}\n"));
        }
        if invocation.trace.is_some() && listed.len() != 1 {
            return Err("error: --trace: give one file, not several\n".to_owned());
        }
        if invocation.other_than.is_some() && listed.len() != 1 {
            return Err("error: --other-than: give one file, not several\n".to_owned());
        }
        if (invocation.checkpoint.is_some() || invocation.resume.is_some()) && listed.len() != 1 {
            return Err("error: --checkpoint, --resume: give one file, not several\n".to_owned());
        }
        if let Some(folder) = &invocation.storage_dir
            && !matches!(system.kind(folder), Ok(Kind::Directory))
        {
            let name = folder.display();
            return Err(format!("error: --storage-dir: `{name}` is no folder\n"));
        }
        self.known
            .expects(paths().map(|path| path.to_string_lossy().into_owned()));
        let lanes = self.lanes(listed.len());
        let own = paths()
            .map(|path| configs.check(invocation, path).map(Arc::new))
            .collect::<Result<Vec<Arc<CheckInvocation>>, String>>()?;
        let mut files = each(&listed, lanes.at_once(), |at, (path, refused)| {
            let file = match refused {
                Some(refused) => File::new(path, &own[at], Loaded::refused(refused.clone())),
                None => self.read_one(at, path, &own[at]),
            };
            self.known.has_read(at);
            file
        });
        if let Err(message) = all_known(names, &files, texts.len()) {
            return Err(format!("error[CLI0003]: {message}\n"));
        }
        let inputs = inputs(&files);
        let outputs = destinations(invocation);
        if let Err(message) = try_outputs(&outputs, &inputs, invocation.overwrite, system) {
            return Err(format!("error: {message}\n"));
        }
        for file in &mut files {
            if let Some(program) = &file.loaded.program {
                file.only = selected(&file.invocation, program, names, texts.len());
            }
        }
        Ok(files)
    }

    /// Reads one file.
    fn read_one(self, at: usize, path: &Path, invocation: &Arc<CheckInvocation>) -> File {
        let Job { texts, system, .. } = self;
        let begin = Instant::now();
        let name = path.to_string_lossy();
        self.known.reads(at);
        let work = self.watch.work();
        work.begin(invocation.timeout, false);
        work.phase(format!("reading {name}"));
        let kept = || {
            let contents = system.read(path).ok()?;
            let question = question(path, &contents, invocation)?;
            self.cache?.look_up(&question)
        };
        if let Some(kept) = kept() {
            let kept = Some(kept);
            let nothing = source::Loaded::new(SourceMap::new(), Diagnostics::new(), None);
            return File {
                kept,
                ..File::new(path, invocation, nothing)
            };
        }
        let reads = Reads::default();
        let read = || {
            let files = reads.of(system);
            // Whatever they are read for, the answer is about these files.
            for file in invocation
                .input
                .files()
                .iter()
                .filter(|_| self.cache.is_some())
            {
                let _ = files.read(file);
            }
            read_file(path, &invocation.input, texts, &files)
        };
        let ((read, contents), limit) = match within(work.limits(), read) {
            Ok(read) => (read, None),
            Err(limit) => {
                let message = format!("read `{name}`: {}", in_words(limit));
                let refused = Loaded::refused(Diagnostic::error("CLI0005", message));
                ((refused.into(), Vec::new()), Some(limit))
            }
        };
        File {
            part: Mutex::new(read.part),
            contents,
            reading: begin.elapsed(),
            limit,
            reads,
            ..File::new(path, invocation, read.loaded)
        }
    }

    /// How so many files are worked on.
    fn lanes(self, files: usize) -> Lanes {
        let defaults = verify::Options::default();
        let threads = match &self.invocation.team {
            // All processes have to ask for the same in the same order.
            Some(_) => 1,
            None => self.invocation.jobs.unwrap_or(defaults.jobs),
        };
        // The table of such a search takes the memory that there is.
        let alone = self.invocation.storage == verify::Storage::Bitstate;
        Lanes::new(files, threads, alone)
    }

    /// Checks all files, ends the report, and writes what else is asked for; the exit status and the
    /// report.
    fn check(self, files: &[File]) -> (u8, Option<Report>) {
        let lanes = self.lanes(files.len());
        let checked = each(files, lanes.at_once(), |at, file| {
            let own = Job {
                invocation: &file.invocation,
                ..self
            };
            own.check_one(at, file, &lanes)
        });
        let mut traces = None;
        for checked in checked {
            match checked {
                Ok(None) => {}
                Ok(found) => traces = found,
                Err(error) => {
                    let message = format!("error[CLI0004]: failed to {error}\n");
                    self.system.err(&message);
                    return (2, None);
                }
            }
        }
        let work = self.watch.work();
        work.phase("writing the report");
        let Some(report) = self.known.finish() else {
            return (3, None);
        };
        self.write_outputs(report, traces)
    }

    /// Checks one file; the runs that show its failures, if they are to be kept.
    fn check_one(
        self,
        at: usize,
        file: &File,
        lanes: &Lanes,
    ) -> Result<Option<TraceFile>, CheckpointError> {
        let loaded = &file.loaded;
        let lane = lanes.lane();
        if let Some(Kept { report, .. }) = &file.kept {
            let notes = report.diagnostics.iter();
            let notes = apart(notes.map(|found| found.rendered.as_str()));
            self.known.says(at, notes + &file.silenced());
            self.known.add(at, report.clone());
            return Ok(None);
        }
        let notes = rendered(&loaded.diagnostics, &loaded.sources, self.system);
        self.known.says(at, format!("{notes}{}", file.silenced()));
        let name = file.name();
        if let Some(limit) = file.limit {
            self.known
                .add(at, FileReport::unread(&name, in_words(limit)));
            return Ok(None);
        }
        let Some(program) = &loaded.program else {
            let report = FileReport::refused(&name, &loaded.sources, &loaded.diagnostics);
            self.known.add(at, report);
            return Ok(None);
        };
        let timeout = self.invocation.timeout;
        let left = timeout.map(|time| time.saturating_sub(file.reading));
        let work = self.watch.work();
        work.begin(left, self.invocation.checkpoint.is_some());
        work.phase(format!("checking {name}"));
        self.known.checks(at, Arc::clone(loaded), file.only.clone());
        let asked = Asked {
            at,
            script: Script {
                path: &file.path,
                contents: &file.contents,
                extra: self.texts,
            },
            loaded,
            program,
            only: &file.only,
        };
        let mut part = file.part.lock().unwrap_or_else(PoisonError::into_inner);
        let part = part.take();
        // A defect of ours on one file is no reason to lose what is known of the others.
        let checked = catch_unwind(AssertUnwindSafe(|| {
            let checking = Checking {
                job: self,
                work: &work,
                lane,
                name: &name,
                files: &file.reads.of(self.system),
            };
            checking.check_file(&asked, part)
        }));
        let Ok(checked) = checked else {
            let outcomes = defective(program, file.only.as_deref());
            let (sources, found) = (&loaded.sources, &loaded.diagnostics);
            let report = FileReport::checked(&name, sources, program, &outcomes, found);
            self.known.add(at, report);
            return Ok(None);
        };
        let checked = checked?;
        if checked.is_final {
            self.keep(file, program, &checked.report);
        }
        self.known.add(at, checked.report);
        Ok(checked.traces)
    }

    /// Keeps what was found out about a file.
    fn keep(self, file: &File, program: &Program, report: &FileReport) {
        let question = question(&file.path, &file.contents, &file.invocation);
        let (Some(cache), Some(question), Some(reads)) =
            (self.cache, question, file.reads.record())
        else {
            return;
        };
        let own = &program.properties[..own_properties(program, self.texts.len())];
        let names = own.iter().map(|property| property.name.clone()).collect();
        cache.keep(&question, reads, names, report);
    }

    /// Writes what is asked for beside the report; the exit status and the report.
    fn write_outputs(self, report: Report, traces: Option<TraceFile>) -> (u8, Option<Report>) {
        let Job {
            invocation, system, ..
        } = self;
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
}

/// What is asked about a file, if it is known in which language.
fn question<'q>(
    path: &'q Path,
    contents: &'q [u8],
    invocation: &'q CheckInvocation,
) -> Option<Question<'q>> {
    let language = invocation.input.language_of(path)?.language().name;
    Some(Question {
        path,
        contents,
        language,
        invocation,
    })
}

/// The files that a check reads: outputs do not replace them.
fn inputs(files: &[File]) -> Vec<PathBuf> {
    let mut all = Vec::new();
    for file in files {
        all.extend(file.invocation.input.files());
        let folder = file.path.parent().unwrap_or(Path::new(""));
        all.push(file.path.clone());
        let included = file
            .loaded
            .sources
            .files()
            .map(|file| folder.join(file.name()));
        all.extend(included);
        all.extend(file.kept.iter().flat_map(Kept::files));
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
    files: &dyn Files,
) -> (Read, Vec<u8>) {
    let contents = match contents(path, files) {
        Ok(contents) => contents,
        Err(refused) => return (Loaded::refused(*refused).into(), Vec::new()),
    };
    let script = Script {
        path,
        contents: &contents,
        extra,
    };
    (load(script, input, files), contents)
}

/// Whether each name is a property of some file that could be read, the `extra` ones of the
/// command line aside; if not, a sentence.
fn all_known(names: &[String], files: &[File], extra: usize) -> Result<(), String> {
    let programs: Vec<&Program> = files
        .iter()
        .filter_map(|file| file.loaded.program.as_ref())
        .collect();
    let kept = || files.iter().filter_map(|file| file.kept.as_ref());
    if programs.is_empty() && kept().next().is_none() {
        return Ok(());
    }
    let mut known: Vec<&str> = programs
        .iter()
        .flat_map(|program| &program.properties[..own_properties(program, extra)])
        .map(|property| property.name.as_str())
        .chain(kept().flat_map(|kept| kept.names.iter().map(String::as_str)))
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
    // Nothing but its own colours is obeyed in it.
    system.write_err(&rendered(diagnostics, sources, system));
}

/// What is wrong with a text, as it is written to standard error.
fn rendered(diagnostics: &[Diagnostic], sources: &SourceMap, system: &dyn System) -> String {
    let color = use_color(Color::Auto, Stream::Err, system);
    let texts = render_all(diagnostics, sources, color);
    apart(texts.iter().map(String::as_str))
}

/// Texts with an empty line after each that is not empty.
fn apart<'t>(texts: impl Iterator<Item = &'t str>) -> String {
    texts
        .filter(|text| !text.is_empty())
        .map(|text| format!("{text}\n\n"))
        .collect()
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
        let names = || program.properties.iter().map(|property| &property.name);
        let is_left = |name: &&String| !is_silenced(invocation, name);
        return match names().all(|name| is_left(&name)) {
            true => None,
            false => Some(names().filter(is_left).cloned().collect()),
        };
    }
    let (own, extra) = program.properties.split_at(own_properties(program, extra));
    let named = own
        .iter()
        .filter(|property| names.contains(&property.name))
        .chain(extra);
    Some(named.map(|property| property.name.clone()).collect())
}

/// Whether a property is left out, where none are asked for.
fn is_silenced(invocation: &CheckInvocation, name: &str) -> bool {
    let mut patterns = invocation.silence.iter();
    invocation.properties.is_empty() && patterns.any(|pattern| matches_pattern(pattern, name))
}

/// Whether a pattern, in which `*` stands for any text, stands for a name.
fn matches_pattern(pattern: &str, name: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == name,
        Some((before, behind)) => name.strip_prefix(before).is_some_and(|rest| {
            let mut ends = rest.char_indices().map(|(at, _)| at).chain([rest.len()]);
            ends.any(|at| matches_pattern(behind, &rest[at..]))
        }),
    }
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
    }
}
