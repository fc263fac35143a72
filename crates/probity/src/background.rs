//! Work on scripts that takes longer than an editor or a browser waits: making programs of them, and checking these.
//!
//! Each kind of work has a queue and a thread. Work is done on the text as it was when it was asked for;
//! an edit takes what waits out of the queue and asks what is under way to stop.

#[cfg_attr(
    not(any(feature = "serve", test)),
    expect(
        dead_code,
        reason = "only the server of browsers keeps work in a folder"
    )
)]
mod guard;
mod overlay;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use language::CHECK;

use ide::{Document, Encoding, Finding, PropertyAt, findings};
use report::FileReport;
use source::Diagnostic;
use source::limits::{Limits, within};

use crate::check;
use crate::command_line::CheckInvocation;
use crate::config::Configs;
use crate::corridor::{Loaded, Script, load};
use crate::system::System;
pub(crate) use guard::Guard;
#[cfg(feature = "serve")]
pub(crate) use guard::Seen;
pub(crate) use overlay::{Overlay, Texts};

/// How long a program is made of a text, at most.
const READING: Duration = Duration::from_secs(20);

/// Something to be done.
pub(crate) struct Job {
    pub(crate) uri: String,
    /// The state of the document that it is about.
    pub(crate) revision: u64,
    /// It is not begun before.
    pub(crate) due: Instant,
    pub(crate) invocation: Arc<CheckInvocation>,
    pub(crate) text: Arc<str>,
    pub(crate) texts: Texts,
    pub(crate) encoding: Encoding,
}

/// Something that was done.
pub(crate) struct Done {
    pub(crate) uri: String,
    pub(crate) revision: u64,
    pub(crate) result: Outcome,
}

/// What came of it.
pub(crate) enum Outcome {
    /// What is wrong with a text, and the properties that it states, if a program could be made of it.
    Read(Vec<Finding>, Option<Vec<PropertyAt>>),
    /// What was found out; nothing if it came to no report.
    Checked(Option<Box<FileReport>>),
}

/// The kinds of work.
#[derive(Clone, Copy, Debug)]
enum Work {
    Read,
    Check,
}

/// What is done in the background.
pub(crate) struct Background {
    read: Queue,
    check: Queue,
}

impl Default for Background {
    fn default() -> Self {
        Background {
            read: Queue::new(Work::Read),
            check: Queue::new(Work::Check),
        }
    }
}

impl Background {
    pub(crate) fn queues(&self) -> [&Queue; 2] {
        [&self.read, &self.check]
    }

    /// What is to be checked.
    #[cfg(feature = "serve")]
    pub(crate) fn checks(&self) -> &Queue {
        &self.check
    }

    /// Makes a program of a text.
    pub(crate) fn read(&self, job: Job) {
        self.read.add(job);
    }

    /// Checks its properties.
    pub(crate) fn check(&self, job: Job) {
        self.check.add(job);
    }

    /// Stops all work on a document.
    pub(crate) fn cancel(&self, uri: &str) {
        for queue in self.queues() {
            queue.cancel(uri);
        }
    }

    /// Stops everything.
    pub(crate) fn end(&self) {
        for queue in self.queues() {
            queue.end();
        }
    }
}

/// Work of one kind.
pub(crate) struct Queue {
    work: Work,
    state: Mutex<Waiting>,
    changed: Condvar,
}

#[derive(Default)]
struct Waiting {
    jobs: Vec<Job>,
    /// The document that is worked on, and what stops that.
    running: Option<(String, Arc<AtomicBool>)>,
    ended: bool,
}

impl Queue {
    fn new(work: Work) -> Queue {
        Queue {
            work,
            state: Mutex::default(),
            changed: Condvar::new(),
        }
    }

