//! Files that are written: without harm to what is there.
//!
//! A file is written beside its place and moved there when it is complete, so that an earlier one
//! is there until then. What is no file stays what it is.

use std::fs::{self, Metadata, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::system::Output;

/// Whether an output could be written; see [`System::try_output`](crate::System::try_output).
pub(super) fn try_output(output: &Output<'_>) -> io::Result<()> {
    let path = output.path;
    let refused = |why: &str| Err(io::Error::other(why));
    let is_link = fs::symlink_metadata(path).is_ok_and(|there| there.is_symlink());
    let there = match fs::metadata(path) {
        Ok(there) => Some(there),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(error),
    };
    if let Some(there) = &there {
        if there.is_dir() {
            return refused("it is a directory");
        }
        if !there.is_file() {
            return match () {
                () if output.renewed => refused("it is no regular file"),
                () if is_stream(there) || output.overwrite => Ok(()),
                () => refused("it is a device; --overwrite writes to it all the same"),
            };
        }
    }
    if !output.overwrite {
        if output.inputs.iter().any(|input| is_same(path, input)) {
            return refused("it is a file that is read; --overwrite replaces it all the same");
        }
        if is_link {
            return refused("it is a link; --overwrite writes where it leads");
        }
    }
    let path = destination(path);
    if output.renewed {
        sweep(&path);
    }
    let temporary = beside(&path);
    match OpenOptions::new()
        .write(true)
        .create_new(true)
        .open(&temporary)
    {
        Ok(file) => {
            drop(file);
            fs::remove_file(&temporary)
        }
        // Nothing can be made here, but what is there may take it.
        Err(_) if there.is_some() && !output.renewed => {
            OpenOptions::new().append(true).open(&path).map(drop)
        }
        Err(error) => Err(error),
    }
}

/// Writes a file, in place of an earlier one; to a device or a pipe.
pub(super) fn write(path: &Path, contents: &[u8]) -> io::Result<()> {
    let path = destination(path);
    let there = fs::metadata(&path).ok();
    let in_place = || {
        let mut file = OpenOptions::new().write(true).open(&path)?;
        file.write_all(contents)
    };
    if there.as_ref().is_some_and(|there| !there.is_file()) {
        return in_place();
    }
    match replace(&path, &mut |file| file.write_all(contents)) {
        // Nothing can be made beside it.
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied && there.is_some() => {
            OpenOptions::new().write(true).truncate(true).open(&path)?;
            in_place()
        }
        written => written,
    }
}

/// Writes a file that is not there yet, for its owner alone.
pub(super) fn write_secret(path: &Path, contents: &[u8]) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        options.mode(0o600);
    }
    let mut file = options.open(path)?;
    file.write_all(contents)?;
    file.sync_all()
}

/// Writes a file, in place of an earlier one, which is there until all has been written.
pub(super) fn replace(
    path: &Path,
    write: &mut dyn FnMut(&mut dyn io::Write) -> io::Result<()>,
) -> io::Result<()> {
    // Beside it, so that it is on the same disk.
    let temporary = beside(path);
    let written = fs::File::create(&temporary).and_then(|mut file| {
        write(&mut file)?;
        file.sync_all()?;
        if let Ok(earlier) = fs::metadata(path) {
            // Who may read it is no matter of this output.
            let _ = fs::set_permissions(&temporary, earlier.permissions());
        }
        fs::rename(&temporary, path)
    });
    if written.is_err() {
        // It may not even be there.
        let _ = fs::remove_file(&temporary);
    }
    written
}

/// Where a path leads; the path itself if there is nothing.
fn destination(path: &Path) -> PathBuf {
    match fs::canonicalize(path) {
        Ok(there) => there,
        // A link to nothing leads to where a file is to be.
        Err(_) => match fs::read_link(path) {
            Ok(target) => path.parent().unwrap_or(Path::new("")).join(target),
            Err(_) => path.to_owned(),
        },
    }
}

/// The name of a file that is being written.
fn beside(path: &Path) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.tmp", std::process::id()));
    path.with_file_name(name)
}

/// Removes what was being written for a file when its writer was killed.
fn sweep(path: &Path) {
    let folder = match path.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    };
    let (Some(name), Ok(entries)) = (path.file_name(), fs::read_dir(folder)) else {
        return;
    };
    let name = format!("{}.", name.to_string_lossy());
    for entry in entries.flatten() {
        let other = entry.file_name();
        let writer = other
            .to_string_lossy()
            .strip_prefix(&name)
            .and_then(|rest| rest.strip_suffix(".tmp")?.parse::<u32>().ok());
        // Where processes cannot be looked up, nobody knows who is still at work.
        let processes = Path::new("/proc");
        if let Some(writer) = writer
            && processes.join("self").exists()
            && !processes.join(writer.to_string()).exists()
        {
            // If it cannot be removed, it does no harm.
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Whether it is something to write to byte by byte: a terminal, a pipe, `/dev/null`.
#[cfg(unix)]
fn is_stream(there: &Metadata) -> bool {
    use std::os::unix::fs::FileTypeExt as _;
    there.file_type().is_char_device() || there.file_type().is_fifo()
}

#[cfg(not(unix))]
fn is_stream(_: &Metadata) -> bool {
    true
}

/// Whether two paths name one file, by whatever names.
#[cfg(unix)]
fn is_same(a: &Path, b: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    match (fs::metadata(a), fs::metadata(b)) {
        (Ok(a), Ok(b)) => (a.dev(), a.ino()) == (b.dev(), b.ino()),
        _ => false,
    }
}

#[cfg(not(unix))]
fn is_same(a: &Path, b: &Path) -> bool {
    match (fs::canonicalize(a), fs::canonicalize(b)) {
        (Ok(a), Ok(b)) => a == b,
        _ => false,
    }
}
