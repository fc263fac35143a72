//! The other files of the project that a file stands in: graphs call graphs that stand elsewhere.
//!
//! A project is found from the file upwards, by a file that each has at its root, and gone through folder by folder
//! until what is wanted is found. How far up, and how many folders and files, is bounded: a mark that stands where
//! it should not must not lead through a whole disk.

use std::collections::VecDeque;
use std::io;
use std::path::{Component, Path, PathBuf};

use language::Entry;
use source::{SourceMap, decode};

/// So many folders up is a root looked for.
const FARTHEST: usize = 16;

/// So many folders are gone through.
const MOST_FOLDERS: usize = 2000;

/// So many files of a project are offered.
pub(crate) const MOST_FILES: usize = 2000;

/// How the files beside one are read.
#[derive(Clone, Copy)]
pub struct Beside<'r> {
    /// The file that is read itself.
    pub path: &'r Path,
    /// Reads a file.
    pub read: &'r dyn Fn(&Path) -> io::Result<Vec<u8>>,
    /// What a folder holds, in order of name.
    pub entries: &'r dyn Fn(&Path) -> io::Result<Vec<Entry>>,
}

impl Beside<'static> {
    /// There are no other files.
    #[must_use]
    pub fn nothing() -> Beside<'static> {
        Beside {
            path: Path::new("-"),
            read: &|_| Err(io::ErrorKind::NotFound.into()),
            entries: &|_| Ok(Vec::new()),
        }
    }
}

impl Beside<'_> {
    /// A text; none if there is no such file, or it is none, or too long.
    pub(crate) fn text(&self, path: &Path) -> Option<String> {
        let bytes = (self.read)(path).ok()?;
        let text = decode(bytes).ok()?;
        (text.len() <= SourceMap::MAX_LEN).then_some(text)
    }

    fn entries(&self, folder: &Path) -> Vec<Entry> {
        if folder.as_os_str().is_empty() {
            let here = Path::new(Component::CurDir.as_os_str());
            let entries = (self.entries)(here).unwrap_or_default();
            let stripped = entries.into_iter().map(|entry| Entry {
                path: entry
                    .path
                    .strip_prefix(here)
                    .map_or(entry.path.clone(), Path::to_owned),
                ..entry
            });
            return stripped.collect();
        }
        (self.entries)(folder).unwrap_or_default()
    }

    /// The folder that the file stands in; none if it stands in none.
    fn folder(&self) -> Option<PathBuf> {
        let is_file = self.path != Path::new("-");
        let folder = is_file.then(|| self.path.parent()).flatten();
        folder.map(Path::to_owned)
    }

    /// The files of the project whose names end like this: those in the folder of the file first, then all below
    /// the folder that `root` makes of one of those around the file, where there is one.
    pub(crate) fn walk(
        &self,
        ending: &'static str,
        root: impl Fn(&Self, &Path) -> Option<Vec<PathBuf>>,
    ) -> Walk {
        let own = self.folder();
        let mut folders = VecDeque::new();
        let mut around = own.clone();
        for _ in 0..FARTHEST {
            let Some(folder) = around else { break };
            if let Some(roots) = root(self, &folder) {
                folders.extend(roots);
                break;
            }
            around = above(&folder);
        }
        let mut walk = Walk {
            ending,
            own: own.clone(),
            folders,
            files: VecDeque::new(),
            entered: 0,
            offered: 0,
        };
        let own = own.map(|own| self.entries(&own)).unwrap_or_default();
        let files = own.into_iter().filter(|entry| !entry.is_folder);
        walk.offer(files.map(|entry| entry.path));
        walk
    }
}

/// The folder around a folder; none if there is none.
fn above(folder: &Path) -> Option<PathBuf> {
    match folder.components().next_back() {
        Some(Component::Normal(_)) => folder.parent().map(Path::to_owned),
        Some(Component::RootDir | Component::Prefix(_)) => None,
        // What lies above such a path is not written in it.
        Some(Component::CurDir | Component::ParentDir) | None => {
            Some(folder.join(Component::ParentDir))
        }
    }
}

/// A way through the files of a project.
pub(crate) struct Walk {
    ending: &'static str,
    own: Option<PathBuf>,
    folders: VecDeque<PathBuf>,
    files: VecDeque<PathBuf>,
    entered: usize,
    offered: usize,
}

