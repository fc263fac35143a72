//! The scripts that a path names: itself, or those in a folder, in which there may be anything.
//!
//! A folder is walked as `git` and `ripgrep` walk it: names that begin with a dot, links to folders, and
//! what `.ignore` files say are passed over; within a repository, what `.gitignore` files and
//! `.git/info/exclude` say, too. What is named itself is never passed over.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use ignore::gitignore::{Gitignore, GitignoreBuilder};
use source::Diagnostic;

use crate::command_line::Input;
use crate::system::{Kind, System};

/// Directories nested deeper than this are not looked into.
const DEEPEST: u32 = 64;

/// A folder that is being walked.
struct Folder {
    path: PathBuf,
    /// The same without links.
    real: PathBuf,
    depth: u32,
    /// What is left out here, the innermost last.
    left_out: Vec<Arc<Gitignore>>,
}

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
    let mut ignored = 0_usize;
    let (first, is_in_repository) = outermost(path, system);
    let mut folders = vec![first];
    while let Some(mut folder) = folders.pop() {
        let entries = match system.entries(&folder.path) {
            Ok(entries) => entries,
            Err(error) if folder.path == path => return Err(unreadable(path, error)),
            Err(error) => {
                passed_over(&folder.path, &error.to_string());
                continue;
            }
        };
        let own = ignore_files(&folder.real, is_in_repository, system);
        folder.left_out.extend(own.map(Arc::new));
        for entry in entries {
            let name = entry.file_name().unwrap_or_default();
            let is_hidden = name.to_string_lossy().starts_with('.');
            let real = folder.real.join(name);
            let is_left_out = |is_folder| is_left_out(&real, is_folder, &folder.left_out);
            match system.kind(&entry) {
                Ok(Kind::Directory) if is_hidden || system.is_link(&entry) || is_left_out(true) => {
                }
                Ok(Kind::Directory) if folder.depth == DEEPEST => {
                    passed_over(&entry, "it is nested too deeply");
                }
                Ok(Kind::Directory) => folders.push(Folder {
                    path: entry,
                    real,
                    depth: folder.depth + 1,
                    left_out: folder.left_out.clone(),
                }),
                Ok(Kind::File)
                    if is_script(&entry, input) && !is_something_else(&entry, input, system) =>
                {
                    if is_left_out(false) {
                        ignored += 1;
                    } else {
                        scripts.push(entry);
                    }
                }
                _ if !is_script(&entry, input) || is_left_out(false) => {}
                Ok(Kind::Other) => passed_over(&entry, "it is no regular file"),
                Err(error) => passed_over(&entry, &error.to_string()),
                Ok(_) => {}
            }
        }
    }
    scripts.sort();
    if scripts.is_empty() {
        let mut diagnostic = Diagnostic::error(
            "CLI0002",
            format!("there are no scripts in `{}`", path.display()),
        );
        if ignored > 0 {
            let are = if ignored == 1 {
                "is 1"
            } else {
                &format!("are {ignored}")
            };
            diagnostic = diagnostic.help(format!(
                "there {are} that `.gitignore` or `.ignore` leaves out: name it to have it checked"
            ));
        }
        return Err(Box::new(diagnostic));
    }
    Ok(scripts)
}

/// The folder where a walk begins, with what the folders around it leave out, and whether it is in a
/// repository.
fn outermost(path: &Path, system: &dyn System) -> (Folder, bool) {
    let real = system.real(path);
    let root = real
        .ancestors()
        .find(|folder| system.kind(&folder.join(".git")).is_ok())
        .map(Path::to_owned);
    let mut left_out = Vec::new();
    let around: Vec<&Path> = real.ancestors().skip(1).collect();
    for folder in around.into_iter().rev() {
        let is_inside = root.as_ref().is_some_and(|root| folder.starts_with(root));
        left_out.extend(ignore_files(folder, is_inside, system));
    }
    if let Some(root) = &root {
        let exclude = root.join(".git/info/exclude");
        left_out.insert(
            0,
            patterns(root, &[exclude], system).unwrap_or_else(Gitignore::empty),
        );
    }
    let folder = Folder {
        path: path.to_owned(),
        real,
        depth: 0,
        left_out: left_out.into_iter().map(Arc::new).collect(),
    };
    (folder, root.is_some())
}

