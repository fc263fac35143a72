//! One file for the checkpoints of several searches.
//!
//! Searches take turns, and each that is under way has a section in the file, until it is finished: what
//! one writes leaves the others' sections as they are. The file begins with a mark, a version and a label,
//! as [`CheckpointFile`] has it; a section is a number that says which search it is of, and what the
//! search wrote, in pieces with their lengths; the end has a hash of all that is not inside of
//! sections, which have hashes of their own.

use std::collections::{BTreeSet, HashSet};
use std::io::{self, Read, Write};
use std::sync::{Mutex, PoisonError};

use explicit::{CheckpointError, CheckpointFile};
use model::{Program, PropertyId, RichTable};

/// "Probity\n".
const MARK: u64 = u64::from_le_bytes(*b"Probity\n");
/// Raised when the format changes.
const VERSION: u64 = 3;
/// Before a section, and at the end.
const SECTION: u64 = 1;
const END: u64 = 0;

/// The sections of a file.
#[derive(Debug)]
pub(crate) struct Sections<'f> {
    file: &'f dyn CheckpointFile,
    /// The searches that are finished.
    done: Mutex<HashSet<u64>>,
}

impl<'f> Sections<'f> {
    /// The sections of a file, if it can be gone on from; makes the numbers of interned values known to
    /// the program's table.
    ///
    /// # Errors
    /// If the file is of no use.
    pub(crate) fn restore(
        file: &'f dyn CheckpointFile,
        rich: &RichTable,
    ) -> Result<Self, CheckpointError> {
        let sections = Sections {
            file,
            done: Mutex::default(),
        };
        let Some(reader) = file.open() else {
            return Ok(sections);
        };
        for number in whole(reader?, file.label())? {
            explicit::restore(&sections.of(number), rich)?;
        }
        Ok(sections)
    }

    /// The section of a search for these properties.
    pub(crate) fn for_properties(
        &self,
        program: &Program,
        properties: &[PropertyId],
    ) -> Section<'_> {
        let mut hash = Hash::default();
        for property in properties {
            let name = &program.properties[property.index()].name;
            hash.word(name.len() as u64);
            name.bytes().for_each(|byte| hash.word(byte.into()));
        }
        self.of(hash.0)
    }

    fn of(&self, number: u64) -> Section<'_> {
        Section {
            sections: self,
            number,
            stays: false,
        }
    }

    /// The file as it is now: as it was last written, or as it was before.
    fn now(&self) -> Option<io::Result<Box<dyn Read>>> {
        self.file.written().or_else(|| self.file.open())
    }

    fn done(&self) -> std::sync::MutexGuard<'_, HashSet<u64>> {
        self.done.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Copies what other searches have written that are still under way.
    fn copy_others(&self, but: u64, to: &mut Framed<'_>) -> io::Result<()> {
        let Some(reader) = self.now() else {
            return Ok(());
        };
        let mut from = Reader::begin(reader?)?;
        let mut buffer = vec![0; 1 << 20];
        while let Some(number) = from.next_section()? {
            let keep = number != but && !self.done().contains(&number);
            if keep {
                to.begin(number)?;
            }
            loop {
                let got = from.read(&mut buffer)?;
                if got == 0 {
                    break;
                }
                if keep {
                    to.write_all(&buffer[..got])?;
                }
            }
            if keep {
                to.close()?;
            }
        }
        Ok(())
    }
}

/// The section of one search, as a file of its own.
#[derive(Debug)]
pub(crate) struct Section<'s> {
    sections: &'s Sections<'s>,
    number: u64,
    /// Whether nothing is written.
    stays: bool,
}

impl Section<'_> {
    /// The same, only to be read.
    pub(crate) fn only_read(self) -> Self {
        Section {
            stays: true,
            ..self
        }
    }

    /// The search is finished: there is nothing to go on with.
    pub(crate) fn finish(&self) {
        self.sections.done().insert(self.number);
    }
}

impl CheckpointFile for Section<'_> {
    fn label(&self) -> u64 {
        self.sections.file.label() ^ self.number
    }

    fn is_due(&self) -> bool {
        !self.stays && self.sections.file.is_due()
    }

    fn replace(&self, write: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>) {
        if self.stays {
            return;
        }
        let label = self.sections.file.label();
        self.sections.file.replace(&mut |out| {
            let mut to = Framed::new(out, label)?;
            self.sections.copy_others(self.number, &mut to)?;
            to.begin(self.number)?;
            write(&mut to)?;
            to.close()?;
            to.end()
        });
    }

    fn open(&self) -> Option<io::Result<Box<dyn Read>>> {
        let find = |reader: io::Result<Box<dyn Read>>| -> io::Result<Option<Box<dyn Read>>> {
            let mut from = Reader::begin(reader?)?;
            while let Some(number) = from.next_section()? {
                if number == self.number {
                    return Ok(Some(Box::new(from)));
                }
                io::copy(&mut from, &mut io::sink())?;
            }
            Ok(None)
        };
        find(self.sections.now()?).transpose()
    }
}