impl Walk {
    /// The next file.
    pub(crate) fn next(&mut self, beside: &Beside<'_>) -> Option<PathBuf> {
        while self.files.is_empty() {
            let folder = self.folders.pop_front()?;
            if self.is_cut_short() {
                return None;
            }
            self.entered += 1;
            let (folders, files): (Vec<Entry>, Vec<Entry>) = beside
                .entries(&folder)
                .into_iter()
                .partition(|entry| entry.is_folder);
            let folders = folders.into_iter().map(|entry| entry.path);
            self.folders.extend(folders.filter(|path| !is_hidden(path)));
            if self.own.as_ref() != Some(&folder) {
                self.offer(files.into_iter().map(|entry| entry.path));
            }
        }
        self.files.pop_front()
    }

    /// Whether there may be more than was offered.
    pub(crate) fn is_cut_short(&self) -> bool {
        self.offered >= MOST_FILES || self.entered >= MOST_FOLDERS
    }

    fn offer(&mut self, files: impl Iterator<Item = PathBuf>) {
        let is_wanted = |path: &PathBuf| {
            let name = path.file_name().unwrap_or_default();
            name.to_string_lossy().ends_with(self.ending)
        };
        let left = MOST_FILES.saturating_sub(self.offered);
        let before = self.files.len();
        self.files.extend(files.filter(is_wanted).take(left));
        self.offered += self.files.len() - before;
    }
}

/// Whether engines pass over a folder.
fn is_hidden(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.starts_with('.') || name.ends_with('~')
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A project of files, whose root is where `mark` is.
    fn found(path: &str, files: &[&str], ending: &'static str) -> Vec<String> {
        let is_below = |file: &&&str, folder: &Path| Path::new(file).starts_with(folder);
        let entries = |folder: &Path| {
            let mut entries: Vec<Entry> = Vec::new();
            for file in files.iter().filter(|file| is_below(file, folder)) {
                let rest = Path::new(file).strip_prefix(folder).unwrap();
                let mut parts = rest.components();
                let Some(first) = parts.next() else { continue };
                let entry = Entry {
                    path: folder.join(first),
                    is_folder: parts.next().is_some(),
                };
                if !entries.contains(&entry) {
                    entries.push(entry);
                }
            }
            Ok(entries)
        };
        let read = |path: &Path| match files.iter().any(|file| Path::new(file) == path) {
            true => Ok(Vec::new()),
            false => Err(io::ErrorKind::NotFound.into()),
        };
        let beside = Beside {
            path: Path::new(path),
            read: &read,
            entries: &entries,
        };
        let mut walk = beside.walk(ending, |beside, folder| {
            beside.text(&folder.join("mark"))?;
            Some(vec![folder.to_owned()])
        });
        let mut all = Vec::new();
        while let Some(path) = walk.next(&beside) {
            all.push(path.display().to_string());
        }
        all
    }

    #[test]
    fn the_own_folder_comes_first_and_then_the_whole_project() {
        let files = [
            "p/mark",
            "p/a/one.g",
            "p/a/two.h",
            "p/b/c/three.g",
            "p/.git/four.g",
            "p/Samples~/five.g",
            "elsewhere/six.g",
        ];
        let all = found("p/a/one.g", &files, ".g");
        assert_eq!(all, ["p/a/one.g", "p/b/c/three.g"]);
        // Without a root, there is the own folder only.
        assert_eq!(found("p/a/one.g", &files[1..], ".g"), ["p/a/one.g"]);
        assert_eq!(found("-", &files, ".g"), [""; 0]);
    }

    #[test]
    fn a_walk_ends_after_so_many_files() {
        let names: Vec<String> = (0..MOST_FILES + 5).map(|n| format!("p/{n}.g")).collect();
        let mut files: Vec<&str> = names.iter().map(String::as_str).collect();
        files.push("p/mark");
        assert_eq!(found("p/0.g", &files, ".g").len(), MOST_FILES);
    }

    #[test]
    fn above_a_folder_that_is_not_named_lies_another() {
        let up = |path: &str| above(Path::new(path)).map(|path| path.display().to_string());
        assert_eq!(up("a/b").as_deref(), Some("a"));
        assert_eq!(up("a").as_deref(), Some(""));
        assert_eq!(up("").as_deref(), Some(".."));
        assert_eq!(up("..").as_deref(), Some("../.."));
        assert_eq!(up("/"), None);
    }
}
