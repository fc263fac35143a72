//! A machine in memory, for tests and examples.

use std::collections::{BTreeMap, VecDeque};
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use verify::{Disk, DiskFile};

use crate::system::{Child, Condition, Files, Kind, Output, Stream, System, folder_of};
use language::Entry;

/// A machine that holds its files, its input and its output in memory. Its streams are no
/// terminals.
#[derive(Default)]
pub struct InMemory {
    files: Mutex<BTreeMap<PathBuf, Vec<u8>>>,
    input: Mutex<VecDeque<String>>,
    out: Mutex<String>,
    err: Mutex<String>,
    stop: Arc<AtomicBool>,
    /// What is written to files while somebody waits for that.
    edits: Mutex<VecDeque<(PathBuf, Vec<u8>)>>,
}

impl InMemory {
    /// Adds a file.
    #[must_use]
    pub fn with_file(self, path: impl Into<PathBuf>, contents: impl Into<Vec<u8>>) -> Self {
        locked(&self.files).insert(path.into(), contents.into());
        self
    }

    /// Adds what somebody writes to a file while it is watched. After the last edit they ask to stop.
    #[must_use]
    pub fn with_edit(self, path: impl Into<PathBuf>, contents: impl Into<Vec<u8>>) -> Self {
        locked(&self.edits).push_back((path.into(), contents.into()));
        self
    }

    /// Adds lines of standard input.
    #[must_use]
    pub fn with_input(self, lines: &[&str]) -> Self {
        locked(&self.input).extend(lines.iter().map(|line| (*line).to_owned()));
        self
    }

    /// What was written to standard output.
    #[must_use]
    pub fn out(&self) -> String {
        locked(&self.out).clone()
    }

    /// What was written to standard error.
    #[must_use]
    pub fn err(&self) -> String {
        locked(&self.err).clone()
    }

    /// The bytes that are in a file.
    #[must_use]
    pub fn contents(&self, path: &str) -> Option<Vec<u8>> {
        locked(&self.files).get(Path::new(path)).cloned()
    }

    /// What is in a file.
    #[must_use]
    pub fn file(&self, path: &str) -> Option<String> {
        let files = locked(&self.files);
        let contents = files.get(Path::new(path))?;
        Some(String::from_utf8_lossy(contents).into_owned())
    }
}

fn locked<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Files for InMemory {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        let files = locked(&self.files);
        files.get(path).cloned().ok_or_else(missing)
    }

    fn folder(&self, path: &Path) -> io::Result<Vec<Entry>> {
        folder_of(self, path)
    }
}

/// A disk in memory.
#[derive(Debug)]
struct MemoryDisk;

#[derive(Debug)]
struct Bytes(Mutex<Vec<u8>>);

impl Disk for MemoryDisk {
    fn file(&self) -> io::Result<Box<dyn DiskFile>> {
        Ok(Box::new(Bytes(Mutex::default())))
    }
}

impl DiskFile for Bytes {
    fn write_at(&self, bytes: &[u8], place: u64) -> io::Result<()> {
        let mut all = locked(&self.0);
        let place = usize::try_from(place).map_err(io::Error::other)?;
        let end = place + bytes.len();
        let length = all.len().max(end);
        all.resize(length, 0);
        all[place..end].copy_from_slice(bytes);
        Ok(())
    }

    fn read_at(&self, bytes: &mut [u8], place: u64) -> io::Result<()> {
        let place = usize::try_from(place).map_err(io::Error::other)?;
        let all = locked(&self.0);
        let there = all.get(place..place + bytes.len());
        bytes.copy_from_slice(there.ok_or(io::ErrorKind::UnexpectedEof)?);
        Ok(())
    }
}

impl System for InMemory {
    fn kind(&self, path: &Path) -> io::Result<Kind> {
        let files = locked(&self.files);
        if files.contains_key(path) {
            Ok(Kind::File)
        } else if files.keys().any(|file| file.starts_with(path)) {
            Ok(Kind::Directory)
        } else {
            Err(missing())
        }
    }

    fn is_link(&self, _: &Path) -> bool {
        false
    }

    fn real(&self, path: &Path) -> PathBuf {
        path.to_owned()
    }