/// The hash of what stands between sections (Fowler, Noll and Vo).
struct Hash(u64);

impl Default for Hash {
    fn default() -> Self {
        Hash(0xcbf2_9ce4_8422_2325)
    }
}

impl Hash {
    fn word(&mut self, word: u64) {
        for byte in word.to_le_bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}

/// Writes sections; what is written is a piece of the one that has begun.
struct Framed<'w> {
    out: &'w mut dyn Write,
    hash: Hash,
}

impl<'w> Framed<'w> {
    fn new(out: &'w mut dyn Write, label: u64) -> io::Result<Self> {
        let mut to = Framed {
            out,
            hash: Hash::default(),
        };
        [MARK, VERSION, label]
            .iter()
            .try_for_each(|&word| to.word(word))?;
        Ok(to)
    }

    fn word(&mut self, word: u64) -> io::Result<()> {
        self.hash.word(word);
        self.out.write_all(&word.to_le_bytes())
    }

    fn begin(&mut self, number: u64) -> io::Result<()> {
        self.word(SECTION)?;
        self.word(number)
    }

    fn close(&mut self) -> io::Result<()> {
        self.word(0)
    }

    fn end(mut self) -> io::Result<()> {
        self.word(END)?;
        let hash = self.hash.0;
        self.out.write_all(&hash.to_le_bytes())?;
        self.out.flush()
    }
}

impl Write for Framed<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if !bytes.is_empty() {
            self.word(bytes.len() as u64)?;
            self.out.write_all(bytes)?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Reads sections; what is read is what the present one holds.
struct Reader {
    from: io::BufReader<Box<dyn Read>>,
    hash: Hash,
    /// What is left of a piece; nothing behind the last.
    left: Option<u64>,
}

impl Reader {
    fn begin(from: Box<dyn Read>) -> io::Result<Self> {
        let mut reader = Reader {
            from: io::BufReader::with_capacity(1 << 20, from),
            hash: Hash::default(),
            left: None,
        };
        for _ in 0..3 {
            reader.word()?;
        }
        Ok(reader)
    }

    fn word(&mut self) -> io::Result<u64> {
        let mut bytes = [0; 8];
        self.from.read_exact(&mut bytes)?;
        let word = u64::from_le_bytes(bytes);
        self.hash.word(word);
        Ok(word)
    }

    /// The number of the next section; nothing at the end.
    fn next_section(&mut self) -> io::Result<Option<u64>> {
        match self.word()? {
            SECTION => {
                self.left = Some(0);
                Ok(Some(self.word()?))
            }
            END => Ok(None),
            _ => Err(io::Error::from(io::ErrorKind::InvalidData)),
        }
    }
}

impl Read for Reader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.left == Some(0) {
            self.left = Some(self.word()?).filter(|&length| length > 0);
        }
        let Some(left) = self.left else {
            return Ok(0);
        };
        let most = usize::try_from(left)
            .unwrap_or(usize::MAX)
            .min(buffer.len());
        let got = self.from.read(&mut buffer[..most])?;
        if got == 0 && most > 0 {
            return Err(io::Error::from(io::ErrorKind::UnexpectedEof));
        }
        self.left = Some(left - got as u64);
        Ok(got)
    }
}

