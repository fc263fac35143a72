//! The one door to the machine: files, terminals, the environment, the interrupt key.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// What the command line needs of a machine.
pub trait System: Sync {
    /// The whole contents of a file.
    ///
    /// # Errors
    /// If it cannot be read.
    fn read(&self, path: &Path) -> io::Result<Vec<u8>>;

    /// Whether a path names a file or a directory.
    ///
    /// # Errors
    /// If there is neither.
    fn kind(&self, path: &Path) -> io::Result<Kind>;

    /// What is in a directory, in order of name.
    ///
    /// # Errors
    /// If it cannot be read.
    fn entries(&self, path: &Path) -> io::Result<Vec<PathBuf>>;

    /// Writes a file, in place of an earlier one.
    ///
    /// # Errors
    /// If it cannot be written.
    fn write(&self, path: &Path, contents: &str) -> io::Result<()>;

    /// A file to be read from its beginning.
    ///
    /// # Errors
    /// If it cannot be read.
    fn open(&self, path: &Path) -> io::Result<Box<dyn io::Read>>;

    /// Writes a file, in place of an earlier one: the earlier one is there until all has been
    /// written.
    ///
    /// # Errors
    /// If it cannot be written.
    fn replace(
        &self,
        path: &Path,
        write: &mut dyn FnMut(&mut dyn io::Write) -> io::Result<()>,
    ) -> io::Result<()>;

    /// Writes to standard output. A reader that has gone away is no error.
    fn out(&self, text: &str);

    /// Writes to standard error. A reader that has gone away is no error.
    fn err(&self, text: &str);

    /// The next line of standard input, without its end; `None` behind the last.
    fn line(&self) -> Option<String>;

    /// Whether a stream goes to a terminal.
    fn is_terminal(&self, stream: Stream) -> bool;

    /// An environment variable.
    fn variable(&self, name: &str) -> Option<String>;

    /// Bytes of memory that can be had, if that is known.
    fn free_memory(&self) -> Option<u64>;

    /// Set when the user asks to stop.
    fn stop(&self) -> Arc<AtomicBool>;
}

/// What a path names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A file.
    File,
    /// A directory.
    Directory,
}

/// An output stream.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stream {
    /// Standard output.
    Out,
    /// Standard error.
    Err,
}
