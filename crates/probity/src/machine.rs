//! The real machine as a [`System`].

mod children;
mod disk;
mod messages;
mod outputs;
mod stdio;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::io::{self, IsTerminal as _, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, SystemTime};

#[cfg(unix)]
use signal_hook::consts::SIGHUP;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;
use source::SourceMap;
use verify::Disk;

use crate::system::{Child, Condition, Files, Kind, Output, Stream, System, folder_of};
use language::Entry;

/// The machine that the program runs on.
pub struct Machine {
    stop: Arc<AtomicBool>,
    /// Whether something was written to standard output in vain.
    lost: AtomicBool,
    /// What was read from standard input, once a file `-` has been asked for.
    input: OnceLock<Vec<u8>>,
    /// The files and directories that were read, as they were then.
    read: Mutex<BTreeMap<PathBuf, Option<Condition>>>,
}

/// So long is a moment between two looks at what was read.
const MOMENT: Duration = Duration::from_millis(200);

/// The name by which standard input is a file.
const STANDARD_INPUT: &str = "-";

impl Machine {
    /// Takes over the interrupt key and the signals that ask a program to end: the first asks to
    /// stop and tell what is known, the second stops at once.
    #[must_use]
    pub fn new() -> Self {
        let stop = Arc::new(AtomicBool::new(false));
        for signal in signals() {
            // Where a signal cannot be taken over, it stops the program as it always does. The
            // second of these sees the flag that the first one sets.
            let _ = flag::register_conditional_shutdown(signal, 3, Arc::clone(&stop));
            let _ = flag::register(signal, Arc::clone(&stop));
        }
        Machine {
            stop,
            lost: AtomicBool::new(false),
            input: OnceLock::new(),
            read: Mutex::new(BTreeMap::new()),
        }
    }
}

impl Machine {
    /// Puts down how something is that is about to be read.
    fn remember(&self, path: &Path) {
        let mut read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        read.insert(path.to_owned(), condition(path));
    }

    /// What comes from standard input, which can be read only once.
    fn standard_input(&self) -> io::Result<Vec<u8>> {
        if let Some(known) = self.input.get() {
            return Ok(known.clone());
        }
        let bytes = all_of(io::stdin().lock())?;
        Ok(self.input.get_or_init(|| bytes).clone())
    }
}

/// How a file or a directory is; nothing if there is none.
fn condition(path: &Path) -> Option<Condition> {
    let metadata = fs::metadata(path).ok()?;
    Some((metadata.modified().ok()?, metadata.len()))
}

/// All bytes of a file, which may grow while it is read.
fn all_of(file: impl io::Read) -> io::Result<Vec<u8>> {
    let most = SourceMap::MAX_LEN as u64;
    let mut bytes = Vec::new();
    file.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        return Err(io::Error::other("it is too long"));
    }
    Ok(bytes)
}

/// The signals that ask a program to end. A hangup that whoever started the program has it ignore
/// (`nohup`) stays ignored.
#[cfg(unix)]
fn signals() -> Vec<i32> {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mut signals = vec![SIGINT, SIGTERM];
    if !is_ignored(&status, SIGHUP) {
        signals.push(SIGHUP);
    }
    signals
}

#[cfg(not(unix))]
fn signals() -> Vec<i32> {
    vec![SIGINT, SIGTERM]
}

/// Whether Linux says that a process ignores a signal.
#[cfg(unix)]
fn is_ignored(status: &str, signal: i32) -> bool {
    status
        .lines()
        .find_map(|line| line.strip_prefix("SigIgn:"))
        .and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok())
        .is_some_and(|mask| mask >> (signal - 1) & 1 != 0)
}

impl Default for Machine {
    fn default() -> Self {
        Machine::new()
    }
}

impl Files for Machine {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        if path == Path::new(STANDARD_INPUT) {
            return self.standard_input();
        }
        self.remember(path);
        let not_regular = || io::Error::other("it is no regular file");
        // Seen before it is opened: to open a pipe would wait for its other end.
        if !fs::metadata(path)?.is_file() {
            return Err(not_regular());
        }
        let file = fs::File::open(path)?;
        let metadata = file.metadata()?;
        if !metadata.is_file() {
            return Err(not_regular());
        }
        all_of(file)
    }

    fn folder(&self, path: &Path) -> io::Result<Vec<Entry>> {
        folder_of(self, path)
    }
}

impl System for Machine {
    fn kind(&self, path: &Path) -> io::Result<Kind> {
        if path == Path::new(STANDARD_INPUT) {
            return Ok(Kind::File);
        }
        let metadata = fs::metadata(path)?;
        Ok(if metadata.is_dir() {
            Kind::Directory
        } else if metadata.is_file() {
            Kind::File
        } else {
            Kind::Other
        })
    }

    fn is_link(&self, path: &Path) -> bool {
        fs::symlink_metadata(path).is_ok_and(|there| there.is_symlink())
    }

    fn real(&self, path: &Path) -> PathBuf {
        fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
    }

    fn entries(&self, path: &Path) -> io::Result<Vec<PathBuf>> {
        self.remember(path);
        let mut entries = fs::read_dir(path)?
            .map(|entry| entry.map(|entry| entry.path()))
            .collect::<io::Result<Vec<_>>>()?;
        entries.sort();
        Ok(entries)
    }

    fn try_output(&self, output: &Output<'_>) -> io::Result<()> {
        outputs::try_output(output)
    }

    fn write(&self, path: &Path, contents: &str) -> io::Result<()> {
        outputs::write(path, contents.as_bytes())
    }

    fn write_secret(&self, path: &Path, contents: &str) -> io::Result<()> {
        outputs::write_secret(path, contents.as_bytes())
    }

