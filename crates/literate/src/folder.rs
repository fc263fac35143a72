//! The Markdown files of a folder. It is the only file of this crate that reads any.

use std::path::{Path, PathBuf};

/// The Markdown files of a folder, by name: path from the repository's root, and text.
///
/// # Errors
/// What could not be read.
pub(crate) fn documents(folder: &Path) -> Result<Vec<(String, String)>, String> {
    let failed = |path: &Path, error| format!("{}: {error}", path.display());
    let entries = std::fs::read_dir(folder).map_err(|error| failed(folder, error))?;
    let paths = entries.map(|entry| entry.map(|entry| entry.path()));
    let mut paths: Vec<PathBuf> = paths
        .collect::<Result<_, _>>()
        .map_err(|error| failed(folder, error))?;
    paths.retain(|path| path.extension().is_some_and(|one| one == "md"));
    paths.sort();
    let read = |path: PathBuf| {
        let text = std::fs::read_to_string(&path).map_err(|error| failed(&path, error))?;
        let shown = path.strip_prefix(root()).unwrap_or(&path);
        Ok((shown.display().to_string(), text))
    };
    paths.into_iter().map(read).collect()
}

/// The text of a file, if there is one.
pub(crate) fn text(path: &Path) -> Option<String> {
    std::fs::read_to_string(path).ok()
}

/// The root of the repository.
pub(crate) fn root() -> PathBuf {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR"));
    let root = crates.ancestors().nth(2);
    root.expect("this crate is two folders deep").to_owned()
}
