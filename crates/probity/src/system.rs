//! The one door to the machine: files, terminals, the environment, the interrupt key.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::SystemTime;

use language::Entry;
use model::Progress;
use source::shown;
use verify::Disk;

/// Where files are read.
pub trait Files: Sync {
    /// The whole contents of a regular file.
    ///
    /// # Errors
    /// If it cannot be read, is no regular file (a device or a pipe may have no end), or is longer
    /// than any text that could be worked on.
    fn read(&self, path: &Path) -> io::Result<Vec<u8>>;

    /// What a folder holds, in order of name.
    ///
    /// # Errors
    /// If it cannot be read.
    fn folder(&self, path: &Path) -> io::Result<Vec<Entry>>;
}

/// What a folder of a machine holds.
pub(crate) fn folder_of(system: &dyn System, path: &Path) -> io::Result<Vec<Entry>> {
    let entry = |path: PathBuf| {
        let is_folder = matches!(system.kind(&path), Ok(Kind::Directory));
        Entry { path, is_folder }
    };
    Ok(system.entries(path)?.into_iter().map(entry).collect())
}

/// What the command line needs of a machine.
pub trait System: Files {
    /// What a path names, links followed.
    ///
    /// # Errors
    /// If there is nothing.
    fn kind(&self, path: &Path) -> io::Result<Kind>;

    /// Whether a path itself is a link.
    fn is_link(&self, path: &Path) -> bool;

    /// The same path without links, where there is one; else as it is.
    fn real(&self, path: &Path) -> PathBuf;

    /// What is in a directory, in order of name.
    ///
    /// # Errors
    /// If it cannot be read.
    fn entries(&self, path: &Path) -> io::Result<Vec<PathBuf>>;

    /// Whether an output could be written, tried before the work that it is about. Nothing is left
    /// behind, and what is there stays as it is.
    ///
    /// # Errors
    /// If it could not, or if the output would replace what nobody said it may.
    fn try_output(&self, output: &Output<'_>) -> io::Result<()>;

    /// Writes a file, in place of an earlier one: the earlier one is there until all has been
    /// written. A device or a pipe is written to and stays what it is.
    ///
    /// # Errors
    /// If it cannot be written.
    fn write(&self, path: &Path, contents: &str) -> io::Result<()>;

    /// Writes a file that is not there yet, for nobody to read but who wrote it.
    ///
    /// # Errors
    /// If it cannot be written, or is there.
    fn write_secret(&self, path: &Path, contents: &str) -> io::Result<()>;

    /// Fills bytes with random ones that nobody can foresee.
    ///
    /// # Errors
    /// If there are none.
    fn random(&self, bytes: &mut [u8]) -> io::Result<()>;

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

    /// Where there is room for what does not fit into memory: in this folder, or where such files are as a rule.
    fn disk(&self, folder: Option<&Path>) -> Arc<dyn Disk>;

    /// Writes to standard output as it is; see [`out`](System::out). That it cannot be written is
    /// said once on standard error, and [remembered](System::lost_output).
    fn write_out(&self, text: &str);

    /// Writes to standard error as it is; see [`err`](System::err).
    fn write_err(&self, text: &str);

    /// Whether something that was to go to standard output did not get there.
    fn lost_output(&self) -> bool;

    /// Writes to standard output; a terminal obeys nothing that is in the text.
    fn out(&self, text: &str) {
        self.write_out(&shown(text));
    }

    /// Writes to standard error; a terminal obeys nothing that is in the text.
    fn err(&self, text: &str) {
        self.write_err(&shown(text));
    }

    /// The next line of standard input, without its end; `None` behind the last.
    fn line(&self) -> Option<String>;

    /// The next message on standard input, as editors send them: lines that say how many bytes it has, an
    /// empty line, the bytes. `None` behind the last.
    ///
    /// # Errors
    /// If there are no such lines, or the message is longer than any that could be worked on.
    fn message(&self) -> io::Result<Option<Vec<u8>>>;

    /// Whether a stream goes to a terminal.
    fn is_terminal(&self, stream: Stream) -> bool;

    /// An environment variable.
    fn variable(&self, name: &str) -> Option<String>;

    /// Bytes of memory that can be had, if that is known.
    fn free_memory(&self) -> Option<u64>;

    /// Bytes of memory that this process has, if that is known.
    fn resident(&self) -> Option<u64>;

    /// Makes a directory, and those around it, if it is not there.
    ///
    /// # Errors
    /// If it cannot be made.
    fn make_directory(&self, path: &Path) -> io::Result<()>;

    /// What tells this build of the program from all others; nothing if that is not known.
    fn build(&self) -> Option<String>;

    /// Runs this program with other arguments, in a process of its own; what it writes to standard output.
    ///
    /// # Errors
    /// If it cannot be begun.
    fn run_alone(&self, arguments: &[String]) -> io::Result<String>;

    /// Starts this program with other arguments, in a process of its own that is told on its standard input
    /// what there is to tell. What it writes to standard error is shown if it is to be heard.
    ///
    /// # Errors
    /// If it cannot be started.
    fn start(&self, arguments: &[OsString], is_heard: bool) -> io::Result<Box<dyn Child>>;

    /// So many ports of this machine that nobody uses now.
    ///
    /// # Errors
    /// If there are not so many.
    fn free_ports(&self, count: usize) -> io::Result<Vec<u16>>;

    /// Waits a moment, and says whether something that was read is not as it was: files, and what is in
    /// directories.
    fn has_changed(&self) -> bool;

    /// How a file or a directory is, so that a later change shows; nothing if there is none.
    fn condition(&self, path: &Path) -> Option<Condition>;

    /// Who is told how far the work is, in place of whoever reads standard error.
    fn listener(&self) -> Option<&dyn Progress> {
        None
    }

    /// What ends the program at once, with an exit status; nothing where there is no program to end.
    fn leave(&self) -> Option<fn(u8)>;

    /// Set when the user asks to stop.
    fn stop(&self) -> Arc<AtomicBool>;
}

/// A process that this program has started.
pub trait Child {
    /// Writes to its standard input.
    ///
    /// # Errors
    /// If it cannot be written.
    fn tell(&mut self, text: &str) -> io::Result<()>;

    /// Whether it has ended, and with which exit status; none if a signal has ended it.
    ///
    /// # Errors
    /// If that cannot be found out.
    fn ended(&mut self) -> io::Result<Option<Option<u8>>>;

    /// Ends it at once, if it has not ended.
    fn end(&mut self);

    /// What it has written to standard output, when it has ended.
    fn output(&mut self) -> String;
}

/// What tells whether a file or a directory was changed: when it was written to last, and its length.
pub type Condition = (SystemTime, u64);

/// What a path names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A file.
    File,
    /// A directory.
    Directory,
    /// A device, a pipe or a socket, which may have no end.
    Other,
}

/// Where an output is to go.
#[derive(Clone, Copy, Debug)]
pub struct Output<'a> {
    /// The path.
    pub path: &'a Path,
    /// The files that the work reads, which an output does not replace.
    pub inputs: &'a [PathBuf],
    /// Whether the user said that inputs may be replaced, and links and devices written to.
    pub overwrite: bool,
    /// Whether it has to be a file of its own, because it is written again and again.
    pub renewed: bool,
}

/// An output stream.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stream {
    /// Standard output.
    Out,
    /// Standard error.
    Err,
}
