//! What work in the background may read, and what it has read.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use model::Progress;

use crate::system::{Condition, System};

/// Files as they were when they were read.
pub(crate) type Seen = BTreeMap<PathBuf, Option<Condition>>;

/// Lets work read what lies in some folders, and puts down what it reads.
///
/// Paths are followed to where they lead before they are compared, so neither `..` nor a link leads out. Who may
/// write into the folders could put a link there between the comparison and the reading; it is the path
/// without links that is read then.
pub(crate) struct Guard<'g> {
    /// The folders and files that may be read, without links.
    inside: Vec<PathBuf>,
    /// Who is told how far the work is.
    listener: &'g (dyn Progress + 'g),
    seen: Mutex<Seen>,
}

impl<'g> Guard<'g> {
    /// What lies in these folders, and these files, may be read.
    pub(crate) fn new(
        allowed: impl IntoIterator<Item = PathBuf>,
        listener: &'g (dyn Progress + 'g),
        system: &dyn System,
    ) -> Self {
        let inside = allowed.into_iter().map(|path| system.real(&path));
        Guard {
            inside: inside.collect(),
            listener,
            seen: Mutex::default(),
        }
    }

    /// Who is told how far the work is.
    pub(super) fn listener(&self) -> &dyn Progress {
        self.listener
    }

    /// The path that is to be read in place of one, without links.
    ///
    /// # Errors
    /// If there is nothing, or it lies elsewhere.
    pub(crate) fn passed(&self, path: &Path, system: &dyn System) -> io::Result<PathBuf> {
        self.note(path, system);
        system.kind(path)?;
        let real = system.real(path);
        if self.inside.iter().any(|folder| real.starts_with(folder)) {
            return Ok(real);
        }
        let why = "it lies outside of the folder that is served";
        Err(io::Error::new(io::ErrorKind::PermissionDenied, why))
    }

    /// Puts down how a path is that is about to be read.
    fn note(&self, path: &Path, system: &dyn System) {
        let condition = system.condition(path);
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        seen.entry(path.to_owned()).or_insert(condition);
    }

    /// What was read since this was asked last.
    pub(crate) fn take_seen(&self) -> Seen {
        std::mem::take(&mut self.seen.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

#[cfg(test)]
mod tests {
    use model::Silent;

    use super::*;
    use crate::InMemory;

    #[test]
    fn nothing_outside_of_the_folders_passes() {
        let system = InMemory::default()
            .with_file("scripts/door.lsl", "")
            .with_file("scripts.txt", "")
            .with_file("policies/one.policy", "");
        let allowed = ["scripts", "policies/one.policy"].map(PathBuf::from);
        let guard = Guard::new(allowed, &Silent, &system);
        let passed = |path: &str| guard.passed(Path::new(path), &system);
        assert!(passed("scripts/door.lsl").is_ok());
        assert!(passed("policies/one.policy").is_ok());
        let kind = |path: &str| passed(path).map_err(|error| error.kind());
        // A name that begins with that of a folder is not in it.
        assert_eq!(kind("scripts.txt"), Err(io::ErrorKind::PermissionDenied));
        assert_eq!(kind("scripts/nothing"), Err(io::ErrorKind::NotFound));
        assert_eq!(guard.take_seen().len(), 4);
        assert!(guard.take_seen().is_empty());
    }
}
