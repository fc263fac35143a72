//! SPIN's examples: where they are, which there are.

use std::path::{Path, PathBuf};

/// Where Debian puts them.
const INSTALLED: &str = "/usr/share/doc/spin/examples/Examples";

/// The folder of the examples, if they are installed.
pub(crate) fn unpacked() -> Option<PathBuf> {
    let path = PathBuf::from(INSTALLED);
    path.is_dir().then_some(path)
}

/// Their names, by folder.
pub(crate) fn models(folder: &Path) -> Vec<String> {
    let mut names = Vec::new();
    collect(folder, folder, &mut names);
    names.sort();
    names
}

fn collect(root: &Path, folder: &Path, names: &mut Vec<String>) {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return;
    };
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(root, &path, names);
        } else if path.extension().is_some_and(|extension| extension == "pml")
            && let Ok(name) = path.strip_prefix(root)
        {
            names.push(name.to_string_lossy().into_owned());
        }
    }
}
