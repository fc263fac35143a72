//! Where `check` saves a search, and goes on with one.

use std::hash::{Hash as _, Hasher as _};
use std::io::{self, Read, Write};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use rapidhash::quality::RapidHasher;
use source::SourceMap;
use verify::CheckpointFile;

use crate::command_line::CheckInvocation;
use crate::system::System;
use crate::watch::Watch;

/// The least time between two checkpoints.
const PAUSE: Duration = Duration::from_millis(500);
/// Writing takes at most this part of the time.
const SHARE: u32 = 20;

/// The files of a verification's checkpoints.
pub(crate) struct Saving<'s> {
    system: &'s dyn System,
    watch: &'s Watch<'s>,
    to: Option<PathBuf>,
    from: Option<PathBuf>,
    label: u64,
    /// Whether it has been written.
    replaced: AtomicBool,
    /// When the next checkpoint is due.
    next: Mutex<Instant>,
}

impl std::fmt::Debug for Saving<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Saving(to {:?}, from {:?})", self.to, self.from)
    }
}

impl<'s> Saving<'s> {
    /// What the command line asks for. Checkpoints know what is checked by the texts of its files,
    /// the options that change its meaning and the version of this program.
    pub(crate) fn new(
        invocation: &CheckInvocation,
        sources: &SourceMap,
        watch: &'s Watch<'s>,
        system: &'s dyn System,
    ) -> Option<Self> {
        if invocation.checkpoint.is_none() && invocation.resume.is_none() {
            return None;
        }
        let mut hasher = RapidHasher::default();
        env!("CARGO_PKG_VERSION").hash(&mut hasher);
        for file in sources.files() {
            file.text().hash(&mut hasher);
        }
        let CheckInvocation {
            input,
            properties,
            passes,
            ..
        } = invocation;
        format!("{input:?} {properties:?} {passes:?}").hash(&mut hasher);
        Some(Saving {
            system,
            watch,
            to: invocation.checkpoint.clone(),
            from: invocation.resume.clone(),
            label: hasher.finish(),
            replaced: AtomicBool::new(false),
            next: Mutex::new(Instant::now() + PAUSE),
        })
    }

    fn next(&self) -> std::sync::MutexGuard<'_, Instant> {
        self.next.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl CheckpointFile for Saving<'_> {
    fn label(&self) -> u64 {
        self.label
    }

    fn is_due(&self) -> bool {
        self.to.is_some() && Instant::now() >= *self.next()
    }

    fn replace(&self, write: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>) {
        let Some(path) = &self.to else { return };
        let begin = Instant::now();
        let replaced = self.watch.while_saving(|| self.system.replace(path, write));
        self.replaced.fetch_or(replaced.is_ok(), Ordering::Relaxed);
        if let Err(error) = replaced {
            let name = path.display();
            self.system
                .err(&format!("warning: --checkpoint: write {name}: {error}\n"));
        }
        let now = Instant::now();
        *self.next() = now + PAUSE.max((now - begin) * SHARE);
    }

    fn open(&self) -> Option<io::Result<Box<dyn Read>>> {
        let path = self.from.as_ref()?;
        Some(self.system.open(path))
    }

    fn written(&self) -> Option<io::Result<Box<dyn Read>>> {
        let path = self.to.as_ref()?;
        let replaced = self.replaced.load(Ordering::Relaxed);
        replaced.then(|| self.system.open(path))
    }
}
