//! The machine as work in the background sees it: documents that are open stand in place of files, nothing
//! is written, what a [guard](Guard) does not let pass is not read, and whoever changes the document asks to stop.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};

use model::Progress;
use verify::{Disk, DiskFile};

use super::guard::Guard;
use crate::system::{Child, Condition, Files, Kind, Output, Stream, System, folder_of};
use language::Entry;

/// The texts of the documents that are open, by path.
#[derive(Clone, Default)]
pub(crate) struct Texts(Arc<Mutex<HashMap<PathBuf, Arc<str>>>>);

impl Texts {
    /// A document has this text now; none: it was closed.
    pub(crate) fn set(&self, path: &Path, text: Option<&str>) {
        let mut texts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match text {
            Some(text) => texts.insert(path.to_owned(), text.into()),
            None => texts.remove(path),
        };
    }

    fn get(&self, path: &Path) -> Option<Arc<str>> {
        let texts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        texts.get(path).cloned()
    }
}

/// A machine behind the documents that are open.
pub(crate) struct Overlay<'s> {
    pub(crate) system: &'s dyn System,
    pub(crate) texts: Texts,
    pub(crate) stop: Arc<AtomicBool>,
    /// What may be read; none: all.
    pub(crate) guard: Option<&'s Guard<'s>>,
}

impl Overlay<'_> {
    /// The path that is read in place of one.
    fn passed<'p>(&self, path: &'p Path) -> io::Result<Cow<'p, Path>> {
        match self.guard {
            Some(guard) => guard.passed(path, self.system).map(Cow::Owned),
            None => Ok(Cow::Borrowed(path)),
        }
    }
}

/// Why nothing is written.
fn refused() -> io::Error {
    io::Error::other("work in the background writes no files")
}

impl Files for Overlay<'_> {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        match self.texts.get(path) {
            Some(text) => Ok(text.as_bytes().to_vec()),
            // Standard input has the messages of the editor.
            None if path == Path::new("-") => Err(io::ErrorKind::NotFound.into()),
            None => self.system.read(&self.passed(path)?),
        }
    }

    fn folder(&self, path: &Path) -> io::Result<Vec<Entry>> {
        folder_of(self, path)
    }
}

/// No room for anything.
#[derive(Debug)]
struct Refused;

impl Disk for Refused {
    fn file(&self) -> io::Result<Box<dyn DiskFile>> {
        Err(refused())
    }
}

impl System for Overlay<'_> {
    fn kind(&self, path: &Path) -> io::Result<Kind> {
        match self.texts.get(path) {
            Some(_) => Ok(Kind::File),
            None if path == Path::new("-") => Err(io::ErrorKind::NotFound.into()),
            None => self.system.kind(&self.passed(path)?),
        }
    }

    fn is_link(&self, path: &Path) -> bool {
        self.system.is_link(path)
    }

    fn real(&self, path: &Path) -> PathBuf {
        self.system.real(path)
    }

    fn entries(&self, path: &Path) -> io::Result<Vec<PathBuf>> {
        let passed = self.passed(path)?;
        let all = self.system.entries(&passed)?;
        // They keep the name by which they were asked for.
        let named = |entry: PathBuf| match entry.file_name() {
            Some(name) => path.join(name),
            None => entry,
        };
        Ok(all.into_iter().map(named).collect())
    }

    fn try_output(&self, _: &Output<'_>) -> io::Result<()> {
        Err(refused())
    }

    fn write(&self, _: &Path, _: &str) -> io::Result<()> {
        Err(refused())
    }

    fn write_secret(&self, _: &Path, _: &str) -> io::Result<()> {
        Err(refused())
    }

    fn random(&self, bytes: &mut [u8]) -> io::Result<()> {
        self.system.random(bytes)
    }

    fn open(&self, path: &Path) -> io::Result<Box<dyn io::Read>> {
        match self.texts.get(path) {
            Some(text) => Ok(Box::new(io::Cursor::new(text.as_bytes().to_vec()))),
            None => self.system.open(&self.passed(path)?),
        }
    }

    fn disk(&self, _: Option<&Path>) -> Arc<dyn Disk> {
        Arc::new(Refused)
    }

    fn replace(
        &self,
        _: &Path,
        _: &mut dyn FnMut(&mut dyn io::Write) -> io::Result<()>,
    ) -> io::Result<()> {
        Err(refused())
    }

    /// Reports are read as values.
    fn write_out(&self, _: &str) {}

    /// What is wrong with a text is told by findings.
    fn write_err(&self, _: &str) {}

    fn lost_output(&self) -> bool {
        false
    }

    fn line(&self) -> Option<String> {
        None
    }

    fn message(&self) -> io::Result<Option<Vec<u8>>> {
        Ok(None)
    }

    fn is_terminal(&self, _: Stream) -> bool {
        false
    }

    fn variable(&self, name: &str) -> Option<String> {
        self.system.variable(name)
    }

    fn free_memory(&self) -> Option<u64> {
        self.system.free_memory()
    }

    fn resident(&self) -> Option<u64> {
        self.system.resident()
    }

    fn make_directory(&self, _: &Path) -> io::Result<()> {
        Err(refused())
    }

    fn build(&self) -> Option<String> {
        self.system.build()
    }

    fn start(&self, _: &[OsString], _: bool) -> io::Result<Box<dyn Child>> {
        Err(io::Error::other(
            "work in the background starts no programs",
        ))
    }

    fn free_ports(&self, _: usize) -> io::Result<Vec<u16>> {
        Err(io::Error::other(
            "work in the background starts no programs",
        ))
    }

    fn run_alone(&self, _: &[String]) -> io::Result<String> {
        Err(io::Error::other(
            "work in the background starts no programs",
        ))
    }

    fn has_changed(&self) -> bool {
        false
    }

    fn condition(&self, path: &Path) -> Option<Condition> {
        self.system.condition(path)
    }

    fn listener(&self) -> Option<&dyn Progress> {
        self.guard.map(Guard::listener)
    }

    fn leave(&self) -> Option<fn(u8)> {
        None
    }

    fn stop(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.stop)
    }
}
