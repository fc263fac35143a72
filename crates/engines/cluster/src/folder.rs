//! Where the processes of a cluster save what they have found: a folder that all of them see.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use explicit::Vault;

/// The least time between two times of writing, where nothing else is said.
const PAUSE: Duration = Duration::from_millis(200);
/// Writing takes at most this part of the time.
const SHARE: u32 = 20;

/// A folder for searches that are saved.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    label: u64,
    resumes: bool,
    pause: Duration,
    /// When it is time to write again.
    next: Mutex<Instant>,
}

impl Folder {
    /// One that may be there already, for what is verified under this label; perhaps to go on from what is in
    /// it.
    ///
    /// # Errors
    /// If it cannot be made.
    pub fn new(path: PathBuf, label: u64, resumes: bool) -> io::Result<Folder> {
        fs::create_dir_all(&path)?;
        Ok(Folder {
            path,
            label,
            resumes,
            pause: PAUSE,
            next: Mutex::new(Instant::now() + PAUSE),
        })
    }

    /// The same, written to as often as after so much time.
    #[must_use]
    pub fn pausing(mut self, pause: Duration) -> Folder {
        self.pause = pause;
        self.next = Mutex::new(Instant::now() + pause);
        self
    }
}

impl Vault for Folder {
    fn label(&self) -> u64 {
        self.label
    }

    fn is_due(&self) -> bool {
        Instant::now() >= *self.next.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn resumes(&self) -> bool {
        self.resumes
    }

    fn replace(
        &self,
        name: &str,
        write: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>,
    ) -> io::Result<()> {
        let begin = Instant::now();
        let beside = self.path.join(format!("{name}.new"));
        let mut file = File::create(&beside)?;
        write(&mut file)?;
        file.sync_data()?;
        fs::rename(&beside, self.path.join(name))?;
        let now = Instant::now();
        let mut next = self.next.lock().unwrap_or_else(PoisonError::into_inner);
        *next = now + self.pause.max((now - begin) * SHARE);
        Ok(())
    }

    fn open(&self, name: &str) -> io::Result<Box<dyn Read>> {
        Ok(Box::new(File::open(self.path.join(name))?))
    }
}
