//! What was read for a script, so that it can be seen whether any of it has changed.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use language::Entry;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::system::Files;

/// What came of asking for a file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Found {
    /// Contents of this SHA-256.
    Contents(String),
    /// It could not be read: why.
    Nothing(String),
    /// A folder with names of this SHA-256 in it.
    Folder(String),
}

/// What stands behind the path of a folder whose names were asked for.
const FOLDER: char = '/';

impl Found {
    fn of(read: &io::Result<Vec<u8>>) -> Found {
        match read {
            Ok(contents) => Found::Contents(digest_of(contents)),
            Err(error) => Found::Nothing(error.to_string()),
        }
    }

    fn of_folder(read: &io::Result<Vec<Entry>>) -> Found {
        match read {
            Ok(entries) => {
                let mut names = String::new();
                for entry in entries {
                    let kind = if entry.is_folder { "folder" } else { "file" };
                    names += &format!("{kind} {}\0", entry.path.display());
                }
                Found::Folder(digest_of(names.as_bytes()))
            }
            Err(error) => Found::Nothing(error.to_string()),
        }
    }

    /// What comes now of asking for what a [record](Record) names.
    pub(crate) fn at(asked: &str, files: &dyn Files) -> Found {
        match asked.strip_suffix(FOLDER) {
            Some(folder) => Found::of_folder(&files.folder(Path::new(folder))),
            None => Found::of(&files.read(Path::new(asked))),
        }
    }
}

/// The files that were asked for, by path, each with what came of it: those that were not there among
/// them, because the answer would be another one if they were. Behind the path of a folder stands a slash.
pub(crate) type Record = BTreeMap<String, Found>;

/// Where it is put down what is read.
#[derive(Default)]
pub(crate) struct Reads(Mutex<SoFar>);

#[derive(Default)]
struct SoFar {
    record: Record,
    /// Whether a file was not the same each time, or has a name that is no text.
    is_useless: bool,
}

impl Reads {
    /// The same files, whose reading is put down here.
    pub(crate) fn of<'r>(&'r self, files: &'r dyn Files) -> Recording<'r> {
        Recording { reads: self, files }
    }

    /// What was read; nothing if that does not tell what there was, because a file changed meanwhile.
    pub(crate) fn record(&self) -> Option<Record> {
        let so_far = self.so_far();
        (!so_far.is_useless).then(|| so_far.record.clone())
    }

    fn put(&self, path: &Path, end: &str, found: &Found) {
        let mut so_far = self.so_far();
        match path.to_str() {
            Some(path) => {
                let asked = format!("{path}{end}");
                let before = so_far.record.insert(asked, found.clone());
                so_far.is_useless |= before.is_some_and(|before| before != *found);
            }
            None => so_far.is_useless = true,
        }
    }

    fn so_far(&self) -> MutexGuard<'_, SoFar> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Files whose reading is put down.
pub(crate) struct Recording<'r> {
    reads: &'r Reads,
    files: &'r dyn Files,
}

impl Files for Recording<'_> {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        let read = self.files.read(path);
        self.reads.put(path, "", &Found::of(&read));
        read
    }

    fn folder(&self, path: &Path) -> io::Result<Vec<Entry>> {
        let read = self.files.folder(path);
        let found = Found::of_folder(&read);
        self.reads.put(path, &FOLDER.to_string(), &found);
        read
    }
}

/// The SHA-256 of bytes, in hexadecimal digits.
pub(crate) fn digest_of(bytes: &[u8]) -> String {
    let digest = Sha256::digest(bytes);
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{InMemory, System};

    #[test]
    fn what_is_missing_is_put_down_and_what_changes_is_useless() {
        let system = InMemory::default().with_file("a", "1");
        let reads = Reads::default();
        let files = reads.of(&system);
        assert!(files.read(Path::new("a")).is_ok() && files.read(Path::new("b")).is_err());
        assert!(files.read(Path::new("a")).is_ok());
        let record = reads.record().expect("nothing changed");
        assert_eq!(record["a"], Found::Contents(digest_of(b"1")));
        assert!(matches!(record["b"], Found::Nothing(_)));
        system.write(Path::new("a"), "2").expect("it is memory");
        assert!(reads.of(&system).read(Path::new("a")).is_ok());
        assert_eq!(reads.record(), None);
    }

    #[test]
    fn what_is_in_a_folder_is_put_down() {
        let system = InMemory::default().with_file("a/b", "1");
        let reads = Reads::default();
        let listed = reads.of(&system).folder(Path::new("a"));
        assert_eq!(listed.expect("it is there").len(), 1);
        let record = reads.record().expect("nothing changed");
        assert_eq!(Found::at("a/", &system), record["a/"]);
        // What is in a file of it makes no difference; another file does.
        system.write(Path::new("a/b"), "2").expect("it is memory");
        assert_eq!(Found::at("a/", &system), record["a/"]);
        system.write(Path::new("a/c"), "").expect("it is memory");
        assert_ne!(Found::at("a/", &system), record["a/"]);
    }
}
