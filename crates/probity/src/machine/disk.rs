//! Files for states that do not fit into memory.
//!
//! They have no name where the system knows such files (on Linux `O_TMPFILE`), and are unlinked as soon as they are open
//! on other Unix systems; Windows deletes them when they are closed. So nothing is left behind when the process ends,
//! however it does.

use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use verify::{Disk, DiskFile};

/// A folder in which there is room.
#[derive(Debug)]
pub(super) struct Folder(pub(super) PathBuf);

/// A file, and the place to which it is read and written next.
#[derive(Debug)]
struct Nameless(Mutex<File>);

impl Disk for Folder {
    fn file(&self) -> io::Result<Box<dyn DiskFile>> {
        let file = tempfile::tempfile_in(&self.0)?;
        Ok(Box::new(Nameless(Mutex::new(file))))
    }
}

impl DiskFile for Nameless {
    fn write_at(&self, bytes: &[u8], place: u64) -> io::Result<()> {
        let mut file = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        file.seek(SeekFrom::Start(place))?;
        file.write_all(bytes)
    }

    fn read_at(&self, bytes: &mut [u8], place: u64) -> io::Result<()> {
        let mut file = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        file.seek(SeekFrom::Start(place))?;
        file.read_exact(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_anywhere_is_read_and_no_name_is_seen() {
        let folder = tempfile::tempdir().unwrap();
        let disk = Folder(folder.path().to_owned());
        let (one, other) = (disk.file().unwrap(), disk.file().unwrap());
        one.write_at(b"states", 10).unwrap();
        one.write_at(b"many", 3).unwrap();
        other.write_at(b"others", 10).unwrap();
        let mut bytes = [0; 6];
        one.read_at(&mut bytes, 10).unwrap();
        assert_eq!(&bytes, b"states");
        assert!(
            one.read_at(&mut bytes, 11).is_err(),
            "there are not so many"
        );
        drop((one, other));
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
        assert!(Folder(folder.path().join("none")).file().is_err());
    }
}
