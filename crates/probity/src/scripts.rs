//! The scripts that a path names: itself, or those in a folder, in which there may be anything.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use source::Diagnostic;

use crate::command_line::Input;
use crate::system::{Kind, System};

/// Directories nested deeper than this are not looked into.
const DEEPEST: u32 = 64;

/// The scripts that a path names. What in a folder cannot be looked at is told and passed over,
/// unless it is a file by the name of a script: that is for its reader to refuse.
pub(crate) fn scripts_at(
    path: &Path,
    input: &Input,
    system: &dyn System,
) -> Result<Vec<PathBuf>, Box<Diagnostic>> {
    let unreadable = |path: &Path, error: std::io::Error| {
        Box::new(Diagnostic::error(
            "CLI0002",
            format!("cannot read `{}`: {error}", path.display()),
        ))
    };
    let irregular = || std::io::Error::other("it is no regular file");
    match system.kind(path) {
        Err(error) => return Err(unreadable(path, error)),
        Ok(Kind::File) => return Ok(vec![path.to_owned()]),
        Ok(Kind::Other) => return Err(unreadable(path, irregular())),
        Ok(Kind::Directory) => {}
    }
    let passed_over = |path: &Path, why: &str| {
        system.err(&format!(
            "warning: `{}` is passed over: {why}\n",
            path.display()
        ));
    };
    let mut scripts = Vec::new();
    // Links may lead back to where they are.
    let mut seen = HashSet::from([system.real(path)]);
    let mut directories = vec![(path.to_owned(), DEEPEST)];
    while let Some((directory, depth)) = directories.pop() {
        let entries = match system.entries(&directory) {
            Ok(entries) => entries,
            Err(error) if directory == path => return Err(unreadable(path, error)),
            Err(error) => {
                passed_over(&directory, &error.to_string());
                continue;
            }
        };
        for entry in entries {
            let hidden = entry
                .file_name()
                .is_some_and(|name| name.to_string_lossy().starts_with('.'));
            match system.kind(&entry) {
                Ok(Kind::Directory) if !hidden && seen.insert(system.real(&entry)) => {
                    if depth == 0 {
                        passed_over(&entry, "it is nested too deeply");
                    } else {
                        directories.push((entry, depth - 1));
                    }
                }
                Ok(Kind::File)
                    if is_script(&entry, input) && !is_something_else(&entry, input, system) =>
                {
                    scripts.push(entry);
                }
                Ok(Kind::Other) if is_script(&entry, input) => {
                    passed_over(&entry, "it is no regular file");
                }
                Err(error) if is_script(&entry, input) => passed_over(&entry, &error.to_string()),
                _ => {}
            }
        }
    }
    scripts.sort();
    if scripts.is_empty() {
        return Err(Box::new(Diagnostic::error(
            "CLI0002",
            format!("there are no scripts in `{}`", path.display()),
        )));
    }
    Ok(scripts)
}

/// Whether a file may be a script, by its name.
fn is_script(path: &Path, input: &Input) -> bool {
    let language = input.languages.of_path(path);
    language.is_some_and(|front_end| {
        let wanted = input.language.as_deref();
        wanted.is_none_or(|wanted| wanted == front_end.language().name)
    })
}

/// Whether a file is no script though it has the extension of one: others have it, too, and in a
/// folder there may be anything.
fn is_something_else(path: &Path, input: &Input, system: &dyn System) -> bool {
    let Some(front_end) = input.languages.of_path(path) else {
        return true;
    };
    let shared = front_end.language().shared_extensions;
    let is_shared = path.extension().is_some_and(|extension| {
        shared
            .iter()
            .any(|shared| extension.eq_ignore_ascii_case(shared))
    });
    is_shared
        && !system
            .read(path)
            .is_ok_and(|contents| front_end.recognises(&contents))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::InMemory;

    #[test]
    fn directories_are_searched_for_scripts() {
        let system = InMemory::default()
            .with_file("world/b/two.lsl", "")
            .with_file("world/one.lsl", "")
            .with_file("world/.hidden/three.lsl", "")
            .with_file("world/four.txt", "");
        let input = Input { ..Input::default() };
        let found = scripts_at(Path::new("world"), &input, &system).unwrap();
        let expected = ["world/b/two.lsl", "world/one.lsl"].map(PathBuf::from);
        assert_eq!(found, expected);
    }
}
