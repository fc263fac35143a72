//! Files without names, and how much is in them.
//!
//! The engine opens no files: whoever asks for a search hands in a [`Disk`].

use std::fmt::Debug;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use model::{Budget, UnknownReason};

/// Where there is room for files that nobody else sees.
pub trait Disk: Debug + Send + Sync {
    /// A new empty file, which is gone when it is dropped or the process has ended.
    ///
    /// # Errors
    /// If there can be none.
    fn file(&self) -> io::Result<Box<dyn DiskFile>>;
}

/// A file that is written and read in any order.
pub trait DiskFile: Debug + Send + Sync {
    /// Writes all of these bytes from this place on.
    ///
    /// # Errors
    /// If they cannot all be written, because the disk is full perhaps.
    fn write_at(&self, bytes: &[u8], place: u64) -> io::Result<()>;

    /// Fills these bytes with those from this place on.
    ///
    /// # Errors
    /// If there are not so many.
    fn read_at(&self, bytes: &mut [u8], place: u64) -> io::Result<()>;
}

/// Makes files, counts what is in them, and looks whether there is time to go on.
#[derive(Clone, Debug)]
pub(crate) struct Room<'d> {
    disk: &'d dyn Disk,
    budget: &'d Budget,
    used: Arc<Used>,
}

/// Bytes in files: now, and the most that there were.
#[derive(Debug, Default)]
struct Used {
    now: AtomicU64,
    most: AtomicU64,
}

impl<'d> Room<'d> {
    pub(crate) fn new(disk: &'d dyn Disk, budget: &'d Budget) -> Self {
        Room {
            disk,
            budget,
            used: Arc::default(),
        }
    }

    /// A new file.
    pub(crate) fn pile(&self) -> io::Result<Arc<Pile>> {
        Ok(Arc::new(Pile {
            file: self.disk.file()?,
            end: AtomicU64::new(0),
            used: Arc::clone(&self.used),
        }))
    }

    /// Looks whether there is time to go on.
    pub(crate) fn check(&self) -> io::Result<()> {
        match self.budget.exhausted(0) {
            Some(_) => Err(io::Error::other("a limit was reached")),
            None => Ok(()),
        }
    }

    /// Why an answer is not known after something went wrong.
    pub(crate) fn reason(&self, error: &io::Error) -> UnknownReason {
        self.budget.exhausted(0).unwrap_or_else(|| {
            UnknownReason::Disk(match error.kind() {
                io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
                    "it is full".to_owned()
                }
                _ => error.to_string(),
            })
        })
    }

    /// The most bytes that there have been on disk.
    pub(crate) fn most(&self) -> u64 {
        self.used.most.load(Ordering::Relaxed)
    }
}

/// A file to which blocks are added.
#[derive(Debug)]
pub(crate) struct Pile {
    file: Box<dyn DiskFile>,
    end: AtomicU64,
    used: Arc<Used>,
}

impl Pile {
    /// Adds a block; says where it is.
    pub(crate) fn add(&self, bytes: &[u8]) -> io::Result<u64> {
        let length = bytes.len() as u64;
        let place = self.end.fetch_add(length, Ordering::Relaxed);
        let now = self.used.now.fetch_add(length, Ordering::Relaxed) + length;
        self.used.most.fetch_max(now, Ordering::Relaxed);
        self.file.write_at(bytes, place)?;
        Ok(place)
    }

    /// Writes over what is there.
    #[cfg(test)]
    pub(crate) fn overwrite(&self, bytes: &[u8], place: u64) -> io::Result<()> {
        self.file.write_at(bytes, place)
    }

    /// Reads a block.
    pub(crate) fn read(&self, bytes: &mut [u8], place: u64) -> io::Result<()> {
        self.file.read_at(bytes, place)
    }
}

impl Drop for Pile {
    fn drop(&mut self) {
        let length = self.end.load(Ordering::Relaxed);
        self.used.now.fetch_sub(length, Ordering::Relaxed);
    }
}