    fn entries(&self, path: &Path) -> io::Result<Vec<PathBuf>> {
        let files = locked(&self.files);
        let mut entries: Vec<PathBuf> = files
            .keys()
            .filter_map(|file| {
                let first = file.strip_prefix(path).ok()?.components().next()?;
                Some(path.join(first))
            })
            .collect();
        entries.dedup();
        Ok(entries)
    }

    fn try_output(&self, output: &Output<'_>) -> io::Result<()> {
        let is_input = output.inputs.iter().any(|input| input == output.path);
        if is_input && !output.overwrite {
            return Err(io::Error::other("it is a file that is read"));
        }
        Ok(())
    }

    fn write(&self, path: &Path, contents: &str) -> io::Result<()> {
        locked(&self.files).insert(path.to_owned(), contents.as_bytes().to_owned());
        Ok(())
    }

    fn write_secret(&self, path: &Path, contents: &str) -> io::Result<()> {
        if locked(&self.files).contains_key(path) {
            return Err(io::Error::from(io::ErrorKind::AlreadyExists));
        }
        self.write(path, contents)
    }

    /// The same ones each time, so that tests are repeated as they were.
    fn random(&self, bytes: &mut [u8]) -> io::Result<()> {
        for (at, byte) in (1..).zip(bytes) {
            *byte = at;
        }
        Ok(())
    }

    fn open(&self, path: &Path) -> io::Result<Box<dyn io::Read>> {
        Ok(Box::new(io::Cursor::new(self.read(path)?)))
    }

    fn replace(
        &self,
        path: &Path,
        write: &mut dyn FnMut(&mut dyn io::Write) -> io::Result<()>,
    ) -> io::Result<()> {
        let mut contents = Vec::new();
        write(&mut contents)?;
        locked(&self.files).insert(path.to_owned(), contents);
        Ok(())
    }

    fn disk(&self, _: Option<&Path>) -> Arc<dyn Disk> {
        Arc::new(MemoryDisk)
    }

    fn write_out(&self, text: &str) {
        locked(&self.out).push_str(text);
    }

    fn write_err(&self, text: &str) {
        locked(&self.err).push_str(text);
    }

    fn lost_output(&self) -> bool {
        false
    }

    fn line(&self) -> Option<String> {
        locked(&self.input).pop_front()
    }

    /// A line of the input.
    fn message(&self) -> io::Result<Option<Vec<u8>>> {
        Ok(self.line().map(String::into_bytes))
    }

    fn is_terminal(&self, _: Stream) -> bool {
        false
    }

    fn variable(&self, _: &str) -> Option<String> {
        None
    }

    fn free_memory(&self) -> Option<u64> {
        None
    }

    fn resident(&self) -> Option<u64> {
        None
    }

    fn make_directory(&self, _: &Path) -> io::Result<()> {
        Ok(())
    }

    fn build(&self) -> Option<String> {
        Some("in memory".to_owned())
    }

    fn start(&self, _: &[OsString], _: bool) -> io::Result<Box<dyn Child>> {
        Err(io::Error::other("there are no processes here"))
    }

    fn free_ports(&self, _: usize) -> io::Result<Vec<u16>> {
        Err(io::Error::other("there are no processes here"))
    }

    fn run_alone(&self, arguments: &[String]) -> io::Result<String> {
        let other = InMemory::default();
        locked(&other.files).clone_from(&locked(&self.files));
        let name = "probity".to_owned();
        let arguments: Vec<String> = [name].into_iter().chain(arguments.to_vec()).collect();
        crate::run(&arguments, &other);
        let out = locked(&other.out).clone();
        Ok(out)
    }

    fn condition(&self, path: &Path) -> Option<Condition> {
        let files = locked(&self.files);
        // There are no clocks here: what counts is how long it is.
        let length = files.get(path)?.len() as u64;
        Some((std::time::SystemTime::UNIX_EPOCH, length))
    }

    fn has_changed(&self) -> bool {
        match locked(&self.edits).pop_front() {
            Some((path, contents)) => {
                locked(&self.files).insert(path, contents);
                true
            }
            None => {
                self.stop.store(true, Ordering::Relaxed);
                false
            }
        }
    }

    fn leave(&self) -> Option<fn(u8)> {
        None
    }

    fn stop(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.stop)
    }
}

fn missing() -> io::Error {
    io::Error::new(io::ErrorKind::NotFound, "no such file or directory")
}
