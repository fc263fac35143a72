//! What is known so far of what is checked, so that it can be told at any time.

use std::collections::{BTreeMap, HashSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::{Duration, Instant};

use model::{PropertyId, UnknownReason, Verdict};
use report::{FileReport, Report, TextOptions, file_text, summary_text};
use source::limits::{Limit, Limits, within};
use verify::{Engine, Outcome};

use crate::color::use_color;
use crate::command_line::{CheckInvocation, Format};
use crate::corridor::Loaded;
use crate::system::{Stream, System};
use crate::watch::in_words;

/// How long the runs of failures are told when there is no time left; then without them.
const HURRY: Duration = Duration::from_millis(200);
/// How long a part of the report that is being written may take to get there.
const PATIENCE: Duration = Duration::from_secs(5);

/// What is known so far.
pub(crate) struct Known<'a> {
    /// The report; nothing when it has been finished. Files come into it in their order.
    told: Mutex<Option<Told<'a>>>,
    /// Whether a part of it is being written just now.
    is_writing: AtomicBool,
    files: Mutex<Files>,
    system: &'a dyn System,
}

/// The files that are checked.
#[derive(Default)]
struct Files {
    all: Vec<Slot>,
    /// The first that is not in the report.
    front: usize,
}

/// What becomes of a file.
struct Slot {
    name: String,
    stage: Stage,
    /// What is to be said of its text beside the report, as soon as it is its turn.
    notes: Option<String>,
}

/// How far a file is.
enum Stage {
    /// It is not its turn.
    Waiting,
    /// It is being read.
    Reading,
    /// It was read, and waits to be checked.
    Read,
    /// It is being checked.
    Checking(Box<Checking>),
    /// This is what there is to say of it; nothing any more, once it has been said.
    Done(Option<Box<FileReport>>),
}

/// A file that is being checked, and what is known of its properties.
struct Checking {
    loaded: Arc<Loaded>,
    only: Option<Vec<String>>,
    outcomes: BTreeMap<PropertyId, Outcome>,
}

impl<'a> Known<'a> {
    pub(crate) fn new(invocation: &'a CheckInvocation, system: &'a dyn System) -> Self {
        Known {
            told: Mutex::new(Some(Told::new(invocation, system))),
            is_writing: AtomicBool::new(false),
            files: Mutex::default(),
            system,
        }
    }

    /// These files are to be checked; they are called by their position from now on.
    pub(crate) fn expects(&self, names: impl Iterator<Item = String>) {
        let slot = |name| Slot {
            name,
            stage: Stage::Waiting,
            notes: None,
        };
        *self.files() = Files {
            all: names.map(slot).collect(),
            front: 0,
        };
    }

    /// A file is being read.
    pub(crate) fn reads(&self, file: usize) {
        self.change(file, |slot| slot.stage = Stage::Reading);
    }

    /// A file was read.
    pub(crate) fn has_read(&self, file: usize) {
        self.change(file, |slot| slot.stage = Stage::Read);
    }

    /// A file is being checked.
    pub(crate) fn checks(&self, file: usize, loaded: Arc<Loaded>, only: Option<Vec<String>>) {
        let checking = Box::new(Checking {
            loaded,
            only,
            outcomes: BTreeMap::new(),
        });
        self.change(file, |slot| slot.stage = Stage::Checking(checking));
    }

    /// Something is known of a property of a file that is being checked.
    pub(crate) fn hears(&self, file: usize, outcome: &Outcome) {
        self.change(file, |slot| {
            let Stage::Checking(checking) = &mut slot.stage else {
                return;
            };
            if matches!(outcome.verdict, Verdict::Unknown { .. }) {
                checking.outcomes.remove(&outcome.property);
            } else {
                checking.outcomes.insert(outcome.property, outcome.clone());
            }
        });
    }

    /// What there is to say of a file's text: it is said before anything of a later file is.
    pub(crate) fn says(&self, file: usize, notes: String) {
        self.change(file, |slot| slot.notes = Some(notes));
        self.go_on();
    }