/// What the files in a folder that say so leave out.
fn ignore_files(folder: &Path, is_in_repository: bool, system: &dyn System) -> Option<Gitignore> {
    let names: &[&str] = match is_in_repository {
        true => &[".gitignore", ".ignore"],
        false => &[".ignore"],
    };
    let files: Vec<PathBuf> = names.iter().map(|name| folder.join(name)).collect();
    patterns(folder, &files, system)
}

/// The patterns in files, about what is in a folder; later ones have the last word.
fn patterns(folder: &Path, files: &[PathBuf], system: &dyn System) -> Option<Gitignore> {
    let mut builder = GitignoreBuilder::new(folder);
    let mut found = false;
    for file in files {
        // Seen before it is read, so that what is not there is not watched.
        if !matches!(system.kind(file), Ok(Kind::File)) {
            continue;
        }
        let Ok(contents) = system.read(file) else {
            continue;
        };
        for line in String::from_utf8_lossy(&contents).lines() {
            // A pattern that is none leaves nothing out, as with git.
            found |= builder.add_line(None, line).is_ok();
        }
    }
    found.then(|| builder.build().ok())?
}

/// Whether something is left out: the innermost file that says anything of it has the last word.
fn is_left_out(real: &Path, is_folder: bool, left_out: &[Arc<Gitignore>]) -> bool {
    let words = left_out
        .iter()
        .rev()
        .map(|one| one.matched(real, is_folder));
    let mut words = words.filter(|word| !word.is_none());
    words.next().is_some_and(|word| word.is_ignore())
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

    fn found(system: &InMemory, path: &str) -> Vec<String> {
        let found = scripts_at(Path::new(path), &Input::default(), system).unwrap();
        found
            .iter()
            .map(|path| path.display().to_string())
            .collect()
    }

    #[test]
    fn what_a_repository_ignores_is_left_out() {
        let files = |system: InMemory| {
            system
                .with_file("repo/.gitignore", "*.pml\nbuild/\n/top.lsl\n")
                .with_file("repo/world/.gitignore", "!kept.pml\n# a comment\n\n")
                .with_file("repo/world/a.lsl", "")
                .with_file("repo/world/b.pml", "")
                .with_file("repo/world/kept.pml", "")
                .with_file("repo/world/top.lsl", "")
                .with_file("repo/world/build/c.lsl", "")
                .with_file("repo/top.lsl", "")
                .with_file("repo/world/old/.ignore", "*")
                .with_file("repo/world/old/d.lsl", "")
        };
        let system = files(InMemory::default()).with_file("repo/.git/HEAD", "");
        let expected = [
            "repo/world/a.lsl",
            "repo/world/kept.pml",
            "repo/world/top.lsl",
        ];
        assert_eq!(found(&system, "repo/world"), expected);
        assert_eq!(found(&system, "repo"), expected);
        assert_eq!(found(&system, "repo/world/b.pml"), ["repo/world/b.pml"]);
        assert_eq!(
            found(&system, "repo/world/build"),
            ["repo/world/build/c.lsl"]
        );
        let system = files(InMemory::default()).with_file("repo/.git/info/exclude", "a.lsl");
        assert_eq!(found(&system, "repo"), &expected[1..]);
        // Nowhere but in a repository do its files mean something.
        assert_eq!(found(&files(InMemory::default()), "repo").len(), 6);
    }

    #[test]
    fn it_is_said_why_there_are_no_scripts() {
        let system = InMemory::default()
            .with_file("world/.ignore", "*.lsl")
            .with_file("world/a.lsl", "");
        let refused = scripts_at(Path::new("world"), &Input::default(), &system).unwrap_err();
        assert!(refused.help[0].contains("there is 1 that"), "{refused:?}");
    }
}