    fn state(&self) -> MutexGuard<'_, Waiting> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn add(&self, job: Job) {
        self.cancel(&job.uri);
        self.state().jobs.push(job);
        self.changed.notify_all();
    }

    fn cancel(&self, uri: &str) {
        let mut state = self.state();
        state.jobs.retain(|job| job.uri != uri);
        if let Some((running, stop)) = &state.running
            && running == uri
        {
            stop.store(true, Ordering::Relaxed);
        }
    }

    fn end(&self) {
        let mut state = self.state();
        state.ended = true;
        state.jobs.clear();
        if let Some((_, stop)) = &state.running {
            stop.store(true, Ordering::Relaxed);
        }
        drop(state);
        self.changed.notify_all();
    }

    /// The next job, as soon as it is due, and what stops it; nothing when there will be none.
    fn next(&self) -> Option<(Job, Arc<AtomicBool>)> {
        let mut state = self.state();
        loop {
            if state.ended {
                return None;
            }
            let first = (0..state.jobs.len()).min_by_key(|at| state.jobs[*at].due);
            let Some(first) = first else {
                state = self
                    .changed
                    .wait(state)
                    .unwrap_or_else(PoisonError::into_inner);
                continue;
            };
            let left = state.jobs[first]
                .due
                .saturating_duration_since(Instant::now());
            if left.is_zero() {
                let job = state.jobs.swap_remove(first);
                let stop = Arc::new(AtomicBool::new(false));
                state.running = Some((job.uri.clone(), Arc::clone(&stop)));
                return Some((job, stop));
            }
            (state, _) = self
                .changed
                .wait_timeout(state, left)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Does what is to be done until that ends, or until nobody wants to hear of it any more. It is said
    /// which job begins, and what came of it: nothing, if it was stopped.
    pub(crate) fn work(
        &self,
        begins: impl Fn(&Job),
        tell: impl Fn(Option<Done>) -> bool,
        guard: Option<&Guard<'_>>,
        system: &dyn System,
    ) {
        while let Some((job, stop)) = self.next() {
            let overlay = Overlay {
                system,
                texts: job.texts.clone(),
                stop: Arc::clone(&stop),
                guard,
            };
            begins(&job);
            // A defect of ours on one text is no reason to serve no other one.
            let result = catch_unwind(AssertUnwindSafe(|| match self.work {
                Work::Read => read(&job, &overlay),
                Work::Check => Some(checked(&job, &overlay)),
            }));
            self.state().running = None;
            let result = match result {
                Ok(Some(result)) if !stop.load(Ordering::Relaxed) => Some(result),
                Err(_) if matches!(self.work, Work::Check) => Some(Outcome::Checked(None)),
                _ => None,
            };
            let (uri, revision) = (job.uri, job.revision);
            let done = result.map(|result| Done {
                uri,
                revision,
                result,
            });
            if !tell(done) {
                return;
            }
        }
    }
}

/// Makes a program of a text; nothing if that was stopped.
fn read(job: &Job, overlay: &Overlay<'_>) -> Option<Outcome> {
    let limits = Limits {
        deadline: Instant::now().checked_add(READING),
        stop: overlay.stop(),
        ..Limits::default()
    };
    let path = job.invocation.paths.first()?;
    let script = Script {
        path,
        contents: job.text.as_bytes(),
        extra: &[],
    };
    let input = &job.invocation.input;
    let mut configs = Configs::new(input.languages, false, overlay);
    let loaded = within(limits, || match configs.input(input, path, CHECK) {
        Ok(input) => load(script, &input, overlay).loaded,
        Err(wrong) => {
            let first = wrong.lines().next().unwrap_or_default();
            let message = first.trim_start_matches("error[CLI0008]: ");
            Loaded::refused(Diagnostic::error(
                "CLI0008",
                format!("probity.toml: {message}"),
            ))
        }
    })
    .ok()?;
    let document = Document::new(&*job.text);
    let found = findings(
        &loaded.diagnostics,
        &loaded.sources,
        &document,
        job.encoding,
    );
    let own = loaded.sources.files().next().map(source::SourceFile::id);
    let properties = loaded.program.as_ref().map(|program| {
        let all = program.properties.iter().map(|property| PropertyAt {
            name: property.name.clone(),
            offset: match !property.span.is_none() && Some(property.span.file) == own {
                true => document.boundary(property.span.start as usize),
                false => 0,
            },
        });
        all.collect()
    });
    Some(Outcome::Read(found, properties))
}

/// Checks the properties of a text.
fn checked(job: &Job, overlay: &Overlay<'_>) -> Outcome {
    let report = check::reported(&job.invocation, overlay);
    let mut files = report.into_iter().flat_map(|report| report.files);
    Outcome::Checked(files.next().map(Box::new))
}