    /// All that there is to say of a file.
    pub(crate) fn add(&self, file: usize, report: FileReport) {
        self.change(file, |slot| {
            slot.stage = Stage::Done(Some(Box::new(report)));
        });
        self.go_on();
    }

    /// Says what can be said in the order of the files.
    fn go_on(&self) {
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(told) = told.as_mut() else { return };
        loop {
            let mut files = self.files();
            let front = files.front;
            let Some(slot) = files.all.get_mut(front) else {
                return;
            };
            let notes = slot.notes.take();
            let done = match &mut slot.stage {
                Stage::Done(report) => report.take(),
                _ => None,
            };
            let is_done = done.is_some();
            if is_done {
                files.front += 1;
            }
            drop(files);
            if let Some(notes) = notes {
                self.system.write_err(&notes);
            }
            if let Some(report) = done {
                self.writes(|| told.add(*report));
            }
            if !is_done {
                return;
            }
        }
    }

    /// Ends the report; nothing if it has been ended.
    pub(crate) fn finish(&self) -> Option<Report> {
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        let told = told.take()?;
        Some(self.writes(|| told.finish()))
    }

    /// Writes a part of the report, which is not to be cut short.
    fn writes<T>(&self, write: impl FnOnce() -> T) -> T {
        self.is_writing.store(true, Ordering::Relaxed);
        let written = write();
        self.is_writing.store(false, Ordering::Relaxed);
        written
    }

    /// Tells what is known where work does not stop that should; the exit status.
    pub(crate) fn last_words(&self, limit: Limit, phase: &str) -> u8 {
        let words = in_words(limit);
        self.system.err(&format!(
            "note: {words} while {phase}, which cannot be stopped: this is what is known\n"
        ));
        // Whoever has the report may be at work on it for ever.
        let begin = Instant::now();
        let mut told = loop {
            match self.told.try_lock() {
                Ok(mut told) => match told.take() {
                    Some(told) => break told,
                    None => return 3,
                },
                Err(TryLockError::Poisoned(told)) => match told.into_inner().take() {
                    Some(told) => break told,
                    None => return 3,
                },
                Err(TryLockError::WouldBlock) => {
                    let is_writing = self.is_writing.load(Ordering::Relaxed);
                    if begin.elapsed() > if is_writing { PATIENCE } else { HURRY } {
                        return 3;
                    }
                    std::thread::sleep(Duration::from_millis(1));
                }
            }
        };
        let files = std::mem::take(&mut *self.files());
        for slot in files.all.into_iter().skip(files.front) {
            if let Some(notes) = slot.notes {
                self.system.write_err(&notes);
            }
            match slot.stage {
                Stage::Done(Some(report)) => told.add(*report),
                Stage::Done(None) => {}
                Stage::Checking(checking) => told.add(so_far(&slot.name, &checking, limit)),
                Stage::Reading => told.add(FileReport::unread(&slot.name, words)),
                Stage::Waiting | Stage::Read => told.add(FileReport::unread(
                    &slot.name,
                    &format!("{words} before it was its turn"),
                )),
            }
        }
        told.finish().status
    }

    /// Changes what is known of a file; nothing once the last words have been said.
    fn change(&self, file: usize, change: impl FnOnce(&mut Slot)) {
        if let Some(slot) = self.files().all.get_mut(file) {
            change(slot);
        }
    }