/// The sections that a file has, if it is whole.
fn whole(from: Box<dyn Read>, label: u64) -> Result<BTreeSet<u64>, CheckpointError> {
    let mut head = [0; 24];
    let mut reader = Reader {
        from: io::BufReader::with_capacity(1 << 20, from),
        hash: Hash::default(),
        left: None,
    };
    for (place, bytes) in head.chunks_mut(8).enumerate() {
        match reader.from.read_exact(bytes) {
            Ok(()) => {}
            Err(error) if error.kind() != io::ErrorKind::UnexpectedEof => return Err(error.into()),
            Err(_) if place < 2 => return Err(CheckpointError::NoCheckpoint),
            Err(_) => return Err(CheckpointError::Damaged),
        }
        let word = u64::from_le_bytes(bytes.try_into().unwrap_or_default());
        reader.hash.word(word);
        match place {
            0 if word != MARK => return Err(CheckpointError::NoCheckpoint),
            1 if word != VERSION => return Err(CheckpointError::NoCheckpoint),
            2 if word != label => return Err(CheckpointError::Foreign),
            _ => {}
        }
    }
    let damaged = |error: io::Error| match error.kind() {
        io::ErrorKind::UnexpectedEof | io::ErrorKind::InvalidData => CheckpointError::Damaged,
        _ => CheckpointError::Io(error),
    };
    let mut numbers = BTreeSet::new();
    while let Some(number) = reader.next_section().map_err(damaged)? {
        io::copy(&mut reader, &mut io::sink()).map_err(damaged)?;
        if !numbers.insert(number) {
            return Err(CheckpointError::Damaged);
        }
    }
    let expected = reader.hash.0;
    let mut rest = Vec::new();
    reader.from.take(9).read_to_end(&mut rest)?;
    if rest == expected.to_le_bytes() {
        Ok(numbers)
    } else {
        Err(CheckpointError::Damaged)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is written, and what was there before.
    #[derive(Debug, Default)]
    struct InMemory {
        before: Option<Vec<u8>>,
        written: Mutex<Option<Vec<u8>>>,
    }

    impl CheckpointFile for InMemory {
        fn label(&self) -> u64 {
            7
        }

        fn is_due(&self) -> bool {
            true
        }

        fn replace(&self, write: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>) {
            let mut bytes = Vec::new();
            write(&mut bytes).expect("memory takes all");
            *self.written.lock().expect("nobody panics") = Some(bytes);
        }

        fn open(&self) -> Option<io::Result<Box<dyn Read>>> {
            let bytes = self.before.clone()?;
            Some(Ok(Box::new(io::Cursor::new(bytes))))
        }

        fn written(&self) -> Option<io::Result<Box<dyn Read>>> {
            let bytes = self.written.lock().expect("nobody panics").clone()?;
            Some(Ok(Box::new(io::Cursor::new(bytes))))
        }
    }

    fn write(section: &Section<'_>, text: &str) {
        section.replace(&mut |out| {
            text.as_bytes()
                .chunks(3)
                .try_for_each(|part| out.write_all(part))
        });
    }

    fn read(section: &Section<'_>) -> Option<String> {
        let mut text = String::new();
        let mut reader = section.open()?.expect("it can be read");
        reader.read_to_string(&mut text).expect("it is text");
        Some(text)
    }

    #[test]
    fn each_search_finds_what_it_wrote_until_it_is_finished() {
        let file = InMemory::default();
        let sections = Sections {
            file: &file,
            done: Mutex::default(),
        };
        let [a, b] = [1, 2].map(|number| sections.of(number));
        assert_eq!(read(&a), None);
        write(&a, "a long search");
        write(&b, "another");
        assert_eq!(read(&a).as_deref(), Some("a long search"));
        write(&a, "and longer");
        assert_eq!(read(&a).as_deref(), Some("and longer"));
        assert_eq!(read(&b).as_deref(), Some("another"));
        a.finish();
        write(&b, "alone");
        assert_eq!(read(&a), None);
        assert_eq!(read(&b).as_deref(), Some("alone"));
        // Another run goes on with it, and keeps it when something else is written first.
        let before = file.written.lock().expect("nobody panics").clone();
        let later = InMemory {
            before,
            ..InMemory::default()
        };
        let sections = Sections {
            file: &later,
            done: Mutex::default(),
        };
        assert_eq!(read(&sections.of(2)).as_deref(), Some("alone"));
        write(&sections.of(1), "anew");
        assert_eq!(read(&sections.of(2)).as_deref(), Some("alone"));
    }

    #[test]
    fn damage_between_sections_is_noticed() {
        let file = InMemory::default();
        let sections = Sections {
            file: &file,
            done: Mutex::default(),
        };
        write(&sections.of(3), "something");
        let good = file.written.lock().expect("nobody panics").clone();
        let good = good.expect("it was written");
        let numbers = |bytes: &[u8]| whole(Box::new(io::Cursor::new(bytes.to_vec())), 7);
        assert_eq!(numbers(&good).expect("it is whole"), BTreeSet::from([3]));
        for place in 0..good.len() {
            assert!(numbers(&good[..place]).is_err(), "cut at {place}");
        }
        for place in (0..48).chain(good.len() - 8..good.len()) {
            let mut bad = good.clone();
            bad[place] ^= 1;
            assert!(numbers(&bad).is_err(), "changed at {place}");
        }
        let mut longer = good;
        longer.push(0);
        assert!(numbers(&longer).is_err());
    }
}