    fn random(&self, bytes: &mut [u8]) -> io::Result<()> {
        getrandom::fill(bytes).map_err(io::Error::other)
    }

    fn open(&self, path: &Path) -> io::Result<Box<dyn io::Read>> {
        Ok(Box::new(fs::File::open(path)?))
    }

    fn replace(
        &self,
        path: &Path,
        write: &mut dyn FnMut(&mut dyn io::Write) -> io::Result<()>,
    ) -> io::Result<()> {
        outputs::replace(path, write)
    }

    fn disk(&self, folder: Option<&Path>) -> Arc<dyn Disk> {
        let folder = folder.map_or_else(std::env::temp_dir, Path::to_owned);
        Arc::new(disk::Folder(folder))
    }

    fn write_out(&self, text: &str) {
        let mut out = io::stdout().lock();
        let written = if stdio::was_closed() {
            Err(io::Error::other("it is closed"))
        } else {
            out.write_all(text.as_bytes()).and_then(|()| out.flush())
        };
        let Err(error) = written else { return };
        // A reader that has gone away, as `head` does, has seen what it wanted.
        let silent = error.kind() == io::ErrorKind::BrokenPipe;
        if !self.lost.swap(true, Ordering::Relaxed) && !silent {
            self.write_err(&format!("error: write standard output: {error}\n"));
        }
    }

    fn write_err(&self, text: &str) {
        // Nobody is left to be told if this fails.
        let _ = io::stderr().lock().write_all(text.as_bytes());
    }

    fn lost_output(&self) -> bool {
        self.lost.load(Ordering::Relaxed)
    }

    fn line(&self) -> Option<String> {
        let mut line = String::new();
        match io::stdin().read_line(&mut line) {
            Ok(0) | Err(_) => None,
            Ok(_) => Some(line.trim_end_matches(['\n', '\r']).to_owned()),
        }
    }

    fn message(&self) -> io::Result<Option<Vec<u8>>> {
        messages::next(&mut io::stdin().lock())
    }

    fn is_terminal(&self, stream: Stream) -> bool {
        match stream {
            Stream::Out => io::stdout().is_terminal(),
            Stream::Err => io::stderr().is_terminal(),
        }
    }

    fn variable(&self, name: &str) -> Option<String> {
        std::env::var(name).ok()
    }

    fn free_memory(&self) -> Option<u64> {
        let meminfo = fs::read_to_string("/proc/meminfo").ok()?;
        let machine = available(&meminfo)?;
        let number = |path: &str| fs::read_to_string(path).ok()?.trim().parse::<u64>().ok();
        // A container may have less.
        let group = number("/sys/fs/cgroup/memory.max")
            .zip(number("/sys/fs/cgroup/memory.current"))
            .map_or(u64::MAX, |(most, used)| most.saturating_sub(used));
        Some(machine.min(group))
    }

    fn resident(&self) -> Option<u64> {
        resident(&fs::read_to_string("/proc/self/status").ok()?)
    }

    fn make_directory(&self, path: &Path) -> io::Result<()> {
        fs::create_dir_all(path)
    }

    /// Its length and when it was written: another build is another file, whatever its version says.
    fn build(&self) -> Option<String> {
        let program = std::env::current_exe().ok()?;
        let (written, length) = condition(&program)?;
        let since = written.duration_since(SystemTime::UNIX_EPOCH).ok()?;
        Some(format!(
            "{length} bytes, written at {} ns",
            since.as_nanos()
        ))
    }

    fn run_alone(&self, arguments: &[String]) -> io::Result<String> {
        let output = Command::new(std::env::current_exe()?)
            .args(arguments)
            .stdin(Stdio::null())
            .stderr(Stdio::inherit())
            .output()?;
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    }

    fn start(&self, arguments: &[OsString], is_heard: bool) -> io::Result<Box<dyn Child>> {
        children::start(arguments, is_heard)
    }

    fn free_ports(&self, count: usize) -> io::Result<Vec<u16>> {
        children::free_ports(count)
    }

    fn has_changed(&self) -> bool {
        std::thread::sleep(MOMENT);
        let mut read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        let changed = read.iter().any(|(path, then)| condition(path) != *then);
        if changed {
            // What is read from now on counts.
            read.clear();
        }
        changed
    }

    fn condition(&self, path: &Path) -> Option<Condition> {
        condition(path)
    }

    fn leave(&self) -> Option<fn(u8)> {
        Some(|status| std::process::exit(status.into()))
    }

    fn stop(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.stop)
    }
}

/// Bytes that Linux says are available.
fn available(meminfo: &str) -> Option<u64> {
    bytes_of(meminfo, "MemAvailable:")
}

/// Bytes that Linux says a process has in memory.
fn resident(status: &str) -> Option<u64> {
    bytes_of(status, "VmRSS:")
}

/// What stands behind a name, in kilobytes.
fn bytes_of(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn a_hangup_may_be_ignored() {
        let status = "Name:\tprobity\nSigIgn:\t0000000000001001\n";
        assert!(is_ignored(status, SIGHUP));
        assert!(!is_ignored(status, SIGTERM));
        assert!(!is_ignored("", SIGHUP));
    }

    #[test]
    fn what_is_available_is_read() {
        let text = "MemTotal:       24 kB\nMemAvailable:   23456 kB\nBuffers: 1 kB\n";
        assert_eq!(available(text), Some(23456 * 1024));
        assert_eq!(available("MemTotal: 24 kB\n"), None);
        assert_eq!(
            resident("VmPeak:\t 9 kB\nVmRSS:\t  12 kB\n"),
            Some(12 * 1024)
        );
    }
}