    fn files(&self) -> MutexGuard<'_, Files> {
        self.files.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The report on a file with what is known of it.
fn so_far(name: &str, checking: &Checking, limit: Limit) -> FileReport {
    let Checking {
        loaded,
        only,
        outcomes,
    } = checking;
    let Some(program) = &loaded.program else {
        return FileReport::refused(name, &loaded.sources, &loaded.diagnostics);
    };
    let only: Option<HashSet<&String>> = only.as_ref().map(|only| only.iter().collect());
    let is_asked = |id: &PropertyId| {
        let name = &program.properties[id.index()].name;
        only.as_ref().is_none_or(|only| only.contains(name))
    };
    let all: Vec<Outcome> = (0..program.properties.len())
        .map(PropertyId::new)
        .filter(is_asked)
        .map(|id| {
            let known = outcomes.get(&id).cloned();
            known.unwrap_or_else(|| {
                Outcome::unknown(id, Engine::Explicit, UnknownReason::from(limit))
            })
        })
        .collect();
    let report = |outcomes: &[Outcome]| {
        FileReport::checked(
            name,
            &loaded.sources,
            program,
            outcomes,
            &loaded.diagnostics,
        )
    };
    let hurry = Limits {
        deadline: Some(Instant::now() + HURRY),
        ..Limits::default()
    };
    within(hurry, || report(&all)).unwrap_or_else(|_| {
        let short = all.into_iter().map(|outcome| Outcome {
            replay: None,
            others: Vec::new(),
            ..outcome
        });
        report(&short.collect::<Vec<_>>())
    })
}

/// The report as it comes to be: a file's verdicts are written as soon as they are known.
pub(crate) struct Told<'a> {
    invocation: &'a CheckInvocation,
    system: &'a dyn System,
    options: TextOptions,
    files: Vec<FileReport>,
    /// Whether something was written.
    has_told: bool,
}

impl<'a> Told<'a> {
    pub(crate) fn new(invocation: &'a CheckInvocation, system: &'a dyn System) -> Self {
        Told {
            invocation,
            system,
            options: TextOptions {
                verbose: invocation.verbose,
                quiet: invocation.quiet,
                color: use_color(invocation.color, Stream::Out, system),
                explain_passes: invocation.explain_passes,
            },
            files: Vec::new(),
            has_told: false,
        }
    }

    /// The verdicts of one more file.
    pub(crate) fn add(&mut self, file: FileReport) {
        if self.invocation.format != Format::Text {
            self.files.push(file);
            return;
        }
        // What is required of a verdict is seen in a report.
        let mut one = Report::new(vec![file], self.invocation.required);
        let told = one.files.iter().map(|file| file_text(file, self.options));
        let told: String = told.collect();
        if self.has_told && !told.is_empty() {
            self.system.out("\n");
        }
        self.has_told |= !told.is_empty();
        self.write(&told);
        self.files.append(&mut one.files);
    }

    /// The end of the report.
    pub(crate) fn finish(self) -> Report {
        let empty = !self.has_told;
        let mut report = Report::new(self.files, self.invocation.required);
        if self.invocation.strict {
            report = report.strict();
        }
        if self.system.stop().load(Ordering::Relaxed) {
            report = report.interrupted();
        }
        let text = match self.invocation.format {
            Format::Json => report.to_json(),
            Format::Sarif => report.to_sarif(),
            Format::Junit => report.to_junit(),
            Format::Annotations => {
                let summary = summary_text(&report, self.options);
                format!("{}{summary}", report.to_annotations())
            }
            Format::Text => {
                let gap = if empty { "" } else { "\n" };
                format!("{gap}{}", summary_text(&report, self.options))
            }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command_line::{Invocation, parse};
    use crate::in_memory::InMemory;
    use crate::languages::Languages;

    #[test]
    fn a_report_that_is_being_written_is_not_cut_short() {
        let Ok(Invocation::Check(invocation)) =
            parse(&["probity", "check", "a.lsl"], Languages::default())
        else {
            panic!("it is a command");
        };
        let system = InMemory::default();
        let known = Known::new(&invocation, &system);
        let is_written = AtomicBool::new(false);
        std::thread::scope(|scope| {
            let mut told = known.told.lock().expect("nobody panics");
            let told_last = scope.spawn(|| {
                let status = known.last_words(Limit::Time, "writing the report");
                (status, is_written.load(Ordering::Relaxed))
            });
            known.writes(|| {
                std::thread::sleep(2 * HURRY);
                is_written.store(true, Ordering::Relaxed);
            });
            *told = None;
            drop(told);
            assert_eq!(told_last.join().expect("it does not panic"), (3, true));
        });
    }
}
