//! The real machine as a [`System`].

use std::fs;
use std::io::{self, IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::system::{Kind, Stream, System};

/// The machine that the program runs on.
pub struct Machine {
    stop: Arc<AtomicBool>,
}

impl Machine {
    /// Takes over the interrupt key: the first press asks to stop, the second stops at once.
    #[must_use]
    pub fn new() -> Self {
        let stop = Arc::new(AtomicBool::new(false));
        let pressed = Arc::clone(&stop);
        // Where the key cannot be taken over, it stops the program as it always does.
        let _ = ctrlc::set_handler(move || {
            if pressed.swap(true, Ordering::Relaxed) {
                std::process::exit(3);
            }
        });
        Machine { stop }
    }
}

impl Default for Machine {
    fn default() -> Self {
        Machine::new()
    }
}

impl System for Machine {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        fs::read(path)
    }

    fn kind(&self, path: &Path) -> io::Result<Kind> {
        Ok(if fs::metadata(path)?.is_dir() {
            Kind::Directory
        } else {
            Kind::File
        })
    }

    fn entries(&self, path: &Path) -> io::Result<Vec<PathBuf>> {
        let mut entries = fs::read_dir(path)?
            .map(|entry| entry.map(|entry| entry.path()))
            .collect::<io::Result<Vec<_>>>()?;
        entries.sort();
        Ok(entries)
    }

    fn write(&self, path: &Path, contents: &str) -> io::Result<()> {
        fs::write(path, contents)
    }

    fn open(&self, path: &Path) -> io::Result<Box<dyn io::Read>> {
        Ok(Box::new(fs::File::open(path)?))
    }

    fn replace(
        &self,
        path: &Path,
        write: &mut dyn FnMut(&mut dyn io::Write) -> io::Result<()>,
    ) -> io::Result<()> {
        // Beside it, so that it is on the same disk.
        let mut name = path.file_name().unwrap_or_default().to_owned();
        name.push(format!(".{}.tmp", std::process::id()));
        let temporary = path.with_file_name(name);
        let written = fs::File::create(&temporary).and_then(|mut file| {
            write(&mut file)?;
            file.sync_all()?;
            fs::rename(&temporary, path)
        });
        if written.is_err() {
            // It may not even be there.
            let _ = fs::remove_file(&temporary);
        }
        written
    }

    fn out(&self, text: &str) {
        let mut out = io::stdout().lock();
        // Nobody is left to be told if this fails.
        let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    }

    fn err(&self, text: &str) {
        let _ = io::stderr().lock().write_all(text.as_bytes());
    }

    fn line(&self) -> Option<String> {
        let mut line = String::new();
        match io::stdin().read_line(&mut line) {
            Ok(0) | Err(_) => None,
            Ok(_) => Some(line.trim_end_matches(['\n', '\r']).to_owned()),
        }
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

    fn stop(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.stop)
    }
}

/// Bytes that Linux says are available.
fn available(meminfo: &str) -> Option<u64> {
    let line = meminfo
        .lines()
        .find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes * 1024)
}

#[cfg(test)]
mod tests {
    use super::available;

    #[test]
    fn what_is_available_is_read() {
        let text = "MemTotal:       24 kB\nMemAvailable:   23456 kB\nBuffers: 1 kB\n";
        assert_eq!(available(text), Some(23456 * 1024));
        assert_eq!(available("MemTotal: 24 kB\n"), None);
    }
}
